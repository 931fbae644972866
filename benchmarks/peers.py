"""Those that are measured beside kg: engines without it, and what a user would take in its place.

Every peer answers the questions of `benchmarks.parts.questions`; its rows are compared before its time counts. Packages
that are not installed, and a server that was not fetched, are said and left out.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph

from benchmarks.parts.part import Unavailable, Work
from kg.ask.question import Question
from kg.session import Graph
from kg.stores.protocol import Answer, Cell, Language, Store

if TYPE_CHECKING:
    from kg.answers.asking import Ask

NEO4J_MEMORY: Final = {"heap": "3g", "pagecache": "1g"}
"""Enough for the graph of 100,000 claims to lie in memory."""


@contextmanager
def opened(work: Work) -> Iterator[Graph]:
    """The store of a size; refused when the content has changed since it was built, for opening would build it anew."""
    from kg.build.build import StorePlace
    from kg.content.folders import find_content
    from kg.session import open_graph

    live = StorePlace(work.store).rdf.current()
    if live is None or live[1]["fingerprint"] != find_content().fingerprint():
        raise SystemExit(f"{work.folder}: the content has changed since this store was built; remove the folder")
    graph = open_graph(work.store)
    try:
        yield graph
    finally:
        graph.close()


def asked_anew(graph: Graph, language: Language) -> "Ask":
    """Saved questions asked of the engine each time: the graph keeps the answer of one without values for its generation."""
    from kg.ask.run import ask as run

    def ask(name: str, /, **values: Any) -> Answer:
        return run(graph.in_language(language), graph.questions()[name], values)

    return ask


def cypher_ask(graph: Graph) -> "Ask":
    """Saved questions asked of the embedded property graph."""

    def ask(name: str, /, **values: Any) -> Answer:
        return graph.ask(name, language="cypher", **values)

    return ask


@dataclass
class Recorder:
    """A store that passes everything on and keeps the texts with their parameters."""

    store: Store
    texts: list[tuple[str, Mapping[str, object]]]

    @property
    def language(self) -> Language:
        return self.store.language

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        self.texts.append((text, parameters or {}))
        return self.store.select(text, parameters=parameters, limit=limit, timeout_seconds=timeout_seconds)

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:
        return self.store.graph(text, timeout_seconds=timeout_seconds)

    def close(self) -> None:
        self.store.close()


def recorded(graph: Graph, question: "Callable[[Ask], object]", language: Language) -> list[tuple[str, Any]]:
    """The texts, with parameters, that a question becomes in a language."""
    from kg.ask.run import ask as run

    recorder = Recorder(graph.in_language(language), [])

    def ask(name: str, /, **values: Any) -> Answer:
        return run(recorder, graph.questions()[name], values)

    question(ask)
    return recorder.texts


# --- the engines alone -------------------------------------------------------------------------------------------------


def run_oxigraph(store: "pyoxigraph.Store", texts: list[tuple[str, Any]]) -> int:
    """Run texts and read every cell of every row."""
    cells = 0
    for text, _ in texts:
        found = store.query(text)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        for row in found:
            cells += len(tuple(row))
    return cells


def run_ladybug(connection: Any, texts: list[tuple[str, Any]]) -> int:
    """The same on a connection of Ladybug."""
    cells = 0
    for text, parameters in texts:
        result = connection.execute(text, dict(parameters))
        while result.has_next():
            cells += len(result.get_next())
        result.close()
    return cells


# --- rdflib ------------------------------------------------------------------------------------------------------------


def read_rdflib(triples: Path) -> Any:
    """The view in rdflib's memory store, its literals as they stand."""
    import rdflib

    rdflib.NORMALIZE_LITERALS = False
    graph = rdflib.Graph()
    graph.parse(triples, format="nt")
    return graph


