"""How results show themselves as nodes and edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kg.model.result import Net, Tie

if TYPE_CHECKING:
    from kg.answers.chains import Hop
    from kg.answers.compare import Comparison
    from kg.answers.conflicts import Conflicts
    from kg.answers.find import Found
    from kg.answers.findings import FindingCard, Involved
    from kg.answers.origins import OriginsOf
    from kg.answers.sheet import Sheet
    from kg.answers.show import Shown
    from kg.answers.trace import Trace
    from kg.answers.traced_claim import TracedClaim


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


def trace_net(result: Trace) -> Net:
    """From claims along their chains to where they end, to their inputs, and from what rests on them."""
    nodes: dict[str, dict[str, Any]] = {}
    ties: dict[Tie, None] = {}
    for one in result.claims:
        _traced(one, nodes, ties)
    return Net(nodes, list(ties))


def _traced(one: TracedClaim, nodes: dict[str, dict[str, object]], ties: dict[Tie, None]) -> None:
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


def _chain(start: str, chain: Iterable[Hop], nodes: dict[str, dict[str, object]], ties: dict[Tie, None]) -> None:
    """Hops of one way follow one another; what is reached at one hop leads on from each of the hop before."""
    before: dict[str, tuple[int, list[str], list[str]]] = {}
    # Sorted by hop, so that what a hop leads on from has been seen.
    for hop in sorted(chain, key=lambda one: (one.via, one.hop, one.reached)):
        number, last, now = before.get(hop.via, (0, [start], []))
        if hop.hop != number:
            last, now = (now or [start]) if number else [start], []
        nodes.setdefault(
            hop.reached, {"record": "claim" if hop.source else "source", "label": hop.label or hop.printed}
        )
        if hop.end_state:
            nodes[hop.reached]["end_state"] = hop.end_state
        # A hop through an input leads from that input, not from the hop before.
        if hop.through:
            ties[Tie(hop.through[-1], hop.reached, hop.via.upper().replace("-", "_"), hop.fidelity)] = None
            continue
        if hop.reached not in now:
            now.append(hop.reached)
        before[hop.via] = (hop.hop, last, now)
        for one in last:
            if one != hop.reached:
                ties[Tie(one, hop.reached, hop.via.upper().replace("-", "_"), hop.fidelity)] = None


def found_net(result: Found) -> Net:
    """The matches; nothing joins them."""
    return Net({one.id: {"record": one.kind, "label": one.label, "score": one.score} for one in result.items}, ())


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
