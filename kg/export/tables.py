"""The tables that records are written to: one row a record, lists in tables of their own. Columns come from declared fields.

Tables are for reading with other tools; the JSON Lines form is the one that loads again without loss.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Final, Literal, Union, get_args, get_origin

from kg.model.record import Claim, Entity, Source
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement
from kg.model.terms import Inner, Link, Prop, declared

Type = Literal["string", "number", "integer", "boolean"]
Cell = str | int | float | bool | None


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
def scalar_fields(cls: type[Record]) -> tuple[tuple[str, Type, bool], ...]:
    """Fields with one value (name, type, whether two values are allowed), in order."""
    found: list[tuple[str, Type, bool]] = []
    for name, one in declared(cls):
        # By alias: `from` is a word of Python, so the field has another name there.
        field = next(field for key, field in cls.model_fields.items() if (field.alias or key) == name)
        single, many = _is_list(field.annotation)
        if isinstance(one, Inner) or not single:
            continue
        kinds: dict[str, Type] = {"double": "number", "integer": "integer", "boolean": "boolean"}
        found.append((name, kinds.get(one.datatype, "string") if isinstance(one, Prop) else "string", many))
    return tuple(found)


@cache
def list_fields(cls: type[Record]) -> tuple[str, ...]:
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
    for name, kind, pair in scalar_fields(cls):
        yield TableColumn(prefix + name, kind, refers=(refers or {}).get(name))
        if pair:
            yield TableColumn(f"{prefix}{name}_2", kind, "the second of two")


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


def _plain(names: str) -> Iterator[TableColumn]:
    """Columns of words of which the names say all."""
    return map(TableColumn, names.split())


def _list_of(of: TableColumn, name: str, about: str, *columns: TableColumn, key: str = "position") -> ExportTable:
    """The table of a list that records of another table have: whose it is comes first, in the key too."""
    return ExportTable(name, about, (of, *columns), (of.name, *key.split()))


def _things(name: str, about: str, cls: type[Record]) -> ExportTable:
    fields = (one for one in _columns(cls) if one.name != "id")
    return ExportTable(name, about, (*_plain("id revision supersedes"), *fields), ("id",))


CLAIM_STATE: Final = (
    TableColumn("revision", about="hash of the recorded fields"),
    TableColumn("supersedes"),
    TableColumn("statement_key", about="what it is about, without who says it, when and under which conditions"),
    TableColumn("status"),
    TableColumn("verdict", about="confirmed, unverified, caution, disputed or wrong"),
    *_plain("verdict_reason value_to_use subject_label baseline_label"),
)
"""What a claim has in addition to its recorded fields."""
_CLAIM: Final = (
    TableColumn("id"),
    *CLAIM_STATE,
    *(one for one in _columns(Claim, refers={"source": ("sources", "id")}) if one.name != "id"),
    *_columns(Quantity, "quantity_"),
    *_DERIVED,
    *_columns(Event, "event_"),
    *_columns(Anchor, "anchor_"),
)
_FINDING: Final = (
    *_plain("id code severity verdict message claim"),
    TableColumn("derivation", "integer"),
    TableColumn("computed_value", "number"),
    TableColumn("computed_unit"),
    TableColumn("corrected_value", "number"),
    TableColumn("corrected_unit"),
    TableColumn("corrected_approximate", "boolean"),
    *_plain("missing basis reference"),
    TableColumn("rule_version", "integer"),
)
_OF_CLAIM: Final = TableColumn("claim", refers=("claims", "id"))
_OF_FINDING: Final = TableColumn("finding", refers=("findings", "id"))
_ALL: Final = (
    ExportTable("claims", "one statement a row, with its figure and place", _CLAIM, ("id",)),
    _list_of(
        _OF_CLAIM,
        "claim_lists",
        "fields of a claim that hold several values",
        *(TableColumn("field"), _POSITION, TableColumn("value")),
        key="field position",
    ),
    _list_of(
        _OF_CLAIM,
        "claim_conditions",
        "the conditions a claim holds under, of its subject and of its baseline",
        TableColumn("side", about="subject or baseline"),
        *(TableColumn("name"), _POSITION, TableColumn("value")),
        TableColumn("type", about="text, number or boolean"),
        TableColumn("status", about="empty where plainly stated"),
        *_plain("printed from"),
        key="side name position",
    ),
    _list_of(
        _OF_CLAIM,
        "claim_places",
        "other places that give something of a claim",
        *(TableColumn("field"), _POSITION, TableColumn("start", "integer"), TableColumn("end", "integer")),
        TableColumn("gives"),
        key="field position",
    ),
    _list_of(
        _OF_CLAIM,
        "restatements",
        "what a claim repeats",
        _POSITION,
        *(
            TableColumn(f"restated_{one.name}" if one.name != "fidelity" else one.name, one.type)
            for one in _columns(Restatement)
        ),
    ),
    _list_of(
        _OF_CLAIM,
        "derivations",
        "how a figure was computed",
        *(_POSITION, *_columns(Derivation), TableColumn("verdict")),
    ),
    _list_of(
        _OF_CLAIM,
        "derivation_inputs",
        "the inputs of a derivation",
        TableColumn("derivation", "integer", "position of the derivation"),
        TableColumn("name"),
        *(
            TableColumn(f"input_{one.name}" if one.name == "claim" else one.name, one.type)
            for one in _columns(DerivationInput)
        ),
        key="derivation name",
    ),
    ExportTable("findings", "what the audit found", _FINDING, ("id",)),
    _list_of(
        _OF_FINDING,
        "finding_claims",
        "the claims a finding involves, with their roles",
        *(_POSITION, *_plain("claim role")),
    ),
    _list_of(
        _OF_FINDING,
        "finding_explanations",
        "possible explanations of a finding, best first",
        *(_POSITION, *_plain("code text"), TableColumn("corrected", "number")),
    ),
    _things("entities", "the things claims are about", Entity),
    _things("sources", "documents, data sets, and cited things nobody opened", Source),
    _list_of(
        TableColumn("thing"),
        "thing_lists",
        "names of entities and sources, and their links to several others",
        *(TableColumn("field"), _POSITION, TableColumn("value")),
        TableColumn("when", about="words that decide an ambiguous name, as JSON"),
        key="field position",
    ),
    _list_of(
        TableColumn("whole", refers=("entities", "id")),
        "parts",
        "what a whole holds",
        *(_POSITION, TableColumn("part"), TableColumn("count", "integer"), TableColumn("claim")),
    ),
)
TABLES: Final = {one.name: one for one in _ALL}
"""All tables by name, in the order in which they are written."""
