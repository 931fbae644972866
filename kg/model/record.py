"""The records of the ledger: claims, entities and sources, in the shape of the JSON Lines exchange form.

This is the single definition. Each field declares how it shows in RDF and in the property graph
(`kg.model.terms`). Only what was recorded stands here: labels, canonical values, statement keys and findings are
derived (`kg.model.derived`, `kg.audit`).
"""

from collections.abc import Iterator
from typing import Annotated, Literal, Self, cast, overload

from pydantic import Field, model_validator

from kg.model import vocabulary as words
from kg.model.identifiers import is_source_id
from kg.model.ledger_records import CurrentRecord
from kg.model.record_parts import (
    Anchor,
    ClaimId,
    Conditions,
    ContextAnchor,
    Count,
    Day,
    Derivation,
    EntityId,
    Event,
    Quantity,
    Record,
    Restatement,
    Sha256,
    Text,
    Whole,
    Word,
    check_address,
    check_days,
)
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.terms import Inner, Link, Prop, Unprojected, declared

SCHEMA = 1
"""Schema number of the records this version writes."""


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
        check_address(self.id)
        check_days(self.said_on, self.as_of)
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
        check_address(self.id)
        check_days(self.released)
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
        check_address(self.id)
        check_days(self.published)
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
