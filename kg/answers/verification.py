"""Claims of a ratio or an order held against published results: which rows fit, what they give, and whether the rules allow the comparison.

Rows come from saved questions only. A claim that names no model, or is about something that no benchmark measures, is reported
as such; silence never counts against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log
from typing import Any, Final, NamedTuple

from kg.answers.asking import Ask, Asker, Row, number, plain, read_fields, said, text, whole
from kg.answers.claim import Thing, bare, worded_figure
from kg.answers.hardware import Hardware
from kg.answers.trace import UnknownClaim
from kg.audit.comparability import ComparableResult
from kg.audit.measured import Basis, Claimed, Measured, Reading, read, verdict_of
from kg.audit.measured_rows import is_limited, one_category
from kg.model.comparability import Comparability, base_division, measures_power, round_name
from kg.model.interval import Interval
from kg.model.result import brief
from kg.model.verdict import MEASURED_VERDICTS

SPEED: Final = frozenset({"throughput", "performance", "inference-speed"})
"""Metrics whose ratio is that of two measured rates."""
TRAINING_SPEED: Final = frozenset({"training-speed", "performance", "training-throughput"})
"""Metrics whose ratio is that of two times to train, the other way round."""
_ONE_SERVER: Final = 8
_SYSTEM: Final = frozenset({"total", "per-node", "per-server", "per-rack", "per-superchip"})
_PLAIN_CONDITIONS: Final = frozenset(
    {
        "model",
        "benchmark",
        "round",
        "rounds",
        "task",
        "scenario",
        "division",
        "availability",
        "accelerators",
        "category",
        "entry",
        "phase",
        "workload",
        "tested_on",
    }
)
"""Conditions that results share or that are looked at one by one; any other is one that the results do not keep."""
_IN_WORDS: Final = {"accelerators_mean": "the number of accelerators, a mean in the claim"}


class UsedRow(NamedTuple):
    """One published row that a ratio was formed of."""

    claim: str
    accelerator: str
    accelerators: int
    per_accelerator: float
    total: float
    unit: str
    round: str
    entry: str
    submitter: str
    availability: str


class MeasuredRatio(NamedTuple):
    """The best row of one side over the best of the other, in one scenario and round; `mean` of the means, `lower` and `upper` over all pairs."""

    scenario: str
    ratio: float
    mean: float
    lower: float
    upper: float
    pairs: int
    subject: UsedRow
    baseline: UsedRow
    comparability: str
    reasons: tuple[str, ...]


class Read(NamedTuple):
    """The claim read per accelerator or per system."""

    basis: str
    verdict: str
    reason: str
    lower: float | None
    upper: float | None
    ratios: tuple[MeasuredRatio, ...]


class Verified(NamedTuple):
    """One claim of a ratio or an order with its verdict."""

    claim: str
    verdict: str
    reason: str
    subject: Thing
    level: str
    baseline: Thing | None
    metric: str
    normaliser: str
    printed: str
    hedge: str | None
    modality: str
    ratio: float | None
    ratio_lower: float | None
    ratio_upper: float | None
    conditions: str | None
    asserted_by: Thing
    source: str
    readings: tuple[Read, ...]
    direction: str | None
    """Of a claim that states an order and no figure: above, below or like what it is compared with."""
    number_verdict: str
    """The verdict of the claim everywhere else; its own document and its inputs enter there too."""

    @property
    def worded(self) -> str | None:
        """The figure as its author means it; of an order its direction."""
        return worded_figure(self.printed or self.direction, self.hedge, self.modality)

    @property
    def off(self) -> float:
        """How far the claimed ratio is from the nearest that results give, as the logarithm of a factor; 0 where there is no figure."""
        measured = [ratio.ratio for reading in self.readings for ratio in reading.ratios if ratio.ratio > 0]
        if not self.ratio or self.ratio < 0 or not measured:
            return 0.0
        return min(abs(log(self.ratio / one)) for one in measured)


@brief
class Verification(NamedTuple):
    """All claims looked at: what the results contradict first."""

    asked: str | None
    claims: tuple[Verified, ...]
    questions: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have each verdict."""
        found = Counter(one.verdict for one in self.claims)
        return {verdict: found[verdict] for verdict in MEASURED_VERDICTS if found[verdict]}

    @property
    def contradicted(self) -> bool:
        """Whether any claim is contradicted."""
        return any(one.verdict == "contradicted" for one in self.claims)

    def to_json(self) -> dict[str, Any]:
        """All of it as JSON values, keys sorted."""
        whole_result: dict[str, Any] = plain(self)
        return {**whole_result, "counts": self.counts}


