"""The time that the figures of one report may take: asked between steps that are each short, for any text."""

import time

from kg.reading import limits
from kg.reading.errors import ReportTooLarge


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
