"""What changes a store: building it, loading into it, deleting it. Each takes the writer lock."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

from kg.ask.lexicon import read_lexicon, write_lexicon
from kg.build.accepted_names import forget_name, note_segments
from kg.build.accepting import RowsReadAgain, give_back, resolve_rows
from kg.build.build import CONTENT_ORIGIN, Built, StorePlace, build_content, build_view, write_content
from kg.build.load import LoadedFile, load_all
from kg.build.locate import content_switch, is_made_by, remembered_content, root_and_folder
from kg.build.mending import complete_manifest, mend
from kg.build.naming import AcceptedName
from kg.build.progress import Progress, silent
from kg.build.property_graph import graph_generations
from kg.build.published import PublishedLoad, load_folders, load_published, loader_of
from kg.build.reresolve import resolve_again, state_of
from kg.content.documents import attach
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.own_folder import content_conflicts
from kg.content.vocabulary import read_vocabulary
from kg.errors import LedgerError
from kg.ledger.edition import edition_day
from kg.ledger.ledger import MANIFEST
from kg.ledger.lock import StoreBusy, StoreFull, writer_lock
from kg.ledger.mark import LOCK, MARK, check_marked, own_files, own_folders, refuse_newer_store
from kg.model.waiting import WRITER_SECONDS
from kg.stores.oxigraph import GenerationMissing, Generations, OxigraphStore
from kg.stores.places import is_writable
from kg.stores.temporary import new_folder

Tell = Callable[[str], None]


class WriteOptions(TypedDict, total=False):
    """The store and content that are written, the seconds to wait for another writer (120), and the functions that get reports."""

    store: str | os.PathLike[str] | None
    content: str | os.PathLike[str] | None
    wait_seconds: float
    tell: Tell
    progress: Progress | None


def _quiet(_: str) -> None:
    """Say nothing."""


def copy_ledger(source: Path, target: Path) -> None:
    """What was loaded and attached, for a view that cannot be made where it lies; permissions are not copied."""
    for path in (source / "documents.json", *sorted((source / "ledger").rglob("*"))):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def make_current(place: StorePlace, content: Content, tell: Tell) -> None:
    """Make the view again where a load was cut off before it; the caller holds the writer lock."""
    complete_manifest(place, tell)
    if not place.is_current():
        tell("a load was cut off before its view was made; making it now")
        content = content.noted()
        build_view(place, content, read_vocabulary(content), read_registry(content))


def catch_up(folder: Path, content: Content, tell: Tell) -> bool:
    """Make the view again after a load was cut off before it; while a writer is at it, the view is taken as it is."""
    try:
        with writer_lock(folder, wait_seconds=0, purpose="build"):
            make_current(StorePlace(folder), content, tell)
    except StoreBusy:
        return False
    except LedgerError as error:
        tell(f"the last load is not in the answers; run kg build. {error}")
        return False
    except (StoreFull, OSError) as error:
        reason = "no space left on the disk" if isinstance(error, StoreFull) else error.strerror
        tell(
            f"the last load is not in the answers: its view could not be made ({reason}); mend that, then run kg build"
        )
        return False
    return True


def build_for_reading(
    folder: Path,
    content: Content,
    *,
    wait_seconds: float,
    tell: Tell,
    progress: Progress | None,
) -> Path:
    """Build the view in the store, or in a temporary one where that cannot be: a reader needs nothing but to read."""
    # a newer version may have written what this one would misread as damage, and mend away
    refuse_newer_store(folder)
    if is_writable(folder):
        try:
            build_if_stale(folder, content, wait_seconds=wait_seconds, tell=tell, progress=progress)
        except StoreFull:
            tell(f"{folder}: no space left on its disk")
        else:
            return folder
    temporary = new_folder("store")
    # a store that is read only (a container image, a course folder) still answers; nothing of it outlives the process
    tell(f"{folder} cannot be written; using a temporary store at {temporary}")
    copy_ledger(folder, temporary)
    build_if_stale(temporary, content, wait_seconds=wait_seconds, tell=tell, progress=progress)
    return temporary


def build_if_stale(
    folder: Path,
    content: Content,
    *,
    wait_seconds: float,
    tell: Tell,
    progress: Progress | None,
) -> None:
    """Build the store, unless another process has done it meanwhile."""
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="build"):
        _make_if_stale(folder, content, tell=tell, progress=progress)


def make_fresh(folder: Path, content: Content, *, tell: Tell, progress: Progress | None = None) -> None:
    """Build the store where content or ledger are newer than its view; the caller holds the writer lock."""
    _make_if_stale(folder, content, tell=tell, progress=progress)
    make_current(StorePlace(folder), content, tell)


def _make_if_stale(folder: Path, content: Content, *, tell: Tell, progress: Progress | None) -> None:
    reason, place = _why_stale(folder, content), StorePlace(folder)
    if reason is not None:
        tell(content_switch(folder, content) or reason)
        # The state of the files before they are read: what changes in the meantime is newer than what is
        # made, and is built again.
        content = content.noted()
        with remembered_content(folder, content):
            mend(place, tell)
            names_again(place, content, tell)
            build_content(place, content, progress=progress or silent)
        tell_conflicts(content, tell)
        return
    live = place.rdf.current()
    if live is not None and read_lexicon(place.lexicon, live[1]["fingerprint"]) is None:
        tell(f"{place.lexicon} is missing or damaged; making it again")
        write_lexicon(place.lexicon, content, read_vocabulary(content), live[1]["fingerprint"])


def tell_conflicts(content: Content, tell: Tell) -> None:
    """Say what a folder of one's own and the shipped content both claim."""
    count = len(content_conflicts(content))
    if count:
        both = (
            "one thing that the shipped content claims too"
            if count == 1
            else f"{count} things that the shipped content claims too"
        )
        tell(f"{content.own} holds {both}, and what is shipped stands; kg content conflicts lists them")


