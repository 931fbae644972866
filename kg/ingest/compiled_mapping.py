"""A mapping compiled for one file: a function from a row to records, a named skip, or a rejection."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from kg.content.folders import file_name
from kg.content.vocabulary import Vocabulary
from kg.errors import KgError, Mistakes
from kg.ingest import limits
from kg.ingest.cell_warnings import CellWarnings
from kg.ingest.cells import Unread, as_text, cell_fault, reading_of
from kg.ingest.compute import Fields, computed, filled, holds_all
from kg.ingest.currency import is_currency_column, refuse_other_currency
from kg.ingest.entities import Find, Things, counted, finder
from kg.ingest.errors import CELL, EDITION, NAMES, RULE, MappingError, RowFault, WrongColumns, shown
from kg.ingest.figures import FigureMaker, Make
from kg.ingest.mapping import RowRule, Shape, SourceMapping
from kg.ingest.mapping_field import Counted, Later, MappedColumn
from kg.ingest.mapping_part import CORRECTION
from kg.ingest.naming import file_stem, slug_of
from kg.ingest.row_view import RowView
from kg.ingest.table import Row, SourceTable
from kg.model.json_types import Json
from kg.model.recorded import ClaimRecord

Steps = Mapping[str, Callable[..., Any]]
GIVEN = ("row", "file", "folder", "edition", "edition_date", "source")
"""Fields that every row has."""


@dataclass(frozen=True, slots=True)
class CompiledEdition:
    """Which edition a file is: its name, and its day where that is known."""

    name: str
    date: str | None


@dataclass(frozen=True, slots=True)
class FileOf:
    """One file to read: what is known of it before its rows."""

    path: Path
    sha256: str
    edition: CompiledEdition
    source: str
    """Id of the source record."""


@dataclass(frozen=True, slots=True)
class LoadedPart:
    """What a row gave: its natural key and its claims."""

    key: str
    claims: list[ClaimRecord]
    once: list[tuple[str, ClaimRecord]]
    """Claims that several rows may give, with their own keys."""
    remarks: tuple[str, ...]
    corrections: tuple[str, ...] = ()
    """The rules by which a claim of the row puts another one right, each with the name of the claim."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """The rule that leaves a row out."""

    rule: str


Rule = tuple[str, Callable[[Fields], Any], bool, str | None]
"""A computed field: its name, its function, whether it changes a field that is there, and the field whose print it shows."""
Outcome = LoadedPart | Skipped | tuple[RowFault, ...]


def key_columns(table: SourceTable, cells: Any) -> tuple[str, ...]:
    """The columns of a table, or the keys of its first row."""
    return table.columns if table.columns is not None else tuple(cells)


class Program:
    """Reads rows of one file."""

    def __init__(
        self,
        mapping: SourceMapping,
        shape_name: str,
        file: FileOf,
        columns: Sequence[str],
        *,
        tabular: bool,
        things: Things,
        vocabulary: Vocabulary,
        steps: Steps,
        place: Callable[[Any, str], Json],
        edition_of: Callable[[object], str | None] | None,
        suffix: Callable[[str], str] = lambda key: "",
    ) -> None:
        shape = mapping.shapes[shape_name]
        self._shape, self._file, self._things, self.place = shape, file, things, place
        self._edition_of, self._suffix = edition_of, suffix
        self.unknown: dict[str, int] = {}
        self._base: Fields = {
            "file": file_stem(file.path),
            "folder": file_name(file.path.absolute().parent) or None,
            "edition": file.edition.name,
            "edition_date": file.edition.date,
            "source": file.source,
        }
        self._anchor_base = {"document": file_name(file.path)[:200], "sha256": file.sha256}
        self._prefix = file.source.split("/", 1)[1] + "/"
        self.warnings = CellWarnings()
        self._missing = frozenset(as_text(one).casefold() for one in mapping.missing)
        self._missing_numbers = _numbers(mapping.missing)
        self._tabular = tabular
        self._known = frozenset(
            name for one in shape.columns for name in _names(one, shape.columns[one], tabular=tabular)
        )
        self._header = frozenset(columns)
        self._cells = self._columns(shape, columns)
        self._is_watched = bool(self.warnings.words or self.warnings.expected)
        self._units = vocabulary.units
        self._unmapped = {
            name: at for at, name in enumerate(columns) if name not in self._known and is_currency_column(name)
        }
        mistakes: list[KgError] = []
        self._rules = self._computed(shape.fields, steps, mistakes)
        self._rules += self._computed(mapping.fields, steps, mistakes)
        self._skips = self._row_rules(mapping.skip, shape_name)
        self._rejects = self._row_rules(mapping.reject, shape_name)
        self._remarks = self._row_rules(mapping.remarks, shape_name)
        self._finders = self._entity_finders(mapping, mistakes)
        self._later = self._computed(mapping.later, steps, mistakes)
        self._correcting = tuple(
            name
            for name, one in mapping.claims.items()
            if any(given.variant == CORRECTION for given in one.derivations)
        )
        self._key = tuple(shape.key or mapping.key)
        maker = FigureMaker(things, vocabulary, mapping.publisher.id)
        self._claims = self._claim_makers(mapping, shape_name, maker, mistakes)
        Mistakes.raise_any(mistakes)

    def _entity_finders(self, mapping: SourceMapping, mistakes: list[KgError]) -> list[tuple[str, Find, bool, str]]:
        """For each entity of a row: its name, its function, whether it resolves a name, and the field that it reads."""
        source = filled("{source}")
        found = []
        for name, rule in mapping.entities.items():
            try:
                find = finder(name, rule, self._things, source)
            except MappingError as mistake:
                mistakes.append(mistake)
                continue
            found.append((name, find, rule.how == "resolve", getattr(rule, "of", "")))
        return found

    def _claim_makers(
        self, mapping: SourceMapping, shape: str, maker: FigureMaker, mistakes: list[KgError]
    ) -> list[tuple[str, Make, tuple[str, ...]]]:
        """For each claim of a row: its name, its function, and the fields that name it once."""
        made = []
        earlier: set[str] = set()
        key = self._key[0] if self._key else ""
        for claim, template in mapping.claims.items():
            if not template.shapes or shape in template.shapes:
                try:
                    made.append((claim, maker.maker(claim, template, earlier, key), tuple(template.once)))
                except MappingError as mistake:
                    mistakes.append(mistake)
            # also of another shape: a template may name it, and has no such input in this one
            earlier.add(claim)
        return made

    # Columns.

    def _columns(
        self, shape: Shape, columns: Sequence[str]
    ) -> list[tuple[Any, str, str, Callable[[Any], Any], bool, frozenset[Any]]]:
        """For each column with a field: where its cell is, the field, the printed name, the reading, the further missing tokens."""
        at = {name: position for position, name in enumerate(columns)}
        self._origins: dict[str, str] = {}
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
            reading = reading_of(spec.type, spec.separator)
            made.append((where, spec.gives, present, reading, spec.type == "quantity", self._missing_tokens(spec)))
            self._origins.setdefault(spec.gives, present)
        self._check_columns(columns, lacking)
        return made

    def _check_columns(self, columns: Sequence[str], lacking: Sequence[str]) -> None:
        if lacking:
            raise WrongColumns(
                path=str(self._file.path),
                field=lacking[0],
                given="no such column",
                expected=f"the column(s) {', '.join(lacking)}",
                next_step=f"the file has {', '.join(columns)[:300]}",
            )
        if self._tabular:
            self.unknown = {name: 1 for name in columns if name not in self._known}
            self._refuse_unknown()

    def _missing_tokens(self, spec: MappedColumn) -> frozenset[Any]:
        """What means nothing in one column, as text and as number."""
        words = frozenset(as_text(one).casefold() for one in spec.missing)
        return words | _numbers(spec.missing) | self._missing_numbers

    def _refuse_unknown(self) -> None:
        if self.unknown and self._shape.unknown_columns == "refuse":
            names = sorted(self.unknown)
            raise WrongColumns(
                path=str(self._file.path),
                field=names[0][:80],
                given=f"{len(names)} column(s) that the mapping does not know",
                expected="known columns only",
                next_step=f"add {', '.join(names)[:300]} to the mapping (ignore is enough)",
            )

    def _computed(self, rules: Mapping[str, Later], steps: Steps, mistakes: list[KgError]) -> list[Rule]:
        made = []
        for name, rule in rules.items():
            try:
                function = (
                    counted(name, rule, self._things) if isinstance(rule, Counted) else computed(name, rule, steps)
                )
            except MappingError as mistake:
                mistakes.append(mistake)
                continue
            of = getattr(rule, "of", None)
            first = of if isinstance(of, str) else of[0] if of else None
            if first is not None and first in self._origins:
                self._origins.setdefault(name, self._origins[first])
            changes = first == name or (isinstance(of, list) and name in of)
            shows = first if rule.how in ("match", "replace", "first") else None
            made.append((name, function, changes, shows))
        return made

    def _row_rules(self, rules: Sequence[RowRule], shape: str) -> list[tuple[str, Callable[[Fields], bool], str]]:
        found = []
        for rule in rules:
            if not rule.shapes or shape in rule.shapes:
                when = holds_all(rule.when)
                assert when is not None
                found.append((rule.name, when, rule.why))
        return found

    # Rows.

    def run(self, row: Row) -> Outcome:
        """What a row gives; what it made of entities lies in `Things.fresh`."""
        if row.fault is not None:
            return (row.fault,)
        try:
            return self._run(row)
        except RowFault as fault:
            return (fault,)

    def _run(self, row: Row) -> Outcome:
        fields = self._base.copy()
        fields["row"] = row.number
        printed: dict[str, str] = {}
        self._read(row.cells, fields, printed)
        if self._is_watched:
            self.warnings.look(row.number, self._header if self._tabular else row.cells, fields)
        self._compute(self._rules, fields, printed)
        if self._edition_of is not None:
            other = self._edition_of(row.cells)
            if other is not None and other != self._file.edition.name:
                raise RowFault(EDITION, None, other, f"{self._file.edition.name}, as in the first row")
        for name, when, _ in self._skips:
            if when(fields):
                return Skipped(name)
        for name, when, why in self._rejects:
            if when(fields):
                raise RowFault(RULE, name, "the row", why)
        faults = self._resolve(fields, printed)
        if faults:
            return faults
        self._compute(self._later, fields, printed)
        return self._made(row, fields, printed)

    def _read(self, cells: Any, fields: Fields, printed: dict[str, str]) -> None:
        """The fields that columns give."""
        tabular, missing = self._tabular, self._missing
        if not tabular and not (cells.keys() <= self._known):
            self._count_unknown(cells)
        for where, name, column, read, pair, tokens in self._cells:
            value = cells[where] if tabular else _cell(cells, *where)
            if value is None:
                continue
            if type(value) is str:
                value = text = value.strip()
                folded = value.casefold()
                if folded in missing or folded in tokens:
                    continue
                _check_length(column, value)
            else:
                text = repr(value) if isinstance(value, float) else as_text(value)
            try:
                found = read(value)
            except Unread as cause:
                raise cell_fault(column, value, cause) from None
            if found == [] or (tokens and _is_token(found, value, tokens)):
                continue
            if pair:
                fields[name], fields[f"{name}_unit"] = found
            else:
                fields[name] = found
            printed[name] = text

    def _count_unknown(self, cells: Any) -> None:
        """Count the keys of a row that the mapping does not know; refuse the file where it says so."""
        for name in cells:
            if name not in self._known:
                self.unknown[name] = self.unknown.get(name, 0) + 1
        self._refuse_unknown()

    def _compute(self, rules: Sequence[Rule], fields: Fields, printed: dict[str, str]) -> None:
        """The fields that rules give."""
        for name, function, changes, shows in rules:
            if not changes and fields.get(name) is not None:
                continue
            value = function(fields)
            if value is None:
                fields.pop(name, None)
                continue
            fields[name] = value
            if shows is not None:
                printed[name] = as_text(value) if isinstance(value, str) or shows not in printed else printed[shows]

    def _resolve(self, fields: Fields, printed: dict[str, str]) -> tuple[RowFault, ...]:
        """The entities of the row; all names that do not resolve are reported together."""
        faults: dict[tuple[Any, str], RowFault] = {}
        for name, find, resolves, of in self._finders:
            try:
                value = find(fields)
            except RowFault as fault:
                if fault.code != NAMES:
                    raise
                faults.setdefault((fault.field, fault.given), fault)
                continue
            if value is not None:
                fields[name] = value
                if resolves and of in printed:
                    printed[name] = printed[of]
        return tuple(faults.values())

    def _made(self, row: Row, fields: Fields, printed: dict[str, str]) -> LoadedPart:
        key = ".".join([slug_of(fields.get(name)) for name in self._key])
        key += self._suffix(key)
        view = RowView(fields, printed, f"{self._prefix}{key}.", self._anchor_of(row.locus))
        claims: list[ClaimRecord] = []
        once: list[tuple[str, ClaimRecord]] = []
        for name, make, shared in self._claims:
            if shared:
                own = ".".join([slug_of(fields.get(one)) for one in shared])
                view.prefix, kept = f"{self._prefix}{own}.", view.prefix
                record = make(view)
                view.prefix = kept
                if record is not None:
                    view.made[name] = record
                    once.append((f"{own}.{name}", record))
                continue
            record = make(view)
            if record is not None:
                view.made[name] = record
                claims.append(record)
        if currencies := self._currency_cells(row.cells):
            refuse_other_currency([*claims, *(record for _, record in once)], currencies, self._units)
        remarks = tuple(name for name, when, _ in self._remarks if when(fields)) if self._remarks else ()
        return LoadedPart(key, claims, once, remarks, _corrections(view.made, self._correcting))

    def _currency_cells(self, cells: Any) -> Json:
        """The cells that say a currency, of columns that the mapping does not know."""
        if self._tabular:
            return {name: cells[at] for name, at in self._unmapped.items()}
        return {name: cells[name] for name in cells.keys() - self._known if is_currency_column(name)}

    @property
    def printed_columns(self) -> tuple[str, ...]:
        """The columns that claims may point to."""
        return tuple(dict.fromkeys(self._origins.values()))

    def _anchor_of(self, locus: object) -> Callable[[str], Json]:
        base, place, origins = self._anchor_base, self.place, self._origins
        return lambda name: {**base, **place(locus, origins.get(name, name))}


def _corrections(made: Mapping[str, ClaimRecord], names: Sequence[str]) -> tuple[str, ...]:
    """The rules of the corrections among the claims of a row."""
    return tuple(
        f"{name}: {given['note']}"
        for name in names
        if name in made
        for given in made[name].get("derivations", ())
        if given.get("variant") == CORRECTION
    )


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


def row_digest(row: Row) -> int:
    """A number that distinguishes rows by their cells."""
    return hash(orjson.dumps(row.cells, default=str))


def _names(printed: str, spec: MappedColumn | str, *, tabular: bool) -> list[str]:
    """The names of a column; in a table spaces do not count, in JSON a key is a key."""
    names = [printed, *(spec.aliases if isinstance(spec, MappedColumn) else ())]
    return [" ".join(one.split()) for one in names] if tabular else names


def _check_length(column: str, value: str) -> None:
    if len(value) > limits.CELL:
        raise RowFault(CELL, column, shown(value), f"at most {limits.CELL} characters")
