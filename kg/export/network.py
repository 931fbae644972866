"""Claims, entities and sources as the nodes of a network, and what joins them as its edges.

Nodes and their properties come from the declarations next to the fields; values are texts, numbers and truth values only,
since graph files know no lists. What is a list is one text, its parts divided by `; `.
"""

from array import array
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from kg.model.claim_label import claim_label
from kg.model.conditions import condition_value, conditions_text
from kg.model.derived import Keys
from kg.model.identifiers import is_entity_id
from kg.model.ledger_records import CurrentRecord
from kg.model.record import Claim, Entity, Source
from kg.model.record_parts import Quantity, Record
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.terms import Link, Prop, declared

Value = str | int | float | bool
Type = Literal["string", "double", "integer", "boolean"]


class Node(NamedTuple):
    """A node; `properties` has `record`, `label` and what the record says of itself."""

    id: str
    properties: dict[str, Value]


class Edge(NamedTuple):
    """A directed edge; `role` tells edges of one type apart: the name of an input, the condition, the fidelity."""

    source: str
    target: str
    type: str
    role: str | None = None
    amount: int | None = None


_RECORDS: Final[dict[str, type[Record]]] = {"claim": Claim, "entity": Entity, "source": Source}
_FIRST: Final[dict[str, Type]] = {"record": "string", "label": "string"}
_DERIVED: Final[dict[str, Type]] = {
    "value_high": "double",
    "canonical_value": "double",
    "canonical_lower": "double",
    "canonical_upper": "double",
    "canonical_unit": "string",
    "statement_key": "string",
    "conditions": "string",
    "baseline_conditions": "string",
    "verdict": "string",
}
EDGE_PROPERTIES: Final[dict[str, Type]] = {"type": "string", "role": "string", "count": "integer"}
_IN_WORDS: Final = ("metric", "unit")
"""Links to these are properties: a metric that half of all claims share joins nothing."""


@cache
def _fields(cls: type[Record]) -> tuple[tuple[str, Type, bool], ...]:
    """The plain properties of a class: name, type, and whether a list is made one text."""
    found: list[tuple[str, Type, bool]] = []
    for name, one in declared(cls):
        if name in ("id", "label"):
            continue
        if isinstance(one, Prop):
            found.append((name, "string" if one.datatype == "date" else one.datatype, True))
        elif isinstance(one, Link) and one.target in _IN_WORDS:
            found.append((name, "string", True))
    return tuple(found)


@cache
def node_properties() -> dict[str, Type]:
    """All properties of nodes with their types; one name has one type in every class."""
    found = dict(_FIRST)
    for cls in (Claim, Quantity, Entity, Source):
        for name, kind, _ in _fields(cls):
            assert found.setdefault(name, kind) == kind, name
    return found | _DERIVED


def claim_node(record: ClaimRecord, keys: Keys | None = None, verdict: str | None = None) -> Node:
    """A claim with its figure; `keys` add the canonical value, `verdict` that of the audit.

    >>> claim_node({"record": "claim", "id": "x/a", "subject": "a/b", "metric": "price", "quantity":
    ...     {"printed": "$3", "value": 3, "unit": "USD"}}).properties["label"]
    'b: price $3'
    """
    properties = _plain(Claim, record, {"record": "claim", "label": claim_label(record)})
    quantity = record.get("quantity")
    if quantity:
        value = quantity.get("value")
        if isinstance(value, list):
            quantity = {**quantity, "value": value[0]}
            properties["value_high"] = float(value[1])
        _plain(Quantity, quantity, properties)
    for name in ("conditions", "baseline_conditions"):
        if record.get(name):
            properties[name] = conditions_text(record[name])
    if keys is not None:
        properties["statement_key"] = keys.statement
        if keys.canonical is not None:
            one = keys.canonical
            for name, given in (("value", one.value), ("lower", one.lower), ("upper", one.upper)):
                if given is not None:
                    properties[f"canonical_{name}"] = float(given)
            properties["canonical_unit"] = one.unit
    if verdict is not None:
        properties["verdict"] = verdict
    return Node(record["id"], properties)


