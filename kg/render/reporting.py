"""Evidence reports of a saved question or of a claim: answer, picture, charts, calculations, conflicts, sources with positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kg.answers.asking import Asker
from kg.answers.trace import Trace, trace
from kg.errors import UsageError
from kg.model.counting import counted
from kg.render.charts import NothingToChart, Plan
from kg.render.evidence_sections import calculation_cards, conflict_section, has_content, other_cards, source_section
from kg.render.number_line import claim_line_plan
from kg.render.picture_cards import brief_claim_table, figure_of, made_from, measure, read_known
from kg.render.pictures import trace_scene
from kg.render.question_report import MOST_CLAIMS, question_evidence
from kg.render.report import FORMS, EvidenceReport, Section, html, markdown
from kg.render.scene import SceneTable
from kg.render.surroundings import finished
from kg.render.thing_nodes import short

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened


def report(graph: Opened, asked: str, *, form: str = "html", values: Mapping[str, object] | None = None) -> str:
    """The report as text in the form asked for."""
    if form not in FORMS:
        raise UsageError(field="-o", given=form, expected="a file that ends in .html or .md")
    made = evidence(graph, asked, values or {})
    return html(made) if form == "html" else markdown(made)


def evidence(graph: Opened, asked: str, values: Mapping[str, object]) -> EvidenceReport:
    """What a report holds: of a saved question by its name, else of a claim or a number."""
    if asked in graph.lexicon.questions:
        return question_evidence(graph, asked, values)
    if values:
        raise UsageError(
            given=asked,
            expected="a saved question; only questions take parameters",
            next_step="kg ask lists the questions",
        )
    return _of_trace(graph, trace(graph.ask, asked, graph.lexicon.units))


def _brief_section(title: str, caption: str, cards: Sequence[ClaimCard]) -> Section:
    return Section(title, tables=(brief_claim_table(cards, caption),))


def _of_trace(graph: Opened, found: Trace) -> EvidenceReport:
    asker = Asker(graph.ask)
    claims = [one.claim.id for one in found.claims]
    others = [one.claim for each in found.claims for one in each.same_statement]
    resting = [one.claim for each in found.claims for one in each.dependents]
    known = read_known(graph, asker, [*claims, *_used_and_repeated(found), *others, *resting][:MOST_CLAIMS])
    cards = [known.cards[name] for name in claims if name in known.cards]
    head = found.sentence
    sections = [
        Section("What is claimed", tables=(brief_claim_table(cards),)),
        Section("Calculations", cards=calculation_cards(known, claims)),
        Section("Where it comes from", tables=(_chain_table(found),)),
        _brief_section("Other claims about the same thing", "Other claims", other_cards(known, others, claims)),
        conflict_section(known, claims),
        _brief_section("What rests on it", "Claims that rest on it", other_cards(known, resting, claims)),
        source_section(asker, known),
    ]
    charts = _line_charts(graph, cards)
    charted = [name for plan in charts for name in plan.questions]
    question = f"Where does {found.asked} come from, who says it, does it recompute, who disagrees, and can it be used?"
    return EvidenceReport(
        f"Evidence: {_title(found, cards)}",
        question,
        head,
        found.verdict,
        tuple(filter(has_content, sections)),
        picture=finished(trace_scene(graph, found), 300) if cards else None,
        charts=charts,
        questions=tuple(dict.fromkeys([*found.questions, *asker.used, *charted])),
        made_from=made_from(graph),
    )


def _used_and_repeated(found: Trace) -> Iterator[str]:
    """The inputs of the derivations, then what the claims repeat."""
    for claim in found.claims:
        for derivation in claim.derivations:
            yield from (one.claim for one in derivation.inputs if one.claim)
    for claim in found.claims:
        yield from (hop.reached for hop in claim.chain)


def _title(found: Trace, cards: Sequence[ClaimCard]) -> str:
    """What is traced and what it is of, so that a reader of the heading alone knows which figure is meant."""
    if not cards:
        return found.asked
    of = Counter(f"{measure(card)} of {short(card.subjects[0].name)}" for card in cards)
    [(most, claims)] = of.most_common(1)
    if found.kind == "claim":
        return f"{figure_of(cards[0]) or cards[0].statement or 'no figure'}, {most} [{cards[0].id}]"
    others = f" and {counted(len(cards) - claims, 'other claim')}" if len(cards) > claims else ""
    return f"{found.asked}, {most}{others}"


def _chain_table(found: Trace) -> SceneTable:
    rows = []
    for one in found.claims:
        for hop in one.chain:
            rows.append(
                (
                    one.claim.id,
                    (
                        one.claim.id,
                        f"{hop.hop}. {hop.via}" + (f" by {hop.through[-1]}" if hop.through else ""),
                        hop.label or hop.printed or "",
                        hop.asserted_by or "",
                        hop.fidelity or "",
                        hop.end_state or "",
                        hop.reached,
                    ),
                )
            )
    return SceneTable("Hop by hop", ("claim", "how", "reaches", "asserted by", "kept as", "ends", "id"), tuple(rows))


def _line_charts(graph: Opened, cards: Sequence[ClaimCard]) -> tuple[Plan, ...]:
    """A number line for the first claim that other claims are about too."""
    for card in cards[:3]:
        if card.figure.canonical_value is None:
            continue
        try:
            plan = claim_line_plan(graph, card.id)
        except NothingToChart:
            continue
        if sum(len(panel.lanes) for panel in plan.panels) > 1:
            return (plan,)
    return ()
