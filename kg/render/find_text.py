"""What a search found, as text: the best of each kind, the kind with the best match first."""

from collections.abc import Iterator, Mapping, Sequence

from kg.answers.find import Found, FoundItem, FoundKind
from kg.render.lines import width, wrapped

_TITLES: Mapping[FoundKind, str] = {
    "entity": "Things",
    "source": "Sources",
    "metric": "Metrics",
    "question": "Questions",
    "claim": "Claims",
}
_MOST_PUBLISHED = 2
"""Metrics of published rows on a terminal: each takes several lines."""
MOST = 5
"""Matches of a kind on a terminal."""


def find_lines(found: Found, *, most: int = MOST) -> Iterator[str]:
    """At most this many matches of each kind; the last lines say how many there are and what to type next."""
    kinds: dict[FoundKind, list[FoundItem]] = {}
    for item in found.items:
        kinds.setdefault(item.kind, []).append(item)
    shown = 0
    for kind, items in kinds.items():
        yield f"{_TITLES[kind]}" if len(items) <= most else f"{_TITLES[kind]}, {most} of {len(items):,}"
        for item in _varied(items)[:most]:
            yield from _claim(item) if kind == "claim" else _named(item)
        shown += min(most, len(items))
    if found.published:
        count = sum(one.rows for one in found.published)
        yield f"Published rows, {count:,} of {len(found.published)} metrics (--published lists them)"
        for one in found.published[: min(most, _MOST_PUBLISHED)]:
            yield from wrapped(one.worded, "    ", first="  ")
    if shown < len(found.items):
        yield f"{shown} of {len(found.items):,} matches; --limit N shows N of each kind"
    if found.items:
        yield from wrapped(f"Next: {_next(found.items)}", "      ", first="")


def _varied(items: Sequence[FoundItem]) -> list[FoundItem]:
    """The best of each label before the next of one that was shown: five counts of one thing say less than five things."""
    best = {item.label: item for item in reversed(items)}
    return sorted(items, key=lambda item: best[item.label] is not item)


def _named(item: FoundItem) -> Iterator[str]:
    room = width() - 2
    if len(item.label) + len(item.id) + 2 <= room:
        yield f"  {item.label.ljust(room - len(item.id) - 2)}  {item.id}"
    else:
        yield from wrapped(item.label, "    ", first="  ")
        yield _line_of_id(item.id)


def _claim(item: FoundItem) -> Iterator[str]:
    words = f"{item.value}: {item.label}" if item.value else item.label
    room = width() - 2
    yield f"  {words if len(words) <= room else words[: room - 1] + '…'}"
    verdict = item.verdict or "unverified"
    if len(verdict) + len(item.id) + 6 <= width():
        yield f"    {verdict}  {item.id}"
    else:
        yield f"    {verdict}"
        yield _line_of_id(item.id)


def _line_of_id(name: str) -> str:
    """An id on a line of its own, indented as far as it has room: it is never folded."""
    return name.rjust(min(width(), len(name) + 4))


def _next(items: Sequence[FoundItem]) -> str:
    """What to type for the best match."""
    best = items[0]
    if best.kind == "claim":
        return f"kg trace {best.id}"
    return f"kg ask {best.id}" if best.kind == "question" else f"kg show {best.id}"
