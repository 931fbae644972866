"""A directional statement against the rows it rests on: supported, weak, contradicted, or reversed by a correction."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Final, Literal

from kg.audit.derivation import RESTS_ON
from kg.audit.finding import Finding, Severity
from kg.audit.rules.facts import Facts, is_gap, is_ratio, is_single, known, normalisers
from kg.audit.rules.part import Alone
from kg.audit.rules.units import JUMP
from kg.audit.wording import put_right, text_of
from kg.errors import KgError
from kg.model.counting import counted, first_of
from kg.model.expression import Expression
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord, DerivationInputRecord

Verdict = Literal["supported", "weak", "contradicted", "reverses-after-correction"]
Judged = tuple[Verdict, str, Fraction | None]
SEVERITY: Final[Mapping[Verdict, Severity]] = {
    "supported": "info",
    "weak": "warning",
    "contradicted": "violation",
    "reverses-after-correction": "violation",
}
CODES: Final[Mapping[Verdict, str]] = {
    "supported": "direction.supported",
    "weak": "direction.weak",
    "contradicted": "direction.contradicted",
    "reverses-after-correction": "direction.reverses-after-correction",
}
FAST: Final = frozenset(
    (
        "performance",
        "throughput",
        "training-throughput",
        "inference-speed",
        "training-speed",
        "peak-compute",
        "mfu",
    )
)
"""Metrics that are interchangeable in a statement about speed."""
NEAR, FAR, SLIGHT, SHRUNK = Fraction(10, 9), Fraction(2), Fraction(5, 4), Fraction(4)
"""As good as equal; no longer similar; little; how many times an effect must shrink to be called weak."""
NAMED: Final = 3
"""This many grounds are named in a finding."""
OPEN_UNIT: Final = "result/s"
"""What a column counts that does not say whether it counts samples or tokens."""
MOST_BASELINES: Final = 16
"""With this many rows of the baseline a row of the subject is compared."""
SPLIT: Final = ("scenario", "task", "model", "round", "precision", "date", "region", "accelerators")
_Key = tuple[str, ...]
_RowsByKey = dict[_Key, list[ClaimRecord]]


@dataclass(frozen=True, slots=True)
class DirectionPair:
    """Subject over baseline of two rows that differ in nothing else, as printed and once both are put right."""

    ratio: Fraction
    corrected: Fraction
    where: str
    per_card: bool
    crosses: bool = False
    """Whether the rows are of the two groups of a column that cannot be of one unit."""


def _grounded(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """One finding for each statement whose rows can be compared or speak against it, or that has rows of one side only."""
    # a remark of the curators that something is missing rests on nothing that could be compared
    if is_gap(claim):
        return
    for position, derivation in enumerate(claim["derivations"], 1):
        if derivation["expression"] == RESTS_ON:
            yield from _judged(facts, claim, derivation["inputs"], position)
            yield from _one_sided(facts, claim, derivation["inputs"])


def _judged(
    facts: Facts, claim: ClaimRecord, inputs: Mapping[str, DerivationInputRecord], position: int
) -> Iterator[Finding]:
    used = _grounds(facts, inputs)
    says_which = "direction" in claim or is_ratio(claim)
    pairs = list(pairs_of(facts, claim, [record for record, _ in used])) if says_which else []
    doubted = [record for record, role in used if role == "contradicting"]
    judged: Judged | None = None
    if pairs:
        # figures decide before roles: who recorded a row as contradicting may have misread it
        judged = _across_units(facts, claim, pairs)
        # words against rows whose unit is open are about the pairs that were left out
        judged = judged if any(pair.crosses for pair in pairs) else _doubted(claim, judged, doubted)
    # without pairs the grounds of all conclusions are weighed together, and so only once
    elif position == 1:
        used = _all_grounds(facts, claim)
        judged = _by_roles(facts, used)
    if judged is None:
        return
    verdict, text, computed = judged
    code, severity = (CODES[verdict], SEVERITY[verdict]) if pairs else _by_weight(used)
    yield Finding(
        code,
        verdict,
        severity,
        text,
        ((claim["id"], "statement"), *((record["id"], role or "input") for record, role in used)),
        key=str(position),
        derivation=position,
        computed=computed,
        unit=None if computed is None else "1",
    )


def _all_grounds(facts: Facts, claim: ClaimRecord) -> list[tuple[ClaimRecord, str | None]]:
    conclusions = (given for given in claim["derivations"] if given["expression"] == RESTS_ON)
    return [ground for given in conclusions for ground in _grounds(facts, given["inputs"])]


def _grounds(facts: Facts, inputs: Mapping[str, DerivationInputRecord]) -> list[tuple[ClaimRecord, str | None]]:
    return [
        (row, one.get("role"))
        for one in inputs.values()
        if "claim" in one and (row := facts.lookup(one["claim"])) is not None
    ]


def _one_sided(facts: Facts, claim: ClaimRecord, inputs: Mapping[str, DerivationInputRecord]) -> Iterator[Finding]:
    """A comparison that rests on rows of the one side alone: there is none of the other that it could be seen in."""
    used = [row for row, _ in _grounds(facts, inputs)]
    if (
        claim.get("relation") != "order"
        or "baseline" not in claim
        or not all(is_single(row) and _is_about(claim["metric"], row["metric"]) for row in used)
    ):
        return
    sides = {_side(facts, claim, row) for row in used}
    if used and sides == {True}:
        yield Finding(
            "direction.no-rows",
            "unsupported",
            "warning",
            f"rests on {counted(len(used), 'row')} of {facts.label(claim['subject'])} and on none of {facts.label(claim['baseline'])}",
            ((claim["id"], "statement"), *((row["id"], "input") for row in used)),
        )


def _by_roles(facts: Facts, used: Sequence[tuple[ClaimRecord, str | None]]) -> Judged | None:
    """Without rows to compare, what was recorded as speaking for and against it decides."""
    against = sum(role == "contradicting" for _, role in used)
    if not against:
        return None
    verdict: Verdict = "weak" if against < len(used) else "contradicted"
    rows = [row for row, role in used if role == "contradicting"]
    named = first_of([_in_words(facts, row) for row in rows], NAMED, joined="; ")
    others = len(used) - against
    rests = f"rests on {counted(others, 'statement')}" if others else "rests on no recorded statement"
    return verdict, f"{rests} and is contradicted by {against}: {named}", None


def _weight_of(used: Sequence[tuple[ClaimRecord, str | None]]) -> Severity:
    """Read next to their texts, statements of which a third or more of the grounds speak against them were all doubtful."""
    against = sum(role == "contradicting" for _, role in used)
    return "warning" if against * 3 >= len(used) else "info"


def _by_weight(used: Sequence[tuple[ClaimRecord, str | None]]) -> tuple[str, Severity]:
    """The code and severity of a statement that is judged by the roles of its grounds."""
    severity = _weight_of(used)
    return "direction.grounds" if severity == "info" else "direction.grounds-against", severity


def _in_words(facts: Facts, row: ClaimRecord) -> str:
    """A ground as its text has it: the figure, with what it should be, or the words; and the claim."""
    said, right = (row.get("quantity") or {}).get("printed") or row.get("cue"), facts.corrected(row["id"])
    of = f" ({row['metric'].replace('-', ' ')})" if said and "quantity" in row else ""
    of += f", put right {_right(facts, row, right)}," if said and right is not None else ""
    return f"{said}{of} [{row['id']}]" if said else f"[{row['id']}]"


def _right(facts: Facts, row: ClaimRecord, right: Fraction) -> str:
    figure = facts.figure(row)
    return put_right(right, None if figure is None else figure.unit, row.get("relation", "absolute"))


def _doubted(claim: ClaimRecord, judged: Judged, doubted: Sequence[ClaimRecord]) -> Judged:
    """Rows that support a statement do so weakly where words about the same metric speak against using them."""
    verdict, text, computed = judged
    worded = [
        one
        for one in doubted
        if "direction" in one and "quantity" not in one and _is_about(claim["metric"], one["metric"])
    ]
    if verdict == "supported" and worded:
        return "weak", f"{text}, but contradicted by {counted(len(worded), 'linked statement')}", computed
    return judged


def pairs_of(facts: Facts, claim: ClaimRecord, used: Sequence[ClaimRecord]) -> Iterator[DirectionPair]:
    """Rows of the subject paired with rows of the baseline; a ratio of the two among the inputs is a pair by itself."""
    if claim.get("baseline") is None:
        return
    rows = [row for row in used if _is_about(claim["metric"], row["metric"])]
    # of a thing against itself (another year, another software) a ratio
    # does not say which sides it has
    if claim["subject"] != claim["baseline"]:
        for row in rows:
            yield from _pair_of_ratio(facts, claim, row)
    above, below = _both_sides(facts, claim, rows)
    cut = _cut(facts, [row for alike in (*above.values(), *below.values()) for row in alike])
    for key, alike in above.items():
        # bounded, so that a statement over a whole results table stays linear in its rows
        for one, two in product(alike, below.get(key, ())[:MOST_BASELINES]):
            yield from _pair(facts, one, two, cut)


def _pair_of_ratio(facts: Facts, claim: ClaimRecord, row: ClaimRecord) -> Iterator[DirectionPair]:
    """The pair that a row is by itself which compares the same two things."""
    figure = facts.figure(row) if is_ratio(row) and row.get("baseline") is not None else None
    if figure is not None and _is_of_same_two(facts, row, claim):
        yield DirectionPair(figure.value, figure.value, "", True)


def _both_sides(facts: Facts, claim: ClaimRecord, rows: Sequence[ClaimRecord]) -> tuple[_RowsByKey, _RowsByKey]:
    """The single figures of the subject and those of the baseline, by what two of them must share to be compared."""
    above, below = defaultdict[_Key, list[ClaimRecord]](list), defaultdict[_Key, list[ClaimRecord]](list)
    for row in filter(is_single, rows):
        side = _side(facts, claim, row)
        if side is not None:
            (above if side else below)[_key(claim, row)].append(row)
    return above, below


def _cut(facts: Facts, rows: Sequence[ClaimRecord]) -> Fraction | None:
    """Where the rows of a column without one unit fall into two groups, as `unit.mixed` has it; None where they do not."""
    figures = (facts.figure(row) for row in rows if row["quantity"].get("unit") == OPEN_UNIT)
    values = sorted(one.value for one in figures if one is not None and one.value > 0)
    widest = max(((high / low, high) for low, high in pairwise(values)), default=None)
    return None if widest is None or widest[0] < JUMP else widest[1]


def _is_of_same_two(facts: Facts, row: ClaimRecord, claim: ClaimRecord) -> bool:
    """Whether two comparisons are of the same things, as far as names tell variants apart."""
    return facts.related(row["subject"], claim["subject"]) and facts.related(row["baseline"], claim["baseline"])


def _is_about(metric: str, other: str) -> bool:
    return metric == other or (metric in FAST and other in FAST)


def _side(facts: Facts, claim: ClaimRecord, row: ClaimRecord) -> bool | None:
    """True for a row of the subject, False for one of the baseline, None for neither or for both alike."""
    subject, baseline = claim["subject"], claim.get("baseline", "")
    if subject == baseline:
        return _side_by_conditions(claim, row) if facts.related(row["subject"], subject) else None
    first, second = facts.related(row["subject"], subject), facts.related(row["subject"], baseline)
    if first and second:  # a variant of both, as a virtualised card is: the nearer of the two
        first, second = row["subject"] == subject, row["subject"] == baseline
    return first if first != second else None


def _side_by_conditions(claim: ClaimRecord, row: ClaimRecord) -> bool | None:
    """The side whose conditions the row has; neither where they point to different sides.

    What the baseline leaves unsaid holds for it as for the subject, so only its own conditions tell the two apart.
    """
    sides = set()
    for name in claim.get("baseline_conditions") or {}:
        here, there, given = known(claim, name), known(claim, name, "baseline_conditions"), known(row, name)
        if here != there and given is not None and given in (here, there):
            sides.add(bool(given == here))
    return sides.pop() if len(sides) == 1 else None


def _key(claim: ClaimRecord, row: ClaimRecord) -> _Key:
    """What two rows must share; the condition in which a thing is compared with itself is left out."""
    free = (
        {n for n in SPLIT if known(claim, n) != known(claim, n, "baseline_conditions")}
        if claim["subject"] == claim["baseline"]
        else set()
    )
    shared = [str(known(row, name)) if name not in free else "" for name in SPLIT]
    return (row["metric"], "+".join(sorted(normalisers(row))), str(row.get("statistic")), *shared)


def _pair(facts: Facts, one: ClaimRecord, two: ClaimRecord, cut: Fraction | None) -> Iterator[DirectionPair]:
    a, b = facts.figure(one), facts.figure(two)
    if a is None or b is None or a.kind != b.kind or not b.value or a.value <= 0 or b.value < 0:
        return
    right, left = (facts.corrected(row["id"]) for row in (one, two))
    right, left = a.value if right is None else right, b.value if left is None else left
    scenario = known(one, "scenario")
    # a figure that is said to be neither a total nor divided is that
    # of the thing itself (decision 8)
    per_card = bool(normalisers(one) & {"per-chip", "per-superchip"}) or not normalisers(one)
    yield DirectionPair(
        a.value / b.value,
        right / left if left else a.value / b.value,
        facts.label(scenario) if isinstance(scenario, str) else "",
        per_card,
        cut is not None
        and OPEN_UNIT == one["quantity"].get("unit") == two["quantity"].get("unit")
        and (a.value < cut) != (b.value < cut),
    )


def _across_units(facts: Facts, claim: ClaimRecord, pairs: Sequence[DirectionPair]) -> Judged:
    """Rows that cannot be of one unit are left out: the others decide, and where there are none a statement is weak."""
    usable = [pair for pair in pairs if not pair.crosses]
    crossing = len(pairs) - len(usable)
    if not crossing:
        return _by_numbers(facts, claim, pairs)
    why = f"{crossing} of {len(pairs)} pairs of rows are of the two groups of a column whose unit is left open"
    if not usable:
        return "weak", why, None
    verdict, text, computed = _by_numbers(facts, claim, usable)
    return verdict, f"{why}; of the others {text}", computed


def _by_numbers(facts: Facts, claim: ClaimRecord, pairs: Sequence[DirectionPair]) -> Judged:
    """A statement about one accelerator is judged by figures per card where there are any, one about a system by totals."""
    of_cards = claim["level"] in ("accelerator", "superchip") or "per-chip" in normalisers(claim)
    # a rack of 72 beats a server of 8 even with slower cards: totals say nothing about one accelerator
    chosen = [pair for pair in pairs if pair.per_card == of_cards] or list(pairs)
    rows = _Rows(_Judge.of(facts, claim), chosen, [pair for pair in pairs if pair not in chosen])
    if (judged := _lost_by_correction(rows)) is not None:
        return judged
    if not rows.judge.one_figure:
        return _by_direction(rows)
    if of_cards and not rows.others and not any(pair.per_card for pair in chosen):
        return _by_totals_only(rows, _divided(facts, claim))
    return _by_figure(rows)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The pairs a statement is judged by, those of the other basis, and what a ratio must be."""

    judge: "_Judge"
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
        return sum(map(self.judge.fits, self.ratios))

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
    printed = [rows.judge.fits(pair.ratio) for pair in rows.chosen]
    right = [rows.judge.fits(pair.corrected) for pair in rows.chosen]
    text = f"the rows give {rows.as_printed} as printed, but"
    if rows.judge.one_figure:
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
    fitting = [ratio for ratio in per_card if rows.judge.fits(ratio)]
    if fitting:
        return "supported", f"the totals over their counts give {text_of(fitting[0])} per card", fitting[0]
    return "weak", f"only totals over different counts give {rows.shown}; a figure per card is needed", rows.first


