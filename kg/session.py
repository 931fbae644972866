"""An opened knowledge graph: questions in, rows and results out. This is what `kg.open()` gives.

Opening is cheap when the view is there: no YAML, no validation, one file of compiled content. When it is not there, or
is older than the package or the content, it is built first, under the writer lock.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from kg.ask.free_query import free_query, language_of
from kg.ask.id_names import with_ids
from kg.ask.lexicon import Lexicon, read_lexicon
from kg.ask.question import Question, get_question
from kg.ask.run import ask
from kg.build.locate import ContentGone, is_made_by, is_readable, root_and_folder
from kg.content.folders import Content, find_content, shipped_content
from kg.errors import StoreError, UsageError
from kg.model.result import present_by
from kg.model.state_file import StateDamaged, StateFile, read_state
from kg.render.display import ResultPresenter
from kg.stores.oxigraph import GenerationMissing, Generations, OxigraphStore
from kg.stores.places import is_server, is_writable, named_store
from kg.stores.protocol import Answer, Language, QueryLanguage, Store

if TYPE_CHECKING:
    from rdflib import Dataset

    from kg.answers.audit import Judged
    from kg.answers.audit_report import AuditReport, ShownFinding
    from kg.answers.check import CheckedText
    from kg.answers.checked_text import TextChecker
    from kg.answers.cite import Citation
    from kg.answers.compare import Comparison
    from kg.answers.comparison_matrix import ComparisonMatrix
    from kg.answers.conflicts import Conflicts
    from kg.answers.find import Found
    from kg.answers.impact import Consequences
    from kg.answers.marked_text import MarkedSource
    from kg.answers.origins import OriginsOf
    from kg.answers.overview import Overview
    from kg.answers.problems import Problems, ProblemStudy
    from kg.answers.published import Restriction
    from kg.answers.referent import Referent, Scope
    from kg.answers.sheet import Sheet
    from kg.answers.show import Shown
    from kg.answers.trace import Trace
    from kg.answers.verification import Verification
    from kg.build.load import LoadedFile
    from kg.build.published import PublishedLoad
    from kg.content.baseline import Accepted
    from kg.content.documents import Document
    from kg.export.formats import Exported
    from kg.export.state_difference import StateDifference
    from kg.reading.text import TextFormat
    from kg.render.charts import Chart
    from kg.render.scene import Scene
    from kg.stores.ladybug import LadybugStore
    from kg.stores.worker_store import WorkerStore
    from kg.sync.push import Pushed, Target
    from kg.sync.servers import AskLogin

Tell = Callable[[str], None]
_MOST_KEPT: Final = 20_000
"""Rows of an answer that is kept for as long as a generation is open."""
present_by(ResultPresenter())  # no answer knows how it is shown


def _quiet(_: str) -> None:
    """Say nothing."""


@dataclass(slots=True, repr=False)
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
    _checker: "TextChecker | None" = None
    _study: "ProblemStudy | None" = None
    _answers: dict[tuple[str, Language], Answer] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Where it is, and what it holds."""
        place = self.folder if self.server is None else self.server
        claims = self.stamp.get("claims")
        return f"<Graph {place}{f': {claims:,} claims' if isinstance(claims, int) else ''}>"

    def __enter__(self) -> Self:
        """`with kg.open() as graph:` closes the store at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(
        self,
        name: str,
        /,
        *,
        limit: int | None = None,
        language: Language | None = None,
        timeout_seconds: float | None = None,
        **values: object,
    ) -> Answer:
        """The rows of a saved question, in the language of the store or in another that it has; a time-out as in `query`.

        Where a parameter takes an id, a name that stands for one thing will do.
        """
        store = self._timed(self.in_language(language or self.store.language), timeout_seconds)
        question = get_question(self.lexicon.questions, name)
        if not question.parameters and limit is None and "generation" in self.stamp:
            return self._unchanging(question, store, timeout_seconds)
        if "names/resolve" in self.lexicon.questions:  # content of one's own may leave it out, and then takes ids only
            values = with_ids(self.ask, question, values)
        return ask(store, question, values, limit=limit, timeout_seconds=timeout_seconds)

    def _unchanging(self, question: Question, store: Store, timeout_seconds: float | None) -> Answer:
        """The rows of a question without parameters: a generation never changes, so it is asked once."""
        key = (question.name, store.language)
        if (answer := self._answers.get(key)) is None:
            answer = ask(store, question, {}, timeout_seconds=timeout_seconds)
            if len(answer.rows) <= _MOST_KEPT:  # a longer answer costs more memory than time
                self._answers[key] = answer
        return answer

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
            from kg.build.opened_property_graph import open_graph_view

            self._cypher = open_graph_view(self.folder, self.content, self.stamp, tell=self.tell)
        return self._cypher

    def question_text(self, name: str, /, *, language: Language = "sparql", **values: object) -> str | None:
        """The whole text of a saved question with its values, to run elsewhere; None where it has none of this language."""
        from kg.ask.bind import bind
        from kg.ask.run import cypher_with_values

        question = get_question(self.lexicon.questions, name)
        given = with_ids(self.ask, question, values) if "names/resolve" in self.lexicon.questions else values
        if language == "sparql":
            return bind(question, given)
        return None if question.cypher is None else cypher_with_values(question, given)

    def questions(self) -> Mapping[str, Question]:
        """All saved questions by name."""
        return self.lexicon.questions

    def query(
        self,
        text: str,
        *,
        language: QueryLanguage | None = None,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = 60.0,
    ) -> Answer | bytes:
        """Rows of any reading query, or N-Triples of a SPARQL query that makes a graph; parameters are for Cypher.

        As in `kg query`: the language is what the first words say, and our prefixes need not be declared.
        With a time-out, SPARQL on the embedded store runs in a process beside this one, with a limit of memory and of
        rows; without one it runs in this process, and nothing but its end ends it. SQL asks the tables of the store.
        """
        if language == "sql":
            return self.sql(text, limit=limit, timeout_seconds=timeout_seconds)
        store = self._timed(self.in_language(language or language_of(text)), timeout_seconds)
        return free_query(store, text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)

    def sql(self, text: str, *, limit: int | None = None, timeout_seconds: float | None = 60.0) -> Answer:
        """Rows of a SELECT over the tables that `kg export duckdb` writes; they are made when they are asked first.

        Needs the extra `tables`.
        """
        from kg.export.opened_tables import open_tables

        if self.server is not None:
            raise UsageError(
                field="language",
                given="sql",
                expected="a store in a folder",
                next_step="kg pull brings a server's here",
            )
        tables = open_tables(self)
        try:
            return tables.select(text, limit=limit, timeout_seconds=timeout_seconds)
        finally:
            tables.close()

    def _timed(self, store: Store, timeout_seconds: float | None) -> Store:
        """The store, through a process that can be killed where its engine cannot be stopped."""
        if timeout_seconds is None or not isinstance(store, OxigraphStore) or "generation" not in self.stamp:
            return store
        if self._worker is None:
            from kg.stores.worker_store import WorkerStore

            self._worker = WorkerStore(self.folder / "rdf" / self.stamp["generation"])
        return self._worker

    def compare(self, a: str, b: str, *, exact: bool = False, within: "Restriction | None" = None) -> "Comparison":
        """All claims that compare A with B, in both directions."""
        from kg.answers.compare import compare

        return compare(self.ask, a, b, exact=exact, within=within)

    def referent(self, *words: str, number_first: bool = False) -> "Referent":
        """What words stand for: a claim, number, source, thing, metric or two things; what every command reads them by."""
        from kg.answers.referent import read_referent

        return read_referent(self.ask, words, self.lexicon.units, number_first=number_first)

    def scope(self, meant: "Referent") -> "Scope":
        """The claims that a referent is about."""
        from kg.answers.referent import scope_of

        return scope_of(self.ask, meant, self.lexicon.units)

    def matrix(self, a: str, b: str) -> "ComparisonMatrix":
        """What is specified of A and of B, metric by metric, with the ratio where both values may be used."""
        from kg.answers.comparison_matrix import comparison_matrix

        return comparison_matrix(self.ask, a, b)

    def trace(self, text: str | float) -> "Trace":
        """The provenance of a number, as a text or a number, or of a claim by its id."""
        from kg.answers.trace import trace

        return trace(self.ask, text, self.lexicon.units)

    def find(self, text: str, *, within: "Restriction | None" = None, published: bool = False) -> "Found":
        """Entities, claims, sources and questions that match; published rows are summed up unless they are asked for."""
        from kg.answers.find import find

        return find(self.ask, text, self.lexicon.questions, within=within, published=published)

    def restriction(self, **parts: Any) -> "Restriction | None":
        """What claims must fit: metrics, phases, models, sources, since; None where nothing is given."""
        from kg.answers.asking import Asker
        from kg.answers.published import read_restriction

        return read_restriction(Asker(self.ask), **parts) or None

    def show(self, identifier: str) -> "Shown":
        """All that is known of one entity, claim or source."""
        from kg.answers.show import show

        return show(self.ask, identifier)

    def specs(self, name: str) -> "Sheet":
        """The spec sheet of a thing, or the values of a metric over all things; an unknown name raises."""
        from kg.answers.sheet import specs

        return specs(self.ask, name)

    def claims(
        self,
        thing: str | None = None,
        *,
        metric: str | None = None,
        source: str | None = None,
        kind: str | None = None,
        verdict: str | None = None,
    ) -> Answer:
        """All claims, or those of a thing (with its family), a metric, a source, a kind or a verdict, one row each.

        `.to_pandas()` and `.to_polars()` make a frame of it. An unknown thing or metric raises.
        """
        from kg.answers.listing import covered_by, list_claims, metric_name

        return list_claims(
            self.records(),
            subjects=None if thing is None else covered_by(self.ask, thing),
            metric=None if metric is None else metric_name(self.ask, metric),
            source=None if source is None else f"source/{source.removeprefix('source/')}",
            kind=kind,
            verdict=verdict,
        )

    def entities(self, kind: str | None = None) -> Answer:
        """All things, or those of a kind such as `accelerator`, one row each."""
        from kg.answers.listing import list_entities

        return list_entities(self.records(), kind)

    def diff(self, before: str | os.PathLike[str], after: str | os.PathLike[str] | None = None) -> "StateDifference":
        """What changed between two states (a store, a file of `kg export jsonl`, `edition:DATE`); `after` is this store."""
        from kg.export.state_difference import compare_states

        later = str(self.folder if after is None else after)
        return compare_states(str(before), later, folder=self.folder, content=str(self.content.root))

    def audit(
        self,
        *,
        rules: Sequence[str] = (),
        sources: Sequence[str] = (),
        severities: Sequence[str] = ("violation", "warning"),
        baseline: "Mapping[str, Accepted] | None" = None,
        most: int | None = None,
        within: "Restriction | None" = None,
    ) -> "AuditReport":
        """All findings, or the `most` gravest, or those of some codes and sources; what holds and what was not checked.

        `within` keeps the findings of which a claim fits.
        """
        from kg.answers.audit_report import audit_graph

        return audit_graph(
            self, rules=rules, sources=sources, severities=severities, baseline=baseline, most=most, within=within
        )

    def problems(
        self,
        judged: "Judged | None" = None,
        *,
        sources: Sequence[str] = (),
        things: Sequence[str] = (),
        scope: "Scope | None" = None,
        within: "Restriction | None" = None,
        published: bool = False,
        most: int | None = None,
    ) -> "Problems":
        """What is wrong, what is right and what falls with it, the most damaging first; `judged` is an audit of the same part.

        Problems of published rows alone are counted, and listed only with `published` or where their source is asked for.
        """
        from kg.answers.problems import problems_of, read_study

        if self._study is None or "generation" not in self.stamp:
            self._study = read_study(self)
        part = judged or self.audit(sources=sources, most=0, within=within).judged
        return problems_of(self, part, self._study, things=things, scope=scope, published=published, most=most)

    def marked_source(self, source: str, *, ranked: Sequence[str] = ()) -> "MarkedSource":
        """A source with every figure that is claimed in it; `ranked` are claims, the most damaging first."""
        from kg.answers.marked_text import marked_source

        rows = list(self.ask("sources/card", source=[source]).dicts())
        digest, name = (str(rows[0][key]) if rows and rows[0][key] else None for key in ("sha256", "document"))
        return marked_source(self.ask, source, self.document(name, digest), ranked=ranked)

    def overview(self) -> "Overview":
        """How many claims there are, and from which sources."""
        from kg.answers.overview import overview

        return overview(self.ask)

    def findings(self, *names: str) -> "tuple[ShownFinding, ...]":
        """Findings by id, with the calculations behind them."""
        from kg.answers.audit_report import show_findings

        return show_findings(self, names)

    def conflicts(
        self,
        asked: str | None = None,
        *,
        verdicts: Sequence[str] = ("conflict", "possible-conflict", "explained"),
        within: "Restriction | None" = None,
        published: bool = False,
    ) -> "Conflicts":
        """Groups of claims that disagree, about a thing, a metric or anything; those of published rows alone on demand."""
        from kg.answers.conflicts import find_conflicts

        return find_conflicts(self.ask, asked, verdicts=verdicts, within=within, published=published)

    def origins(self, claim: str) -> "OriginsOf":
        """How often a claim is said, and by how many who did not have it from one another."""
        from kg.answers.origins import find_origins

        return find_origins(self.ask, claim)

    def impact(self, *claims: str, value: str | None = None, sources: Sequence[str] = ()) -> "Consequences":
        """What follows if claims are wrong; `sources` adds all figures of a text that do not recompute."""
        from kg.answers.impact import impact_of_claims

        return impact_of_claims(self, claims, value=value, sources=sources)

    def verify(self, claim: str | None = None) -> "Verification":
        """Every ratio claim, or one, against the published results that the graph holds."""
        from kg.answers.verification import verify
        from kg.content.comparability import read_comparability

        return verify(self.ask, read_comparability(self.content), claim)

    def check(self, text: "str | os.PathLike[str] | bytes", *, form: "TextFormat | None" = None) -> "CheckedText":
        """Every figure of a text beside what is known, and the text's own arithmetic.

        A path is read as a file (text, Markdown, HTML or PDF); a `str` is the text itself, Markdown unless `form` says more.
        """
        checker = self._text_checker()
        if isinstance(text, str | bytes):
            data = text.encode() if isinstance(text, str) else text
            return checker.check(data, form=form or ("markdown" if isinstance(text, str) else None), name="text")
        return checker.check(Path(text), form=form)

    def _text_checker(self) -> "TextChecker":
        """Made for the first text and kept: names and words of metrics are read once for a generation."""
        if self._checker is None:
            from kg.answers.checked_text import TextChecker

            self._checker = TextChecker(self.ask, self.content)
        return self._checker

    def records(self) -> Iterator[dict[str, Any]]:
        """The exchange form: claims, then findings, entities and sources, each sorted by id."""
        from kg.export.exchange import exchange_records

        return exchange_records(self)

    def export(
        self, form: str, target: str | os.PathLike[str], *, sources: Sequence[str] = (), things: Sequence[str] = ()
    ) -> "Exported":
        """Write the graph, or the part of some sources or things, in an exchange form.

        A file, or a folder (or `.zip`) for the forms of several files.
        """
        from kg.export.formats import export
        from kg.export.part import part_of

        return export(self, form, Path(target), part=part_of(self, sources=sources, things=things))

    def describe(self, *ids: str) -> str:
        """What is stated of claims, things and sources, as Turtle."""
        from kg.export.description import description

        return b"".join(description(self.query, ids)).decode("utf-8")

    def to_networkx(self, *, types: "tuple[str, ...] | None" = None) -> Any:
        """Claims, entities and sources as a NetworkX graph; `types` keeps the edges of some types only."""
        from kg.export.whole_network import to_networkx

        return to_networkx(self, types=types)

    def to_rdflib(self) -> "Dataset":
        """Everything as an rdflib `Dataset` in memory: one named graph for the claims of each source, and three more."""
        from kg.export.rdflib_dataset import to_rdflib

        return to_rdflib(self)

    def cite(self, identifier: str | None = None) -> "Citation":
        """How to cite a claim, a source, an entity or the whole graph, with the version of the content."""
        from kg.answers.cite import cite

        return cite(self, identifier)

    def document(self, name: str | None, sha256: str | None) -> "Document | None":
        """The attached source text of a digest; None when the reader does not have it."""
        from kg.content.attached import attached_text

        own = self.content.own
        return attached_text(self.folder, name, sha256, *([] if own is None else [own / "documents"]))

    def view(self, *words: str, limit: int | None = None) -> "Scene":
        """A picture of what the words ask for (see `kg view`); `to_html()` gives the page."""
        from kg.render.pictures import picture
        from kg.render.surroundings import MOST_NODES

        return picture(self, words, limit=MOST_NODES if limit is None else limit)

    def chart(self, name: str, *words: str, form: str = "svg") -> "Chart":
        """A chart as SVG, PNG or an HTML page; `file` holds its bytes. Needs the extra `charts`."""
        from kg.render.charting import chart

        return chart(self, name, words, form=form)

    def report(self, asked: str, /, *, form: str = "html", **values: object) -> str:
        """An evidence report of a saved question (with its parameters) or of a claim, as HTML or Markdown."""
        from kg.render.reporting import report

        return report(self, asked, form=form, values=values)

    def load(
        self,
        source: str,
        *files: str | os.PathLike[str],
        mapping: str | os.PathLike[str] | None = None,
        edition: str | None = None,
        dry_run: bool = False,
    ) -> "PublishedLoad | tuple[LoadedFile, ...]":
        """Load files as `kg load SOURCE FILE…` does; from then on this graph answers from what the store holds now.

        `source` is a folder of `loaders/`, "table" with a `mapping`, "claims" or "rdf"; the last two load whole or not
        at all, and their editions are days (default: today).
        """
        from kg.build.writing import load_files, load_source

        if self.server is not None:
            raise UsageError(
                given=str(self.server), expected="a store in a folder", next_step="kg push brings it up to date"
            )
        paths = [Path(one) for one in files]
        loaded: PublishedLoad | tuple[LoadedFile, ...]
        if source in ("claims", "rdf"):
            from datetime import date

            day = edition or date.today().isoformat()
            claims = load_files(
                paths,
                store=self.folder,
                content=None,
                edition=day,
                dry_run=dry_run,
                wait_seconds=120.0,
                tell=self.tell,
                form=source,
            )
            loaded = tuple(claims)
        else:
            read_as = None if mapping is None else Path(mapping)
            loaded = load_source(
                source, paths, store=self.folder, edition=edition, mapping=read_as, dry_run=dry_run, tell=self.tell
            )
        self._reopen()
        return loaded

    def _reopen(self) -> None:
        """Answer from the state that the store has now: a generation that is open stays as it was."""
        self.close()
        now = open_graph(self.folder, tell=self.tell)
        self.content, self.store, self.stamp, self.lexicon = now.content, now.store, now.stamp, now.lexicon
        self._checker = None

    def ledger_folder(self) -> Path:
        """The folder of the ledger; one of a server is fetched first, as far as it is not here yet."""
        if self.server is not None:
            from kg.sync.pull import fetch_ledger

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


def open_graph(
    store: str | os.PathLike[str] | None = None,
    *,
    content: str | os.PathLike[str] | None = None,
    wait_seconds: float = 120.0,
    tell: Tell = _quiet,
    progress: Callable[[str, int, int], None] | None = None,
    ask_login: "AskLogin | None" = None,
) -> Graph:
    """Open the graph, building the embedded view first when it is missing or older than the content.

    `store` is a folder or the address of a server (default: `KG_STORE`, else the user's data directory). `tell` hears
    what is being done; `ask_login` is asked when a server wants a login that the environment does not give.
    """
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
    from kg.build.writing import build_for_reading

    folder = build_for_reading(folder, root, wait_seconds=wait_seconds, tell=tell, progress=progress)
    opened = _open_live(folder, root, tell)
    if opened is None:
        raise StoreError(
            code="store.missing",
            path=str(folder),
            given="no view after building it",
            expected="a generation",
            next_step="run kg build",
        )
    return opened


class _Head(StateFile):
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


def open_as_it_is(folder: Path, content: Content, *, tell: Tell = _quiet) -> Graph | None:
    """The live view, whatever content it was made from; None where there is none that this version can read.

    Nothing is built or caught up: for a program that runs on while others write.
    """
    return _open_live(folder, content, tell, is_good=is_readable)


def _open_live(
    folder: Path, content: Content, tell: Tell, *, is_good: Callable[[Mapping[str, Any]], bool] | None = None
) -> Graph | None:
    """The live view if it is good: made from this content where nothing else is asked for."""
    generations = Generations(folder / "rdf")
    for _ in range(5):
        live = generations.current()
        if live is None or not (is_made_by(live[1], content) if is_good is None else is_good(live[1])):
            return None
        lexicon = read_lexicon(folder / "lexicon.json", live[1]["fingerprint"])
        if lexicon is None:
            return None
        try:
            return Graph(folder, content, OxigraphStore.open(live[0]), live[1], lexicon, tell)
        except GenerationMissing:
            continue  # a writer moved on and dropped this generation meanwhile; read the pointer again
    return None


def push(
    target: str,
    *,
    store: str | os.PathLike[str] | None = None,
    content: str | os.PathLike[str] | None = None,
    anew: bool = False,
    wait_seconds: float = 120.0,
    ask_login: "AskLogin | None" = None,
    tell: Tell = _quiet,
    progress: Callable[[str, int, int], None] | None = None,
) -> "Pushed":
    """Bring a server up to date with a local store. With `anew` everything of ours on the server is removed first."""
    from kg.build.build import silent
    from kg.ledger.lock import writer_lock
    from kg.sync.push import push_to
    from kg.sync.servers import open_target

    graph = open_graph(store, content=content, wait_seconds=wait_seconds, tell=tell, progress=progress)
    graph.close()
    with writer_lock(graph.folder, wait_seconds=wait_seconds, tell=tell, purpose="push"):
        graph = open_graph(graph.folder, content=content, wait_seconds=0, tell=tell, progress=progress)
        server = open_target(target, ask_login=ask_login, tell=tell)
        try:
            return push_to(server, graph, anew=anew, tell=tell, progress=progress or silent)
        finally:
            server.close()
            graph.close()
