"""The rows of the tables: what one record of the exchange form gives to each of them."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from kg.export.tables import CLAIM_STATE, Cell, list_fields, scalar_fields
from kg.model.json_types import JsonMapping
from kg.model.record import Claim, Entity, Source
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement

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
    for name, _, pair in scalar_fields(cls):
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
    lists = [(field, record.get(field)) for field in list_fields(Claim)]
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
    """The cells of the columns of `claims`, in their order."""
    yield record["id"]
    yield from (record.get(one.name) for one in CLAIM_STATE)
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
    # One value or a list of them, each a row; `value` of a condition with a status may be missing:
    # its row says so.
    for position, value in enumerate(given if isinstance(given, list) else [given], 1):
        kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"
        shown = None if value is None else str(value).lower() if kind == "boolean" else str(value)
        yield "claim_conditions", (claim, side, name, position, shown, kind, *detail)


def _finding_rows(record: JsonMapping) -> Iterator[Row]:
    name, computed, corrected = record["id"], record["computed"] or _NO_JSON, record["corrected"] or _NO_JSON
    yield (
        "findings",
        (
            *(record[field] for field in ("id", "code", "severity", "verdict", "message")),
            record["claims"][0]["claim"],
            record["derivation"],
            *(computed.get("value"), computed.get("unit")),
            *(corrected.get(field) for field in ("value", "unit", "approximate")),
            "; ".join(record["missing"]) or None,
            *(record[field] for field in ("basis", "reference", "rule_version")),
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
    for field in list_fields(cls):
        for position, value in enumerate(record.get(field) or (), 1):
            yield "thing_lists", (name, field, position, value, None)
    for position, one in enumerate(record.get("context_aliases") or (), 1):
        yield (
            "thing_lists",
            (name, "context_aliases", position, one["name"], json.dumps(one["when"], ensure_ascii=False)),
        )
    for position, part in enumerate(record.get("parts") or (), 1):
        yield "parts", (name, position, part["part"], part["count"], part.get("claim"))
