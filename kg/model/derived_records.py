"""The records that follow from claims, each declared once: findings, chain steps, echo clusters, counts, advice, measured rows.

They are a pure function of the ledger, the registry and the rules; `kg.audit` makes them, the derived set keeps them as
JSON lines of exactly these keys, and `kg.projection` writes them.
"""

from typing import Annotated, Literal, NotRequired, TypedDict

from kg.model.finding_roles import INPUT
from kg.model.json_types import JsonMapping
from kg.model.terms import Head, Inline, Inner, Link, Prop, Unprojected
from kg.model.verdict import Verdict

Severity = Literal["info", "warning", "violation"]
_NAMES_RECORD = Unprojected("names the record type")


class ClaimKeys(TypedDict, total=False):
    """What follows from one claim alone: properties of the claim."""

    statement_key: Annotated[str, Prop("k:statementKey")]
    status: Annotated[str, Prop("")]


class FigureKeys(TypedDict, total=False):
    """The figure of a claim in the canonical unit of its kind, and what it is found by: properties of the figure."""

    value_buckets: Annotated[list[str], Prop("k:valueBucket")]
    canonical_value: Annotated[float, Prop("k:canonicalValue", "double")]
    canonical_lower: Annotated[float, Prop("k:canonicalLower", "double")]
    canonical_upper: Annotated[float, Prop("k:canonicalUpper", "double")]
    canonical_unit: Annotated[str, Prop("k:canonicalUnit")]
    quantity_kind: Annotated[str, Prop("k:quantityKind")]


class Amount(TypedDict):
    """A computed figure in its canonical unit."""

    value: Annotated[float, Prop("Value", "double", "value")]
    unit: Annotated[str | None, Prop("Unit", name="unit")]
    approximate: NotRequired[bool]


class Explanation(TypedDict):
    """One possible explanation of a finding, with the value it leads to."""

    code: Annotated[str, Prop("k:code")]
    text: Annotated[str, Prop("k:message", name="message")]
    corrected: Annotated[float | None, Prop("k:correctedValue", "double", "corrected_value")]


class Role(TypedDict):
    """A claim that a finding involves."""

    claim: Annotated[str, Link("k:claimInvolved", "INVOLVES", "subject", name="involves")]
    role: Annotated[str, Prop("k:roleName", name="name")]


def is_input(finding: JsonMapping, role: JsonMapping) -> bool:
    """Whether a role is that of an input of the computation that a finding judges, whose node leads to the same claims.

    >>> is_input({"code": "arithmetic.consistent", "derivation": 1}, {"claim": "002/a", "role": "input total"})
    True
    """
    is_of_computation = finding["code"].startswith("arithmetic.") and finding["derivation"] is not None
    return is_of_computation and role["role"].startswith(f"{INPUT} ")


class FindingRecord(TypedDict):
    """One judgement of one rule about one or more claims; the first of `claims` is what it is about."""

    record: Annotated[Literal["finding"], _NAMES_RECORD]
    id: Annotated[str, Unprojected("is the id of the node")]
    code: Annotated[str, Prop("k:code")]
    rule_version: Annotated[int, Prop("", "integer")]
    severity: Annotated[Severity, Prop("k:severity")]
    verdict: Annotated[str, Prop("k:verdict")]
    message: Annotated[str, Prop("k:message")]
    derivation: Annotated[int | None, Link("k:ofDerivation", "OF_DERIVATION", "derivation")]
    claims: Annotated[
        list[Role],
        Head("claim", Link("k:about", "ABOUT", "subject", name="about")),
        Inner("k:role", "k:Role", "HAS_ROLE", follows=is_input),
    ]
    computed: Annotated[Amount | None, Inline("computed")]
    corrected: Annotated[Amount | None, Inline("corrected")]
    explanations: Annotated[
        list[Explanation],
        Inner("k:explanation", "k:Explanation", "HAS_EXPLANATION", Prop("k:rank", "integer", "rank")),
    ]
    missing: Annotated[list[str], Prop("")]
    basis: Annotated[Literal["document", "reference"], Prop("k:basis", implied="document")]
    reference: Annotated[str | None, Prop("k:reference")]


class StepRecord(TypedDict):
    """One hop of one chain; `end_state` stands on the last hop only."""

    record: Annotated[Literal["step"], _NAMES_RECORD]
    claim: Annotated[str, Link("k:ofClaim", "STEP_OF", "claim")]
    hop: Annotated[int, Prop("k:hop", "integer", implied=1)]
    reaches: Annotated[str, Link("k:reaches", "REACHES", "reached")]
    is_claim: Annotated[bool, Unprojected("says where `reaches` leads")]
    via: Annotated[str, Prop("k:via", implied="derived-from")]
    fidelity: Annotated[str | None, Prop("k:fidelity")]
    end_state: Annotated[str | None, Prop("k:endState")]


