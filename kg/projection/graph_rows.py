"""Records and derived records as nodes and relationships of the property graph, written from their declarations.

The rows know no store: `Ladybug` loads them in bulk, servers merge them, exports write them to files. A node that is only
referred to (a claim that is not in the ledger, a thing outside the registry) gets a row without properties, so that no
relationship is lost.
What is derived for a claim (advice, mentions) comes as further properties of the same node.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from kg.model.conditions import condition_value, condition_word, conditions_text
from kg.model.derived import Deriver, Keys
from kg.model.derived_records import DerivedRecord
from kg.model.identifiers import conditions_id, is_entity_id, passage_id, snapshot_id
from kg.model.json_types import JsonMapping
from kg.model.kinds import DERIVED, META, NAME
from kg.model.ledger_records import LedgerRecord
from kg.model.names import Name
from kg.model.record import Claim, Entity, Part, Source, default_values
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement
from kg.model.recorded import ClaimRecord, ConditionsRecord, DerivationRecord, QuantityRecord, ThingRecord
from kg.model.terms import Inner, Link, Prop, declared
from kg.model.view_stamp import ViewStamp
from kg.projection.graph_schema import TABLES, TEXT_TWINS, field_properties
from kg.projection.keys import key_properties
from kg.projection.measures import vocabulary_records
from kg.projection.node_names import relationship_of
from kg.projection.node_rows import node_properties, node_rows_of
from kg.projection.rows import EdgeRow, NodeRow, Properties, Row
from kg.projection.targets import TABLES_OF, thing_table

_NOTHING: Final[Properties] = {}


class _Fields:
    """What the fields of one record class become: properties and relationships."""

    def __init__(self, cls: type[Record]) -> None:
        self.table = TABLES.get(cls, "Claim")
        self.props: list[tuple[str, Callable[[Any, Properties], None]]] = []
        self.links: list[tuple[str, Callable[[str], tuple[str, str]], str]] = []
        many = {one.name for one in field_properties(cls) if one.many}
        for name, projection in declared(cls):
            if name == "id" or not isinstance(projection, Prop | Link):
                continue
            link = projection if isinstance(projection, Link) else None
            self.props.append(
                (name, _setter(name, projection, name in many, f"{name}s" in many - set(cls.model_fields)))
            )
            if link is not None:
                self.links.append((name, _target(link), link.relationship))
        self.defaults = [(name, default) for name, _, default in default_values(cls)]

    def properties(self, record: Mapping[str, object]) -> Properties:
        """The properties of a node."""
        found: Properties = {}
        for name, put in self.props:
            value = record.get(name)
            if value is not None:
                put(value, found)
        for name, default in self.defaults:
            if record.get(name) is None:
                found[name] = default
        return found

    def edges(self, record: JsonMapping, uid: str) -> Iterator[EdgeRow]:
        """The relationships of a node; two fields of one meaning give each once."""
        # `subject` and `subjects` lead to the same things by one relationship.
        seen: set[tuple[str, str]] = set()
        for name, target, relationship in self.links:
            value = record.get(name)
            if value is None:
                continue
            for one in value if isinstance(value, list) else (value,):
                table, to = target(one)
                if (relationship, to) not in seen:
                    seen.add((relationship, to))
                    yield EdgeRow(relationship, self.table, uid, table, to, _NOTHING)


def _setter(name: str, projection: Prop | Link, is_list: bool, has_plural: bool) -> Callable[[Any, Properties], None]:
    """How a value is put among the properties: as it is, as a list, or as both."""
    kind = projection.datatype if isinstance(projection, Prop) else "string"
    plain: Callable[[Any], Any] = {"double": float, "integer": int, "boolean": bool}.get(kind, str)
    if isinstance(projection, Link) and projection.target in ("metric", "unit"):
        prefix = f"{projection.target}/"

        def put_prefixed(value: Any, found: Properties) -> None:
            found[name] = prefix + value

        return put_prefixed
    if has_plural:

        def put_both(value: object, found: Properties) -> None:
            several = list(dict.fromkeys(plain(one) for one in (value if isinstance(value, list) else (value,))))
            found[name] = ", ".join(value) if kind == "string" and isinstance(value, list) else several[0]
            found[f"{name}s"] = several

        return put_both
    if is_list:
        between = TEXT_TWINS.get(name)

        def put_list(value: Any, found: Properties) -> None:
            if value:
                found[name] = [plain(one) for one in value]
                if between is not None:
                    found[f"{name}_text"] = between.join(value)

        return put_list

    def put(value: object, found: Properties) -> None:
        found[name] = plain(value)

    return put


def _target(link: Link) -> Callable[[str], tuple[str, str]]:
    to = TABLES_OF[link.target]
    if len(to) > 1:
        return lambda name: (thing_table(name), name)
    table = to[0]
    prefix = "" if link.target == "claim" else f"{link.target}/"
    return lambda name: (table, prefix + name)


_CLASSES: Final[tuple[type[Record], ...]] = (*TABLES, Quantity)
_FIELDS: Final = {cls: _Fields(cls) for cls in _CLASSES}
_INNER: Final = {
    (cls, name): relationship_of(projection)
    for cls in TABLES
    for name, projection in declared(cls)
    if isinstance(projection, Inner)
}


class RowWriter:
    """Turns recorded forms into rows; conditions, passages and the like, which records share, come once each."""

    def __init__(self, deriver: Deriver) -> None:
        self._deriver = deriver
        self._conditions: dict[int, str] = {}
        self._shared: set[str] = set()

    def record(self, record: LedgerRecord) -> Iterator[Row]:
        """The rows of one claim, entity or source; other records have none."""
        if record["record"] == "claim":
            yield from self._claim(record)
        elif record["record"] == "entity" or record["record"] == "source":
            yield from self._thing(record, Entity if record["record"] == "entity" else Source)

    def _node(
        self, cls: type[Record], uid: str, record: Mapping[str, object], further: Properties | None = None
    ) -> Iterator[Row]:
        fields = _FIELDS[cls]
        yield NodeRow(fields.table, uid, {**fields.properties(record), **(further or {})})
        yield from fields.edges(record, uid)

    def _once(self, table: str, uid: str, properties: Properties) -> Iterator[Row]:
        if uid not in self._shared:
            self._shared.add(uid)
            yield NodeRow(table, uid, properties)

    def _thing(self, record: ThingRecord, cls: type[Record]) -> Iterator[Row]:
        uid, table = record["id"], TABLES[cls]
        yield from self._node(cls, uid, record, {"revision": record["revision"]} if "revision" in record else None)
        whole: dict[str, int] = {}
        for part in record.get("parts") or ():
            inner = f"{uid}#part-{part['part'].replace('/', '-')}"
            yield from self._node(Part, inner, part)
            yield EdgeRow(_INNER[Entity, "parts"], table, uid, "Composition", inner, _NOTHING)
            # CONTAINS has no key: of two entries of one part the first is the relationship.
            whole.setdefault(part["part"], part["count"])
        for name, count in whole.items():
            yield EdgeRow("CONTAINS", table, uid, thing_table(name), name, {"count": count})
        if cls is Source and record.get("sha256"):
            snapshot = snapshot_id(record["sha256"], record.get("document"))
            yield from self._once("Snapshot", snapshot, {"sha256": record["sha256"]})
            yield EdgeRow("OF_SOURCE", "Snapshot", snapshot, table, uid, _NOTHING)

    def _claim(self, record: ClaimRecord) -> Iterator[Row]:
        uid = record["id"]
        fields = _FIELDS[Claim]
        found = fields.properties(record)
        keys = self._deriver.keys(record)
        found.update(key_properties(keys))
        under = {"conditions": record.get("conditions"), "baseline_conditions": record.get("baseline_conditions")}
        for name, given in under.items():
            if given:
                found[f"{name}_text"] = conditions_text(given)
        if "revision" in record:
            found["revision"] = record["revision"]
        quantity = record.get("quantity")
        if quantity:
            found.update(_FIELDS[Quantity].properties(quantity))
            found["quantity_form"] = quantity_form(quantity)
        # First of the rows of a claim: `kg.build.property_graph` holds it back until what was concluded of the
        # claim is known.
        yield NodeRow("Claim", uid, found)
        yield from fields.edges(record, uid)
        if quantity:
            yield from _FIELDS[Quantity].edges(quantity, uid)
        yield from self._keys(uid, keys)
        yield from self._passage(record)
        for name, given in under.items():
            if given:
                yield from self._under(uid, given, _INNER[Claim, name])
        if record.get("event"):
            yield from self._node(Event, f"{uid}#event", record["event"])
            yield EdgeRow(_INNER[Claim, "event"], "Claim", uid, "Event", f"{uid}#event", _NOTHING)
        for position, one in enumerate(record.get("restates") or (), 1):
            inner = f"{uid}#restatement-{position}"
            yield from self._node(Restatement, inner, one)
            yield EdgeRow(_INNER[Claim, "restates"], "Claim", uid, "Restatement", inner, _NOTHING)
        for position, derivation in enumerate(record.get("derivations") or (), 1):
            yield from self._derivation(uid, f"{uid}#derivation-{position}", derivation)

    def _keys(self, uid: str, keys: Keys) -> Iterator[Row]:
        statement = f"statement/{keys.statement}"
        yield from self._once("Statement", statement, {"key": keys.statement})
        yield EdgeRow("OF_STATEMENT", "Claim", uid, "Statement", statement, _NOTHING)
        for one in keys.buckets:
            bucket = f"bucket/{one}"
            yield from self._once("Bucket", bucket, {"bucket": one})
            yield EdgeRow("IN_BUCKET", "Claim", uid, "Bucket", bucket, _NOTHING)

    def _passage(self, record: ClaimRecord) -> Iterator[Row]:
        anchor = record["anchor"]
        place = passage_id(record["source"], anchor)
        yield EdgeRow(_INNER[Claim, "anchor"], "Claim", record["id"], "Passage", place, _NOTHING)
        # The first claim at a passage describes it; unlike triples a row has one value for each cell.
        if place in self._shared:
            return
        yield from self._once("Passage", place, _FIELDS[Anchor].properties(anchor))
        if "sha256" in anchor:
            snapshot = snapshot_id(anchor["sha256"], anchor.get("document"))
            yield EdgeRow("IN_SNAPSHOT", "Passage", place, "Snapshot", snapshot, _NOTHING)
        else:
            source = record["source"]
            yield EdgeRow("OF_SOURCE", "Passage", place, thing_table(source), source, _NOTHING)

    def _under(self, uid: str, given: ConditionsRecord, relationship: str) -> Iterator[Row]:
        node = conditions_id(given)
        yield EdgeRow(relationship, "Claim", uid, "Conditions", node, _NOTHING)
        if node in self._shared:
            return
        found: Properties = {"text": conditions_text(given)}
        linked: dict[tuple[str, str], None] = {}
        for name, one in given.items():
            value = condition_value(one)
            if isinstance(one, Mapping):
                status = one.get("status", "stated")
                if status != "stated":
                    found[f"{name}_status"] = status
            values = value if isinstance(value, list) else [] if value is None else [value]
            if values:
                found[name] = list(dict.fromkeys(condition_word(each) for each in values))
            for each in values:
                if is_entity_id(each):
                    linked[name, each] = None
        yield from self._once("Conditions", node, found)
        for name, each in linked:
            yield EdgeRow("CONDITION", "Conditions", node, thing_table(each), each, {"name": name})

    def _derivation(self, uid: str, node: str, given: DerivationRecord) -> Iterator[Row]:
        yield from self._node(Derivation, node, given)
        yield EdgeRow(_INNER[Claim, "derivations"], "Claim", uid, "Derivation", node, _NOTHING)
        for name, used in given["inputs"].items():
            yield from self._node(DerivationInput, f"{node}-{name}", used, {"name": name})
            yield EdgeRow(_INNER[Derivation, "inputs"], "Derivation", node, "Usage", f"{node}-{name}", _NOTHING)


def quantity_form(quantity: QuantityRecord) -> str:
    """What a figure is: value, term, date, set or absent.

    >>> quantity_form({"value": 0, "unit": "1"}), quantity_form({"absent": True})
    ('value', 'absent')
    """
    # 0 is a value; `absent: false` says nothing
    return next(
        one
        for one in ("value", "term", "date", "set", "absent")
        if quantity.get(one) is not None and quantity.get(one) is not False
    )


def derived_rows(records: Iterable[DerivedRecord]) -> Iterator[Row]:
    """The rows of derived records, in the order of the derived set.

    Advice and counts come as rows of the table `Claim` with further properties: to be merged into the node. A step that
    two chains of one claim share comes once.
    """
    steps: set[str] = set()
    for record in records:
        kind = DERIVED[record["record"]]
        if record["record"] == "step":
            if (uid := kind.uid(record)) in steps:
                continue
            steps.add(uid)
        yield from node_rows_of(kind, record)


def claim_extras(records: Iterable[DerivedRecord]) -> dict[str, Properties]:
    """What the derived set adds to each claim, for a store that is loaded in one go."""
    found: dict[str, Properties] = {}
    for record in records:
        if record["record"] in ("advice", "origins"):
            found.setdefault(record["claim"], {}).update(node_properties(DERIVED[record["record"]], record))
    return found


def name_rows(names: Iterable[Name]) -> Iterator[Row]:
    """The rows of names: the id is the key itself, so that a name is found without a search."""
    for name in names:
        yield from node_rows_of(NAME, {"key": name.key, "names": name.names, "covers": name.covers})


def vocabulary_rows(
    metrics: Mapping[str, Mapping[str, object]], units: Mapping[str, Mapping[str, Mapping[str, object]]]
) -> Iterator[Row]:
    """The rows of metrics, kinds of quantity and units."""
    for kind, record in vocabulary_records(metrics, units):
        yield from node_rows_of(kind, record)


def meta_row(stamp: ViewStamp, claims: int) -> NodeRow:
    """The node that says what the graph was made from."""
    return NodeRow("Meta", "meta", node_properties(META, {**stamp, "claims": claims, "state": "complete"}))


class NamedOnly:
    """Finds the nodes that relationships lead to and no row describes."""

    def __init__(self) -> None:
        self._described: dict[str, set[str]] = {}
        self._named: dict[str, dict[str, None]] = {}

    def watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows."""
        for row in rows:
            if isinstance(row, NodeRow):
                self._described.setdefault(row.table, set()).add(row.uid)
            else:
                self._named.setdefault(row.from_table, {})[row.from_uid] = None
                self._named.setdefault(row.to_table, {})[row.to_uid] = None
            yield row

    def rows(self) -> Iterator[NodeRow]:
        """A row without properties for each node that was only named."""
        for table in sorted(self._named):
            described = self._described.get(table, set())
            for uid in self._named[table]:
                if uid not in described:
                    yield NodeRow(table, uid, {})
