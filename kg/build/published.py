"""Loads published files through a mapping: records stream into segments, one manifest makes them live, the view follows.

Rows that are refused become records too (`Ledger.rejected`) and go to a report. A file that cannot be read refuses the
whole command: nothing of it, and nothing of the files next to it, is loaded.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import orjson

from kg.build.build import CONTENT_ORIGIN, Built, Progress, StorePlace, refresh_view, silent
from kg.build.reresolve import resolve_again, without_names
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.references import read_references
from kg.content.resolution import Resolver
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.errors import KgError, Mistakes
from kg.ingest.entities import Things
from kg.ingest.errors import FileMissing, NoEdition, NoShape
from kg.ingest.intake import Intake, Planned, Report, plan_file
from kg.ingest.naming import slug_of
from kg.ingest.sources import Loader, files_of, get_loader, is_named, loader_names, read_loader
from kg.ingest.temporary_table import TemporaryTable
from kg.ledger import durable
from kg.ledger.index import mark
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.segment import SegmentInfo, read_segment, write_segment
from kg.model.exchange_form import PLACE_AND_DAY
from kg.model.ledger_records import CurrentRecord, LedgerRecord, RejectedRecord
from kg.model.recorded import ThingRecord

Json = dict[str, Any]
THINGS_EDITION = "-"
"""The edition of entities that a load makes: below every other, so that a curated record of the same id wins."""


@dataclass(frozen=True, slots=True)
class PublishedLoad:
    """What a load of published files did."""

    files: tuple[Report, ...]
    passed: tuple[str, ...]
    """Files of given folders that no shape takes."""
    records: int
    built: Built | None
    dry_run: bool

    @property
    def rejected(self) -> int:
        """Rows in quarantine."""
        return sum(one.rejected for one in self.files)

    def to_json(self) -> Json:
        """All counts, by file."""
        return {
            "files": [
                {
                    "file": one.path,
                    "shape": one.shape,
                    "edition": one.edition,
                    "source": one.source,
                    "rows": one.read,
                    "loaded": one.loaded,
                    "unchanged": one.unchanged,
                    "skipped": dict(sorted(one.skipped.items())),
                    "rejected": one.rejected,
                    "codes": dict(sorted(one.codes.items())),
                    "remarks": dict(sorted(one.remarks.items())),
                    "corrections": dict(sorted(one.corrections.items())),
                    "unknown_columns": list(one.unknown_columns),
                    "claims": one.claims,
                    "entities": one.entities,
                    "superseded": one.superseded,
                    "same": one.same,
                    "older": one.older,
                    "closed": one.closed,
                }
                for one in self.files
            ],
            "passed": list(self.passed),
            "records": self.records,
            "rejected": self.rejected,
            "dry_run": self.dry_run,
        }


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
class _Held:
    """What the ledger holds, in little memory: by id a number of edition and revision."""

    numbers: TemporaryTable
    editions: dict[str, int]
    mine: int = 0
    content: int = -1
    rejections: dict[str, list[str]] = field(default_factory=dict)

    def state(self, identifier: str, revision: str) -> str:
        """Whether a record is new, held, or held in another form of an earlier or later edition."""
        known = self.numbers.get(identifier)
        if known is None:
            return "absent"
        edition, held = known >> 48, known & ((1 << 48) - 1)
        if held == int(revision[:12], 16):
            return "same" if edition >= self.mine or edition == self.content else "older"
        return "older" if edition <= self.mine else "newer"

    def is_said(self, record: CurrentRecord) -> bool:
        """Whether the claim as it is held says the same, if at another place or day."""
        return self.numbers.get(_SAID + record["id"]) == said_digest(record)

    def open_rejections(self, prefix: str) -> list[str]:
        """Ids of rejections of a row that still stand."""
        return self.rejections.pop(prefix, [])

    def is_of_edition(self, identifier: str) -> bool:
        """Whether the record is held in the edition that is being loaded."""
        known = self.numbers.get(identifier)
        return known is not None and known >> 48 == self.mine


def _held(place: StorePlace, loader: Loader, things: Things, numbers: TemporaryTable, *, ranks: Sequence[str]) -> _Held:
    """Read the ledger once: revisions of all records, the entities it made, open rejections of this loader."""
    ledger = place.ledger
    manifest = without_names(ledger.manifest())
    names = sorted({info.edition for info in manifest.segments} | set(ranks) | {THINGS_EDITION})
    editions = {name: position for position, name in enumerate(names)}
    held = _Held(numbers, editions)
    closed: set[str] = set()
    standing: dict[str, None] = {}
    for info in sorted(manifest.segments, key=lambda one: one.edition):
        rank = editions[info.edition]
        if info.origin == CONTENT_ORIGIN:
            held.content = rank
        for record in read_segment(ledger.segments_folder, info):
            name = record["id"]
            if record["record"] == "rejected" and record["source"] == loader.name:
                if record.get("closed"):
                    closed.add(name)
                else:
                    standing[name] = None
            # one integer instead of two texts: files of millions of rows are held against everything that was loaded
            # before
            number = rank << 48 | int(record["revision"][:12], 16)
            known = numbers.get(name)
            if known is None or known < number:
                numbers.put(name, number)
                if record["record"] == "claim" and info.origin.startswith(f"{loader.name}/"):
                    numbers.put(_SAID + name, said_digest(record))
            if record["record"] == "entity" or record["record"] == "source":
                things.held[name] = record
    for name in standing:
        if name not in closed:
            held.rejections.setdefault(
                name[: name.rindex("/") + 1] + name[name.rindex("/") + 1 :].split("-", 1)[0] + "-", []
            ).append(name)
    return held


def loader_of(content: Content, source: str, mapping: Path | None) -> Loader:
    """The loader of a source, or of a mapping file; such a one is named by its folder or file."""
    if mapping is None:
        return get_loader(content, source, others=("claims", "rdf", "table"))
    name = mapping.resolve().parent.name if mapping.name == "mapping.yaml" else mapping.stem
    return read_loader(mapping, name=slug_of(name))


def load_published(
    place: StorePlace,
    content: Content,
    loader: Loader,
    paths: Sequence[Path],
    *,
    edition: str | None = None,
    dry_run: bool = False,
    rejects: Path | None = None,
    progress: Progress = silent,
) -> PublishedLoad:
    """Load files under the writer lock held by the caller: all of the command or nothing of it."""
    given = {path for path in paths if not path.is_dir()}
    files, passed = files_of(list(paths), loader.mapping)
    planned, strange = _planned(loader, files, given, edition, progress)
    job = _Job(loader, planned, [*passed, *strange])
    (found,) = _load_jobs(place, content, [job], dry_run=dry_run, rejects=rejects, progress=progress)
    return found


def load_folders(
    place: StorePlace,
    content: Content,
    folders: Sequence[Path],
    *,
    edition: str | None = None,
    dry_run: bool = False,
    rejects: Path | None = None,
    progress: Progress = silent,
) -> list[tuple[str, PublishedLoad]]:
    """Load all files of folders that any loader takes, each through its own: one audit and one view for all of them.

    `edition` is the day of the snapshots that carry none. Files that no loader takes are `passed` of the first load.
    """
    jobs = [_Job(loader, []) for loader in (get_loader(content, name) for name in loader_names(content))]
    passed = _assign(jobs, _files_below(folders), edition, progress)
    taken = [job for job in jobs if job.planned]
    if taken:
        taken[0].passed.extend(passed)
    loads = _load_jobs(place, content, taken, dry_run=dry_run, rejects=rejects, progress=progress)
    return [(job.loader.name, one) for job, one in zip(taken, loads, strict=True)]


def _assign(jobs: Sequence["_Job"], files: Sequence[Path], edition: str | None, progress: Progress) -> list[Path]:
    """Give each file to the one job that takes it; those that none takes are returned.

    A file that several take is a mistake: loaded through the wrong mapping its columns would mean something else.
    """
    mistakes: list[KgError] = []
    passed: list[Path] = []
    for position, path in enumerate(files):
        progress(f"looking at {path.name}", position, len(files))
        found, errors = _takers(jobs, path, edition)
        if len(found) == 1:
            found[0][0].planned.append(found[0][1])
        elif found:
            names = ", ".join(job.loader.name for job, _ in found)
            mistakes.append(
                NoShape(
                    path=str(path),
                    given=f"a file that {names} take",
                    expected="one source",
                    next_step="name a folder above it after its source, or load it with kg load SOURCE FILE",
                )
            )
        elif errors:
            mistakes.extend(errors)
        else:
            passed.append(path)
    Mistakes.raise_any(mistakes)
    return passed


def _takers(
    jobs: Sequence["_Job"], path: Path, edition: str | None
) -> tuple[list[tuple["_Job", Planned]], list[KgError]]:
    """The sources that take a file: of several, those after which a folder above it is named; and why a date is missing."""
    found: list[tuple[_Job, Planned]] = []
    errors: list[KgError] = []
    for job in jobs:
        try:
            found.append((job, _plan_dated(job.loader, path, edition)))
        except NoEdition as mistake:
            errors.append(mistake)
        except KgError:  # another form of file, which is another source's
            continue
    if len(found) > 1:
        words = {job.loader.name: set(job.loader.name.split("-")) for job, _ in found}
        shared = set.intersection(*words.values())
        folders = "/".join(path.parts[:-1]).lower()
        named = [one for one in found if any(word in folders for word in words[one[0].loader.name] - shared)]
        found = named if len(named) == 1 else found
    return found, errors


def _files_below(folders: Sequence[Path]) -> list[Path]:
    """Every file of folders, and files that are given as such, each once."""
    found: dict[Path, None] = {}
    for folder in folders:
        if not folder.exists():
            raise FileMissing(path=str(folder), given="no such file or folder", expected="a folder to load from")
        below = sorted(folder.rglob("*")) if folder.is_dir() else [folder]
        found.update((path, None) for path in below if path.is_file() and not path.name.startswith("."))
    return list(found)


def _plan_dated(loader: Loader, path: Path, edition: str | None) -> Planned:
    """What a file is, by its own date; by the given one where it carries none. NoShape where the loader does not take it."""
    if not any(is_named(path, shape.detect) for shape in loader.mapping.shapes.values()):
        raise NoShape(path=str(path), given=path.name, expected="a name that a shape takes")
    try:
        return plan_file(loader, path, None)
    except NoEdition:
        if edition is None:
            raise
        return plan_file(loader, path, edition)


@dataclass(frozen=True, slots=True)
class _Job:
    """The files of one source, and those that nobody takes."""

    loader: Loader
    planned: list[Planned]
    passed: list[Path] = field(default_factory=list)


class _Target(NamedTuple):
    """The segment that files go into; a full one replaces what the origin held in this edition."""

    origin: str
    edition: str
    full: bool


def _load_jobs(
    place: StorePlace,
    content: Content,
    jobs: Sequence[_Job],
    *,
    dry_run: bool,
    rejects: Path | None,
    progress: Progress,
) -> list[PublishedLoad]:
    """Load the files of several sources; names are resolved again and the view is made once, for all of them."""
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    resolver, references = Resolver(registry), read_references(content, vocabulary.units)
    loads: list[PublishedLoad] = []
    with ExitStack() as stack:
        refused = stack.enter_context(_report(rejects)) if rejects is not None else None
        for job in jobs:
            things = Things(registry, resolver, job.loader.name, references)
            loads.append(_load_job(place, job, things, vocabulary, dry_run=dry_run, refused=refused, progress=progress))
    new = sum(one.records for one in loads)
    if dry_run or not loads:
        return loads
    built = follow(place, content, registry, vocabulary, new=new, progress=progress)
    return [replace(one, built=built) for one in loads] if built is not None else loads


def follow(
    place: StorePlace, content: Content, registry: Registry, vocabulary: Vocabulary, *, new: int, progress: Progress
) -> Built | None:
    """Names and view after `new` records came into the ledger; None where the view is as it should be."""
    if new:
        # new entities may give earlier rows their name, and the view must not be built before they have it
        resolve_again(place.ledger, content, registry)
    if new or not place.is_current():
        return refresh_view(place, content, vocabulary, registry, progress=progress, new=new)
    return None


def _load_job(
    place: StorePlace,
    job: _Job,
    things: Things,
    vocabulary: Vocabulary,
    *,
    dry_run: bool,
    refused: Callable[[RejectedRecord], None] | None,
    progress: Progress,
) -> PublishedLoad:
    """The files of one source into the ledger, in one step; no view is made."""
    loader, planned = job.loader, job.planned
    ledger, manifest = place.ledger, place.ledger.manifest()
    reports = {id(one): Report(str(one.path), one.shape, one.edition.name, one.source) for one in planned}
    infos: list[SegmentInfo] = []
    replaced: set[tuple[str, str]] = set()
    with ExitStack() as stack:
        numbers, identities = stack.enter_context(TemporaryTable()), stack.enter_context(TemporaryTable())
        held = _held(place, loader, things, numbers, ranks=[one.rank for one in planned])
        intake = Intake(loader, things, vocabulary, held, seen=identities, progress=progress)
        if refused is not None:
            intake.rejected = refused
        for target, files in _groups(loader, planned).items():
            held.mine = held.editions[target.edition]
            records = _stream(intake, files, reports, everything=target.full)
            made = _counted(records, target) if dry_run else _write_group(ledger, records, target, things.registry)
            infos.extend(made)
            if made and target.full:
                replaced.add((target.origin, target.edition))
        if infos and not dry_run:
            _publish(ledger, manifest, infos, replaced)
    records_written = sum(one.records for one in infos)
    return PublishedLoad(
        tuple(reports[id(one)] for one in planned), tuple(map(str, job.passed)), records_written, None, dry_run
    )


def read_kept_rows(
    place: StorePlace,
    loader: Loader,
    planned: Planned,
    rows: Sequence[Sequence[RejectedRecord]],
    *,
    things: Things,
    vocabulary: Vocabulary,
    progress: Progress = silent,
) -> tuple[Report, list[SegmentInfo]]:
    """Rows that were refused, each given by its rejections, into the ledger next to what their file gave; no view is made."""
    report = Report(planned.path.name, planned.shape, planned.edition.name, planned.source)
    manifest = place.ledger.manifest()
    target = _Target(f"{loader.name}/{planned.source.split('/', 1)[1]}", planned.rank, full=False)
    with TemporaryTable() as numbers, TemporaryTable() as identities:
        held = _held(place, loader, things, numbers, ranks=[planned.rank])
        held.mine = held.editions[target.edition]
        intake = Intake(loader, things, vocabulary, held, seen=identities, progress=progress)
        infos = _write_group(place.ledger, intake.read_again(planned, rows, report), target, things.registry)
        if infos:
            _publish(place.ledger, manifest, infos, set())
    return report, infos


def _planned(
    loader: Loader, files: Sequence[Path], given: set[Path], edition: str | None, progress: Progress
) -> tuple[list[Planned], list[Path]]:
    """What each file is; files of a folder that fit no shape are reported, a file that was named must fit."""
    found: list[Planned] = []
    strange: list[Path] = []
    mistakes: list[KgError] = []
    for position, path in enumerate(files):
        progress(f"looking at {path.name}", position, len(files))
        try:
            found.append(plan_file(loader, path, edition))
        except NoShape as mistake:
            if path in given:
                mistakes.append(mistake)
            else:
                strange.append(path)
        except KgError as mistake:
            mistakes.extend(mistake.errors if isinstance(mistake, Mistakes) else [mistake])
    Mistakes.raise_any(mistakes)
    return found, strange


def _groups(loader: Loader, planned: Sequence[Planned]) -> dict[_Target, list[Planned]]:
    """Files of one source and edition go into one segment; earlier editions first."""
    groups: dict[_Target, list[Planned]] = {}
    for one in sorted(planned, key=lambda each: each.rank):
        origin = f"{loader.name}/{one.source.split('/', 1)[1]}"
        groups.setdefault(_Target(origin, one.rank, one.scope == "full"), []).append(one)
    return groups


def _stream(
    intake: Intake, files: Sequence[Planned], reports: Mapping[int, Report], *, everything: bool
) -> Iterator[LedgerRecord]:
    for one in files:
        yield from intake.records(one, reports[id(one)], everything=everything)


def _counted(records: Iterable[LedgerRecord], target: _Target) -> list[SegmentInfo]:
    """What a trial run would write: one segment that is only counted."""
    count = sum(1 for _ in records)
    return [SegmentInfo("", "", target.origin, target.edition, "partial", 1, "", count)] if count else []


def _write_group(
    ledger: Ledger, records: Iterable[LedgerRecord], target: _Target, registry: Registry
) -> list[SegmentInfo]:
    """Write the segments of a group; a full one holds everything, and is written only when something in it is new."""
    things: list[ThingRecord] = []

    def claims() -> Iterator[LedgerRecord]:
        for record in records:
            if record["record"] == "entity":
                things.append(record)
            else:
                yield record

    stream = claims()
    made: list[SegmentInfo] = []
    first = next(stream, None)
    if first is not None:
        made.append(
            write_segment(
                ledger.segments_folder,
                chain([first], stream),
                origin=target.origin,
                edition=target.edition,
                scope="full" if target.full else "partial",
                registry=registry.digest,
            )
        )
    if things:
        # entities go into a segment of their own: a later full edition retires the claims, not what they are about
        made.append(
            write_segment(
                ledger.segments_folder,
                things,
                origin=f"{target.origin}/things",
                edition=THINGS_EDITION,
                scope="partial",
                registry=registry.digest,
            )
        )
    return made


def _publish(ledger: Ledger, before: Manifest, infos: Sequence[SegmentInfo], replaced: set[tuple[str, str]]) -> None:
    """Make all new segments live in one step."""
    names = {info.name for info in infos}
    kept = tuple(one for one in before.segments if one.name not in names and (one.origin, one.edition) not in replaced)
    after = Manifest((*kept, *infos))
    if set(after.segments) != set(before.segments):
        # segments without a manifest are invisible: a kill up to here leaves the state before the command
        durable.boundary("manifest:before")
        ledger.write_manifest(after)


@contextmanager
def _report(path: Path) -> Iterator[Callable[[RejectedRecord], None]]:
    """A file of rejected rows, JSON Lines or CSV by its ending; it appears when the load is through."""
    pending = durable.hidden_beside(path)
    try:
        with open(pending, "w", encoding="utf-8", newline="") as file:
            yield _writer(file, path.suffix.lower() == ".csv")
        pending.replace(path)
    finally:
        pending.unlink(missing_ok=True)


_COLUMNS = ("file", "line", "field", "code", "given", "expected", "kind", "candidates", "edition", "row")


def _writer(file: IO[str], as_csv: bool) -> Callable[[RejectedRecord], None]:
    if not as_csv:

        def write_line(record: RejectedRecord) -> None:
            file.write(orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE).decode())

        return write_line
    table = csv.writer(file)
    table.writerow(_COLUMNS)

    def write(record: RejectedRecord) -> None:
        fields: Mapping[str, object] = record
        cells = [fields.get(name, "") for name in _COLUMNS]
        table.writerow([_harmless(one if isinstance(one, str | int) else orjson.dumps(one).decode()) for one in cells])

    return write


def _harmless(value: str | int) -> str | int:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
