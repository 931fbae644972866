"""What stands around a figure: names and words of metrics with the place they have to it, its sentence, its table row."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from kg.reading.figure import ReportFigure
from kg.reading.setup_sentences import ReportSetup
from kg.reading.text import Block, ReportText
from kg.reading.word_trie import PhraseMention

Zone = Literal[
    "inside",
    "before",
    "after",
    "previous",
    "next",
    "block",
    "row",
    "column",
    "rowcell",
    "lead",
    "heading",
    "section",
    "outer",
    "title",
    "setup",
    "everywhere",
    "note",
]
"""Where a phrase stands to the figure: over it, in its sentence, next to that, in its table, above it, in what is said of its
paragraph or of all figures at once, or in the note that its row points to."""
SAID_ONCE: Final = frozenset({"setup", "everywhere", "note"})
"""Zones that say under what figures hold, and not of what they are."""

SENTENCE_CLOSES: Final = r"(?<=[.!?])(?:[\"”’)\]*]|\[\^?[\w,–-]{1,12}\]|\^\d{1,3}|[¹²³⁴⁵⁶⁷⁸⁹⁰]|【[^】]{1,40}】)*"
"""How a sentence ends: quotes, brackets and marks of notes behind its full stop."""
# ends at "700 W. The", a blank line, the next item and the next row of a table that has no header; not at "approx. as"
_SENTENCE: Final = re.compile(
    SENTENCE_CLOSES
    + r"\s+(?=[\"“(\[*•]*[A-Z0-9])|(?<=[a-z)])(?=[A-Z][a-z]+ (?:[A-Z]|of|and)[a-z]* )|\n\s*\n|\n\s*(?=[-•*] )|\n\s*(?=\|)|[。！？]"
)
_MOST_SENTENCE: Final = 800
_MOST_BLOCK: Final = 1500
"""Code points before and after a figure beyond which nothing is taken for its sentence or its paragraph."""
_MOST_NAMES: Final = 24
"""Phrases on one side of a figure in its sentence, the nearest: rows of a list that ends with no full stop hold hundreds."""
_MOST_CELLS: Final = 40
"""Cells of one row that are looked at for one figure of it."""
_MOST_LABEL: Final = 60
"""Code points of a line that labels a table and does not introduce it."""
_MOST_SECTION: Final = 6000
"""Code points before a paragraph that still belong to what it is about, where no heading stands between."""
_MOST_IN_SECTION: Final = 4
"""Things that a section is about, the most named first."""
_MOST_IN_HEADER: Final = 64
"""Phrases of one header or heading."""

Scan = Callable[[str], list[PhraseMention]]


@dataclass(frozen=True, slots=True)
class Near:
    """A phrase near a figure: its zone, the words between them, and its rank in the zone, the nearest first."""

    zone: Zone
    words: int
    rank: int
    mention: PhraseMention

    @property
    def span(self) -> tuple[int, int]:
        """Where the phrase begins and ends in the text, in code points."""
        return self.mention.start, self.mention.end


@dataclass(frozen=True, slots=True)
class RowCell:
    """Another cell of the figure's row: the header of its column and what it holds."""

    header: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A figure with its surroundings."""

    figure: ReportFigure
    start: int
    end: int
    before: str
    after: str
    names: tuple[Near, ...]
    terms: tuple[Near, ...]
    row: tuple[RowCell, ...]
    column_header: str
    row_header: str
    above: str
    """The heading above it and the paragraph that leads to its table."""
    earlier: str = ""
    """The paragraph up to the figure's sentence; of a first sentence, the paragraph before."""
    earlier_start: int = 0
    setup: str = ""
    """The sentences of its paragraph before it that say how something was run."""
    everywhere: str = ""
    """What is said at once of all figures where this one is."""
    note: str = ""
    """The notes that its cell, its row or its column points to."""

    def named_in(self, zone: str) -> list[Near]:
        """The names of one zone, in the order of the text."""
        return [near for near in self.names if near.zone == zone]