def _by_figure(rows: _Rows) -> Judged:
    """The verdict on a statement of one figure."""
    # a text often states one figure for several scenarios: it is borne out where it lies among them
    if rows.judge.holds_together(rows.ratios):
        return "supported", f"the rows give {rows.shown}", rows.first
    if any(rows.judge.fits(pair.ratio) for pair in rows.others):
        text = f"per card the rows give {rows.shown}; only totals over different counts give the figure"
        return "weak", text, rows.first
    return "weak", f"the rows give {rows.shown}, not the figure of the statement", rows.first


def _by_direction(rows: _Rows) -> Judged:
    """The verdict on a statement that one side is ahead, or that both are similar."""
    against, count = len(rows.chosen) - rows.fitting, len(rows.chosen)
    if not against:
        return "supported", f"the rows give {rows.shown}", rows.first
    # one row against it is enough: the statement is made of all of them
    if not rows.judge.similar:
        return "contradicted", f"the rows give {rows.shown}: {against} of {count} against the statement", rows.first
    # "similar" is a matter of taste up to twice as much
    far = any(map(rows.judge.is_far, rows.ratios))
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


def _shrinks(pair: DirectionPair) -> bool:
    """Whether an effect that looked large is little once the rows are put right."""
    before, after = (max(r, 1 / r) - 1 for r in (pair.ratio, pair.corrected))
    return after < SLIGHT - 1 and before > SHRUNK * after


