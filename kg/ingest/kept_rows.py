"""A refused row as its refusal keeps it, so that it can be read again without its file once its name is known."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

from kg.ingest.table import Row
from kg.model.json_types import Json

_ANY_COLUMN: Final = "\0"
"""In the place of a cell, the name of its column; no header holds it."""
_MOST_BYTES: Final = 1 << 16


def kept_row(
    row: Row,
    *,
    columns: Sequence[str],
    tabular: bool,
    place: Callable[[object, str], Mapping[str, object]],
    names: Sequence[str],
) -> Json | None:
    """The cells of a row and where each stands; None where JSON would not give the same cells back.

    `names` are the columns that claims may point to.
    """
    anywhere = place(row.locus, _ANY_COLUMN)
    # nearly always a place is the row and the name of the column; only what differs is worth room in the ledger
    places = {name: found for name in names if (found := place(row.locus, name)) != _named(anywhere, name)}
    kept = {
        "number": row.number,
        "cells": list(row.cells) if tabular else row.cells,
        "columns": list(columns),
        "tabular": tabular,
        "anywhere": anywhere,
        "places": places,
    }
    try:
        text = orjson.dumps(kept)
    except (TypeError, ValueError):
        return None
    # a day or a time comes back from JSON as a text, which its column would read differently
    return kept if len(text) <= _MOST_BYTES and orjson.loads(text) == kept else None


def row_of(kept: Mapping[str, Any]) -> Row:
    """The row again; its locus is what was kept, for `place_of`."""
    return Row(kept["number"], kept["cells"], kept)


def place_of(kept: Mapping[str, Any], column: str) -> Json:
    """Where a cell of a kept row stands.

    >>> place_of({"anywhere": {"row": 3, "column": chr(0)}, "places": {}}, "Price")
    {'row': 3, 'column': 'Price'}
    """
    found = kept["places"].get(column)
    return dict(found) if found is not None else _named(kept["anywhere"], column)


def _named(anywhere: Mapping[str, Any], column: str) -> Json:
    return {
        key: value.replace(_ANY_COLUMN, column)[:200] if isinstance(value, str) else value
        for key, value in anywhere.items()
    }