def _why_stale(folder: Path, content: Content) -> str | None:
    """Why the view has to be made again, in words; None where it has not."""
    generations = Generations(folder / "rdf")
    live = generations.current()
    if live is None:
        damage = generations.damage()
        whose = "the shipped content" if content.own is None else f"the shipped content and {content.own}"
        if damage:
            return f"{damage}; building the store again"
        is_there = any((folder / name).exists() for name in ("ledger", "rdf"))
        # a variable that names another place than was meant makes a store there: that is said before all else
        return f"building the store from {whose}" if is_there else f"no store at {folder}: building one from {whose}"
    if not is_made_by(live[1], content):
        changed = live[1].get("content") != content.digest()
        why = "the content has changed" if changed else "made by another version or other rules of the audit"
        return f"{why}; building the store again"
    try:
        # opening is the only test that the files are whole: a stamp says what was written, not what is left
        OxigraphStore.open(live[0]).close()
    except GenerationMissing as error:
        return f"{error.path} is damaged ({error.given}); building the store again"
    return None


def names_again(place: StorePlace, content: Content, tell: Tell) -> None:
    """Names of loaded records that mean something else since; cheap where nothing was loaded."""
    if all(one.origin == CONTENT_ORIGIN for one in place.ledger.manifest().segments):
        return

    before = state_of(place.ledger)
    after = resolve_again(place.ledger, content, read_registry(content))
    for line in after.lines() if after != before else ():
        tell(line)


def rebuild(
    store: str | os.PathLike[str] | None = None,
    *,
    content: str | os.PathLike[str] | None = None,
    documents: Path | None = None,
    on: str | None = None,
    wait_seconds: float = WRITER_SECONDS,
    tell: Tell = _quiet,
    warn: Tell | None = None,
    progress: Progress | None = None,
) -> tuple[Path, Built]:
    """Build the view again from content and loaded segments, regardless of its state; positions are checked in `documents`.

    What a damaged ledger lost is told through `warn`, for who wants to hear of nothing but errors (default: `tell`).
    `on` is the address of a Spark cluster that does the work; without it this process does.
    """
    root, folder = root_and_folder(store, content)
    texts = attach(documents, read_registry(root).texts()) if documents is not None else {}
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="build"), remembered_content(folder, root):
        root = root.noted()
        mend(StorePlace(folder), warn or tell)
        names_again(StorePlace(folder), root, tell)
        tell_conflicts(root, tell)
        if on is not None:
            from kg.build.cluster import build_on_cluster

            place = StorePlace(folder)
            return folder, build_on_cluster(place, root, on, documents=texts, progress=progress or silent)
        return folder, build_content(StorePlace(folder), root, documents=texts, progress=progress or silent)


def load_files(
    files: Sequence[Path],
    *,
    edition: str | None,
    dry_run: bool,
    form: str = "claims",
    **options: Unpack[WriteOptions],
) -> list[LoadedFile]:
    """Load files of claims, or of RDF with `form`: all of them, or none when one line of one is wrong."""
    with _current_place(options) as (place, root, progress):
        return load_all(place, root, files, edition=edition_day(edition), form=form, dry_run=dry_run, progress=progress)


