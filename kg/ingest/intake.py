"""Runs files through their mapping: a stream of new records, and counts that add up to the rows read."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, cast

import orjson

from kg.content.folders import file_name
from kg.content.vocabulary import Vocabulary
from kg.ingest import limits
from kg.ingest.compiled_mapping import FileOf, LoadedPart, Program, Skipped, row_digest
from kg.ingest.decode import is_packed
from kg.ingest.entities import Things
from kg.ingest.errors import DUPLICATE, NAMES, RowFault
from kg.ingest.file_edition import edition_of
from kg.ingest.kept_rows import kept_row, place_of, row_of
from kg.ingest.load_report import Report, count_part
from kg.ingest.mapping import Shape
from kg.ingest.naming import file_stem, slug_of
from kg.ingest.opened_file import open_shape
from kg.ingest.planned_file import Planned, source_records
from kg.ingest.sources import Loader
from kg.ingest.table import Row
from kg.ingest.temporary_table import TemporaryTable
from kg.ledger.segment import revision_of
from kg.model.json_types import Json
from kg.model.ledger_records import CurrentRecord, LedgerRecord, RejectedRecord
from kg.model.recorded import ClaimRecord

Progress = Callable[[str, int, int], None]
IDENTICAL = "identical_row"
"""The rule that leaves out a row that says again, cell by cell, what an earlier one of its key said."""
_EVERY = 1024


class Ledgered(Protocol):
    """What a load asks the ledger."""

    def state(self, identifier: str, revision: str) -> str:
        """`absent`, `same`, `older` (this load says something newer) or `newer`."""

    def is_said(self, record: CurrentRecord) -> bool:
        """Whether the claim as it is held says the same, if at another place or day."""

    def open_rejections(self, prefix: str) -> list[str]:
        """Ids of rejected records of a row that still stand."""

    def is_of_edition(self, identifier: str) -> bool:
        """Whether the record is held in the edition that is being loaded."""


class Intake:
    """Reads the files of one source into records."""

    def __init__(
        self,
        loader: Loader,
        things: Things,
        vocabulary: Vocabulary,
        ledgered: Ledgered,
        *,
        seen: TemporaryTable,
        progress: Progress,
    ) -> None:
        self._loader, self._things, self._vocabulary = loader, things, vocabulary
        self._ledgered, self._seen, self._progress = ledgered, seen, progress
        self._counts: dict[tuple[str, str, str], int] = {}
        """How often a key came, by edition, source and key."""
        self._columns: tuple[str, ...] = ()
        self._tabular = False
        self._announced: set[tuple[str, str]] = set()
        self.rejected: Callable[[RejectedRecord], None] = lambda record: None
        """Hears of every rejected record, new or not."""

    def records(self, planned: Planned, report: Report, *, everything: bool) -> Iterator[LedgerRecord]:
        """The records of a file that say something new (`everything`: all of them), with revisions."""
        mapping, shape = self._loader.mapping, self._loader.mapping.shapes[planned.shape]
        started = monotonic()
        # how much a packed file holds nobody knows before it is read
        read_and_size = [0, 0 if is_packed(planned.path) else planned.path.stat().st_size >> 10]

        def watch(count: int) -> None:
            read_and_size[0] += count

        if (planned.rank, planned.source) not in self._announced:
            # each edition holds its own: a later full one takes the place of the earlier with all it holds
            self._announced.add((planned.rank, planned.source))
            for thing in source_records(self._loader, planned, self._things):
                yield from self._new(thing, report, everything=everything)
        with ExitStack() as stack:
            opened = open_shape(planned.path, mapping, stack, watch)
            edition, reader = edition_of(planned.path, mapping, shape, opened, planned.edition.date)
            self._columns, self._tabular = opened.columns, opened.table.columns is not None
            program = self._program(
                planned,
                opened.columns,
                tabular=self._tabular,
                place=opened.table.place,
                edition_of=reader if edition.name == planned.edition.name else None,
                number=partial(self._numbered, planned),
            )
            for row in opened.rows:
                yield from self._row(program, row, planned, shape, report, everything=everything)
                if report.read % _EVERY == 1:
                    rate = report.read / max(monotonic() - started, 1e-3)
                    done = f"{planned.path.name}: {report.read:,} rows, {rate:,.0f} a second"
                    self._progress(done, read_and_size[0] >> 10, read_and_size[1])
            planned.check_unchanged()
            report.unknown_columns = tuple(sorted(program.cells.unknown))
            report.warnings = program.cells.all_warnings()
        report.seconds = monotonic() - started

    def _program(
        self,
        planned: Planned,
        columns: Sequence[str],
        *,
        tabular: bool,
        place: Callable[[Any, str], Json],
        edition_of: Callable[[object], str | None] | None,
        number: Callable[[str], str],
    ) -> Program:
        """The mapping compiled for a file; `number` gives what is put behind the key of a row where keys may repeat."""
        is_numbered = self._loader.mapping.shapes[planned.shape].repeated == "number"
        return Program(
            self._loader.mapping,
            planned.shape,
            FileOf(planned.path, planned.sha256, planned.edition, planned.source),
            columns,
            tabular=tabular,
            things=self._things,
            vocabulary=self._vocabulary,
            steps=self._loader.steps,
            place=place,
            edition_of=edition_of,
            suffix=number if is_numbered else lambda key: "",
        )

    def _numbered(self, planned: Planned, key: str) -> str:
        # by edition, as in `_unrepeated`: a row of a later one that is loaded along must supersede, and needs the same id
        name = planned.rank, planned.source, key
        count = self._counts[name] = self._counts.get(name, 0) + 1
        return "" if count == 1 else f"-{count}"

    def _row(
        self, program: Program, row: Row, planned: Planned, shape: Shape, report: Report, *, everything: bool
    ) -> Iterator[LedgerRecord]:
        things = self._things
        report.read += 1
        outcome = program.run(row)
        if isinstance(outcome, LoadedPart):
            outcome = self._unrepeated(outcome, row, planned, shape)
        _, *earlier = prefixes = _rejected_prefixes(self._loader.name, planned, row)
        if isinstance(outcome, tuple):
            things.take_back()
            report.rejected += 1
            # the same refusals under the ids of an earlier version: they go on under those of this one
            yield from self._closings(chain.from_iterable(map(self._ledgered.open_rejections, earlier)))
            kept = self._kept(program, row, planned, outcome)
            for record in self._rejections(planned, row, outcome):
                report.codes[record["code"]] = report.codes.get(record["code"], 0) + 1
                self.rejected(record)
                yield from self._new(cast(RejectedRecord, {**record, **kept}), report, everything=everything)
            return
        yield from self._closings(chain.from_iterable(map(self._ledgered.open_rejections, prefixes)), report)
        yield from self._taken(outcome, report, everything=everything)

    def _taken(self, outcome: LoadedPart | Skipped, report: Report, *, everything: bool) -> Iterator[LedgerRecord]:
        """The records of a row that is not refused."""
        things = self._things
        if isinstance(outcome, Skipped):
            things.take_back()
            report.skipped[outcome.rule] = report.skipped.get(outcome.rule, 0) + 1
            return
        before = report.claims + report.superseded
        for thing in things.fresh:
            yield from self._new(thing, report, everything=everything)
        things.fresh.clear()
        for record in outcome.claims:
            yield from self._new(record, report, everything=everything)
        for _, record in outcome.once:
            yield from self._new(record, report, everything=everything)
        count_part(report, outcome, new=report.claims + report.superseded > before)

    def _unrepeated(
        self, outcome: LoadedPart, row: Row, planned: Planned, shape: Shape
    ) -> LoadedPart | Skipped | tuple[RowFault, ...]:
        """The row, unless its key was there before in the same edition; a later edition supersedes."""
        # by edition: the same key in a later one supersedes, and is no repetition
        if shape.repeated == "number":
            return self._shared(outcome, planned)
        name, digest = f"{planned.rank}/{planned.source}/{outcome.key}", row_digest(row)
        known = self._seen.get(name)
        if known is None:
            self._seen.put(name, digest)
            return self._shared(outcome, planned)
        if known == digest and shape.repeated == "skip-identical":
            return Skipped(IDENTICAL)
        return (
            RowFault(
                DUPLICATE, ".".join(shape.key or self._loader.mapping.key), outcome.key, "a key that no other row has"
            ),
        )

    def _shared(self, outcome: LoadedPart, planned: Planned) -> LoadedPart | tuple[RowFault, ...]:
        """Claims of several rows: made by the first, and the same in all."""
        left = []
        for key, record in outcome.once:
            said = {name: value for name, value in record.items() if name != "anchor"}
            digest = hash(orjson.dumps(said, option=orjson.OPT_SORT_KEYS))
            name = f"{planned.rank}/{planned.source}/once/{key}"
            known = self._seen.get(name)
            if known is None:
                self._seen.put(name, digest)
                left.append((key, record))
            elif known != digest:
                return (
                    RowFault(
                        DUPLICATE,
                        key,
                        str((record.get("quantity") or {}).get("value")),
                        "what an earlier row of this key says",
                    ),
                )
        shown = bool(outcome.claims) or bool(left) or not outcome.once
        return replace(outcome, once=left if shown else outcome.once)

    def _new(self, record: LedgerRecord, report: Report, *, everything: bool) -> Iterator[LedgerRecord]:
        """The record with its revision, when the ledger does not hold it."""
        revised = record.copy()
        revised["revision"] = revision_of(record)
        state = self._ledgered.state(record["id"], revised["revision"])
        if record["record"] == "claim":
            self._count_claim(record, state, report)
        elif record["record"] != "rejected":
            report.entities += state == "absent"
        if state in ("absent", "older") or everything:
            yield revised

    def _count_claim(self, record: ClaimRecord, state: str, report: Report) -> None:
        """Count a claim by what it says: a row that moved to another line of the file is no news."""
        is_other = state in ("newer", "older") and not self._ledgered.is_said(record)
        report.clashing += is_other and self._ledgered.is_of_edition(record["id"])
        if state == "absent":
            report.claims += 1
        elif state == "newer":
            report.older += 1
        elif state == "same" or self._ledgered.is_said(record):
            report.same += 1
        else:
            report.superseded += 1

    def _rejections(self, planned: Planned, row: Row, faults: Sequence[RowFault]) -> Iterator[RejectedRecord]:
        prefix, *_ = _rejected_prefixes(self._loader.name, planned, row)
        kept = {str(key)[:200]: _cut(value) for key, value in self._cells(row).items()}
        for position, fault in enumerate(faults, 1):
            record: RejectedRecord = {
                "record": "rejected",
                "id": f"{prefix}{fault.code}{f'-{position}' if position > 1 else ''}",
                "source": self._loader.name,
                "dataset": planned.source,
                "edition": planned.edition.name,
                "file": file_name(planned.path),
                "sha256": planned.sha256,
                "line": row.number,
                "code": fault.code,
                "given": fault.given,
                "expected": fault.expected,
                "row": kept,
            }
            if fault.field is not None:
                record["field"] = fault.field
            if fault.kind is not None:
                record["kind"] = fault.kind
            if fault.candidates:
                record["candidates"] = list(fault.candidates)
            yield record

    def _cells(self, row: Row) -> Json:
        return row.cells if isinstance(row.cells, dict) else dict(zip(self._columns, row.cells, strict=False))

    def _closings(self, identifiers: Iterable[str], report: Report | None = None) -> Iterator[RejectedRecord]:
        """A row that was rejected once and is not any more closes its rejections, which the report counts."""
        for identifier in identifiers:
            if report is not None:
                report.closed += 1
            record: RejectedRecord = {
                "record": "rejected",
                "id": identifier,
                "source": self._loader.name,
                "number": 1,
                "closed": True,
            }
            record["revision"] = revision_of(record)
            yield record

    def _kept(self, program: Program, row: Row, planned: Planned, faults: Sequence[RowFault]) -> Json:
        """What a row refused for its names alone keeps: enough to be read again without its file."""
        if any(fault.code != NAMES for fault in faults):
            return {}
        kept = kept_row(
            row,
            columns=self._columns,
            tabular=self._tabular,
            place=program.place,
            names=program.printed_columns,
        )
        if kept is None:
            return {}
        folder = file_name(planned.path.absolute().parent)
        given = {"mapping": self._loader.given} if self._loader.given else {}
        return {
            "kept": {**kept, "shape": planned.shape, "folder": folder, "edition_date": planned.edition.date, **given}
        }

    def read_again(
        self, planned: Planned, rejections: Sequence[Sequence[RejectedRecord]], report: Report
    ) -> Iterator[LedgerRecord]:
        """The records of rows of a file that were refused, each given by its rejections, from the cells these keep.

        What would be refused again, or has a key that the edition holds by now, stays refused as it stands.
        """
        programs: dict[tuple[str, ...], Program] = {}
        for given in rejections:
            kept = given[0]["kept"]
            columns = tuple(kept["columns"])
            if columns not in programs:
                programs[columns] = self._program(
                    planned,
                    columns,
                    tabular=kept["tabular"],
                    place=place_of,
                    edition_of=None,  # a row of another edition was refused for that, and is not among these
                    number=partial(self._free_number, planned),
                )
            yield from self._row_again(programs[columns], row_of(kept), planned, given, report)

    def _row_again(
        self, program: Program, row: Row, planned: Planned, given: Sequence[RejectedRecord], report: Report
    ) -> Iterator[LedgerRecord]:
        report.read += 1
        outcome, shape = program.run(row), self._loader.mapping.shapes[planned.shape]
        if isinstance(outcome, LoadedPart):
            is_taken = shape.repeated != "number" and self._is_taken(planned, outcome.key)
            outcome = () if is_taken else self._unrepeated(outcome, row, planned, shape)
        if isinstance(outcome, tuple):
            self._things.take_back()
            report.rejected += 1
            return
        yield from self._closings((one["id"] for one in given), report)
        yield from self._taken(outcome, report, everything=False)

    def _free_number(self, planned: Planned, key: str) -> str:
        """What tells a row from those of its key that the edition holds: the rows between which it stood are not at hand."""
        suffix = self._numbered(planned, key)
        while self._is_taken(planned, key + suffix):
            suffix = self._numbered(planned, key)
        return suffix

    def _is_taken(self, planned: Planned, key: str) -> bool:
        """Whether the edition holds claims of a row of this key."""
        prefix = f"{planned.source.split('/', 1)[1]}/{key}."
        names = (name for name, one in self._loader.mapping.claims.items() if not one.once)
        return any(self._ledgered.is_of_edition(prefix + name) for name in names)


def _rejected_prefixes(loader: str, planned: Planned, row: Row) -> list[str]:
    """What the ids of a row's rejections begin with; second, what they began with in earlier versions."""
    names = _names_in_ids(planned.path, planned.edition.name, is_single=planned.single)
    return [f"rejected/{loader}/{name}/{row.number}-" for name in names]


# asked for each row of a file
@lru_cache(maxsize=64)
def _names_in_ids(path: Path, edition: str, *, is_single: bool) -> tuple[str, ...]:
    """The names of a file in the ids of its rejections: one of the same name in another folder is another file.

    In stores of before 28 November 2026 only files of one record each were distinguished by their folders.
    """
    stem = file_stem(path)
    name = stem if edition in stem else f"{stem}.{edition}"
    folder = sha256(os.fsencode("/".join(path.resolve().parts[-4:]))).hexdigest()[:6]
    return tuple(map(slug_of, (f"{name}-{folder}", *(() if is_single else (name,)))))


def _cut(value: Any) -> Any:
    if value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 63):
        return value
    text = str(value)
    return text if len(text) <= limits.ROW_SHOWN else text[: limits.ROW_SHOWN - 1] + "…"
