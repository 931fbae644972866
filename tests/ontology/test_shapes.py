"""The shapes of single fields follow the declarations: each is broken in every way its type allows, and sees it.

Every case is a node of its own in one graph, which is validated once. Shapes of several fields have cases in a file.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import pyshacl
import pytest
from annotated_types import Ge
from pydantic import StringConstraints
from rdflib import RDF, BNode, Graph, URIRef
from rdflib import Literal as Text
from rdflib.term import Node

from kg.model.record import RECORD_TYPES, Claim, Entity, Part, Source
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement
from kg.model.terms import Inner, Link, Prop, declarations
from kg.model.vocabulary import PREFIXES, THINGS, expand
from kg.projection.shapes import SHAPES
from tests.ontology.cases import CASES, SH, Json, changed, edited, read_case, shapes_graph, unvalidated

FOLDER = CASES / "shapes"
RULES: dict[str, dict[str, Json]] = read_case(FOLDER / "rules.yaml")
RULE_CASES = [(shape, name) for shape, cases in RULES.items() for name in cases]
OTHER_IDS = {"thing": "org/other", "claim": "claim/t/other", "metric": "metric/other", "unit": "unit/other"}


class Place(NamedTuple):
    """A declaring class: the name of its shapes, its class in RDF, the base record that holds it, fields left to others."""

    name: str
    cls: type[Record]
    node: str
    record: str
    fields: frozenset[str] | None = None


POSITION = frozenset({"start", "end"})
PLACES = (
    Place("claim", Claim, "k:Claim", "claim"),
    Place("quantity", Quantity, "k:Quantity", "claim"),
    Place("event", Event, "k:Event", "claim"),
    Place("restatement", Restatement, "k:Restatement", "claim"),
    Place("derivation", Derivation, "k:Computation", "claim"),
    Place("usage", DerivationInput, "k:Usage", "claim"),
    Place("entity", Entity, "k:Entity", "entity"),
    Place("composition", Part, "k:Composition", "entity"),
    Place("source", Source, "k:Source", "source"),
    Place("passage", Anchor, "k:Passage", "claim", frozenset(Anchor.model_fields) - POSITION - {"sha256"}),
    Place("position", Anchor, "oa:TextPositionSelector", "claim", POSITION),
)


class Case(NamedTuple):
    """One field broken in one way (or a sound one), and the shape that is to see it."""

    place: Place
    field: str
    fault: str
    terms: tuple[Node, ...] | None
    """What the field has in RDF instead; None: what the base record gives."""

    @property
    def shape(self) -> str:
        return f"{self.place.name}.{self.field}"


@cache
def base() -> Json:
    return read_case(FOLDER / "base.yaml")


@cache
def base_graphs() -> dict[str, Graph]:
    return {name: unvalidated(record) for name, record in base().items()}


class Values(NamedTuple):
    """What a type allows: one value or several, words, the bounds of texts and numbers."""

    many: bool
    words: tuple[str, ...] = ()
    minimum: int | None = None
    texts: StringConstraints | None = None


def values(annotation: Any, beside: tuple[Any, ...] = ()) -> Values:
    """Read from the annotation itself, not from the JSON Schema that the shapes are made from."""
    if hasattr(annotation, "__metadata__"):
        return values(get_args(annotation)[0], annotation.__metadata__)
    if get_origin(annotation) is Literal:
        return Values(False, tuple(get_args(annotation)))
    if get_origin(annotation) in (list, dict):
        return values(get_args(annotation)[-1])._replace(many=True)
    parts = [values(one) for one in get_args(annotation) if one is not type(None)]
    if parts:
        found = parts[0]
        for part in parts[1:]:
            found = Values(
                found.many or part.many,
                found.words + part.words,
                found.minimum if found.minimum == part.minimum else None,  # a bound of one member binds no other
                found.texts or part.texts,
            )
        return found
    least = next((int(float(str(one.ge))) for one in beside if isinstance(one, Ge)), None)
    for one in beside:
        least = next((int(float(str(part.ge))) for part in getattr(one, "metadata", ()) if isinstance(part, Ge)), least)
    return Values(False, minimum=least, texts=next((one for one in beside if isinstance(one, StringConstraints)), None))


PRECISIONS = {4: "gYear", 7: "gYearMonth", 10: "date"}


def typed(prop: Prop, value: object) -> Text:
    if prop.datatype == "date":
        return Text(str(value), datatype=URIRef(expand(f"xsd:{PRECISIONS[len(str(value))]}")))
    return Text(str(value), datatype=None if prop.datatype == "string" else URIRef(expand(f"xsd:{prop.datatype}")))


SAMPLES = ("1999", "2001-02", "org/one", "org/two", "a" * 64, "b" * 64, "1,2,3,4", "1.5,2,3,4")
NUMBERS = {"double": ("77.0", "78.0"), "integer": ("77", "78"), "boolean": ("true", "false")}


def sound(prop: Prop, allowed: Values) -> tuple[Text, Text]:
    """Two values that are sound alone."""
    if allowed.words:
        return Text(allowed.words[0]), Text(allowed.words[-1])
    pattern = allowed.texts.pattern if allowed.texts is not None else None
    fitting = [one for one in SAMPLES if pattern is None or re.search(str(pattern), one)]
    one, other = NUMBERS.get(prop.datatype, fitting[:2])
    return typed(prop, one), typed(prop, other)


def faults(place: Place, field: str, item: Prop | Link | Inner, allowed: Values) -> Iterator[Case]:
    """Every way in which the type of a field can be broken."""
    terms: dict[str, tuple[Node, ...]] = {}
    info = place.cls.model_fields[field]
    default = info.default if not info.is_required() else None
    is_needed = info.is_required() or (isinstance(default, str | bool) and bool(default)) or place.fields == POSITION
    is_read_twice = (place.cls, field) in ((Claim, "subject"), (Claim, "subjects"))
    if is_needed and not is_read_twice:
        terms["missing"] = ()
    if isinstance(item, Prop):
        one, other = sound(item, allowed)
        terms["sound"] = (one,)
        terms["node"] = (URIRef(THINGS + "org/other"),)
        terms["type"] = (Text("--01", datatype=URIRef(expand("xsd:gMonth"))),)
        if not allowed.many:
            terms["two"] = (one, other)
        if allowed.words:
            terms["word"] = (Text("nonsense"),)
        if allowed.minimum is not None:
            terms["small"] = (typed(item, allowed.minimum - 1),)
        if allowed.texts is not None and item.datatype == "string":
            if allowed.texts.pattern:
                terms["pattern"] = (Text("last summer, perhaps"),)
            if allowed.texts.min_length:
                terms["empty"] = (Text(""),)
            if allowed.texts.max_length:
                terms["long"] = (Text("x" * (allowed.texts.max_length + 1)),)
    else:
        terms["text"] = (Text("Some Name"),)
        terms["blank"] = (BNode(),)
        terms["elsewhere"] = (URIRef("https://example.org/elsewhere"),)
        if isinstance(item, Link) and not allowed.many and not is_read_twice:
            terms["two"] = (URIRef(THINGS + OTHER_IDS[item.target]), URIRef(THINGS + OTHER_IDS[item.target] + "-2"))
    yield Case(place, field, "given", None)
    yield from (Case(place, field, fault, what) for fault, what in terms.items())


def cases() -> list[Case]:
    """One field after another; where two fields share a property, the first speaks for both."""
    made: list[Case] = []
    for place in PLACES:
        terms: set[str] = set()
        hints = get_type_hints(place.cls, include_extras=True)
        for field, _, item in declarations(place.cls):
            is_ours = place.fields is None or field in place.fields
            if is_ours and isinstance(item, Prop | Link | Inner) and item.term not in terms:
                made += faults(place, field, item, values(hints[field]))
                terms.add(item.term)
    return made


ALL_CASES = cases()


def of_base(case: Case) -> tuple[URIRef, URIRef]:
    """The node of the base records that a case changes, and the property."""
    graph = base_graphs()[case.place.record]
    item = next(item for name, _, item in declarations(case.place.cls) if name == case.field)
    assert isinstance(item, Prop | Link | Inner)
    term = URIRef(expand(item.term))
    nodes = [one for one in graph.subjects(RDF.type, URIRef(expand(case.place.node))) if isinstance(one, URIRef)]
    return next((one for one in sorted(nodes) if (one, term, None) in graph), min(nodes)), term


def broken(case: Case, number: int) -> tuple[Graph, URIRef]:
    """The changed node of a case under a name of its own; what it leads to is that of the base record, for all cases."""
    (source, term), graph = of_base(case), Graph()
    node = URIRef(f"{source}-case-{number}")
    for _, predicate, value in base_graphs()[case.place.record].triples((source, None, None)):
        if case.terms is None or predicate != term:
            graph.add((node, predicate, value))
    for one in case.terms or ():
        graph.add((node, term, one))
    return graph, node


def results(data: Graph, shapes: Graph) -> Iterator[tuple[str, str, str]]:
    """Focus node, shape and message of what a graph violates."""
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes)
    assert isinstance(report, Graph)
    for one in report.subjects(RDF.type, SH.ValidationResult):
        focus, shape, text = (report.value(one, term) for term in (SH.focusNode, SH.sourceShape, SH.resultMessage))
        yield str(focus), str(shape).removeprefix(SHAPES), str(text)


@pytest.fixture(scope="module")
def shapes() -> Graph:
    return shapes_graph()


@pytest.fixture(scope="module")
def seen(shapes: Graph) -> dict[int, set[str]]:
    """For each case the shapes that its node violates."""
    whole, nodes = Graph(), {}
    for graph in base_graphs().values():
        for triple in graph:
            whole.add(triple)
    for number, case in enumerate(ALL_CASES):
        graph, node = broken(case, number)
        nodes[str(node)] = number
        for triple in graph:
            whole.add(triple)
    found: dict[int, set[str]] = {number: set() for number in nodes.values()}
    for focus, shape, message in results(whole, shapes):
        assert message.strip(), f"{shape} says nothing"
        if focus in nodes:
            found[nodes[focus]].add(shape)
    return found


@pytest.mark.parametrize("number", range(len(ALL_CASES)), ids=lambda n: f"{ALL_CASES[n].shape}-{ALL_CASES[n].fault}")
def test_a_shape_refuses_what_the_type_of_its_field_refuses(number: int, seen: dict[int, set[str]]) -> None:
    case = ALL_CASES[number]
    if case.fault in ("given", "sound"):
        assert case.shape not in seen[number]
    else:
        assert case.shape in seen[number], f"seen instead: {sorted(seen[number])}"


def test_base_records_satisfy_model_and_shapes(shapes: Graph) -> None:
    for record in base().values():
        RECORD_TYPES[record["record"]].model_validate(record)
        assert list(results(unvalidated(record), shapes)) == []


def of_rule(shape: str, name: str) -> Graph:
    """The graph of a case, whose claims and things have names of their own, so that no other case says more of them."""
    case = RULES[shape][name]
    data = edited(unvalidated(changed(base()[case["of"]], case)), case)
    described, graph = set(data.subjects()), Graph()

    def own(node: Node) -> Node:
        ours = isinstance(node, URIRef) and (node in described or node.startswith(THINGS))
        # behind "/", as a place in an archive: still a snapshot
        return URIRef(f"{node}/{shape}/{name}") if ours else node

    for subject, predicate, value in data:
        graph.add((own(subject), predicate, own(value)))
    return graph


@pytest.fixture(scope="module")
def seen_of_rules(shapes: Graph) -> dict[tuple[str, str], set[str]]:
    """For each case of a rule the shapes that its graph violates: reading the shapes takes longer than a case."""
    whole, nodes = Graph(), {}
    for case in RULE_CASES:
        for triple in of_rule(*case):
            whole.add(triple)
            nodes[str(triple[0])] = case
    found: dict[tuple[str, str], set[str]] = {case: set() for case in RULE_CASES}
    for focus, shape, _ in results(whole, shapes):
        found[nodes[focus]].add(shape)
    return found


@pytest.mark.parametrize(("shape", "name"), RULE_CASES, ids=["-".join(one) for one in RULE_CASES])
def test_a_rule_over_several_fields(
    shape: str, name: str, shapes: Graph, seen_of_rules: dict[tuple[str, str], set[str]]
) -> None:
    found = seen_of_rules[shape, name]
    if name.startswith("pass-"):
        assert found == set()
        node = URIRef(SHAPES + shape)
        holder, data = shapes.value(None, SH.property, node) or node, of_rule(shape, name)
        assert (None, RDF.type, shapes.value(holder, SH.targetClass)) in data, "the shape looks at no node of this case"
    else:
        owned = {shape, *(str(one).removeprefix(SHAPES) for one in shapes.objects(URIRef(SHAPES + shape), SH.property))}
        assert owned & found, f"violated instead: {sorted(found)}"


def test_every_shape_has_a_passing_and_a_failing_case(shapes: Graph) -> None:
    named = {
        str(one).removeprefix(SHAPES)
        for cls in (SH.NodeShape, SH.PropertyShape)
        for one in shapes.subjects(RDF.type, cls)
        if isinstance(one, URIRef)
    } - {place.name for place in PLACES}
    of_fields = {(case.shape, "pass" if case.terms is None else "fail") for case in ALL_CASES}
    of_rules = {(shape, name.partition("-")[0]) for shape, name in RULE_CASES}
    wanted = {(name, outcome) for name in named for outcome in ("pass", "fail")}
    assert wanted - of_fields - of_rules == set(), "shapes without a case: add one to tests/cases/shapes/rules.yaml"
    assert {name for name, _ in of_fields | of_rules} - named - set(RULES) == set(), (
        "cases of shapes that are not there"
    )


def test_every_shape_that_can_fail_says_how_to_fix_it(shapes: Graph) -> None:
    silent = [
        str(one)
        for cls in (SH.NodeShape, SH.PropertyShape)
        for one in shapes.subjects(RDF.type, cls)
        if isinstance(one, URIRef)
        and (one, SH.message, None) not in shapes
        and set(shapes.predicates(one)) - {RDF.type, SH.targetClass, SH.property}
    ]
    assert silent == []


@pytest.mark.long  # the shapes of shapes take a third as long as all cases
def test_shapes_are_shacl_core_and_well_formed(shapes: Graph) -> None:
    conforms, _, text = pyshacl.validate(Graph(), shacl_graph=shapes, meta_shacl=True)
    assert conforms, text
    assert (None, SH.sparql, None) not in shapes and (None, SH.js, None) not in shapes


def test_each_shape_looks_at_the_nodes_of_its_class(shapes: Graph) -> None:
    targets = {str(one).removeprefix(SHAPES): str(cls) for one, cls in shapes.subject_objects(SH.targetClass)}
    assert {place.name: targets[place.name] for place in PLACES} == {place.name: expand(place.node) for place in PLACES}
    assert all(prefix in PREFIXES for prefix in ("sh", "k"))
