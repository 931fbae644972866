"""What a page shows, before it is HTML, JSON, CSV or Turtle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.model.result import Table
    from kg.render.dot_plot import DotPlot
    from kg.session import Graph

MOST_TEXT = 2_000
"""Characters of a word in a path or a parameter; what is longer is no name, number or id."""


class Cut(NamedTuple):
    """How much of a result is shown."""

    shown: int
    of: int
    what: str

    @property
    def is_cut(self) -> bool:
        """Whether something is left out."""
        return self.shown < self.of


def page_address(page: str, identifier: str) -> str:
    """The address of the page of an id, in which the signs of addresses are none.

    >>> page_address("/claim", "002/50%2f50?")
    '/claim/002/50%252f50%3F'
    """
    return f"{page}/{quote(identifier, safe='/:.,=~@!$&()*+;-_')}"


class AddressRefused(UsageError):
    """An address whose path or parameters cannot be what they should be."""

    code = "serve.address"


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for: the words of its path, and its parameters, each with its values."""

    words: Mapping[str, str]
    parameters: Mapping[str, tuple[str, ...]]
    address: str = "/"
    """What stands before `.json` in the address of the twin."""
    page: str = "/"
    """The address of the page, without parameters."""

    def word(self, name: str) -> str:
        """A word of the path. Raises AddressRefused where it is empty, too long or holds what no text holds."""
        return _checked(name, self.words[name])

    def one(self, name: str) -> str | None:
        """The first value of a parameter that is not empty."""
        return next((_checked(name, one) for one in self.parameters.get(name, ()) if one.strip()), None)

    def many(self, name: str) -> tuple[str, ...]:
        """All values of a parameter that are not empty."""
        return tuple(_checked(name, one) for one in self.parameters.get(name, ()) if one.strip())

    @property
    def wants_all(self) -> bool:
        """Whether all rows are asked for."""
        return self.one("all") is not None


def _checked(name: str, text: str) -> str:
    given = text.strip()
    # Line ends and tabs come with pasted texts; no other control character is part of a name or a
    # number.
    if not given or len(given) > MOST_TEXT or any(ord(one) < 32 for one in given.replace("\n", "").replace("\t", "")):
        shown = given[:40] + "…" if len(given) > 40 else given
        raise AddressRefused(
            field=name, given=shown, expected=f"a text of at most {MOST_TEXT:,} characters without control characters"
        )
    return given


@dataclass(frozen=True, slots=True)
class View:
    """A page: its template with what it is filled with, and its twins; what a twin holds is made when it is asked for."""

    template: str
    title: str
    """Says the finding."""
    values: Mapping[str, object]
    data: Callable[[], Any]
    """The twin `.json`."""
    rows: Callable[[], Table] | None = None
    """The twin `.csv`."""
    about: tuple[str, ...] = ()
    """Ids of the things that the twin `.ttl` describes."""
    cut: Cut | None = None
    """How much of it the page shows."""
    twin_cut: Cut | None = None
    """How much of it the twins hold, where not all."""
    status: int = 200
    cites: str | None = None
    """The id that `copy as citation` cites."""
    plots: Sequence[DotPlot] = ()
    """What the twin `.svg` draws."""
    picture: str | None = None
    """The address of a picture of what is shown, as SVG."""
    extra: Mapping[str, str] = field(default_factory=dict)
    """Further forms to download: label to address."""


Show = Callable[["Graph", Asked], View]
