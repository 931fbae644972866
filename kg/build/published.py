"""Loads published files through a mapping: records stream into segments, one manifest makes them live, the view follows.

Rows that are refused become records too (`Ledger.rejected`) and go to a report. A file that cannot be read refuses the
whole command: nothing of it, and nothing of the files next to it, is loaded.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

import orjson

from kg.build.build import Built, StorePlace, refresh_view
from kg.build.progress import Progress, silent
from kg.build.reresolve import resolve_again
from kg.build.source_jobs import (
    LoadSetting,
    MadeThing,
    SegmentTarget,
    SourceJob,
    TakenSource,
    aside,
    plan_dated,
    read_held,
    write_claims,
    write_things,
)
from kg.build.source_processes import take_sources
from kg.content.entities import Registry
from kg.content.folders import Content, file_name
from kg.content.vocabulary import Vocabulary
from kg.errors import KgError, Mistakes, UsageError
from kg.ingest.entities import Things
from kg.ingest.errors import FileMissing, NoEdition, NoShape
from kg.ingest.intake import Intake
from kg.ingest.load_report import Report
from kg.ingest.naming import file_stem, slug_of
from kg.ingest.opened_file import files_of
from kg.ingest.planned_file import Planned, plan_file
from kg.ingest.sources import Loader, get_loader, loader_names, read_loader
from kg.ingest.temporary_table import TemporaryTable
from kg.ledger import durable
from kg.ledger.edition import is_of
from kg.ledger.segment import SegmentInfo
from kg.model.json_types import Json
from kg.model.ledger_records import RejectedRecord
from kg.model.result import brief


@brief
@dataclass(frozen=True, slots=True)
class PublishedLoad:
    """What a load of published files did."""

    files: tuple[Report, ...]
    passed: tuple[str, ...]
    """Files of given folders that no shape takes."""
    records: int
    built: Built | None
    dry_run: bool
    unfit: Mapping[str, str] = field(default_factory=dict)
    """Those of them that have the name of a shape, with what they lack of it."""

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
                    "warnings": [warning.to_json() for warning in one.warnings],
                    "claims": one.claims,
                    "entities": one.entities,
                    "superseded": one.superseded,
                    "same": one.same,
                    "older": one.older,
                    "clashing": one.clashing,
                    "closed": one.closed,
                }
                for one in self.files
            ],
            "passed": list(self.passed),
            "unfit": dict(sorted(self.unfit.items())),
            "records": self.records,
            "rejected": self.rejected,
            "dry_run": self.dry_run,
        }


def loader_of(content: Content, source: str, mapping: Path | None) -> Loader:
    """The loader of a source, or of a mapping file; such a one is named by its folder or file."""
    if mapping is None:
        return get_loader(content, source, others=("claims", "rdf", "table"))
    name = file_name(mapping.resolve().parent) if mapping.name == "mapping.yaml" else file_stem(mapping)
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
    job = SourceJob(loader, planned, [*passed, *strange], strange)
    (found,) = _load_jobs(place, content, [job], edition=edition, dry_run=dry_run, rejects=rejects, progress=progress)
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
    jobs = [SourceJob(loader, []) for loader in (get_loader(content, name) for name in loader_names(content))]
    passed = _assign(jobs, _files_below(folders), edition, progress)
    taken = [job for job in jobs if job.planned]
    if taken:
        taken[0].passed.extend(passed)
    loads = _load_jobs(place, content, taken, edition=edition, dry_run=dry_run, rejects=rejects, progress=progress)
    return [(job.loader.name, one) for job, one in zip(taken, loads, strict=True)]


def _assign(jobs: Sequence[SourceJob], files: Sequence[Path], edition: str | None, progress: Progress) -> list[Path]:
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
    jobs: Sequence[SourceJob], path: Path, edition: str | None
) -> tuple[list[tuple[SourceJob, Planned]], list[KgError]]:
    """The sources that take a file: of several, those after which a folder above it is named; and why a date is missing."""
    found: list[tuple[SourceJob, Planned]] = []
    errors: list[KgError] = []
    for job in jobs:
        try:
            found.append((job, plan_dated(job.loader, path, edition)))
        except NoEdition as mistake:
            errors.append(mistake)
        except KgError:  # another form of file, which is another source's
            continue
    if len(found) > 1:
        words = {job.loader.name: set(job.loader.name.split("-")) for job, _ in found}
        # Words that all of them have decide nothing, as `mlperf` of mlperf-inference and mlperf-training.
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


def _load_jobs(
    place: StorePlace,
    content: Content,
    jobs: Sequence[SourceJob],
    *,
    edition: str | None,
    dry_run: bool,
    rejects: Path | None,
    progress: Progress,
) -> list[PublishedLoad]:
    """Load the files of several sources, all or none; names are resolved again and the view is made once, for all of them."""
    setting = LoadSetting.of(content)
    _keep_inputs(rejects, (one.path for job in jobs for one in job.planned))
    with ExitStack() as stack:
        refused = stack.enter_context(_report(rejects)) if rejects is not None else None
        taken = take_sources(
            place, content, jobs, setting, edition=edition, dry_run=dry_run, refused=refused, progress=progress
        )
    loads = _published(place, jobs, taken, setting.registry, dry_run=dry_run)
    new = sum(one.records for one in loads)
    if dry_run or not loads:
        return loads
    built = follow(place, content, setting.registry, setting.vocabulary, new=new, progress=progress)
    return [replace(one, built=built) for one in loads] if built is not None else loads


def _published(
    place: StorePlace, jobs: Sequence[SourceJob], taken: Sequence[TakenSource], registry: Registry, *, dry_run: bool
) -> list[PublishedLoad]:
    """What the sources gave into the ledger, in one step; an entity that several sources made is that of the first."""
    known = set[str]()
    infos: list[SegmentInfo] = []
    loads: list[PublishedLoad] = []
    for job, source in zip(jobs, taken, strict=True):
        things = []
        for one in source.things:
            if one.record["id"] in known:
                # Its file made it too, but it is written once.
                source.reports[one.file].entities -= 1
            else:
                known.add(one.record["id"])
                things.append(one)
        infos += source.infos
        infos += [] if dry_run else write_things(place.ledger, things, registry)
        records = sum(one.records for one in source.infos) + len(things)
        unfit = {str(path): why for path, why in job.unfit.items()}
        loads.append(PublishedLoad(source.reports, tuple(map(str, job.passed)), records, None, dry_run, unfit))
    if infos and not dry_run:
        replaced = set[tuple[str, str]]().union(*(source.replaced for source in taken))
        # With an edition go its further loads: they are rows of it that were refused and read again.
        place.ledger.publish(
            infos, without=lambda one: any(one.origin == name and is_of(one.edition, day) for name, day in replaced)
        )
    return loads


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


def read_kept_rows(
    place: StorePlace,
    loader: Loader,
    planned: Planned,
    rows: Sequence[Sequence[RejectedRecord]],
    *,
    things: Things,
    vocabulary: Vocabulary,
    note: Callable[[Sequence[str]], object],
    progress: Progress = silent,
) -> tuple[Report, list[SegmentInfo]]:
    """Rows that were refused, each given by its rejections, into the ledger next to what their file gave; no view is made.

    `note` is given the names of the segments before they count.
    """
    report = Report(planned.path.name, planned.shape, planned.edition.name, planned.source)
    manifest = place.ledger.manifest()
    # Never full: these rows are a part of their file, and the rest of it must not be retired by them.
    target = SegmentTarget(f"{loader.name}/{planned.source.split('/', 1)[1]}", planned.rank, full=False)
    made: list[MadeThing] = []
    with TemporaryTable() as numbers, TemporaryTable() as identities:
        held = read_held(place, loader, things, numbers, ranks=[planned.rank])
        held.load_edition(target.edition)
        intake = Intake(loader, things, vocabulary, held, seen=identities, progress=progress)
        records = aside(intake.read_again(planned, rows, report), 0, target, made)
        infos = write_claims(place.ledger, records, target.after(manifest), things.registry)
        infos += write_things(place.ledger, made, things.registry)
        if infos:
            note([one.name for one in infos])
            place.ledger.publish(infos)
    return report, infos


def _planned(
    loader: Loader, files: Sequence[Path], given: set[Path], edition: str | None, progress: Progress
) -> tuple[list[Planned], dict[Path, str]]:
    """What each file is; files of a folder that fit no shape are reported with why, a file that was named must fit."""
    found: list[Planned] = []
    strange: dict[Path, str] = {}
    mistakes: list[KgError] = []
    for position, path in enumerate(files):
        progress(f"looking at {path.name}", position, len(files))
        try:
            found.append(plan_file(loader, path, edition))
        except NoShape as mistake:
            if path in given:
                mistakes.append(mistake)
            else:
                strange[path] = str(mistake.given)
        except KgError as mistake:
            mistakes.extend(mistake.errors if isinstance(mistake, Mistakes) else [mistake])
    Mistakes.raise_any(mistakes)
    return found, strange


def _keep_inputs(rejects: Path | None, files: Iterable[Path]) -> None:
    """Refuse to write rejected rows over a file that is loaded."""
    if rejects is not None and rejects.exists() and any(rejects.samefile(one) for one in files):
        raise UsageError(
            field="--rejects",
            given=str(rejects),
            expected="another file than those that are loaded: it would be written over",
        )


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
