"""How far a text can be relied on: the verdicts on its claims, how many of its figures recompute, and who states otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Ask, Asker, text, whole
from kg.model.counting import first_of

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

_RECOMPUTES: Final = frozenset({"consistent", "within-rounding"})
_FAILS: Final = frozenset({"inconsistent"})
_ARITHMETIC: Final = "arithmetic."
_MOST_NAMED: Final = 5
OTHERWISE: Final = ("conflict", "possible-conflict")
"""The verdicts of groups whose claims cannot all hold, or may not."""


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """What the audit found of one text."""

    source: str
    label: str
    verdicts: Mapping[str, int]
    """How many claims have each verdict."""
    recomputed: int
    failed: int
    """How many figures the inputs that are stated give, and how many they do not."""
    against: tuple[str, ...]
    """The sources that state otherwise, those that do so most often first."""
    groups: int
    """In how many groups of claims they do."""

    @property
    def claims(self) -> int:
        """How many claims it makes."""
        return sum(self.verdicts.values())


def source_records(ask: Ask, sources: Collection[str]) -> tuple[SourceRecord, ...]:
    """The record of each of some texts that makes claims."""
    asker = Asker(ask)
    labels: dict[str, str] = {}
    verdicts: dict[str, Counter[str]] = {}
    for row in asker.rows("sources/verdicts") if sources else ():
        if (name := text(row, "source")) in sources:
            labels[name] = text(row, "label", name)
            verdicts.setdefault(name, Counter())[text(row, "verdict")] += whole(row, "claims") or 0
    if not verdicts:
        return ()
    sums = _sums(asker)
    members = _members(asker)
    records = []
    for name in sorted(verdicts):
        others = [found - {name} for found in members if name in found and found - {name}]
        count = Counter(other for found in others for other in found)
        against = tuple(sorted(count, key=lambda one: (-count[one], one)))
        held, failed = (sum(sums[name, one] for one in kind) for kind in (_RECOMPUTES, _FAILS))
        records.append(SourceRecord(name, labels[name], verdicts[name], held, failed, against, len(others)))
    return tuple(records)


def _sums(asker: Asker) -> Counter[tuple[str, str]]:
    """How many calculations of each source came out with each verdict."""
    sums: Counter[tuple[str, str]] = Counter()
    for row in asker.rows("audit/counts"):
        if text(row, "code").startswith(_ARITHMETIC):
            sums[text(row, "source"), text(row, "verdict")] += whole(row, "findings") or 0
    return sums


def _members(asker: Asker) -> list[frozenset[str]]:
    """The sources of each group of claims that cannot all hold, or may not."""
    found: dict[str, set[str]] = {}
    for row in asker.rows("audit/conflict-members", verdict=OTHERWISE):
        source = f"source/{text(row, 'claim').partition('/')[0]}"
        found.setdefault(text(row, "finding"), set()).add(source)
    return list(map(frozenset, found.values()))


def wrong_most(answer: Answer) -> str:
    """One line on which sources are wrong most often, by the share of their claims; empty where rows are of one verdict only.

    >>> from kg.stores.protocol import Answer
    >>> rows = (("source/001", "wrong", 1), ("source/001", "confirmed", 9), ("source/002", "wrong", 3), ("source/002", "caution", 7))
    >>> wrong_most(Answer(("source", "verdict", "claims"), (*rows, ("source/003", "confirmed", 2))))
    'wrong most often: 002 in 3 of 10 claims, 001 in 1 of 10; never: 003'
    """
    claims: dict[str, Counter[str]] = {}
    for row in answer.dicts():
        source = text(row, "source").removeprefix("source/")
        claims.setdefault(source, Counter())[text(row, "verdict")] += whole(row, "claims") or 0
    if not answer.complete or len({verdict for one in claims.values() for verdict in one}) < 2:
        return ""
    wrong = {name: one["wrong"] / one.total() for name, one in claims.items() if one["wrong"]}
    ranked = sorted(wrong, key=lambda name: (-wrong[name], name))
    parts = [f"{name} in {claims[name]['wrong']} of {claims[name].total()}" for name in ranked]
    never = sorted(claims.keys() - wrong.keys())
    if not ranked:
        return ""
    parts[0] += " claims"
    return f"wrong most often: {first_of(parts, _MOST_NAMED)}" + (
        f"; never: {first_of(never, _MOST_NAMED)}" if never else ""
    )
