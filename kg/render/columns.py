"""Results as rows: a table of columns, each the path of an attribute, read from each item."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Columns = Mapping[str, str]
"""The name of each column, and the attributes that lead to its value (`baseline.id`), from the left."""

PLACE: Columns = {
    "document": "place.document",
    "sha256": "place.sha256",
    "start": "place.start",
    "end": "place.end",
    "table": "place.table",
    "row": "place.row",
    "column": "place.column",
    "pointer": "place.pointer",
    "sheet": "place.sheet",
    "cell": "place.cell",
    "locator": "place.locator",
}
"""Where a figure is printed, of anything that has a `place`."""


def read_columns(columns: Columns, items: Iterable[object]) -> Iterator[list[Any]]:
    """A row an item. Where an attribute on the way is None, so is the cell: a claim without a baseline has no id of one."""
    paths = [path.split(".") for path in columns.values()]
    for item in items:
        yield [_value(item, path) for path in paths]


def _value(item: object, path: list[str]) -> Any:
    found: Any = item
    for name in path:
        if found is None:
            return None
        found = getattr(found, name)
    return found
