"""What records are made of: the types of their fields, and the parts of a claim, each with its own fields.

Declared as the records themselves are (`kg.model.record`).
"""

import re
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from kg.model import vocabulary as words
from kg.model.dates import DATE, is_date
from kg.model.exact import MOST_POWER
from kg.model.identifiers import ANY_ID, CLAIM_ID
from kg.model.terms import Inner, Link, Prop

_LARGEST = 2**63 - 1
Whole = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
"""A whole number that JSON, the engines and the tables hold alike: 64 bits."""
Position = Annotated[int, Field(ge=0, le=_LARGEST)]
Count = Annotated[int, Field(ge=1, le=_LARGEST)]
Number = Whole | Annotated[float, Field(ge=-(10.0**MOST_POWER), le=10.0**MOST_POWER)]
MOST_OF_AN_ID: Final = 200
"""Characters of the id of a thing."""
EntityId = Annotated[str, StringConstraints(pattern=f"^{ANY_ID}$", max_length=MOST_OF_AN_ID)]
ClaimId = Annotated[str, StringConstraints(pattern=f"^{CLAIM_ID}$", max_length=300)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Box = Annotated[
    str,
    StringConstraints(
        pattern=r"^-?[0-9]+(\.[0-9]+)?,-?[0-9]+(\.[0-9]+)?,[0-9]+(\.[0-9]+)?,[0-9]+(\.[0-9]+)?$", max_length=80
    ),
]
"""A rectangle of a page as the `viewrect` of a PDF fragment (RFC 8118, section 3): left, top, width, height in points."""
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Day = Annotated[str, StringConstraints(pattern=DATE)]


_INPUT_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def check_days(*days: str | None) -> None:
    """Apart from the type, since the compiled form has patterns only; the audit counts days with these dates."""
    for day in days:
        if day is not None and not is_date(day):
            raise ValueError(f"a date that exists is needed; given: {day}")


def check_address(identifier: str) -> None:
    """An id is the path of a page and of an IRI, in which everybody resolves `.` and `..`, escaped or not.

    https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4
    """
    dots = next((part for part in identifier.split("/") if part in (".", "..")), None)
    if dots is not None:
        raise ValueError(f"an id without a part {dots} between strokes is needed; given: {identifier}")


class Record(BaseModel):
    """Frozen, and no key that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, str_strip_whitespace=False)


class Quantity(Record):
    """A figure as printed. `value` is in `unit`; bounds and canonical values are derived from these fields."""

    printed: Annotated[Text | None, Prop("k:printed")] = None
    value: Annotated[
        Number | Annotated[list[Number], Field(min_length=2, max_length=2)] | None,
        Prop("qudt:numericValue", "double"),
    ] = None
    shape: Annotated[words.Shape | None, Prop("k:shape")] = None
    exact: Annotated[bool, Prop("k:exact", "boolean")] = False
    unit: Annotated[Word | None, Link("qudt:hasUnit", "IN_UNIT", "unit")] = None
    hedge: Annotated[words.Hedge | None, Prop("k:hedge")] = None
    term: Annotated[EntityId | None, Link("k:termValue", "TERM_VALUE")] = None
    date: Annotated[Day | None, Prop("k:dateValue", "date")] = None
    set: Annotated[list[Text] | None, Prop("k:setValue")] = None
    absent: Annotated[bool, Prop("k:absent", "boolean")] = False

    @model_validator(mode="after")
    def _one_value(self) -> Self:
        given = [n for n in ("value", "term", "date", "set") if getattr(self, n) is not None] + ["absent"] * self.absent
        if len(given) != 1:
            raise ValueError(
                f"exactly one of value, term, date, set, absent is needed; given: {', '.join(given) or 'none'}"
            )
        if self.value is not None and self.unit is None:
            raise ValueError("a value needs a unit")
        _check_values(self)
        check_days(self.date)
        return self


def _check_values(quantity: Quantity) -> None:
    """Apart from the class, since the compiled form of it is checked too and has no methods."""
    if isinstance(quantity.value, list) != (quantity.shape in ("interval", "span")) and quantity.shape != "magnitude":
        raise ValueError("a pair of values needs shape interval or span, a single value has none")
    values = quantity.value if isinstance(quantity.value, list) else [quantity.value]
    # beyond these powers a double has no value that prints as it was written
    if any(one and abs(one) < 10.0**-MOST_POWER for one in values):
        raise ValueError(f"a value is 0, or between 1e-{MOST_POWER} and 1e{MOST_POWER}")
    if isinstance(quantity.value, list) and quantity.shape == "interval" and quantity.value[0] > quantity.value[1]:
        raise ValueError("the ends of an interval are out of order")


class Anchor(Record):
    """Where a figure is in a snapshot: text positions in code points, a CSV cell, a JSON pointer, a sheet cell, or
    (for a record nobody holds as a file) a locator in words. A text of printed pages adds page and box to positions."""

    document: Annotated[Word | None, Prop("k:documentName")] = None
    sha256: Annotated[Sha256 | None, Prop("k:sha256")] = None
    start: Annotated[
        Position | None, Prop("oa:start", "integer", exported="readers of Web Annotation; the id says it")
    ] = None
    end: Annotated[Position | None, Prop("oa:end", "integer", exported="readers of Web Annotation; the id says it")] = (
        None
    )
    page: Annotated[Count | None, Prop("k:page", "integer")] = None
    box: Annotated[Box | None, Prop("k:box")] = None
    table: Annotated[Word | None, Prop("k:table")] = None
    row: Annotated[Word | Whole | None, Prop("k:row")] = None
    column: Annotated[Word | None, Prop("k:column")] = None
    pointer: Annotated[Word | None, Prop("k:pointer")] = None
    sheet: Annotated[Word | None, Prop("k:sheet")] = None
    cell: Annotated[Word | None, Prop("k:cell")] = None
    locator: Annotated[Text | None, Prop("k:locator")] = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        _check_positions(self)
        is_in_text = self.start is not None
        is_in_table = self.row is not None and self.column is not None
        forms = [is_in_text or is_in_table, self.pointer, self.sheet and self.cell, self.locator]
        if sum(map(bool, forms)) != 1:
            raise ValueError(
                "an anchor needs one of: start and end (a table cell adds row and column), row and column, pointer, "
                "sheet and cell, locator"
            )
        if self.locator is None and self.sha256 is None:
            raise ValueError("an anchor in a file needs the sha256 of the file")
        return self


def _check_positions(anchor: Anchor) -> None:
    """A function of its own for the reason of `_check_values`."""
    if (anchor.start is None) != (anchor.end is None):
        raise ValueError("start and end go together")
    if anchor.start is not None and anchor.end is not None and anchor.start >= anchor.end:
        raise ValueError("start must lie before end")
    if (anchor.page is not None and anchor.start is None) or (anchor.box is not None and anchor.page is None):
        raise ValueError("a page belongs to start and end in the text, a box to a page")


class ContextAnchor(Record):
    """Another place that gives the unit, the subject, a condition or the same statement."""

    start: Position
    end: Position
    gives: Word | None = None


class ConditionDetail(Record):
    """A condition that is not plainly stated: what is taken, with what standing, and from where."""

    value: Number | bool | Text | list[Text | Number] | None = None
    status: words.ConditionStatus = "stated"
    printed: Text | None = None
    from_: Annotated[Text | None, Field(alias="from")] = None

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


Conditions = dict[words.ConditionName, Number | bool | Text | list[Text | Number] | ConditionDetail]


class Restatement(Record):
    """This claim repeats another claim, or a source nobody opened."""

    claim: Annotated[ClaimId | None, Link("k:restatesClaim", "RESTATES", "claim")] = None
    source: Annotated[EntityId | None, Link("k:restatesSource", "RESTATES")] = None
    fidelity: Annotated[words.Fidelity, Prop("k:fidelity")] = "unverified"

    @model_validator(mode="after")
    def _has_target(self) -> Self:
        if self.claim is None and self.source is None:
            raise ValueError("a restatement names a claim, a source, or both")
        return self


class DerivationInput(Record):
    """One named input: another claim, or a constant with its reason."""

    claim: Annotated[ClaimId | None, Link("prov:entity", "USED", "claim")] = None
    constant: Annotated[Number | None, Prop("k:constant", "double")] = None
    unit: Annotated[Word | None, Prop("k:constantUnit")] = None
    why: Annotated[Text | None, Prop("k:why")] = None
    role: Annotated[Literal["supporting", "contradicting"] | None, Prop("k:inputRole")] = None

    @model_validator(mode="after")
    def _claim_or_constant(self) -> Self:
        if (self.claim is None) == (self.constant is None):
            raise ValueError("an input is either a claim or a constant")
        if self.constant is not None and self.unit is None:
            raise ValueError("a constant needs a unit")
        return self


class Derivation(Record):
    """How a figure was computed: an expression over named inputs, or `rests-on` for a conclusion."""

    stated_by_text: Annotated[bool, Prop("k:statedByText", "boolean", implied=True)] = True
    variant: Annotated[Word | None, Prop("k:variant")] = None
    expression: Annotated[Text, Prop("k:expression")]
    inputs: Annotated[dict[str, DerivationInput], Field(min_length=1), Inner("prov:qualifiedUsage", "k:Usage")]
    note: Annotated[Text | None, Prop("skos:note")] = None

    @model_validator(mode="after")
    def _names_agree(self) -> Self:
        if self.expression == "rests-on":
            missing = [name for name, given in self.inputs.items() if given.claim is None]
            if missing:
                raise ValueError(f"a conclusion rests on claims only; not a claim: {', '.join(missing)}")
            # The IRI of an input ends in its name.
            if wrong := [name for name in self.inputs if not _INPUT_NAME.fullmatch(name)]:
                raise ValueError(f"an input is named by a word of letters, digits and _; given: {', '.join(wrong)}")
            return self
        # Names as `kg.model.expression` reads them: it has no functions.
        names = set(_INPUT_NAME.findall(self.expression))
        if names != set(self.inputs):
            raise ValueError(f"the expression uses {sorted(names)}, the inputs are {sorted(self.inputs)}")
        return self


class Event(Record):
    """Who did what with whom, when."""

    type: Annotated[Literal["deployment", "shipment", "access", "release", "announcement"], Prop("k:eventType")]
    actor: Annotated[EntityId | None, Link("k:eventActor", "EVENT_ACTOR")] = None
    operator: Annotated[EntityId | None, Link("k:eventOperator", "EVENT_OPERATOR")] = None
    customer: Annotated[EntityId | None, Link("k:eventCustomer", "EVENT_CUSTOMER")] = None
    date: Annotated[Day | None, Prop("k:eventDate", "date")] = None

    @model_validator(mode="after")
    def _days_exist(self) -> Self:
        check_days(self.date)
        return self
