"""Which of several media types an Accept header prefers (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

# The quality of RFC 9110, at most three digits behind the point: meets `0.5`, `1` and `1.000`, not
# `1.5` or `.5`.
_QUALITY: Final = re.compile(r"(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")
# Two tokens of RFC 9110 with a slash: meets `text/*` and `application/sparql-results+json`, not
# `text`.
_TYPE: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+", re.ASCII)
_MOST_RANGES: Final = 100
"""Ranges of a header that are read; no client names more."""


class MediaRange(NamedTuple):
    """One part of an Accept header, such as `text/*;q=0.5`."""

    name: str
    quality: float

    def precision(self, media_type: str) -> int:
        """How closely it names a type: 3 for the type itself, 2 for its main type, 1 for any; 0 where it does not."""
        if self.name == media_type:
            return 3
        if self.name == f"{media_type.partition('/')[0]}/*":
            return 2
        return 1 if self.name == "*/*" else 0


def media_ranges(accept: str) -> tuple[MediaRange, ...]:
    """The ranges of a header; parts that are none are left out, parameters but for the quality are not looked at.

    >>> media_ranges("text/turtle;q=0.5, */*;q=0.1")
    (MediaRange(name='text/turtle', quality=0.5), MediaRange(name='*/*', quality=0.1))
    """
    found = []
    for part in accept.split(",")[:_MOST_RANGES]:
        name, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:].strip() for piece in parameters if piece.startswith("q=")), "1")
        if _TYPE.fullmatch(name) and _QUALITY.fullmatch(quality):
            found.append(MediaRange(name, float(quality)))
    return tuple(found)


def preferred(accept: str, offered: Iterable[str]) -> str | None:
    """The offered type that a header prefers, the first of equals; the first of all where it names nothing.

    >>> preferred("text/*;q=0.4, application/json", ["text/csv", "application/json"])
    'application/json'
    >>> preferred("", ["text/csv"]), preferred("image/png", ["text/csv"])
    ('text/csv', None)
    """
    ranges = media_ranges(accept)
    best, chosen = 0.0, None
    for media_type in offered:
        if not ranges and not accept.strip():
            return media_type
        # The most precise range counts, not the highest quality: `text/turtle;q=0, */*` takes
        # anything but Turtle.
        quality = max(((part.precision(media_type), part.quality) for part in ranges), default=(0, 0.0))
        worth = quality[1] if quality[0] else 0.0
        if worth > best:
            best, chosen = worth, media_type
    return chosen


ROWS: Final[Mapping[str, str]] = {
    "application/sparql-results+json": "application/sparql-results+json",
    "application/json": "application/sparql-results+json",
    "application/sparql-results+xml": "application/sparql-results+xml",
    "application/xml": "application/sparql-results+xml",
    "text/xml": "application/sparql-results+xml",
    "text/csv": "text/csv",
    "text/tab-separated-values": "text/tab-separated-values",
}
"""Media types of rows and of yes or no, with the name that the standard gives to the format."""
GRAPHS: Final[Mapping[str, str]] = {
    "text/turtle": "text/turtle",
    "application/n-triples": "application/n-triples",
    "application/ld+json": "application/ld+json",
    "application/rdf+xml": "application/rdf+xml",
    # The media type of N-Triples before RDF 1.1, and that of Turtle before it was registered.
    "text/plain": "application/n-triples",
    "application/x-turtle": "text/turtle",
    "application/json": "application/ld+json",
    "application/xml": "application/rdf+xml",
    "text/xml": "application/rdf+xml",
}
"""Media types of graphs, likewise."""
