"""How probable a reading is together with those that mean nearly the same: of one topic or metric, about the very same names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kg.ask.question_fit import WordReading

SURE_OF_METRIC: Final = 0.35
"""From which probability on the claims of a thing and a metric are answered, which hold the answer where something narrower was
meant."""


def agreed(reading: WordReading, readings: Iterable[WordReading]) -> float:
    """The probability that it, or a question of the same topic or metric about the very same names, is meant.

    Of those that take all names: one that ignores a name is not answered, unless it is far likelier.
    """
    if not reading.names:
        return reading.share
    passing_over = ignoring(readings) if reading.share >= SURE_OF_METRIC else 0.0
    metrics = reading.metrics
    alike = (
        one.share
        for one in readings
        if not one.ignored
        and one.names == reading.names
        and (one.question.topic == reading.question.topic or (metrics and one.metrics == metrics))
    )
    return sum(alike) / (1 - passing_over)


def ignoring(readings: Iterable[WordReading]) -> float:
    """The probability that a question is meant which ignores a name."""
    return sum(one.share for one in readings if one.ignored)
