"""An opened knowledge graph: questions in, rows and results out. This is what `kg.open()` gives.

Opening is cheap when the view is there: no YAML, no validation, one file of compiled content. When it is not there, or
is older than the package or the content, it is built first, under the writer lock.
"""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.ask.question import Question, get_question
from kg.ask.run import ask
from kg.content.folders import Content, find_content
from kg.errors import QueryError, StoreError, UsageError
from kg.graph.lexicon import Lexicon, read_lexicon
from kg.graph.places import default_store, is_made_by, is_server, is_writable, named_store
from kg.stores.oxigraph import GenerationMissing, Generations, OxigraphStore
from kg.stores.protocol import Answer, Language, Store

if TYPE_CHECKING:
    from kg.content.baseline import Accepted
    from kg.content.documents import Document
    from kg.graph.audit import AuditReport, ShownFinding
    from kg.graph.build import Built, Place
    from kg.graph.cite import Citation
    from kg.graph.consequences import Consequences
    from kg.graph.exports import Exported
    from kg.graph.load import Loaded
    from kg.graph.published import PublishedLoad
    from kg.graph.push import Target
    from kg.graph.servers import AskLogin
    from kg.graph.verification import Verification
    from kg.graph.worker import WorkerStore
    from kg.stores.ladybug import LadybugStore
    from kg.trace.compare import Comparison
    from kg.trace.conflicts import Conflicts
    from kg.trace.find import Found
    from kg.trace.origins import OriginsOf
    from kg.trace.show import Shown
    from kg.trace.trace import Trace
    from kg.view.charts import Chart
    from kg.view.scene import Scene

Tell = Callable[[str], None]


def _quiet(_: str) -> None:
    """Say nothing."""


