"""The records of the ledger: claims, entities and sources, in the shape of the JSON Lines exchange form.

This is the single definition. Each field declares how it shows in RDF and in the property graph
(`kg.model.terms`). Only what was recorded stands here: labels, canonical values, statement keys and findings are
derived (`kg.model.derived`, `kg.audit`).
"""

import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self, cast, overload

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from kg.model import vocabulary as words
from kg.model.dates import DATE, is_date
from kg.model.exact import MOST_POWER
from kg.model.identifiers import ANY_ID, CLAIM_ID, is_source_id
from kg.model.ledger_records import CurrentRecord
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.terms import Inner, Link, Prop, Unprojected, declared

SCHEMA = 1
"""Schema number of the records this version writes."""

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


def _check_days(*days: str | None) -> None:
    """Apart from the type, since the compiled form has patterns only; the audit counts days with these dates."""
    for day in days:
        if day is not None and not is_date(day):
            raise ValueError(f"a date that exists is needed; given: {day}")


def _check_address(identifier: str) -> None:
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
        _check_days(self.date)
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
        _check_days(self.date)
        return self


class Claim(Record):
    """One statement by someone, printed somewhere, about one subject (or one subject against one baseline)."""

    record: Annotated[Literal["claim"], Unprojected("names the record type")] = "claim"
    id: Annotated[ClaimId, Prop("dcterms:identifier", exported="whoever does not read our IRIs")]
    utterance: Annotated[Word | None, Prop("k:utterance")] = None
    kind: Annotated[words.Kind, Prop("k:kind", exported="whoever knows no class of ours; questions ask the class")]
    modality: Annotated[words.Modality, Prop("k:modality", implied="stated")] = "stated"
    polarity: Annotated[words.Polarity, Prop("k:polarity", implied="affirmed")] = "affirmed"
    subject: Annotated[EntityId, Link("k:subject", "SUBJECT")]
    subject_printed: Annotated[Text | None, Prop("k:subjectPrinted")] = None
    level: Annotated[words.Level, Prop("k:level")]
    subjects: Annotated[list[EntityId] | None, Link("k:subject", "SUBJECT")] = None
    baseline: Annotated[EntityId | None, Link("k:baseline", "BASELINE")] = None
    baseline_level: Annotated[words.Level | None, Prop("k:baselineLevel")] = None
    baseline_printed: Annotated[Text | None, Prop("k:baselinePrinted")] = None
    baseline_status: Annotated[words.BaselineStatus | None, Prop("k:baselineStatus")] = None
    metric: Annotated[Word, Link("k:metric", "MEASURES", "metric")]
    statistic: Annotated[Word | None, Prop("k:statistic")] = None
    normaliser: Annotated[
        words.Normaliser | Annotated[list[words.Normaliser], Field(min_length=2, max_length=2)],
        Prop("k:normaliser", implied="unstated"),
    ] = "unstated"
    relation: Annotated[words.Relation, Prop("k:relation", implied="absolute")] = "absolute"
    reading: Annotated[words.Reading | None, Prop("k:reading")] = None
    alternatives: Annotated[list[words.Reading], Prop("k:alternativeReading")] = []
    quantity: Annotated[Quantity | None, Inner("k:quantity", "k:Quantity")] = None
    statement: Annotated[Text | None, Prop("k:statement")] = None
    direction: Annotated[words.Direction | None, Prop("k:direction")] = None
    event: Annotated[
        Event | None, Inner("k:event", "k:Event", free="queries of users: who deployed or shipped what, when")
    ] = None
    conditions: Annotated[Conditions, Inner("k:underConditions", "k:Conditions", "UNDER")] = {}
    baseline_conditions: Annotated[Conditions, Inner("k:baselineConditions", "k:Conditions", "BASELINE_UNDER")] = {}
    asserted_by: Annotated[EntityId, Link("prov:wasAttributedTo", "ASSERTED_BY")]
    attributed_to: Annotated[EntityId | None, Link("k:attributedInText", "ATTRIBUTED_TO")] = None
    path: Annotated[
        list[EntityId],
        Link("k:relayedThrough", "RELAYED_THROUGH", exported="who follows links; questions read k:pathText, in order"),
    ] = []
    source: Annotated[EntityId, Link("schema:appearance", "STATED_IN")]
    said_on: Annotated[Day | None, Prop("schema:datePublished", "date")] = None
    said_on_basis: Annotated[Text | None, Prop("k:datePublishedBasis")] = None
    as_of: Annotated[Day | None, Prop("k:asOf", "date")] = None
    as_of_basis: Annotated[
        Text | None, Prop("k:asOfBasis", exported="whoever checks a date; the card shows it from the ledger")
    ] = None
    anchor: Annotated[Anchor, Inner("k:anchoredAt", "k:Passage", "ANCHORED_AT")]
    cue: Annotated[Text | None, Prop("k:cue")] = None
    context_anchors: Annotated[list[ContextAnchor], Unprojected("shown from the ledger and in exports")] = []
    also_at: Annotated[list[ContextAnchor], Unprojected("shown from the ledger and in exports")] = []
    same_as: Annotated[ClaimId | None, Link("k:sameStatementAs", "SAME_AS", "claim")] = None
    restates: Annotated[list[Restatement], Inner("k:restatement", "k:Restatement")] = []
    derivations: Annotated[list[Derivation], Inner("prov:wasGeneratedBy", "k:Computation", "COMPUTED_BY")] = []
    secondary: Annotated[bool, Prop("k:secondary", "boolean")] = False
    note: Annotated[Text | None, Prop("skos:note")] = None

    @model_validator(mode="after")
    def _id_and_days(self) -> Self:
        _check_address(self.id)
        _check_days(self.said_on, self.as_of)
        return self

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.subjects is not None and (len(self.subjects) < 2 or self.subject not in self.subjects):
            raise ValueError("subjects lists two or more things taken together, the subject among them")
        if self.quantity is None and (self.statement is None or self.direction is None):
            raise ValueError("a claim without a quantity needs a statement and a direction")
        _check_comparison(self)
        _check_direction(self)
        if self.kind == "event" and self.event is None:
            raise ValueError("an event claim needs its event")
        if any(d.inputs and any(i.claim == self.id for i in d.inputs.values()) for d in self.derivations):
            raise ValueError("a claim cannot be derived from itself")
        # What is found on such a claim would be taken for a finding on a source.
        if is_source_id(self.id):
            raise ValueError("the id of a claim begins with the name of its source, and none is called so")
        return self


