"""The records as tables: one row a record, lists in tables of their own. Columns come from the declared fields.

Tables are for reading with other tools; the JSON Lines form is the one that loads again without loss.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from kg.model.json_types import JsonMapping
from kg.model.record import (
    Anchor,
    Claim,
    Derivation,
    DerivationInput,
    Entity,
    Event,
    Quantity,
    Record,
    Restatement,
    Source,
)
from kg.model.terms import Inner, Link, Prop, declared

Type = Literal["string", "number", "integer", "boolean"]
Cell = str | int | float | bool | None
_AT_ONCE: Final = 64
"""Rows of a table that are written together."""
_STEERING: Final = frozenset("=+-@\t\r\n'")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table."""

    name: str
    type: Type = "string"
    about: str = ""
    refers: tuple[str, str] | None = None
    """Table and column it leads to."""


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table; `key` are the columns that tell rows apart."""

    name: str
    about: str
    columns: tuple[TableColumn, ...]
    key: tuple[str, ...]


def neutral(text: str) -> str:
    r"""A text cell that no spreadsheet takes for a formula: an apostrophe goes before the signs that start one.

    An apostrophe at the start gets another one, so that taking one away always gives the text back.

    >>> neutral("=1+1"), neutral("-3 %"), neutral("'a"), neutral("a=b")
    ("'=1+1", "'-3 %", "''a", 'a=b')
    """
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    return "'" + text if text[:1] in _STEERING and text else text


def original(text: str) -> str:
    """What a text cell was before it was made neutral.

    >>> original(neutral("=1+1")), original(neutral("'a")), original("b")
    ('=1+1', "'a", 'b')
    """
    return text.removeprefix("'")


def _is_list(annotation: object) -> tuple[bool, bool]:
    """Whether a field may be a single value, and whether a list."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _is_list(get_args(annotation)[0])
    if origin in (Union, UnionType):
        found = [_is_list(one) for one in get_args(annotation) if one is not type(None)]
        return any(one for one, _ in found), any(many for _, many in found)
    return (False, True) if origin is list else (True, False)


@cache
def _scalars(cls: type[Record]) -> tuple[tuple[str, Type, bool], ...]:
    """Fields with one value (name, type, whether two values are allowed), in order."""
    found: list[tuple[str, Type, bool]] = []
    for name, one in declared(cls):
        field = next(field for key, field in cls.model_fields.items() if (field.alias or key) == name)
        single, many = _is_list(field.annotation)
        if isinstance(one, Inner) or not single:
            continue
        kinds: dict[str, Type] = {"double": "number", "integer": "integer", "boolean": "boolean"}
        found.append((name, kinds.get(one.datatype, "string") if isinstance(one, Prop) else "string", many))
    return tuple(found)


@cache
def _lists(cls: type[Record]) -> tuple[str, ...]:
    """Fields that are lists of words, in order."""
    found = []
    for name, one in declared(cls):
        field = next(field for key, field in cls.model_fields.items() if (field.alias or key) == name)
        if isinstance(one, Prop | Link) and not _is_list(field.annotation)[0]:
            found.append(name)
    return tuple(found)


def _columns(
    cls: type[Record], prefix: str = "", refers: Mapping[str, tuple[str, str]] | None = None
) -> Iterator[TableColumn]:
    for name, kind, pair in _scalars(cls):
        yield TableColumn(prefix + name, kind, refers=(refers or {}).get(name))
        if pair:
            yield TableColumn(f"{prefix}{name}_2", kind, "the second of two")


_CLAIM_REF: Final = ("claims", "id")
_POSITION: Final = TableColumn("position", "integer", "place in the list, from 1")
_DERIVED: Final = (
    TableColumn("quantity_lower", "number", "lower bound of the figure in its unit"),
    TableColumn("quantity_upper", "number", "upper bound of the figure in its unit"),
    TableColumn("quantity_canonical_value", "number", "the value in the canonical unit of its kind"),
    TableColumn("quantity_canonical_value_2", "number", "the second of two"),
    TableColumn("quantity_canonical_unit"),
    TableColumn("quantity_canonical_lower", "number"),
    TableColumn("quantity_canonical_upper", "number"),
)


