"""The property graph: node tables, relationship types and their properties, from the declarations of `kg.model.record`.

A field is a property of its own name. A link is a relationship, and, where it leads to one node only, a property of the
field's name too, with the `uid` of that node: a row needs no hop for an id. What other records decide, such as a label,
is never copied. Each table is named like the class of the RDF view, each node has the short id of the RDF view as `uid`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from kg.model.kinds import KINDS, RECORDED, NodeKind
from kg.model.record import Claim, Entity, Source
from kg.model.record_parts import DerivationInput, Record
from kg.model.terms import Head, Inline, Inner, Link, Prop, below, declarations, declared, forms
from kg.model.vocabulary import CLAIM_CLASS, CONDITION_NAMES, ENTITY_CLASS
from kg.projection.node_names import relationship_of
from kg.projection.targets import TABLES_OF, THINGS

Kind = Literal["string", "double", "integer", "boolean"]
Properties = dict[str, Any]
NODE_LABEL: Final = "KgNode"
"""On a server every node of ours has this label in addition to its table's, and a `uid` that is unique under it."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a node or relationship; `many` is a list."""

    name: str
    kind: Kind = "string"
    many: bool = False


@dataclass(frozen=True, slots=True)
class NodeTable:
    """A base class: one table embedded, one label on a server. Every node has `uid` in addition to these properties."""

    name: str
    about: str
    properties: tuple[Property, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the properties, `uid` first."""
        return ("uid", *(one.name for one in self.properties))


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship type with the tables it joins; `key` are the properties that distinguish two between one pair."""

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


TABLES: Final = {one.record: one.label for one in RECORDED}
"""The table of each record class; a quantity lies inline on its claim."""
TEXT_TWINS: Final = {"path": " > ", "alternatives": ", "}
"""Lists of a claim that are there once more as one text, with what stands between."""


def _texts(*names: str) -> tuple[Property, ...]:
    return tuple(Property(name) for name in names)


def _datatype(prop: Prop) -> Kind:
    return "string" if prop.datatype == "date" else prop.datatype


def field_properties(cls: type) -> Iterator[Property]:
    """The properties of a record class, in the order of its fields; a field of one value or several gives two."""
    for name, annotation, projection in declarations(cls):
        if name == "id" or not isinstance(projection, Prop | Link) or projection.name == "":
            continue
        single, many = forms(annotation)
        kind: Kind = _datatype(projection) if isinstance(projection, Prop) else "string"
        shown = projection.name or name
        if single:
            yield Property(shown, kind)
        if not many:
            continue
        # A list of links of a derived record is a relationship only; of a recorded one it is a property too, as
        # in the exchange form.
        if single or isinstance(projection, Prop) or issubclass(cls, Record):
            yield Property(f"{shown}s" if single else shown, kind, many=True)
        if not single and name in TEXT_TWINS:
            yield Property(f"{name}_text")


@cache
def _positions() -> dict[type | None, Prop]:
    """The property that says where a node stands among its like, for the classes that have one."""
    return {
        below(annotation): item.position
        for kind in KINDS
        for _, annotation, item in declarations(kind.record)
        if isinstance(item, Inner) and item.position is not None
    }


def _all_properties(kind: NodeKind) -> Iterator[Property]:
    """The properties of a node: its finer kind, its place, its fields, the fields of parts that stand on it."""
    position = _positions().get(kind.record)
    if kind.finer is not None:
        yield Property("kind")
    if position is not None:
        yield Property(str(position.name), _datatype(position))
    yield from field_properties(kind.record)
    for _, annotation, projection in declarations(kind.record):
        part = below(annotation)
        if isinstance(projection, Head):
            yield Property(projection.link.name or projection.field)
        elif isinstance(projection, Inline) and part is not None:
            fields = [item for _, item in declared(part) if isinstance(item, Prop)]
            yield from (Property(f"{projection.prefix}_{item.name}", _datatype(item)) for item in fields)


def condition_properties() -> Iterator[Property]:
    """A list for each condition (ids, words, figures as text), and its standing where it is not plainly stated."""
    for name in sorted(CONDITION_NAMES):
        yield Property(name, many=True)
    for name in sorted(CONDITION_NAMES):
        yield Property(f"{name}_status")


_CLAIM_TEXTS: Final = _texts("revision", "quantity_form", "conditions_text", "baseline_conditions_text")
"""What a claim has in addition to its fields, so that a row needs no hop."""
_OWN_TABLES: Final = (
    NodeTable(
        "Conditions",
        "what a figure holds under; nodes with the same content are one",
        (Property("text"), *condition_properties()),
    ),
    NodeTable("Snapshot", "the bytes of a source, by their digest", _texts("sha256")),
    NodeTable("Statement", "what claims are about: all claims with one statement key", _texts("key")),
    NodeTable(
        "Bucket",
        "all figures of about one size, raw or of a quantity kind, or of one print that reads in several ways",
        _texts("bucket"),
    ),
)
"""Nodes that records share: conditions, the bytes of a source, and what claims are found by."""
_OWN_LINKS: Final = (
    Relationship("CONDITION", tuple(("Conditions", thing) for thing in THINGS), _texts("name"), key=("name",)),
    Relationship(
        "CONTAINS", tuple((thing, other) for thing in THINGS for other in THINGS), (Property("count", "integer"),)
    ),
    Relationship("IN_SNAPSHOT", (("Passage", "Snapshot"),)),
    Relationship("OF_SOURCE", (("Snapshot", "Source"), ("Passage", "Source"), ("Passage", "Entity"))),
    Relationship("OF_STATEMENT", (("Claim", "Statement"),)),
    Relationship("IN_BUCKET", (("Claim", "Bucket"),)),
)


def _links_of(label: str, link: Link) -> Relationship:
    pairs = [(label, one) for one in TABLES_OF[link.target]]
    return Relationship(link.relationship, tuple((b, a) if link.inverse else (a, b) for a, b in pairs))


_LABELS: Final = {"k:Conditions": "Conditions"} | {kind.cls: kind.label for kind in KINDS if kind.classes}
"""The label of the nodes of a class."""


def _declared_links() -> Iterator[Relationship]:
    for kind in KINDS:
        for _, projection in declared(kind.record):
            if isinstance(projection, Link):
                yield _links_of(kind.label, projection)
            elif isinstance(projection, Head):
                yield _links_of(kind.label, projection.link)
            elif isinstance(projection, Inner) and projection.cls != "k:Quantity":
                yield Relationship(relationship_of(projection), ((kind.label, _LABELS[projection.cls]),))


@cache
def graph_schema() -> GraphSchema:
    """The whole schema.

    >>> [one.name for one in graph_schema().nodes][:4]
    ['Claim', 'Entity', 'Source', 'Passage']
    >>> graph_schema().relationship("STATED_IN").pairs
    (('Claim', 'Entity'), ('Claim', 'Source'))
    """
    tables = []
    for kind in RECORDED:
        cls = kind.record
        properties = list(field_properties(cls))
        if cls is Claim:
            properties += _CLAIM_TEXTS
            properties += [
                one
                for kind in KINDS
                if kind.label == "Claim" and kind.record is not Claim
                for one in field_properties(kind.record)
            ]
        elif cls in (Entity, Source):
            # It follows from the fields and is none of them.
            properties.append(Property("revision"))
        elif cls is DerivationInput:
            # The name of an input is its key in the record and no field.
            properties.insert(0, Property("name"))
        tables.append(NodeTable(kind.label, kind.about, tuple(properties)))
    further = [
        NodeTable(kind.label, kind.about, tuple(_all_properties(kind)))
        for kind in KINDS
        if kind.label not in {one.name for one in tables}
    ]
    links: dict[str, Relationship] = {}
    for one in (*_declared_links(), *_OWN_LINKS):
        known = links.get(one.type)
        # Several fields share one relationship type: its pairs are those of all of them.
        pairs = tuple(dict.fromkeys((*(known.pairs if known else ()), *one.pairs)))
        links[one.type] = Relationship(one.type, pairs, one.properties, one.key)
    return GraphSchema((*tables, *_OWN_TABLES, *further), tuple(links[name] for name in sorted(links)))


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
