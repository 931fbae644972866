"""Records and derived records as nodes and relationships of the property graph, written from their declarations.

The rows know no store: `Ladybug` loads them in bulk, servers merge them, exports write them to files. A node that is only
named (a claim nobody holds, a thing outside the registry) gets a row without properties, so that no relationship is lost.
What is derived for a claim (advice, mentions) comes as further properties of the same node.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from kg.model.conditions import condition_word, conditions_text
from kg.model.derived import Deriver, Keys
from kg.model.identifiers import conditions_id, is_entity_id, passage_id, short_hash
from kg.model.names import Name
from kg.model.record import (
    Anchor,
    Claim,
    Derivation,
    DerivationInput,
    Entity,
    Event,
    Part,
    Quantity,
    Record,
    Restatement,
    Source,
)
from kg.model.terms import Inner, Link, Prop, declared, default_values
from kg.model.vocabulary import FINDING_CLASS
from kg.projection.graph_schema import (
    DERIVED_LINKS,
    TABLES,
    TEXT_TWINS,
    field_properties,
    inner_relationship,
    targets,
    thing_table,
)

Json = Mapping[str, Any]
Properties = dict[str, Any]


class NodeRow(NamedTuple):
    """A node: its table, its `uid`, and the properties that are known; what is left out is not known."""

    table: str
    uid: str
    properties: Properties


class EdgeRow(NamedTuple):
    """A relationship with the tables and ids of its ends."""

    type: str
    from_table: str
    from_uid: str
    to_table: str
    to_uid: str
    properties: Properties


Row = NodeRow | EdgeRow
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

    def properties(self, record: Json) -> Properties:
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

    def edges(self, record: Json, uid: str) -> Iterator[EdgeRow]:
        """The relationships of a node; two fields of one meaning give each once."""
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

        def put_both(value: Any, found: Properties) -> None:
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

    def put(value: Any, found: Properties) -> None:
        found[name] = plain(value)

    return put


def _target(link: Link) -> Callable[[str], tuple[str, str]]:
    to = targets(link)
    if len(to) > 1:
        return lambda name: (thing_table(name), name)
    table = to[0]
    prefix = "" if link.target == "claim" else f"{link.target}/"
    return lambda name: (table, prefix + name)


_CLASSES: Final[tuple[type[Record], ...]] = (*TABLES, Quantity)
_FIELDS: Final = {cls: _Fields(cls) for cls in _CLASSES}
_INNER: Final = {
    (cls, name): inner_relationship(projection)
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

    def record(self, record: Json) -> Iterator[Row]:
        """The rows of one claim, entity or source; other records have none."""
        kind = record["record"]
        if kind == "claim":
            yield from self._claim(record)
        elif kind in ("entity", "source"):
            yield from self._thing(record, Entity if kind == "entity" else Source)

    def _node(self, cls: type[Record], uid: str, record: Json, further: Properties | None = None) -> Iterator[Row]:
        fields = _FIELDS[cls]
        yield NodeRow(fields.table, uid, {**fields.properties(record), **(further or {})})
        yield from fields.edges(record, uid)

    def _once(self, table: str, uid: str, properties: Properties) -> Iterator[Row]:
        if uid not in self._shared:
            self._shared.add(uid)
            yield NodeRow(table, uid, properties)

    def _thing(self, record: Json, cls: type[Record]) -> Iterator[Row]:
        uid, table = record["id"], TABLES[cls]
        yield from self._node(cls, uid, record, {"revision": record["revision"]} if "revision" in record else None)
        whole: dict[str, int] = {}
        for part in record.get("parts") or ():
            inner = f"{uid}#part-{part['part'].replace('/', '-')}"
            yield from self._node(Part, inner, part)
            yield EdgeRow(_INNER[Entity, "parts"], table, uid, "Composition", inner, _NOTHING)
            whole.setdefault(part["part"], part["count"])
        for name, count in whole.items():
            yield EdgeRow("CONTAINS", table, uid, thing_table(name), name, {"count": count})
        if cls is Source and record.get("sha256"):
            snapshot = f"snapshot/{record['sha256']}"
            yield from self._once("Snapshot", snapshot, {"sha256": record["sha256"]})
            yield EdgeRow("OF_SOURCE", "Snapshot", snapshot, table, uid, _NOTHING)

    def _claim(self, record: Json) -> Iterator[Row]:
        uid = record["id"]
        fields = _FIELDS[Claim]
        found = fields.properties(record)
        keys = self._deriver.keys(record)
        found.update(_key_properties(keys))
        for name in ("conditions", "baseline_conditions"):
            if record.get(name):
                found[f"{name}_text"] = conditions_text(record[name])
        if "revision" in record:
            found["revision"] = record["revision"]
        quantity = record.get("quantity")
        if quantity:
            found.update(_FIELDS[Quantity].properties(quantity))
            found["quantity_form"] = quantity_form(quantity)
        yield NodeRow("Claim", uid, found)
        yield from fields.edges(record, uid)
        if quantity:
            yield from _FIELDS[Quantity].edges(quantity, uid)
        yield from self._keys(uid, keys)
        yield from self._passage(record)
        for name in ("conditions", "baseline_conditions"):
            if record.get(name):
                yield from self._under(uid, record[name], _INNER[Claim, name])
        if record.get("event"):
            yield from self._node(Event, f"{uid}#event", record["event"])
            yield EdgeRow(_INNER[Claim, "event"], "Claim", uid, "Event", f"{uid}#event", _NOTHING)
        for position, one in enumerate(record.get("restates") or (), 1):
            inner = f"{uid}#restatement-{position}"
            yield from self._node(Restatement, inner, one)
            yield EdgeRow(_INNER[Claim, "restates"], "Claim", uid, "Restatement", inner, _NOTHING)
        for position, one in enumerate(record.get("derivations") or (), 1):
            yield from self._derivation(uid, f"{uid}#derivation-{position}", one)

    def _keys(self, uid: str, keys: Keys) -> Iterator[Row]:
        statement = f"statement/{keys.statement}"
        yield from self._once("Statement", statement, {"key": keys.statement})
        yield EdgeRow("OF_STATEMENT", "Claim", uid, "Statement", statement, _NOTHING)
        for one in keys.buckets:
            bucket = f"bucket/{one}"
            yield from self._once("Bucket", bucket, {"bucket": one})
            yield EdgeRow("IN_BUCKET", "Claim", uid, "Bucket", bucket, _NOTHING)

    def _passage(self, record: Json) -> Iterator[Row]:
        anchor = record["anchor"]
        place = passage_id(record["source"], anchor)
        yield EdgeRow(_INNER[Claim, "anchor"], "Claim", record["id"], "Passage", place, _NOTHING)
        if place in self._shared:
            return
        yield from self._once("Passage", place, _FIELDS[Anchor].properties(anchor))
        if "sha256" in anchor:
            yield EdgeRow("IN_SNAPSHOT", "Passage", place, "Snapshot", f"snapshot/{anchor['sha256']}", _NOTHING)
        else:
            source = record["source"]
            yield EdgeRow("OF_SOURCE", "Passage", place, thing_table(source), source, _NOTHING)

    def _under(self, uid: str, given: Json, relationship: str) -> Iterator[Row]:
        node = conditions_id(given)
        yield EdgeRow(relationship, "Claim", uid, "Conditions", node, _NOTHING)
        if node in self._shared:
            return
        found: Properties = {"text": conditions_text(given)}
        linked: dict[tuple[str, str], None] = {}
        for name, one in given.items():
            value, status = one, "stated"
            if isinstance(one, Mapping):
                value, status = one.get("value"), one.get("status", "stated")
                if status != "stated":
                    found[f"{name}_status"] = status
            values = [each for each in (value if isinstance(value, list) else (value,)) if each is not None]
            if values:
                found[name] = list(dict.fromkeys(condition_word(each) for each in values))
            for each in values:
                if is_entity_id(each):
                    linked[name, each] = None
        yield from self._once("Conditions", node, found)
        for name, each in linked:
            yield EdgeRow("CONDITION", "Conditions", node, thing_table(each), each, {"name": name})

    def _derivation(self, uid: str, node: str, given: Json) -> Iterator[Row]:
        yield from self._node(Derivation, node, given)
        yield EdgeRow(_INNER[Claim, "derivations"], "Claim", uid, "Derivation", node, _NOTHING)
        for name, used in given["inputs"].items():
            yield from self._node(DerivationInput, f"{node}-{name}", used, {"name": name})
            yield EdgeRow(_INNER[Derivation, "inputs"], "Derivation", node, "Usage", f"{node}-{name}", _NOTHING)


def quantity_form(quantity: Json) -> str:
    """What a figure is: value, term, date, set or absent.

    >>> quantity_form({"value": 0, "unit": "1"}), quantity_form({"absent": True})
    ('value', 'absent')
    """
    return next(
        one for one in ("value", "term", "date", "set", "absent")
        if quantity.get(one) is not None and quantity.get(one) is not False
    )  # fmt: skip


def _key_properties(keys: Keys) -> Properties:
    found: Properties = {"statement_key": keys.statement, "status": "current"}
    if keys.buckets:
        found["value_buckets"] = list(keys.buckets)
    given = keys.canonical
    if given is not None:
        found["canonical_value"] = float(given.value)
        for name, end in (("canonical_lower", given.lower), ("canonical_upper", given.upper)):
            if end is not None:
                found[name] = float(end)
        found["canonical_unit"], found["quantity_kind"] = given.unit, given.kind
    return found


_ADVICE: Final = {"use": "use", "use_reason": "reason", "use_value": "value"}


def derived_rows(records: Iterable[Json]) -> Iterator[Row]:
    """The rows of derived records, in the order of the derived set.

    Advice and mentions come as rows of the table `Claim` with further properties: to be merged into the node. A step that
    two chains of one claim share comes once.
    """
    steps: set[str] = set()
    for record in records:
        kind = record["record"]
        if kind == "step":
            yield from _step(record, steps)
        elif kind == "finding":
            yield from _finding(record)
        elif kind == "echo":
            yield from _echo(record)
        elif kind == "measured":
            yield from _measured(record)
        elif kind in ("advice", "origins"):
            yield NodeRow("Claim", record["claim"], _claim_extra(record))


def claim_extras(records: Iterable[Json]) -> dict[str, Properties]:
    """What the derived set adds to each claim, for a store that is loaded in one go."""
    found: dict[str, Properties] = {}
    for record in records:
        if record["record"] in ("advice", "origins"):
            found.setdefault(record["claim"], {}).update(_claim_extra(record))
    return found


def _claim_extra(record: Json) -> Properties:
    if record["record"] == "advice":
        return {name: record[key] for name, key in _ADVICE.items() if record.get(key)}
    found: Properties = {"mentions": record["mentions"], "origins": record["origins"]}
    return {**found, "end_states": record["end_states"]} if record["end_states"] else found


def _step(record: Json, known: set[str]) -> Iterator[Row]:
    claim, reaches = record["claim"], record["reaches"]
    key = short_hash([claim, record["hop"], reaches, record["via"], record["fidelity"]])
    if key in known:
        return
    known.add(key)
    uid = f"step/{key}"
    found = {
        name: record[name]
        for name in ("hop", "claim", "reaches", "via", "fidelity", "end_state")
        if record[name] is not None
    }
    yield NodeRow("TraceStep", uid, found)
    yield EdgeRow("STEP_OF", "TraceStep", uid, "Claim", claim, _NOTHING)
    yield EdgeRow(
        "REACHES", "TraceStep", uid, "Claim" if record["is_claim"] else thing_table(reaches), reaches, _NOTHING
    )


def _subject(name: str) -> tuple[str, str]:
    """A finding is about a claim, or about a text as a whole."""
    return ("Source" if name.startswith(("source/", "unresolved/")) else "Claim"), name


def _finding(record: Json) -> Iterator[Row]:
    uid = record["id"]
    table, about = _subject(record["claims"][0]["claim"])
    found: Properties = {
        "kind": finding_kind(record["code"]), "rule_version": record["rule_version"], "about": about,
        **{name: record[name] for name in ("code", "severity", "verdict", "message", "basis", "reference") if record[name] is not None},
    }  # fmt: skip
    if record["missing"]:
        found["missing"] = list(record["missing"])
    for name in ("computed", "corrected"):
        amount = record[name]
        if amount:
            found[f"{name}_value"] = amount["value"]
            if amount["unit"]:
                found[f"{name}_unit"] = amount["unit"]
    edges = [EdgeRow("ABOUT", "Finding", uid, table, about, _NOTHING)]
    if record["derivation"] is not None:
        found["derivation"] = f"{about}#derivation-{record['derivation']}"
        edges.append(EdgeRow("OF_DERIVATION", "Finding", uid, "Derivation", found["derivation"], _NOTHING))
    yield NodeRow("Finding", uid, found)
    yield from edges
    for rank, one in enumerate(record["explanations"], 1):
        inner = f"{uid}#explanation-{rank}"
        told = {"rank": rank, "code": one["code"], "message": one["text"]}
        if one["corrected"] is not None:
            told["corrected_value"] = one["corrected"]
        yield NodeRow("Explanation", inner, told)
        yield EdgeRow("HAS_EXPLANATION", "Finding", uid, "Explanation", inner, _NOTHING)
    for position, other in enumerate(record["claims"][1:], 1):
        inner = f"{uid}#role-{position}"
        yield NodeRow("Role", inner, {"name": other["role"], "involves": other["claim"]})
        yield EdgeRow("HAS_ROLE", "Finding", uid, "Role", inner, _NOTHING)
        yield EdgeRow("INVOLVES", "Role", inner, *_subject(other["claim"]), _NOTHING)


def finding_kind(code: str) -> str:
    """The kind of a finding, as its class says.

    >>> finding_kind("arithmetic.inconsistent"), finding_kind("opposition.words"), finding_kind("whole.parts")
    ('arithmetic', 'conflict', 'arithmetic')
    """
    return FINDING_CLASS[code.partition(".")[0]].removeprefix("k:").removesuffix("Finding").lower()


def _echo(record: Json) -> Iterator[Row]:
    uid = record["id"]
    yield NodeRow("EchoCluster", uid, {name: record[name] for name in ("echo_of", "mentions", "origins")})
    yield EdgeRow("ECHO_OF", "EchoCluster", uid, "Claim", record["echo_of"], _NOTHING)
    for one in record["members"]:
        yield EdgeRow("IN_CLUSTER", "Claim", one, "EchoCluster", uid, _NOTHING)


def _measured(record: Json) -> Iterator[Row]:
    uid = record["id"]
    yield NodeRow("DerivedResult", uid, {name: value for name, value in record.items() if name not in ("record", "id")})
    for name, (relationship, target) in DERIVED_LINKS.items():
        if name in record:
            table = "Claim" if target == "claim" else thing_table(record[name])
            yield EdgeRow(relationship, "DerivedResult", uid, table, record[name], _NOTHING)


def name_rows(names: Iterable[Name]) -> Iterator[Row]:
    """The rows of names: the id is the key itself, so that a name is found without a search."""
    for name in names:
        uid = f"name/{name.key}"
        yield NodeRow("Name", uid, {"key": name.key})
        for relationship, things in (("NAMES", name.names), ("COVERS", name.covers)):
            for one in things:
                yield EdgeRow(relationship, "Name", uid, thing_table(one), one, _NOTHING)


def metric_rows(metrics: Mapping[str, Json]) -> Iterator[Row]:
    """The rows of the metrics."""
    for name, given in metrics.items():
        uid = f"metric/{name}"
        told = {key: str(given[key]) for key in ("label", "definition", "example")}
        yield NodeRow("Metric", uid, {"name": name, "better": given["direction"], **told})
        for kind in given["kinds"]:
            yield EdgeRow("OF_KIND", "Metric", uid, "QuantityKind", f"quantity-kind/{kind}", _NOTHING)


def unit_rows(units: Mapping[str, Mapping[str, Json]]) -> Iterator[Row]:
    """The rows of quantity kinds and units."""
    for name, given in units["kinds"].items():
        uid = f"quantity-kind/{name}"
        yield NodeRow("QuantityKind", uid, {"name": name, "label": str(given["label"])})
        yield EdgeRow("KIND_UNIT", "QuantityKind", uid, "Unit", f"unit/{given['canonical']}", _NOTHING)
    for name, given in units["units"].items():
        uid = f"unit/{name}"
        found: Properties = {"name": name, "factor": str(given["factor"])}
        if "note" in given:
            found["note"] = str(given["note"])
        if given.get("names"):
            found["aliases"] = [str(one) for one in given["names"]]
        yield NodeRow("Unit", uid, found)
        yield EdgeRow("OF_KIND", "Unit", uid, "QuantityKind", f"quantity-kind/{given['kind']}", _NOTHING)


def meta_row(stamp: Json, claims: int) -> NodeRow:
    """The node that says what the graph was made from."""
    told = {name: str(stamp[name]) for name in ("head", "content", "version", "fingerprint") if name in stamp}
    return NodeRow("Meta", "meta", {**told, "rules": int(stamp["rules"]), "claims": claims, "state": "complete"})


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


def node_rows(rows: Iterable[Row]) -> Iterator[NodeRow]:
    """The nodes among rows."""
    return (row for row in rows if isinstance(row, NodeRow))


def edge_rows(rows: Iterable[Row]) -> Iterator[EdgeRow]:
    """The relationships among rows."""
    return (row for row in rows if isinstance(row, EdgeRow))
