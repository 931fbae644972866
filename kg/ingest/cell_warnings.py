"""Warnings on the cells of a file, for which no row is refused: words that a column does not take, columns that lack.

Grouped by column and word: a file that writes one word otherwise in all its rows is told once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kg.ingest.cells import as_text, groups_thousands, is_ambiguous
from kg.ingest.errors import shown
from kg.ingest.mapping_field import MappedColumn
from kg.model.counting import counted
from kg.model.json_types import Json

MOST_WORDS: Final = 20
"""Different words of a column that are reported; one with more is no column of words."""


class CellWarning(NamedTuple):
    """One word that a column does not take, or the column that is not there (`given` is None)."""

    column: str
    given: str | None
    accepted: str
    """What the column takes; what is lost without it where it is not there."""
    row: int | str
    """The first row with it."""
    rows: int

    def told(self, path: str) -> str:
        """The warning in a line, with its place."""
        if self.given is None:
            return f"{path}: no column {self.column} in {counted(self.rows, 'row')}: {self.accepted}"
        return (
            f"{path}:{self.row}: {self.column}: {self.given}, in {counted(self.rows, 'row')}; accepted: {self.accepted}"
        )

    def to_json(self) -> Json:
        """Its fields, for programs."""
        return self._asdict()


@dataclass(slots=True)
class WordColumn:
    """A column that takes some words only."""

    column: str
    field: str
    accepted: str
    words: frozenset[str]
    is_expected: bool


@dataclass(slots=True)
class CommaCells:
    """Cells of one column in which a comma was taken for one of thousands, though nobody says which sign is the decimal one.

    3,060 is 3060 here and 3.06 there; one cell such as 1,024.5 or 1,024,000 settles it for the whole column.
    """

    column: str
    first: str = ""
    row: int | str = 0
    rows: int = 0
    is_certain: bool = False

    def note(self, text: str, row: int | str) -> None:
        """Look at a cell with a comma, as it is printed."""
        self.is_certain = self.is_certain or groups_thousands(text)
        if is_ambiguous(text):
            self.rows += 1
            if self.rows == 1:
                self.first, self.row = text, row

    def warning(self) -> CellWarning | None:
        """What was assumed, where nothing settles it."""
        if self.is_certain or not self.rows:
            return None
        accepted = 'a comma that groups thousands, which is assumed here; decimal: "." or "," in the mapping states it'
        return CellWarning(self.column, shown(self.first), accepted, self.row, self.rows)


@dataclass(slots=True)
class CellWarnings:
    """Collects the warnings of one file, row by row."""

    words: list[WordColumn] = field(default_factory=list)
    expected: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    """Columns that a file is expected to have: as they are reported, under all their names, and what is lost without them."""
    _found: dict[tuple[str, str | None], CellWarning] = field(default_factory=dict)

    def add_column(self, printed: str, names: Sequence[str], spec: MappedColumn, present: str) -> None:
        """Look after a column, where its mapping asks for that."""
        if spec.expected is not None:
            self.expected.append((printed, tuple(names), spec.expected))
        if spec.accepted and spec.gives is not None:
            accepted = ", ".join(map(as_text, spec.accepted))
            words = frozenset(as_text(one).casefold() for one in spec.accepted)
            self.words.append(WordColumn(present, spec.gives, accepted, words, spec.expected is not None))

    def look(self, row: int | str, columns: Any, fields: Mapping[str, Any]) -> None:
        """Look at one row: the columns or keys that it has, and what was read of them."""
        for column, names, lost in self.expected:
            if not any(name in columns for name in names):
                self._note(column, None, lost, row)
        for one in self.words:
            value = fields.get(one.field)
            if value is None and not (one.is_expected and one.column in columns):
                continue
            for part in value if isinstance(value, list) else [value]:
                if as_text(part).casefold() not in one.words:
                    self._note(one.column, shown(as_text(part)), one.accepted, row)

    def _note(self, column: str, given: str | None, accepted: str, row: int | str) -> None:
        key = (column, None if given is None else given.casefold())
        if key in self._found or sum(name == column for name, _ in self._found) < MOST_WORDS:
            known = self._found.get(key, CellWarning(column, given, accepted, row, 0))
            self._found[key] = known._replace(rows=known.rows + 1)

    def all(self) -> tuple[CellWarning, ...]:
        """The warnings, missing columns first, then as they came."""
        return tuple(sorted(self._found.values(), key=lambda one: one.given is not None))
