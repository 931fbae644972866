"""Reads the cells of a row into the fields that the columns of its shape give, and tells what the mapping does not know."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kg.ingest import limits
from kg.ingest.cell_warnings import CellWarning, CellWarnings, CommaCells
from kg.ingest.cells import NUMERIC, Reading, Unread, as_text, cell_fault, reading_of
from kg.ingest.compute import Fields
from kg.ingest.currency import is_currency_column
from kg.ingest.errors import CELL, RowFault, WrongColumns, shown
from kg.ingest.mapping import Shape
from kg.ingest.mapping_field import MappedColumn
from kg.model.json_types import Json


class _Column(NamedTuple):
    """A column with a field, as it is found in this file."""

    where: Any
    """The position of its cell in a table; in JSON its key, and the other keys that it may have."""
    field: str
    printed: str
    read: Reading
    is_quantity: bool
    missing: frozenset[Any]
    """Cells of this column alone that say nothing, as text and as number."""


class CellReader:
    """Reads the cells of one file. Raises WrongColumns where its columns are not those that the shape needs."""

    def __init__(
        self,
        shape: Shape,
        missing: Sequence[object],
        path: Path,
        columns: Sequence[str],
        *,
        tabular: bool,
        decimal: str | None = None,
    ) -> None:
        self._decimal = decimal
        self._path, self._tabular = path, tabular
        self._refuses_unknown = shape.unknown_columns == "refuse"
        self._missing = frozenset(as_text(one).casefold() for one in missing)
        self._missing_numbers = _numbers(missing)
        self._known = frozenset(
            name for one in shape.columns for name in _names(one, shape.columns[one], tabular=tabular)
        )
        self._header = frozenset(columns)
        self._currencies = {
            name: at for at, name in enumerate(columns) if name not in self._known and is_currency_column(name)
        }
        self.unknown: dict[str, int] = {}
        """Columns that the mapping does not know, with the number of rows that have them."""
        self.warnings = CellWarnings()
        self.origins: dict[str, str] = {}
        """Fields, and the column that each is printed in."""
        self._commas: dict[str, CommaCells] = {}
        """The columns of figures whose decimal sign nobody states."""
        self._columns = self._found(shape, columns)
        self._is_watched = bool(self.warnings.words or self.warnings.expected)

    def _found(self, shape: Shape, columns: Sequence[str]) -> list[_Column]:
        """The columns with a field."""
        at = {name: position for position, name in enumerate(columns)}
        made, lacking = [], []
        for printed, given in shape.columns.items():
            spec = MappedColumn() if given == "ignore" else given
            names = _names(printed, spec, tabular=self._tabular)
            found = next((name for name in names if name in at), None)
            present = found or printed
            if found is None and spec.needed:
                lacking.append(printed)
            self.warnings.add_column(printed, names, spec, present)
            # a row of JSON may have keys that the first one lacks; a column that the header lacks is in no row
            if spec.gives is None or (found is None and self._tabular):
                continue
            where = at[present] if self._tabular else (present, tuple(name for name in names if name != present))
            made.append(self._column(where, spec.gives, present, spec))
            self.origins.setdefault(spec.gives, present)
        self._check_columns(columns, lacking)
        return made

    def _column(self, where: Any, gives: str, present: str, spec: MappedColumn) -> _Column:
        """How the cells of one column are read."""
        decimal = spec.decimal or self._decimal
        if decimal is None and spec.type in NUMERIC:
            self._commas[present] = CommaCells(present)
        reading = reading_of(spec.type, spec.separator, decimal)
        return _Column(where, gives, present, reading, spec.type == "quantity", self._missing_tokens(spec))

    def _check_columns(self, columns: Sequence[str], lacking: Sequence[str]) -> None:
        if lacking:
            raise WrongColumns(
                path=str(self._path),
                field=lacking[0],
                given="no such column",
                expected=f"the column(s) {', '.join(lacking)}",
                next_step=f"the file has {', '.join(columns)[:300]}",
            )
        if self._tabular:
            self.unknown.update((name, 1) for name in columns if name not in self._known)
            self._refuse_unknown()

    def _missing_tokens(self, spec: MappedColumn) -> frozenset[Any]:
        """What means nothing in one column, as text and as number."""
        words = frozenset(as_text(one).casefold() for one in spec.missing)
        return words | _numbers(spec.missing) | self._missing_numbers

    def _refuse_unknown(self) -> None:
        if self.unknown and self._refuses_unknown:
            names = sorted(self.unknown)
            raise WrongColumns(
                path=str(self._path),
                field=names[0][:80],
                given=f"{len(names)} column(s) that the mapping does not know",
                expected="known columns only",
                next_step=f"add {', '.join(names)[:300]} to the mapping (ignore is enough)",
            )

    def read(self, cells: Any, row: int | str, fields: Fields, printed: dict[str, str]) -> None:
        """Put the fields of a row into `fields`, and what their cells print into `printed`; raises RowFault."""
        self._read(cells, row, fields, printed)
        if self._is_watched:
            self.warnings.look(row, self._header if self._tabular else cells, fields)

    def _read(self, cells: Any, row: int | str, fields: Fields, printed: dict[str, str]) -> None:
        tabular, missing = self._tabular, self._missing
        if not tabular and not (cells.keys() <= self._known):
            self._count_unknown(cells)
        for where, name, column, read, is_quantity, tokens in self._columns:
            value = cells[where] if tabular else _cell(cells, *where)
            if value is None:
                continue
            if type(value) is str:
                value = text = value.strip()
                folded = value.casefold()
                if folded in missing or folded in tokens:
                    continue
                _check_length(column, value)
                self._note_comma(column, value, row)
            else:
                text = repr(value) if isinstance(value, float) else as_text(value)
            try:
                found = read(value)
            except Unread as cause:
                raise cell_fault(column, value, cause) from None
            # also as a figure: the 0.0 of a float column is the 0 that a mapping calls missing
            if found == [] or (tokens and _is_token(found, value, tokens)):
                continue
            if is_quantity:
                fields[name], fields[f"{name}_unit"] = found
            else:
                fields[name] = found
            printed[name] = text

    def _note_comma(self, column: str, value: str, row: int | str) -> None:
        if "," in value and column in self._commas:
            self._commas[column].note(value, row)

    def all_warnings(self) -> tuple[CellWarning, ...]:
        """The warnings on the rows read so far."""
        commas = (found for one in self._commas.values() if (found := one.warning()) is not None)
        return (*self.warnings.all(), *commas)

    def _count_unknown(self, cells: Mapping[str, Any]) -> None:
        """Count the keys of a row that the mapping does not know; refuse the file where it says so."""
        for name in cells:
            if name not in self._known:
                self.unknown[name] = self.unknown.get(name, 0) + 1
        self._refuse_unknown()

    def currency_cells(self, cells: Any) -> Json:
        """The cells that say a currency, of columns that the mapping does not know."""
        if self._tabular:
            return {name: cells[at] for name, at in self._currencies.items()}
        return {name: cells[name] for name in cells.keys() - self._known if is_currency_column(name)}


def _numbers(tokens: Sequence[object]) -> frozenset[float]:
    """The figures among tokens that say nothing."""
    return frozenset(float(one) for one in tokens if isinstance(one, int | float) and not isinstance(one, bool))


def _cell(cells: dict[str, Any], name: str, others: tuple[str, ...]) -> Any:
    """The cell of a key, or of another name of it."""
    value = cells.get(name)
    if value is None and others:
        return next((cells[one] for one in others if cells.get(one) is not None), None)
    return value


def _is_token(found: object, value: object, tokens: frozenset[object]) -> bool:
    """Whether a cell that was read is one of those that say nothing."""
    return found in tokens if isinstance(found, int | float) else as_text(value).casefold() in tokens


def _names(printed: str, spec: MappedColumn | str, *, tabular: bool) -> list[str]:
    """The names of a column; in a table spaces do not count, in JSON a key is a key."""
    names = [printed, *(spec.aliases if isinstance(spec, MappedColumn) else ())]
    return [" ".join(one.split()) for one in names] if tabular else names


def _check_length(column: str, value: str) -> None:
    if len(value) > limits.CELL:
        raise RowFault(CELL, column, shown(value), f"at most {limits.CELL} characters")
