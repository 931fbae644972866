"""Pushing to Neo4j and its kin: nodes and relationships in batches, each group of parts in one managed transaction.

Every node of ours has the label `KgNode` and a `uid` that is unique under it; nothing without that label is read or
changed. Lines are `[table, uid, properties]` for nodes and `[type, from, to, properties]` for relationships. Labels and
types come from the schema alone. The records of pushes are nodes of ours too: `PushPart`, `LedgerFile`, `LedgerPiece`.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from json import dumps, loads
from operator import index
from typing import TYPE_CHECKING, Any, Final

from kg.projection.graph_schema import NODE_LABEL, graph_schema
from kg.projection.rows import NodeRow, Row
from kg.stores.bolt import BoltStore, CypherRefused
from kg.stores.http_client import ServerRefused
from kg.sync.bolt_changes import KEYS, META, ChangeStatements, batches, fence, is_node, keep_parts, part_uid
from kg.sync.buckets import Bucket, BucketChange, Buckets, unpack
from kg.sync.push import PATIENCE, LedgerFile, PushState, stated_by
from kg.sync.push_errors import not_removed

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, ResultSummary

    from kg.ask.opened import Opened

_STATES: Final = {"ready": "complete", "pushing": "pushing"}
"""The words of `Meta.state`; a graph that was pushed whole says the same as an embedded one."""


class BoltTarget:
    """A Bolt server as a target."""

    def __init__(self, store: BoltStore, patience_seconds: float = PATIENCE) -> None:
        self._store, self._patience = store, patience_seconds
        self.shown = store.address.uri
        self._waiting: list[tuple[BucketChange, list[str]]] = []
        self._meta: dict[str, Any] = {}

    def state(self) -> PushState | None:
        rows = self._rows(
            f"MATCH (m:{NODE_LABEL} {{uid: $uid}}) WHERE m.push IS NOT NULL RETURN m.push AS push", uid=META
        )
        if not rows:
            return None
        with stated_by(self.shown):
            return PushState.from_json(loads(rows[0]["push"]))

    def prepare(self) -> None:
        self._store.run(f"CREATE CONSTRAINT kg_node_uid IF NOT EXISTS FOR (n:{NODE_LABEL}) REQUIRE n.uid IS UNIQUE")
        for table, name in _INDEXED:
            self._store.run(f"CREATE INDEX kg_{table.lower()}_{name} IF NOT EXISTS FOR (n:{table}) ON (n.{name})")
        with suppress(
            CypherRefused, ServerRefused
        ):  # a procedure of Neo4j; elsewhere an index is there when the statement ends
            self._store.run("CALL db.awaitIndexes(300)", timeout_seconds=self._patience)

    def mark(self, state: PushState) -> None:
        self._store.write(lambda transaction: self._set(transaction, state))

    def advance(self, state: PushState) -> None:
        def work(transaction: "ManagedTransaction") -> None:
            fence(transaction, state.run, self.shown)
            self._set(transaction, state)

        self._store.write(work)

    def _set(self, transaction: "ManagedTransaction", state: PushState) -> None:
        properties = {**(self._meta if state.state == "ready" else {}), "state": _STATES[state.state]}
        transaction.run(
            f"MERGE (m:{NODE_LABEL}:Meta {{uid: $uid}}) SET m += $properties, m.push = $push",
            uid=META,
            properties=properties,
            push=dumps(state.to_json()),
        ).consume()

    def files(self) -> dict[str, LedgerFile]:
        rows = self._rows(
            f"MATCH (f:{NODE_LABEL}:LedgerFile) RETURN f.name AS name, f.sha256 AS sha256, f.size AS size, f.pieces AS pieces"
        )
        with stated_by(self.shown):
            return {row["name"]: LedgerFile.from_json(row) for row in rows}

    def put_file(self, file: LedgerFile, pieces: Iterator[bytes], run: str) -> None:
        self.drop_files([file.name], run)
        for number, piece in enumerate(pieces):
            self._write_as(
                run,
                f"MERGE (p:{NODE_LABEL}:LedgerPiece {{uid: $uid}}) SET p.file = $file, p.number = $number, p.data = $data",
                uid=f"ledger/{file.name}/{number}",
                file=file.name,
                number=number,
                data=piece,
            )
        self._write_as(
            run,
            f"MERGE (f:{NODE_LABEL}:LedgerFile {{uid: $uid}}) SET f.name = $name, f.sha256 = $sha256, f.size = $size, f.pieces = $pieces",
            uid=f"ledger/{file.name}",
            name=file.name,
            sha256=file.sha256,
            size=file.size,
            pieces=file.pieces,
        )

    def get_file(self, file: LedgerFile) -> Iterator[bytes]:
        for number in range(file.pieces):
            rows = self._rows(
                f"MATCH (p:{NODE_LABEL} {{uid: $uid}}) RETURN p.data AS data", uid=f"ledger/{file.name}/{number}"
            )
            data = rows[0]["data"] if rows else None
            if not isinstance(data, bytes | bytearray):  # what is missing shows in the digest of the file
                return
            yield bytes(data)

    def drop_files(self, names: Sequence[str], run: str) -> None:
        for name in names:  # the file first: without it the pieces count for nothing
            self._write_as(run, f"MATCH (f:{NODE_LABEL} {{uid: $uid}}) DELETE f", uid=f"ledger/{name}")
            # In portions: a transaction that deletes all of it holds all of it in the memory of the
            # server.
            while self._write_as(
                run, f"MATCH (p:{NODE_LABEL}:LedgerPiece {{file: $file}}) WITH p LIMIT 100 DELETE p", file=name
            ).counters.nodes_deleted:
                pass

    def local(self, graph: "Opened") -> Buckets:
        from kg.build.property_graph import graph_rows
        from kg.content.vocabulary import read_vocabulary

        return self.parts_of(graph_rows(graph.folder, read_vocabulary(graph.content), graph.stamp))

    def parts_of(self, rows: Iterable[Row]) -> Buckets:
        """Rows of a property graph as lines in parts; a node that is only named gets a line without properties."""
        parts = Buckets()
        described: set[str] = set()
        named: dict[str, str] = {}
        for row in rows:
            if not isinstance(row, NodeRow):
                parts.add(row.from_uid, [row.type, row.from_uid, row.to_uid, row.properties], layer=1)
                for table, uid in ((row.from_table, row.from_uid), (row.to_table, row.to_uid)):
                    if uid not in described:
                        named[uid] = min(table, named.get(uid, table))
            elif row.table == "Meta":
                self._meta = row.properties
            else:
                described.add(row.uid)
                parts.add(row.uid, [row.table, row.uid, row.properties])
        for uid, table in named.items():
            if uid not in described:  # one node, even where two tables could have it
                parts.add(uid, [table, uid, {}])
        return parts

    def digests(self, parts: int) -> dict[int, str]:  # noqa: ARG002 - all parts are read at once here
        rows = self._rows(f"MATCH (p:{NODE_LABEL}:PushPart) RETURN p.number AS number, p.digest AS digest")
        with stated_by(self.shown):
            return {index(row["number"]): str(row["digest"]) for row in rows}

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[bytes, ...]]:
        uids = [part_uid(number) for number in numbers]
        rows = self._rows(
            f"UNWIND $uids AS uid MATCH (p:{NODE_LABEL} {{uid: uid}}) RETURN p.number AS number, p.text AS text",
            uids=uids,
        )
        with stated_by(self.shown):
            return {index(row["number"]): unpack(memoryview(row["text"])) for row in rows}

    def apply(self, changes: Sequence[BucketChange], run: str) -> None:
        with stated_by(self.shown):  # a version with other labels may have pushed what is to go
            work = ChangeStatements(changes)

        def send(transaction: "ManagedTransaction") -> None:
            fence(transaction, run, self.shown)
            work.send(transaction)

        self._store.write(send, timeout_seconds=self._patience)
        self._waiting.extend(work.waiting)

    def settle(self, run: str) -> None:
        """Remove nodes that are nowhere any more, now that no relationship of ours leads to them."""
        for change, gone in self._waiting:

            def remove(
                transaction: "ManagedTransaction", change: BucketChange = change, gone: list[str] = gone
            ) -> None:
                fence(transaction, run, self.shown)
                for batch in batches(gone):
                    transaction.run(
                        f"UNWIND $uids AS uid MATCH (n:{NODE_LABEL} {{uid: uid}}) DETACH DELETE n", uids=batch
                    ).consume()
                keep_parts(transaction, [(change.number, change.after)])

            self._store.write(remove, timeout_seconds=self._patience)
        self._waiting.clear()

    def expected(self, part: Bucket) -> Sequence[int]:
        nodes = sum(1 for line in part.lines if is_node(line))
        return nodes, len(part.lines) - nodes

    def counts(self) -> Sequence[int]:
        tables = [one.name for one in graph_schema().nodes if one.name != "Meta"]
        nodes = self._rows(
            # Only tables of the view: records of pushes have the label `KgNode` too.
            f"MATCH (n:{NODE_LABEL}) WHERE any(label IN labels(n) WHERE label IN $tables) RETURN count(n) AS number",
            tables=tables,
        )
        relationships = self._rows(
            f"MATCH (:{NODE_LABEL})-[r]->(:{NODE_LABEL}) WHERE type(r) IN $types RETURN count(r) AS number",
            types=sorted(KEYS),
        )
        return nodes[0]["number"], relationships[0]["number"]

    def wipe(self) -> None:
        before = None
        # Counted again each time: what a server says that it deleted is a courtesy, and some say nothing.
        while left := index(self._rows(f"MATCH (n:{NODE_LABEL}) RETURN count(n) AS number")[0]["number"]):
            if before is not None and left >= before:
                raise not_removed(self.shown, f"{left:,} nodes, no fewer after some were deleted")
            before = left
            self._store.write(
                lambda transaction: transaction.run(
                    f"MATCH (n:{NODE_LABEL}) WITH n LIMIT 10000 DETACH DELETE n"
                ).consume(),
                timeout_seconds=self._patience,
            )

    def reader(self) -> BoltStore:
        return self._store

    def close(self) -> None:
        self._store.close()

    def _rows(self, text: str, **parameters: object) -> list[dict[str, Any]]:
        return self._store.rows(text, parameters)

    def _write(self, text: str, **parameters: object) -> None:
        self._store.write(lambda transaction: transaction.run(text, parameters).consume())

    def _write_as(self, run: str, text: str, **parameters: object) -> "ResultSummary":
        """Write for a push, where no other one has begun."""

        def work(transaction: "ManagedTransaction") -> "ResultSummary":
            fence(transaction, run, self.shown)
            return transaction.run(text, parameters).consume()

        return self._store.write(work, timeout_seconds=self._patience)


_INDEXED: Final = (
    ("Claim", "statement_key"),
    ("Claim", "source"),
    ("Claim", "metric"),
    ("Finding", "code"),
    ("Name", "key"),
    ("TraceStep", "claim"),
    ("LedgerPiece", "file"),
    *(
        (table, "uid")
        for table in (
            "Bucket",
            "Claim",
            "Derivation",
            "Entity",
            "Explanation",
            "Finding",
            "Metric",
            "Name",
            "QuantityKind",
            "Role",
            "Source",
            "TraceStep",
        )
    ),
)
"""What saved questions and pushes look things up by. The constraint finds ids of `KgNode`; questions name the class, and the
planner of Neo4j reads every node of a class that has no index of its own."""
