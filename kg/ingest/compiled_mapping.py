"""A mapping compiled for one file: a function from a row to records, a named skip, or a rejection."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from kg.content.folders import file_name
from kg.content.vocabulary import Vocabulary
from kg.errors import KgError, Mistakes
from kg.ingest.cell_reader import CellReader
from kg.ingest.cells import as_text
from kg.ingest.compute import Fields, computed, filled, holds_all
from kg.ingest.currency import refuse_other_currency
from kg.ingest.entities import Find, Things, counted, finder
from kg.ingest.errors import EDITION, NAMES, RULE, MappingError, RowFault
from kg.ingest.figures import FigureMaker, Make
from kg.ingest.mapping import RowRule, SourceMapping
from kg.ingest.mapping_field import Counted, Later
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


def _fields_of_file(file: FileOf) -> Fields:
    """The fields that all rows of a file share; a row adds its number."""
    return {
        "file": file_stem(file.path),
        "folder": file_name(file.path.absolute().parent) or None,
        "edition": file.edition.name,
        "edition_date": file.edition.date,
        "source": file.source,
    }


def key_columns(table: SourceTable, cells: Any) -> tuple[str, ...]:
    """The columns of a table, or the keys of its first row."""
    return table.columns if table.columns is not None else tuple(cells)


class Program:
    """Reads rows of one file: cells to fields, fields to entities, and both to claims."""

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
        self._file, self._things, self.place = file, things, place
        self._edition_of, self._suffix = edition_of, suffix
        self._base = _fields_of_file(file)
        self._anchor_base = {"document": file_name(file.path)[:200], "sha256": file.sha256}
        self._prefix = file.source.split("/", 1)[1] + "/"
        self.cells = CellReader(shape, mapping.missing, file.path, columns, tabular=tabular, decimal=mapping.decimal)
        self._units = vocabulary.units
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
            if first is not None and first in self.cells.origins:
                self.cells.origins.setdefault(name, self.cells.origins[first])
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
        self.cells.read(row.cells, row.number, fields, printed)
        self._compute(self._rules, fields, printed)
        if self._edition_of is not None:
            other = self._edition_of(row.cells)
            if other is not None and other != self._file.edition.name:
                raise RowFault(EDITION, None, other, f"{self._file.edition.name}, as in the first row")
        # skips before rejections: a row that a rule leaves out is not refused for anything else
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

    def _compute(self, rules: Sequence[Rule], fields: Fields, printed: dict[str, str]) -> None:
        """The fields that rules give."""
        for name, function, changes, shows in rules:
            # what is printed goes before what a rule would compute in its place
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
        if currencies := self.cells.currency_cells(row.cells):
            refuse_other_currency([*claims, *(record for _, record in once)], currencies, self._units)
        remarks = tuple(name for name, when, _ in self._remarks if when(fields)) if self._remarks else ()
        return LoadedPart(key, claims, once, remarks, _corrections(view.made, self._correcting))

    @property
    def printed_columns(self) -> tuple[str, ...]:
        """The columns that claims may point to."""
        return tuple(dict.fromkeys(self.cells.origins.values()))

    def _anchor_of(self, locus: object) -> Callable[[str], Json]:
        base, place, origins = self._anchor_base, self.place, self.cells.origins
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


def row_digest(row: Row) -> int:
    """A number that distinguishes rows by their cells."""
    # another number in another process: it is compared within one load
    try:
        return hash(orjson.dumps(row.cells, default=str))
    except TypeError:  # a whole number beyond 64 bits
        return hash(repr(row.cells))
