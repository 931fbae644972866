"""Results as rows: a table of columns, each the path of an attribute, read from each item."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from kg.model.result import Table

Columns = Mapping[str, str]
"""The name of each column, and the attributes that lead to its value (`baseline.id`), from the left.

Where a value may be in two places, the first that is given counts: `speaker|asserted_by`.
"""

PLACE: Final = (
    "document=place.document sha256=place.sha256 start=place.start end=place.end page=place.page box=place.box"
    " table=place.table row=place.row column=place.column pointer=place.pointer sheet=place.sheet cell=place.cell"
    " locator=place.locator"
)
"""The columns of where a figure is printed, of anything that has a `place`."""


def columns(text: str, *, of: str = "") -> Columns:
    """Columns from their names; `name=path` where the attribute has another name, which is looked for in `of` otherwise.

    >>> columns("claim=one.id via hop", of="part")
    {'claim': 'one.id', 'via': 'part.via', 'hop': 'part.hop'}
    """
    found = {}
    for word in text.split():
        name, _, path = word.partition("=")
        found[name] = path or f"{of}.{name}".lstrip(".")
    return found


class PartOf(NamedTuple):
    """Something and a part of it, for rows that tell of both."""

    one: Any
    part: Any


def pairs(items: Iterable[object], name: str) -> Iterator[PartOf]:
    """Each item with each of its parts, which its attribute of that name holds."""
    return (PartOf(one, part) for one in items for part in getattr(one, name))


def read_columns(columns: Columns, items: Iterable[object]) -> Iterator[list[Any]]:
    """A row an item. Where an attribute on the way is None, so is the cell: a claim without a baseline has no id of one."""
    paths = [[way.split(".") for way in path.split("|")] for path in columns.values()]
    for item in items:
        yield [_first(item, ways) for ways in paths]


def _first(item: object, ways: list[list[str]]) -> Any:
    """The first value that is given."""
    for way in ways:
        found = _value(item, way)
        if found is not None:
            return found
    return None


def _value(item: object, path: list[str]) -> Any:
    found: Any = item
    for name in path:
        if found is None:
            return None
        found = getattr(found, name)
    return found


def table_of(columns: Columns, items: Iterable[object], brief: tuple[str, ...] = ()) -> Table:
    """A table with a row an item; several words in a cell stand behind one another.

    >>> from types import SimpleNamespace
    >>> table_of(columns("kind of=place.of"), (SimpleNamespace(kind=("a", "b"), place=None),))
    Table(columns=('kind', 'of'), rows=(('a, b', None),), brief=())
    """
    rows = tuple(
        tuple(", ".join(map(str, cell)) if isinstance(cell, tuple) else cell for cell in row)
        for row in read_columns(columns, items)
    )
    return Table(tuple(columns), rows, brief)
