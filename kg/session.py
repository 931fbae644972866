"""Opening a graph: what `kg.open()` does.

Opening is cheap when the view is there: no YAML, no validation, one file of compiled content. When it is not there, or
is older than the package or the content, it is built first, under the writer lock.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kg.ask.lexicon import read_lexicon
from kg.build.locate import ContentGone, is_made_by, is_readable, root_and_folder
from kg.content.folders import Content, find_content, shipped_content
from kg.errors import StoreError, UsageError, out_of_reach
from kg.model.state_file import StateDamaged, read_state
from kg.model.view_stamp import ViewStamp
from kg.model.waiting import WRITER_SECONDS
from kg.opened_graph import Graph, Tell, quiet
from kg.stores.oxigraph import GenerationMissing, Generations, OxigraphStore
from kg.stores.places import is_server, is_writable, named_store

if TYPE_CHECKING:
    from kg.sync.push import Pushed
    from kg.sync.servers import AskLogin

__all__ = ["Graph", "open_as_it_is", "open_graph", "push"]
_BUILDS: Final = 2
"""Who saves a file every few seconds is answered all the same."""


def open_graph(
    store: str | os.PathLike[str] | None = None,
    *,
    content: str | os.PathLike[str] | None = None,
    wait_seconds: float = WRITER_SECONDS,
    tell: Tell = quiet,
    progress: Callable[[str, int, int], None] | None = None,
    ask_login: "AskLogin | None" = None,
) -> Graph:
    """Open the graph, building the embedded view first when it is missing or older than the content.

    `store` is a folder or the address of a server (default: `KG_STORE`, else the user's data directory). `tell` hears
    what is being done; `ask_login` is asked when a server wants a login that the environment does not give.
    """
    try:
        return _opened(store, content, wait_seconds=wait_seconds, tell=tell, progress=progress, ask_login=ask_login)
    except OSError as cause:  # a folder that the system does not make or show to this user
        from kg.ledger.durable import is_full  # an opening that goes well writes nothing

        raise out_of_reach(cause, is_full=is_full(cause)) from cause


def _opened(
    store: str | os.PathLike[str] | None,
    content: str | os.PathLike[str] | None,
    *,
    wait_seconds: float,
    tell: Tell,
    progress: Callable[[str, int, int], None] | None,
    ask_login: "AskLogin | None",
) -> Graph:
    for name, given in (("store", store), ("content", content)):
        if given is not None and not isinstance(given, str | os.PathLike):
            raise UsageError(field=name, given=type(given).__name__, expected="a path or an address (str or Path)")
    named = named_store(store)
    if named is not None and is_server(named):
        from kg.sync.servers import open_server

        served = find_content(Path(content) if content is not None else None)
        view = open_server(named, served, ask_login=ask_login, tell=tell)
        return Graph(view.folder, served, view.store, view.stamp, view.lexicon, tell, server=view.target)
    try:
        root, folder = root_and_folder(store, content)
    except ContentGone as gone:
        opened = open_as_it_is(gone.folder, shipped_content(), tell=tell)
        if opened is None:
            raise
        tell(f"{gone.folder}: {gone.given}; it is asked as it is")
        return opened
    opened = _open_live(folder, root, tell)
    if opened is not None and not _catch_up(opened, tell):
        return opened
    if opened is not None:
        opened = _open_live(folder, root, tell)
        if opened is not None:
            return opened
    return _built_for_reading(folder, root, wait_seconds=wait_seconds, tell=tell, progress=progress)


def _built_for_reading(
    folder: Path,
    content: Content,
    *,
    wait_seconds: float,
    tell: Tell,
    progress: Callable[[str, int, int], None] | None,
) -> Graph:
    """Build, and open what was built: again where files of the content changed meanwhile, and then as it is."""
    from kg.build.writing import build_for_reading

    built = folder
    for _ in range(_BUILDS):
        built = build_for_reading(folder, content, wait_seconds=wait_seconds, tell=tell, progress=progress)
        opened = _open_live(built, content, tell)
        if opened is not None:
            return opened
    opened = open_as_it_is(built, content, tell=tell)
    if opened is None:
        raise StoreError(
            code="store.missing",
            path=str(built),
            given="no view after building it",
            expected="a generation",
            next_step="run kg build",
        )
    tell("the content changes while the store is built; the answers are those of a moment ago")
    return opened


@dataclass(frozen=True, slots=True)
class _Head:
    """Of a manifest what every opening looks at."""

    head: str


def _catch_up(opened: Graph, tell: Tell) -> bool:
    """Whether the view had to be made again because a load was cut off between ledger and view."""
    try:
        manifest = read_state(opened.folder / "ledger" / "manifest.json", _Head)
    except StateDamaged as error:
        tell(f"{error.path} is damaged; the answers are those of the view that was made last. Run kg build to mend it")
        return False
    if manifest is None or manifest.head == opened.stamp["head"] or not is_writable(opened.folder):
        return False
    from kg.build.writing import catch_up

    return catch_up(opened.folder, opened.content, tell)


def open_as_it_is(folder: Path, content: Content, *, tell: Tell = quiet) -> Graph | None:
    """The live view, made from any content; None where there is none that this version can read.

    Nothing is built or caught up: for a program that runs on while others write.
    """
    return _open_live(folder, content, tell, is_good=is_readable)


def open_what_there_is(store: str | os.PathLike[str] | None, *, tell: Tell = quiet) -> Graph:
    """The live view of a store by its name, as `open_as_it_is` opens it; refused where there is none."""
    try:
        root, folder = root_and_folder(store, None)
    except ContentGone as gone:
        root, folder = shipped_content(), gone.folder
    opened = open_as_it_is(folder, root, tell=tell)
    if opened is None:
        raise StoreError(
            code="store.missing",
            path=str(folder),
            given="no data that this version can read",
            expected="a store that kg build made",
            next_step="run kg build",
        )
    return opened


def _open_live(
    folder: Path, content: Content, tell: Tell, *, is_good: Callable[[ViewStamp], bool] | None = None
) -> Graph | None:
    """The live view if it is good: made from this content where nothing else is asked for."""
    # a program may go to another folder while the graph is open
    folder = folder.absolute()
    generations = Generations(folder / "rdf")
    for _ in range(5):
        live = generations.current()
        if live is None or not (is_made_by(live[1], content) if is_good is None else is_good(live[1])):
            return None
        lexicon = read_lexicon(folder / "lexicon.json", live[1]["fingerprint"])
        if lexicon is None:
            return None
        try:
            store = OxigraphStore.open(live[0])
            return Graph(folder, content, store, live[1], lexicon, tell, reopened=open_graph)
        except GenerationMissing:
            continue  # a writer moved on and dropped this generation meanwhile; read the pointer again
    return None


def push(
    target: str,
    *,
    store: str | os.PathLike[str] | None = None,
    content: str | os.PathLike[str] | None = None,
    anew: bool = False,
    wait_seconds: float = WRITER_SECONDS,
    timeout_seconds: float | None = None,
    ask_login: "AskLogin | None" = None,
    tell: Tell = quiet,
    progress: Callable[[str, int, int], None] | None = None,
) -> "Pushed":
    """Bring a server up to date with a local store. With `anew` everything of ours on the server is removed first.

    A request that the server leaves unanswered for `timeout_seconds` ends the push.
    """
    from kg.build.progress import silent
    from kg.build.writing import make_fresh
    from kg.ledger.lock import writer_lock
    from kg.sync.push import push_to
    from kg.sync.servers import open_target

    graph = open_graph(store, content=content, wait_seconds=wait_seconds, tell=tell, progress=progress)
    graph.close()
    with writer_lock(graph.folder, wait_seconds=wait_seconds, tell=tell, purpose="push"):
        # what changed while the lock was waited for; opening would want the lock that is held here
        with suppress(ContentGone):  # then it is pushed as it is
            root, _ = root_and_folder(graph.folder, content)
            make_fresh(graph.folder, root, tell=tell, progress=progress)
        graph = open_as_it_is(graph.folder, graph.content, tell=tell) or open_graph(
            graph.folder, content=content, wait_seconds=0, tell=tell, progress=progress
        )
        server = open_target(target, ask_login=ask_login, tell=tell, timeout_seconds=timeout_seconds)
        try:
            return push_to(server, graph, anew=anew, tell=tell, progress=progress or silent)
        finally:
            server.close()
            graph.close()
