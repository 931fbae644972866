"""What official results give of the two things that a traced ratio is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Ask, Asker
from kg.answers.preview_results import previews_among
from kg.answers.published_ratios import BEARING_ON, OfficialRatio, published_ratios

if TYPE_CHECKING:
    from kg.answers.trace import Trace

_PAIR: Final = 2


def official_ratio(ask: Ask, found: Trace) -> OfficialRatio | None:
    """What official results give of the two things that a ratio was asked about, or that a claim of a ratio compares.

    Of one thing they are asked over what most claims compare it with.
    """
    asker = Asker(ask)
    if found.kind == "claim":
        return _of_claim(asker, found)
    if not 0 < len(found.about) <= _PAIR or not found.asked.casefold().endswith("x"):
        return None
    first, *others = found.about
    if others:
        return official_of_pair(ask, first, others[0])
    return next(_gains(asker, [(first, one) for one in _compared_with(asker, first)]), None)


def official_of_pair(ask: Ask, a: str, b: str) -> OfficialRatio | None:
    """What official results give of two things, of the faster one over the other."""
    return next(_gains(Asker(ask), [(a, b), (b, a)]), None)


def _gains(asker: Asker, pairs: list[tuple[str, str]]) -> Iterator[OfficialRatio]:
    for a, b in pairs:
        given = published_ratios(asker, a, b)
        if given is not None and given.highest > 1:
            yield OfficialRatio(a, b, given.lowest, given.highest, given.previews)


def _of_claim(asker: Asker, found: Trace) -> OfficialRatio | None:
    """Of a claim that compares one thing with another in what results of inference bear on."""
    card = found.claims[0].claim
    if card.relation != "ratio" or card.baseline is None or len(card.subjects) != 1:
        return None
    if card.metric not in BEARING_ON or "train" in (card.conditions or ""):
        return None
    from kg.answers.measured_gains import MeasuredGains  # with all that checks texts: most claims need none

    ratios = MeasuredGains(asker).of_pair(card.subject.id, card.baseline.id)
    if not ratios:
        return None
    least, most = (end(ratios, key=lambda one: one.per_accelerator) for end in (min, max))
    marked = (one.per_accelerator for one in previews_among(asker, (least, most)))
    ends = least.per_accelerator, most.per_accelerator
    return OfficialRatio(card.subject.name, card.baseline.name, *ends, tuple(marked))


def _compared_with(asker: Asker, thing: str) -> list[str]:
    """The things that most claims compare a thing with as their baseline."""
    rows = (row for row in asker.rows("comparisons/of-thing", thing=thing) if row["role"] == "subject")
    counts = Counter(str(row["other_label"]) for row in rows if row["other_label"])
    return [label for label, _ in counts.most_common(_PAIR)]