def rdflib_ask(graph: Any, questions: Mapping[str, Question]) -> "Ask":
    """Saved questions asked of an rdflib graph, with the very texts that the store gets."""
    import rdflib

    from kg.ask.bind import bind
    from kg.ask.run import typed
    from kg.model.vocabulary import thing_id

    def cell(term: Any) -> Cell:
        if term is None:
            return None
        if isinstance(term, rdflib.URIRef):
            return thing_id(str(term))
        value = term.toPython()
        return value if isinstance(value, bool | int | float) else str(term)

    def ask(name: str, /, **values: Any) -> Answer:
        question = questions[name]
        result = graph.query(bind(question, values))
        columns = tuple(str(column) for column in result.vars or ())
        rows = tuple(tuple(cell(row.get(rdflib.Variable(one))) for one in columns) for row in result.bindings)
        if len(rows) == 1 and set(rows[0]) == {None}:  # it makes a group of nothing; SPARQL 1.1 makes none
            rows = ()
        return typed(Answer(columns, rows), question)

    return ask


# --- SQL ---------------------------------------------------------------------------------------------------------------

Sql = Callable[..., list[tuple[Any, ...]]]
"""Runs a text with parameters and gives all rows."""


@contextmanager
def sqlite(work: Work) -> Iterator[Sql]:
    """The tables in SQLite, with an index for every way in."""
    with closing(sqlite3.connect(f"file:{work.tables / 'facts.sqlite'}?mode=ro", uri=True)) as connection:
        yield lambda text, *values: connection.execute(text, values).fetchall()


@contextmanager
def duckdb(work: Work) -> Iterator[Sql]:
    """The same in DuckDB."""
    with closing(import_duckdb().connect(str(work.tables / "facts.duckdb"), read_only=True)) as connection:
        yield lambda text, *values: connection.execute(text, values).fetchall()


def import_duckdb() -> Any:
    """DuckDB, or why not."""
    try:
        import duckdb as package
    except ImportError:
        raise Unavailable("DuckDB is not installed (accelkg[test])") from None
    return package


# --- Neo4j -------------------------------------------------------------------------------------------------------------


@contextmanager
def neo4j(work: Work) -> Iterator[str]:
    """The address of a Neo4j Community with folders of its own for this size; it ends with this process."""
    from tests.ports import free_port
    from tests.servers.artifacts import Artifact, java
    from tests.servers.artifacts import Unavailable as NotFetched
    from tests.servers.running import answers, start

    try:
        jars, program = Artifact("neo4j").jars(), java()
    except NotFetched as why:
        raise Unavailable(str(why)) from why
    folder, port = (work.folder / "neo4j").resolve(), free_port()
    (folder / "conf").mkdir(parents=True, exist_ok=True)
    places = ("data", "logs", "import", "plugins", "run", "lib", "licenses")
    settings = {
        **{f"server.directories.{name}": folder / name for name in places},
        "server.directories.transaction.logs.root": folder / "transactions",
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "server.bolt.advertised_address": f"127.0.0.1:{port}",
        "server.http.enabled": "false",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": "false",
        "dbms.usage_report.enabled": "false",
        "server.memory.pagecache.size": NEO4J_MEMORY["pagecache"],
    }
    (folder / "conf" / "neo4j.conf").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    opens = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.util.concurrent")
    command = [
        program,
        f"-Xms{NEO4J_MEMORY['heap']}",
        f"-Xmx{NEO4J_MEMORY['heap']}",
        *(f"--add-opens={one}=ALL-UNNAMED" for one in opens),
        "--add-modules=jdk.incubator.vector",
        "-cp",
        str(jars / "*"),
        "org.neo4j.server.CommunityEntryPoint",
        f"--home-dir={folder}",
        f"--config-dir={folder / 'conf'}",
        "--console-mode",
    ]
    address = f"bolt://127.0.0.1:{port}"
    try:
        server = start(
            "neo4j",
            command,
            folder=folder,
            address=address,
            owner=os.getpid(),
            ready=lambda: answers(port) and _bolt_answers(address),
        )
    except NotFetched as why:
        raise Unavailable(str(why)) from why
    try:
        yield address
    finally:
        server.stop()


def _bolt_answers(address: str) -> bool:
    import logging

    from neo4j import GraphDatabase
    from neo4j.exceptions import DriverError, Neo4jError

    logging.getLogger("neo4j").setLevel(logging.CRITICAL)
    try:
        with GraphDatabase.driver(address, connection_timeout=5) as driver:
            driver.verify_connectivity()
            return True
    except (DriverError, Neo4jError, OSError):
        return False
