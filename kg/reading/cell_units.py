"""The unit of a cell from the headers of its column or row: in brackets, after a comma, or as their last words."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from kg.model.units import COUNT_PREFIX
from kg.reading.currencies import names_foreign
from kg.reading.nearby_units import BELOW, UnitReader
from kg.reading.table_scales import without_scale
from kg.reading.text import Block, Cell, ReportText

_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_COUNTED: Final = re.compile(
    r"(?i)^(?:(?:avg\.?|average|total|max\.?|min\.?|mean)\s+)*(?:number of|num|no\. of|#\s?(?:of)?|count of)?\s*"
)
_HAPPENED: Final = re.compile(
    r"\s(?:shipped|sold|used|installed|deployed|ordered|delivered|produced|made|bought|rented)\s*$", re.IGNORECASE
)
"""What became of the things that a header counts: "GPUs shipped"."""
_RESULT: Final = re.compile(r"\b(?:results?|throughput|performance|score|speed|rate)\b", re.IGNORECASE)
_PER_THING: Final = re.compile(
    r"\W*(?:per|each|by)[\s-](?:GPU|accelerator|chip|card|device|TPU|node|system)\b(?![\s-]hour)", re.IGNORECASE
)
"""A column of results for each of the things that the other columns have together: "Per GPU, offline"."""
_CORNER: Final = re.compile(r"\S\s*(?:\\|→|↓|/(?=\s))\s*(\S[^\\/]*)$")
"""The corner of a table, after a stroke, is the heading of all its columns: "Accelerator \\ TFLOPS"."""
_DIVIDED_BY: Final = re.compile(r"\s?(?:\bper\b|/)\s?(?:watt|dollar|user)$", re.IGNORECASE)
"""What the figures of a column are divided by, which is no unit of theirs: Tokens/s per watt."""
_COUNTED_BY: Final = re.compile(rf"\bper\s({BELOW})", re.IGNORECASE)
_ONE_LETTER: Final = re.compile(
    r"(?i:\b(?:power|tdp|tbp|tgp|draw|consumption|budget)\b.* )W$"
    r"|(?i:\b(?:energy|consumption)\b.* )J$|(?i:\b(?:time|latency|duration|ttft|delay)\b.* )[sh]$"
)
"""Headers whose last word is a unit of one letter, because of the quantity that they name."""
_LEAD: Final = re.compile(
    r"[(\[](?:all\s)?(?:(?:values|figures|numbers|prices|results)\s(?:are\s)?)?(?:in\s)?(?P<inside>[^()\[\]]{1,60})[)\]]\s*[.:]?$"
    r"|,\s(?P<tail>[^.;:,()]{1,40})[.:]?$"
    r"|\b(?:values|figures|numbers|prices|costs|results|rates)\s(?:are\s)?(?:all\s)?(?:given\s|stated\s|shown\s)?in\s(?P<said>[^.;:,()]{1,40})[.:]?$"
    r"|^[^.;!?]{3,90}\sin\s(?P<all>[^.;:,()\d]{1,40})[.:]?$",
    re.IGNORECASE,
)
"""What leads to a table and ends with the unit of all its amounts: "Prices ($ per GPU-hour).", "Prices, USD per hour", "All values in TFLOPS:", "Latency in ms:"."""
_NO_AMOUNT: Final = re.compile(
    r"%|\b(?:percent|percentage|share|ratio|growth|change|year|date|rank|version|index|number|count|no\.)\b|(?:^|[\s(])[x×]\)?$|#",
    re.IGNORECASE,
)
_PERIOD: Final = re.compile(
    r"^\W*(?:\d{1,2}|one|two|three|five)[\s-]?(?:years?|yrs?|months?|mo|weeks?)\b(?:[\s-](?:reserved|reservation|commit\w*|contract|term|plan|upfront))?",
    re.IGNORECASE,
)
"""A header that names how long something is rented or ordered for, and no unit: 1 year, 3-year reserved."""
# the unit of all amounts is among the last words above a table
_MOST_LEAD: Final = 300
_MOST_CORNER: Final = 400
"""Characters of a corner that are looked at."""
_RATES: Final = ("token/", "sample/", "query/", "result/", "TFLOP", "GFLOP", "PFLOP")


@dataclass(frozen=True, slots=True)
class CellUnits:
    """Remembers what each header says, and which headers each table has."""

    reader: UnitReader
    _tables: dict[int, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _corners: dict[int, str] = field(default_factory=dict)
    _leads: dict[int, str] = field(default_factory=dict)
    _known: dict[tuple[str, bool], str | None] = field(default_factory=dict)

    def note_headers(self, report: ReportText) -> None:
        """Keep the headers of every table: one may say what another leaves out. So may the line or caption above it."""
        last: Block | None = None
        for block in report.blocks:
            if block.cell is None:
                last = block
            else:
                if last is not None:
                    self._note_lead(block.cell.table, report.text[max(last.start, last.end - _MOST_LEAD) : last.end])
                    last = None
                self._tables[block.cell.table].update(dict.fromkeys(block.cell.column_headers))
                if not block.cell.column and (
                    corner := _CORNER.search(" ".join(block.cell.column_headers)[:_MOST_CORNER])
                ):
                    self._corners[block.cell.table] = corner[1]

    def _note_lead(self, table: int, text: str) -> None:
        match = _LEAD.search(" ".join(text.split()).strip("*_ "))
        unit = (
            None if match is None else self._whole(without_scale(f"({next(filter(None, match.groups()))})").strip("()"))
        )
        if unit is not None:
            self._leads[table] = unit

    def unit(self, cell: Cell) -> str | None:
        """The unit that the headers of a cell print, the nearest header first."""
        if any(map(names_foreign, cell.column_headers[-1:])):
            return None
        for header in reversed(cell.column_headers):
            if (unit := self._of(header, counts=True)) is not None:
                return unit
        for header in reversed(cell.row_headers):
            if (unit := self._of(header, counts=False)) is not None:
                return unit
        corner = self._corners.get(cell.table)
        if cell.column and corner is not None and (unit := self._of(corner, counts=False) or self._whole(corner)):
            return unit
        return self._of_the_table(cell) or self._of_the_lead(cell)

    def _of_the_lead(self, cell: Cell) -> str | None:
        """The unit that stands above a table, for its columns of amounts where no header has one."""
        unit = self._leads.get(cell.table)
        named = (*cell.column_headers, *cell.row_headers)
        if unit is None or not cell.column or any(_NO_AMOUNT.search(_PERIOD.sub("", header)) for header in named):
            return None
        others = (self._of(header, counts=True) for header in self._tables[cell.table])
        # where a header prints its own unit, the table does not rely on the words above it
        return None if any(other is not None and not other.startswith(COUNT_PREFIX) for other in others) else unit

    def _of_the_table(self, cell: Cell) -> str | None:
        """The unit of the other column of results, for a column of results that prints none."""
        if not cell.column_headers or not (
            _RESULT.search(cell.column_headers[-1]) or _PER_THING.match(cell.column_headers[-1])
        ):
            return None
        beside = {self._of(header, counts=False) for header in self._tables[cell.table] if _BRACKETS.search(header)}
        rates = {unit for unit in beside if unit is not None and unit.startswith(_RATES)}
        if len(rates) == 1:
            return rates.pop()
        return "result/s" if not rates and re.search(r"\bresults?\b", cell.column_headers[-1], re.IGNORECASE) else None

    def _of(self, header: str, *, counts: bool) -> str | None:
        if (header, counts) not in self._known:
            self._known[header, counts] = self._read(without_scale(header), counts=counts)
        return self._known[header, counts]

    def _read(self, header: str, *, counts: bool) -> str | None:
        header = _PERIOD.sub("", header).strip()
        in_brackets = [part for inside in _BRACKETS.findall(header) for part in (inside, *re.split(r"[,;]\s*", inside))]
        tail = re.split(r",\s+|\bin\s+|\s[-–—:]\s", header)[-1].strip()
        named = [*(part.strip() for part in in_brackets), *([tail] if tail != header.strip() else [])]
        unit = next((unit for part in named if (unit := self._whole(part)) is not None), None)
        if unit is not None and (by := _COUNTED_BY.search(_BRACKETS.sub("", header))) is not None:
            return self.reader.unit_of(unit, (by[1],)) or unit  # Price per GPU-hour ($)
        if unit is not None or not counts:
            return unit
        divided = _DIVIDED_BY.search(header)
        if divided is not None:
            return self._whole(header[: divided.start()].strip())
        return self._whole(header.strip()) or self._last_words(header) or self._counted(header)

    def _last_words(self, header: str) -> str | None:
        """The unit that a header ends with; a letter at the end is a name as a rule: group A, type B."""
        words = _BRACKETS.sub("", header).split()
        if not words or (len(words[-1]) == 1 and _ONE_LETTER.search(header) is None):
            return None
        counts = (count for count in range(min(3, len(words)), 0, -1) if words[-count - 1 : -count] != ["per"])
        ends = (" ".join(words[-count:]) for count in counts)
        return next((unit for end in ends if (unit := self._whole(end)) is not None), None)

    def _counted(self, header: str) -> str | None:
        """What a header counts: "number of GPUs"."""
        if "per " in header.lower() or "/" in header:
            return None
        counted = _HAPPENED.sub("", _COUNTED.sub("", header))
        thing = self.reader.thing_after(f" {counted}", 0)
        # the S of a chip's name is no plural: a column of the L40S counts none
        ends = ("s",) if any(sign.isdigit() for sign in counted) else ("s", "S")
        plural = thing is not None and counted[: thing.end - 1].endswith(ends)
        return thing.unit if thing is not None and plural and thing.end >= len(counted.rstrip()) else None

    def _whole(self, spelt: str) -> str | None:
        # words before a unit that say nothing of it: "in GB", "avg. W"
        spelt = re.sub(r"^(?:up to|in|GPU|total|avg\.?|average|approx\.?)\s+", "", spelt, flags=re.IGNORECASE)
        near = self.reader.after(spelt, 0, attached=True)
        return near.unit if near is not None and near.end == len(spelt) else None
