"""Reads the files of one source into segments that no manifest names yet; `kg.build.published` makes them live.

Each source sees what the ledger held before the command and nothing of the other sources, so that the outcome is the same
in any order and in any number of processes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from kg.build.build import CONTENT_ORIGIN, StorePlace
from kg.build.progress import Progress, silent
from kg.build.reresolve import without_names
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.references import read_references
from kg.content.resolution import Resolver
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.ingest.entities import Things
from kg.ingest.errors import NoEdition, NoShape
from kg.ingest.intake import Intake
from kg.ingest.load_report import Report
from kg.ingest.opened_file import is_named
from kg.ingest.planned_file import Planned, plan_file
from kg.ingest.sources import Loader
from kg.ingest.temporary_table import TemporaryTable
from kg.ledger.edition import behind, is_of
from kg.ledger.index import mark
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.segment import SegmentInfo, read_segment, write_segment
from kg.model.exchange_form import PLACE_AND_DAY
from kg.model.ledger_records import CurrentRecord, LedgerRecord, RejectedRecord
from kg.model.recorded import ThingRecord
from kg.model.reference import References

THINGS_EDITION: Final = "-"
"""The edition of entities that a load makes: below every other, so that a curated record of the same id wins."""


class LoadSetting(NamedTuple):
    """What all sources of a load are read with."""

    registry: Registry
    vocabulary: Vocabulary
    resolver: Resolver
    references: References

    @classmethod
    def of(cls, content: Content) -> "LoadSetting":
        """Read from the content."""
        registry, vocabulary = read_registry(content), read_vocabulary(content)
        return cls(registry, vocabulary, Resolver(registry), read_references(content, vocabulary.units))

    def things(self, loader: str) -> Things:
        """The registry of the load of one source, in which nothing is made yet."""
        return Things(self.registry, self.resolver, loader, self.references)


@dataclass(frozen=True, slots=True)
class SourceJob:
    """The files of one source, and those that nobody takes."""

    loader: Loader
    planned: list[Planned]
    passed: list[Path] = field(default_factory=list)
    unfit: dict[Path, str] = field(default_factory=dict)
    """What those that have the name of a shape lack of it."""

    @property
    def size(self) -> int:
        """The bytes of its files."""
        return sum(one.path.stat().st_size for one in self.planned)


class SegmentTarget(NamedTuple):
    """The segment that files go into; a full one replaces what the origin held in this edition."""

    origin: str
    edition: str
    full: bool

    def after(self, manifest: Manifest) -> "SegmentTarget":
        """Behind the earlier loads of the edition, so that of two that say otherwise the later counts: a corrected file."""
        earlier = (one.edition for one in manifest.segments if one.origin == self.origin)
        return self if self.full else self._replace(edition=behind(self.edition, earlier))


class MadeThing(NamedTuple):
    """An entity that a row made: the place of its file among those of the source, the origin of its segment, the record."""

    file: int
    origin: str
    record: ThingRecord


@dataclass(frozen=True, slots=True)
class TakenSource:
    """What the files of one source gave. Entities wait: another source may have made the same."""

    reports: tuple[Report, ...]
    infos: tuple[SegmentInfo, ...]
    things: tuple[MadeThing, ...]
    replaced: frozenset[tuple[str, str]]
    """Origins and editions whose segments give way to these."""


_DIGITS: Final = 12
"""Of a revision so many hexadecimal digits are compared."""
_OF_REVISIONS: Final = 1 << 4 * _DIGITS
"""One integer holds an edition and a revision: files of millions of rows are held against all that was loaded before."""
_SAID: Final = "said "
"""Before the ids under which a table of numbers has what is said: no id has a space."""


def said_digest(record: CurrentRecord) -> int:
    """A number that is the same for claims that say the same, anywhere and on any day.

    >>> claim = {"metric": "power", "anchor": {"row": 3}, "said_on": "2025-01-01"}
    >>> said_digest(claim) == said_digest({"metric": "power", "anchor": {"row": 4}}) != said_digest({"metric": "cost"})
    True
    """
    said = {name: value for name, value in record.items() if name not in PLACE_AND_DAY}
    return mark(orjson.dumps(said, option=orjson.OPT_SORT_KEYS).decode())


@dataclass(slots=True)
class HeldRecords:
    """What the ledger holds, in little memory: by id a number of edition and revision."""

    numbers: TemporaryTable
    editions: dict[str, int]
    first: int = 0
    """The number of the edition that is being loaded, and that of its latest load."""
    last: int = 0
    content: int = -1
    rejections: dict[str, list[str]] = field(default_factory=dict)

    def load_edition(self, edition: str) -> None:
        """Answer for a load of this edition."""
        numbers = [number for name, number in self.editions.items() if is_of(name, edition)]
        self.first, self.last = min(numbers), max(numbers)

    def state(self, identifier: str, revision: str) -> str:
        """Whether a record is new, held, or held in another form of an earlier or later edition."""
        known = self.numbers.get(identifier)
        if known is None:
            return "absent"
        edition, held = divmod(known, _OF_REVISIONS)
        if held == _number_of(revision):
            # held from an earlier edition it is written again: one between the two that says otherwise must not win
            return "same" if edition >= self.first or edition == self.content else "older"
        return "older" if edition <= self.last else "newer"

    def is_said(self, record: CurrentRecord) -> bool:
        """Whether the claim as it is held says the same, if at another place or day."""
        return self.numbers.get(_SAID + record["id"]) == said_digest(record)

    def open_rejections(self, prefix: str) -> list[str]:
        """Ids of rejections of a row that still stand."""
        return self.rejections.pop(prefix, [])

    def is_of_edition(self, identifier: str) -> bool:
        """Whether the record is held in the edition that is being loaded."""
        known = self.numbers.get(identifier)
        return known is not None and self.first <= known // _OF_REVISIONS <= self.last


def _number_of(revision: str) -> int:
    return int(revision[:_DIGITS], 16)


def read_held(
    place: StorePlace, loader: Loader, things: Things, numbers: TemporaryTable, *, ranks: Sequence[str]
) -> HeldRecords:
    """Read the ledger once: revisions of all records, the entities it made, open rejections of this loader."""
    ledger = place.ledger
    manifest = without_names(ledger.manifest())
    names = sorted({info.edition for info in manifest.segments} | set(ranks) | {THINGS_EDITION})
    editions = {name: position for position, name in enumerate(names)}
    held = HeldRecords(numbers, editions)
    refused = _Refusals(loader.name)
    # By edition, so that of a thing that several loads made the latest form is kept.
    for info in sorted(manifest.segments, key=lambda one: one.edition):
        rank = editions[info.edition]
        if info.origin == CONTENT_ORIGIN:
            held.content = rank
        for record in read_segment(ledger.segments_folder, info):
            name = record["id"]
            if record["record"] == "rejected":
                refused.note(record)
            number = rank * _OF_REVISIONS + _number_of(record["revision"])
            known = numbers.get(name)
            if known is None or known < number:
                numbers.put(name, number)
                # Only the claims of this loader are compared with what was said; nothing is kept of all others.
                if record["record"] == "claim" and info.origin.startswith(f"{loader.name}/"):
                    numbers.put(_SAID + name, said_digest(record))
            if record["record"] == "entity" or record["record"] == "source":
                things.held[name] = record
    held.rejections = refused.by_row()
    return held


class _Refusals:
    """Which refusals of rows of one loader are still open: one that is closed later is a record of the same id."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._made: dict[str, None] = {}

    def note(self, record: RejectedRecord) -> None:
        """Take in a refusal or the end of one; those of other loaders are passed over."""
        if record["source"] != self._source:
            return
        if record.get("closed"):
            self._made.pop(record["id"], None)
        else:  # an earlier form of the file may be loaded again, and with it the refusal
            self._made[record["id"]] = None

    def by_row(self) -> dict[str, list[str]]:
        """The open ones by what the ids of one row begin with: a row has a refusal for each of its faults."""
        found: dict[str, list[str]] = {}
        for name in self._made:
            file, _, fault = name.rpartition("/")
            found.setdefault(f"{file}/{fault.split('-', 1)[0]}-", []).append(name)
        return found


