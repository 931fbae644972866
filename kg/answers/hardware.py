"""What belongs to what among hardware: series and their chips, racks and what is in them. Read from `benchmarks/lineage`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kg.answers.asking import Row, text, whole

_WHOLES: Final = frozenset({"superchip", "node", "rack", "pod", "cluster"})


class Hardware:
    """What belongs to what: series and their chips, racks and what is in them."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._below: dict[str, set[str]] = {}
        self._above: dict[str, list[str]] = {}
        self._parts: dict[str, dict[str, int]] = {}
        self._counts: dict[str, int] = {}
        self._kinds: dict[str, str] = {}
        for row in rows:
            thing, link, other = text(row, "thing"), text(row, "link"), text(row, "other")
            self._kinds[thing] = text(row, "kind")
            if link == "part":
                self._parts.setdefault(thing, {})[other] = whole(row, "count") or 0
            elif link == "accelerator-inside":
                self._parts.setdefault(thing, {}).setdefault(other, 0)
            else:
                self._below.setdefault(other, set()).add(thing)
                self._above.setdefault(thing, []).append(other)
                if link == "configuration-of" and (count := whole(row, "count")) is not None:
                    self._counts[thing] = count

    def is_whole(self, thing: str, level: str) -> bool:
        """Whether it holds several accelerators."""
        return level in _WHOLES or self._kinds.get(thing, "") in _WHOLES or thing in self._counts

    def chips(self, thing: str) -> frozenset[str]:
        """The accelerators that a name means, or that are in it."""
        inside = [part for part in self._parts.get(thing, {}) if part.startswith(("accelerator/", "family/"))]
        start = inside or (
            [thing] if not thing.startswith(("system/", "config/", "cluster/")) else self._above.get(thing, [])
        )
        found, todo = set(start), list(start)
        while todo:
            for one in self._below.get(todo.pop(), ()):
                # a rack that belongs to a family of chips is not one of these chips
                if one not in found and not one.startswith(("system/", "cluster/", "superchip/")):
                    found.add(one)
                    todo.append(one)
        return frozenset(found)

    def series(self, chip: str) -> str:
        """The series that an accelerator belongs to, else the accelerator itself."""
        todo, seen = [chip], {chip}
        while todo:
            one = todo.pop(0)
            if self._kinds.get(one) == "chip-family":
                return one
            new = [above for above in self._above.get(one, ()) if above not in seen]
            seen.update(new)
            todo.extend(new)
        return chip

    def count(self, thing: str) -> int | None:
        """How many accelerators are in it, where the registry says so."""
        parts = [
            # switches and processors are parts of a rack too, and are not counted
            count
            for part, count in self._parts.get(thing, {}).items()
            if part.startswith(("accelerator/", "family/")) and count
        ]
        return sum(parts) if parts else self._counts.get(thing)