def _check_direction(claim: Claim) -> None:
    """Refuse a direction that does not fit what else the claim says; the rule is in docs/curating.md."""
    if claim.polarity == "negated" and claim.direction not in (None, *words.DENIALS):
        raise ValueError(
            f"a negated claim takes one of the directions {', '.join(words.DENIALS)}: what is left after the negation"
        )
    if claim.polarity != "negated" and claim.direction in words.ALWAYS_NEGATED:
        raise ValueError(f"{claim.direction} denies an order: write polarity negated")
    if claim.kind == "comparison" and claim.direction in words.PRESENCE:
        raise ValueError(f"a comparison has an order: higher, lower, similar or a denial of one, not {claim.direction}")
    if claim.direction is not None and words.OPPOSITE.get(claim.relation) == claim.direction:
        raise ValueError(f"the relation {claim.relation} and the direction {claim.direction} say the opposite")


def _check_comparison(claim: Claim) -> None:
    """Refuse a comparison with nothing. A function of its own, since compiled structs borrow the validator, not the class."""
    if claim.kind == "comparison" and claim.baseline is None and claim.baseline_status != "unstated":
        raise ValueError("a comparison needs a baseline, or baseline_status unstated")
    if claim.baseline is not None and claim.baseline == claim.subject and claim.conditions == claim.baseline_conditions:
        raise ValueError("a thing compared with itself needs baseline conditions that differ")
    if claim.relation != "absolute" and claim.quantity is not None and claim.quantity.term is not None:
        raise ValueError("a term is never a ratio: relation must be absolute")


class Part(Record):
    """A whole holds `count` of a part; the count is itself a claim where a text states it."""

    part: Annotated[EntityId, Link("k:part", "OF_PART")]
    count: Annotated[Count, Prop("k:partCount", "integer")]
    claim: Annotated[ClaimId | None, Link("k:countClaimed", "COUNT_CLAIMED", "claim")] = None


class ContextAlias(Record):
    """An ambiguous name, with the words that decide it."""

    name: Word
    when: list[Word] = Field(min_length=1)


