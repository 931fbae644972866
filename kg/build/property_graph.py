"""The embedded property graph: built on the first Cypher question, then kept up to date with the RDF view.

It is made from the ledger and the derived set; nothing is audited again and nothing is converted from RDF. A view is good
when its stamp (ledger head, content, rules, version) is that of the RDF view.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from kg.content.folders import Content, find_content
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.errors import StoreError
from kg.ledger import durable
from kg.ledger.derived import read_derived
from kg.ledger.ledger import Ledger
from kg.model.derived import Deriver
from kg.model.derived_records import DerivedRecord
from kg.model.ledger_records import CurrentRecord
from kg.model.names import all_names
from kg.model.recorded import ThingRecord
from kg.model.view_stamp import ViewStamp, made_from
from kg.projection.graph_rows import RowWriter, claim_extras, derived_rows, meta_row, name_rows, vocabulary_rows
from kg.projection.rows import NodeRow, Row
from kg.stores.ladybug import LadybugGenerations
from kg.stores.worker import Send, Worker, error_of, serve

FOLDER: Final = "graph"
STAMPED: Final = ("head", "fingerprint", "rules", "version")
"""What must be the same in the stamps of both views."""


def graph_generations(folder: Path) -> LadybugGenerations:
    """The generations of the property graph of a store folder."""
    return LadybugGenerations(folder / FOLDER)


def graph_in_use(folder: Path) -> bool:
    """Whether somebody has asked in Cypher here, so that the property graph is kept up to date."""
    return (folder / FOLDER / "current").is_file()


def graph_rows(
    folder: Path, vocabulary: Vocabulary, stamp: ViewStamp, *, audited: Callable[[], None] = lambda: None
) -> Iterator[Row]:
    """Every row of the property graph of the state of the ledger in `stamp`; `audited` returns when the derived set is there."""
    ledger = Ledger(folder / "ledger")
    derived = folder / "ledger" / "derived"

    def concluded() -> Iterator[DerivedRecord]:
        return read_derived(derived, stamp["head"], stamp["rules"])

    return rows_of(ledger.current(ledger.manifest_of(stamp["head"])), concluded, vocabulary, stamp, audited=audited)


def rows_of(
    records: Iterable[CurrentRecord],
    concluded: Callable[[], Iterable[DerivedRecord]],
    vocabulary: Vocabulary,
    stamp: ViewStamp,
    *,
    audited: Callable[[], None] = lambda: None,
) -> Iterator[Row]:
    """Every row that follows from current records and the derived set, which is read twice, after all records.

    The nodes of claims carry what was concluded about them, so they wait in a temporary file and come after it.
    """
    writer = RowWriter(Deriver(vocabulary.units))
    registry: dict[str, ThingRecord] = {}
    claims = 0
    with tempfile.TemporaryFile() as waiting:
        for record in records:
            rows = writer.record(record)
            if record["record"] == "claim":
                claims += 1
                node = next(rows)
                assert isinstance(node, NodeRow)
                # verdict and counts are properties of the claim's node and are known last; in memory all nodes would be
                # held
                waiting.write(orjson.dumps([node.table, node.uid, node.properties], option=orjson.OPT_APPEND_NEWLINE))
            else:
                registry[record["id"]] = record
            yield from rows
        yield from name_rows(all_names(registry))
        yield from vocabulary_rows(vocabulary.metric_mapping, vocabulary.unit_mapping)
        yield meta_row(stamp, claims)
        audited()
        extras = claim_extras(concluded())
        waiting.seek(0)
        for line in waiting:
            table, uid, properties = orjson.loads(line)
            yield NodeRow(table, uid, properties | extras.pop(uid, {}))
    yield from derived_rows(one for one in concluded() if one["record"] not in ("advice", "origins"))


def build_graph_view(folder: Path, content: Content, stamp: ViewStamp, *, into: Path | None = None) -> Path:
    """A new generation of the property graph, live when this returns. The caller holds the writer lock."""
    wanted = made_from(stamp)
    rows = graph_rows(folder, read_vocabulary(content), wanted)
    return graph_generations(into or folder).build(rows, wanted, switch=durable.write_whole)


def is_fresh(graph: ViewStamp, rdf: ViewStamp) -> bool:
    """Whether the property graph was made from the same state as the RDF view."""
    return all(graph.get(name) == rdf.get(name) for name in STAMPED)


@dataclass(slots=True)
class GraphBuild:
    """The property graph made in a process of its own: records while they are audited, the rest when that is done."""

    worker: Worker

    @classmethod
    def start(cls, folder: Path, content: Content, stamp: ViewStamp) -> "GraphBuild":
        """Begin with the records; the ledger is on disk, and the caller holds the writer lock until `finish`."""
        worker = Worker(__name__)
        worker.ask(str(folder), str(content.place), made_from(stamp), os.getpid())
        return cls(worker)

    def audited(self) -> None:
        """The derived set is on disk."""
        self.worker.ask(_AUDITED)

    def finish(self) -> str | None:
        """Wait for the end; what went wrong, or None. A graph that could not be made is made at the next question."""
        message = self.worker.messages.next()
        status = self.worker.end()
        if message is None:
            return f"ended with {status}"
        return str(error_of(*message[1:])) if message[0] == "error" else None

    def stop(self) -> None:
        """Give up: the live generation stays what it was."""
        self.worker.kill()
        self.worker.end()


def follow_graph(folder: Path, content: Content, stamp: ViewStamp) -> None:
    """Bring the property graph up to a derived set that is on disk, where somebody asks in Cypher."""
    if graph_in_use(folder):
        graph = GraphBuild.start(folder, content, stamp)
        graph.audited()
        graph.finish()


_AUDITED: Final = "audited"


def _built(request: list[Any], _: Send) -> tuple[Any, ...]:
    """What the process does. It makes nothing live once its parent, which holds the lock, has ended."""
    folder, root, stamp, owner = request

    def audited() -> None:
        if json.loads(sys.stdin.buffer.readline() or b"null") != [_AUDITED]:
            raise StoreError("the build was given up.", next_step="the next question in Cypher makes the graph")

    def switch(pointer: Path, chunks: Iterable[bytes]) -> None:
        # a build whose parent was killed holds no lock any more: another writer may be at work
        if os.getppid() == owner:
            durable.write_whole(pointer, chunks)

    rows = graph_rows(Path(folder), read_vocabulary(find_content(Path(root))), stamp, audited=audited)
    graph_generations(Path(folder)).build(rows, stamp, switch=switch)
    return ("done",)


if __name__ == "__main__":
    sys.exit(serve(_built))
