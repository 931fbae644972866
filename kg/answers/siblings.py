"""The claims of one statement: what else is claimed of the same thing, and in which conditions it differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kg.answers.asking import Asker, Row, number, read_fields, said, text
from kg.answers.claim import ClaimCard, bare, shown_figure, shown_value, worded_print
from kg.answers.sameness import differing
from kg.model.verdict import VERDICTS, read_verdict


class Sibling(NamedTuple):
    """Another claim of the same subject, metric and normaliser; where no condition differs it is about the same thing."""

    claim: str
    printed: str | None
    unit: str | None
    canonical_value: float | None
    canonical_unit: str | None
    conditions: str | None
    asserted_by: str | None
    source: str | None
    said_on: str | None
    verdict: str
    hedge: str | None
    modality: str
    differs: tuple[str, ...] = ()
    """The conditions in which it differs from the claim it is shown with."""
    speaker: str | None = None
    """The name of who asserts it."""

    @classmethod
    def from_card(cls, card: ClaimCard) -> Sibling:
        """A claim that was read as one, with what others of its statement have read."""
        figure, value = card.figure, card.figure.canonical_value
        return cls(
            claim=card.id,
            printed=_shown(figure.printed, figure.unit, value, figure.canonical_unit),
            unit=figure.unit,
            canonical_value=value,
            canonical_unit=figure.canonical_unit,
            conditions=card.conditions,
            asserted_by=card.asserted_by.id,
            source=card.source.id,
            said_on=card.said_on,
            verdict=card.verdict,
            hedge=figure.hedge,
            modality=card.modality,
            speaker=card.asserted_by.name,
        )

    @property
    def worded(self) -> str | None:
        """What is printed, as its author means it."""
        return worded_print(self.printed, self.unit, self.hedge, self.modality)


def read_siblings(asker: Asker, cards: Mapping[str, ClaimCard]) -> dict[str, tuple[Sibling, ...]]:
    """The siblings of each claim, those that differ in the fewest conditions first.

    A hundred claims of one statement have the same thousands beside them: these are read once, not a hundred times.
    """
    groups = _alike(cards.values())
    found = _siblings(asker, [group[0] for group in groups])
    statements = [_statement(group, cards[group[0]], found[group[0]]) for group in groups]
    # that they look alike does not make them of one statement
    apart = [one for group, members in zip(groups, statements, strict=True) for one in group if one not in members]
    found |= _siblings(asker, [one for one in apart if one not in found])
    ranked = {one: _ranked(cards[one].conditions, found[one]) for one in apart}
    for group, members in zip(groups, statements, strict=True):
        by_conditions: dict[str | None, tuple[Sibling, ...]] = {}
        for one in group:
            if one in members:
                conditions = cards[one].conditions
                if conditions not in by_conditions:
                    by_conditions[conditions] = _ranked(conditions, members.values())
                ranked[one] = tuple(other for other in by_conditions[conditions] if other.claim != one)
    return ranked


def read_sibling(row: Row) -> Sibling:
    """A row of `claims/same-statement`."""
    unit, value = bare(said(row, "unit")), number(row, "canonical_value")
    printed = _shown(said(row, "printed"), unit, value, said(row, "canonical_unit"))
    return read_fields(Sibling, row, claim=text(row, "other"), printed=printed, unit=unit, canonical_value=value)


def _shown(printed: str | None, unit: str | None, value: float | None, canonical_unit: str | None) -> str | None:
    """What is printed with its unit; a figure that is printed nowhere as a number."""
    shown = shown_figure(printed, unit)
    return shown_value(value, canonical_unit) if shown is None and value is not None else shown


def _alike(cards: Iterable[ClaimCard]) -> list[list[str]]:
    groups: dict[object, list[str]] = {}
    for card in cards:
        subjects = frozenset(one.id for one in card.subjects)
        key = (
            card.kind,
            subjects,
            card.level,
            card.metric,
            card.statistic,
            card.normaliser,
            card.baseline,
            card.figure.quantity_kind,
        )
        groups.setdefault(key, []).append(card.id)
    return list(groups.values())


def _statement(group: Sequence[str], first: ClaimCard, others: Iterable[Sibling]) -> dict[str, Sibling]:
    """All claims of the statement of the first of a group; none where it is alone in the group, for nobody else asks for them."""
    return {first.id: Sibling.from_card(first)} | {one.claim: one for one in others} if len(group) > 1 else {}


def _siblings(asker: Asker, claims: Sequence[str]) -> dict[str, list[Sibling]]:
    """What is known of each claim, in no order."""
    found: dict[str, list[Sibling]] = {one: [] for one in claims}
    if not claims:
        return found
    rows = asker.rows("claims/same-statement", claim=tuple(claims))
    speakers = _speakers(asker, rows)
    for row in rows:
        one = read_sibling(row)
        found[text(row, "claim")].append(one._replace(speaker=speakers.get(one.asserted_by or "", one.asserted_by)))
    return found


def _speakers(asker: Asker, rows: Iterable[Row]) -> dict[str, str]:
    """The names of those who assert the claims of rows."""
    wanted = sorted({one for row in rows if (one := said(row, "asserted_by"))})
    return (
        {text(row, "thing"): text(row, "label") for row in asker.rows("entities/labels", thing=wanted)}
        if wanted
        else {}
    )


def _ranked(conditions: str | None, siblings: Iterable[Sibling]) -> tuple[Sibling, ...]:
    """Claims next to one with these conditions, by how much their own differ."""
    differs: dict[str | None, tuple[str, ...]] = {}
    found = []
    for one in siblings:
        if one.conditions not in differs:
            differs[one.conditions] = differing(conditions, one.conditions)
        names = differs[one.conditions]
        found.append(one._replace(differs=names) if names else one)
    return tuple(
        sorted(found, key=lambda one: (len(one.differs), VERDICTS.index(read_verdict(one.verdict)), one.claim))
    )
