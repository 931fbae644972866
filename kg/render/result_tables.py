"""How results show themselves as tables: a table of columns each, the most important table first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kg.model.columns import PartOf, columns, pairs, table_of
from kg.model.result import Table

if TYPE_CHECKING:
    from kg.answers.audit import Judged
    from kg.answers.compare import Comparison
    from kg.answers.conflicts import Conflicts
    from kg.answers.find import Found
    from kg.answers.origins import OriginsOf
    from kg.answers.sheet import Sheet
    from kg.answers.show import Shown
    from kg.answers.trace import Trace

Tables = Mapping[str, Table]

_PLACE: Final = "document=place.document start=place.start end=place.end place=place.inside"
_COMPARED: Final = columns(
    "claim=id orientation subject=subject.id subject_label=subject.label level baseline=baseline.id"
    " baseline_label=baseline.label metric normaliser printed hedge modality relation ratio ratio_lower ratio_upper"
    " direction statement conditions baseline_conditions asserted_by=asserted_by.name source=source.id"
    f" said_on {_PLACE} findings=finding_codes verdict verdict_reason value_to_use"
)
_BRIEF_COMPARED: Final = (
    "claim",
    "subject_label",
    "baseline_label",
    "metric",
    "printed",
    "hedge",
    "modality",
    "relation",
    "ratio",
    "statement",
    "asserted_by",
    "source",
    "findings",
    "verdict",
    "value_to_use",
)
_CLAIM: Final = columns(
    "claim=id subject=subject_names baseline=baseline.name metric printed=figure.printed hedge=figure.hedge"
    " modality value=figure.single unit=figure.unit canonical_value=figure.canonical_value"
    " canonical_unit=figure.canonical_unit conditions asserted_by=asserted_by.name source=source.id"
    f" said_on {_PLACE} verdict verdict_reason value_to_use"
)
_BRIEF_CLAIM: Final = (
    "claim",
    "subject",
    "baseline",
    "metric",
    "printed",
    "hedge",
    "modality",
    "conditions",
    "asserted_by",
    "source",
    "verdict",
    "verdict_reason",
)
_CHAIN: Final = columns(
    "claim=one.claim.id via hop reached label printed asserted_by source fidelity end_state through", of="part"
)
_INPUT: Final = columns(
    "claim=one.one.claim.id derivation=one.part.id expression=one.part.expression name input_claim=part.claim constant"
    " unit=part.constant_unit|part.unit printed canonical_value",
    of="part",
)
_CLAIM_FINDING: Final = columns(
    "claim=one.claim.id finding=part.id code severity verdict message computed_value computed_unit corrected_value",
    of="part",
)
_DEPENDENT: Final = columns("claim=one.claim.id dependent=part.claim via hop metric printed source verdict", of="part")
MATCHES: Final = columns("kind id label value unit subject=subject.id verdict matched score")
_LINK: Final = columns("link other=other.id label=other.label")
_SPEC: Final = columns(
    "thing=of.id label=of.label metric facets level value verdict low high unit sources claims reason"
)
_BRIEF_SPEC: Final = ("metric", "facets", "level", "value", "verdict", "sources", "reason")
_BRIEF_METRIC: Final = ("label", "facets", "level", "value", "verdict", "sources", "reason")
_SPEC_VALUE: Final = columns(
    "thing=one.of.id metric=one.metric level=one.level conditions shown value unit verdict value_to_use claims sources"
    " subjects=part.subject_ids",
    of="part",
)
_PUBLISHED: Final = columns(
    "accelerator=accelerator.id task=task.id scenario=scenario.id results low high unit best"
    " best_by=best_by.name best_round=best_round.id newest_round=newest_round.id"
)
_COMPARED_WITH: Final = columns("other=other.id label=other.label claims refused")
_MEMBER: Final = columns(
    "finding=one.finding outcome=one.verdict severity=one.severity metric=one.metric claim role printed=part.claim.shown"
    " canonical_value canonical_lower canonical_upper canonical_unit"
    " subject=part.claim.subject_label|part.claim.subject baseline=part.claim.baseline_label|part.claim.baseline"
    " asserted_by=part.claim.speaker|part.claim.asserted_by source said_on place differs=part.differences verdict",
    of="part.claim",
)
_BRIEF_MEMBER: Final = (
    "outcome",
    "metric",
    "claim",
    "printed",
    "subject",
    "asserted_by",
    "source",
    "differs",
    "verdict",
)
_GROUP: Final = columns("finding code verdict severity metric claims=size message")
_EXPLANATION: Final = columns("finding=one.finding rank code message corrected_value", of="part")
_MENTION: Final = columns(
    "claim printed statement asserted_by=speaker|asserted_by source machine_written said_on end_states verdict"
)
_MENTION_CHAIN: Final = columns("claim=one.claim via hop reached label fidelity end_state through", of="part")
_OUTSIDE: Final = columns("claim printed conditions asserted_by source said_on verdict")
_FINDING: Final = columns(
    "finding=id code severity verdict claim source message computed_value computed_unit corrected_value corrected_unit"
)
_COUNT: Final = columns("code severity verdict source findings")
_NOT_CHECKED: Final = columns("finding claim source printed expression message")


def comparison_tables(result: Comparison) -> Tables:
    """One row for each claim; findings one by one."""
    finding = columns("claim=one.id finding=part.id code severity message", of="part")
    return {
        "claims": table_of(_COMPARED, result.claims, _BRIEF_COMPARED),
        "findings": table_of(finding, pairs(result.claims, "findings")),
    }


def trace_tables(result: Trace) -> Tables:
    """Claims, the hops of their chains, their inputs, findings, and what rests on them."""
    found = result.claims
    derivations = pairs(found, "derivations")
    return {
        "claims": table_of(_CLAIM, (one.claim for one in found), _BRIEF_CLAIM),
        "chain": table_of(_CHAIN, pairs(found, "chain")),
        "inputs": table_of(_INPUT, (PartOf(one, used) for one in derivations for used in one.part.inputs)),
        "findings": table_of(_CLAIM_FINDING, pairs(found, "findings")),
        "dependents": table_of(_DEPENDENT, pairs(found, "dependents")),
    }


def found_tables(result: Found) -> Tables:
    """One row for each match."""
    return {"matches": table_of(MATCHES, result.items, ("kind", "id", "label", "value", "verdict"))}


def shown_tables(result: Shown) -> Tables:
    """Facts, links and counts; of a claim its trace; of a name with several meanings the candidates."""
    if result.trace is not None:
        return trace_tables(result.trace)
    return {
        "facts": Table(("fact", "value"), tuple(result.facts.items())),
        "links": table_of(_LINK, result.links),
        "counts": Table(("role", "kind", "claims"), tuple(tuple(one) for one in result.counts)),
        "candidates": table_of(columns("id label"), result.candidates),
    }


def sheet_tables(result: Sheet) -> Tables:
    """One row a metric; every value; what it is compared with; published results."""
    return {
        "specs": table_of(_SPEC, result.rows, _BRIEF_METRIC if result.kind == "metric" else _BRIEF_SPEC),
        "values": table_of(_SPEC_VALUE, pairs(result.rows, "values")),
        "compared": table_of(_COMPARED_WITH, result.compared),
        "published": table_of(_PUBLISHED, result.published),
        "links": table_of(_LINK, result.links),
    }


def conflicts_tables(result: Conflicts) -> Tables:
    """One row for each claim of each group; the groups; what may explain them."""
    return {
        "claims": table_of(_MEMBER, pairs(result.groups, "members"), _BRIEF_MEMBER),
        "groups": table_of(_GROUP, result.groups),
        "explanations": table_of(_EXPLANATION, pairs(result.groups, "explanations")),
    }


def origins_tables(result: OriginsOf) -> Tables:
    """One row for each mention, the hops of their chains, and claims outside with the same value."""
    return {
        "mentions": table_of(_MENTION, result.members),
        "chain": table_of(_MENTION_CHAIN, pairs(result.members, "chain")),
        "others": table_of(_OUTSIDE, result.others),
    }


def audit_tables(judged: Judged) -> Tables:
    """One row for each finding shown, the counts of all, and what was not checked."""
    return {
        "findings": table_of(_FINDING, judged.findings),
        "counts": table_of(_COUNT, judged.counts),
        "not_checked": table_of(_NOT_CHECKED, judged.not_checkable),
    }
