"""How this package asks: through one callable, by the name of a saved question; the names used are remembered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Final, ForwardRef, Protocol, TypeVar

from kg.ask.id_names import ids_named, metric_called, sources_named
from kg.errors import ContentError
from kg.model.names import name_key
from kg.model.result import Presented
from kg.model.similar_names import similar_names
from kg.stores.protocol import Answer, Cell

Row = Mapping[str, Cell]
_Result = TypeVar("_Result", bound=object)


class AskedRow(dict[str, Cell]):
    """A row of a saved question; content of another version may have a question that gives less than is read of it."""

    def __init__(self, question: str, cells: Row) -> None:
        super().__init__(cells)
        self.question = question

    def __missing__(self, column: str) -> Cell:
        raise ContentError(
            f"gives no column {column}.",
            given=self.question,
            expected="the questions of this version",
            next_step="renew queries/ of the content folder, or leave --content away",
        )


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
        return [AskedRow(name, row) for row in self.answer(name, **values).dicts()]

    def answer(self, name: str, /, **values: Any) -> Answer:
        """All rows of a question, as it answers."""
        self._used[name] = None
        return self._ask(name, **values)

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


_UNSTATED: Final = {"normaliser": "unstated", "modality": "stated", "polarity": "affirmed"}
"""What a reader takes for a column in which a question leaves out what is usual."""

_BY_TYPE: Final[Mapping[str, Callable[[Row, str], object]]] = {
    "str": lambda row, column: text(row, column, _UNSTATED.get(column, "")),
    "str | None": said,
    "float | None": number,
    "int": lambda row, column: whole(row, column) or 0,
    "int | None": whole,
    "bool": flag,
}


def read_fields(kind: type[_Result], row: Row, /, **others: object) -> _Result:
    """A result whose plain fields are the columns of the same name; `others` gives the fields that are not.

    A field with a default keeps it where the question has no such column: something else fills it later.

    >>> from typing import NamedTuple
    >>> class Named(NamedTuple):
    ...     label: str | None
    ...     modality: str
    ...     claims: tuple[str, ...]
    ...     speaker: str = ""
    >>> read_fields(Named, {"label": "H100", "modality": None, "row": 3}, claims=("1/a",))
    Named(label='H100', modality='stated', claims=('1/a',), speaker='')
    """
    declared: type = kind
    plain_fields = _plain_fields(declared)
    optional = _with_default(declared)
    wanted = [
        (name, read) for name, read in plain_fields if name not in others and (name in row or name not in optional)
    ]
    return kind(**{name: read(row, name) for name, read in wanted}, **others)


# rows come by the thousand and result types by the dozen: annotations are looked at once a type
@cache
def _plain_fields(kind: type) -> tuple[tuple[str, Callable[[Row, str], object]], ...]:
    # compared as written: resolving the names of other types would import what is imported for types only
    given = {one.name: one.type for one in fields(kind)} if is_dataclass(kind) else kind.__annotations__
    declared = {name: _written(type_) for name, type_ in given.items()}
    return tuple((name, _BY_TYPE[type_]) for name, type_ in declared.items() if type_ in _BY_TYPE)


@cache
def _with_default(kind: type) -> frozenset[str]:
    if is_dataclass(kind):
        return frozenset(one.name for one in fields(kind) if one.default is not MISSING)
    return frozenset(getattr(kind, "_field_defaults", ()))


def _written(annotation: object) -> str:
    if isinstance(annotation, ForwardRef):  # so a NamedTuple keeps an annotation that is a text
        return annotation.__forward_arg__
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def grouped(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    """Rows under the value of one column, in the order they came."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row[column]), []).append(row)
    return found


def plain(value: Any) -> Any:
    """A result as JSON values: every field, keys sorted."""
    # before tuples in general: a NamedTuple is one, and would become a list without its names
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(getattr(value, name)) for name in sorted(value._fields)}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in sorted(field.name for field in fields(value))}
    if isinstance(value, Mapping):
        return {str(key): plain(value[key]) for key in sorted(value)}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


class JsonAnswer(Presented):
    """An answer that is all fields: as JSON it says each of them."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        whole_answer: dict[str, Any] = plain(self)
        return whole_answer


def asked_key(name: str) -> str:
    """The key under which an asked name is looked up, without the mark that asks for the thing itself, and of an id its name.

    >>> asked_key("=GB200"), asked_key("family/nvidia-gb200")
    ('gb200', 'nvidia gb200')
    """
    given = name.removeprefix("=")
    return name_key(given.partition("/")[2] or given)


def metric_named(asker: Asker, name: str) -> str | None:
    """The metric of an id, of its words or of a synonym, without what ids of metrics begin with."""
    return metric_called(asker.answer, name)


# meets the sizes "80gb" and "700w", which variants of one chip differ in; not the model "h100"
_SIZE: Final = re.compile(r"\d+(?:gb|gib|tb|w)")


def _codes(key: str) -> frozenset[str]:
    """The words of a name that tell one model from the next: of letters and digits, and no size.

    >>> sorted(_codes("nvidia h100 nvl 94gb"))
    ['h100']
    """
    mixed = (one for one in key.split() if not one.isalpha() and not one.isdigit() and _SIZE.fullmatch(one) is None)
    return frozenset(mixed)


def near_names(asker: Asker, name: str, *, metrics: bool = False, most: int = 5) -> tuple[str, ...]:
    """Names of things, and of `metrics`, most like an unknown one; asked for only when a name is not found.

    Of a kind whose names are words of questions ("dense", "offline") none is offered: nothing is specified of it.
    """
    from kg.ask.mentions import WORD_KINDS  # it reads plain words: most answers know their names

    key = asked_key(name)
    keys = [(text(row, "key"), text(row, "entity").partition("/")[0]) for row in asker.rows("names/keys")]
    # a known name is its own only near one: callers tell by it a name that has no rows from an
    # unknown one
    if any(one == key for one, _ in keys):
        return (key,)
    labels = {name_key(text(row, "label")) for row in asker.rows("find/metrics", text="")} if metrics else set()
    known = sorted({one for one, kind in keys if kind not in WORD_KINDS} | labels)
    inside = [one for one in known if key and key in one]
    codes = _codes(key)
    # a name of another chip is no near name, however alike it is spelt: H200 for H100
    # more than are shown, so that the sort by model has names of the same chip to bring forward
    close = sorted(similar_names(key, known, most=8 * most), key=lambda one: len(codes - _codes(one)))
    return tuple(dict.fromkeys([*sorted(inside, key=lambda one: (len(one), one))[:most], *close]))[:most]
