"""The tables that records are written to: one row a record, lists in tables of their own. Columns come from declared fields.

Tables are for reading with other tools; the JSON Lines form is the one that loads again without loss.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Final, Literal, Union, get_args, get_origin

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


CLAIM_STATE: Final = (
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
    *CLAIM_STATE,
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
