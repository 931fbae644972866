"""The comments of a file whose value was changed by a program: each stays above what its writer put it above."""

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from kg.content.layout import END, NOTHING, Comments, under
from kg.content.located import Key

_NAMES: Final = ("id", "at", "pattern", "about")
"""The keys by which an entry of a list is known where something else of it was changed."""


def carried_comments(comments: Comments, before: object, after: object) -> Comments:
    """Comments under the keys of the value that they belong to after a change.

    A comment right above an entry that was taken out goes with it; what is before the last empty line, such as a heading,
    stays above what follows.

    >>> carried_comments({(1,): ["# of b"], (2,): ["# of c"]}, ["b", "a", "c"], ["c", "a"])
    {(1,): ['# of b'], (0,): ['# of c']}
    >>> carried_comments({(0,): ["# heading", "", "# of b"]}, ["b", "a"], ["a"])
    {(0,): ['# heading', '']}
    """
    found: dict[Key, list[str]] = {}
    places = _Places()
    for key, lines in comments.items():
        moved = places.moved(key, before, after)
        if kept := lines[: moved.kept_lines(lines)]:
            found.setdefault(moved.key, []).extend(kept)
    return found


class _Moved(NamedTuple):
    """Where a comment belongs after a change; `gone` of what it was above, or of what that was inside."""

    key: Key
    gone: bool = False
    inside: bool = False

    def kept_lines(self, lines: list[str]) -> int:
        """How many of its lines stay."""
        if not self.gone:
            return len(lines)
        return 0 if self.inside else max((at for at, line in enumerate(lines, 1) if not line), default=0)


class _Places:
    """Finds the entries of lists again; each pair of lists is compared once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], dict[int, int]] = {}

    def moved(self, key: Key, before: object, after: object) -> _Moved:
        """Walk down both values as far as they go together."""
        place: Key = ()
        for depth, step in enumerate(key, 1):
            if isinstance(before, list) and isinstance(after, list) and isinstance(step, int):
                now = self._now(before, after)
                if step not in now:
                    following = next((now[one] for one in range(step, len(before)) if one in now), None)
                    where: Key = (END,) if following is None else (*place, following)
                    return _Moved(where, gone=True, inside=depth < len(key))
                place, before, after = (*place, now[step]), before[step], after[now[step]]
                continue
            before, after = under(before, step), under(after, step)
            if before is NOTHING or after is NOTHING:
                break
            place = (*place, step)
        return _Moved(place or (END,))

    def _now(self, before: list[object], after: list[object]) -> dict[int, int]:
        pair = id(before), id(after)
        if pair not in self._known:
            self._known[pair] = _positions(before, after)
        return self._known[pair]


def _positions(before: list[object], after: list[object]) -> dict[int, int]:
    """From the place of each entry to its place after the change: of the same entry, else of one with its id or place."""
    found: dict[int, int] = {}
    names: list[Callable[[object], str]] = [repr, *map(_named, _NAMES)]
    for name in names:
        open_places = defaultdict[str, deque[int]](deque)
        taken = set(found.values())
        for at, entry in enumerate(after):
            if at not in taken and (known := name(entry)):
                open_places[known].append(at)
        for at, entry in enumerate(before):
            if at not in found and open_places.get(known := name(entry)):
                found[at] = open_places[known].popleft()
    return found


def _named(name: str) -> Callable[[object], str]:
    """What an entry says under a key, as text; an empty text where it says nothing."""
    return lambda entry: repr(entry[name]) if isinstance(entry, Mapping) and entry.get(name) is not None else ""
