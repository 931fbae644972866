"""The verdict on a directional statement by the ratios of its paired rows: supported, weak, contradicted, or reversed."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Literal

from kg.audit.normalisers import normalisers
from kg.audit.rules.direction_rows import DirectionPair
from kg.audit.rules.facts import Facts, is_ratio
from kg.audit.wording import text_of
from kg.errors import KgError
from kg.model.counting import is_or_are
from kg.model.expression import Expression
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord

Verdict = Literal["supported", "weak", "contradicted", "reverses-after-correction"]
Judged = tuple[Verdict, str, Fraction | None]
NEAR, FAR, SLIGHT, SHRUNK = Fraction(10, 9), Fraction(2), Fraction(5, 4), Fraction(4)
"""As good as equal; no longer similar; little; how many times an effect must shrink to be called weak."""


def judge_pairs(facts: Facts, claim: ClaimRecord, pairs: Sequence[DirectionPair]) -> Judged:
    """The verdict of some pairs, in words, with a ratio.

    Rows that cannot be of one unit are left out: the others decide, and where there are none a statement is weak.
    """
    usable = [pair for pair in pairs if not pair.crosses]
    crossing = len(pairs) - len(usable)
    if not crossing:
        return _by_numbers(facts, claim, pairs)
    why = f"{crossing} of {len(pairs)} pairs of rows {is_or_are(crossing)} of the two groups of a column whose unit is left open"
    if not usable:
        return "weak", why, None
    verdict, text, computed = _by_numbers(facts, claim, usable)
    return verdict, f"{why}; of the others {text}", computed


def _by_numbers(facts: Facts, claim: ClaimRecord, pairs: Sequence[DirectionPair]) -> Judged:
    """A statement about one accelerator is judged by figures per card where there are any, one about a system by totals."""
    of_cards = claim["level"] in ("accelerator", "superchip") or "per-chip" in normalisers(claim)
    # a rack of 72 beats a server of 8 even with slower cards: totals say nothing about one accelerator
    chosen = [pair for pair in pairs if pair.per_card == of_cards]
    others = [pair for pair in pairs if pair.per_card != of_cards]
    chosen, others = (chosen, others) if chosen else (others, chosen)
    rows = _Rows(_Expectation.of(facts, claim), chosen, others)
    if (judged := _lost_by_correction(rows)) is not None:
        return judged
    if not rows.expected.one_figure:
        return _by_direction(rows)
    if of_cards and not rows.others and not any(pair.per_card for pair in chosen):
        return _by_totals_only(rows, _divided(facts, claim))
    return _by_figure(rows)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The pairs a statement is judged by, those of the other basis, and what a ratio must be."""

    expected: "_Expectation"
    chosen: Sequence[DirectionPair]
    others: Sequence[DirectionPair]

    @property
    def moved(self) -> bool:
        """Whether a correction changes any of them."""
        return any(pair.ratio != pair.corrected for pair in self.chosen)

    @property
    def ratios(self) -> list[Fraction]:
        """The ratios that count: corrected ones where any was corrected."""
        return [pair.corrected if self.moved else pair.ratio for pair in self.chosen]

    @property
    def fitting(self) -> int:
        """How many of them bear the statement out."""
        return sum(map(self.expected.fits, self.ratios))

    @property
    def first(self) -> Fraction:
        """The ratio that a finding gives as computed."""
        return self.chosen[0].corrected

    @property
    def as_printed(self) -> str:
        """The printed ratios in words, with the scenarios they are of."""
        return ", ".join(f"{text_of(p.ratio)}{f' ({p.where})' if p.where else ''}" for p in self.chosen[:6])

    @property
    def put_right(self) -> str:
        """The corrected ratios in words."""
        return ", ".join(text_of(pair.corrected) for pair in self.chosen[:6])

    @property
    def shown(self) -> str:
        """The ratios that count in words."""
        return self.put_right if self.moved else self.as_printed


def _lost_by_correction(rows: _Rows) -> Judged | None:
    """The verdict where the rows bear a statement out as printed and no longer, or hardly, once they are put right.

    It is reported as such, since the statement was sound when it was written.
    """
    if not rows.moved:
        return None
    printed = [rows.expected.fits(pair.ratio) for pair in rows.chosen]
    right = [rows.expected.fits(pair.corrected) for pair in rows.chosen]
    text = f"the rows give {rows.as_printed} as printed, but"
    if rows.expected.one_figure:
        # a text states one figure for several rows: as long as one of
        # them gives it, it has its ground
        lost = any(printed) and not any(right)
        return ("weak", f"{text} {rows.put_right} once they are put right", rows.first) if lost else None
    if all(printed) and not any(right):
        return "reverses-after-correction", f"{text} {rows.put_right} once they are put right", rows.first
    if all(right) and all(_shrinks(pair) for pair in rows.chosen):
        return "weak", f"{text} only {rows.put_right} once they are put right", rows.first
    return None


