"""A ratio of two chips that no claim states, next to the one that their own published values give: memory, bandwidth, power."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kg.answers.checked_figures import CheckedFigure, TextFigure
from kg.answers.figure_match import SURE
from kg.answers.known_numbers import ONE_VALUE, KnownNumber, PublishedNumbers
from kg.answers.ratio_print import is_within_hedge, narrowed, readings
from kg.errors import KgError
from kg.model.printed import PrintedNumber
from kg.model.vocabulary import RATIO_RELATIONS

_SINGLE: Final = ("accelerator/", "family/", "superchip/")
"""Things whose values are those of one device."""
_FOR_EACH: Final = re.compile(r"\b(?:per|for (?:each|every|the same)|at the same)\b")
"""Words of a comparison per token or at equal speed, which no data sheet gives."""
_LIKELY: Final = 0.5
"""The confidence from which a baseline counts as the one that is meant."""
_CLEARLY: Final = 5
"""How many times likelier than the next a metric is that counts as named, be its confidence low."""
_PERCENT: Final = 100
_MORE: Final = r"(?:\s?(?:x|×|times))?[\s-](?:more|higher|larger|greater|bigger|increase|gain)\b"
"""Behind a factor that may be said of the gain alone: "2x more" of three times as much."""


@dataclass(frozen=True, slots=True)
class SheetRatio:
    """The ratios of the published values of two things; `covers` gives a thing with all below it."""

    numbers: PublishedNumbers
    covers: Callable[[str], Sequence[str]]

    def of(self, figure: TextFigure, line: int) -> CheckedFigure | None:
        """The verdict that published values of the two give; None where they give no ratio of what is compared."""
        if not _is_of_two(figure) or figure.number is None or isinstance(figure.number.value, tuple):
            return None
        metric = figure.metrics[0].value
        pairs = [
            (after, before)
            for after in self._values(figure.subjects[0].value, metric)
            for before in self._values(figure.baselines[0].value, metric)
            if after.kind == before.kind and before.value
        ]
        if not pairs:
            return None
        is_multiple = re.search(rf"{re.escape(figure.printed.lower())}{_MORE}", figure.words) is None
        fitting = next(
            (pair for pair in pairs if _fits(figure.number, figure.relation, _ratio(pair), is_multiple=is_multiple)),
            None,
        )
        if fitting is not None:
            return self._fitting(figure, line, fitting)
        least, most = min(pairs, key=_ratio), max(pairs, key=_ratio)
        ends = [least] if _shown(figure, least) == _shown(figure, most) else [least, most]
        shown = [_shown(figure, pair) for pair in ends]
        given = ", ".join(f"{_worded(pair)} gives {one}" for pair, one in zip(ends, shown, strict=True))
        known = (least[0].known, least[1].known)
        use = " to ".join(shown)
        return CheckedFigure(figure, line, "caution", f"no published values give it: {given}", use, (), known)

    def _fitting(self, figure: TextFigure, line: int, pair: tuple[KnownNumber, KnownNumber]) -> CheckedFigure | None:
        """A ratio that two published values give: as sure as they are; who denies it is left alone."""
        if figure.is_denied:
            return None
        known = (pair[0].known, pair[1].known)
        is_sure = {one.verdict for one in known} == {"confirmed"}
        reason = f"recomputes from published values: {_worded(pair)} gives {_shown(figure, pair)}"
        return CheckedFigure(figure, line, "confirmed" if is_sure else "unverified", reason, None, (), known)

    def _values(self, thing: str, metric: str) -> Iterator[KnownNumber]:
        """The values of a metric that are published of a thing or of what its name covers; a disputed one may be what the text goes by."""
        for one in dict.fromkeys((thing, *self.covers(thing))):
            for number in self.numbers.of(one):
                if number.metric == metric and number.known.verdict != "wrong":
                    yield number


def _is_of_two(figure: TextFigure) -> bool:
    """Whether a text says for certain how two devices compare in what a data sheet prints in one way."""
    if figure.relation not in RATIO_RELATIONS or not (figure.subjects and figure.baselines and figure.metrics):
        return False
    if figure.per is not None or "model" in figure.conditions or _FOR_EACH.search(figure.words):
        return False
    subject, baseline = figure.subjects[0], figure.baselines[0]
    is_sure = subject.confidence >= SURE and baseline.confidence >= _LIKELY and subject.value != baseline.value
    return is_sure and subject.value.startswith(_SINGLE) and baseline.value.startswith(_SINGLE) and _is_named(figure)


def _is_named(figure: TextFigure) -> bool:
    """Whether the text names what is compared, and data sheets print it in one way."""
    first, *others = figure.metrics
    next_likely = others[0].confidence if others else 0.0
    return first.value in ONE_VALUE and first.confidence >= min(SURE, _CLEARLY * next_likely)


def _ratio(pair: tuple[KnownNumber, KnownNumber]) -> float:
    return pair[0].value / pair[1].value


def _fits(number: PrintedNumber, relation: str, ratio: float, *, is_multiple: bool) -> bool:
    """Whether a printed ratio is that of two values, in one of the readings of its print."""
    computed = Fraction(ratio)
    for formula, read_as in readings(number, relation, is_multiple=is_multiple):
        if formula == "b / a" and relation == "ratio":
            continue  # "half the memory" is a ratio below one, and which of the two is meant is known here
        try:
            read = narrowed(number, read_as).canonical_ratio(read_as)
        except KgError:
            continue
        value = computed if formula == "a / b" else 1 / computed
        if (read.lower is None or read.lower <= value) and (read.upper is None or value <= read.upper):
            return True
        if read.wide_lower is not None and read.wide_upper is not None and read.wide_lower <= value <= read.wide_upper:
            return True
        if not isinstance(read.value, tuple) and is_within_hedge(number, read_as, read.value, value):
            return True
    return False


def _worded(pair: tuple[KnownNumber, KnownNumber]) -> str:
    after, before = pair
    return (
        f"{after.known.printed} of {after.label} [{after.known.claim}] "
        f"against {before.known.printed} of {before.label} [{before.known.claim}]"
    )


def _shown(figure: TextFigure, pair: tuple[KnownNumber, KnownNumber]) -> str:
    """The ratio of two values as the text prints its own: in percent, or as a factor."""
    ratio = _ratio(pair)
    if figure.unit != "%":
        return f"{ratio:.3g}x"
    if figure.relation == "share-of":
        return f"{ratio * _PERCENT:.3g} %"
    change = (ratio - 1) * _PERCENT
    return f"{abs(change):.3g} % {'more' if change >= 0 else 'less'}"
