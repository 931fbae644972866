"""Findings in full: what was found, about which claims, what they print and where, and what may explain it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from kg.answers.asking import Asker, Row, grouped, read_fields, said, text
from kg.answers.claim import PrintedPlace, bare, shown_figure, shown_value, worded_figure
from kg.answers.traced_claim import NamedExplanation

_AT_ONCE: Final = 500
_ORDER: Final = {"violation": 0, "warning": 1, "info": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Involved(PrintedPlace):
    """One claim that a finding involves, and where it is printed."""

    claim: str
    role: str
    printed: str | None
    unit: str | None
    hedge: str | None
    shape: str | None
    canonical_value: float | None
    canonical_lower: float | None
    canonical_upper: float | None
    canonical_unit: str | None
    subject: str
    subject_label: str | None
    level: str | None
    baseline: str | None
    baseline_label: str | None
    metric: str | None
    statistic: str | None
    normaliser: str
    modality: str
    statement: str | None
    conditions: str | None
    asserted_by: str | None
    speaker: str | None
    source: str | None
    said_on: str | None
    verdict: str

    @property
    def shown(self) -> str | None:
        """The printed figure with unit, hedge and modality; words in quotes where there is no figure."""
        if self.unit is None:
            return f'"{self.printed}"' if self.printed and self.statement else self.printed
        figure = shown_figure(self.printed, self.unit)
        if figure is None and self.canonical_value is not None:
            figure = shown_value(self.canonical_value, self.canonical_unit)
        return worded_figure(figure, self.hedge, self.modality)

    @property
    def place(self) -> str:
        """Document and position, else the source."""
        where, inside = self.document or self.source or "", self.position
        return f"{where}:{inside}" if self.start is not None else f"{where}; {inside}" if inside else where

    @property
    def position(self) -> str | None:
        """The place inside the file, in few words: code points as bare numbers, as most claims are anchored."""
        return f"{self.start}-{self.end}" if self.start is not None else self.inside


@dataclass(frozen=True, slots=True)
class FindingCard:
    """A finding with everything it rests on. `claim` is what it is about: a claim, or a whole text."""

    id: str
    code: str
    severity: str
    verdict: str | None
    claim: str
    source: str
    derivation: str | None
    message: str
    basis: str
    reference: str | None
    computed_value: float | None
    computed_unit: str | None
    corrected_value: float | None
    corrected_unit: str | None
    claims: tuple[Involved, ...]
    explanations: tuple[NamedExplanation, ...]

    @property
    def rank(self) -> tuple[int, str, str, str]:
        """The worst first, then by code, source and id."""
        return _ORDER.get(self.severity, 3), self.code, self.source, self.id


def find_findings(
    asker: Asker,
    *,
    severity: Sequence[str] = (),
    code: Sequence[str] = (),
    source: Sequence[str] = (),
    finding: Sequence[str] = (),
    most: int | None = None,
) -> tuple[FindingCard, ...]:
    """The findings that fit every list given, worst first; an empty list fits all. Only the `most` most severe are looked into."""
    given = {"severity": severity, "code": code, "source": source, "finding": finding}
    rows = asker.rows("audit/findings", **{name: tuple(values) for name, values in given.items() if values})
    if most is not None:
        # a finding has a row for each claim that it is about: the limit counts findings
        most_severe = dict.fromkeys(text(row, "finding") for row in sorted(rows, key=_rank_of))
        kept = set(islice(most_severe, most))
        rows = [row for row in rows if text(row, "finding") in kept]
    names = [text(row, "finding") for row in rows]
    involved = read_involved(asker, names)
    explained = read_explanations(asker, names)
    cards = {
        name: _card(row, involved.get(name, ()), explained.get(name, [])) for name, row in zip(names, rows, strict=True)
    }
    return tuple(sorted(cards.values(), key=lambda one: one.rank))


def _rank_of(row: Row) -> tuple[int, str, str, str]:
    return _ORDER.get(text(row, "severity"), 3), text(row, "code"), text(row, "source"), text(row, "finding")


def read_involved(asker: Asker, findings: Iterable[str]) -> dict[str, tuple[Involved, ...]]:
    """The claims of findings: the one it is about first, then by role; a claim with several subjects once."""
    found = {}
    for name, rows in grouped(_in_parts(asker, "audit/involved", findings), "finding").items():
        own = sorted(
            rows, key=lambda row: (text(row, "role") != "about", role_key(text(row, "role")), text(row, "claim"))
        )
        by_claim: dict[tuple[str, str], list[Row]] = {}
        for row in own:
            by_claim.setdefault((text(row, "role"), text(row, "claim")), []).append(row)
        found[name] = tuple(map(_involved, by_claim.values()))
    return found


def read_explanations(asker: Asker, findings: Iterable[str]) -> dict[str, list[Row]]:
    """The rows that explain findings, by finding."""
    return grouped(_in_parts(asker, "audit/explanations", findings), "finding")


def role_key(role: str) -> tuple[int, str]:
    """Numbered roles by their number.

    >>> sorted(["value 10: 3", "value 2: 1", "input total"], key=role_key)
    ['input total', 'value 2: 1', 'value 10: 3']
    """
    digits = (
        # nine digits are enough for any column, and a role is a text from a rule that may hold more
        # of them
        "".join(islice((one for one in role.partition(":")[0] if one.isdigit()), 9))
        if role.startswith("value ")
        else ""
    )
    return int(digits or 0), role


def _in_parts(asker: Asker, question: str, findings: Iterable[str]) -> Iterator[Row]:
    """Rows of a question that takes findings, asked in portions."""
    names = list(dict.fromkeys(findings))
    for start in range(0, len(names), _AT_ONCE):
        yield from asker.rows(question, finding=tuple(names[start : start + _AT_ONCE]))


def _involved(rows: Sequence[Row]) -> Involved:
    """A claim from its rows, one for each thing that it is about."""
    first = rows[0]
    return read_fields(
        Involved,
        first,
        unit=bare(said(first, "unit")),
        metric=bare(said(first, "metric")),
        subject_label=_all_things(rows),
    )


def _all_things(rows: Iterable[Row]) -> str | None:
    """What a claim is about, by the labels of all its things.

    >>> _all_things([{"subject_label": "H200"}, {"subject_label": "B200"}, {"subject_label": "H200"}])
    'H200 and B200'
    """
    labels = dict.fromkeys(label for row in rows if (label := said(row, "subject_label")) is not None)
    return " and ".join(labels) or None


def _card(row: Row, involved: tuple[Involved, ...], explained: Iterable[Row]) -> FindingCard:
    return read_fields(
        FindingCard,
        row,
        id=text(row, "finding"),
        claims=involved,
        explanations=tuple(map(NamedExplanation.from_row, explained)),
    )