def plan_dated(loader: Loader, path: Path, edition: str | None) -> Planned:
    """What a file is, by its own date; by the given one where it carries none. NoShape where the loader does not take it."""
    if not any(is_named(path, shape.detect) for shape in loader.mapping.shapes.values()):
        raise NoShape(path=str(path), given=path.name, expected="a name that a shape takes")
    try:
        return plan_file(loader, path, None)
    except NoEdition:
        if edition is None:
            raise
        return plan_file(loader, path, edition)


def take_source(
    place: StorePlace,
    job: SourceJob,
    setting: LoadSetting,
    *,
    dry_run: bool,
    refused: Callable[[RejectedRecord], None] | None = None,
    progress: Progress = silent,
) -> TakenSource:
    """The files of one source into segments; `refused` hears of each rejected row."""
    loader, planned = job.loader, job.planned
    reports = [Report(str(one.path), one.shape, one.edition.name, one.source) for one in planned]
    places = {id(one): number for number, one in enumerate(planned)}
    infos: list[SegmentInfo] = []
    made: list[MadeThing] = []
    replaced: set[tuple[str, str]] = set()
    things = setting.things(loader.name)
    manifest = place.ledger.manifest()
    with TemporaryTable() as numbers, TemporaryTable() as identities:
        held = read_held(place, loader, things, numbers, ranks=[one.rank for one in planned])
        intake = Intake(loader, things, setting.vocabulary, held, seen=identities, progress=progress)
        if refused is not None:
            intake.rejected = refused
        for target, files in targets_of(loader, planned).items():
            held.load_edition(target.edition)
            before = len(made)
            behind_earlier = target.after(manifest)
            records = _claims_of(intake, [(places[id(one)], one) for one in files], reports, target, made)
            if dry_run:
                written = _counted(records, behind_earlier)
            else:
                written = write_claims(place.ledger, records, behind_earlier, setting.registry)
            infos.extend(written)
            if target.full and (written or len(made) > before):
                replaced.add((target.origin, target.edition))
    return TakenSource(tuple(reports), tuple(infos), tuple(made), frozenset(replaced))