def _by_totals_only(rows: _Rows, per_card: Iterator[Fraction]) -> Judged:
    """A figure per card for which the rows have totals: the text may give the counts next to them."""
    fitting = [ratio for ratio in per_card if rows.expected.fits(ratio)]
    if fitting:
        return "supported", f"the totals over their counts give {text_of(fitting[0])} per card", fitting[0]
    return "weak", f"only totals over different counts give {rows.shown}; a figure per card is needed", rows.first


def _by_figure(rows: _Rows) -> Judged:
    """The verdict on a statement of one figure."""
    # a text often states one figure for several scenarios: it is borne out where it lies among them
    if rows.expected.holds_together(rows.ratios):
        return "supported", f"the rows give {rows.shown}", rows.first
    if any(rows.expected.fits(pair.ratio) for pair in rows.others):
        text = f"per card the rows give {rows.shown}; only totals over different counts give the figure"
        return "weak", text, rows.first
    return "weak", f"the rows give {rows.shown}, not the figure of the statement", rows.first


def _by_direction(rows: _Rows) -> Judged:
    """The verdict on a statement that one side is ahead, or that both are similar."""
    against, count = len(rows.chosen) - rows.fitting, len(rows.chosen)
    if not against:
        return "supported", f"the rows give {rows.shown}", rows.first
    # one row against it is enough: the statement is made of all of them
    if not rows.expected.similar:
        return "contradicted", f"the rows give {rows.shown}: {against} of {count} against the statement", rows.first
    # "similar" is a matter of taste up to twice as much
    far = any(map(rows.expected.is_far, rows.ratios))
    return ("contradicted" if far else "weak"), f"the rows give {rows.shown}, which is hardly similar", rows.first


def _divided(facts: Facts, claim: ClaimRecord) -> Iterator[Fraction]:
    """The ratios of a claim that are formed of totals, each divided by its count."""
    for given in claim["derivations"]:
        if not {"count", "total"} <= set(given["inputs"]):
            continue
        records = {name: facts.lookup(used.get("claim") or "") for name, used in given["inputs"].items()}
        figures = {name: facts.figure(record) for name, record in records.items() if record is not None}
        values = {name: Interval.exactly(one.value) for name, one in figures.items() if one is not None}
        if len(values) < len(given["inputs"]):
            continue
        with suppress(KgError):
            ratio = Expression.parse(given["expression"]).evaluate_intervals(values)
            if ratio.lower is not None:
                yield ratio.lower


def _apart(ratio: Fraction) -> Fraction | float:
    """How many times one side is the other, whichever is ahead; without end where one side has none at all.

    >>> _apart(Fraction(1, 4)), _apart(Fraction(0))
    (Fraction(4, 1), inf)
    """
    return max(ratio, 1 / ratio) if ratio > 0 else inf


def _shrinks(pair: DirectionPair) -> bool:
    """Whether an effect that looked large is little once the rows are put right."""
    before, after = (_apart(ratio) - 1 for ratio in (pair.ratio, pair.corrected))
    return after < SLIGHT - 1 and before > SHRUNK * after


@dataclass(frozen=True, slots=True)
class _Expectation:
    """What a ratio must be for a statement to hold."""

    direction: str | None
    lower: Fraction | None
    upper: Fraction | None

    @classmethod
    def of(cls, facts: Facts, claim: ClaimRecord) -> "_Expectation":
        figure = facts.figure(claim) if is_ratio(claim) else None
        if figure is not None:
            return cls(None, figure.lower, figure.upper)
        return cls(claim.get("direction"), None, None)

    @property
    def one_figure(self) -> bool:
        return self.direction is None

    @property
    def similar(self) -> bool:
        return self.direction == "similar"

    def fits(self, ratio: Fraction) -> bool:
        if self.direction is None:
            return (self.lower is None or self.lower <= ratio) and (self.upper is None or ratio <= self.upper)
        if self.similar:
            return _apart(ratio) <= NEAR
        wanted = {"higher": ratio > 1, "lower": ratio < 1, "not-higher": ratio <= 1, "not-lower": ratio >= 1}
        return wanted.get(self.direction, True)

    def holds_together(self, ratios: Sequence[Fraction]) -> bool:
        """Whether the figure lies among the rows: some row fits, or rows lie on both sides of it."""
        low, high = min(ratios), max(ratios)
        return (self.upper is None or low <= self.upper) and (self.lower is None or self.lower <= high)

    @staticmethod
    def is_far(ratio: Fraction) -> bool:
        return _apart(ratio) > FAR
