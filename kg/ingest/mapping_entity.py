"""The entities of a mapping: resolved by a name, made from the row, or one of several."""

from typing import Annotated, Literal

from pydantic import Field

from kg.ingest.mapping_field import When
from kg.ingest.mapping_part import MappedPart, Name, Text
from kg.model import vocabulary as words
from kg.model.record_parts import EntityId


class Made(MappedPart):
    """An entity that a loader may write: template of its id, and what is recorded of it."""

    id: Text
    kind: words.EntityKind
    label: Text
    level: words.Level | None = None
    links: dict[Literal["of", "maker", "operator", "suite", "model", "member_of", "accelerator_inside"], Text] = {}
    count: Text | None = None
    note: Text | None = None


class Resolved(MappedPart):
    """The name of a known thing. `kind` is what the column names; `context` are words and figures that decide between things."""

    how: Literal["resolve"] = "resolve"
    of: Name
    kind: Text
    context: dict[str, Text | int | float] = {}
    names: dict[str, EntityId] = {}
    """What names mean in this source, before the registry is asked."""
    unknown: Literal["reject", "drop", "create"] = "reject"
    empty: Literal["drop", "reject"] = "drop"
    create: Made | None = None
    """The form of what is created; without it the registry decides the id from kind and name."""
    mixed: Made | None = None
    """For a cell with several things: the configuration made of them, with its parts. Sets the field `<name>_mixed`."""
    when: When = []


class Linked(MappedPart):
    """What another entity of the row is linked to: the model of a task, the maker of a chip."""

    how: Literal["link"]
    of: Name
    link: Literal["of", "maker", "operator", "suite", "model", "member_of", "accelerator_inside", "variant_of"]
    when: When = []


class MadeAlways(MappedPart):
    """An entity of this row that no registry holds (a submitted system, an offer): written once, never doubled."""

    how: Literal["make"]
    make: Made
    when: When = []


class Either(MappedPart):
    """The first of several entities that is there."""

    how: Literal["first"]
    of: Annotated[list[Name], Field(min_length=1)]
    when: When = []


EntityRule = Annotated[Resolved | Linked | MadeAlways | Either, Field(discriminator="how")]
