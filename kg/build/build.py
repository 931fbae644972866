"""From content and loaded segments to a ledger and a live view: the way of the data, in one place.

seeds → records → one full segment of origin *content* → current records → N-Triples with derived keys, findings, chains
and advice → a new generation. Everything runs under the writer lock of the store.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import orjson
from orjson import JSONDecodeError

from kg.__about__ import RULES_VERSION, __version__
from kg.ask.lexicon import write_lexicon
from kg.build.deduction import Background
from kg.build.full_build import WholeView
from kg.build.progress import Progress, silent
from kg.build.property_graph import GraphBuild, follow_graph, graph_in_use
from kg.build.record_changes import NotByDifference
from kg.build.refresh import Refresh
from kg.build.view_difference import ViewDifference
from kg.content.citations import read_citation_lists
from kg.content.claims import read_claims
from kg.content.comparability import read_comparability
from kg.content.documents import Document
from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.references import read_references
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.ledger import durable
from kg.ledger.derived import DerivedDamaged, shall_be_whole, write_difference, write_lines
from kg.ledger.durable import is_full
from kg.ledger.index import FORM, INDEX, ClaimIndex
from kg.ledger.ledger import Ledger, Manifest, with_revision
from kg.model.ledger_records import CurrentRecord
from kg.model.state_file import StateDamaged
from kg.model.view_stamp import ViewStamp
from kg.stores.generations import Switch
from kg.stores.oxigraph import Generations

CONTENT_ORIGIN = "content"


@dataclass(frozen=True, slots=True)
class Built:
    """What a build made, and how long its parts took in seconds."""

    claims: int
    triples: int
    findings: int
    head: str
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StorePlace:
    """The folder of one store: ledger, view, compiled content."""

    folder: Path

    @property
    def ledger(self) -> Ledger:
        """The records."""
        return Ledger(self.folder / "ledger")

    @property
    def rdf(self) -> Generations:
        """The generations of the RDF view."""
        return Generations(self.folder / "rdf")

    def is_current(self) -> bool:
        """Whether the live view was made from the ledger as it is."""
        live = self.rdf.current()
        return live is not None and live[1].get("head") == self.ledger.manifest().head

    @property
    def derived(self) -> Path:
        """The folder of the derived sets."""
        return self.folder / "ledger" / "derived"

    @property
    def index(self) -> Path:
        """The index of what the ledger holds."""
        return self.folder / "ledger" / INDEX

    @property
    def lexicon(self) -> Path:
        """Questions, units and codes, compiled so that a question needs no YAML."""
        return self.folder / "lexicon.json"


def content_records(
    content: Content, documents: Mapping[str, Document] | None = None
) -> tuple[list[CurrentRecord], Registry, Vocabulary]:
    """All records of the shipped content, checked, with revisions: claims first, each sorted by id."""
    registry, vocabulary = read_registry(content), read_vocabulary(content)
    claims = read_claims(content, registry, vocabulary, documents)
    things = [registry.records[name] for name in sorted(registry.records)]
    records: list[CurrentRecord] = [*map(with_revision, claims), *map(with_revision, things)]
    return records, registry, vocabulary


def build_content(
    place: StorePlace, content: Content, *, documents: Mapping[str, Document] | None = None, progress: Progress = silent
) -> Built:
    """Replace the content segment and rebuild the view. The caller holds the writer lock."""
    started = perf_counter()
    progress("reading content", 0, 0)
    registry, vocabulary = write_content(place, content, documents=documents)
    written = perf_counter()
    built = build_view(place, content, vocabulary, registry, progress=progress)
    return Built(
        built.claims,
        built.triples,
        built.findings,
        built.head,
        {"content": written - started, **built.seconds},
    )


def write_content(
    place: StorePlace, content: Content, *, documents: Mapping[str, Document] | None = None
) -> tuple[Registry, Vocabulary]:
    """Replace the content segment; no view is made. The caller holds the writer lock."""
    records, registry, vocabulary = content_records(content, documents)
    place.ledger.add(
        records, origin=CONTENT_ORIGIN, edition=__version__, scope="full", registry=registry.digest, replace=True
    )
    return registry, vocabulary


def build_view(
    place: StorePlace, content: Content, vocabulary: Vocabulary, registry: Registry, *, progress: Progress = silent
) -> Built:
    """A new generation of the RDF view from what the ledger holds now, made from nothing."""
    started = perf_counter()
    manifest = place.ledger.manifest()
    background = read_background(content, vocabulary, registry)
    stamp = view_stamp(content, manifest)
    # before the view: a reader that sees the new view starts from the compiled content of its fingerprint
    write_lexicon(place.lexicon, content, vocabulary, stamp["fingerprint"])
    before = place.rdf.current()
    index = ClaimIndex(place.index, fresh=True)
    view = WholeView(place.ledger, manifest, index, vocabulary, background, progress=progress)
    graph = GraphBuild.start(place.folder, content, stamp) if graph_in_use(place.folder) else None

    def audited() -> None:
        """The derived set is there before a reader can open the view that goes with it; the property graph needs it too."""
        kept = before[1].get("head") if before else None
        write_lines(place.derived, stamp, view.derived_lines(), keep=kept)
        if graph is not None:
            graph.audited()

    def stamp_of(triples: int) -> ViewStamp:
        return index_stamp(stamp, manifest, triples=triples, claims=view.claims, findings=view.findings)

    try:
        place.rdf.build(view.chunks(stamp, audited=audited), stamp, switch=_after_index(index, stamp_of))
    except BaseException:
        # the property graph is made in a process of its own, which would outlive an interrupted build
        if graph is not None:
            graph.stop()
        raise
    finally:
        index.close()
    if graph is not None:
        graph.finish()
    seconds = {"view": perf_counter() - started, "audit": view.audit_seconds}
    return Built(view.claims, live_triples(place), view.findings, manifest.head, seconds)


def _after_index(index: ClaimIndex, stamp_of: Callable[[int], ViewStamp]) -> Switch:
    """Make a view current once its index is on disk.

    A kill between the two leaves an index that is ahead of the view; its stamp then names another view, and the next build
    is made whole. The other way round a load would take an old index for the state of the new view.
    """

    def switch(pointer: Path, chunks: Iterable[bytes]) -> None:
        index.set_stamp(stamp_of(orjson.loads(b"".join(chunks))["triples"]))
        index.commit()
        durable.write_whole(pointer, chunks)

    return switch


def live_triples(place: StorePlace) -> int:
    """How many triples the live view holds."""
    live = place.rdf.current()
    return int(live[1]["triples"]) if live else 0


def view_stamp(content: Content, manifest: Manifest) -> ViewStamp:
    """What a view is made from."""
    return {
        "head": manifest.head,
        "fingerprint": content.fingerprint(),
        "content": content.digest(),
        "version": __version__,
        "rules": RULES_VERSION,
    }


def index_stamp(stamp: ViewStamp, manifest: Manifest, *, triples: int, claims: int, findings: int) -> ViewStamp:
    """What an index belongs to."""
    return {
        **stamp,
        "form": FORM,
        "segments": [one.to_json() for one in manifest.segments],
        "triples": triples,
        "claims": claims,
        "findings": findings,
    }


def refresh_view(
    place: StorePlace,
    content: Content,
    vocabulary: Vocabulary,
    registry: Registry,
    *,
    progress: Progress = silent,
    new: int = 0,
) -> Built:
    """A new generation of the RDF view from what the ledger holds now: by difference where that gives the same.

    Where `new` records are more than the claims that the view holds, it is made from nothing: that takes less time.
    """
    index = ClaimIndex.opened(place.index)
    if index is not None:
        try:
            # a difference takes each record on its own, a whole build all in bulk: with more new than old the latter is done first
            if new > int(index.stamp().get("claims", 0)):
                raise NotByDifference("more is new than old")
            return _by_difference(place, content, vocabulary, registry, index, progress=progress)
        except (
            NotByDifference,
            sqlite3.DatabaseError,
            StateDamaged,
            DerivedDamaged,
            JSONDecodeError,
            UnicodeDecodeError,
            OSError,
            RuntimeError,  # what the engine says of damaged files
        ) as error:
            # from nothing it would need more room still; damage of the index, on the other hand, is mended by it
            if is_full(error):
                raise
        finally:
            index.close()
    return build_view(place, content, vocabulary, registry, progress=progress)


def _by_difference(
    place: StorePlace,
    content: Content,
    vocabulary: Vocabulary,
    registry: Registry,
    index: ClaimIndex,
    *,
    progress: Progress,
) -> Built:
    started = perf_counter()
    manifest, before = place.ledger.manifest(), index.stamp()
    stamp = view_stamp(content, manifest)
    _check_continues(place, stamp, before)
    stamp["fingerprint"] = before["fingerprint"]  # the compiled content belongs to it; times alone differ
    background = read_background(content, vocabulary, registry)
    refresh = Refresh(place.ledger, manifest, index, vocabulary, background, before=before, progress=progress)
    done = refresh.run()
    refresh.meta(stamp)
    audit = perf_counter() - started

    def stamp_of(triples: int) -> ViewStamp:
        return index_stamp(stamp, manifest, triples=triples, claims=done.claims, findings=done.findings)

    switch_view = _after_index(index, stamp_of)

    def switch(pointer: Path, chunks: Iterable[bytes]) -> None:
        # the derived set first, as in a whole build: what a reader of the new view looks up in it has to be there
        _write_derived(place, refresh, done, stamp, before)
        switch_view(pointer, chunks)

    progress("writing the view", 0, 0)
    place.rdf.follow(refresh.apply, stamp, switch=switch)
    follow_graph(place.folder, content, stamp)
    seconds = {"view": perf_counter() - started, "audit": audit}
    return Built(done.claims, live_triples(place), done.findings, manifest.head, seconds)


def _write_derived(
    place: StorePlace, refresh: Refresh, done: ViewDifference, stamp: ViewStamp, before: ViewStamp
) -> None:
    """Write the derived set of a difference: what differs from the set before, or all of it where there are many such sets."""
    if shall_be_whole(place.derived, before):
        write_lines(place.derived, stamp, refresh.derived_lines(), keep=before["head"])
    else:
        write_difference(place.derived, stamp, before["head"], done.lines_gone, done.lines_new, keep=before["head"])


def _check_continues(place: StorePlace, stamp: ViewStamp, before: ViewStamp) -> None:
    """Raise NotByDifference unless the index is that of the live view and only the ledger has changed since.

    Other rules or other content may judge any claim differently: then nothing that was concluded before can be kept.
    """
    live = place.rdf.current()
    if (
        live is None
        or before.get("form") != FORM
        or any(before.get(name) != live[1].get(name) for name in (*stamp, "triples"))
    ):
        raise NotByDifference("the index is not that of the live view")
    # Not the fingerprint: it is of names, sizes and times of files, which differ between two checkouts of equal
    # content.
    if any(before.get(name) != value for name, value in stamp.items() if name not in ("head", "fingerprint")):
        raise NotByDifference("content or rules are others")


def read_background(content: Content, vocabulary: Vocabulary, registry: Registry) -> Background:
    """Read the references and the recorded source links of the content."""
    links = read_citation_lists(content, registry)
    return Background(read_references(content, vocabulary.units), tuple(links), read_comparability(content))
