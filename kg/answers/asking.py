"""How this package asks: through one callable, by the name of a saved question; the names used are remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Protocol

from rapidfuzz import fuzz, process

from kg.ask.id_names import ids_named, sources_named
from kg.model.names import name_key
from kg.stores.protocol import Answer, Cell

Row = Mapping[str, Cell]


class Ask(Protocol):
    """Runs a saved question."""

    def __call__(self, name: str, /, **values: Any) -> Answer:
        """All rows."""
        ...


class Asker:
    """Asks, and keeps the names of the questions in the order of their first use."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._used: dict[str, None] = {}

    def rows(self, name: str, /, **values: object) -> list[Row]:
        """All rows of a question."""
        self._used[name] = None
        return list(self._ask(name, **values).dicts())

    def ids_named(self, name: str, kind: str, *, field: str) -> tuple[str, ...]:
        """The ids of a kind that a name names; raises `ValueRefused`, with names of that kind like it, where there are none."""
        return ids_named(self._ask, name, kind=kind, field=field)

    def sources_named(self, given: str) -> tuple[str, ...]:
        """The source of an id, of its digits, or of a name; raises `ValueRefused` with sources like it."""
        return sources_named(self._ask, given)

    @property
    def used(self) -> tuple[str, ...]:
        """The questions asked so far."""
        return tuple(self._used)


def text(row: Row, column: str, unknown: str = "") -> str:
    """A text or id cell; where nothing is known, what the reader takes for it."""
    cell = row[column]
    return unknown if cell is None else str(cell)


def said(row: Row, column: str) -> str | None:
    """A text or id cell, None where nothing is known."""
    cell = row[column]
    return None if cell is None else str(cell)


def number(row: Row, column: str) -> float | None:
    """A number cell; whole numbers stay as they are."""
    cell = row[column]
    return cell if isinstance(cell, int | float) and not isinstance(cell, bool) else None


def whole(row: Row, column: str) -> int | None:
    """A whole-number cell."""
    cell = number(row, column)
    return None if cell is None else int(cell)


def flag(row: Row, column: str) -> bool:
    """A boolean cell; empty means no."""
    return row[column] is True


def grouped(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    """Rows under the value of one column, in the order they came."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row[column]), []).append(row)
    return found


def plain(value: Any) -> Any:
    """A result as JSON values: every field, keys sorted."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(getattr(value, name)) for name in sorted(value._fields)}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in sorted(field.name for field in fields(value))}
    if isinstance(value, Mapping):
        return {str(key): plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


def asked_key(name: str) -> str:
    """The key under which an asked name is looked up, without the mark that asks for the thing itself, and of an id its name.

    >>> asked_key("=GB200"), asked_key("family/nvidia-gb200")
    ('gb200', 'nvidia gb200')
    """
    given = name.removeprefix("=")
    return name_key(given.partition("/")[2] or given)


def metric_named(asker: Asker, name: str) -> str | None:
    """The metric of an id or of its words, without what ids of metrics begin with."""
    slug = name_key(name.removeprefix("metric/")).replace(" ", "-")
    return slug if slug and asker.rows("entities/metric", metric=slug) else None


def near_names(asker: Asker, name: str, *, most: int = 5) -> tuple[str, ...]:
    """Known names most like an unknown one; asked for only when a name is not found."""
    key = asked_key(name)
    known = sorted({text(row, "key") for row in asker.rows("names/keys")})
    inside = [one for one in known if key and key in one]
    close = [one for one, _, _ in process.extract(key, known, scorer=fuzz.ratio, limit=most, score_cutoff=60)]
    if key in known:
        return (key,)
    return tuple(dict.fromkeys([*sorted(inside, key=lambda one: (len(one), one))[:most], *close]))[:most]
