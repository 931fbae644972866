"""The property graph in ArcadeDB, embedded in this process: loaded by its batch interface, asked the texts of the saved questions.

It stands for the graph databases that a user might take in place of the two engines that kg has. Nothing of it is in the
program; it comes with the extra `test`.
"""

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.parts.part import Meter, Unavailable, Work, megabytes
from kg.projection.rows import EdgeRow, NodeRow
from kg.stores.protocol import Answer, Language

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.session import Graph

HEAP: Final = "3g"
"""As much as Neo4j gets."""
AT_ONCE: Final = 20_000
"""Rows that cross into the other runtime in one call."""


def _package(work: Work) -> Any:
    try:
        import arcadedb_embedded as package
        from arcadedb_embedded.jvm import start_jvm
    except ImportError:
        raise Unavailable("ArcadeDB is not installed (accelkg[test])") from None
    os.chdir(work.folder)  # the engine writes its log into the folder it is started in
    start_jvm(heap_size=HEAP)
    return package


@dataclass(slots=True)
class _Loader:
    """Gathers rows of one kind until there are enough for one call."""

    batch: Any
    database: Any
    ids: "dict[tuple[str, str], str]"
    """Where the engine put each node, by label and `uid`: it needs that to lay an edge."""
    known: set[str]

    def nodes(self, label: str, rows: "list[NodeRow]") -> None:
        """Make nodes of one label, with the index that every question starts from."""
        if label not in self.known:
            self.known.add(label)
            self.database.command("sql", f"CREATE VERTEX TYPE `{label}` IF NOT EXISTS")
            self.database.command("sql", f"CREATE PROPERTY `{label}`.uid STRING")
            self.database.command("sql", f"CREATE INDEX ON `{label}` (uid) UNIQUE")
        made = self.batch.create_vertices(label, [{"uid": one.uid, **one.properties} for one in rows])
        self.ids.update(((label, one.uid), rid) for one, rid in zip(rows, made, strict=True))

    def edges(self, name: str, rows: "list[EdgeRow]") -> None:
        """Lay relationships of one type."""
        if name not in self.known:
            self.known.add(name)
            self.database.command("sql", f"CREATE EDGE TYPE `{name}` IF NOT EXISTS")
        ends = [(self.ids[one.from_table, one.from_uid], self.ids[one.to_table, one.to_uid]) for one in rows]
        self.batch.new_edges(
            [start for start, _ in ends],
            name,
            [end for _, end in ends],
            [one.properties for one in rows] if any(one.properties for one in rows) else None,
        )


def _rows(graph: "Graph", work: Work) -> "Iterator[NodeRow | EdgeRow]":
    """All rows, nodes that are only named last: those that the embedded engine is loaded with."""
    from kg.build.property_graph import graph_rows
    from kg.content.vocabulary import read_vocabulary
    from kg.projection.graph_rows import NamedOnly

    named = NamedOnly()
    yield from named.watch(graph_rows(work.store, read_vocabulary(graph.content), graph.stamp))
    yield from named.rows()


def load(work: Work, meter: Meter) -> None:
    """The rows of the property graph, as kg makes them, into a new database; making them is not timed."""
    from benchmarks.peers import opened

    package = _package(work)
    nodes: defaultdict[str, list[NodeRow]] = defaultdict(list)
    edges: defaultdict[str, list[EdgeRow]] = defaultdict(list)
    with opened(work) as graph:
        for row in _rows(graph, work):
            if isinstance(row, NodeRow):
                nodes[row.table].append(row)
            else:
                edges[row.type].append(row)
    folder = place(work)
    done(work).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    with (
        meter.timed("load"),
        package.create_database(str(folder)) as database,
        database.graph_batch(expected_edge_count=sum(map(len, edges.values()))) as batch,
    ):
        loader = _Loader(batch, database, {}, set())
        for label, some in nodes.items():
            for start in range(0, len(some), AT_ONCE):
                loader.nodes(label, some[start : start + AT_ONCE])
        for name, laid in edges.items():
            for start in range(0, len(laid), AT_ONCE):
                loader.edges(name, laid[start : start + AT_ONCE])
    meter.counts["disk"] = megabytes(folder)
    done(work).touch()


def place(work: Work) -> Path:
    """Where the database of a size lies."""
    return work.folder / "arcadedb"


def done(work: Work) -> Path:
    """There once all rows are in."""
    return place(work).with_suffix(".done")


@dataclass(frozen=True, slots=True)
class ArcadeStore:
    """The database as a store that takes the texts of saved questions."""

    database: Any
    language: Language = "cypher"

    def select(
        self,
        text: str,
        *,
        parameters: "Mapping[str, object] | None" = None,
        limit: int | None = None,  # noqa: ARG002 - the questions asked here have their limits in the text
        timeout_seconds: float | None = None,  # noqa: ARG002 - the runner ends a step that takes too long
    ) -> Answer:
        """Run a text and read every cell."""
        with self.database.query("opencypher", text, dict(parameters or {})) as found:
            rows = found.to_list()
        columns = tuple(dict.fromkeys(name for row in rows for name in row))
        return Answer(columns, tuple(tuple(row.get(name) for name in columns) for row in rows))

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:
        """No question of these makes a graph."""
        raise NotImplementedError

    def close(self) -> None:
        """Whoever opened the database closes it."""


@contextmanager
def asked(work: Work) -> "Iterator[tuple[Graph, Ask]]":
    """The graph, for its units, and saved questions asked of ArcadeDB."""
    from benchmarks.peers import opened
    from kg.ask.run import ask as run

    package = _package(work)
    with opened(work) as graph, package.open_database(str(place(work))) as database:
        store = ArcadeStore(database)

        def ask(name: str, /, **values: Any) -> Answer:
            return run(store, graph.questions()[name], values)

        yield graph, ask


def ask_all(work: Work, meter: Meter) -> None:
    """Compare and trace, the stored conflicts and the best results, with the texts that kg runs."""
    from benchmarks.parts import questions
    from benchmarks.parts.cypher import WARM_UP_SECONDS, ask_lists

    with asked(work) as (graph, ask):
        for name, question in questions.questions(work.told()["claim"], graph.lexicon.units).items():
            meter.ask(name, lambda question=question: question(ask), warm_up_seconds=WARM_UP_SECONDS)  # type: ignore[misc]
        ask_lists(ask, meter)
