"""The figures of a text as they are checked, and what comes of it: a verdict each, with the claims it follows from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kg.answers.entry_words import NOTHING, EntryWords
from kg.answers.text_arithmetic import Recomputed
from kg.model.json_types import Json
from kg.model.printed import PrintedNumber
from kg.model.result import brief
from kg.model.verdict import VERDICTS, Verdict

MOST_TEXT: Final = 60_000
"""Characters of a text that is checked for somebody else; one that is nothing but figures takes longer than `SECONDS`."""
SECONDS: Final = 20.0
"""How long such a text is checked; the figures that are left then are counted."""
SEVERITY: Final[Mapping[Verdict, int]] = {
    "wrong": 0,
    "disputed": 1,
    "caution": 2,
    "unknown": 3,
    "unverified": 4,
    "confirmed": 5,
}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A possible id of a field, with its confidence between 0 and 1."""

    value: str
    confidence: float


@dataclass(frozen=True, slots=True)
class TextFigure:
    """One figure of a text as it is checked; positions are code points of the text, candidates best first."""

    start: int
    end: int
    printed: str
    number: PrintedNumber | None
    unit: str | None
    hedge: str | None
    relation: str
    subjects: tuple[Ranked, ...] = ()
    metrics: tuple[Ranked, ...] = ()
    baselines: tuple[Ranked, ...] = ()
    conditions: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    """What stands around it, in small letters: a condition that is named there tells claims apart that are alike else."""
    is_partial: bool = False
    """Whether the words around it are about a part, a result or a use, so that it is no specification of the whole."""
    month: str | None = None
    """The one month, day or year that is named next to it, or else in its sentence: when it held."""
    is_until: bool = False
    """Whether it held by then, and may have held before: "by July 2025"."""
    is_denied: bool = False
    """Whether the sentence says that it does not hold."""
    per: str | None = None
    """The device that the text divides it by: "per accelerator"."""
    is_together: bool = False
    """Whether it is said of several chips together: "eight H200 draw"."""
    speaker: str | None = None
    """The id of who is said to say it, where the text names anyone."""
    speaker_printed: str = ""
    other_end: PrintedNumber | None = None
    """The other end of the range of which it is one: "between 700 W and 1,200 W"."""
    currency: str | None = None
    """The currency it is printed with, where that is no unit here: "A$"."""
    operator: str | None = None
    """The id of the organisation whose run it is of, where the text names one: "Meta achieved"."""
    is_used: bool = False
    """Whether the only thing that makes it partial is that it was used or achieved, so that the whole has no less."""
    is_mean: bool = False
    """Whether it is an average, or was measured: no rating."""
    sentence: str = ""
    """Its own sentence, as far as it is looked at."""
    entry: EntryWords = NOTHING
    """What the sentence states of the benchmark entry that it is a result of."""


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A claim next to a figure of a text."""

    claim: str
    subject: str
    metric: str
    printed: str
    verdict: Verdict
    reason: str
    source: str
    value_to_use: str | None = None

    def to_json(self) -> Json:
        """Plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CheckedFigure:
    """A figure with its verdict: why, the value to use where there is one, and the claims that it was judged by."""

    figure: TextFigure
    line: int
    verdict: Verdict
    reason: str
    value_to_use: str | None = None
    same: tuple[KnownValue, ...] = ()
    others: tuple[KnownValue, ...] = ()
    """Where others say otherwise: the other side; of an unknown figure the nearest that is known."""
    arithmetic: Recomputed | None = None
    is_stated_otherwise: bool = False
    """Whether the very figure is stated of the thing, but for one respect: another metric, baseline, month or condition."""

    def to_json(self) -> Json:
        """Plain values."""
        return {
            "start": self.figure.start,
            "end": self.figure.end,
            "line": self.line,
            "printed": self.figure.printed,
            "verdict": self.verdict,
            "reason": self.reason,
            "value_to_use": self.value_to_use,
            "same": [one.to_json() for one in self.same],
            "others": [one.to_json() for one in self.others],
            "arithmetic": None if self.arithmetic is None else self.arithmetic.to_json(),
            "stated_otherwise": self.is_stated_otherwise,
        }


class Unchecked(NamedTuple):
    """The last figures of a text, for which there was no time."""

    figures: int
    line: int
    """The line of the first of them."""
    seconds: float
    """How long the text was checked."""

    def to_json(self) -> Json:
        """Plain values."""
        return self._asdict()


@brief
@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with the verdicts of its figures, in the order of the text."""

    name: str
    text: str
    sha256: str
    figures: tuple[CheckedFigure, ...]
    passed_over: int
    """Figures that claim nothing: dates, versions, list numbers."""
    unchecked: Unchecked | None = None
    """What there was no time for, behind the figures that were checked."""

    def counts(self) -> dict[Verdict, int]:
        """How many figures have each verdict, the worst first."""
        words = sorted(VERDICTS, key=SEVERITY.__getitem__)
        return {word: sum(one.verdict == word for one in self.figures) for word in words}

    def worst_first(self) -> tuple[CheckedFigure, ...]:
        """The figures, those to act on first."""
        return tuple(sorted(self.figures, key=lambda one: (SEVERITY[one.verdict], one.figure.start)))

    def fails(self, least: Verdict) -> bool:
        """Whether a figure has a verdict as bad as this one, or worse, or was not checked."""
        return self.unchecked is not None or any(SEVERITY[one.verdict] <= SEVERITY[least] for one in self.figures)

    def to_json(self) -> Json:
        """Plain values."""
        return {
            "text": self.name,
            "sha256": self.sha256,
            "figures": len(self.figures),
            "counts": dict(self.counts()),
            "passed_over": self.passed_over,
            "unchecked": None if self.unchecked is None else self.unchecked.to_json(),
            "checked": [one.to_json() for one in self.figures],
        }
