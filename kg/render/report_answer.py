"""The answer of a report in a sentence: what the claims say, and how many of them must not be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, VERDICTS
from kg.render.picture_cards import figure_of, measure, says, short

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard

_MOST: Final = 3
_WORDS: Final = 90
"""Letters of a statement that stands for a figure."""


def answer_of_claims(cards: Sequence[ClaimCard]) -> str:
    """The range of one metric, or the metrics of which most is said with their best figures; then what must not be used."""
    groups: dict[str, list[ClaimCard]] = {}
    for card in cards:
        groups.setdefault(measure(card), []).append(card)
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    first = _range(*largest[0]) if len(groups) == 1 else None
    if first is None:
        parts = [f"{name.replace('-', ' ')} {_best(own)}" for name, own in largest[:_MOST]]
        stated = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
        others = len(groups) - len(parts)
        more = f", and {counted(others, 'other measure')}" if others else ""
        first = f"{stated}{more}, in {counted(len(cards), 'claim')}"
    counts = Counter(card.verdict for card in cards if card.verdict in NOT_TO_USE)
    bad = [f"{counts[verdict]} {verdict}" for verdict in reversed(VERDICTS) if counts[verdict]]
    judged = f"{' and '.join(bad)}: not to be used" if bad else "none is wrong or disputed"
    return f"{first[:1].upper()}{first[1:]}; {judged}."


def answer_of_rows(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
    """The first row of an answer that holds no claims, and how many follow."""
    if not rows:
        return "Nothing is known that answers this."
    first = ", ".join(f"{name.replace('_', ' ')} {rows[0][name]}" for name in columns if rows[0][name] is not None)
    more = f"; {counted(len(rows) - 1, 'row')} more" if len(rows) > 1 else ""
    return f"{first[:1].upper()}{first[1:]}{more}."


def _best(cards: Sequence[ClaimCard]) -> str:
    """The figure of the best verdict, of several the one that most claims give."""
    usual = Counter(map(says, cards))
    card = min(cards, key=lambda one: (VERDICTS.index(one.verdict), -usual[says(one)], one.id))
    return f"{shorten(says(card), _WORDS, placeholder=' …')} ({card.verdict})"


def _range(name: str, cards: Sequence[ClaimCard]) -> str | None:
    """The least and the greatest figure of one metric in one unit, with their things; None where there is no order."""
    usable = [one for one in cards if one.verdict not in NOT_TO_USE and one.figure.canonical_value is not None]
    if len(usable) < 2 or len({one.figure.canonical_unit for one in usable}) > 1:
        return None
    ends = sorted(usable, key=lambda one: (one.figure.canonical_value or 0.0, one.id))
    low, high = (f"{figure_of(one)} ({short(one.subject.label or one.subject.id)})" for one in (ends[0], ends[-1]))
    return f"{name.replace('-', ' ')} goes from {low} to {high}, in {counted(len(cards), 'claim')}"