def thing_node(record: ThingRecord) -> Node:
    """An entity or a source."""
    properties: dict[str, Value] = {"record": record["record"], "label": record["label"]}
    return Node(record["id"], _plain(_RECORDS[record["record"]], record, properties))


def _plain(cls: type[Record], record: Mapping[str, Any], into: dict[str, Value]) -> dict[str, Value]:
    for name, kind, joined in _fields(cls):
        value = record.get(name)
        if value is None:
            continue
        if isinstance(value, list) and joined:
            value = "; ".join(map(str, value))
        into[name] = float(value) if kind == "double" else value if kind != "string" else str(value)
    return into


def edge_types() -> tuple[str, ...]:
    """All types that an edge may have."""
    links = {link for cls in _RECORDS.values() for _, link in _links(cls)}
    return tuple(sorted({*links, "CONTAINS", "EVENT", "RESTATES", "USED", "UNDER", "BASELINE_UNDER"}))


def edges_of(record: CurrentRecord) -> Iterator[Edge]:
    """What leads from a record to others."""
    yield from _field_edges(record)
    if record["record"] != "claim":
        for part in record.get("parts") or ():
            yield Edge(record["id"], part["part"], "CONTAINS", amount=part["count"])
        return
    yield from _premise_edges(record)
    event = record.get("event", {})
    for role, name in (
        ("actor", event.get("actor")),
        ("operator", event.get("operator")),
        ("customer", event.get("customer")),
    ):
        if name is not None:
            yield Edge(record["id"], name, "EVENT", role)
    yield from _condition_edges(record)


def _field_edges(record: CurrentRecord) -> Iterator[Edge]:
    """Of fields that hold ids; `subjects` repeats the subject."""
    fields: Mapping[str, object] = record
    for field, link in _links(_RECORDS[record["record"]]):
        for one in _listed(fields.get(field)):
            if field != "subjects" or one != fields.get("subject"):
                yield Edge(record["id"], str(one), link)


def _premise_edges(record: ClaimRecord) -> Iterator[Edge]:
    """What a claim repeats, and what its figure is computed from."""
    for one in record.get("restates") or ():
        for target in (one.get("claim"), one.get("source")):
            if target is not None:
                yield Edge(record["id"], target, "RESTATES", one.get("fidelity", "unverified"))
    for derivation in record.get("derivations") or ():
        for role, used in derivation["inputs"].items():
            if "claim" in used:
                yield Edge(record["id"], used["claim"], "USED", role)


def _condition_edges(record: ClaimRecord) -> Iterator[Edge]:
    """To things that conditions name, such as the model that was run."""
    for given, kind in (
        (record.get("conditions", {}), "UNDER"),
        (record.get("baseline_conditions", {}), "BASELINE_UNDER"),
    ):
        for role, value in given.items():
            for one in _listed(condition_value(value)):
                if is_entity_id(one):
                    yield Edge(record["id"], one, kind, role)


def _listed(value: object) -> Sequence[object]:
    """One value or several, as a list."""
    return value if isinstance(value, list) else () if value is None else (value,)


@cache
def _links(cls: type[Record]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, one.relationship)
        for name, one in declared(cls)
        if isinstance(one, Link) and one.target in ("thing", "claim")
    )


class KnownIds(Container[str]):
    """Which ids there are, in eight bytes each: an edge to a node that is not there is left out.

    >>> known = KnownIds(["a", "b"])
    >>> "a" in known, "c" in known
    (True, False)
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._hashes = array("q", sorted(array("q", map(hash, ids))))

    def __contains__(self, name: object) -> bool:
        wanted = hash(name)
        at = bisect_left(self._hashes, wanted)
        return at < len(self._hashes) and self._hashes[at] == wanted


def known_edges(records: Iterable[CurrentRecord], known: Container[str]) -> Iterator[Edge]:
    """The edges of records, each once, between nodes that are there."""
    for record in records:
        seen: set[Edge] = set()
        for edge in edges_of(record):
            if edge.target in known and edge not in seen:
                seen.add(edge)
                yield edge
