"""Reads everything that a store keeps and compares it with what was written: `kg status --verify`. Nothing is changed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.ask.lexicon import check_lexicon
from kg.build.build import StorePlace
from kg.build.locate import check_remembered
from kg.build.property_graph import graph_generations
from kg.build.reresolve import check_names
from kg.content.attached import known_folders
from kg.errors import KgError
from kg.ledger.derived import derived_files, derived_set
from kg.ledger.index import ClaimIndex
from kg.ledger.ledger import MANIFEST, Manifest
from kg.ledger.mark import MARK, check_marked
from kg.ledger.segment import check_digest
from kg.stores.generations import GenerationFolder
from kg.stores.ladybug import is_intact
from kg.stores.oxigraph import OxigraphStore

WHOLE: Final = "whole"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of a store, and whether it is what was written; else what is wrong and what mends it."""

    file: str
    state: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.state == WHOLE


def check_store(folder: Path) -> list[CheckedFile]:
    """Every file of the store that is in use, read to its end."""
    return list(_checked(folder))


def _checked(folder: Path) -> Iterator[CheckedFile]:
    place = StorePlace(folder)
    yield _state(MARK, lambda: check_marked(folder))
    yield _state("ledger/manifest.json", lambda: _manifest(place))
    try:
        manifest = place.ledger.manifest()
    except KgError:
        # Without the list of segments all other files can still be looked at.
        manifest = Manifest()
    for info in manifest.segments:
        yield _state(f"ledger/segments/{info.name}", lambda info=info: check_digest(place.ledger.segments_folder, info))  # type: ignore[misc]
    for name, check in (
        ("content.json", check_remembered),
        ("documents.json", known_folders),
        ("ledger/names.json", check_names),
    ):
        if (folder / name).exists():
            yield _state(name, lambda check=check: check(folder))  # type: ignore[misc]
    yield _state("lexicon.json", lambda: check_lexicon(place.lexicon))
    yield _state("ledger/index.sqlite", lambda: _index(place, manifest))
    yield _state("rdf", lambda: _rdf(place))
    yield _state("ledger/derived", lambda: _derived(place))
    if (folder / "graph").exists():
        yield _state("graph", lambda: _graph(graph_generations(folder)))


def _state(name: str, check: Callable[[], object]) -> CheckedFile:
    """The result of a check, which returns a sentence where something is wrong, or raises a KgError."""
    try:
        found = check()
    except KgError as error:
        return CheckedFile(name, str(error).splitlines()[0])
    except OSError as error:
        return CheckedFile(name, f"out of reach ({error.strerror or error}); run kg build")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return CheckedFile(name, f"damaged ({error}); run kg build")
    return CheckedFile(name, found if isinstance(found, str) else WHOLE)


def _manifest(place: StorePlace) -> str | None:
    place.ledger.manifest()
    return None if (place.ledger.folder / MANIFEST).is_file() else "missing; run kg build"


def _index(place: StorePlace, manifest: Manifest) -> str | None:
    try:
        with closing(ClaimIndex(place.index, only_read=True)) as index:
            stale = index.stamp().get("head") != manifest.head
            wrong = index.first_damage()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return "being written by another process; look again when that has ended"
        return "missing or damaged; the next load or build makes it again"
    return (
        f"damaged ({wrong}); run kg build"
        if wrong
        else "of another state; made again by the next load"
        if stale
        else None
    )


def _rdf(place: StorePlace) -> str | None:
    live = place.rdf.current()
    if live is None:
        return f"{place.rdf.damage() or 'not built'}; run kg build"
    damage = place.rdf.first_damage(live[0])
    if damage is not None:
        return f"{live[0].name}/{damage}; run kg build"
    store = OxigraphStore.open(live[0])
    counted = store.triples()
    store.close()
    return (
        None if counted == live[1].get("triples") else f"{counted:,} triples of {live[1].get('triples')}; run kg build"
    )


def _derived(place: StorePlace) -> str | None:
    live = place.rdf.current()
    if live is None:
        return "not built; run kg build"
    head, rules = live[1]["head"], live[1]["rules"]
    if not derived_files(place.derived, head, rules):
        return "missing or damaged; run kg build"
    for _ in derived_set(place.derived, head, rules):
        pass
    return None


def _graph(generations: GenerationFolder) -> str | None:
    live = generations.current()
    if live is None:
        damage = generations.damage()
        return f"{damage}; made again by the next question in Cypher" if damage else None
    return None if is_intact(*live, whole=True) else f"{live[0].name} is damaged; run kg build"