@dataclass(slots=True)
class Graph:
    """One opened generation of the view, with the compiled content that goes with it."""

    folder: Path
    content: Content
    store: Store
    stamp: Mapping[str, Any]
    lexicon: Lexicon
    tell: Tell = _quiet
    _cypher: "LadybugStore | None" = None
    server: "Target | None" = None
    """The server that is read, if it is one."""
    _worker: "WorkerStore | None" = None

    def ask(
        self, name: str, *, limit: int | None = None, language: Language | None = None,
        timeout_seconds: float | None = None, **values: object,
    ) -> Answer:  # fmt: skip
        """The rows of a saved question, in the language of the store or in another that it has; a time-out as in `query`."""
        store = self._timed(self.in_language(language or self.store.language), timeout_seconds)
        question = get_question(self.lexicon.questions, name)
        return ask(store, question, values, limit=limit, timeout_seconds=timeout_seconds)

    def in_language(self, language: Language) -> Store:
        """The store that answers this language; the embedded property graph is built when it is asked for first."""
        if language == self.store.language:
            return self.store
        if not isinstance(self.store, OxigraphStore):
            raise UsageError(
                field="language",
                given=language,
                expected=self.store.language,
                next_step="name another store with --store",
            )
        if self._cypher is None:
            from kg.graph.cypher_view import open_graph_view

            self._cypher = open_graph_view(self.folder, self.content, self.stamp, tell=self.tell)
        return self._cypher

    def questions(self) -> Mapping[str, Question]:
        """All saved questions by name."""
        return self.lexicon.questions

    def query(
        self, text: str, *, language: Language | None = None, parameters: Mapping[str, object] | None = None,
        limit: int | None = None, timeout_seconds: float | None = 60.0,
    ) -> Answer | bytes:  # fmt: skip
        """Rows of any reading query, or N-Triples of a SPARQL query that makes a graph; parameters are for Cypher.

        With a time-out, SPARQL on the embedded store runs in a process beside this one, with a limit of memory and of
        rows; without one it runs in this process, and nothing but its end ends it.
        """
        store = self._timed(self.in_language(language or self.store.language), timeout_seconds)
        return free_query(store, text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)

    def _timed(self, store: Store, timeout_seconds: float | None) -> Store:
        """The store, through a process that can be killed where its engine cannot be stopped."""
        if timeout_seconds is None or not isinstance(store, OxigraphStore) or "generation" not in self.stamp:
            return store
        if self._worker is None:
            from kg.graph.worker import WorkerStore

            self._worker = WorkerStore(self.folder / "rdf" / self.stamp["generation"])
        return self._worker

    def compare(self, a: str, b: str, *, exact: bool = False) -> "Comparison":
        """All claims that compare A with B, in both directions."""
        from kg.trace.compare import compare

        return compare(self.ask, a, b, exact=exact)

    def trace(self, text: str | float) -> "Trace":
        """The provenance of a number, as a text or a number, or of a claim by its id."""
        from kg.trace.trace import trace

        return trace(self.ask, text, self.lexicon.units)

    def find(self, text: str) -> "Found":
        """Entities, claims, sources and questions that match."""
        from kg.trace.find import find

        return find(self.ask, text, self.lexicon.questions)

    def show(self, identifier: str) -> "Shown":
        """All that is known of one entity, claim or source."""
        from kg.trace.show import show

        return show(self.ask, identifier)

    def audit(
        self, *, rules: Sequence[str] = (), sources: Sequence[str] = (), severities: Sequence[str] = ("violation", "warning"),
        baseline: "Mapping[str, Accepted] | None" = None, most: int | None = None,
    ) -> "AuditReport":  # fmt: skip
        """All findings, or the `most` gravest, or those of some codes and sources; what holds and what was not checked."""
        from kg.graph.audit import audit_graph

        return audit_graph(self, rules=rules, sources=sources, severities=severities, baseline=baseline, most=most)

    def findings(self, *names: str) -> "tuple[ShownFinding, ...]":
        """Findings by id, with the calculations behind them."""
        from kg.graph.audit import show_findings

        return show_findings(self, names)

    def conflicts(
        self, asked: str | None = None, *, verdicts: Sequence[str] = ("conflict", "possible-conflict", "explained")
    ) -> "Conflicts":
        """Groups of claims that disagree, about a thing, a metric or anything."""
        from kg.trace.conflicts import find_conflicts

        return find_conflicts(self.ask, asked, verdicts=verdicts)

    def origins(self, claim: str) -> "OriginsOf":
        """How often a claim is said, and by how many who did not have it from one another."""
        from kg.trace.origins import find_origins

        return find_origins(self.ask, claim)

    def impact(self, *claims: str, value: str | None = None, sources: Sequence[str] = ()) -> "Consequences":
        """What follows if claims are wrong; `sources` adds all figures of a text that do not recompute."""
        from kg.graph.consequences import impact_of_claims

        return impact_of_claims(self, claims, value=value, sources=sources)

    def verify(self, claim: str | None = None) -> "Verification":
        """Every ratio claim, or one, against the published results that the graph holds."""
        from kg.content.comparability import read_comparability
        from kg.graph.verification import verify

        return verify(self.ask, read_comparability(self.content), claim)

    def records(self) -> Iterator[dict[str, Any]]:
        """The exchange form: claims, then findings, entities and sources, each sorted by id."""
        from kg.graph.exchange import exchange_records

        return exchange_records(self)

    def export(self, form: str, target: str | os.PathLike[str]) -> "Exported":
        """Write the graph in an exchange form: a file, or a folder (or `.zip`) for the forms of several files."""
        from kg.graph.exports import export

        return export(self, form, Path(target))

    def to_networkx(self, *, types: "tuple[str, ...] | None" = None) -> Any:
        """Claims, entities and sources as a NetworkX graph; `types` keeps the edges of some types only."""
        from kg.graph.network import to_networkx

        return to_networkx(self, types=types)

    def cite(self, identifier: str | None = None) -> "Citation":
        """How to cite a claim, a source, an entity or the whole graph, with the version of the content."""
        from kg.graph.cite import cite

        return cite(self, identifier)

    def document(self, name: str | None, sha256: str | None) -> "Document | None":
        """The attached source text of a digest; None when the reader does not have it."""
        from kg.graph.texts import attached_text

        return attached_text(self.folder, name, sha256)

    def view(self, *words: str, limit: int | None = None) -> "Scene":
        """A picture of what the words ask for (see `kg view`); `to_html()` gives the page."""
        from kg.graph.pictures import picture
        from kg.graph.surroundings import MOST_NODES

        return picture(self, words, limit=MOST_NODES if limit is None else limit)

    def chart(self, name: str, *words: str, form: str = "svg") -> "Chart":
        """A chart as SVG, PNG or an HTML page; `file` holds its bytes. Needs the extra `charts`."""
        from kg.graph.charting import chart

        return chart(self, name, words, form=form)

    def report(self, asked: str, *, form: str = "html", **values: object) -> str:
        """An evidence report of a saved question (with its parameters) or of a claim, as HTML or Markdown."""
        from kg.graph.reporting import report

        return report(self, asked, form=form, values=values)

    def ledger_folder(self) -> Path:
        """The folder of the ledger; one of a server is fetched first, as far as it is not here yet."""
        if self.server is not None:
            from kg.graph.pull import fetch_ledger

            fetch_ledger(self.server, self.folder / "ledger")
        return self.folder / "ledger"

    def is_whole(self) -> bool:
        """Whether the view was made from the ledger as it is."""
        if self.server is not None:
            return self.stamp.get("state") == "ready"
        from kg.ledger.ledger import Ledger

        return bool(self.stamp.get("head") == Ledger(self.folder / "ledger").manifest().head)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()
        if self.server is not None:
            self.server.close()
        if self._cypher is not None:
            self._cypher.close()
            self._cypher = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def _root_and_folder(
    store: str | os.PathLike[str] | None, content: str | os.PathLike[str] | None
) -> tuple[Content, Path]:
    root = find_content(Path(content) if content is not None else None)
    named = named_store(store)
    if named is not None and is_server(named):
        from kg.graph.servers import refuse_writing

        refuse_writing(named)
    return root, Path(named) if named else default_store(root, given_content=content is not None)