class EchoRecord(TypedDict):
    """Claims that repeat one another: how many, 1 or 0 origins, and the claim they echo (an origin, if there is one)."""

    record: Annotated[Literal["echo"], _NAMES_RECORD]
    id: Annotated[str, Unprojected("is the id of the node")]
    echo_of: Annotated[str, Link("k:echoOf", "ECHO_OF", "claim")]
    mentions: Annotated[int, Prop("k:mentions", "integer")]
    origins: Annotated[int, Prop("k:origins", "integer")]
    members: Annotated[list[str], Link("k:inCluster", "IN_CLUSTER", "claim", inverse=True)]


class OriginsRecord(TypedDict):
    """How often a claim is said, from how many origins, and where its chains end: properties of the claim."""

    record: Annotated[Literal["origins"], _NAMES_RECORD]
    claim: Annotated[str, Unprojected("is the id of the node")]
    mentions: Annotated[int, Prop("k:mentions", "integer", implied=1)]
    origins: Annotated[int, Prop("k:origins", "integer", implied=1)]
    end_states: Annotated[list[str], Prop("k:endState")]


class AdviceRecord(TypedDict):
    """The verdict on a claim, why, and which value to use instead: properties of the claim."""

    record: Annotated[Literal["advice"], _NAMES_RECORD]
    claim: Annotated[str, Unprojected("is the id of the node")]
    verdict: Annotated[Verdict, Prop("k:verdict")]
    reason: Annotated[str, Prop("k:verdictReason", name="verdict_reason")]
    value: Annotated[str | None, Prop("k:valueToUse", name="value_to_use")]


class MeasuredRecord(TypedDict, total=False):
    """A row computed from published results: the best of each chip, gains, costs, efficiency; what is not known is left out."""

    record: Annotated[Literal["measured"], _NAMES_RECORD]
    id: Annotated[str, Unprojected("is the id of the node")]
    kind: Annotated[str, Prop("k:kind")]
    accelerator: Annotated[str, Link("k:ofAccelerator", "OF_ACCELERATOR")]
    against: Annotated[str, Link("k:againstAccelerator", "AGAINST_ACCELERATOR")]
    task: Annotated[str, Link("k:ofTask", "OF_TASK")]
    model: Annotated[str, Link("k:ofModel", "OF_MODEL")]
    scenario: Annotated[str, Link("k:ofScenario", "OF_SCENARIO")]
    round: Annotated[str, Link("k:ofRound", "OF_ROUND")]
    previous_round: Annotated[str, Link("k:previousRound", "PREVIOUS_ROUND")]
    submitter: Annotated[str, Link("k:ofSubmitter", "SUBMITTED_BY")]
    claim: Annotated[str, Link("k:resultClaim", "RESULT_CLAIM", "claim")]
    against_claim: Annotated[str, Link("k:againstClaim", "AGAINST_CLAIM", "claim")]
    previous_claim: Annotated[str, Link("k:previousClaim", "PREVIOUS_CLAIM", "claim")]
    price_claim: Annotated[str, Link("k:priceClaim", "PRICE_CLAIM", "claim")]
    power_claim: Annotated[str, Link("k:powerClaim", "POWER_CLAIM", "claim")]
    category: Annotated[str, Prop("k:ofCategory")]
    division: Annotated[str, Prop("k:ofDivision")]
    availability: Annotated[str, Prop("k:ofAvailability")]
    entry: Annotated[str, Prop("k:ofEntry")]
    unit: Annotated[str, Prop("k:derivedUnit")]
    bound: Annotated[str, Prop("k:priceBound")]
    value: Annotated[float, Prop("k:derivedValue", "double")]
    lower: Annotated[float, Prop("k:derivedLower", "double")]
    upper: Annotated[float, Prop("k:derivedUpper", "double")]
    per_system: Annotated[float, Prop("k:perSystemRatio", "double")]
    inverse: Annotated[float, Prop("k:inverseRatio", "double")]
    inverse_per_system: Annotated[float, Prop("k:inversePerSystemRatio", "double")]
    change: Annotated[float, Prop("k:changeRatio", "double")]
    accelerators: Annotated[int, Prop("k:systemSize", "integer")]
    against_accelerators: Annotated[int, Prop("k:againstSystemSize", "integer")]
    results: Annotated[int, Prop("k:resultCount", "integer")]


DerivedRecord = FindingRecord | StepRecord | EchoRecord | OriginsRecord | AdviceRecord | MeasuredRecord