@dataclass(frozen=True, slots=True)
class _Judge:
    """What a ratio must be for a statement to hold."""

    direction: str | None
    lower: Fraction | None
    upper: Fraction | None

    @classmethod
    def of(cls, facts: Facts, claim: ClaimRecord) -> "_Judge":
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
            return max(ratio, 1 / ratio) <= NEAR
        wanted = {"higher": ratio > 1, "lower": ratio < 1, "not-higher": ratio <= 1, "not-lower": ratio >= 1}
        return wanted.get(self.direction, True)

    def holds_together(self, ratios: Sequence[Fraction]) -> bool:
        """Whether the figure lies among the rows: some row fits, or rows lie on both sides of it."""
        low, high = min(ratios), max(ratios)
        return (self.upper is None or low <= self.upper) and (self.lower is None or self.lower <= high)

    @staticmethod
    def is_far(ratio: Fraction) -> bool:
        return max(ratio, 1 / ratio) > FAR


def is_turned(facts: Facts, claim: ClaimRecord) -> bool:
    """Whether the rows of a statement say the opposite of it, as printed or once they are put right."""
    return "derivations" in claim and any(one.severity == "violation" for one in _grounded(facts, claim))


PARTS: Final = ()
ALONE: Final = (Alone("direction/grounds", _grounded, needs="derivations"),)
