"""The form of `loaders/<source>/mapping.yaml`: frozen models that refuse unknown keys. `loaders/README.md` explains it.

A value that starts with `$` is a reference to a field or an entity of the row; `{name}` inside a text is filled in.
Reading a file is left to `kg.ingest.sources`, running it to `kg.ingest.compile`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from kg.model import vocabulary as words
from kg.model.record import Day, EntityId

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""A field, entity, claim or rule of a mapping."""
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=80)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Scalar = str | int | float | bool
REFERENCE = re.compile(r"^\$([a-z][a-z0-9_]*)$")
CORRECTION = "correction"
"""The variant of a derivation that puts right what another claim of the row prints."""
FILLED = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def reference(value: object) -> str | None:
    """The name that `$name` refers to.

    >>> reference("$total"), reference("total")
    ('total', None)
    """
    found = REFERENCE.match(value) if isinstance(value, str) else None
    return found.group(1) if found else None


class MappedPart(BaseModel):
    """A piece of a mapping: frozen, and no key that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def _compiles(value: str) -> str:
    try:
        re.compile(value)
    except re.error as cause:
        raise ValueError(f"not a regular expression: {cause}") from cause
    return value


# Who publishes, and which edition a file is.


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

    _pattern = field_validator("pattern")(_compiles)

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


# How a file is recognised and read.


class Detect(MappedPart):
    """What tells this shape from the others: the file name, and columns or keys that must (not) be there."""

    file: Text | list[Text] = "*"
    has: list[Text] = []
    lacks: list[Text] = []


class CsvReader(MappedPart):
    """Comma, tab or otherwise separated text."""

    format: Literal["csv"]
    delimiter: Annotated[str, StringConstraints(min_length=1, max_length=1)] | Literal["auto"] = "auto"
    encoding: Literal["auto", "utf-8", "utf-16", "latin-1", "cp1252"] = "auto"
    header_line: Annotated[int, Field(ge=1, le=100)] = 1
    repeated_columns: Literal["refuse", "number"] = "refuse"
    short_rows: Literal["refuse", "fill"] = "refuse"
    long_rows: Literal["refuse", "cut"] = "refuse"
    """Rows with more cells than the header has names: refused, or read without what is too much."""


class JsonReader(MappedPart):
    """A list of objects, an object of objects, or one object, at a pointer into a JSON file."""

    format: Literal["json"]
    at: str = ""
    rows: Literal["list", "object", "single"] = "list"
    key_column: Text = "key"
    """With rows object: the column that gets the key of each row."""
    skip_keys: list[str] = []


class JsonLinesReader(MappedPart):
    """One JSON object a line."""

    format: Literal["jsonl"]


class YamlReader(MappedPart):
    """A list of mappings at a pointer into a YAML file."""

    format: Literal["yaml"]
    at: str = ""


class XlsxReader(MappedPart):
    """One sheet of a workbook; formulas stay text."""

    format: Literal["xlsx"]
    sheet: str | None = None
    header_line: Annotated[int, Field(ge=1, le=100)] = 1
    repeated_columns: Literal["refuse", "number"] = "refuse"


class ParquetReader(MappedPart):
    """A Parquet table."""

    format: Literal["parquet"]


class CrosstabReader(MappedPart):
    """A results page: header lines whose names span columns, and several lines a system, distinguished by a label.

    Gives one row for each system and result column that has a figure.
    """

    format: Literal["crosstab"]
    delimiter: Annotated[str, StringConstraints(min_length=1, max_length=1)] | Literal["auto"] = "auto"
    encoding: Literal["auto", "utf-8", "utf-16", "latin-1", "cp1252"] = "auto"
    spans: dict[Name, Annotated[int, Field(ge=1, le=20)]]
    """From column name to the header line that prints it once over its columns."""
    header_line: Annotated[int, Field(ge=1, le=20)]
    unit_column: Name = "unit"
    """The column that gets what the last header line prints over a result."""
    lines: dict[str, Name]
    """From the label of a line to the column that gets its cells."""
    value: Name
    """The column that must have a cell for a row to be there."""


Reader = Annotated[
    CsvReader | JsonReader | JsonLinesReader | YamlReader | XlsxReader | ParquetReader | CrosstabReader,
    Field(discriminator="format"),
]


# Columns and fields.

Type = Literal["text", "integer", "number", "boolean", "date", "list", "quantity", "any"]


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
    separator: str = ","
    """Of the parts of a list."""
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
            _compiles(self.matches)
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

    _pattern = field_validator("pattern")(_compiles)


class Replaced(_Computed):
    """The text with every find of a pattern replaced."""

    how: Literal["replace"]
    of: Name
    pattern: Pattern
    by: str = ""

    _pattern = field_validator("pattern")(_compiles)


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


# Entities.


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


# Claims.


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
