"""Rows that were refused for a name, read again when the name is accepted, and given back when it is taken back.

A refusal keeps the cells of its row, so that nobody has to find the file again. What such a row gives goes into segments of
its own: taking the name back takes them out, and the refusals that they closed stand again.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from kg.build.build import StorePlace
from kg.build.progress import Progress, silent
from kg.build.published import follow, read_kept_rows
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.references import read_references
from kg.content.resolution import Resolver
from kg.content.vocabulary import read_vocabulary
from kg.errors import KgError
from kg.ingest.compiled_mapping import CompiledEdition
from kg.ingest.entities import Things
from kg.ingest.errors import NAMES
from kg.ingest.load_report import Report
from kg.ingest.planned_file import Planned
from kg.ingest.sources import STEPS, Loader, get_loader, read_loader
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.segment import SegmentInfo
from kg.model.ledger_records import RejectedRecord
from kg.model.names import name_key


class RowsReadAgain(NamedTuple):
    """What the refused rows of one name gave: a report for each file, and the segments that hold it."""

    reports: tuple[Report, ...]
    segments: tuple[str, ...]


class _RefusedIn(NamedTuple):
    """A file of which rows were refused, as the refusals say it; it need not be there any more."""

    loader: str
    source: str
    edition: str
    day: str | None
    folder: str
    file: str
    sha256: str
    shape: str
    mapping: str
    """The file of the mapping, where it is none of `loaders/`."""


def has_kept_rows(ledger: Path, name: str) -> bool:
    """Whether a row stands refused for this name that can be read again without its file."""
    return bool(_files(Ledger(ledger), name))


def resolve_rows(
    place: StorePlace,
    content: Content,
    name: str,
    *,
    note: Callable[[Sequence[str]], object],
    progress: Progress = silent,
) -> RowsReadAgain:
    """Read again what was refused for a name; the caller holds the writer lock, and the content is that of the ledger.

    `note` is given the names of segments before they count.
    """
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    resolver, references = Resolver(registry), read_references(content, vocabulary.units)
    reports: list[Report] = []
    written: list[SegmentInfo] = []
    for file, rows in sorted(_files(place.ledger, name).items()):
        loader = _loader(content, file)
        if loader is None or file.shape not in loader.mapping.shapes:
            continue
        path, edition = Path(file.folder or ".") / file.file, CompiledEdition(file.edition, file.day)
        # partial: these rows stand next to what the file gave, and retire nothing of it
        planned = Planned(path, file.shape, edition, file.source, file.sha256, "partial")
        things = Things(registry, resolver, loader.name, references)
        report, infos = read_kept_rows(
            place, loader, planned, rows, things=things, vocabulary=vocabulary, note=note, progress=progress
        )
        reports.append(report)
        written += infos
    follow(place, content, registry, vocabulary, new=sum(one.records for one in written), progress=progress)
    return RowsReadAgain(tuple(reports), tuple(one.name for one in written))


def give_back(place: StorePlace, content: Content, segments: Sequence[str], *, progress: Progress = silent) -> int:
    """Take segments out again: the number of records that went. The caller holds the writer lock."""
    before = place.ledger.manifest()
    gone = [one for one in before.segments if one.name in segments]
    if gone:
        # the index first, which would be taken for newer than the manifest and bring them back; the manifest before the
        # view: after a kill between the two the next command makes the view good
        place.index.unlink(missing_ok=True)
        place.ledger.write_manifest(Manifest(tuple(one for one in before.segments if one not in gone)))
        registry, vocabulary = read_registry(content), read_vocabulary(content)
        follow(place, content, registry, vocabulary, new=len(gone), progress=progress)
    return sum(one.records for one in gone)


def _files(ledger: Ledger, name: str) -> dict[_RefusedIn, list[list[RejectedRecord]]]:
    """The rows that stand refused for a name, by file: each with all its rejections."""
    rows: dict[tuple[_RefusedIn, object], list[RejectedRecord]] = defaultdict(list)
    for record in ledger.rejected():
        if record.get("code") == NAMES and (kept := record.get("kept")) is not None:
            file = _RefusedIn(
                record["source"],
                record["dataset"],
                record["edition"],
                kept["edition_date"],
                kept["folder"],
                record["file"],
                record["sha256"],
                kept["shape"],
                kept.get("mapping", ""),
            )
            rows[file, record["line"]].append(record)
    key = name_key(name)
    found: dict[_RefusedIn, list[list[RejectedRecord]]] = defaultdict(list)
    for (file, _), given in rows.items():
        if any(name_key(str(one.get("given", ""))) == key for one in given):
            found[file].append(given)
    return found


def _loader(content: Content, file: _RefusedIn) -> Loader | None:
    """The loader of a source; None where its mapping is gone, and the file has to be loaded again.

    Of a mapping that lies elsewhere no Python is run that nobody asked for now: with steps next to it, it counts as gone.
    """
    path = Path(file.mapping)
    try:
        if not file.mapping:
            return get_loader(content, file.loader)
        return None if path.with_name(STEPS).exists() else read_loader(path, name=file.loader)
    except KgError:
        return None
