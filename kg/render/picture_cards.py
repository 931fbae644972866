"""Claims, things, sources and calculations as nodes of a picture, with the facts shown on hovering and when opened."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, said, text
from kg.answers.calculation import Calculation, Operand, calculations
from kg.answers.claim import ClaimCard, Thing, read_cards
from kg.answers.findings import FindingCard, find_findings
from kg.answers.traced_claim import FindingNote, read_findings
from kg.render.amounts import prefixed, span
from kg.render.claim_words import RELATIONS, condition_words
from kg.render.looks import LOOKS
from kg.render.scene import Fact, Kind, SceneEdge, SceneNode, SceneTable

if TYPE_CHECKING:
    from kg.answers.conflicts import Group
    from kg.ask.opened import Opened

_AT_ONCE: Final = 500
_WORDS: Final = 78
"""Letters of a statement in a label: three lines of a node."""
_MOST_LINKS: Final = 30
_TITLE: Final = 60
_KINDS: Final[Mapping[str, Kind]] = {
    **dict.fromkeys(("accelerator", "chip-family", "cpu"), "chip"),
    **dict.fromkeys(("superchip", "node", "rack", "pod", "cluster", "configuration"), "system"),
    **dict.fromkeys(
        ("dense-model", "moe-model", "diffusion-model", "unknown-architecture-model", "model-class"), "model"
    ),
    **dict.fromkeys(
        ("benchmark-suite", "benchmark-round", "benchmark-task", "scenario", "division", "precision"), "benchmark"
    ),
    **dict.fromkeys(("organisation", "vendor", "person", "software-agent", "group"), "who"),
    "source": "source",
    "unresolved-source": "unopened",
}
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


def class_of(identifier: str, kind: str | None) -> Kind:
    """The class in which a thing is drawn.

    >>> class_of("system/x", "rack"), class_of("unresolved/x", None), class_of("technology/hbm", "technology")
    ('system', 'unopened', 'thing')
    """
    if kind is not None and kind in _KINDS:
        return _KINDS[kind]
    start = identifier.partition("/")[0]
    return {"org": "who", "source": "source", "unresolved": "unopened", "model": "model"}.get(start, "thing")  # type: ignore[return-value]


def short(label: str) -> str:
    """A label without the explanation behind it and the name of the one maker that most things have.

    >>> short("NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"), short("NVIDIA")
    ('GB200 GPU', 'NVIDIA')
    """
    bare = re.sub(r" \([^()]*\)$", "", label) or label
    return bare.removeprefix("NVIDIA ") or bare


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
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        cards.update(read_cards(asker, part))
        notes.update(read_findings(asker, part))
    names = sorted(
        {one.id for own in notes.values() for one in own if one.role == "about" and one.code.startswith("arithmetic.")}
    )
    found: dict[str, FindingCard] = {}
    for start in range(0, len(names), _AT_ONCE):
        found.update((one.id, one) for one in find_findings(asker, finding=names[start : start + _AT_ONCE]))
    return KnownClaims(cards, notes, calculations(asker, graph.lexicon.units, found.values()), found)


# --- claims ----------------------------------------------------------------------------------------------------------


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
    return " and ".join(short(_thing(one)) for one in card.subjects)


def speaker(card: ClaimCard) -> str:
    """Who says it, in a few words."""
    return short(card.asserted_by.label or card.asserted_by.id)


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
    return "; ".join(filter(None, (_thing(card.source), card.place.named)))


def _thing(thing: Thing) -> str:
    return thing.label or thing.id


def _facts(card: ClaimCard, known: KnownClaims) -> Iterable[Fact]:
    figure = figure_of(card)
    if figure is not None:
        yield "as printed", figure
    if card.statement:
        yield "statement", card.statement
    yield "measure", measure(card)
    yield "of", " and ".join(map(_thing, card.subjects)) + f" (level: {card.level})"
    if card.baseline is not None:
        yield (
            "against",
            f"{_thing(card.baseline)}" + (f" (level: {card.baseline_level})" if card.baseline_level else ""),
        )
    if conditions := condition_words(card.conditions):
        yield "conditions", conditions
    quoted = f", quoting {_thing(card.attributed_to)}" if card.attributed_to is not None else ""
    yield "asserted by", _thing(card.asserted_by) + quoted
    yield "source", f"{_thing(card.source)}\n{card.place.named or card.source.id}"
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
    relays = [_thing(one) for one in card.path if one.id != card.asserted_by.id]
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
    against = f" against {short(_thing(card.baseline))}" if card.baseline is not None else ""
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
        against = f" against {short(_thing(card.baseline))}" if card.baseline is not None else ""
        cells = (says(card), measure(card), _subjects(card) + against, condition_words(card.conditions), speaker(card))
        rows.append((card.id, (*cells, judged(card), card.id)))
    return SceneTable(title, ("stated", "measure", "of", "conditions", "asserted by", "verdict", "claim"), tuple(rows))


# --- calculations and findings ---------------------------------------------------------------------------------------


def calculation_line(one: Calculation) -> str:
    """A calculation in one line: the expression over printed inputs and what they give."""
    inputs = ", ".join(f"{operand.name} = {operand.shown}" for operand in one.operands)
    gives = one.lacks if one.computed is None else span(one.computed, one.result.unit)
    return f"{one.expression} with {inputs} gives {gives}; printed is {one.result.shown}"


def calculation_facts(one: Calculation, finding: FindingCard | None) -> Iterable[Fact]:
    """A calculation laid out: inputs with their intervals, what they give, the verdict, what may explain it."""
    how = "as the text says" if one.stated_by_text else "rebuilt from other figures"
    yield "computed as", f"{one.expression} ({how}{', ' + one.variant if one.variant else ''})"
    for operand in one.operands:
        because = f", because {operand.why}" if operand.why else ""
        where = f" [{operand.claim}]" if operand.claim else ""
        yield f"input {operand.name}", _operand(operand) + because + where
    yield "gives", one.lacks if one.computed is None else span(one.computed, one.result.unit)
    yield "printed", _operand(one.result) + f" [{one.claim}]"
    if finding is not None:
        yield "verdict", f"{finding.verdict or finding.code} ({finding.severity})"
        for cause in finding.explanations[:3]:
            value = (
                ""
                if cause.corrected_value is None
                else f": {prefixed(cause.corrected_value, finding.corrected_unit or finding.computed_unit)}"
            )
            yield "may be explained by", f"{cause.message}{value} ({cause.code})"


def _operand(one: Operand) -> str:
    if one.interval is None:
        return f"{one.shown} (no value to compute with)"
    return f"{one.shown} (exact)" if one.interval.width == 0 else f"{one.shown}, that is {span(one.interval, one.unit)}"


def calculation_node(name: str, one: Calculation, finding: FindingCard | None, *, column: int) -> SceneNode:
    """A calculation as a node."""
    verdict = (finding.verdict or "") if finding is not None else ""
    return SceneNode(
        name,
        "calculation",
        f"{one.expression}\n{verdict}".strip(),
        facts=tuple(calculation_facts(one, finding)),
        column=column,
        findings=((finding.severity, finding.code),) if finding is not None else (),
    )


def finding_node(note: FindingNote, *, column: int) -> SceneNode:
    """A finding as a node."""
    words = note.code.partition(".")[2].replace("-", " ")
    facts: list[Fact] = [("found", note.message), ("severity", note.severity), ("code", note.code)]
    if note.computed_value is not None:
        facts.append(("computed", prefixed(note.computed_value, note.computed_unit)))
    if note.corrected_value is not None:
        facts.append(("instead", prefixed(note.corrected_value, note.corrected_unit)))
    return judged_node(note.id, note, f"{words}\n({note.severity})", facts, column)


def judged_node(name: str, judged: FindingNote | Group, label: str, facts: Sequence[Fact], column: int) -> SceneNode:
    """A judgement as a node, with what may explain it."""
    explained = (("may be explained by", f"{one.message} ({one.code})") for one in judged.explanations[:3])
    found = ((judged.severity, judged.code),)
    return SceneNode(name, "finding", label, facts=(*facts, *explained), column=column, findings=found)


# --- things and sources ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class KnownThings:
    """Reads things and sources and makes their nodes."""

    asker: Asker
    rows: dict[str, Mapping[str, object]] = field(default_factory=dict)

    def read(self, names: Iterable[str]) -> None:
        """Ask for what is not known yet."""
        fresh = [one for one in dict.fromkeys(names) if one not in self.rows]
        for start in range(0, len(fresh), _AT_ONCE):
            part = fresh[start : start + _AT_ONCE]
            for row in self.asker.rows("entities/card", thing=part):
                self.rows.setdefault(text(row, "thing"), row)
        missing = [one for one in fresh if one not in self.rows and one.startswith(("source/", "unresolved/"))]
        for row in self.asker.rows("sources/card", source=missing) if missing else []:
            self.rows.setdefault(text(row, "source"), row)

    def label(self, name: str) -> str:
        """The name of a thing, its id where it has none."""
        row = self.rows.get(name)
        return (said(row, "label") if row is not None else None) or name  # type: ignore[arg-type]

    def node(self, name: str, *, column: int = 0, claims: int = 0, weight: float = 1.0) -> SceneNode:
        """A thing or source as a node."""
        row = self.rows.get(name)
        kind = said(row, "kind") if row is not None else None  # type: ignore[arg-type]
        facts: list[Fact] = [("is", self.label(name)), *([("kind", kind)] if kind else []), ("id", name)]
        if claims:
            facts.append(("claims here", f"{claims:,}"))
        return SceneNode(
            name,
            class_of(name, kind),
            short(self.label(name)),
            facts=tuple(facts),
            more=tuple(self._more(row)),
            column=column,
            weight=weight,
        )

    def _more(self, row: Mapping[str, object] | None) -> Iterable[Fact]:
        for key, value in (row or {}).items():
            if key not in ("thing", "source", "label", "kind") and value not in (None, "no"):
                yield key.replace("_", " "), str(value)


def link_table(nodes: Iterable[SceneNode], edges: Sequence[SceneEdge]) -> SceneTable:
    """The things of a picture with what they are linked to, so that nothing is in the picture alone."""
    kept = list(nodes)
    labels = {node.id: " ".join(node.label.split()) for node in kept}
    linked: dict[str, list[str]] = {}
    for one in edges:
        linked.setdefault(one.source, []).append(f"{one.label} {labels.get(one.target, one.target)}".strip())
    rows = []
    for node in kept:
        if node.kind not in ("claim", "bundle"):
            own = linked.get(node.id, [])
            links_text = "; ".join(own[:_MOST_LINKS]) + (
                f"; and {len(own) - _MOST_LINKS} more" if len(own) > _MOST_LINKS else ""
            )
            rows.append((node.id, (labels[node.id], LOOKS[node.kind].name, links_text, node.id)))
    return SceneTable(
        "Things, sources, calculations, findings", ("name", "class", "linked to", "id"), tuple(sorted(rows))
    )


# --- what every picture says of itself -------------------------------------------------------------------------------


def made_from(graph: Opened) -> tuple[Fact, ...]:
    """The version of the program and the state of the ledger."""
    stamp = graph.stamp
    return ("made by accelkg", str(stamp.get("version", ""))), ("from ledger state", str(stamp.get("head", ""))[:16])


def brief_title(label: str) -> str:
    """The title of a source in a few words: without what follows a comma or is in parentheses.

    >>> brief_title("MLPerf Inference v5.1 results (summary of the results repository)"), brief_title("A report, part 2")
    ('MLPerf Inference v5.1', 'A report')
    """
    bare = re.split(r" results\b|, | \(", label, maxsplit=1)[0]
    return textwrap.shorten(bare or label, _TITLE, placeholder=" …")


def source_labels(things: KnownThings, cards: Iterable[ClaimCard]) -> dict[str, str]:
    """The sources of claims with labels for the filter."""
    names = sorted({card.source.id for card in cards})
    things.read(names)
    return {name: f"{name.partition('/')[2]}: {short(things.label(name))}"[:60] for name in names}


def questions_of(used: Sequence[str], *askers: Asker) -> tuple[str, ...]:
    """The saved questions that were used, each once."""
    return tuple(dict.fromkeys([*used, *(name for asker in askers for name in asker.used)]))