class Entity(Record):
    """A thing claims are about. Its numbers are never written here: they are claims."""

    record: Annotated[Literal["entity"], Unprojected("names the record type")] = "entity"
    id: Annotated[EntityId, Prop("dcterms:identifier", exported="whoever does not read our IRIs")]
    kind: Annotated[
        words.EntityKind, Prop("k:kind", exported="whoever knows no class of ours; questions ask the class")
    ]
    label: Annotated[Text, Prop("skos:prefLabel")]
    aliases: Annotated[list[Word], Prop("skos:altLabel", exported="readers of SKOS; questions ask k:nameKey")] = []
    formerly: Annotated[
        list[EntityId], Prop("k:formerId", exported="whoever holds an old id; questions ask k:nameKey")
    ] = []
    """Ids that were given up and lead here; `seeds/entities/redirects.yaml` says them."""
    context_aliases: Annotated[list[ContextAlias], Unprojected("used while names are resolved")] = []
    level: Annotated[words.Level | None, Prop("k:level")] = None
    maker: Annotated[EntityId | None, Link("schema:manufacturer", "MADE_BY")] = None
    member_of: Annotated[EntityId | None, Link("k:memberOfFamily", "MEMBER_OF")] = None
    variant_of: Annotated[EntityId | None, Link("schema:isVariantOf", "VARIANT_OF")] = None
    accelerator_inside: Annotated[EntityId | None, Link("k:acceleratorInside", "ACCELERATOR_INSIDE")] = None
    parts: Annotated[list[Part], Inner("k:composition", "k:Composition")] = []
    not_to_be_confused_with: Annotated[list[EntityId], Link("k:notToBeConfusedWith", "NOT_TO_BE_CONFUSED_WITH")] = []
    of: Annotated[EntityId | None, Link("k:configurationOf", "CONFIGURATION_OF")] = None
    count: Annotated[Count | None, Prop("k:acceleratorCount", "integer")] = None
    form: Annotated[Word | None, Prop("k:form")] = None
    virtualised: Annotated[bool | None, Prop("k:virtualised", "boolean")] = None
    operator: Annotated[EntityId | None, Link("k:operatedBy", "OPERATED_BY")] = None
    suite: Annotated[EntityId | None, Link("k:inSuite", "IN_SUITE")] = None
    model: Annotated[EntityId | None, Link("k:taskModel", "TASK_MODEL")] = None
    released: Annotated[Day | None, Prop("k:released", "date")] = None
    source: Annotated[
        EntityId | None, Link("k:appearsIn", "APPEARS_IN", exported="whoever looks where a missing thing was announced")
    ] = None
    credited_to: Annotated[
        EntityId | None, Link("k:creditedTo", "CREDITED_TO", exported="whoever looks for the maker of a figure")
    ] = None
    note: Annotated[Text | None, Prop("skos:note")] = None

    @model_validator(mode="after")
    def _id_and_days(self) -> Self:
        _check_address(self.id)
        _check_days(self.released)
        return self


class Source(Record):
    """A document, a data set, or a cited thing that nobody opened."""

    record: Annotated[Literal["source"], Unprojected("names the record type")] = "source"
    id: Annotated[EntityId, Prop("dcterms:identifier", exported="whoever does not read our IRIs")]
    kind: Annotated[words.SourceKind, Prop("k:kind")]
    label: Annotated[Text, Prop("skos:prefLabel")]
    aliases: Annotated[list[Word], Prop("skos:altLabel", exported="readers of SKOS; questions ask k:nameKey")] = []
    form: Annotated[words.SourceForm | None, Prop("k:form")] = None
    document: Annotated[Word | None, Prop("k:documentName")] = None
    sha256: Annotated[Sha256 | None, Prop("k:sha256")] = None
    bytes: Annotated[Whole | None, Prop("k:byteLength", "integer")] = None
    code_points: Annotated[Whole | None, Prop("k:codePointLength", "integer")] = None
    publisher: Annotated[EntityId | None, Link("schema:publisher", "PUBLISHED_BY")] = None
    published: Annotated[Day | None, Prop("schema:datePublished", "date")] = None
    published_basis: Annotated[Text | None, Prop("k:datePublishedBasis")] = None
    machine_written: Annotated[Literal["yes", "no", "partly", "unknown"], Prop("k:machineWritten", implied="no")] = "no"
    written_by: Annotated[EntityId | None, Link("k:writtenBy", "WRITTEN_BY")] = None
    resolved_to: Annotated[EntityId | None, Link("k:resolvedTo", "RESOLVED_TO")] = None
    cites: Annotated[list[EntityId], Link("cito:cites", "CITES")] = []
    licence: Annotated[Word | None, Prop("k:licence")] = None
    note: Annotated[Text | None, Prop("skos:note")] = None

    @model_validator(mode="after")
    def _id_and_days(self) -> Self:
        _check_address(self.id)
        _check_days(self.published)
        return self


AnyRecord = Claim | Entity | Source
RECORD_TYPES: dict[str, type[Record]] = {"claim": Claim, "entity": Entity, "source": Source}


@overload
def recorded_form(record: Claim) -> ClaimRecord: ...
@overload
def recorded_form(record: Entity | Source) -> ThingRecord: ...
@overload
def recorded_form(record: AnyRecord) -> CurrentRecord: ...
def recorded_form(record: AnyRecord) -> CurrentRecord:
    """The record as plain JSON values, without defaults and empty parts: the form that is hashed and stored."""
    found = record.model_dump(mode="json", exclude_defaults=True, by_alias=True) | {"record": record.record}
    return cast(CurrentRecord, found)


def default_values(cls: type[Record]) -> Iterator[tuple[str, Prop, str | bool]]:
    """The literal fields whose default says something: a recorded form leaves the default out, a graph states it.

    False, empty and absent defaults stay unwritten.

    >>> [(name, default) for name, _, default in default_values(Restatement)]
    [('fidelity', 'unverified')]
    """
    for name, projection in declared(cls):
        default = cls.model_fields[name].default if name in cls.model_fields else None
        if isinstance(projection, Prop) and isinstance(default, str | bool) and default:
            yield name, projection, default
