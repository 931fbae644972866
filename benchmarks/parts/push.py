"""A push to Neo4j against a bare driver script that sends the same batches.

The push does everything: it reads ledger and derived set, makes the rows, sorts them into parts, sends the ledger and the
parts with their records, and compares counts. Of the bare script only the sending counts: the same statements with the
same rows in the same transactions, after the same constraint. Both start from an empty server that has taken such batches
for a minute; there is a push before the script and one after it, and their mean counts, since a server goes on learning.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from benchmarks.parts.part import Meter, Part, Step, Work, compared

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from kg.session import Graph
    from kg.sync.bolt_target import BoltTarget

Statement = tuple[str, dict[str, Any]]
_WARM_UP_SECONDS: Final = 60.0


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


def same_batches(target: "BoltTarget", graph: "Graph") -> Iterator[list[Statement]]:
    """What a push to an empty server sends, transaction by transaction, without what it keeps for itself."""
    from kg.sync.bolt_changes import ChangeStatements
    from kg.sync.buckets import BucketChange, parts_for
    from kg.sync.push import Pushed, _changed_groups, _still

    with target.local(graph) as parts:
        for group in _changed_groups(target, parts, parts_for(parts.count), Pushed(target.shown, ""), _still):
            recorder = _Recorder()
            ChangeStatements([BucketChange(part.number, (), part.lines) for part, _ in group]).send(recorder)  # type: ignore[arg-type]
            yield recorder.statements


def _send(address: str, batches: Iterator[list[Statement]], most_seconds: float | None = None) -> tuple[float, int]:
    """Seconds that the driver needs for the batches, and how many rows they have; no further batch after `most_seconds`."""
    from neo4j import GraphDatabase

    seconds, rows = 0.0, 0
    with GraphDatabase.driver(address) as driver, driver.session(database="neo4j") as session:
        for statements in batches:
            if most_seconds is not None and seconds > most_seconds:
                break

            def send(transaction: "ManagedTransaction", statements: list[Statement] = statements) -> None:
                for text, parameters in statements:
                    transaction.run(text, parameters).consume()

            started = perf_counter()
            session.execute_write(send)
            seconds += perf_counter() - started
            rows += sum(len(parameters["rows"]) for _, parameters in statements)
    return seconds, rows


def push_and_bare(work: Work, meter: Meter) -> None:
    """A push, the bare script, and a push again, on one server; the last push stays there for what asks it."""
    from benchmarks.peers import neo4j, opened
    from kg.sync.bolt_target import BoltTarget
    from kg.sync.push import push_to
    from kg.sync.servers import open_bolt

    meter.served = True
    with neo4j(work) as address, opened(work) as graph:
        target = BoltTarget(open_bolt(address))

        def pushed() -> float:
            target.wipe()
            started = perf_counter()
            meter.counts["ledger bytes"] = push_to(target, graph).bytes_sent
            return perf_counter() - started

        target.prepare()
        target.wipe()
        _send(address, same_batches(target, graph), _WARM_UP_SECONDS)  # plans, caches, compiled code
        before = pushed()
        left = _counts(target)
        target.wipe()
        meter.seconds["bare"], meter.counts["rows"] = _send(address, same_batches(target, graph))
        assert _counts(target) == left, "both leave the same graph"
        after = pushed()
        meter.seconds |= {"push": (before + after) / 2, "push before": before, "push after": after}
        meter.answers["counts"] = _counts(target)
        started = perf_counter()
        assert push_to(target, graph).up_to_date
        meter.seconds["nothing to send"] = perf_counter() - started
        target.close()


def _counts(target: "BoltTarget") -> str:
    nodes, relationships = target.counts()
    return f"{nodes} nodes, {relationships} relationships"


PART: Final = Part(
    "push",
    "A push to Neo4j",
    (
        Step(
            "push.neo4j",
            push_and_bare,
            ("store",),
            most=100_000,
            why="a push of a million claims takes hours",
            once=True,
        ),
    ),
    (
        compared(
            "push to Neo4j",
            "a bare driver script, same batches",
            ("push.neo4j", "push"),
            ("push.neo4j", "bare"),
            goal=1.5,
            stretch=None,
            size=100_000,
            remark="the script makes no rows, and keeps no records of what is there",
        ),
    ),
    (("push.neo4j", "push"), ("push.neo4j", "bare")),
)
"""Runs before `cypher`, which finds the server filled. Processor seconds would be those of the client alone, and are left out."""
