"""The property graph: node tables, relationship types and their properties, from the declarations of `kg.model.record`.

A field is a property of its own name. A link is a relationship, and, where it leads to one node only, a property of the
field's name too, with the `uid` of that node: a row needs no hop for an id. What other records decide, such as a label,
is never copied. Each table is named like the class of the RDF view, each node has the short id of the RDF view as `uid`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

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
from kg.model.terms import Inner, Link, Prop, declared
from kg.model.vocabulary import CLAIM_CLASS, CONDITION_NAMES, ENTITY_CLASS

Kind = Literal["string", "double", "integer", "boolean"]
Properties = dict[str, Any]
NODE_LABEL: Final = "KgNode"
"""On a server every node of ours has this label beside its table's, and a `uid` that is unique under it."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a node or relationship; `many` is a list."""

    name: str
    kind: Kind = "string"
    many: bool = False


@dataclass(frozen=True, slots=True)
class NodeTable:
    """A base class: one table embedded, one label on a server. Every node has `uid` beside these properties."""

    name: str
    about: str
    properties: tuple[Property, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the properties, `uid` first."""
        return ("uid", *(one.name for one in self.properties))


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship type with the tables it joins; `key` are the properties that tell two between one pair apart."""

    type: str
    pairs: tuple[tuple[str, str], ...]
    properties: tuple[Property, ...] = ()
    key: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """All tables and relationship types, each sorted as they are to be made."""

    nodes: tuple[NodeTable, ...]
    relationships: tuple[Relationship, ...]

    def node(self, name: str) -> NodeTable:
        """A table by its name."""
        return next(one for one in self.nodes if one.name == name)

    def relationship(self, name: str) -> Relationship:
        """A relationship type by its name."""
        return next(one for one in self.relationships if one.type == name)


TABLES: Final[dict[type[Record], str]] = {
    Claim: "Claim", Entity: "Entity", Source: "Source", Anchor: "Passage", Restatement: "Restatement",
    Derivation: "Derivation", DerivationInput: "Usage", Event: "Event", Part: "Composition",
}  # fmt: skip
"""The table of each record class; a quantity lies inline on its claim."""
THINGS: Final = ("Entity", "Source")
"""Where the id of a thing may lead."""
TEXT_TWINS: Final = {"path": " > ", "alternatives": ", "}
"""Lists of a claim that are there once more as one text, with what stands between."""
_ABOUT: Final = {
    "Claim": "one statement by someone, with its figure, keys and advice", "Entity": "a thing claims are about",
    "Source": "a document, a data set, or a cited thing nobody opened", "Passage": "where a figure stands",
    "Restatement": "a claim repeats another claim or a source", "Derivation": "how a figure was computed",
    "Usage": "one input of a derivation", "Event": "who did what with whom, when", "Composition": "a whole holds a part",
}  # fmt: skip


def _texts(*names: str) -> tuple[Property, ...]:
    return tuple(Property(name) for name in names)


def _forms(annotation: Any) -> tuple[bool, bool]:
    """Whether a field may hold a single value, and whether it may hold a list."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _forms(get_args(annotation)[0])
    if origin in (Union, UnionType):
        found = [_forms(one) for one in get_args(annotation) if one is not type(None)]
        return any(one for one, _ in found), any(many for _, many in found)
    return (False, True) if origin is list else (True, False)


def field_properties(cls: type[Record]) -> Iterator[Property]:
    """The properties of a record class, in the order of its fields; a field of one value or several gives two."""
    for name, projection in declared(cls):
        if name == "id" or isinstance(projection, Inner):
            continue
        single, many = _forms(cls.model_fields[name].annotation)
        kind: Kind = "string"
        if isinstance(projection, Prop) and projection.datatype != "date":
            kind = projection.datatype
        if single:
            yield Property(name, kind)
        if many:
            yield Property(f"{name}s" if single else name, kind, many=True)
        if many and not single and name in TEXT_TWINS:
            yield Property(f"{name}_text")


def condition_properties() -> Iterator[Property]:
    """A list for each condition (ids, words, figures as text), and its standing where it is not plainly stated."""
    for name in sorted(CONDITION_NAMES):
        yield Property(name, many=True)
    for name in sorted(CONDITION_NAMES):
        yield Property(f"{name}_status")


_CLAIM_DERIVED: Final = (
    Property("revision"), Property("status"), Property("statement_key"), Property("value_buckets", many=True),
    Property("quantity_form"), Property("canonical_value", "double"), Property("canonical_lower", "double"),
    Property("canonical_upper", "double"), Property("canonical_unit"), Property("quantity_kind"),
    Property("conditions_text"), Property("baseline_conditions_text"), Property("use"), Property("use_reason"),
    Property("use_value"), Property("mentions", "integer"), Property("origins", "integer"),
    Property("end_states", many=True),
)  # fmt: skip
DERIVED_LINKS: Final[dict[str, tuple[str, str]]] = {
    "accelerator": ("OF_ACCELERATOR", "thing"), "against": ("AGAINST_ACCELERATOR", "thing"), "task": ("OF_TASK", "thing"),
    "model": ("OF_MODEL", "thing"), "scenario": ("OF_SCENARIO", "thing"), "round": ("OF_ROUND", "thing"),
    "previous_round": ("PREVIOUS_ROUND", "thing"), "submitter": ("SUBMITTED_BY", "thing"), "claim": ("RESULT_CLAIM", "claim"),
    "against_claim": ("AGAINST_CLAIM", "claim"), "previous_claim": ("PREVIOUS_CLAIM", "claim"),
    "price_claim": ("PRICE_CLAIM", "claim"), "power_claim": ("POWER_CLAIM", "claim"),
}  # fmt: skip
"""The links of a row derived from published results (`kg.audit.measured_rows`): field, relationship, where it leads."""
_DERIVED_RESULT: Final = (
    *_texts("kind", *DERIVED_LINKS, "category", "availability", "entry", "unit", "bound"),
    *(
        Property(name, "double")
        for name in ("value", "lower", "upper", "per_system", "inverse", "inverse_per_system", "change")
    ),
    *(Property(name, "integer") for name in ("accelerators", "against_accelerators", "results")),
)
_OWN_TABLES: Final = (
    NodeTable("Conditions", "what a figure holds under; nodes with the same content are one",
              (Property("text"), *condition_properties())),
    NodeTable("Snapshot", "the bytes of a source, by their digest", _texts("sha256")),
    NodeTable("Statement", "what claims are about: all claims with one statement key", _texts("key")),
    NodeTable("Bucket", "all figures of about one size: raw or of a quantity kind", _texts("bucket")),
    NodeTable("Name", "a name as it is compared, with what it names and what it covers", _texts("key")),
    NodeTable("Metric", "a base quantity", _texts("name", "label", "definition", "example", "better")),
    NodeTable("Unit", "a unit of measure", (*_texts("name", "factor", "note"), Property("aliases", many=True))),
    NodeTable("QuantityKind", "a kind of quantity", _texts("name", "label")),
    NodeTable("Finding", "one judgement of the audit", (
        *_texts("code", "kind", "severity", "verdict", "message", "basis", "reference", "about", "derivation"),
        Property("computed_value", "double"), Property("computed_unit"), Property("corrected_value", "double"),
        Property("corrected_unit"), Property("missing", many=True), Property("rule_version", "integer"))),
    NodeTable("Explanation", "what may explain a finding", (
        Property("rank", "integer"), *_texts("code", "message"), Property("corrected_value", "double"))),
    NodeTable("Role", "a further claim of a finding, in a role", _texts("name", "involves")),
    NodeTable("TraceStep", "one hop of a chain, worked out beforehand: no question recurses", (
        Property("hop", "integer"), *_texts("claim", "reaches", "via", "fidelity", "end_state"))),
    NodeTable("EchoCluster", "claims that were had from one another", (
        Property("echo_of"), Property("mentions", "integer"), Property("origins", "integer"))),
    NodeTable("DerivedResult", "a row worked out from published results: best, gain, cost, efficiency", _DERIVED_RESULT),
    NodeTable("Meta", "what the graph was made from", (
        *_texts("head", "content", "version", "fingerprint", "state"), Property("rules", "integer"),
        Property("claims", "integer"))),
)  # fmt: skip
_OWN_LINKS: Final = (
    Relationship("CONDITION", tuple(("Conditions", thing) for thing in THINGS), _texts("name"), key=("name",)),
    Relationship("CONTAINS", tuple((thing, other) for thing in THINGS for other in THINGS), (Property("count", "integer"),)),
    Relationship("IN_SNAPSHOT", (("Passage", "Snapshot"),)),
    Relationship("OF_SOURCE", (("Snapshot", "Source"), ("Passage", "Source"), ("Passage", "Entity"))),
    Relationship("OF_STATEMENT", (("Claim", "Statement"),)),
    Relationship("IN_BUCKET", (("Claim", "Bucket"),)),
    Relationship("NAMES", tuple(("Name", thing) for thing in THINGS)),
    Relationship("COVERS", tuple(("Name", thing) for thing in THINGS)),
    Relationship("OF_KIND", (("Metric", "QuantityKind"), ("Unit", "QuantityKind"))),
    Relationship("KIND_UNIT", (("QuantityKind", "Unit"),)),
    Relationship("ABOUT", (("Finding", "Claim"), ("Finding", "Source"))),
    Relationship("OF_DERIVATION", (("Finding", "Derivation"),)),
    Relationship("HAS_EXPLANATION", (("Finding", "Explanation"),)),
    Relationship("HAS_ROLE", (("Finding", "Role"),)),
    Relationship("INVOLVES", (("Role", "Claim"), ("Role", "Source"))),
    Relationship("STEP_OF", (("TraceStep", "Claim"),)),
    Relationship("REACHES", (("TraceStep", "Claim"), ("TraceStep", "Source"), ("TraceStep", "Entity"))),
    Relationship("IN_CLUSTER", (("Claim", "EchoCluster"),)),
    Relationship("ECHO_OF", (("EchoCluster", "Claim"),)),
    *(
        Relationship(name, tuple(("DerivedResult", one) for one in (("Claim",) if target == "claim" else THINGS)))
        for name, target in DERIVED_LINKS.values()
    ),
)  # fmt: skip


def targets(link: Link) -> tuple[str, ...]:
    """The tables a link may lead to.

    >>> targets(Link("k:metric", "MEASURES", "metric"))
    ('Metric',)
    """
    return {"claim": ("Claim",), "metric": ("Metric",), "unit": ("Unit",)}.get(link.target, THINGS)


def thing_table(identifier: str) -> str:
    """The table of the id of a thing.

    >>> thing_table("unresolved/some-report"), thing_table("org/nvidia")
    ('Source', 'Entity')
    """
    return "Source" if identifier.startswith(("source/", "unresolved/")) else "Entity"


def inner_relationship(inner: Inner) -> str:
    """The relationship to an inner node; without a name of its own it is `HAS_` and the class."""
    return inner.relationship or "HAS_" + inner.cls.removeprefix("k:").upper()


def _declared_links() -> Iterator[Relationship]:
    classes: tuple[type[Record], ...] = (*TABLES, Quantity)
    for cls in classes:
        table = TABLES.get(cls, "Claim")
        for _, projection in declared(cls):
            if isinstance(projection, Link):
                yield Relationship(projection.relationship, tuple((table, one) for one in targets(projection)))
            elif isinstance(projection, Inner) and projection.cls != "k:Quantity":
                yield Relationship(inner_relationship(projection), ((table, projection.cls.removeprefix("k:")),))


@cache
def graph_schema() -> GraphSchema:
    """The whole schema.

    >>> [one.name for one in graph_schema().nodes][:4]
    ['Claim', 'Entity', 'Source', 'Passage']
    >>> graph_schema().relationship("STATED_IN").pairs
    (('Claim', 'Entity'), ('Claim', 'Source'))
    """
    tables = []
    for cls, name in TABLES.items():
        properties = list(field_properties(cls))
        if cls is Claim:
            properties += [*field_properties(Quantity), *_CLAIM_DERIVED]
        elif cls in (Entity, Source):
            properties.append(Property("revision"))
        elif cls is DerivationInput:
            properties.insert(0, Property("name"))
        tables.append(NodeTable(name, _ABOUT[name], tuple(properties)))
    links: dict[str, Relationship] = {}
    for one in (*_declared_links(), *_OWN_LINKS):
        known = links.get(one.type)
        pairs = tuple(dict.fromkeys((*(known.pairs if known else ()), *one.pairs)))
        links[one.type] = Relationship(one.type, pairs, one.properties, one.key)
    return GraphSchema((*tables, *_OWN_TABLES), tuple(links[name] for name in sorted(links)))


def further_labels(table: str, properties: Properties) -> tuple[str, ...]:
    """Labels from the class of a node, for people who browse a server; no saved question uses them.

    >>> further_labels("Claim", {"kind": "comparison"}), further_labels("Entity", {"kind": "rack"})
    (('ComparisonClaim',), ('RackSystem',))
    """
    kind = properties.get("kind")
    if kind is None or table not in ("Claim", "Entity", "Source", "Finding"):
        return ()
    if table == "Finding":
        return (f"{kind.capitalize()}Finding",)
    classes = CLAIM_CLASS if table == "Claim" else ENTITY_CLASS
    label = classes[kind].removeprefix("k:")
    return () if label == table else (label,)
