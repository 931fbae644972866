"""Trusty URIs of RDF content (module RA): an address that holds the digest of what it names.

The statements are written in one normal form, the place of the digest in the own address taken by a blank, sorted, and
hashed: https://trustyuri.net/docs/module-ra (sections "Normalization" and "Hash calculation").
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, NamedTuple

XSD_STRING: Final = "http://www.w3.org/2001/XMLSchema#string"
CODE: Final = re.compile(r"RA[A-Za-z0-9_-]{43}")


class Literal(NamedTuple):
    """A literal as it is written."""

    text: str
    datatype: str = XSD_STRING
    language: str | None = None


Term = str | Literal
"""An IRI, or a literal."""
Quad = tuple[str, str, str, Term]
"""Graph, subject, property, value."""


def normal_form(quads: Iterable[Quad]) -> str:
    r"""The text that is hashed; where the digest will stand, IRIs have a blank already.

    >>> normal_form([("http://x/ #g", "http://x/ ", "http://x/p", Literal("two" + chr(10) + "lines"))]).splitlines()
    ['http://x/ #g', 'http://x/ ', 'http://x/p', '^http://www.w3.org/2001/XMLSchema#string two\\nlines']
    """
    return "".join(
        f"{graph}\n{subject}\n{term}\n{_shown(value)}\n"
        for graph, subject, term, value in sorted(set(quads), key=_order)
    )


def _order(quad: Quad) -> tuple[object, ...]:
    """IRIs before literals; literals by text, datatype, language. Strings sort by code point, as their UTF-8 bytes do."""
    graph, subject, term, value = quad
    if isinstance(value, Literal):
        language = value.language or ""
        return graph, subject, term, True, value.text, "" if language else value.datatype, language
    return graph, subject, term, False, value


def _shown(value: Term) -> str:
    if not isinstance(value, Literal):
        return value
    text = value.text.replace("\\", "\\\\").replace("\n", "\\n")
    # Languages are compared in small letters (RFC 5646), and only line feeds are escaped: so the
    # specification.
    return f"@{value.language.lower()} {text}" if value.language else f"^{value.datatype} {text}"


def artifact_code(quads: Iterable[Quad]) -> str:
    """The 45 characters that end the address."""
    return "RA" + urlsafe_b64encode(sha256(normal_form(quads).encode()).digest()).decode().rstrip("=")


def without_code(iri: str, own: str) -> str:
    """An IRI of the thing itself (or of a part of it, after `#` or `/`) with a blank for the code; others as they are.

    >>> own = "http://x/RA" + "a" * 43
    >>> without_code(own + "#g", own), without_code("http://y", own)
    ('http://x/ #g', 'http://y')
    """
    if iri == own or iri.startswith((own + "#", own + "/")):
        return own[:-45] + " " + iri[len(own) :]
    return iri
