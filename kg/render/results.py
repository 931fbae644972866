"""How the results of this package show themselves: their headline, their tables, their network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from kg.model.result import Net, Table, Tie

if TYPE_CHECKING:
    from kg.answers.audit import Judged
    from kg.answers.chains import Hop
    from kg.answers.claim import ClaimCard
    from kg.answers.compare import Comparison
    from kg.answers.conflicts import Conflicts
    from kg.answers.find import Found
    from kg.answers.findings import FindingCard, Involved
    from kg.answers.origins import OriginsOf
    from kg.answers.sheet import Sheet
    from kg.answers.show import Shown
    from kg.answers.trace import Trace, TracedClaim

Tables = Mapping[str, Table]
_CLAIM = (
    "claim",
    "subject",
    "baseline",
    "metric",
    "printed",
    "hedge",
    "modality",
    "value",
    "unit",
    "canonical_value",
    "canonical_unit",
    "conditions",
    "asserted_by",
    "source",
    "said_on",
    "document",
    "start",
    "end",
    "place",
    "verdict",
    "verdict_reason",
    "value_to_use",
)
_BRIEF_CLAIM = (
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
_BRIEF_CONFLICTS = ("outcome", "metric", "claim", "printed", "subject", "asserted_by", "source", "differs", "verdict")
_BRIEF_COMPARED = (
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
_SPEC = (
    "thing",
    "label",
    "metric",
    "facets",
    "level",
    "value",
    "verdict",
    "low",
    "high",
    "unit",
    "sources",
    "claims",
    "reason",
)
_BRIEF_SPEC = ("metric", "facets", "level", "value", "verdict", "sources", "reason")
_BRIEF_METRIC = ("label", "facets", "level", "value", "verdict", "sources", "reason")
_SPEC_VALUE = (
    "thing",
    "metric",
    "level",
    "conditions",
    "shown",
    "value",
    "unit",
    "verdict",
    "value_to_use",
    "claims",
    "sources",
    "subjects",
)
_PUBLISHED = (
    "accelerator",
    "task",
    "scenario",
    "results",
    "low",
    "high",
    "unit",
    "best",
    "best_by",
    "best_round",
    "newest_round",
)


def comparison_tables(result: Comparison) -> Tables:
    """One row for each claim; findings one by one."""
    columns = (
        "claim",
        "orientation",
        "subject",
        "subject_label",
        "level",
        "baseline",
        "baseline_label",
        "metric",
        "normaliser",
        "printed",
        "hedge",
        "modality",
        "relation",
        "ratio",
        "ratio_lower",
        "ratio_upper",
        "direction",
        "statement",
        "conditions",
        "baseline_conditions",
        "asserted_by",
        "source",
        "said_on",
        "document",
        "start",
        "end",
        "place",
        "findings",
        "verdict",
        "verdict_reason",
        "value_to_use",
    )
    rows = tuple(
        (
            one.id,
            one.orientation,
            one.subject.id,
            one.subject.label,
            one.level,
            one.baseline.id,
            one.baseline.label,
            one.metric,
            one.normaliser,
            one.printed,
            one.hedge,
            one.modality,
            one.relation,
            one.ratio,
            one.ratio_lower,
            one.ratio_upper,
            one.direction,
            one.statement,
            one.conditions,
            one.baseline_conditions,
            one.asserted_by.label or one.asserted_by.id,
            one.source.id,
            one.said_on,
            one.document,
            one.start,
            one.end,
            one.place.inside,
            ", ".join(dict.fromkeys(each.code for each in one.findings)),
            one.verdict,
            one.verdict_reason,
            one.value_to_use,
        )
        for one in result.claims
    )
    findings = tuple(
        (one.id, each.id, each.code, each.severity, each.message) for one in result.claims for each in one.findings
    )
    return {
        "claims": Table(columns, rows, _BRIEF_COMPARED),
        "findings": Table(("claim", "finding", "code", "severity", "message"), findings),
    }


def comparison_net(result: Comparison) -> Net:
    """Claims between the two things they compare, with who says them and where."""
    nodes: dict[str, dict[str, Any]] = {}
    ties: dict[Tie, None] = {}
    for one in result.claims:
        nodes[one.id] = {
            "record": "claim",
            "label": f"{one.metric} {one.says}",
            "ratio": one.ratio,
            "verdict": one.verdict,
        }
        for thing, kind in (
            (one.subject, "SUBJECT"),
            (one.baseline, "BASELINE"),
            (one.asserted_by, "ASSERTED_BY"),
            (one.source, "STATED_IN"),
        ):
            nodes.setdefault(thing.id, {"record": "source" if kind == "STATED_IN" else "entity", "label": thing.label})
            ties[Tie(one.id, thing.id, kind)] = None
    return Net(nodes, list(ties))


def _claim_row(card: ClaimCard) -> tuple[Any, ...]:
    figure, place = card.figure, card.place
    return (
        card.id,
        ", ".join(one.label or one.id for one in card.subjects),
        card.baseline and (card.baseline.label or card.baseline.id),
        card.metric,
        figure.printed,
        figure.hedge,
        card.modality,
        figure.values[0] if len(figure.values) == 1 else None,
        figure.unit,
        figure.canonical_value,
        figure.canonical_unit,
        card.conditions,
        card.asserted_by.label or card.asserted_by.id,
        card.source.id,
        card.said_on,
        place.document,
        place.start,
        place.end,
        place.inside,
        card.verdict,
        card.verdict_reason,
        card.value_to_use,
    )


def trace_tables(result: Trace) -> Tables:
    """Claims, the hops of their chains, their inputs, findings, and what rests on them."""
    found = result.claims
    return {
        "claims": Table(_CLAIM, tuple(_claim_row(one.claim) for one in found), _BRIEF_CLAIM),
        "chain": Table(
            (
                "claim",
                "via",
                "hop",
                "reached",
                "label",
                "printed",
                "asserted_by",
                "source",
                "fidelity",
                "end_state",
                "through",
            ),
            tuple(
                (
                    one.claim.id,
                    hop.via,
                    hop.hop,
                    hop.reached,
                    hop.label,
                    hop.printed,
                    hop.asserted_by,
                    hop.source,
                    hop.fidelity,
                    hop.end_state,
                    ", ".join(hop.through),
                )
                for one in found
                for hop in one.chain
            ),
        ),
        "inputs": Table(
            (
                "claim",
                "derivation",
                "expression",
                "name",
                "input_claim",
                "constant",
                "unit",
                "printed",
                "canonical_value",
            ),
            tuple(
                (
                    one.claim.id,
                    each.id,
                    each.expression,
                    used.name,
                    used.claim,
                    used.constant,
                    used.constant_unit or used.unit,
                    used.printed,
                    used.canonical_value,
                )
                for one in found
                for each in one.derivations
                for used in each.inputs
            ),
        ),
        "findings": Table(
            (
                "claim",
                "finding",
                "code",
                "severity",
                "verdict",
                "message",
                "computed_value",
                "computed_unit",
                "corrected_value",
            ),
            tuple(
                (
                    one.claim.id,
                    each.id,
                    each.code,
                    each.severity,
                    each.verdict,
                    each.message,
                    each.computed_value,
                    each.computed_unit,
                    each.corrected_value,
                )
                for one in found
                for each in one.findings
            ),
        ),
        "dependents": Table(
            ("claim", "dependent", "via", "hop", "metric", "printed", "source", "verdict"),
            tuple(
                (one.claim.id, each.claim, each.via, each.hop, each.metric, each.printed, each.source, each.verdict)
                for one in found
                for each in one.dependents
            ),
        ),
    }


def trace_net(result: Trace) -> Net:
    """From claims along their chains to where they end, to their inputs, and from what rests on them."""
    nodes: dict[str, dict[str, Any]] = {}
    ties: dict[Tie, None] = {}
    for one in result.claims:
        _traced(one, nodes, ties)
    return Net(nodes, list(ties))


def _traced(one: TracedClaim, nodes: dict[str, dict[str, Any]], ties: dict[Tie, None]) -> None:
    card = one.claim
    nodes[card.id] = {"record": "claim", "label": f"{card.metric} {card.worded or ''}".strip(), "verdict": card.verdict}
    for thing, kind in [
        *((each, "SUBJECT") for each in card.subjects),
        (card.asserted_by, "ASSERTED_BY"),
        (card.source, "STATED_IN"),
    ]:
        nodes.setdefault(thing.id, {"record": "source" if kind == "STATED_IN" else "entity", "label": thing.label})
        ties[Tie(card.id, thing.id, kind)] = None
    _chain(card.id, one.chain, nodes, ties)
    for derivation in one.derivations:
        for used in derivation.inputs:
            if used.claim is not None:
                nodes.setdefault(used.claim, {"record": "claim", "label": used.printed})
                ties[Tie(card.id, used.claim, "USED", used.name)] = None
    for dependent in one.dependents:
        if dependent.hop == 1:
            nodes.setdefault(
                dependent.claim,
                {"record": "claim", "label": dependent.printed or dependent.statement, "verdict": dependent.verdict},
            )
            ties[Tie(dependent.claim, card.id, dependent.via.upper().replace("-", "_"))] = None


def _chain(start: str, chain: Iterable[Hop], nodes: dict[str, dict[str, Any]], ties: dict[Tie, None]) -> None:
    """Hops of one way follow one another; what is reached at one hop leads on from each of the hop before."""
    before: dict[str, tuple[int, list[str], list[str]]] = {}
    for hop in sorted(chain, key=lambda one: (one.via, one.hop, one.reached)):
        number, last, now = before.get(hop.via, (0, [start], []))
        if hop.hop != number:
            last, now = (now or [start]) if number else [start], []
        nodes.setdefault(
            hop.reached, {"record": "claim" if hop.source else "source", "label": hop.label or hop.printed}
        )
        if hop.end_state:
            nodes[hop.reached]["end_state"] = hop.end_state
        if hop.through:
            ties[Tie(hop.through[-1], hop.reached, hop.via.upper().replace("-", "_"), hop.fidelity)] = None
            continue
        if hop.reached not in now:
            now.append(hop.reached)
        before[hop.via] = (hop.hop, last, now)
        for one in last:
            if one != hop.reached:
                ties[Tie(one, hop.reached, hop.via.upper().replace("-", "_"), hop.fidelity)] = None


def found_tables(result: Found) -> Tables:
    """One row for each match."""
    columns = ("kind", "id", "label", "value", "unit", "subject", "verdict", "matched", "score")
    rows = tuple(
        (
            one.kind,
            one.id,
            one.label,
            one.value,
            one.unit,
            None if one.subject is None else one.subject.id,
            one.verdict,
            one.matched,
            one.score,
        )
        for one in result.items
    )
    return {"matches": Table(columns, rows, ("kind", "id", "label", "value", "verdict"))}


def found_net(result: Found) -> Net:
    """The matches; nothing joins them."""
    return Net({one.id: {"record": one.kind, "label": one.label, "score": one.score} for one in result.items}, ())


def shown_tables(result: Shown) -> Tables:
    """Facts, links and counts; of a claim its trace; of a name with several meanings the candidates."""
    if result.trace is not None:
        return trace_tables(result.trace)
    return {
        "facts": Table(("fact", "value"), tuple((name, cell) for name, cell in result.facts.items())),
        "links": Table(
            ("link", "other", "label"), tuple((one.link, one.other.id, one.other.label) for one in result.links)
        ),
        "counts": Table(("role", "kind", "claims"), tuple(tuple(one) for one in result.counts)),
        "candidates": Table(("id", "label"), tuple((one.id, one.label) for one in result.candidates)),
    }


def shown_net(result: Shown) -> Net:
    """The thing and what its links lead to."""
    if result.trace is not None:
        return trace_net(result.trace)
    nodes: dict[str, dict[str, Any]] = {one.id: {"label": one.label} for one in result.candidates}
    if result.id is not None:
        nodes[result.id] = {"record": result.kind, "label": result.facts.get("label")}
        for one in result.links:
            nodes.setdefault(one.other.id, {"label": one.other.label})
        return Net(nodes, [Tie(result.id, one.other.id, one.link) for one in result.links])
    return Net(nodes, ())


def sheet_tables(result: Sheet) -> Tables:
    """One row a metric; every value; what it is compared with; published results."""
    specs = tuple(
        (
            one.of.id,
            one.of.label,
            one.metric,
            one.facets,
            one.level,
            one.value,
            one.verdict,
            one.low,
            one.high,
            one.unit,
            one.sources,
            one.claims,
            one.reason,
        )
        for one in result.rows
    )
    values = tuple(
        (
            row.of.id,
            row.metric,
            row.level,
            one.conditions,
            one.shown,
            one.value,
            one.unit,
            one.verdict,
            one.value_to_use,
            ", ".join(one.claims),
            ", ".join(one.sources),
            ", ".join(thing.id for thing in one.subjects),
        )
        for row in result.rows
        for one in row.values
    )
    published = tuple(
        (
            one.accelerator.id,
            one.task.id,
            None if one.scenario is None else one.scenario.id,
            one.results,
            one.low,
            one.high,
            one.unit,
            one.best,
            one.best_by.label or one.best_by.id,
            one.best_round.id,
            one.newest_round.id,
        )
        for one in result.published
    )
    return {
        "specs": Table(_SPEC, specs, _BRIEF_METRIC if result.kind == "metric" else _BRIEF_SPEC),
        "values": Table(_SPEC_VALUE, values),
        "compared": Table(
            ("other", "label", "claims", "refused"),
            tuple((one.other.id, one.other.label, one.claims, one.refused) for one in result.compared),
        ),
        "published": Table(_PUBLISHED, published),
        "links": Table(
            ("link", "other", "label"), tuple((one.link, one.other.id, one.other.label) for one in result.links)
        ),
    }


def sheet_net(result: Sheet) -> Net:
    """What the sheet is of, with the claims behind each row and what its links lead to."""
    nodes: dict[str, dict[str, Any]] = {result.id: {"record": result.kind, "label": result.label}}
    ties = [Tie(result.id, one.other.id, one.link) for one in result.links]
    for one in result.links:
        nodes.setdefault(one.other.id, {"label": one.other.label})
    for row in result.rows:
        nodes.setdefault(row.of.id, {"label": row.of.label})
        for value in row.values:
            for claim in value.claims:
                nodes[claim] = {"record": "claim", "label": value.shown, "verdict": value.verdict}
                ties.append(Tie(row.of.id, claim, row.metric))
    return Net(nodes, ties)


def conflicts_tables(result: Conflicts) -> Tables:
    """One row for each claim of each group; the groups; what may explain them."""
    columns = (
        "finding",
        "outcome",
        "severity",
        "metric",
        "claim",
        "role",
        "printed",
        "canonical_value",
        "canonical_lower",
        "canonical_upper",
        "canonical_unit",
        "subject",
        "baseline",
        "asserted_by",
        "source",
        "said_on",
        "place",
        "differs",
        "verdict",
    )
    rows = tuple(
        (
            group.finding,
            group.verdict,
            group.severity,
            group.metric,
            one.claim.claim,
            one.claim.role,
            one.claim.shown,
            one.claim.canonical_value,
            one.claim.canonical_lower,
            one.claim.canonical_upper,
            one.claim.canonical_unit,
            one.claim.subject_label or one.claim.subject,
            one.claim.baseline_label or one.claim.baseline,
            one.claim.speaker or one.claim.asserted_by,
            one.claim.source,
            one.claim.said_on,
            one.claim.place,
            "; ".join(one.differs),
            one.claim.verdict,
        )
        for group in result.groups
        for one in group.members
    )
    groups = tuple(
        (one.finding, one.code, one.verdict, one.severity, one.metric, len(one.members), one.message)
        for one in result.groups
    )
    explained = tuple(
        (one.finding, each.rank, each.code, each.message, each.corrected_value)
        for one in result.groups
        for each in one.explanations
    )
    return {
        "claims": Table(columns, rows, _BRIEF_CONFLICTS),
        "groups": Table(("finding", "code", "verdict", "severity", "metric", "claims", "message"), groups),
        "explanations": Table(("finding", "rank", "code", "message", "corrected_value"), explained),
    }


def conflicts_net(result: Conflicts) -> Net:
    """Each group as a node that leads to its claims."""
    nodes: dict[str, dict[str, Any]] = {}
    ties = []
    for group in result.groups:
        nodes[group.finding] = {
            "record": "finding",
            "label": group.message,
            "severity": group.severity,
            "verdict": group.verdict,
        }
        for one in group.members:
            nodes.setdefault(one.claim.claim, _involved(one.claim))
            ties.append(Tie(group.finding, one.claim.claim, "ABOUT", one.claim.role))
    return Net(nodes, ties)


def _involved(one: Involved) -> dict[str, Any]:
    return {"record": "claim", "label": one.shown, "source": one.source, "verdict": one.verdict}


def origins_tables(result: OriginsOf) -> Tables:
    """One row for each mention, the hops of their chains, and claims outside with the same value."""
    return {
        "mentions": Table(
            (
                "claim",
                "printed",
                "statement",
                "asserted_by",
                "source",
                "machine_written",
                "said_on",
                "end_states",
                "verdict",
            ),
            tuple(
                (
                    one.claim,
                    one.printed,
                    one.statement,
                    one.speaker or one.asserted_by,
                    one.source,
                    one.machine_written,
                    one.said_on,
                    ", ".join(one.end_states),
                    one.verdict,
                )
                for one in result.members
            ),
        ),
        "chain": Table(
            ("claim", "via", "hop", "reached", "label", "fidelity", "end_state", "through"),
            tuple(
                (
                    one.claim,
                    hop.via,
                    hop.hop,
                    hop.reached,
                    hop.label,
                    hop.fidelity,
                    hop.end_state,
                    ", ".join(hop.through),
                )
                for one in result.members
                for hop in one.chain
            ),
        ),
        "others": Table(
            ("claim", "printed", "conditions", "asserted_by", "source", "said_on", "verdict"),
            tuple(
                (one.claim, one.printed, one.conditions, one.asserted_by, one.source, one.said_on, one.verdict)
                for one in result.others
            ),
        ),
    }


def origins_net(result: OriginsOf) -> Net:
    """The mentions with the ways to their origins."""
    nodes: dict[str, dict[str, Any]] = {}
    ties: dict[Tie, None] = {}
    for one in result.members:
        nodes[one.claim] = {
            "record": "claim",
            "label": one.printed or one.statement,
            "source": one.source,
            "verdict": one.verdict,
        }
    for one in result.members:
        _chain(one.claim, one.chain, nodes, ties)
    return Net(nodes, list(ties))


def audit_tables(judged: Judged) -> Tables:
    """One row for each finding shown, the counts of all, and what was not checked."""
    findings = tuple(
        (
            one.id,
            one.code,
            one.severity,
            one.verdict,
            one.claim,
            one.source,
            one.message,
            one.computed_value,
            one.computed_unit,
            one.corrected_value,
            one.corrected_unit,
        )
        for one in judged.findings
    )
    return {
        "findings": Table(
            (
                "finding",
                "code",
                "severity",
                "verdict",
                "claim",
                "source",
                "message",
                "computed_value",
                "computed_unit",
                "corrected_value",
                "corrected_unit",
            ),
            findings,
        ),
        "counts": Table(
            ("code", "severity", "verdict", "source", "findings"),
            tuple((one.code, one.severity, one.verdict, one.source, one.findings) for one in judged.counts),
        ),
        "not_checked": Table(
            ("finding", "claim", "source", "printed", "expression", "message"),
            tuple(
                (one.finding, one.claim, one.source, one.printed, one.expression, one.message)
                for one in judged.not_checkable
            ),
        ),
    }


def audit_net(findings: Iterable[FindingCard]) -> Net:
    """Each finding as a node that leads to the claims it involves."""
    nodes: dict[str, dict[str, Any]] = {}
    ties: dict[Tie, None] = {}
    for card in findings:
        nodes[card.id] = {"record": "finding", "label": card.message, "code": card.code, "severity": card.severity}
        for one in card.claims:
            nodes.setdefault(one.claim, _involved(one))
            ties[Tie(card.id, one.claim, "ABOUT", one.role)] = None
    return Net(nodes, list(ties))


_TABLES: Final[Mapping[str, Callable[[Any], Tables]]] = {
    "Comparison": comparison_tables,
    "Trace": trace_tables,
    "Found": found_tables,
    "Shown": shown_tables,
    "Sheet": sheet_tables,
    "Conflicts": conflicts_tables,
    "OriginsOf": origins_tables,
    "Judged": audit_tables,
}
_NETS: Final[Mapping[str, Callable[[Any], Net]]] = {
    "Comparison": comparison_net,
    "Trace": trace_net,
    "Found": found_net,
    "Shown": shown_net,
    "Sheet": sheet_net,
    "Conflicts": conflicts_net,
    "OriginsOf": origins_net,
    "Judged": lambda judged: audit_net(judged.findings),
}


def tables_of(result: object) -> Tables:
    """The tables of a result, the most important first."""
    return _TABLES[type(result).__name__](result)


def net_of(result: object) -> Net:
    """The rows of a result as nodes and what joins them."""
    return _NETS[type(result).__name__](result)
