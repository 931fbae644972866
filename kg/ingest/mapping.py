"""The form of `loaders/<source>/mapping.yaml`: frozen models that refuse unknown keys. `loaders/README.md` explains it.

A value that starts with `$` is a reference to a field or an entity of the row; `{name}` inside a text is filled in.
Reading a file is left to `kg.ingest.sources`, running it to `kg.ingest.compiled_mapping`.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, field_validator, model_validator

from kg.ingest.mapping_entity import EntityRule
from kg.ingest.mapping_field import Computed, Decimal, Later, MappedColumn, When
from kg.ingest.mapping_part import (
    CORRECTION,
    FILLED,
    MappedPart,
    Name,
    Pattern,
    Scalar,
    Slug,
    Text,
    is_expression,
    reference,
)
from kg.ingest.mapping_reader import Detect, Reader
from kg.model import vocabulary as words
from kg.model.record_parts import Day, EntityId


class Publisher(MappedPart):
    """Who publishes the data; written as an organisation when the registry does not hold the id."""

    id: EntityId
    label: Text


class EditionRule(MappedPart):
    """One place that tells the edition: the first place that gives something wins. Group `edition` or the whole match."""

    how: Literal["column", "file", "path", "constant", "modified"]
    """`modified` is the day on which the file was written here: a last resort for snapshots that carry no date."""
    column: Text | None = None
    pattern: Pattern = r".+"
    value: Text | None = None

    _pattern = field_validator("pattern")(is_expression)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.how == "column") != (self.column is not None) or (self.how == "constant") != (self.value is not None):
            raise ValueError("how column needs column, how constant needs value; the others need neither")
        return self


class Edition(MappedPart):
    """A `round` is part of ids, so that rounds stay side by side; a `snapshot` does not: a later one supersedes."""

    kind: Literal["round", "snapshot"]
    tell: Annotated[list[EditionRule], Field(alias="from", min_length=1)]
    name: Text = "{edition}"
    """How the edition is written, from the text found: `v{edition}`."""
    dates: dict[str, Day] = {}
    """The day of publication by edition; a snapshot that is a date needs none."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @field_validator("name")
    @classmethod
    def _is_filled(cls, name: str) -> str:
        # nothing else is known of a file before its rows are read
        if other := sorted(set(FILLED.findall(name)) - {"edition"}):
            raise ValueError(f"nothing to fill but {{edition}}, not {{{other[0]}}}")
        return name


class Input(MappedPart):
    """One input of a derivation: another claim of this row, or a field taken as constant with its reason."""

    claim: Slug | None = None
    constant: Scalar | None = None
    unit: Text | None = None
    why: Text | None = None
    role: Literal["supporting", "contradicting"] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.claim is None) == (self.constant is None):
            raise ValueError("an input is a claim of the row or a constant")
        if self.constant is not None and (self.unit is None or self.why is None):
            raise ValueError("a constant needs unit and why")
        return self


class Derived(MappedPart):
    """How the figure follows from others. `rests-on` for a conclusion; else the expression gives the value when none is printed."""

    expression: Text
    inputs: Annotated[dict[Name, Input], Field(min_length=1)]
    variant: Text | None = None
    """`correction` where the claim puts right what another claim of the row prints: the note then gives the rule."""
    note: Text | None = None
    stated_by_text: bool = False
    when: When = []

    @model_validator(mode="after")
    def _ruled(self) -> Self:
        if self.variant == CORRECTION and (self.note is None or not any(one.claim for one in self.inputs.values())):
            raise ValueError("a correction needs a note with its rule, and the claim that it corrects as an input")
        return self