_STATE: Final = (
    TableColumn("revision", about="hash of the recorded fields"),
    TableColumn("supersedes"),
    TableColumn("statement_key", about="what it is about, without who says it, when and under which conditions"),
    TableColumn("status"),
    TableColumn("verdict", about="confirmed, unverified, caution, disputed or wrong"),
    TableColumn("verdict_reason"),
    TableColumn("value_to_use"),
    TableColumn("subject_label"),
    TableColumn("baseline_label"),
)
"""What a claim has in addition to its recorded fields."""
_CLAIM: Final = (
    TableColumn("id"),
    *_STATE,
    *(one for one in _columns(Claim, refers={"source": ("sources", "id")}) if one.name != "id"),
    *_columns(Quantity, "quantity_"),
    *_DERIVED,
    *_columns(Event, "event_"),
    *_columns(Anchor, "anchor_"),
)
_ALL: Final = (
    ExportTable("claims", "one statement a row, with its figure and place", _CLAIM, ("id",)),
    ExportTable(
        "claim_lists",
        "fields of a claim that hold several values",
        (TableColumn("claim", refers=_CLAIM_REF), TableColumn("field"), _POSITION, TableColumn("value")),
        ("claim", "field", "position"),
    ),
    ExportTable(
        "claim_conditions",
        "the conditions a claim holds under, of its subject and of its baseline",
        (
            TableColumn("claim", refers=_CLAIM_REF),
            TableColumn("side", about="subject or baseline"),
            TableColumn("name"),
            _POSITION,
            TableColumn("value"),
            TableColumn("type", about="text, number or boolean"),
            TableColumn("status", about="empty where plainly stated"),
            TableColumn("printed"),
            TableColumn("from"),
        ),
        ("claim", "side", "name", "position"),
    ),
    ExportTable(
        "claim_places",
        "other places that give something of a claim",
        (
            TableColumn("claim", refers=_CLAIM_REF),
            TableColumn("field"),
            _POSITION,
            TableColumn("start", "integer"),
            TableColumn("end", "integer"),
            TableColumn("gives"),
        ),
        ("claim", "field", "position"),
    ),
    ExportTable(
        "restatements",
        "what a claim repeats",
        (
            TableColumn("claim", refers=_CLAIM_REF),
            _POSITION,
            *(
                TableColumn(f"restated_{one.name}" if one.name != "fidelity" else one.name, one.type)
                for one in _columns(Restatement)
            ),
        ),
        ("claim", "position"),
    ),
    ExportTable(
        "derivations",
        "how a figure was computed",
        (TableColumn("claim", refers=_CLAIM_REF), _POSITION, *_columns(Derivation), TableColumn("verdict")),
        ("claim", "position"),
    ),
    ExportTable(
        "derivation_inputs",
        "the inputs of a derivation",
        (
            TableColumn("claim", refers=_CLAIM_REF),
            TableColumn("derivation", "integer", "position of the derivation"),
            TableColumn("name"),
            *(
                TableColumn(f"input_{one.name}" if one.name == "claim" else one.name, one.type)
                for one in _columns(DerivationInput)
            ),
        ),
        ("claim", "derivation", "name"),
    ),
    ExportTable(
        "findings",
        "what the audit found",
        (
            TableColumn("id"),
            TableColumn("code"),
            TableColumn("severity"),
            TableColumn("verdict"),
            TableColumn("message"),
            TableColumn("claim"),
            TableColumn("derivation", "integer"),
            TableColumn("computed_value", "number"),
            TableColumn("computed_unit"),
            TableColumn("corrected_value", "number"),
            TableColumn("corrected_unit"),
            TableColumn("corrected_approximate", "boolean"),
            TableColumn("missing"),
            TableColumn("basis"),
            TableColumn("reference"),
            TableColumn("rule_version", "integer"),
        ),
        ("id",),
    ),
    ExportTable(
        "finding_claims",
        "the claims a finding involves, with their roles",
        (TableColumn("finding", refers=("findings", "id")), _POSITION, TableColumn("claim"), TableColumn("role")),
        ("finding", "position"),
    ),
    ExportTable(
        "finding_explanations",
        "possible explanations of a finding, best first",
        (
            TableColumn("finding", refers=("findings", "id")),
            _POSITION,
            TableColumn("code"),
            TableColumn("text"),
            TableColumn("corrected", "number"),
        ),
        ("finding", "position"),
    ),
    ExportTable(
        "entities",
        "the things claims are about",
        (
            TableColumn("id"),
            TableColumn("revision"),
            TableColumn("supersedes"),
            *(one for one in _columns(Entity) if one.name != "id"),
        ),
        ("id",),
    ),
    ExportTable(
        "sources",
        "documents, data sets, and cited things nobody opened",
        (
            TableColumn("id"),
            TableColumn("revision"),
            TableColumn("supersedes"),
            *(one for one in _columns(Source) if one.name != "id"),
        ),
        ("id",),
    ),
    ExportTable(
        "thing_lists",
        "names of entities and sources, and their links to several others",
        (
            TableColumn("thing"),
            TableColumn("field"),
            _POSITION,
            TableColumn("value"),
            TableColumn("when", about="words that decide an ambiguous name, as JSON"),
        ),
        ("thing", "field", "position"),
    ),
    ExportTable(
        "parts",
        "what a whole holds",
        (
            TableColumn("whole", refers=("entities", "id")),
            _POSITION,
            TableColumn("part"),
            TableColumn("count", "integer"),
            TableColumn("claim"),
        ),
        ("whole", "position"),
    ),
)
TABLES: Final = {one.name: one for one in _ALL}
"""All tables by name, in the order in which they are written."""

