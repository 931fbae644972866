"""The unit of a cell from the header of its column or row: in brackets, after a comma, or as its last words."""

import re
from dataclasses import dataclass, field
from typing import Final

from kg.reading.nearby_units import UnitReader
from kg.reading.text import Cell

_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]{1,60})[)\]]")
_COUNTED: Final = re.compile(
    r"(?i)(?:^|\b(?:avg\.?|average|total|number of|num|no\. of|#\s?(?:of)?|count of|max|min)\s+)"
)


@dataclass(frozen=True, slots=True)
class CellUnits:
    """Remembers what each header says."""

    reader: UnitReader
    _known: dict[str, str | None] = field(default_factory=dict)

    def unit(self, cell: Cell) -> str | None:
        """The unit that the headers of a cell print, the nearest header first."""
        for header in (*reversed(cell.column_headers), *reversed(cell.row_headers)):
            if header not in self._known:
                self._known[header] = self._read(header)
            if (unit := self._known[header]) is not None:
                return unit
        return None

    def _read(self, header: str) -> str | None:
        for inside in _BRACKETS.findall(header):
            for part in (inside, *re.split(r"[,;]\s*", inside)):
                if (unit := self._whole(part.strip())) is not None:
                    return unit
        tail = re.split(r",\s+|\bin\s+", header)[-1].strip()
        if tail != header.strip() and (unit := self._whole(tail)) is not None:
            return unit
        words = header.split()
        for count in range(min(3, len(words)), 0, -1):
            if (unit := self._whole(" ".join(words[-count:]))) is not None and len(words[-1]) > 1:
                return unit
        thing = self.reader.thing_after(" " + _COUNTED.split(header)[-1], 0)
        return thing.unit if thing is not None and _COUNTED.search(header) and "per " not in header.lower() else None

    def _whole(self, spelt: str) -> str | None:
        near = self.reader.after(spelt, 0, attached=True)
        return near.unit if near is not None and near.end == len(spelt) else None
