"""Calculations and findings as nodes of a picture, and as the facts of a card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kg.answers.calculation import Calculation
from kg.answers.findings import FindingCard
from kg.answers.traced_claim import FindingNote
from kg.render.amounts import prefixed, span
from kg.render.finding_card import how_computed, operand_words, value_of_cause
from kg.render.scene import Fact, SceneNode

if TYPE_CHECKING:
    from kg.answers.conflicts import Group


def calculation_line(one: Calculation) -> str:
    """A calculation in one line: the expression over printed inputs and what they give."""
    inputs = ", ".join(f"{operand.name} = {operand.shown}" for operand in one.operands)
    gives = one.lacks if one.computed is None else span(one.computed, one.result.unit)
    return f"{one.expression} with {inputs} gives {gives}; printed is {one.result.shown}"


def calculation_facts(one: Calculation, finding: FindingCard | None) -> Iterable[Fact]:
    """A calculation laid out: inputs with their intervals, what they give, the verdict, what may explain it."""
    yield "computed as", f"{one.expression} ({how_computed(one)})"
    for operand in one.operands:
        because = f", because {operand.why}" if operand.why else ""
        where = f" [{operand.claim}]" if operand.claim else ""
        yield f"input {operand.name}", operand_words(operand) + because + where
    yield "gives", one.lacks if one.computed is None else span(one.computed, one.result.unit)
    yield "printed", operand_words(one.result) + f" [{one.claim}]"
    if finding is not None:
        yield "verdict", f"{finding.verdict or finding.code} ({finding.severity})"
        for cause in finding.explanations[:3]:
            yield "may be explained by", f"{cause.message}{value_of_cause(cause, finding)} ({cause.code})"


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