Row = tuple[str, tuple[Cell, ...]]


def rows_of(record: Mapping[str, object]) -> Iterator[Row]:
    """The rows of one record of the exchange form, each with the name of its table."""
    kind = record["record"]
    if kind == "claim":
        yield from _claim_rows(record)
    elif kind == "finding":
        yield from _finding_rows(record)
    elif kind in ("entity", "source"):
        yield from _thing_rows(record, Entity if kind == "entity" else Source)


@cache
def _places(cls: type[Record], without: str | None) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The keys to read for the cells of a class, in order, and where those stand that may hold two values."""
    names: list[str] = []
    pairs = []
    for name, _, pair in _scalars(cls):
        if name != without:
            if pair:
                pairs.append(len(names))
            names += [name, _SECOND] if pair else [name]
    return tuple(names), tuple(pairs)


_SECOND: Final = ""
"""No field has this name: the cell of a second value is empty until a list fills it."""


def _cells(cls: type[Record], record: JsonMapping, *, without: str | None = None) -> list[Cell]:
    names, pairs = _places(cls, without)
    cells = list(map(record.get, names))
    for at in pairs:
        value = cells[at]
        if type(value) is list:
            cells[at], cells[at + 1] = value
    return cells


_NO_JSON: Final[JsonMapping] = {}


def _claim_rows(record: JsonMapping) -> Iterator[Row]:
    yield "claims", tuple(_claim_cells(record))
    name = record["id"]
    lists = [(field, record.get(field)) for field in _lists(Claim)]
    for field, values in (*lists, ("set", (record.get("quantity") or _NO_JSON).get("set"))):
        for position, value in enumerate(values or (), 1):
            yield "claim_lists", (name, field, position, value)
    for side, field in (("subject", "conditions"), ("baseline", "baseline_conditions")):
        for condition, given in (record.get(field) or {}).items():
            yield from _condition_rows(name, side, condition, given)
    for field in ("context_anchors", "also_at"):
        for position, place in enumerate(record.get(field) or (), 1):
            yield "claim_places", (name, field, position, place["start"], place["end"], place.get("gives"))
    for position, given in enumerate(record.get("restates") or (), 1):
        yield "restatements", (name, position, *_cells(Restatement, given))
    yield from _derivation_rows(record)


def _claim_cells(record: JsonMapping) -> Iterator[Cell]:
    """The cells of `_CLAIM`, in its order."""
    yield record["id"]
    yield from (record.get(one.name) for one in _STATE)
    yield from _cells(Claim, record, without="id")
    quantity = record.get("quantity") or _NO_JSON
    yield from _cells(Quantity, quantity)
    yield from (quantity.get("lower"), quantity.get("upper"))
    canonical = quantity.get("canonical_value")
    yield from canonical if isinstance(canonical, list) else (canonical, None)
    yield from (quantity.get(f"canonical_{key}") for key in ("unit", "lower", "upper"))
    yield from _cells(Event, record.get("event") or _NO_JSON)
    yield from _cells(Anchor, record["anchor"])


def _derivation_rows(record: JsonMapping) -> Iterator[Row]:
    name = record["id"]
    for position, given in enumerate(record.get("derivations") or (), 1):
        yield "derivations", (name, position, *_cells(Derivation, given), given.get("verdict"))
        for key, used in given["inputs"].items():
            yield "derivation_inputs", (name, position, key, *_cells(DerivationInput, used))


def _condition_rows(claim: str, side: str, name: str, given: Any) -> Iterator[Row]:
    detail: tuple[Cell, ...] = (None, None, None)
    if isinstance(given, Mapping):
        detail = given.get("status", "stated"), given.get("printed"), given.get("from")
        given = given.get("value")
    for position, value in enumerate(given if isinstance(given, list) else [given], 1):
        kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"
        shown = None if value is None else str(value).lower() if kind == "boolean" else str(value)
        yield "claim_conditions", (claim, side, name, position, shown, kind, *detail)


def _finding_rows(record: JsonMapping) -> Iterator[Row]:
    name, computed, corrected = record["id"], record["computed"] or _NO_JSON, record["corrected"] or _NO_JSON
    yield (
        "findings",
        (
            name,
            record["code"],
            record["severity"],
            record["verdict"],
            record["message"],
            record["claims"][0]["claim"],
            record["derivation"],
            computed.get("value"),
            computed.get("unit"),
            corrected.get("value"),
            corrected.get("unit"),
            corrected.get("approximate"),
            "; ".join(record["missing"]) or None,
            record["basis"],
            record["reference"],
            record["rule_version"],
        ),
    )
    for position, one in enumerate(record["claims"], 1):
        yield "finding_claims", (name, position, one["claim"], one["role"])
    for position, one in enumerate(record["explanations"], 1):
        yield "finding_explanations", (name, position, one["code"], one["text"], one["corrected"])


def _thing_rows(record: JsonMapping, cls: type[Record]) -> Iterator[Row]:
    name = record["id"]
    table = "entities" if cls is Entity else "sources"
    yield table, (name, record.get("revision"), record.get("supersedes"), *_cells(cls, record, without="id"))
    for field in _lists(cls):
        for position, value in enumerate(record.get(field) or (), 1):
            yield "thing_lists", (name, field, position, value, None)
    for position, one in enumerate(record.get("context_aliases") or (), 1):
        yield (
            "thing_lists",
            (name, "context_aliases", position, one["name"], json.dumps(one["when"], ensure_ascii=False)),
        )
    for position, part in enumerate(record.get("parts") or (), 1):
        yield "parts", (name, position, part["part"], part["count"], part.get("claim"))


def csv_files(records: Iterable[Mapping[str, object]]) -> Iterator[tuple[str, bytes]]:
    """All tables as CSV files (RFC 4180, UTF-8): pairs of a file name and a piece of it, headers first."""
    made = TABLES
    waiting: dict[str, list[Sequence[Cell]]] = {}
    for name, table in made.items():
        yield f"{name}.csv", _written([[one.name for one in table.columns]])
        waiting[name] = []
    for record in records:
        for name, cells in rows_of(record):
            rows = waiting[name]
            rows.append(_shown(cells))
            if len(rows) >= _AT_ONCE:
                yield f"{name}.csv", _written(rows)
                rows.clear()
    for name, rows in waiting.items():
        if rows:
            yield f"{name}.csv", _written(rows)


def _shown(cells: Sequence[Cell]) -> list[Cell]:
    """Texts are made neutral; numbers and truth values cannot start a formula.

    Most cells are empty, numbers, or start with a letter, which every sign of a formula sorts before.
    """
    return [
        one if one is None or type(one) is str and one >= "A" and "\x00" not in one else _one_shown(one)
        for one in cells
    ]


def _one_shown(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return neutral(cell)
    return ("true" if cell else "false") if isinstance(cell, bool) else cell


def _written(rows: Sequence[Sequence[Cell]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
