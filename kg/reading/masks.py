"""The stretches of a view whose figures claim nothing: dates, addresses, names."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from heapq import heappop, heappush

from kg.reading.not_claims import Span


class Masks:
    """Stretches of a view whose figures claim nothing; of those that overlap the first given speaks."""

    def __init__(self, spans: Iterable[Span]) -> None:
        known = sorted((start, end, order, why) for order, (start, end, why) in enumerate(spans) if start < end)
        self._bounds = sorted({edge for start, end, _, _ in known for edge in (start, end)})
        self._speaks: list[tuple[int, str] | None] = []
        """What speaks between one bound and the next."""
        waiting = iter(known)
        following = next(waiting, None)
        over: list[tuple[int, int, str]] = []
        for bound in self._bounds:
            while following is not None and following[0] == bound:
                heappush(over, (following[2], following[1], following[3]))
                following = next(waiting, None)
            while over and over[0][1] <= bound:
                heappop(over)
            self._speaks.append((over[0][0], over[0][2]) if over else None)

    def reason(self, start: int, end: int) -> str | None:
        """Why a figure claims nothing, if it is inside one of them."""
        first = max(0, bisect_right(self._bounds, start) - 1)
        said = filter(None, self._speaks[first : bisect_left(self._bounds, end)])
        return min(said, default=(0, None))[1]
