"""How a field of a record shows in RDF and in the property graph; declared once, beside the field.

`Prop` is a literal property of the node, `Link` an edge to another node, `Inner` a node of its own. The RDF writer, the
property-graph writer, the field-level SHACL shapes and the JSON-LD context all read these declarations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel

Datatype = Literal["string", "double", "integer", "boolean", "date"]
Target = Literal["thing", "claim", "metric", "unit", "relation"]


@dataclass(frozen=True, slots=True)
class Prop:
    """A literal: `term` in RDF, the field's own name in the property graph."""

    term: str
    datatype: Datatype = "string"


@dataclass(frozen=True, slots=True)
class Link:
    """An edge to another node: `term` in RDF, `relationship` in the property graph; `target` says how the id is read."""

    term: str
    relationship: str
    target: Target = "thing"


@dataclass(frozen=True, slots=True)
class Inner:
    """A node of its own below the record: reached by `term`, of class `cls`; its fields declare themselves."""

    term: str
    cls: str
    relationship: str | None = None


@dataclass(frozen=True, slots=True)
class Unprojected:
    """A field that stays in the ledger only, with the reason."""

    why: str


Projection = Prop | Link | Inner | Unprojected


def declared(cls: type[BaseModel]) -> Iterator[tuple[str, Projection]]:
    """The fields of a record class with their projections, in order."""
    for name, field in cls.model_fields.items():
        for item in field.metadata:
            if isinstance(item, Prop | Link | Inner):
                yield field.alias or name, item


def default_values(cls: type[BaseModel]) -> Iterator[tuple[str, Prop, str | bool]]:
    """The literal fields whose default says something: a recorded form leaves the default out, a graph states it.

    False, empty and absent defaults stay unwritten.

    >>> from kg.model.record import Restatement
    >>> [(name, default) for name, _, default in default_values(Restatement)]
    [('fidelity', 'unverified')]
    """
    for name, projection in declared(cls):
        default = cls.model_fields[name].default if name in cls.model_fields else None
        if isinstance(projection, Prop) and isinstance(default, str | bool) and default:
            yield name, projection, default