def free_query(
    store: Store, text: str, *, parameters: Mapping[str, object] | None = None, limit: int | None = None,
    timeout_seconds: float | None = None,
) -> Answer | bytes:  # fmt: skip
    """What a text that only reads gives on a store; one that does more is refused."""
    try:
        text.encode()
    except UnicodeEncodeError as cause:
        raise QueryError(
            code="query.refused", given=ascii(text[cause.start : cause.end]), expected="a text in Unicode",
            next_step="the terminal gave bytes that are no characters of its encoding: check the locale, or use -f FILE",
        ) from cause  # fmt: skip
    if store.language == "cypher":
        from kg.ask.cypher_guard import check_cypher

        check_cypher(text, parameters or {})
    else:
        from kg.ask.guard import check_read_only

        if check_read_only(text) not in ("SELECT", "ASK"):
            return store.graph(text, timeout_seconds=timeout_seconds)
    return store.select(text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)


def open_graph(
    store: str | os.PathLike[str] | None = None, *, content: str | os.PathLike[str] | None = None,
    wait_seconds: float = 120.0, tell: Tell = _quiet, progress: Callable[[str, int, int], None] | None = None,
    ask_login: "AskLogin | None" = None,
) -> Graph:  # fmt: skip
    """Open the graph, building the embedded view first when it is missing or older than the content.

    `store` is a folder or the address of a server (default: `KG_STORE`, else the user's data directory). `tell` hears
    what is being done; `ask_login` is asked when a server wants a login that the environment does not give.
    """
    named = named_store(store)
    if named is not None and is_server(named):
        from kg.graph.servers import open_server

        served = find_content(Path(content) if content is not None else None)
        return open_server(named, served, served.fingerprint(), ask_login=ask_login, tell=tell)
    root, folder = _root_and_folder(store, content)
    fingerprint = root.fingerprint()
    opened = _open_live(folder, root, fingerprint, tell)
    if opened is not None and not _catch_up(folder, root, opened, tell):
        return opened
    if opened is not None:
        opened = _open_live(folder, root, fingerprint, tell)
        if opened is not None:
            return opened
    if not is_writable(folder):
        temporary = Path(tempfile.mkdtemp(prefix="accelkg-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        tell(f"{folder} cannot be written; using a temporary store at {temporary}")
        _copy_ledger(folder, temporary)
        folder = temporary
    _build(folder, root, fingerprint, wait_seconds=wait_seconds, tell=tell, progress=progress)
    opened = _open_live(folder, root, fingerprint, tell)
    if opened is None:
        raise StoreError(
            code="store.missing",
            path=str(folder),
            given="no view after building it",
            expected="a generation",
            next_step="run kg build",
        )
    return opened


def _copy_ledger(source: Path, target: Path) -> None:
    """What was loaded and attached, for a view that cannot be made where it lies; permissions are not copied."""
    for path in (source / "documents.json", *sorted((source / "ledger").rglob("*"))):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def _catch_up(folder: Path, content: Content, opened: Graph, tell: Tell) -> bool:
    """Make the view again when a load was cut off between ledger and view; while a writer is at it, the view is taken as it is."""
    try:
        manifest = loads((folder / "ledger" / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return False
    if manifest.get("head") == opened.stamp["head"] or not is_writable(folder):
        return False
    from kg.content.entities import read_registry
    from kg.content.vocabulary import read_vocabulary
    from kg.graph.build import Place, build_view
    from kg.ledger.lock import StoreBusy, writer_lock

    try:
        with writer_lock(folder, wait_seconds=0, purpose="build"):
            if not Place(folder).is_current():
                tell("a load was cut off before its view was made; making it now")
                build_view(Place(folder), content, read_vocabulary(content), read_registry(content))
    except StoreBusy:
        return False
    return True


def _open_live(folder: Path, content: Content, fingerprint: str, tell: Tell) -> Graph | None:
    generations = Generations(folder / "rdf")
    for _ in range(5):
        live = generations.current()
        if live is None or not is_made_by(live[1], fingerprint):
            return None
        lexicon = read_lexicon(folder / "lexicon.json", fingerprint)
        if lexicon is None:
            return None
        try:
            return Graph(folder, content, OxigraphStore.open(live[0]), live[1], lexicon, tell)
        except GenerationMissing:
            continue  # a writer moved on and dropped this generation meanwhile; read the pointer again
    return None


def _build(
    folder: Path, content: Content, fingerprint: str, *, wait_seconds: float, tell: Tell,
    progress: Callable[[str, int, int], None] | None,
) -> None:  # fmt: skip
    from kg.graph.build import Place, build_content, silent
    from kg.ledger.lock import writer_lock

    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="build"):
        live = Generations(folder / "rdf").current()
        if live is None or not is_made_by(live[1], fingerprint):
            tell(
                "building the store from the shipped content"
                if live is None
                else "the content has changed; building the store again"
                if live[1].get("fingerprint") != fingerprint
                else "made by another version or other rules of the audit; building the store again"
            )
            _names_again(Place(folder), content, tell)
            build_content(Place(folder), content, progress=progress or silent)


def _names_again(place: "Place", content: Content, tell: Tell) -> None:
    """Names of loaded records that stand for something else since; cheap where nothing was loaded."""
    if all(one.origin == "content" for one in place.ledger.manifest().segments):
        return
    from kg.content.entities import read_registry
    from kg.graph.again import resolve_again, state_of

    before = state_of(place.ledger)
    after = resolve_again(place.ledger, content, read_registry(content))
    for line in after.lines() if after != before else ():
        tell(line)


def rebuild(
    store: str | os.PathLike[str] | None = None, *, content: str | os.PathLike[str] | None = None,
    documents: Path | None = None, wait_seconds: float = 120.0, tell: Tell = _quiet,
    progress: Callable[[str, int, int], None] | None = None,
) -> "tuple[Path, Built]":  # fmt: skip
    """Build the view again from content and loaded segments, whatever its state; positions are checked in `documents`."""
    from kg.content.documents import attach
    from kg.content.entities import read_registry
    from kg.graph.build import Place, build_content, silent
    from kg.ledger.lock import writer_lock

    root, folder = _root_and_folder(store, content)
    texts = {}
    if documents is not None:
        wanted = {
            one["sha256"]: one["document"]
            for one in read_registry(root).sources()
            if "sha256" in one and "document" in one
        }
        texts = attach(documents, wanted)
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="build"):
        _names_again(Place(folder), root, tell)
        return folder, build_content(Place(folder), root, documents=texts, progress=progress or silent)


def load_files(
    files: Sequence[Path], *, store: str | os.PathLike[str] | None, content: str | os.PathLike[str] | None, edition: str,
    dry_run: bool, wait_seconds: float, tell: Tell = _quiet, progress: Callable[[str, int, int], None] | None = None,
    form: str = "claims",
) -> "list[Loaded]":  # fmt: skip
    """Load files of claims, or of RDF with `form`: all of them, or none when one line of one is wrong."""
    from kg.graph.build import silent
    from kg.graph.load import load_all

    with _current_place(store, content, wait_seconds, tell, progress or silent) as (place, root):
        return load_all(place, root, files, edition=edition, form=form, dry_run=dry_run, progress=progress or silent)


def load_source(
    source: str, files: Sequence[Path], *, store: str | os.PathLike[str] | None = None,
    content: str | os.PathLike[str] | None = None, edition: str | None = None, mapping: Path | None = None,
    rejects: Path | None = None, dry_run: bool = False, wait_seconds: float = 120.0, tell: Tell = _quiet,
    progress: Callable[[str, int, int], None] | None = None,
) -> "PublishedLoad":  # fmt: skip
    """Load published files through `loaders/<source>`, or through a mapping that lies anywhere."""
    from kg.graph.build import silent
    from kg.graph.published import load_published, loader_of

    with _current_place(store, content, wait_seconds, tell, progress or silent) as (place, root):
        return load_published(
            place, root, loader_of(root, source, mapping), files, edition=edition, dry_run=dry_run, rejects=rejects,
            progress=progress or silent,
        )  # fmt: skip


@contextmanager
def _current_place(
    store: str | os.PathLike[str] | None, content: str | os.PathLike[str] | None, wait_seconds: float, tell: Tell,
    progress: Callable[[str, int, int], None],
) -> "Iterator[tuple[Place, Content]]":  # fmt: skip
    """A store under its writer lock, with the content that is there now."""
    from kg.graph.build import Place, build_content
    from kg.ledger.lock import writer_lock

    root, folder = _root_and_folder(store, content)
    place = Place(folder)
    with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="load"):
        live = place.rdf.current()
        if live is None or not is_made_by(live[1], root.fingerprint()):
            _names_again(place, root, tell)
            build_content(place, root, progress=progress)
        yield place, root


def delete_store(
    store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None, wait_seconds: float
) -> tuple[Path, ...]:
    """Delete what a store wrote into its folder, loaded data too, and give the files of others that are still there.

    Only a folder with the mark of a store is touched. The mark goes last, so that what was cut off can be done again.
    """
    from kg.graph.cypher_view import graph_generations
    from kg.ledger.lock import writer_lock
    from kg.ledger.mark import LOCK, MARK, check_marked, own_files, own_folders

    _, folder = _root_and_folder(store, content)
    check_marked(folder)
    with writer_lock(folder, wait_seconds=wait_seconds, purpose="reset"):
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


def store_folder(store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None) -> Path:
    """The folder a store option leads to; for a server the one where this machine keeps what belongs to it."""
    named = named_store(store)
    if named is not None and is_server(named):
        from kg.graph.servers import checked_address, server_folder

        return server_folder(checked_address(named))
    return _root_and_folder(store, content)[1]


def ledger_folder(store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None) -> Path:
    """The folder of the ledger a store option leads to; that of a server is fetched first."""
    if not is_server(named_store(store)):
        return store_folder(store, content=content) / "ledger"
    graph = open_graph(store, content=content)
    try:
        return graph.ledger_folder()
    finally:
        graph.close()


def local_folder(store: str | os.PathLike[str] | None, *, content: str | os.PathLike[str] | None) -> Path:
    """The folder of a store that can be written; a server is refused, with what to do instead."""
    return _root_and_folder(store, content)[1]