def load_source(
    source: str,
    files: Sequence[Path],
    *,
    edition: str | None = None,
    mapping: Path | None = None,
    rejects: Path | None = None,
    dry_run: bool = False,
    **options: Unpack[WriteOptions],
) -> PublishedLoad:
    """Load published files through `loaders/<source>`, or through a mapping that lies anywhere."""
    with _current_place(options) as (place, root, progress):
        loader = loader_of(root, source, mapping)
        return load_published(
            place,
            root,
            loader,
            files,
            edition=edition_day(edition),
            dry_run=dry_run,
            rejects=rejects,
            progress=progress,
        )


def load_all_sources(
    folders: Sequence[Path],
    *,
    edition: str | None = None,
    rejects: Path | None = None,
    dry_run: bool = False,
    **options: Unpack[WriteOptions],
) -> list[tuple[str, PublishedLoad]]:
    """Load all files of folders that any of `loaders/` takes, with one audit and one view; by the name of the source."""
    with _locked_place(options) as (place, root, progress):
        return load_folders(
            place, root, folders, edition=edition_day(edition), dry_run=dry_run, rejects=rejects, progress=progress
        )


def resolve_refused(name: str, **options: Unpack[WriteOptions]) -> RowsReadAgain:
    """Read again the rows that were refused for a name that is known by now, from what their refusals keep."""
    # the names reported before the rows are read would call for a load that is not needed
    with _locked_place({**options, "tell": _quiet}) as (place, root, progress):
        note = partial(note_segments, name, content=str(root.place))
        found = resolve_rows(place, root, name, note=note, progress=progress)
        for line in state_of(place.ledger).lines():
            options.get("tell", _quiet)(line)
    return found


def refuse_again(back: AcceptedName, **options: Unpack[WriteOptions]) -> int:
    """Take out what the rows of a name gave, after the name was taken back: the number of records that went."""
    with _locked_place(options) as (place, root, progress):
        gone = give_back(place, root, back.segments, progress=progress)
        forget_name(back.name, content=str(root.place))
        return gone


@contextmanager
def _locked_place(
    options: WriteOptions, *, make: Callable[[StorePlace, Content], object] = write_content
) -> Iterator[tuple[StorePlace, Content, Progress]]:
    """A store under its writer lock; its curated content lies in the ledger, its view may be an old one.

    `make` puts content into a store that has other or none: by itself, or with a view.
    """
    root, folder = root_and_folder(options.get("store"), options.get("content"))
    place, tell = StorePlace(folder), options.get("tell", _quiet)
    with writer_lock(folder, wait_seconds=options.get("wait_seconds", WRITER_SECONDS), tell=tell, purpose="load"):
        root, live = root.noted(), place.rdf.current()
        is_lost = not (place.ledger.folder / MANIFEST).is_file()  # then the curated content is in no manifest either
        if is_lost or live is None or not is_made_by(live[1], root):
            mend(place, tell)
            if switch := content_switch(folder, root):
                tell(switch)
            with remembered_content(folder, root):
                names_again(place, root, tell)
                make(place, root)
        else:
            complete_manifest(place, tell)
        yield place, root, options.get("progress") or silent


def _current_place(options: WriteOptions) -> AbstractContextManager[tuple[StorePlace, Content, Progress]]:
    """The same with a view of the content that is there now."""
    return _locked_place(options, make=partial(build_content, progress=options.get("progress") or silent))


def delete_store(
    store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None, wait_seconds: float
) -> tuple[Path, ...]:
    """Delete what a store wrote into its folder, loaded data too, and give the files of others that are still there.

    Only a folder with the mark of a store is touched. The mark goes last, so that what was cut off can be done again.
    """
    _, folder = root_and_folder(store, content)
    check_marked(folder)
    with writer_lock(folder, wait_seconds=wait_seconds, purpose="reset"):
        # views first: they can be made again, should deleting stop half-way
        for view in (Generations(folder / "rdf"), graph_generations(folder)):
            view.remove_all()
        for path in sorted(own_files(folder), key=lambda one: one.name == MARK):
            path.unlink(missing_ok=True)
        for path in own_folders(folder):
            with suppress(OSError):  # something of somebody else is in it
                path.rmdir()
    return tuple(
        one for one in sorted(folder.rglob("*")) if one.name != LOCK and (one.is_symlink() or not one.is_dir())
    )
