"""A push of synthetic claims to Neo4j against a bare driver script that sends the same batches, in one run.

    python -m benchmarks.push [--claims N] [--rounds N] [--json FILE]

A real Neo4j is started (see tests/servers; `python -m tests.servers.prepare` fetches it). The push does everything: it
reads ledger and derived set, makes the rows, sorts them into parts, sends the ledger and the parts with their records, and
compares counts. The bare script has the same rows in memory, already in the same batches and transactions, and only
sends them, after the same constraint. Both start from an empty database that is warm. Exit 1 when the ratio is over the limit.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.synthetic import synthetic_claims
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.graph.bolt_target import BoltTarget, _Work
from kg.graph.build import Place, build_content, build_view, content_records
from kg.graph.graph import Graph, open_graph
from kg.graph.parts import Change, parts_for
from kg.graph.push import CHANGED_AT_ONCE, push_to
from kg.graph.servers import open_bolt
from kg.ledger.ledger import with_revision
from kg.ledger.lock import writer_lock
from tests.servers.engines import start_neo4j

LIMIT = 1.5
Statement = tuple[str, dict[str, Any]]


class _Recorder:
    """Takes the statements of a transaction instead of a server; the records that pushes keep are left out."""

    def __init__(self) -> None:
        self.statements: list[Statement] = []

    def run(self, text: str, **parameters: Any) -> "_Recorder":
        if "PushPart" not in text:
            self.statements.append((text, parameters))
        return self

    def consume(self) -> None:
        """Nothing was sent."""


def make_store(folder: Path, claims: int) -> Graph:
    """A store with the shipped content and synthetic claims."""
    content = find_content()
    place = Place(folder)
    with writer_lock(folder):
        build_content(place, content)
        real = [one for one in content_records(content)[0] if one["record"] == "claim"]
        more = (with_revision(one) for one in synthetic_claims(real, claims))
        place.ledger.add(more, origin="synthetic", edition="1", scope="full", registry="bench")
        build_view(place, content, read_vocabulary(content), read_registry(content))
    return open_graph(folder)


def same_batches(target: BoltTarget, graph: Graph) -> list[list[Statement]]:
    """What a push sends, transaction by transaction, without what it keeps for itself."""
    found: list[list[Statement]] = []
    with target.local(graph) as parts:
        group: list[Change] = []
        for part in [*parts.parts(parts_for(parts.count)), None]:
            if part is not None:
                group.append(Change(part.number, (), part.lines))
            if group and (part is None or sum(len(one.after) for one in group) >= CHANGED_AT_ONCE):
                recorder = _Recorder()
                _Work(group).send(recorder)  # type: ignore[arg-type]
                found.append(recorder.statements)
                group = []
    return found


def bare(address: str, batches: list[list[Statement]]) -> float:
    """Seconds that the driver needs for the batches alone."""
    from neo4j import GraphDatabase, ManagedTransaction

    started = perf_counter()
    with GraphDatabase.driver(address) as driver, driver.session(database="neo4j") as session:
        session.run("CREATE CONSTRAINT kg_node_uid IF NOT EXISTS FOR (n:KgNode) REQUIRE n.uid IS UNIQUE").consume()
        for statements in batches:

            def send(transaction: ManagedTransaction, statements: list[Statement] = statements) -> None:
                for text, parameters in statements:
                    transaction.run(text, parameters).consume()

            session.execute_write(send)
    return perf_counter() - started


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="accelkg-push-"))
    (folder / "server").mkdir()
    server = start_neo4j(folder / "server", owner=os.getpid())
    try:
        graph = make_store(folder / "store", given.claims)
        target = BoltTarget(open_bolt(server.address))
        batches = same_batches(target, graph)
        rows = sum(len(parameters["rows"]) for statements in batches for _, parameters in statements)
        target.prepare()
        bare(server.address, batches[:5])  # warms the server: plans, caches, compiled code
        target.wipe()
        pushes, bares, parts = [], [], {}
        again, size = 0.0, 0
        for _ in range(given.rounds):
            bares.append(bare(server.address, batches))
            target.wipe()
            started = perf_counter()
            pushed = push_to(target, graph)
            pushes.append(perf_counter() - started)
            size = pushed.bytes_sent
            parts = {name: round(seconds, 1) for name, seconds in pushed.seconds.items()}
            again = perf_counter()
            assert push_to(target, graph).up_to_date
            again = perf_counter() - again
            target.wipe()
        target.close()
        ratio = median(pushes) / median(bares)
        told = {
            "claims": given.claims, "rows": rows, "push_seconds": [round(one, 1) for one in pushes],
            "bare_seconds": [round(one, 1) for one in bares], "ratio": round(ratio, 2), "limit": LIMIT, "parts": parts,
            "up_to_date_seconds": round(again, 2), "ledger_bytes": size,
        }  # fmt: skip
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(told, indent=1))
    if given.json:
        given.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
