"""One claim with what it rests on: where it comes from, what it is computed from, what the audit found, and who uses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from kg.answers.asking import Asker, Row, grouped, number, read_fields, said, text, whole
from kg.answers.chains import Hop, end_states, read_chains
from kg.answers.claim import (
    ClaimCard,
    Thing,
    bare,
    shown_figure,
    worded_print,
)
from kg.answers.siblings import Sibling, read_siblings
from kg.model.comparability import base_division
from kg.model.condition_line import stated_conditions
from kg.model.finding_roles import is_doubted

if TYPE_CHECKING:
    from kg.answers.number import Match


class NamedExplanation(NamedTuple):
    """A possible cause of a finding, best first, and the value it leads to."""

    rank: int
    code: str
    message: str
    corrected_value: float | None

    @classmethod
    def from_row(cls, row: Row) -> NamedExplanation:
        """The explanation that a row of claims/explanations holds."""
        return cls(whole(row, "rank") or 0, text(row, "code"), text(row, "message"), number(row, "corrected_value"))


class FindingNote(NamedTuple):
    """A finding that is about the claim, or holds it in a role."""

    id: str
    role: str
    about: str
    code: str
    severity: str
    verdict: str | None
    message: str
    basis: str
    derivation: str | None
    computed_value: float | None
    computed_unit: str | None
    corrected_value: float | None
    corrected_unit: str | None
    explanations: tuple[NamedExplanation, ...]


class TracedInput(NamedTuple):
    """What went into a derivation: a claim, or a constant with its reason."""

    name: str
    claim: str | None
    role: str | None
    constant: float | None
    constant_unit: str | None
    why: str | None
    printed: str | None
    unit: str | None
    canonical_value: float | None
    canonical_unit: str | None
    source: str | None
    verdict: str | None
    hedge: str | None
    modality: str

    @property
    def worded(self) -> str | None:
        """What is printed, as its author means it."""
        return worded_print(shown_figure(self.printed, self.unit), self.unit, self.hedge, self.modality)


class TracedDerivation(NamedTuple):
    """How the figure was computed, and what recomputing it found."""

    id: str
    expression: str
    stated_by_text: bool
    variant: str | None
    note: str | None
    inputs: tuple[TracedInput, ...]
    findings: tuple[FindingNote, ...]


class Dependent(NamedTuple):
    """A claim that was computed from this one, or repeats it; hop 1 is direct."""

    claim: str
    via: str
    hop: int
    fidelity: str | None
    metric: str | None
    printed: str | None
    statement: str | None
    source: str | None
    verdict: str
    unit: str | None
    hedge: str | None
    modality: str

    @property
    def worded(self) -> str | None:
        """What is printed, as its author means it."""
        return worded_print(shown_figure(self.printed, self.unit), self.unit, self.hedge, self.modality)


class Official(NamedTuple):
    """An entry of a benchmark round about the same thing: same task, scenario, metric, level and normaliser."""

    claim: str
    accelerator: Thing
    value: float | None
    unit: str | None
    normaliser: str
    task: str
    scenario: str | None
    round: str
    is_round_stated: bool
    """Whether the claim names this round."""
    division: str | None
    entry: str
    accelerators: float | None
    submitter: Thing | None
    source: str | None
    verdict: str


class TracedClaim(NamedTuple):
    """One claim with everything that leads to it and from it."""

    claim: ClaimCard
    match: Match | None
    chain: tuple[Hop, ...]
    end_states: tuple[str, ...]
    derivations: tuple[TracedDerivation, ...]
    findings: tuple[FindingNote, ...]
    dependents: tuple[Dependent, ...]
    same_statement: tuple[Sibling, ...]
    """Those about the same thing first, then the related ones, the fewer conditions differ the sooner."""
    official: tuple[Official, ...]
    """Official results, those of stated rounds first, each group best first."""

    @property
    def same_thing(self) -> tuple[Sibling, ...]:
        """The claims about the same thing: under the same conditions too."""
        return tuple(one for one in self.same_statement if not one.differs)

    @property
    def related(self) -> tuple[Sibling, ...]:
        """The claims under other conditions, the most alike first."""
        # sorted by the number of conditions that differ: those without any come first
        return self.same_statement[len(self.same_thing) :]


def traced_claims(
    asker: Asker, cards: Mapping[str, ClaimCard], matches: Mapping[str, Match]
) -> tuple[TracedClaim, ...]:
    """The claims of some cards with what they rest on, best matches first."""
    if not cards:
        return ()
    wanted = tuple(cards)
    chains = read_chains(asker, wanted)
    findings = read_findings(asker, wanted)
    derivations = grouped(asker.rows("claims/derivations", claim=wanted), "claim")
    inputs = grouped(asker.rows("claims/inputs", claim=wanted), "derivation") if derivations else {}
    dependents = grouped(asker.rows("claims/dependents", claim=wanted), "claim")
    siblings = read_siblings(asker, cards)
    official = _official(asker, cards)
    found = []
    for one, card in cards.items():
        chain = chains.get(one, ())
        notes = findings.get(one, ())
        found.append(
            TracedClaim(
                card,
                matches.get(one),
                chain,
                end_states(chain),
                tuple(_derivation(row, inputs, notes) for row in derivations.get(one, [])),
                notes,
                tuple(_dependent(row) for row in dependents.get(one, [])),
                siblings.get(one, ()),
                official.get(one, ()),
            )
        )
    return tuple(found)


def _official(asker: Asker, cards: Mapping[str, ClaimCard]) -> dict[str, tuple[Official, ...]]:
    """Official results next to the claims that state a measurement of some task; most claims do not, and nothing is asked."""
    wanted = [one for one, card in cards.items() if card.normaliser != "unstated" and _is_of_task(card)]
    if not wanted:
        return {}
    rows = grouped(asker.rows("benchmarks/official", claim=wanted), "claim")
    return {claim: tuple(read_official(row) for row in sorted(some, key=_best_first)) for claim, some in rows.items()}


def _is_of_task(card: ClaimCard) -> bool:
    """Whether a claim measures a task in a scenario and is no entry of a round itself: only then can it have a result."""
    stated = stated_conditions(card.conditions)
    return card.kind == "measurement" and stated.keys() >= {"task", "scenario"} and "entry" not in stated


def _best_first(row: Row) -> tuple[bool, bool, float, str]:
    value = number(row, "canonical_value") or 0.0
    return (
        row["round_match"] != "stated",
        # the open division allows another model than that of the task: its results come behind
        base_division(said(row, "division")) == "open",
        value if row["better"] == "lower" else -value,
        text(row, "official"),
    )


def read_official(row: Row) -> Official:
    """A row of `benchmarks/official`."""
    submitter = said(row, "submitter")
    return read_fields(
        Official,
        row,
        claim=text(row, "official"),
        accelerator=Thing(text(row, "accelerator"), said(row, "accelerator_label")),
        value=number(row, "canonical_value"),
        unit=said(row, "canonical_unit"),
        is_round_stated=row["round_match"] == "stated",
        submitter=Thing(submitter, said(row, "submitter_label")) if submitter else None,
    )


def read_findings(asker: Asker, claims: Iterable[str]) -> dict[str, tuple[FindingNote, ...]]:
    """The findings that are about claims, with their explanations, by claim; not those that only compare with them."""
    wanted = tuple(claims)
    rows = asker.rows("claims/findings", claim=wanted)
    own = grouped((row for row in rows if is_doubted(text(row, "code"), text(row, "role"))), "claim")
    if not own:
        return {}
    explained = grouped(asker.rows("claims/explanations", claim=wanted), "finding")
    return {claim: tuple(_finding(row, explained) for row in some) for claim, some in own.items()}


def _finding(row: Row, explained: Mapping[str, list[Row]]) -> FindingNote:
    identifier = text(row, "finding")
    return read_fields(
        FindingNote,
        row,
        id=identifier,
        explanations=tuple(map(NamedExplanation.from_row, explained.get(identifier, []))),
    )


def _derivation(row: Row, inputs: Mapping[str, list[Row]], notes: Iterable[FindingNote]) -> TracedDerivation:
    identifier = text(row, "derivation")
    return read_fields(
        TracedDerivation,
        row,
        id=identifier,
        inputs=tuple(_input(one) for one in inputs.get(identifier, [])),
        findings=tuple(note for note in notes if note.derivation == identifier),
    )


def _input(row: Row) -> TracedInput:
    return read_fields(
        TracedInput,
        row,
        name=text(row, "input"),
        claim=said(row, "input_claim"),
        unit=bare(said(row, "unit")),
        source=said(row, "input_source"),
    )


def _dependent(row: Row) -> Dependent:
    return read_fields(
        Dependent, row, claim=text(row, "dependent"), metric=bare(said(row, "metric")), unit=bare(said(row, "unit"))
    )
