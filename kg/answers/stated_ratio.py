"""A ratio that a claim states, with what keeps it from being held against published results."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from kg.answers.asking import Row, number, said, text, whole
from kg.answers.claim import bare
from kg.answers.hardware import Hardware
from kg.audit.measured import Basis
from kg.model.exact import whole_number
from kg.model.interval import Interval

SPEED: Final = frozenset({"throughput", "performance", "inference-speed"})
"""Metrics whose ratio is that of two measured rates."""
TRAINING_SPEED: Final = frozenset({"training-speed", "performance", "training-throughput"})
"""Metrics whose ratio is that of two times to train, the other way round."""
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


class StatedRatio:
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
            # a round that was inferred excludes no other one
            and (self.round in (None, row["round"]) or self.conditions.get("round", "").endswith("(inferred)"))
            and self.scenario in (None, row.get("scenario"))
            and self._spans(text(row, "round"))
            # what came out later cannot be what the claim was made from
            and not _later(text(row, "said_on"), said(self.row, "said_on"))
            and (not self.trained or self.count in (None, whole(row, "accelerators")))
        )

    def _spans(self, found: str) -> bool:
        """Whether a round is among those that the claim draws on, inferred or stated; any where it names none."""
        given = self.conditions.get("rounds", "").removesuffix(" (inferred)")
        return not given or given.startswith("unstated") or found.rpartition("/")[2] in given.split(", ")

    @property
    def count(self) -> int | None:
        """The number of accelerators that it states."""
        return stated_count(self.conditions.get("accelerators"))

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
    # by as many digits of the day as the claim has: within its own month a result counts as out
    return claim is not None and day[: len(claim)] > claim


def _conditions(stated: str | None) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in (stated or "").split("; ") if part)


def stated_count(stated: str | None) -> int | None:
    """A number of accelerators, whether stated or inferred; none where the claim gives only about how many.

    >>> stated_count("72 (inferred)"), stated_count("512"), stated_count("about 2,000"), stated_count(None)
    (72, 512, None, None)
    >>> stated_count("²"), stated_count("9" * 5_000)
    (None, None)
    """
    return whole_number((stated or "").removesuffix(" (inferred)"))