def verify(ask: Ask, rules: Comparability, claim: str | None = None) -> Verification:
    """Every claim of a ratio or an order, or one by its id, against the published results that were out when it was made."""
    asker = Asker(ask)
    found = _verify(asker, rules, None if claim is None else (claim,))
    if claim is not None and not found:
        raise UnknownClaim(
            "is no claim that states a ratio or an order.",
            given=claim,
            expected="an id such as 002/author.nvl72-dgx-b200.r1",
            next_step="kg verify without an id looks at all of them",
        )
    return Verification(claim, found, asker.used)


def verify_claims(ask: Ask, rules: Comparability, claims: Collection[str]) -> dict[str, Verified]:
    """Those of some claims that state a ratio or an order, by id: as many questions for all of them as for one."""
    return {one.claim: one for one in _verify(Asker(ask), rules, claims)} if claims else {}


def _verify(asker: Asker, rules: Comparability, claims: Collection[str] | None) -> tuple[Verified, ...]:
    """The claims looked at, all of them where none is named; what the results contradict first."""
    wanted: dict[str, object] = {} if claims is None else {"claim": sorted(claims)}
    rows = [*asker.rows("benchmarks/ratio-claims", **wanted)]
    rows += [{**_NO_FIGURE, **row} for row in asker.rows("benchmarks/order-claims", **wanted)]
    if not rows:
        return ()
    hardware = Hardware(asker.rows("benchmarks/lineage"))
    stated = {
        text(row, "claim"): _Stated(row, hardware) for row in rows
    }  # one of several rows of a claim represents it
    held: dict[bool, list[tuple[Row, Measured]]] = {}
    for trained, question in ((False, "benchmarks/measured"), (True, "benchmarks/measured-times")):
        asked = [one for one in stated.values() if one.barrier is None and one.model and one.trained is trained]
        # of all claims every chip is compared somewhere, and a list of all chips would only slow the engine down
        chips = None if claims is None else sorted(set[str]().union(*(one.chips for one in asked)))
        held[trained] = _measured(asker, question, sorted({one.model for one in asked if one.model}), chips)
    labels = _labels(asker, stated.values())
    found = [_verified(one, held[one.trained], rules, labels) for one in stated.values()]
    found.sort(key=lambda one: (MEASURED_VERDICTS.index(one.verdict), not one.readings, -one.off, one.claim))
    return tuple(found)


_NO_FIGURE: Final[Row] = dict.fromkeys(("printed", "hedge", "ratio", "ratio_lower", "ratio_upper"))
"""What an order does not state."""