class Detailed(MappedPart):
    """A condition that is not plainly stated."""

    value: Scalar | list[Scalar] | None = None
    status: words.ConditionStatus = "stated"
    printed: Text | None = None
    source: Annotated[Text | None, Field(alias="from")] = None

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class ClaimRule(MappedPart):
    """One claim that a row gives. Text values may be `$field` or `$entity`; a claim whose figure is missing is not made."""

    about: Text
    when: When = []
    shapes: list[Name] = []
    """The shapes that give it; empty: all."""
    once: list[Name] = []
    """Fields that make the key where several rows say the same (`[entry]`); empty: the key of the row."""
    kind: words.Kind
    modality: words.Modality | Text = "stated"
    subject: Text
    subject_printed: Text | None = None
    level: words.Level | Text | dict[words.Level, words.Level] | None = None
    """Left out: the level of the subject; `{family: accelerator}`: that level, but one taken for another."""
    baseline: Text | None = None
    metric: Text
    statistic: Text | None = None
    normaliser: words.Normaliser | Text | list[words.Normaliser] = "unstated"
    relation: words.Relation = "absolute"
    value: Text | None = None
    """`$field` with a figure, a date or a list; left out where the figure is computed by the first derivation."""
    unit: Text | None = None
    term: Text | None = None
    hedge: words.Hedge | Text | None = None
    exact: bool = False
    absent: Literal["no", "when-missing"] = "no"
    """`when-missing` makes a claim that the cell is empty."""
    statement: Text | None = None
    direction: words.Direction | None = None
    conditions: dict[words.ConditionName, Scalar | list[Scalar] | Detailed] = {}
    baseline_conditions: dict[words.ConditionName, Scalar | list[Scalar] | Detailed] = {}
    asserted_by: Text | None = None
    """Left out: the publisher."""
    path: list[Text] = []
    """Further stations between the source and who says it."""
    said_on: Text | None = None
    said_on_basis: Text | None = None
    as_of: Text | None = None
    as_of_basis: Text | None = None
    anchor: Name | None = None
    """The field whose cell is the place of the claim; left out: that of the value."""
    derivations: list[Derived] = []
    note: Text | None = None

    @model_validator(mode="after")
    def _figure(self) -> Self:
        computed = self.derivations and self.derivations[0].expression != "rests-on"
        if self.value is None and self.term is None and self.statement is None and not computed:
            raise ValueError("a claim needs value, term, statement, or a derivation that gives the figure")
        if self.statement is not None and self.direction is None:
            raise ValueError("a statement needs a direction")
        if self.kind == "comparison" and self.baseline is None:
            raise ValueError("a comparison needs a baseline")
        return self


class RowRule(MappedPart):
    """A rule about rows, with its name in the counts and its reason."""

    name: Name
    when: Annotated[When, Field(min_length=1)]
    why: Text
    shapes: list[Name] = []


class Shape(MappedPart):
    """One form in which the data is passed around."""

    about: Text
    detect: Detect
    reader: Reader
    columns: Annotated[dict[str, MappedColumn | Literal["ignore"]], Field(min_length=1)]
    unknown_columns: Literal["refuse", "list"] = "refuse"
    fields: dict[Name, Computed] = {}
    source: Slug | Text | None = None
    """Id and label of the source of this shape, when they differ from those of the mapping."""
    source_label: Text | None = None
    published: bool = True
    """False for a table that somebody worked out from what the publisher gives: its figures are in no list of his."""
    key: list[Name] = []
    """The natural key of a row; empty: that of the mapping."""
    scope: Literal["full", "partial"] = "partial"
    """`full`: one file is the whole edition, and what an earlier edition held and this one does not is retired."""
    repeated: Literal["skip-identical", "number", "refuse"] = "skip-identical"
    """Rows with one key: skip those that say the same, count them on, or refuse them."""
    edition: Edition | None = None


class Example(MappedPart):
    """A row and the claims it must give: by claim name, the fields to compare. Runs in the tests."""

    shape: Name
    row: dict[str, Any]
    file: Text = "example"
    edition: Day | None = None
    """The day of a snapshot; left out: a day that says nothing."""
    gives: dict[str, dict[str, Any]] = {}
    skipped: Name | None = None
    rejected: Text | None = None


class SourceMapping(MappedPart):
    """A whole mapping."""

    title: Text
    publisher: Publisher
    licence: Text
    citation: Text
    url: Text
    caution: Text | None = None
    """What a reader should know before quoting."""
    edition: Edition
    source: Text
    source_label: Text
    decimal: Decimal | None = None
    """The decimal sign of all columns that state none of their own."""
    missing: list[Scalar] = ["", "N/A", "n/a", "NA", "nan", "NaN", "TBD", "-", "null", "None"]
    shapes: Annotated[dict[Name, Shape], Field(min_length=1)]
    key: list[Name] = []
    fields: dict[Name, Computed] = {}
    entities: dict[Name, EntityRule] = {}
    later: dict[Name, Later] = {}
    """Fields computed once the entities are known."""
    skip: list[RowRule] = []
    reject: list[RowRule] = []
    remarks: list[RowRule] = []
    """Rows that are loaded and counted all the same: a doubtful unit, a name that contradicts the counts."""
    claims: Annotated[dict[Slug, ClaimRule], Field(min_length=1)]
    examples: list[Example] = []


def names_used(value: object) -> Iterator[str]:
    """Every field or entity that a piece of a mapping refers to, by `$name` or `{name}`.

    >>> sorted(names_used({"a": "$x", "b": ["{y} of {z}"]}))
    ['x', 'y', 'z']
    """
    if isinstance(value, str):
        name = reference(value)
        if name is not None:
            yield name
        else:
            yield from FILLED.findall(value)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from names_used(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from names_used(one)
