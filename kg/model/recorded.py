"""The recorded form of claims, entities and sources: what mypy knows of a record that was read and checked.

Made by docs/make_recorded.py from kg/model/record.py and record_parts.py, where the fields are explained; not edited by hand. No key is
required: a recorded form leaves out what is not known and what is the default.
"""

from typing import Literal, TypedDict

from kg.model import vocabulary as words


class QuantityRecord(TypedDict, total=False):
    """Quantity, as recorded."""

    printed: str
    value: int | float | list[int | float]
    shape: words.Shape
    exact: bool
    unit: str
    hedge: words.Hedge
    term: str
    date: str
    set: list[str]
    absent: bool


class EventRecord(TypedDict, total=False):
    """Event, as recorded."""

    type: Literal["deployment", "shipment", "access", "release", "announcement"]
    actor: str
    operator: str
    customer: str
    date: str


ConditionDetailRecord = TypedDict(
    "ConditionDetailRecord",
    {
        "value": int | float | bool | str | list[str | int | float],
        "status": words.ConditionStatus,
        "printed": str,
        "from": str,
    },
    total=False,
)
"""ConditionDetail, as recorded."""


ConditionValue = int | float | bool | str | list[str | int | float]


ConditionsRecord = dict[str, ConditionValue | ConditionDetailRecord]


class AnchorRecord(TypedDict, total=False):
    """Anchor, as recorded."""

    document: str
    sha256: str
    start: int
    end: int
    page: int
    box: str
    table: str
    row: str | int
    column: str
    pointer: str
    sheet: str
    cell: str
    locator: str


class ContextAnchorRecord(TypedDict, total=False):
    """ContextAnchor, as recorded."""

    start: int
    end: int
    gives: str


class RestatementRecord(TypedDict, total=False):
    """Restatement, as recorded."""

    claim: str
    source: str
    fidelity: words.Fidelity


class DerivationInputRecord(TypedDict, total=False):
    """DerivationInput, as recorded."""

    claim: str
    constant: int | float
    unit: str
    why: str
    role: Literal["supporting", "contradicting"]


class DerivationRecord(TypedDict, total=False):
    """Derivation, as recorded."""

    stated_by_text: bool
    variant: str
    expression: str
    inputs: dict[str, DerivationInputRecord]
    note: str


class ContextAliasRecord(TypedDict, total=False):
    """ContextAlias, as recorded."""

    name: str
    when: list[str]


class PartRecord(TypedDict, total=False):
    """Part, as recorded."""

    part: str
    count: int
    claim: str


class ClaimRecord(TypedDict, total=False):
    """Claim, as recorded."""

    record: Literal["claim"]
    id: str
    utterance: str
    kind: words.Kind
    modality: words.Modality
    polarity: words.Polarity
    subject: str
    subject_printed: str
    level: words.Level
    subjects: list[str]
    baseline: str
    baseline_level: words.Level
    baseline_printed: str
    baseline_status: words.BaselineStatus
    metric: str
    statistic: str
    normaliser: words.Normaliser | list[words.Normaliser]
    relation: words.Relation
    reading: words.Reading
    alternatives: list[words.Reading]
    quantity: QuantityRecord
    statement: str
    direction: words.Direction
    event: EventRecord
    conditions: ConditionsRecord
    baseline_conditions: ConditionsRecord
    asserted_by: str
    attributed_to: str
    path: list[str]
    source: str
    said_on: str
    said_on_basis: str
    as_of: str
    as_of_basis: str
    anchor: AnchorRecord
    cue: str
    context_anchors: list[ContextAnchorRecord]
    also_at: list[ContextAnchorRecord]
    same_as: str
    restates: list[RestatementRecord]
    derivations: list[DerivationRecord]
    secondary: bool
    note: str
    revision: str
    supersedes: str


class ThingRecord(TypedDict, total=False):
    """Entity or Source, as recorded."""

    record: Literal["entity", "source"]
    id: str
    kind: words.EntityKind | words.SourceKind
    label: str
    aliases: list[str]
    formerly: list[str]
    context_aliases: list[ContextAliasRecord]
    level: words.Level
    maker: str
    member_of: str
    variant_of: str
    accelerator_inside: str
    parts: list[PartRecord]
    not_to_be_confused_with: list[str]
    of: str
    count: int
    form: str | words.SourceForm
    virtualised: bool
    operator: str
    suite: str
    model: str
    released: str
    source: str
    credited_to: str
    note: str
    document: str
    sha256: str
    bytes: int
    code_points: int
    publisher: str
    published: str
    published_basis: str
    machine_written: Literal["yes", "no", "partly", "unknown"]
    written_by: str
    resolved_to: str
    cites: list[str]
    licence: str
    revision: str
    supersedes: str
