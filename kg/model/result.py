"""What every result can do in addition to holding its values: say its tables and its links; and become a frame, a network, HTML.

How a result is shown is said one floor up, in `kg.render`: `kg.session` registers it here, so that no answer knows it.
"""

import re
from collections.abc import Mapping, Sequence, Sized
from dataclasses import fields
from typing import Any, NamedTuple, Protocol, TypeVar

from kg.model.identifiers import CLAIM_ID


class Table(NamedTuple):
    """Rows under their column names; a notebook shows the columns named in `brief`, else all."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    brief: tuple[str, ...] = ()


class Tie(NamedTuple):
    """Something that joins two nodes."""

    source: str
    target: str
    type: str
    role: str | None = None


class Net(NamedTuple):
    """Nodes by id with what is known of them, and what joins them; an end that is no node becomes one."""

    nodes: Mapping[str, Mapping[str, Any]]
    ties: Sequence[Tie]


class Result(Protocol):
    """A result of a question."""

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice where there is one, and the answer in words."""
        ...

    def tables(self) -> Mapping[str, Table]:
        """Its rows by name, the most important first."""
        ...

    def net(self) -> Net:
        """Its rows as nodes and what joins them."""
        ...


class Presenter(Protocol):
    """Shows results of any class."""

    def tables(self, result: object) -> Mapping[str, Table]:
        """Its rows by name, the most important first."""
        ...

    def net(self, result: object) -> Net:
        """Its rows as nodes and what joins them."""
        ...

    def page(self, scene: object) -> str:
        """A picture as one HTML file."""
        ...

    def drawing(self, scene: object) -> str:
        """A picture as one SVG file."""
        ...

    def frame(self, result: Result, table: str | None) -> Any:
        """The first table, or the one that is named, as a pandas frame."""
        ...

    def polars(self, result: Result, table: str | None) -> Any:
        """The same as a polars frame."""
        ...

    def network(self, result: Result) -> Any:
        """Its rows as a NetworkX graph."""
        ...

    def html(self, result: Result) -> str:
        """A piece of HTML for a notebook."""
        ...


_presenters: list[Presenter] = []
_Kind = TypeVar("_Kind")
_LONGEST = 160
_SHORT = 60


def present_by(shown: Presenter) -> None:
    """From now on results are shown by this; the one registered last counts."""
    _presenters.append(shown)


def presenter() -> Presenter:
    """What shows results; importing `kg.session` registers one."""
    if not _presenters:
        raise RuntimeError("nothing was registered to show results: import kg.session first")
    return _presenters[-1]


def brief_repr(result: Any) -> str:
    """A result on one line: its short texts and numbers, and of what has many parts how many.

    >>> brief_repr(Table(("a", "b"), ((1, 2),)))
    '<Table 2 columns, 1 rows, 0 brief>'
    """
    names = getattr(result, "_fields", None) or [one.name for one in fields(result)]
    parts = []
    for name in names:
        value = getattr(result, name)
        if isinstance(value, Sized) and not isinstance(value, str):
            parts.append(f"{len(value):,} {name}")
        elif isinstance(value, str | int | float) and not isinstance(value, bool) and not name.startswith("_"):
            parts.append(f"{name}={value!r}" if len(str(value)) <= _SHORT else name)
    words = ", ".join(parts)
    return f"<{type(result).__name__} {words if len(words) <= _LONGEST else words[: _LONGEST - 1] + '…'}>"


def brief(kind: type[_Kind]) -> type[_Kind]:
    """A class of results that print as one line: what they hold is in their fields."""
    kind.__repr__ = brief_repr  # type: ignore[method-assign]
    return kind


class Displayed:
    """The methods of a result, for classes that can have a base."""

    __slots__ = ()

    def to_pandas(self: Result, table: str | None = None) -> Any:
        """The first table, or the one that is named, as a pandas frame (extra `pandas`)."""
        return presenter().frame(self, table)

    def to_networkx(self: Result) -> Any:
        """Its rows as a NetworkX graph with directed edges."""
        return presenter().network(self)

    def to_polars(self: Result, table: str | None = None) -> Any:
        """The first table, or the one that is named, as a polars frame, where polars is installed."""
        return presenter().polars(self, table)

    def __repr__(self) -> str:
        """The class and the answer on one line; `to_json()`, `tables()` and the fields hold the rest."""
        asked, verdict, sentence = self.headline()  # type: ignore[attr-defined]
        words = ": ".join(filter(None, (asked, verdict, sentence)))
        return f"<{type(self).__name__} {words if len(words) <= _LONGEST else words[: _LONGEST - 1] + '…'}>"

    def _repr_html_(self: Result) -> str:
        return presenter().html(self)


class Presented(Displayed):
    """A result whose tables and network are laid out one floor up."""

    __slots__ = ()

    def tables(self) -> Mapping[str, Table]:
        """Its rows by name, the most important first."""
        return presenter().tables(self)

    def net(self) -> Net:
        """Its rows as nodes and what joins them."""
        return presenter().net(self)


def rows_net(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Net:
    """Rows of a query as a network: cells that are ids are nodes, the first of a row leads to the others.

    >>> rows_net(("claim", "source"), [("002/a", "source/002")]).ties
    [Tie(source='002/a', target='source/002', type='source', role=None)]
    """
    nodes: dict[str, dict[str, Any]] = {}
    ties: dict[Tie, None] = {}
    for row in rows:
        ids = [(name, cell) for name, cell in zip(columns, row, strict=True) if is_id(cell)]
        for name, cell in ids:
            nodes.setdefault(cell, {"column": name})
        for name, cell in ids[1:]:
            ties[Tie(ids[0][1], cell, name)] = None
    return Net(nodes, list(ties))


_ID = re.compile(CLAIM_ID)


def is_id(cell: object) -> bool:
    """Whether a cell looks like the id of a claim, a thing or a source.

    >>> is_id("002/a"), is_id("and/or that"), is_id(3)
    (True, False, False)
    """
    return isinstance(cell, str) and _ID.fullmatch(cell) is not None