class _Stated:
    """A claim as the question gives it, with what keeps it from being held against results."""

    def __init__(self, row: Row, hardware: Hardware) -> None:
        self.row = row
        self.subject, self.baseline = text(row, "subject"), said(row, "baseline")
        self.level, self.baseline_level = text(row, "level"), text(row, "baseline_level")
        self.metric, self.normaliser = bare(text(row, "metric")) or "", text(row, "normaliser", "unstated")
        self.model, self.task, self.scenario, self.round = (
            said(row, name) for name in ("model", "task", "scenario", "round")
        )
        self.figure = _interval(row)
        self.conditions, self.baseline_conditions = (
            _conditions(said(row, name)) for name in ("conditions", "baseline_conditions")
        )
        self.hardware = hardware
        self.barrier = self._barrier()

    @property
    def chips(self) -> frozenset[str]:
        """The accelerators of both sides."""
        return self.hardware.chips(self.subject) | self.hardware.chips(self.baseline or self.subject)

    @property
    def trained(self) -> bool:
        """Whether it is about training."""
        words = " ".join(one for name in ("phase", "workload") if (one := said(self.row, name)))
        return "training" in words or self.metric in ("training-speed", "training-throughput")

    def _barrier(self) -> str | None:
        """Why no published result could bear on the claim; None where one could."""
        row = self.row
        if self.baseline is None:
            return "it names nothing to compare with"
        if self.metric not in (TRAINING_SPEED if self.trained else SPEED):
            return f"no published results of {self.metric}"
        if self.normaliser != "unstated" and self.basis is None:
            return f"no published results {self.normaliser}"
        if row["polarity"] == "negated":
            return "it denies a ratio"
        if self.figure is None:
            return "its figure has no bounds"
        if self.model is None or not self.model.startswith("model/"):
            return "it names no model"
        if self.hardware.chips(self.subject) & self.hardware.chips(self.baseline):
            return "both sides are the same hardware"
        return None

    @property
    def basis(self) -> Basis | None:
        """The reading that the normaliser names."""
        return (
            "per-accelerator" if self.normaliser == "per-chip" else "per-system" if self.normaliser in _SYSTEM else None
        )

    @property
    def bases(self) -> tuple[Basis, ...]:
        """The readings to try: per system only where a side is a system."""
        assert self.baseline is not None
        whole_sides = self.hardware.is_whole(self.subject, self.level) or self.hardware.is_whole(
            self.baseline, self.baseline_level
        )
        if self.trained or (not whole_sides and self.basis != "per-system"):
            return ("per-accelerator",)  # times to train are compared at one number of accelerators only
        return ("per-accelerator", "per-system")

    def fits(self, row: Row) -> bool:
        """Whether a row is of the model and, where the claim names them, the task, round and scenario."""
        return (
            row["model"] == self.model
            and self.task in (None, row["task"])
            and (self.round in (None, row["round"]) or self.conditions.get("round", "").endswith("(inferred)"))
            and self.scenario in (None, row.get("scenario"))
            and not _later(text(row, "said_on"), said(self.row, "said_on"))
            and (not self.trained or self.count in (None, whole(row, "accelerators")))
        )

    @property
    def count(self) -> int | None:
        """The number of accelerators that it states."""
        return _count(self.conditions.get("accelerators"))

    @property
    def differs(self) -> tuple[str, ...]:
        """Conditions that the claim states and no result keeps."""
        return tuple(
            _IN_WORDS.get(name, f"its {name.replace('_', ' ')} ({value})")
            for name, value in sorted(self.conditions.items())
            if name not in _PLAIN_CONDITIONS and not value.startswith("unstated")
        )


_ONE: Final = Fraction(1)
_SIMILAR: Final = Fraction(10, 9)
"""As good as equal, as the rules of the audit have it."""
_ORDERS: Final[Mapping[str, Interval]] = {
    "higher": Interval(_ONE, None),
    "not-lower": Interval(_ONE, None),
    "lower": Interval(Fraction(0), _ONE),
    "not-higher": Interval(Fraction(0), _ONE),
    "similar": Interval(1 / _SIMILAR, _SIMILAR),
}
"""The ratios of subject to baseline that an order allows."""


def _interval(row: Row) -> Interval | None:
    if direction := said(row, "direction") if "direction" in row else None:
        return _ORDERS[direction]
    lower, upper = (number(row, name) for name in ("ratio_lower", "ratio_upper"))
    if lower is None and upper is None:
        return None
    return Interval(*(None if end is None else Fraction(repr(float(end))) for end in (lower, upper)))


def _later(day: str, claim: str | None) -> bool:
    """Whether a result came out after the claim was made; only where both days are known.

    >>> _later("2025-09-09", "2025-08"), _later("2025-09-09", "2025"), _later("2025-09-09", None), _later("", "2025")
    (True, False, False, False)
    """
    return claim is not None and day[: len(claim)] > claim


def _conditions(stated: str | None) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in (stated or "").split("; ") if part)


