"""The columns of a mapping, and the fields that are computed from them, each kind of computation a model."""

import re
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from kg.ingest.mapping_part import MappedPart, Name, Pattern, Scalar, Text, is_expression

Type = Literal["text", "integer", "number", "boolean", "date", "list", "quantity", "any"]
Decimal = Literal[".", ","]


class MappedColumn(MappedPart):
    """A column: the field it gives, the type of its cells, other names it has had, what counts as missing."""

    gives: Annotated[Name | None, Field(alias="as")] = None
    """The field; a column without one is known and left out."""
    type: Type = "text"
    unit: Text | None = None
    aliases: list[Text] = []
    missing: list[Scalar] = []
    """Cells that say nothing, in addition to those of the whole mapping: 0 where zero is not a figure, 700.0 where it is a filler."""
    needed: bool = False
    """The file is refused when the column is not there."""
    expected: Text | None = None
    """What is lost where the column is not there: a warning of the load."""
    accepted: list[Scalar] = []
    """The words that a cell may have, in any case; another one is a warning of the load, and loaded as it is."""
    separator: str = ","
    """Of the parts of a list."""
    decimal: Decimal | None = None
    """The decimal sign of its figures; where neither it nor the mapping states one, a comma groups thousands and a file
    in which that is not certain gets a warning."""
    why: Text | None = None
    """Why a column is left out."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Test(MappedPart):
    """One test of a field or entity of a row. Without a comparison: the field has a value."""

    field: Name
    equal: Annotated[Scalar | None, Field(alias="is")] = None
    isnt: Annotated[Scalar | None, Field(alias="not")] = None
    within: Annotated[list[Scalar] | None, Field(alias="in")] = None
    outside: Annotated[list[Scalar] | None, Field(alias="not_in")] = None
    matches: Pattern | None = None
    above: float | None = None
    below: float | None = None
    missing: bool | None = None
    same_as: Name | None = None

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set - {"field"}) > 1:
            raise ValueError("one comparison a test; several tests in the list must all hold")
        if self.matches is not None:
            is_expression(self.matches)
        return self


When = list[Test]
"""All must hold."""


class _Computed(MappedPart):
    when: When = []


class Constant(_Computed):
    """Always the same value."""

    how: Literal["constant"]
    value: Scalar | None


class Copy(_Computed):
    """The first of several fields that has a value."""

    how: Literal["first"]
    of: Annotated[list[Name], Field(min_length=1)]


class Filled(_Computed):
    """A text with fields in braces; missing when one of them is."""

    how: Literal["text"]
    text: Text


class Matched(_Computed):
    """What a pattern finds: its group `value`, group 1 or all of it. A text in which it is not found is missing, or refused."""

    how: Literal["match"]
    of: Name
    pattern: Pattern
    type: Type = "text"
    otherwise: Annotated[Literal["missing", "refuse"], Field(alias="else")] = "missing"

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    _pattern = field_validator("pattern")(is_expression)


class Replaced(_Computed):
    """The text with every find of a pattern replaced."""

    how: Literal["replace"]
    of: Name
    pattern: Pattern
    by: str = ""

    _pattern = field_validator("pattern")(is_expression)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        try:
            re.sub(self.pattern, self.by, "")
        except (re.error, IndexError) as cause:  # an IndexError for the name of a group that the pattern lacks
            raise ValueError(f"by: {cause}") from cause
        return self


class Looked(_Computed):
    """A value looked up in a table; what the table lacks is kept, missing, or refused."""

    how: Literal["table"]
    of: Name
    table: Annotated[dict[str, Scalar | None], Field(min_length=1)]
    otherwise: Annotated[Literal["keep", "missing", "refuse"], Field(alias="else")] = "refuse"

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Calculated(_Computed):
    """Arithmetic over fields, exact; missing when an input is."""

    how: Literal["arithmetic"]
    expression: Text


class Decided(_Computed):
    """True or false: whether tests hold."""

    how: Literal["holds"]
    tests: Annotated[When, Field(min_length=1)]


class MappingStep(_Computed):
    """A pure function of `steps.py`: fields in, a value out."""

    how: Literal["step"]
    step: Name
    of: Annotated[list[Name], Field(min_length=1)]


class Chosen(_Computed):
    """The first case whose tests hold gives the value (a constant, or `$field`)."""

    how: Literal["case"]
    cases: Annotated[list["Case"], Field(min_length=1)]
    otherwise: Annotated[Scalar | None, Field(alias="else")] = None

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Case(MappedPart):
    """One case."""

    when: When
    value: Scalar


Computed = Annotated[
    Constant | Copy | Filled | Matched | Replaced | Looked | Calculated | Decided | MappingStep | Chosen,
    Field(discriminator="how"),
]


class Counted(_Computed):
    """The unit in which an official result is counted, by task, round and scenario (`result_units` of the references).

    Missing where no rule decides. The field `<name>_source` says where the rule stands.
    """

    how: Literal["counted"]
    task: Name
    round: Name
    scenario: Name


Later = Annotated[
    Constant | Copy | Filled | Matched | Replaced | Looked | Calculated | Decided | MappingStep | Chosen | Counted,
    Field(discriminator="how"),
]
