"""How much of a document's numerals is captured: claims, ignored with a reason of a closed list, or left over.

`seeds/coverage/<document>.yaml` holds, per source: the spans of its tables, and what is no claim, by position or by a
pattern of names.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from kg.content.documents import Document
from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.errors import ContentError, KgError, Mistakes
from kg.model.recorded import ClaimRecord

_Entry = TypeVar("_Entry")

# Meets `72`, `1,380`, `4.8` and the full stop behind `2025.`: what is counted is where numerals
# are, not their values.
NUMERAL: Final = re.compile(r"\d[\d,.]*")
REASONS: Final = (
    "date",
    "heading",
    "list-number",
    "model-name",
    "product-name",
    "version",
    "link",
    "page-furniture",
    "citation-mark",
    "example-not-claim",
    "repeated-name",
    "time-of-day",
    "code",
    "idiom",
    "round-name",
    "file-name",
    "option",
    "reference-mark",
)


@dataclass(frozen=True, slots=True)
class Ignored:
    """One entry of the reviewed list: a place or a pattern, and why its numerals are no claims."""

    reason: str
    start: int = 0
    end: int = 0
    pattern: re.Pattern[str] | None = None
    note: str = ""

    def spans(self, text: str) -> Iterable[tuple[int, int]]:
        """Where it applies."""
        if self.pattern is None:
            return [(self.start, self.end)]
        return [match.span() for match in self.pattern.finditer(text)]


@dataclass(frozen=True, slots=True)
class CoverageList:
    """The reviewed list of one document."""

    source: str
    tables: tuple[tuple[int, int], ...]
    ignored: tuple[Ignored, ...]


@dataclass(frozen=True, slots=True)
class LeftOver:
    """A numeral that is neither captured nor ignored."""

    start: int
    text: str
    in_table: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """The counts of one document, in tables and in prose."""

    source: str
    document: str
    numerals: int
    captured: int
    ignored: Mapping[str, int]
    table_numerals: int
    left_over: tuple[LeftOver, ...]

    @property
    def left_in_tables(self) -> int:
        """Numerals of tables that are left over."""
        return sum(1 for one in self.left_over if one.in_table)

    @property
    def left_in_prose(self) -> int:
        """Numerals of prose that are left over."""
        return len(self.left_over) - self.left_in_tables


def read_coverage_list(path: Path) -> CoverageList:
    """Read one reviewed list; reasons outside the closed list are refused."""
    located = read_located(path)
    value = located.value
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("source"), str)
        or set(value) - {"source", "tables", "ignored"}
    ):
        given = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
        raise ContentError(path=str(path), line=1, given=given, expected="a mapping with source, tables and ignored")
    mistakes: list[KgError] = []
    tables = _each(located, "tables", _table, mistakes)
    ignored = _each(located, "ignored", _ignored, mistakes)
    Mistakes.raise_any(mistakes)
    return CoverageList(value["source"], tuple(tables), tuple(ignored))


def _each(located: Located, key: str, read: Callable[[object], _Entry], mistakes: list[KgError]) -> list[_Entry]:
    """The sound entries of a list; what is wrong with the others goes to the mistakes."""
    found: list[_Entry] = []
    for position, one in enumerate(located.value.get(key) or ()):
        try:
            found.append(read(one))
        except ContentError as mistake:
            mistakes.append(mistake.at(path=str(located.path), line=located.line(key, position)))
    return found


def _table(span: object) -> tuple[int, int]:
    """The place of a table, whose numerals are claims of rows and counted apart."""
    is_pair = isinstance(span, list) and len(span) == 2 and all(isinstance(end, int) for end in span)
    if not isinstance(span, list) or not is_pair or span[0] >= span[1]:
        raise ContentError(field="tables", given=str(span)[:80], expected="[start, end]")
    return span[0], span[1]


def _ignored(one: object) -> Ignored:
    """Numerals that are no claims: a span, or all that fit a pattern, with one of the known reasons."""
    if not isinstance(one, dict) or set(one) - {"reason", "at", "to", "pattern", "note"}:
        expected = "reason, at and to, or pattern, and note"
        raise ContentError(field="ignored", given=str(one)[:80], expected=expected)
    if one.get("reason") not in REASONS:
        raise ContentError(field="reason", given=str(one.get("reason")), expected=", ".join(REASONS))
    try:
        pattern = re.compile(str(one["pattern"])) if "pattern" in one else None
    except re.error as cause:
        expected = f"a regular expression ({cause})"
        raise ContentError(field="pattern", given=one["pattern"], expected=expected) from None
    if pattern is None and not (isinstance(one.get("at"), int) and isinstance(one.get("to"), int)):
        raise ContentError(given=str(sorted(one)), expected="at and to, or pattern")
    return Ignored(one["reason"], one.get("at", 0), one.get("to", 0), pattern, one.get("note", ""))


def read_coverage_lists(content: Content) -> dict[str, CoverageList]:
    """Every reviewed list by source id; what several files list of one source, such as a shipped one and one's own, is one list."""
    found: dict[str, CoverageList] = {}
    for one in map(read_coverage_list, content.seed_files("coverage")):
        known = found.get(one.source)
        found[one.source] = (
            one
            if known is None
            else CoverageList(one.source, (*known.tables, *one.tables), (*known.ignored, *one.ignored))
        )
    return found


class Spans:
    """Non-overlapping sorted spans, for a quick "does this overlap"."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        merged: list[list[int]] = []
        for start, end in sorted(spans):
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        self._starts = [start for start, _ in merged]
        self._ends = [end for _, end in merged]

    def overlaps(self, start: int, end: int) -> bool:
        """Whether one of them has a place with this one in common."""
        position = bisect_right(self._starts, end - 1) - 1
        return position >= 0 and self._ends[position] > start


def claim_spans(claims: Iterable[ClaimRecord], sha256: str) -> Iterable[tuple[int, int]]:
    """Every place of a document that a claim is anchored at, or takes a unit, a condition or a repetition from."""
    for record in claims:
        if record["anchor"].get("sha256") == sha256 and "start" in record["anchor"]:
            yield record["anchor"]["start"], record["anchor"]["end"]
            for one in (*record.get("context_anchors", ()), *record.get("also_at", ())):
                yield one["start"], one["end"]


def coverage_of(document: Document, claims: Iterable[ClaimRecord], listed: CoverageList) -> Coverage:
    """Count the numerals of one document."""
    captured = Spans(claim_spans(claims, document.sha256))
    tables = Spans(listed.tables)
    ignored = [(one.reason, Spans(one.spans(document.text))) for one in listed.ignored]
    counts: dict[str, int] = {}
    total = caught = in_tables = 0
    left: list[LeftOver] = []
    for match in NUMERAL.finditer(document.text):
        start, end = match.span()
        total += 1
        in_table = tables.overlaps(start, end)
        in_tables += in_table
        if captured.overlaps(start, end):
            caught += 1
            continue
        # The first entry that covers a numeral gives its reason, so that each numeral is counted
        # once.
        reason = next((reason for reason, spans in ignored if spans.overlaps(start, end)), None)
        if reason is None:
            left.append(LeftOver(start, match.group(), in_table))
        else:
            counts[reason] = counts.get(reason, 0) + 1
    return Coverage(listed.source, document.path.name, total, caught, counts, in_tables, tuple(left))
