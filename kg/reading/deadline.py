"""The time that a report may take: asked between steps that are each short, for any text."""

import time
from typing import Final

from kg.reading import limits
from kg.reading.errors import ReportTooLarge


class Deadline:
    """When whoever waits for an answer by the clock wants what there is by then; without seconds it is never over."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self._until = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """Seconds that are left, never less than none."""
        return None if self._until is None else max(0.0, self._until - time.monotonic())

    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left() == 0


NO_DEADLINE: Final = Deadline()


class ReadingDeadline:
    """Counts the processor time of the thread that made it."""

    def __init__(self, seconds: float = limits.SECONDS) -> None:
        self._seconds = seconds
        self._until = time.thread_time() + seconds  # others who use the machine cost a report nothing
        # a thread has had no more time than has gone by, and the clock on the wall is read without a call of the system
        self._soonest = time.monotonic() + seconds

    def check(self, place: int) -> None:
        """Raise ReportTooLarge (report.limit) where the time is over; `place` is how far in the text the search is."""
        if time.monotonic() > self._soonest and time.thread_time() > self._until:
            raise ReportTooLarge(
                field=f"character {place}",
                given=f"more than {self._seconds:g} s of searching for figures",
                expected=f"a report whose figures are found in {self._seconds:g} s",
                next_step="Read it in parts",
            )