def _count(stated: str | None) -> int | None:
    """A number of accelerators, whether stated or inferred; none where the claim gives only about how many.

    >>> _count("72 (inferred)"), _count("512"), _count("about 2,000"), _count(None)
    (72, 512, None, None)
    """
    digits = (stated or "").removesuffix(" (inferred)")
    return int(digits) if digits.isdigit() else None


def _measured(
    asker: Asker, question: str, models: Sequence[str], chips: Sequence[str] | None
) -> list[tuple[Row, Measured]]:
    """The published rows of some models, of some chips only; open division and lowered power limits represent no accelerator."""
    if not models or (chips is not None and not chips):
        return []
    within: dict[str, object] = {} if chips is None else {"accelerator": chips}
    found: dict[str, tuple[Row, Measured]] = {}
    for row in asker.rows(question, model=models, **within):
        made = measured_row(row)
        if made is None or made.result.limited or made.result.division == "open":
            continue
        if made.claim not in found or made.result.category == "datacenter":  # one row for each category of a system
            found[made.claim] = (row, made)
    return list(found.values())


RUNS: Final = "run/s"
"""The unit of a training run that is held against others as a rate."""


def measured_row(row: Row) -> Measured | None:
    """A row of `benchmarks/measured` or `benchmarks/measured-times`; None where the number of accelerators is not known.

    A time to train counts as the rate of one accelerator: one run over time and count.
    """
    count, value = whole(row, "accelerators"), number(row, "canonical_value")
    if not count or not value:
        return None
    exact = Fraction(repr(float(value)))
    unit = said(row, "canonical_unit")
    if unit == "s":
        exact, unit = 1 / exact / count, RUNS
    limited = is_limited(text(row, "boundary"), text(row, "system"))
    result = ComparableResult(
        suite=said(row, "benchmark"),
        task=said(row, "task"),
        round=said(row, "round"),
        scenario=said(row, "scenario") if "scenario" in row else None,
        division=base_division(said(row, "division")),
        category=one_category(said(row, "category")) or None,
        availability=_plain(said(row, "availability")),
        unit=unit,
        accelerators=count,
        power=text(row, "includes") == "power" or measures_power(said(row, "division")),
        limited=limited,
    )
    submitter = said(row, "submitter_label") or said(row, "submitter") or ""
    return Measured(
        text(row, "claim"), text(row, "accelerator"), exact, count, result, said(row, "entry") or "", submitter
    )


def _plain(word: str | None) -> str | None:
    """One spelling of a word that is printed in several ways.

    >>> _plain("Available "), _plain(None)
    ('available', None)
    """
    return None if word is None else word.rpartition("/")[2].strip().casefold()


def _labels(asker: Asker, stated: Iterable[_Stated]) -> Callable[[str], Thing]:
    names = {name for one in stated for name in (one.subject, one.baseline, text(one.row, "asserted_by")) if name}
    found = (
        {text(row, "thing"): said(row, "label") for row in asker.rows("entities/labels", thing=sorted(names))}
        if names
        else {}
    )
    return lambda name: Thing(name, found.get(name))


def _verified(
    one: _Stated, held: Sequence[tuple[Row, Measured]], rules: Comparability, thing: Callable[[str], Thing]
) -> Verified:
    readings: list[Reading] = []
    if one.barrier is None:
        rows = [made for row, made in held if one.fits(row)]
        readings = [_reading(one, rows, basis, rules) for basis in one.bases]
    verdict = verdict_of(readings, stated=one.basis) if readings else "no-comparable"
    row = one.row
    return read_fields(
        Verified,
        row,
        verdict=verdict,
        reason=one.barrier or _summary(readings),
        subject=thing(one.subject),
        level=one.level,
        baseline=None if one.baseline is None else thing(one.baseline),
        metric=one.metric,
        normaliser=one.normaliser,
        asserted_by=thing(text(row, "asserted_by")),
        readings=tuple(_shown(reading) for reading in readings),
        direction=said(row, "direction") if "direction" in row else None,
        number_verdict=text(row, "verdict", "unverified"),
    )


