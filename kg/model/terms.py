"""How a field of a record shows in RDF and in the property graph; declared once, next to the field.

`Prop` is a literal property of the node, `Link` an edge to another node, `Inner` a node of its own, `Inline` a part whose
fields stand on the node itself, `Head` the first of a list. All writers of `kg.projection` read these declarations.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

from kg.model.json_types import JsonMapping

Datatype = Literal["string", "double", "integer", "boolean", "date"]
"""A date is an xsd:date, xsd:gYearMonth or xsd:gYear, by its precision, and text in the property graph and in tables."""
Form = Literal["view", "export"]
"""What triples are for. A store holds the `view`: what saved questions read. An `export` adds what only the readers of a file
ask for: classes that follow from a property or from `k:kind`, defaults, labels, and the terms of PROV for what ours say."""
Target = Literal["thing", "claim", "metric", "unit", "quantity-kind", "derivation", "subject", "reached"]
"""What an id in a field names. `subject`: a claim, or a text as a whole; `reached`: a claim where `is_claim` says so;
`derivation`: a number, counted from 1 at the claim that the record is about."""


@dataclass(frozen=True, slots=True)
class Prop:
    """A literal: `term` in RDF, `name` or the field's own name in the property graph; "" leaves it out of one of them.

    `exported` says who reads it in a file, where no saved question does: a view leaves it out. `implied` is the value that
    goes without saying: a view leaves it out, and the questions put it in.
    """

    term: str
    datatype: Datatype = "string"
    name: str | None = None
    exported: str = ""
    implied: str | int | bool | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """An edge to another node: `term` in RDF, `relationship` in the property graph; `target` says how the id is read.

    An inverse link leads from the node that the field names to this one. `exported` is as with `Prop`.
    """

    term: str
    relationship: str
    target: Target = "thing"
    inverse: bool = False
    name: str | None = None
    exported: str = ""


@dataclass(frozen=True, slots=True)
class Inner:
    """A node of its own below the record: reached by `term`, of class `cls`; its fields declare themselves.

    `position` is the property that says where it appears in the list, from 1. `free` says who asks for it in a view, where no
    saved question does. `follows` tells whether a part follows from other triples of the record: a view leaves it out, and the
    questions read it there.
    """

    term: str
    cls: str
    relationship: str | None = None
    position: Prop | None = None
    free: str = ""
    follows: Callable[[JsonMapping, JsonMapping], bool] | None = None


@dataclass(frozen=True, slots=True)
class Inline:
    """A part whose fields are properties of the node itself, `prefix` before their terms and names."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Head:
    """The first part of a list: its `field` is a link of the node itself. The others are inner nodes."""

    field: str
    link: Link


@dataclass(frozen=True, slots=True)
class External:
    """Ids of another vocabulary, a link in RDF only: `term` leads to `prefix` and the id. `exported` is as with `Prop`."""

    term: str
    prefix: str
    exported: str = ""


@dataclass(frozen=True, slots=True)
class Unprojected:
    """A field that stays in the ledger only, with the reason."""

    why: str


Projection = Prop | Link | Inner | Inline | Head | External | Unprojected
_SHOWN = (Prop, Link, Inner, Inline, Head, External)


def declarations(cls: type) -> Iterator[tuple[str, object, Projection]]:
    """The fields of a declaring class in order: name, annotation without what is said next to it, projection."""
    for name, annotation in get_type_hints(cls, include_extras=True).items():
        if get_origin(annotation) is Annotated:
            bare, *beside = get_args(annotation)
            for item in beside:
                if isinstance(item, _SHOWN):
                    yield name, bare, item


def declared(cls: type) -> Iterator[tuple[str, Projection]]:
    """The fields of a declaring class with their projections, in order."""
    for name, _, projection in declarations(cls):
        yield name, projection


def forms(annotation: object) -> tuple[bool, bool]:
    """Whether a field may hold a single value, and whether it may hold a list.

    >>> forms(list[str] | None), forms(str | list[str])
    ((False, True), (True, True))
    """
    origin = get_origin(annotation)
    if origin is Annotated:
        return forms(get_args(annotation)[0])
    if origin is list:
        return False, True
    inner = [one for one in get_args(annotation) if one is not type(None)] if _is_union(origin) else []
    found = [forms(one) for one in inner]
    return (any(one for one, _ in found), any(many for _, many in found)) if found else (True, False)


def _is_union(origin: object) -> bool:
    # By name: a union written with `|` and one of `typing` have classes of their own.
    return getattr(origin, "__name__", "") in ("Union", "UnionType")


def below(annotation: object) -> type | None:
    """The declaring class of the parts that a field holds.

    >>> from kg.model.record import Part
    >>> below(list[Part] | None) is Part
    True
    """
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return annotation if next(declared(annotation), None) is not None else None
    return next((found for one in get_args(annotation) if (found := below(one)) is not None), None)
