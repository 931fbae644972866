"""Claims as nodes of a picture and as rows below it, with the facts shown on hovering and when opened."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker
from kg.answers.calculation import Calculation, calculations
from kg.answers.claim import ClaimCard, read_cards
from kg.answers.findings import FindingCard, find_findings
from kg.answers.traced_claim import FindingNote, read_findings
from kg.render.claim_words import RELATIONS, condition_words
from kg.render.judgement_nodes import calculation_facts, calculation_line
from kg.render.scene import Fact, SceneNode, SceneTable
from kg.render.thing_nodes import ASKED_AT_ONCE, short

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_WORDS: Final = 78
"""Letters of a statement in a label: three lines of a node."""
CLAIM_COLUMNS: Final = (
    "stated",
    "measure",
    "of",
    "conditions",
    "asserted by",
    "source",
    "date",
    "verdict",
    "finding",
    "claim",
)
_SEVERITIES: Final = {"violation": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True)
class KnownClaims:
    """What is known of the claims of a picture."""

    cards: Mapping[str, ClaimCard]
    notes: Mapping[str, tuple[FindingNote, ...]]
    calculations: Mapping[str, Calculation] = field(default_factory=dict)
    """By the id of the finding that judged it."""
    findings: Mapping[str, FindingCard] = field(default_factory=dict)

    def about(self, claim: str) -> list[FindingNote]:
        """The findings about a claim itself, the most severe first."""
        own = [one for one in self.notes.get(claim, ()) if one.role == "about"]
        return sorted(own, key=lambda one: (_SEVERITIES.get(one.severity, 3), one.code, one.id))


def read_known(graph: Opened, asker: Asker, claims: Iterable[str]) -> KnownClaims:
    """Cards, findings and calculations of claims, asked in portions."""
    wanted = list(dict.fromkeys(claims))
    cards: dict[str, ClaimCard] = {}
    notes: dict[str, tuple[FindingNote, ...]] = {}
    # In portions: each id is part of the text of the question.
    for start in range(0, len(wanted), ASKED_AT_ONCE):
        part = wanted[start : start + ASKED_AT_ONCE]
        cards.update(read_cards(asker, part))
        notes.update(read_findings(asker, part))
    names = sorted(
        {one.id for own in notes.values() for one in own if one.role == "about" and one.code.startswith("arithmetic.")}
    )
    found: dict[str, FindingCard] = {}
    for start in range(0, len(names), ASKED_AT_ONCE):
        found.update((one.id, one) for one in find_findings(asker, finding=names[start : start + ASKED_AT_ONCE]))
    return KnownClaims(cards, notes, calculations(asker, graph.lexicon.units, found.values()), found)


def figure_of(card: ClaimCard) -> str | None:
    """The figure as printed, with unit, hedge and modality; the words of a statement in quotes."""
    shown = card.worded
    return f"“{shown}”" if shown and card.figure.unit is None and card.statement else shown


def says(card: ClaimCard) -> str:
    """The figure as printed; where there is none, the statement in our words."""
    if card.figure.unit is None and card.statement:
        return card.statement
    return figure_of(card) or card.statement or "no figure"


def claim_node(
    card: ClaimCard, known: KnownClaims, *, column: int = 0, who: bool = False, hub: str | None = None
) -> SceneNode:
    """A claim as a node; `who` adds the speaker to the label."""
    findings = known.about(card.id)
    return SceneNode(
        card.id,
        "claim",
        claim_label(card, who=who),
        facts=tuple(_facts(card, known)),
        more=tuple(_more(card, known)),
        source=card.source.id,
        date=card.said_on,
        findings=tuple(sorted({(one.severity, one.code) for one in findings})),
        verdict=card.verdict,
        column=column,
        hub=hub if hub is not None else card.subjects[0].id,
    )


def claim_label(card: ClaimCard, *, who: bool = False) -> str:
    """Two or three lines: the figure or the statement, what it is of, and who says it."""
    figure = figure_of(card)
    if card.figure.unit is None and card.statement:
        lines = [textwrap.shorten(card.statement, _WORDS, placeholder=" …")]
    else:
        relation = RELATIONS.get(card.relation) if card.baseline is not None else None
        lines = [f"{figure or 'no figure'} {relation or ''}".rstrip(), card.metric.replace("-", " ")]
    last = speaker(card) if who else _subjects(card)
    return "\n".join([*lines, f"— {last}" if who else last])


def _subjects(card: ClaimCard) -> str:
    """All that the claim is about, in a few words."""
    return " and ".join(short(one.name) for one in card.subjects)


def speaker(card: ClaimCard) -> str:
    """Who says it, in a few words."""
    return short(card.asserted_by.name)


def place_of(card: ClaimCard) -> str:
    """Document and position, as a report of evidence gives them."""
    place = card.place
    parts = [card.source.id]
    if place.document:
        parts.append(place.document)
    if place.inside:
        parts.append(place.inside)
    return "; ".join(parts)


def _where(card: ClaimCard) -> str:
    """The source by its title, and the place that it names itself: positions are for reports and programs."""
    return "; ".join(filter(None, (card.source.name, card.place.named)))


def _facts(card: ClaimCard, known: KnownClaims) -> Iterable[Fact]:
    figure = figure_of(card)
    if figure is not None:
        yield "as printed", figure
    if card.statement:
        yield "statement", card.statement
    yield "measure", measure(card)
    yield "of", " and ".join(one.name for one in card.subjects) + f" (level: {card.level})"
    if card.baseline is not None:
        yield (
            "against",
            f"{card.baseline.name}" + (f" (level: {card.baseline_level})" if card.baseline_level else ""),
        )
    if conditions := condition_words(card.conditions):
        yield "conditions", conditions
    quoted = f", quoting {card.attributed_to.name}" if card.attributed_to is not None else ""
    yield "asserted by", card.asserted_by.name + quoted
    yield "source", f"{card.source.name}\n{card.place.named or card.source.id}"
    yield (
        "date",
        f"{card.said_on} ({card.said_on_basis})" if card.said_on and card.said_on_basis else card.said_on or "undated",
    )
    yield "verdict", judged(card)
    yield from _judgements(card, known)


def _judgements(card: ClaimCard, known: KnownClaims) -> Iterable[Fact]:
    """What the audit found, and the calculations behind it: one that holds is of severity info, and shown for its figures."""
    for one in known.about(card.id):
        if one.severity != "info" or one.id in known.calculations:
            yield "finding", f"{one.severity}: {one.message} ({one.code})"
        if one.id in known.calculations:
            yield "calculation", calculation_line(known.calculations[one.id])


def _more(card: ClaimCard, known: KnownClaims) -> Iterable[Fact]:
    if card.baseline_conditions:
        yield "baseline under", condition_words(card.baseline_conditions)
    if card.modality != "stated":
        yield "modality", card.modality
    if card.polarity != "affirmed":
        yield "polarity", card.polarity
    if card.reading:
        others = f" (could also be read {', '.join(card.alternatives)})" if card.alternatives else ""
        yield "reading", card.reading + others
    relays = [one.name for one in card.path if one.id != card.asserted_by.id]
    if relays:
        yield "relayed by", ", then ".join(reversed(relays))
    for one in known.about(card.id):
        if one.id in known.calculations:
            yield from calculation_facts(known.calculations[one.id], known.findings.get(one.id))
        if one.severity == "info" and one.id not in known.calculations:
            yield "found", f"{one.message} ({one.code})"
    if card.note:
        yield "note", card.note


def measure(card: ClaimCard) -> str:
    """The metric with what narrows it."""
    extras = [
        card.statistic,
        None if card.normaliser == "unstated" else card.normaliser,
        None if card.relation == "absolute" else card.relation,
    ]
    kept = [one for one in extras if one]
    return card.metric.replace("-", " ") + (f" ({', '.join(kept).replace('-', ' ')})" if kept else "")


def judged(card: ClaimCard) -> str:
    """The verdict with its reason."""
    return f"{card.verdict}: {card.verdict_reason}" + (
        f"; value to use: {card.value_to_use}" if card.value_to_use else ""
    )


def claim_row(card: ClaimCard, known: KnownClaims) -> tuple[str, tuple[str, ...]]:
    """A claim as a row below a picture."""
    grave = [f"{one.severity}: {one.code}" for one in known.about(card.id) if one.severity != "info"]
    against = f" against {short(card.baseline.name)}" if card.baseline is not None else ""
    return card.id, (
        says(card),
        measure(card),
        _subjects(card) + against,
        condition_words(card.conditions),
        speaker(card),
        _where(card),
        card.said_on or "",
        judged(card),
        "; ".join(dict.fromkeys(grave)),
        card.id,
    )


def claim_table(cards: Iterable[ClaimCard], known: KnownClaims) -> SceneTable:
    """All claims of a picture as a table, in the order given."""
    return SceneTable("Claims", CLAIM_COLUMNS, tuple(claim_row(card, known) for card in cards))


def brief_claim_table(cards: Iterable[ClaimCard], title: str = "Claims") -> SceneTable:
    """Claims in seven columns, for a page to read: places and findings have tables of their own there."""
    rows = []
    for card in cards:
        against = f" against {short(card.baseline.name)}" if card.baseline is not None else ""
        cells = (says(card), measure(card), _subjects(card) + against, condition_words(card.conditions), speaker(card))
        rows.append((card.id, (*cells, judged(card), card.id)))
    return SceneTable(title, ("stated", "measure", "of", "conditions", "asserted by", "verdict", "claim"), tuple(rows))


def made_from(graph: Opened) -> tuple[Fact, ...]:
    """The version of the program and the state of the ledger."""
    stamp = graph.stamp
    return ("made by accelkg", str(stamp.get("version", ""))), ("from ledger state", str(stamp.get("head", ""))[:16])


def questions_of(used: Sequence[str], *askers: Asker) -> tuple[str, ...]:
    """The saved questions that were used, each once."""
    return tuple(dict.fromkeys([*used, *(name for asker in askers for name in asker.used)]))