def _reading(one: _Stated, rows: Sequence[Measured], basis: Basis, rules: Comparability) -> Reading:
    assert one.baseline is not None
    assert one.figure is not None
    sides = []
    for thing, stated in (
        (one.subject, one.conditions.get("accelerators")),
        (one.baseline, one.baseline_conditions.get("accelerators")),
    ):
        chips = one.hardware.chips(thing)
        own = [row for row in rows if row.accelerator in chips]
        sides.append(_systems(own, one.hardware, thing, stated) if basis == "per-system" else own)
    names_benchmark = said(one.row, "benchmark") is not None or one.task is not None
    is_order = one.row.get("direction") is not None
    claimed = Claimed(one.figure, names_benchmark, one.differs, is_order)
    whole_sides = read(claimed, sides[0], sides[1], basis, rules)
    if whole_sides.holds:
        return whole_sides
    series = [sorted({one.hardware.series(row.accelerator) for row in side}) for side in sides]
    for ours, theirs in product(*series) if max(map(len, series)) > 1 else ():
        parts = [
            [row for row in side if one.hardware.series(row.accelerator) == name]
            for side, name in zip(sides, (ours, theirs), strict=True)
        ]
        reading = read(claimed, parts[0], parts[1], basis, rules)
        if reading.holds:  # an architecture covers each of its series
            names = f"{ours.rpartition('/')[2]} against {theirs.rpartition('/')[2]}"
            return replace(reading, verdict="explained", reason=f"of {names}: {reading.reason}")
    return whole_sides


def _systems(rows: Sequence[Measured], hardware: Hardware, thing: str, stated: str | None) -> list[Measured]:
    """The rows of the system that a name means: as many accelerators as it has; one server where nothing says how many."""
    count = hardware.count(thing) or _count(stated)
    if count is not None:
        return [row for row in rows if row.accelerators == count]
    return [row for row in rows if row.accelerators == _ONE_SERVER] or [
        row for row in rows if row.accelerators < _ONE_SERVER
    ]


def _summary(readings: Sequence[Reading]) -> str:
    """The verdict in one line, with the ratios that the results give."""
    parts = []
    for one in readings:
        if one.ratios:
            values = sorted(ratio.value for ratio in one.ratios)
            best = _range(Interval(values[0], values[-1]))
            whole_span = "" if one.span is None or _range(one.span) == best else f", all pairs {_range(one.span)}"
            parts.append(f"{one.basis.replace('-', ' ')} {best} ({one.verdict}{whole_span}): {one.reason}")
        else:
            parts.append(f"{one.basis.replace('-', ' ')}: {one.reason}")
    return "; ".join(parts)


def _range(span: Interval) -> str:
    low, high = (f"{float(end):.3g}" for end in (span.lower or 0, span.upper or 0))
    return low if low == high else f"{low} to {high}"


def _shown(one: Reading) -> Read:
    return Read(
        one.basis,
        one.verdict,
        one.reason,
        *_ends(one.span),
        tuple(
            MeasuredRatio(
                ratio.scenario,
                float(ratio.value),
                float(ratio.mean),
                float(ratio.span.lower or 0),
                float(ratio.span.upper or 0),
                ratio.pairs,
                _used(ratio.subject),
                _used(ratio.baseline),
                ratio.comparable.verdict,
                tuple(reason.text for reason in ratio.comparable.reasons),
            )
            for ratio in one.ratios
        ),
    )


def _ends(span: Interval | None) -> tuple[float | None, float | None]:
    ends = (None, None) if span is None else (span.lower, span.upper)
    low, high = (None if end is None else float(end) for end in ends)
    return low, high


def _used(one: Measured) -> UsedRow:
    return UsedRow(
        one.claim,
        one.accelerator,
        one.accelerators,
        float(one.value),
        float(one.total),
        one.result.unit or "",
        round_name(one.result.round or ""),
        one.entry,
        one.submitter,
        one.result.availability or "unstated",
    )


def by_reason(claims: Iterable[Verified]) -> Mapping[str, int]:
    """How many claims could not be held against results, by reason, the commonest first."""
    found = Counter(one.reason for one in claims if not one.readings)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