class PassageReader:
    """Reads the passage of every figure of one report; names and terms are found once in the whole text."""

    def __init__(self, report: ReportText, scan_names: Scan, scan_terms: Scan) -> None:
        self._report = report
        self._text = report.text
        self._names = _PhraseIndex(
            list(_scenarios_apart(report, _visible(report, scan_names(report.text)), scan_names)), scan_names
        )
        self._terms = _PhraseIndex(_visible(report, scan_terms(report.text)), scan_terms)
        self._setup = ReportSetup(report)
        self._rows: dict[tuple[int, int], list[Block]] = defaultdict(list)
        self._leads: dict[int, Block] = {}
        self._before: dict[int, Block] = {}
        self._cuts: dict[int, list[int]] = {}
        self._sections: dict[int, int] = {}
        self._named_most: dict[int, list[PhraseMention]] = {}
        last: Block | None = None
        section = 0
        for block in report.blocks:
            section = block.end if block.kind == "heading" else section
            self._sections[block.start] = section
            if block.cell is not None:
                self._rows[block.cell.table, block.cell.row].append(block)
                if last is not None:
                    self._leads.setdefault(block.cell.table, last)
                continue
            if last is not None:
                self._before[block.start] = last
            last = block

    def read(self, figure: ReportFigure) -> Passage:
        """The passage of one figure."""
        start, end = self._sentence(figure)
        cell = figure.block.cell
        earlier_start, earlier_end = self._earlier(figure, start)
        return Passage(
            figure,
            start,
            end,
            self._text[start : figure.start],
            self._text[figure.end : end],
            tuple(self._near(self._names, figure, start, end)),
            tuple(self._near(self._terms, figure, start, end)),
            tuple(self._row(figure)),
            " ".join(cell.column_headers) if cell else "",
            " ".join(cell.row_headers) if cell else "",
            self._above(figure),
            self._text[earlier_start:earlier_end],
            earlier_start,
            self._setup.before(figure, start),
            self._setup.everywhere(figure),
            self._note(figure),
        )

    def _note(self, figure: ReportFigure) -> str:
        block = figure.block
        if block.cell is None:
            return ""
        printed = self._text[block.start : block.end]
        return self._setup.notes((printed, *block.cell.row_headers, *block.cell.column_headers))

    def _earlier(self, figure: ReportFigure, start: int) -> tuple[int, int]:
        block = figure.block
        if block.cell is not None:
            return start, start
        if start == block.start and block.start in self._before:
            before = self._before[block.start]
            return max(before.start, before.end - 400), before.end
        return max(block.start, figure.start - _MOST_BLOCK), start

    def _sentence(self, figure: ReportFigure) -> tuple[int, int]:
        block = figure.block
        cuts = self._cuts.get(block.start)
        if cuts is None:
            cuts = [match.end() for match in _SENTENCE.finditer(self._text, block.start, block.end)]
            self._cuts[block.start] = cuts
        at = bisect_right(cuts, figure.start)
        start = cuts[at - 1] if at else block.start
        end = cuts[at] if at < len(cuts) else block.end
        return max(start, figure.start - _MOST_SENTENCE), max(figure.end, min(end, figure.end + _MOST_SENTENCE))

    def _near(self, found: "_PhraseIndex", figure: ReportFigure, start: int, end: int) -> Iterator[Near]:
        yield from self._in_sentence(found, figure, start, end)
        block = figure.block
        earlier = found.between(max(block.start, figure.start - _MOST_BLOCK), start)
        cut = self._start_of_previous(block, start)
        yield from self._zone("previous", [one for one in earlier if one.start >= cut][::-1][:_MOST_NAMES], figure)
        yield from self._zone("block", [one for one in earlier if one.start < cut][::-1][:12], figure)
        yield from self._zone("next", found.between(end, min(block.end, end + _MOST_SENTENCE // 2))[:6], figure)
        if block.cell is not None:
            yield from self._in_table(found, figure)
        elif start == block.start and block.start in self._before:
            before = self._before[block.start]
            if before.kind != "heading":
                yield from self._zone(
                    "previous", found.between(max(before.start, before.end - 400), before.end)[::-1], figure
                )
        for depth, heading in enumerate(reversed(block.headings)):
            yield from self._strings("heading" if depth == 0 else "outer", (heading,), found)
        if found is self._names:
            yield from self._zone("section", self._in_section(block), figure)
            yield from self._strings("setup", (self._setup.before(figure, start),), found)
            yield from self._strings("everywhere", (self._setup.everywhere(figure),), found)
            yield from self._strings("note", (self._note(figure),), found)
        if self._report.title:
            yield from self._strings("title", (self._report.title,), found)

    def _in_section(self, block: Block) -> list[PhraseMention]:
        """What was named most since the heading, up to the paragraph; the last mention of each."""
        start = max(self._sections.get(block.start, 0), block.start - _MOST_SECTION)
        if block.start not in self._named_most:
            mentions = self._names.between(start, block.start)
            count = Counter(mention.ids for mention in mentions)
            last = {mention.ids: mention for mention in mentions}
            self._named_most[block.start] = [last[ids] for ids, _ in count.most_common(_MOST_IN_SECTION)]
        return self._named_most[block.start]

    def _start_of_previous(self, block: Block, start: int) -> int:
        cuts = self._cuts.get(block.start, [])
        at = bisect_left(cuts, start)
        return cuts[at - 1] if at else block.start

    def _in_sentence(self, found: "_PhraseIndex", figure: ReportFigure, start: int, end: int) -> Iterator[Near]:
        before: list[PhraseMention] = []
        after: list[PhraseMention] = []
        inside: list[PhraseMention] = []
        for mention in found.between(start, end):
            if mention.end <= figure.start:
                before.append(mention)
            elif mention.start >= figure.end:
                after.append(mention)
            else:
                inside.append(mention)
        yield from self._zone("inside", inside, figure)
        yield from self._zone("before", before[::-1][:_MOST_NAMES], figure)
        yield from self._zone("after", after[:_MOST_NAMES], figure)

    def _in_table(self, found: "_PhraseIndex", figure: ReportFigure) -> Iterator[Near]:
        cell = figure.block.cell
        assert cell is not None
        corner = self._rows[cell.table, cell.row][0].cell
        above = corner.column_headers if corner is not None else ()
        yield from self._strings("row", tuple(part for one in cell.row_headers for part in _parts(one, above)), found)
        yield from self._strings("column", cell.column_headers, found)
        for block in self._rows[cell.table, cell.row][:_MOST_CELLS]:
            if block is not figure.block:
                yield from self._zone("rowcell", found.between(block.start, block.end), figure)
        if corner is not None and cell.column != corner.column:
            yield from self._strings("lead", corner.column_headers, found)
        lead = self._leads.get(cell.table)
        if lead is not None and lead.kind != "heading":
            yield from self._zone("lead", found.between(max(lead.start, lead.end - 400), lead.end)[::-1], figure)

    def _zone(self, zone: Zone, mentions: list[PhraseMention], figure: ReportFigure) -> Iterator[Near]:
        for rank, mention in enumerate(mentions):
            left, right = sorted(((mention.start, mention.end), (figure.start, figure.end)))
            # blanks as words: exact enough for the order, and a long stretch is far in any case
            words = self._text.count(" ", left[1], right[0]) if right[0] - left[1] < 400 else 99
            yield Near(zone, words, rank, mention)

    def _strings(self, zone: Zone, texts: tuple[str, ...], found: "_PhraseIndex") -> Iterator[Near]:
        for text in texts:
            for rank, mention in enumerate(found.in_string(text)[:_MOST_IN_HEADER]):
                yield Near(zone, 0, rank, mention)

    def _row(self, figure: ReportFigure) -> Iterator[RowCell]:
        cell = figure.block.cell
        if cell is None:
            return
        for block in self._rows[cell.table, cell.row][:_MOST_CELLS]:
            if block is not figure.block and block.cell is not None:
                yield RowCell(
                    " ".join(block.cell.column_headers), self._text[block.start : block.end][:120], block.start
                )

    def _above(self, figure: ReportFigure) -> str:
        parts = list(figure.block.headings[-1:])
        if figure.block.cell is not None and figure.block.cell.table in self._leads:
            lead = self._leads[figure.block.cell.table]
            parts += [self._text[max(one.start, one.end - 300) : one.end] for one in self._introduction(lead)]
        return "\n".join(parts)

    def _introduction(self, lead: Block) -> list[Block]:
        """The block above a table; where that is a mere label of it, also the paragraph that the label stands under."""
        found = [lead]
        while found[0].end - found[0].start < _MOST_LABEL and len(found) < 3:
            before = self._before.get(found[0].start)
            if before is None or before.kind == "heading" or before.headings != lead.headings:
                break
            found.insert(0, before)
        return found


class _PhraseIndex:
    """Mentions of a text in order, and those of short strings, each searched once."""

    def __init__(self, mentions: list[PhraseMention], scan: Scan) -> None:
        self._mentions = mentions
        self._starts = [mention.start for mention in mentions]
        self._scan = scan
        self._strings: dict[str, list[PhraseMention]] = {}

    def between(self, start: int, end: int) -> list[PhraseMention]:
        """The mentions that begin between two places."""
        return self._mentions[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def in_string(self, text: str) -> list[PhraseMention]:
        """The mentions of a header or heading."""
        if text not in self._strings:
            self._strings[text] = self._scan(text)
        return self._strings[text]


def _visible(report: ReportText, mentions: list[PhraseMention]) -> list[PhraseMention]:
    """The mentions that a reader sees: none inside an address or what is hidden."""
    hidden = [(mark.start, mark.end) for mark in getattr(report, "marks", ()) if mark.kind in ("link", "hidden")]
    starts = [start for start, _ in hidden]
    kept = []
    for mention in mentions:
        at = bisect_right(starts, mention.start)
        if not at or hidden[at - 1][1] <= mention.start:
            kept.append(mention)
    return kept


# meets "RTX PRO 6000 Server" with "Server" apart; not "Server" alone
_SCENARIO_LAST: Final = re.compile(r"(.*\S)\s+(Server|Offline|Interactive|SingleStream|MultiStream)", re.DOTALL)


def _parts(label: str, headers: tuple[str, ...]) -> tuple[str, ...]:
    """The name and the scenario of a row, where the column is headed as one of both: "RTX PRO 6000 Server" by "GPU Scenario"."""
    found = _SCENARIO_LAST.fullmatch(label) if any("scenario" in header.lower() for header in headers) else None
    return (label,) if found is None else (found[1], found[2])


def _scenarios_apart(report: ReportText, mentions: list[PhraseMention], scan: Scan) -> Iterator[PhraseMention]:
    """The mentions, those in cells with a name and a scenario found in each of the two by itself."""
    cells = {block.end: block for block in report.blocks if block.cell is not None}
    for mention in mentions:
        block = cells.get(mention.end)
        parts = _parts(mention.printed, block.cell.column_headers) if block and block.cell else ()
        if len(parts) < 2:
            yield mention
            continue
        shift = mention.end - len(parts[1])
        for part, at in zip(parts, (mention.start, shift), strict=True):
            for one in scan(part):
                yield PhraseMention(one.start + at, one.end + at, one.ids, one.printed)