def targets_of(loader: Loader, planned: Sequence[Planned]) -> dict[SegmentTarget, list[Planned]]:
    """Files of one source and edition go into one segment; earlier editions first."""
    groups: dict[SegmentTarget, list[Planned]] = {}
    for one in sorted(planned, key=lambda each: each.rank):
        origin = f"{loader.name}/{one.source.split('/', 1)[1]}"
        groups.setdefault(SegmentTarget(origin, one.rank, one.scope == "full"), []).append(one)
    return groups


def _claims_of(
    intake: Intake,
    files: Iterable[tuple[int, Planned]],
    reports: Sequence[Report],
    target: SegmentTarget,
    made: list[MadeThing],
) -> Iterator[LedgerRecord]:
    """The records of files but for the entities, which are put aside."""
    for number, planned in files:
        records = intake.records(planned, reports[number], everything=target.full)
        yield from aside(records, number, target, made)


def aside(
    records: Iterable[LedgerRecord], file: int, target: SegmentTarget, made: list[MadeThing]
) -> Iterator[LedgerRecord]:
    """The records but for the entities, which are put among those that were made."""
    for record in records:
        if record["record"] == "entity":
            made.append(MadeThing(file, target.origin, record))
        else:
            yield record


def _counted(records: Iterable[LedgerRecord], target: SegmentTarget) -> list[SegmentInfo]:
    """What a trial run would write: one segment that is only counted."""
    count = sum(1 for _ in records)
    return [SegmentInfo("", "", target.origin, target.edition, "partial", 1, "", count)] if count else []


def write_claims(
    ledger: Ledger, records: Iterable[LedgerRecord], target: SegmentTarget, registry: Registry
) -> list[SegmentInfo]:
    """Write the segment of a group; a full one holds everything, and is written only when something in it is new."""
    stream = iter(records)
    first = next(stream, None)
    if first is None:
        return []
    return [
        write_segment(
            ledger.segments_folder,
            chain([first], stream),
            origin=target.origin,
            edition=target.edition,
            scope="full" if target.full else "partial",
            registry=registry.digest,
        )
    ]


def write_things(ledger: Ledger, things: Iterable[MadeThing], registry: Registry) -> list[SegmentInfo]:
    """Write entities into segments of their own: a later full edition retires the claims, not what they are about."""
    by_origin: dict[str, list[ThingRecord]] = {}
    for one in things:
        by_origin.setdefault(one.origin, []).append(one.record)
    return [
        write_segment(
            ledger.segments_folder,
            records,
            origin=f"{origin}/things",
            edition=THINGS_EDITION,
            scope="partial",
            registry=registry.digest,
        )
        for origin, records in by_origin.items()
    ]
