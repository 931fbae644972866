"""The answer of a report in a sentence: what the claims say, and how many of them must not be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import TYPE_CHECKING, Final

from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, VERDICTS
from kg.render.picture_cards import figure_of, measure, says
from kg.render.thing_nodes import short

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard

_MOST: Final = 3
_WORDS: Final = 90
"""Letters of a statement printed in place of a figure."""


def answer_of_claims(cards: Sequence[ClaimCard]) -> str:
    """The range of one metric, or the metrics of which most is said with their best figures; then what must not be used."""
    groups: dict[str, list[ClaimCard]] = {}
    for card in cards:
        groups.setdefault(measure(card), []).append(card)
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    most = 1 if len({card.metric for card in cards}) == 1 else _MOST
    parts = [_stated(name.replace("-", " "), own) for name, own in largest[:most]]
    others = len(groups) - len(parts)
    more = f"; {counted(others, 'other measure')}" if others else ""
    first = f"{'; '.join(parts)}{more}, in {counted(len(cards), 'claim')}"
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


def _stated(name: str, cards: Sequence[ClaimCard]) -> str:
    """A measure with the least and the greatest of its figures; of one figure, or of words alone, the usual one."""
    if (ends := _ends(cards)) is not None:
        return f"{name} from {ends[0]} to {ends[1]}"
    usual = Counter(map(says, cards))
    # A figure before words, the better verdict, then what most claims say.
    card = min(cards, key=lambda one: (one.figure.unit is None, VERDICTS.index(one.verdict), -usual[says(one)], one.id))
    return f"{name} {shorten(says(card), _WORDS, placeholder=' …')} ({card.verdict})"


def _ends(cards: Sequence[ClaimCard]) -> tuple[str, str] | None:
    """The least and the greatest figure in one unit with their things; None where there is no order, or one value."""
    usable = [one for one in cards if one.verdict not in NOT_TO_USE and one.figure.canonical_value is not None]
    values = {one.figure.canonical_value for one in usable}
    if len(values) < 2 or len({one.figure.canonical_unit for one in usable}) > 1:
        return None
    ends = sorted(usable, key=lambda one: (one.figure.canonical_value or 0.0, one.id))
    low, high = (f"{figure_of(one)} ({short(one.subject.name)})" for one in (ends[0], ends[-1]))
    return low, high
