"""One opened generation of a graph: its stores, its saved questions and free queries, and all that it answers."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, Self, get_args

from kg.ask.bind import MOST_ROWS, checked_limit, checked_path, checked_seconds, checked_words
from kg.ask.free_query import check_unicode, free_query, language_of
from kg.ask.id_names import with_ids, with_metrics
from kg.ask.lexicon import Lexicon
from kg.ask.question import Question, get_question
from kg.ask.run import ask
from kg.content.folders import Content
from kg.errors import UsageError
from kg.model.result import present_by
from kg.model.view_stamp import ViewStamp
from kg.render.display import ResultPresenter
from kg.render.graph_outputs import GraphOutputs
from kg.stores.closed import ClosedStore
from kg.stores.oxigraph import OxigraphStore
from kg.stores.protocol import Answer, Language, QueryLanguage, Store

if TYPE_CHECKING:
    from kg.answers.checked_text import TextChecker
    from kg.answers.problems import ProblemStudy
    from kg.build.load import LoadedFile
    from kg.build.published import PublishedLoad
    from kg.content.documents import Document
    from kg.export.state_difference import StateDifference
    from kg.stores.ladybug import LadybugStore
    from kg.stores.worker_store import WorkerStore
    from kg.sync.push import Target

Tell = Callable[[str], None]
_MOST_KEPT: Final = 20_000
"""Rows of an answer that is kept for as long as a generation is open."""
present_by(ResultPresenter())  # no answer knows how it is shown


def quiet(_: str) -> None:
    """Say nothing."""


@dataclass(slots=True, repr=False)
class Graph(GraphOutputs):
    """One opened generation of the view, with the compiled content that goes with it."""

    folder: Path
    content: Content
    store: Store
    stamp: ViewStamp
    lexicon: Lexicon
    tell: Tell = quiet
    _cypher: "LadybugStore | None" = None
    server: "Target | None" = None
    """The server that is read, if it is one."""
    reopened: "Callable[..., Graph] | None" = None
    """Opens the store again, after a load."""
    _worker: "WorkerStore | None" = None
    _checker: "TextChecker | None" = None
    _study: "ProblemStudy | None" = None
    _answers: dict[tuple[str, Language], Answer] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)

    def __repr__(self) -> str:
        """Where it is, and what it holds."""
        place = self.folder if self.server is None else self.server
        claims = self.stamp.get("claims")
        return f"<Graph {place}{f': {claims:,} claims' if isinstance(claims, int) else ''}>"

    def __reduce__(self) -> NoReturn:
        """A copy would share files and processes, and `close()` of one would end both."""
        raise TypeError(f"{self!r} is not copied or pickled: open it once more with kg.open(), in each process")

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

        Where a parameter takes an id, a name that stands for one thing will do. A question in plain words is answered as on the
        command line; words that mean no saved question for certain raise `UnsureQuestion`, which lists what may be meant.
        """
        timeout_seconds = checked_seconds(timeout_seconds)
        if " " in checked_words(name, "question").strip():
            return self._in_words(name, values, limit, language=language, timeout_seconds=timeout_seconds)
        store = self._timed(self.in_language(language or self.store.language), timeout_seconds)
        question = get_question(self.lexicon.questions, name)
        if not values and limit is None and "generation" in self.stamp:
            return self._unchanging(question, store, timeout_seconds)
        values = self._known_by_id(question, values)
        return ask(store, question, values, limit=limit, timeout_seconds=timeout_seconds)

    def _in_words(
        self,
        text: str,
        values: Mapping[str, object],
        limit: int | None,
        *,
        language: Language | None,
        timeout_seconds: float | None,
    ) -> Answer:
        """The rows of the saved question that plain words mean, narrowed to what they name."""
        from kg.answers.worded_question import QuestionRows

        rows = QuestionRows(self.ask, limit=limit, language=language, timeout_seconds=timeout_seconds)
        taken = self.readings(text, rows)[0]
        self.tell(f"asked: {taken.command}")
        return rows.of(taken.question, {**taken.values, **values}, taken.filters)

    def _unchanging(self, question: Question, store: Store, timeout_seconds: float | None) -> Answer:
        """The rows of a question that is given no values: a generation never changes, so it is asked once."""
        key = (question.name, store.language)
        if (answer := self._answers.get(key)) is None:
            answer = ask(store, question, {}, timeout_seconds=timeout_seconds)
            if len(answer.rows) <= _MOST_KEPT:  # a longer answer costs more memory than time
                self._answers[key] = answer
        return answer

    def in_language(self, language: Language) -> Store:
        """The store that answers this language; the embedded property graph is built when it is asked for first."""
        self.check_open()
        if language not in get_args(Language):
            raise UsageError(field="language", given=str(language), expected=", ".join(get_args(Language)))
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

        question = get_question(self.lexicon.questions, checked_words(name, "question"))
        given = self._known_by_id(question, values)
        if language == "sparql":
            return bind(question, given)
        return None if question.cypher is None else cypher_with_values(question, given)

    def _known_by_id(self, question: Question, values: dict[str, object]) -> dict[str, object]:
        """The values with ids for names; content of one's own may leave the questions about names out, and then takes ids only."""
        known = self.lexicon.questions
        if "names/metric" in known:
            values = with_metrics(self.ask, question, values)
        return with_ids(self.ask, question, values) if "names/resolve" in known else values

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
        limit, timeout_seconds = _checked(text, limit, timeout_seconds)
        store = self._timed(self.in_language(language or language_of(text)), timeout_seconds)
        return free_query(store, text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)

    def sql(self, text: str, *, limit: int | None = None, timeout_seconds: float | None = 60.0) -> Answer:
        """Rows of a SELECT over the tables that `kg export duckdb` writes; they are made when they are asked first.

        Needs the extra `tables`.
        """
        from kg.export.opened_tables import ask_tables

        limit, timeout_seconds = _checked(text, limit, timeout_seconds)
        check_unicode(text)
        self.check_open()
        if self.server is not None:
            raise UsageError(
                field="language",
                given="sql",
                expected="a store in a folder",
                next_step="kg pull brings a server's here",
            )
        return ask_tables(self, text, limit=limit, timeout_seconds=timeout_seconds)

    def ends_with_its_process(self) -> None:
        """From here on the process has a deadline of its own, and questions need none."""
        if isinstance(self.store, OxigraphStore):
            self.store.timeout_seconds = None

    def _timed(self, store: Store, timeout_seconds: float | None) -> Store:
        """The store, through a process that can be killed where its engine cannot be stopped."""
        if timeout_seconds is None or not isinstance(store, OxigraphStore) or "generation" not in self.stamp:
            return store
        if self._worker is None:
            from kg.stores.worker_store import WorkerStore

            self._worker = WorkerStore(self.folder / "rdf" / self.stamp["generation"])
        return self._worker

    def diff(self, before: str | os.PathLike[str], after: str | os.PathLike[str] | None = None) -> "StateDifference":
        """What changed between two states (a store, a file of `kg export jsonl`, `edition:DATE`); `after` is this store."""
        from kg.export.state_difference import compare_states

        self.check_open()
        later = str(self.folder if after is None else after)
        return compare_states(str(before), later, folder=self.folder, content=str(self.content.root))

    def document(self, name: str | None, sha256: str | None) -> "Document | None":
        """The attached source text of a digest; None when the reader does not have it."""
        from kg.content.attached import attached_text

        self.check_open()
        own = self.content.own
        more = [] if own is None else [own / "documents"]
        return attached_text(self.folder, name, sha256, *more, tell=self._tell_once)

    def _tell_once(self, remark: str) -> None:
        """Show a remark once, though every claim raises it."""
        if remark not in self._told:
            self._told.add(remark)
            self.tell(remark)

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

        self.check_open()
        if self.server is not None:
            raise UsageError(
                given=str(self.server), expected="a store in a folder", next_step="kg push brings it up to date"
            )
        source, paths = checked_words(source, "source"), [checked_path(one, "file") for one in files]
        loaded: PublishedLoad | tuple[LoadedFile, ...]
        if source in ("claims", "rdf"):
            claims = load_files(
                paths, store=self.folder, content=None, edition=edition, dry_run=dry_run, tell=self.tell, form=source
            )
            loaded = tuple(claims)
        else:
            read_as = None if mapping is None else checked_path(mapping, "mapping")
            loaded = load_source(
                source, paths, store=self.folder, edition=edition, mapping=read_as, dry_run=dry_run, tell=self.tell
            )
        self._reopen()
        return loaded

    def _reopen(self) -> None:
        """Answer from the state that the store has now: a generation that is open stays as it was."""
        if self.reopened is None:
            return
        self.close()
        now = self.reopened(self.folder, tell=self.tell)
        self.content, self.store, self.stamp, self.lexicon = now.content, now.store, now.stamp, now.lexicon
        self._checker = self._study = None
        self._answers.clear()

    def follow_server(self) -> None:
        """Forget what is kept of a server that was pushed to meanwhile: its names, its questions, what was read of it."""
        from kg.sync.servers import pushed_since

        self.check_open()
        pushed = None if self.server is None else pushed_since(self.stamp, self.server, self.folder, self.content)
        if pushed is not None:
            self.stamp, self.lexicon = pushed
            self._checker = self._study = None
            self._answers.clear()

    def ledger_folder(self) -> Path:
        """The folder of the ledger; one of a server is fetched first, as far as it is not here yet.

        Raises ManifestDamaged where the view was made of records that nothing lists any more.
        """
        self.check_open()
        if self.server is not None:
            from kg.sync.pull import fetch_ledger

            fetch_ledger(self.server, self.folder / "ledger")
        else:
            from kg.ledger.ledger import Ledger

            Ledger(self.folder / "ledger").check_present(self.stamp["head"])
        return self.folder / "ledger"

    def is_whole(self) -> bool:
        """Whether the view was made from the ledger as it is."""
        self.check_open()
        if self.server is not None:
            return self.stamp.get("state") == "ready"
        from kg.ledger.ledger import Ledger

        return bool(self.stamp.get("head") == Ledger(self.folder / "ledger").manifest().head)

    def close(self) -> None:
        """Let go of the store; what is asked afterwards is refused with `store.closed`."""
        if isinstance(self.store, ClosedStore):
            return
        self.store.close()
        self.store = ClosedStore(self.store.language)
        if self.server is not None:
            self.server.close()
        if self._cypher is not None:
            self._cypher.close()
            self._cypher = None
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def check_open(self) -> None:
        """Raise StoreClosed where the graph was closed."""
        if isinstance(self.store, ClosedStore):
            raise self.store.refusal()


def _checked(text: object, limit: int | None, timeout_seconds: float | None) -> tuple[int | None, float | None]:
    """The limit and the time-out of a free query. Raises UsageError where they are none, or the query is no text."""
    if not isinstance(text, str):
        raise UsageError(field="text", given=type(text).__name__, expected="a query (str)")
    most = None if limit is None else checked_limit(limit, least=0, most=MOST_ROWS)
    return most, checked_seconds(timeout_seconds)
