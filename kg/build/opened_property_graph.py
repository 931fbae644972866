"""Opens the embedded property graph, bringing it up to date with the RDF view first."""

from collections.abc import Callable
from pathlib import Path

from kg.build.build import StorePlace, build_view
from kg.build.property_graph import STAMPED, build_graph_view, graph_generations, is_fresh
from kg.content.entities import read_registry
from kg.content.folders import Content, ContentState
from kg.content.vocabulary import read_vocabulary
from kg.errors import StoreError
from kg.ledger.derived import DerivedDamaged, read_derived
from kg.ledger.ledger import Ledger
from kg.ledger.lock import StoreFull, writer_lock
from kg.model.view_stamp import ViewStamp
from kg.model.waiting import WRITER_SECONDS
from kg.stores.ladybug import GraphMissing, LadybugStore, is_intact
from kg.stores.places import is_writable
from kg.stores.temporary import new_folder


def open_graph_view(
    folder: Path,
    content: Content,
    stamp: ViewStamp,
    *,
    wait_seconds: float = WRITER_SECONDS,
    tell: Callable[[str], None],
) -> LadybugStore:
    """Open the property graph that goes with an RDF view, building it first where it must be."""
    # Another writer may make a new generation between the build and the opening: three attempts, then the error says so.
    for _ in range(3):
        opened = _open_fresh(folder, stamp)
        if opened is not None:
            return opened
        if StorePlace(folder).rdf.current() is None:
            break  # it was deleted meanwhile: holding its lock would make its folder again
        if not is_writable(folder):
            return _open_beside(folder, content, stamp, tell)
        try:
            _bring_up_to_date(folder, content, stamp, wait_seconds=wait_seconds, tell=tell)
        except StoreFull:
            return _open_beside(folder, content, stamp, tell)
    raise StoreError(
        code="store.changed",
        path=str(folder),
        given="a ledger that changes while it is read",
        expected="one state for both views",
        next_step="ask again when the other writer has finished",
    )


def _open_fresh(folder: Path, stamp: ViewStamp) -> LadybugStore | None:
    for _ in range(5):
        live = graph_generations(folder).current()
        if live is None or not is_fresh(live[1], stamp) or not is_intact(*live):
            return None
        try:
            return LadybugStore.open(live[0])
        except GraphMissing:
            continue  # a writer moved on and dropped this generation meanwhile; read the pointer again
    return None


def _bring_up_to_date(
    folder: Path, content: Content, stamp: ViewStamp, *, wait_seconds: float, tell: Callable[[str], None]
) -> None:
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="build"):
        live = graph_generations(folder).current()
        made_meanwhile = _open_fresh(folder, stamp)
        if made_meanwhile is not None:
            made_meanwhile.close()
            return
        rdf = StorePlace(folder).rdf.current()
        if rdf is None or any(rdf[1].get(name) != stamp.get(name) for name in STAMPED):
            raise StoreError(
                code="store.changed",
                path=str(folder),
                given="a view that is newer than the one that was opened",
                expected="one state for both views",
                next_step="ask again",
            )
        # the files may have changed since the view was made, which the ledger still holds as they were
        content = content.noted(ContentState(stamp["fingerprint"], stamp["content"]))
        damaged = live is not None and is_fresh(live[1], stamp)
        tell(
            "building the property graph"
            if live is None
            else f"{live[0]} is damaged; building the property graph again"
            if damaged
            else "bringing the property graph up to date"
        )
        if not _is_complete(folder, stamp):
            build_view(StorePlace(folder), content, read_vocabulary(content), read_registry(content))
        try:
            build_graph_view(folder, content, stamp)
        except DerivedDamaged as error:
            tell(f"{error.path} is damaged; making it again")
            build_view(StorePlace(folder), content, read_vocabulary(content), read_registry(content))
            build_graph_view(folder, content, stamp)


def _is_complete(folder: Path, stamp: ViewStamp) -> bool:
    """Whether the derived set is there, with the advice that older versions did not write."""
    found = read_derived(folder / "ledger" / "derived", stamp["head"], stamp["rules"])
    try:
        if any(one["record"] == "advice" for one in found):
            return True
    except DerivedDamaged:
        return False
    return not any(one["record"] == "claim" for one in Ledger(folder / "ledger").current())


def _open_beside(folder: Path, content: Content, stamp: ViewStamp, tell: Callable[[str], None]) -> LadybugStore:
    """A property graph for a store that cannot be written, in a temporary folder that is deleted when the process ends."""
    temporary = new_folder("graph")
    tell(f"{folder} cannot be written; building the property graph in {temporary}")
    return LadybugStore.open(build_graph_view(folder, content, stamp, into=temporary))
