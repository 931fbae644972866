"""Field-level SHACL Core shapes, generated from the declarations next to the fields of `kg.model.record`.

What concerns several fields at once stands by hand in `ontology/shapes-rules.ttl`. Messages come from a table written by
hand, since only a person knows how a mistake is put right; a shape without a message is refused.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

from kg.errors import ContentError
from kg.model.json_types import JsonMapping
from kg.model.record import Claim, Entity, Part, Source, default_values
from kg.model.record_parts import Anchor, Derivation, DerivationInput, Event, Quantity, Record, Restatement
from kg.model.terms import Inner, Link, Projection, Prop, declared
from kg.model.vocabulary import CONDITION_NAMES, PREFIXES, THINGS, ConditionStatus
from kg.projection.triples import condition_term

SHAPES = THINGS + "shape/"

# What our IRIs escape, and no more: bytes beyond ASCII and # % ? [ ].
_ENCODED = "%([89A-F][0-9A-F]|23|25|3F|5B|5D)"
_THING = rf'^{THINGS}[a-z][a-z-]*/([^%\s<>"{{}}|\\^`]|{_ENCODED})+$'
_CLAIM = rf'^{THINGS}claim/[A-Za-z0-9]([^%\s<>"{{}}|\\^`/]|{_ENCODED})*/([^%\s<>"{{}}|\\^`]|{_ENCODED})+$'
_TARGETS = {"thing": _THING, "claim": _CLAIM, "metric": f"^{THINGS}metric/.+$", "unit": f"^{THINGS}unit/.+$"}


class MessageMismatch(ContentError):
    """The messages written by hand and the shapes made from the fields do not cover each other."""

    code = "content.shape-messages"


@dataclass(frozen=True, slots=True)
class PropertyShape:
    """The constraints on the values of one property."""

    name: str
    path: str
    lines: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int | None = None

    def turtle(self, message: str) -> str:
        """The shape in Turtle; the accepted words are added to the message."""
        label, full = self.name, message.rstrip()
        if self.accepted:
            full = f"{full} Accepted: {', '.join(self.accepted)}."
        counts = [f"sh:minCount {self.minimum}"] if self.minimum else []
        counts += [f"sh:maxCount {self.maximum}"] if self.maximum is not None else []
        words = [f"sh:in ( {' '.join(_text(one) for one in self.accepted)} )"] if self.accepted else []
        parts = [f"sh:path {self.path}", *self.lines, *words, *counts, f"sh:message {_text(full)}@en"]
        return f"shape:{label}\n    a sh:PropertyShape ;\n    " + " ;\n    ".join(parts) + " .\n"


@dataclass(frozen=True, slots=True)
class NodeShape:
    """The shape of one class of nodes."""

    name: str
    target: str
    properties: tuple[PropertyShape, ...]
    extra: tuple[str, ...] = field(default=())

    def turtle(self) -> str:
        """The node shape in Turtle, with links to its property shapes."""
        links = [f"sh:property shape:{one.name}" for one in self.properties]
        parts = [f"sh:targetClass {self.target}", *self.extra, *links]
        return f"shape:{self.name}\n    a sh:NodeShape ;\n    " + " ;\n    ".join(parts) + " .\n"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


@dataclass(frozen=True, slots=True)
class _Values:
    """What the JSON Schema of a field says about its single values and their number."""

    alternatives: tuple[JsonMapping, ...]
    minimum: int
    maximum: int | None


def _values(schema: JsonMapping) -> _Values:
    found: list[JsonMapping] = []
    maximum: int | None = 1
    minimum = 1
    for one in schema.get("anyOf", (schema,)):
        if one.get("type") == "array":
            inner = _values(one["items"])
            found.extend(inner.alternatives)
            most = one.get("maxItems")
            maximum = None if most is None or maximum is None else max(maximum, most)
            minimum = min(minimum, one.get("minItems", 0))
        elif one.get("type") == "object" and "$ref" in one.get("additionalProperties", {}):
            found.append(one)
            minimum, maximum = one.get("minProperties", 0), None
        elif one.get("type") != "null":
            found.append(one)
    return _Values(tuple(found), minimum, maximum)


def _words(values: _Values) -> tuple[str, ...]:
    given: dict[str, None] = {}
    for one in values.alternatives:
        given.update(dict.fromkeys(one.get("enum", (one["const"],) if "const" in one else ())))
    return tuple(given)


def _literal_lines(prop: Prop, values: _Values) -> tuple[str, ...]:
    if prop.datatype == "date":
        return (_date_line(values),)
    lines = [f"sh:datatype xsd:{prop.datatype}"]
    for one in values.alternatives:
        if one.get("type") == "string" and prop.datatype == "string":
            for key, term in (("pattern", "sh:pattern"), ("minLength", "sh:minLength"), ("maxLength", "sh:maxLength")):
                if key in one:
                    lines.append(f"{term} {_text(one[key]) if key == 'pattern' else one[key]}")
        if one.get("type") == "integer" and prop.datatype == "integer" and "minimum" in one:
            lines.append(f"sh:minInclusive {one['minimum']}")
    return tuple(lines)


def _date_line(values: _Values) -> str:
    """A date of any precision; what has no datatype of XML Schema (a quarter, a half of a year) is text."""
    patterns = " ; ".join(f"sh:pattern {_text(one['pattern'])}" for one in values.alternatives)
    typed = " ".join(f"[ sh:datatype xsd:{name} ]" for name in ("date", "gYearMonth", "gYear"))
    return f"sh:or ( {typed} [ sh:datatype xsd:string ; {patterns} ] )"


def _lines(projection: Projection, values: _Values) -> tuple[str, ...]:
    if isinstance(projection, Prop):
        return _literal_lines(projection, values)
    if isinstance(projection, Link):
        return ("sh:nodeKind sh:IRI", f"sh:pattern {_text(_TARGETS[projection.target])}")
    if isinstance(projection, Inner):
        return (f"sh:class {projection.cls}",)
    return ()


def _of_record(
    name: str, cls: type[Record], *, only: frozenset[str] | None = None, leave: frozenset[str] = frozenset()
) -> Iterator[PropertyShape]:
    schema = cls.model_json_schema()
    # A file of RDF writes defaults out, so that their absence is a mistake there.
    required = set(schema.get("required", ())) | {given for given, _, _ in default_values(cls)}
    made: dict[str, PropertyShape] = {}
    for given, projection in declared(cls):
        if (
            given in leave
            or (only is not None and given not in only)
            or not isinstance(projection, Prop | Link | Inner)
        ):
            continue
        values = _values(schema["properties"][given])
        shape = PropertyShape(
            f"{name}.{given}",
            projection.term,
            _lines(projection, values),
            _words(values),
            # `only` is the selector: an anchor need not have a position, but a selector has both ends.
            values.minimum if given in required or only is not None else 0,
            values.maximum,
        )
        known = made.get(projection.term)
        made[projection.term] = (
            # Two fields of one property (`subject`, `subjects`): each alone is bounded, together they are not.
            shape if known is None else replace(known, minimum=max(known.minimum, shape.minimum), maximum=None)
        )
    yield from made.values()


def _conditions() -> NodeShape:
    names = sorted(CONDITION_NAMES)
    values, statuses = [condition_term(one) for one in names], [f"{condition_term(one)}Status" for one in names]
    standings = tuple(one for one in get_args(ConditionStatus) if one != "stated")
    kinds = (
        "[ sh:datatype xsd:string ; sh:minLength 1 ]",
        *(f"[ sh:datatype xsd:{name} ]" for name in ("double", "date", "gYearMonth", "gYear")),
        f"[ sh:nodeKind sh:IRI ; sh:pattern {_text(_THING)} ]",
    )
    text = PropertyShape("conditions.text", "k:conditionsText", ("sh:datatype xsd:string", "sh:minLength 1"), (), 1, 1)
    status = PropertyShape("conditions.status", _any_of(statuses), ("sh:datatype xsd:string",), standings)
    value = PropertyShape("conditions.value", _any_of(values), (f"sh:or ( {' '.join(kinds)} )",))
    known = " ".join(["rdf:type", *values, *statuses])
    closed = ("sh:closed true", f"sh:ignoredProperties ( {known} )")
    return NodeShape("conditions", "k:Conditions", (text, status, value), closed)


def _any_of(terms: list[str]) -> str:
    return f"[ sh:alternativePath ( {' '.join(terms)} ) ]"


_POSITION = frozenset({"start", "end"})


def node_shapes() -> tuple[NodeShape, ...]:
    """The shape of every class of nodes that a record is written as."""
    made = [
        NodeShape(name, target, tuple(_of_record(name, cls)))
        for name, cls, target in (
            ("claim", Claim, "k:Claim"),
            ("quantity", Quantity, "k:Quantity"),
            ("event", Event, "k:Event"),
            ("restatement", Restatement, "k:Restatement"),
            ("derivation", Derivation, "k:Computation"),
            ("usage", DerivationInput, "k:Usage"),
            ("entity", Entity, "k:Entity"),
            ("composition", Part, "k:Composition"),
            ("source", Source, "k:Source"),
        )
    ]
    passage = tuple(_of_record("passage", Anchor, leave=_POSITION | {"sha256"}))
    position = tuple(_of_record("position", Anchor, only=_POSITION))
    made.append(NodeShape("passage", "k:Passage", passage))
    made.append(NodeShape("position", "oa:TextPositionSelector", position))
    made.append(_conditions())
    return tuple(made)


def shapes_turtle(messages: Mapping[str, str]) -> str:
    """The text of `ontology/shapes.ttl`; `messages` says for each shape how to put the mistake right."""
    nodes = node_shapes()
    names = [one.name for node in nodes for one in node.properties]
    lacking, spare = sorted(set(names) - set(messages)), sorted(set(messages) - set(names) - {"conditions"})
    if lacking or spare or "conditions" not in messages:
        raise MessageMismatch(
            path="ontology/shape-messages.yaml",
            given=f"missing: {', '.join(lacking) or 'none'}; not needed: {', '.join(spare) or 'none'}",
            expected="one message for each field that shows in RDF",
            next_step="add or remove these keys",
        )
    out = [
        "# Made from the declarations in kg/model/record.py and the messages in shape-messages.yaml: kg content format.\n"
    ]
    used = ("k", "oa", "prov", "qudt", "rdf", "schema", "sh", "skos", "xsd", "cito", "dcterms")
    out += [f"@prefix {name}: <{PREFIXES[name]}> .\n" for name in sorted(used)]
    out.append(f"@prefix shape: <{SHAPES}> .\n")
    for node in nodes:
        # What a closed shape refuses is reported of the node and not of a property, so that it has a message of
        # its own.
        advice = (f"sh:message {_text(messages[node.name])}@en",) if node.extra else ()
        out.append(f"\n{replace(node, extra=(*node.extra, *advice)).turtle()}")
        out += [f"\n{one.turtle(messages[one.name])}" for one in node.properties]
    return "".join(out)
