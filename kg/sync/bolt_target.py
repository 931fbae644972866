"""Pushing to Neo4j and its kin: nodes and relationships in batches, each group of parts in one managed transaction.

Every node of ours has the label `KgNode` and a `uid` that is unique under it; nothing without that label is read or
changed. Lines are `[table, uid, properties]` for nodes and `[type, from, to, properties]` for relationships. Labels and
types come from the schema alone. The records of pushes are nodes of ours too: `PushPart`, `LedgerFile`, `LedgerPiece`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from json import dumps, loads
from typing import TYPE_CHECKING, Any, Final

from kg.model.vocabulary import CLAIM_CLASS, ENTITY_CLASS, FINDING_CLASS
from kg.projection.graph_schema import NODE_LABEL, further_labels, graph_schema
from kg.projection.rows import NodeRow, Row
from kg.stores.bolt import BoltStore, CypherRefused
from kg.stores.http_client import ServerRefused
from kg.sync.buckets import Bucket, BucketChange, Buckets, digest_of, pack, unpack, value
from kg.sync.push import PATIENCE, LedgerFile, PushState, PushTakenOver

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

    from kg.ask.opened import Opened

ROWS_AT_ONCE: Final = 2000
_META: Final = "meta"
_STATES: Final = {"ready": "complete", "pushing": "pushing"}
"""The words of `Meta.state`; a graph that was pushed whole says the same as an embedded one."""
_LABELS: Final = frozenset(
    [one.name for one in graph_schema().nodes]
    + [name.removeprefix("k:") for classes in (CLAIM_CLASS, ENTITY_CLASS) for name in classes.values()]
    + [name.removeprefix("k:") for name in FINDING_CLASS.values()]
)
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {one.type: one.key for one in graph_schema().relationships}


class BoltTarget:
    """A Bolt server as a target."""

    def __init__(self, store: BoltStore, patience_seconds: float = PATIENCE) -> None:
        self._store, self._patience = store, patience_seconds
        self.shown = store.address.uri
        self._waiting: list[tuple[BucketChange, list[str]]] = []
        self._meta: dict[str, Any] = {}

    def state(self) -> PushState | None:
        rows = self._rows(
            f"MATCH (m:{NODE_LABEL} {{uid: $uid}}) WHERE m.push IS NOT NULL RETURN m.push AS push", uid=_META
        )
        if not rows:
            return None
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
            _fence(transaction, state.run, self.shown)
            self._set(transaction, state)

        self._store.write(work)

    def _set(self, transaction: "ManagedTransaction", state: PushState) -> None:
        properties = {**(self._meta if state.state == "ready" else {}), "state": _STATES[state.state]}
        transaction.run(
            f"MERGE (m:{NODE_LABEL}:Meta {{uid: $uid}}) SET m += $properties, m.push = $push",
            uid=_META,
            properties=properties,
            push=dumps(state.to_json()),
        ).consume()

    def files(self) -> dict[str, LedgerFile]:
        rows = self._rows(
            f"MATCH (f:{NODE_LABEL}:LedgerFile) RETURN f.name AS name, f.sha256 AS sha256, f.size AS size, f.pieces AS pieces"
        )
        return {row["name"]: LedgerFile(row["name"], row["sha256"], row["size"], row["pieces"]) for row in rows}

    def put_file(self, file: LedgerFile, pieces: Iterator[bytes]) -> None:
        self.drop_files([file.name])
        for number, piece in enumerate(pieces):
            self._write(
                f"MERGE (p:{NODE_LABEL}:LedgerPiece {{uid: $uid}}) SET p.file = $file, p.number = $number, p.data = $data",
                uid=f"ledger/{file.name}/{number}",
                file=file.name,
                number=number,
                data=piece,
            )
        self._write(
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
            yield bytes(rows[0]["data"] or b"") if rows else b""

    def drop_files(self, names: Sequence[str]) -> None:
        for name in names:  # the file first: without it the pieces count for nothing
            self._write(f"MATCH (f:{NODE_LABEL} {{uid: $uid}}) DELETE f", uid=f"ledger/{name}")
            while self._removed(
                f"MATCH (p:{NODE_LABEL}:LedgerPiece {{file: $file}}) WITH p LIMIT 100 DELETE p", file=name
            ):
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
        return {row["number"]: row["digest"] for row in rows}

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[bytes, ...]]:
        uids = [_part_uid(number) for number in numbers]
        rows = self._rows(
            f"UNWIND $uids AS uid MATCH (p:{NODE_LABEL} {{uid: uid}}) RETURN p.number AS number, p.text AS text",
            uids=uids,
        )
        return {row["number"]: unpack(bytes(row["text"])) for row in rows}

    def apply(self, changes: Sequence[BucketChange], run: str) -> None:
        work = _Work(changes)

        def send(transaction: "ManagedTransaction") -> None:
            _fence(transaction, run, self.shown)
            work.send(transaction)

        self._store.write(send, timeout_seconds=self._patience)
        self._waiting.extend(work.waiting)

    def settle(self, run: str) -> None:
        """Remove nodes that are nowhere any more, now that no relationship of ours leads to them."""
        for change, gone in self._waiting:

            def remove(
                transaction: "ManagedTransaction", change: BucketChange = change, gone: list[str] = gone
            ) -> None:
                _fence(transaction, run, self.shown)
                for batch in _batches(gone):
                    transaction.run(
                        f"UNWIND $uids AS uid MATCH (n:{NODE_LABEL} {{uid: uid}}) DETACH DELETE n", uids=batch
                    ).consume()
                _keep(transaction, [(change.number, change.after)])

            self._store.write(remove, timeout_seconds=self._patience)
        self._waiting.clear()

    def expected(self, part: Bucket) -> Sequence[int]:
        nodes = sum(1 for line in part.lines if _is_node(line))
        return nodes, len(part.lines) - nodes

    def counts(self) -> Sequence[int]:
        tables = [one.name for one in graph_schema().nodes if one.name != "Meta"]
        nodes = self._rows(
            f"MATCH (n:{NODE_LABEL}) WHERE any(label IN labels(n) WHERE label IN $tables) RETURN count(n) AS number",
            tables=tables,
        )
        relationships = self._rows(
            f"MATCH (:{NODE_LABEL})-[r]->(:{NODE_LABEL}) WHERE type(r) IN $types RETURN count(r) AS number",
            types=sorted(_KEYS),
        )
        return nodes[0]["number"], relationships[0]["number"]

    def wipe(self) -> None:
        while self._removed(f"MATCH (n:{NODE_LABEL}) WITH n LIMIT 10000 DETACH DELETE n"):
            pass

    def reader(self) -> BoltStore:
        return self._store

    def close(self) -> None:
        self._store.close()

    def _rows(self, text: str, **parameters: object) -> list[dict[str, Any]]:
        return self._store.read(lambda transaction: [dict(one) for one in transaction.run(text, parameters)])

    def _write(self, text: str, **parameters: object) -> None:
        self._store.write(lambda transaction: transaction.run(text, parameters).consume())

    def _removed(self, text: str, **parameters: object) -> int:
        summary = self._store.write(
            lambda transaction: transaction.run(text, parameters).consume(), timeout_seconds=self._patience
        )
        return summary.counters.nodes_deleted


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


class _Work:
    """The statements that change some parts, worked out once: the transaction that sends them may run again."""

    def __init__(self, changes: Sequence[BucketChange]) -> None:
        self.nodes: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
        self.relabelled: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = defaultdict(list)
        self.made: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.unmade: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.kept: list[tuple[int, tuple[bytes, ...]]] = []
        self.waiting: list[tuple[BucketChange, list[str]]] = []
        for change in changes:
            self._add(change)
        for rows in (*self.nodes.values(), *self.made.values(), *self.unmade.values()):
            rows.sort(key=lambda row: (row.get("uid") or row["from"], row.get("to")))

    def _add(self, change: BucketChange) -> None:
        added, removed = change.added, change.removed
        lines = [*added, *removed]
        if lines and _is_node(lines[0]):
            self._add_nodes(change, added, removed)
            return
        wanted = set()
        for line in added:
            row = _relationship(line)
            self.made[row["type"]].append(row)
            wanted.add(_identity(row))
        for line in removed:
            row = _relationship(line)
            if _identity(row) not in wanted:
                self.unmade[row["type"]].append(row)
        self.kept.append((change.number, change.after))

    def _add_nodes(self, change: BucketChange, added: list[bytes], removed: list[bytes]) -> None:
        labels: dict[str, tuple[str, ...]] = {}
        for line in added:
            table, uid, properties = value(line)
            labels[uid] = (table, *further_labels(table, properties))
            self.nodes[labels[uid]].append({"uid": uid, "properties": {**properties, "uid": uid}})
        wanted = {value(line)[1] for line in change.after}
        gone: dict[str, bytes] = {}
        for line in removed:
            table, uid, properties = value(line)
            old = (table, *further_labels(table, properties))
            if uid in labels and set(labels[uid]) != set(old):
                more, less = set(labels[uid]) - set(old), set(old) - set(labels[uid])
                self.relabelled[tuple(sorted(more)), tuple(sorted(less))].append(uid)
            if uid not in wanted:
                gone[uid] = line
        # the record says what is there: nodes that are to go stay in it until they went
        self.kept.append((change.number, tuple(sorted((*change.after, *gone.values())))))
        if gone:
            self.waiting.append((change, sorted(gone)))

    def send(self, transaction: "ManagedTransaction") -> None:
        """All statements, in the order that keeps every relationship between nodes that are there."""
        for (more, less), uids in sorted(self.relabelled.items()):
            text = f"UNWIND $uids AS uid MATCH (n:{NODE_LABEL} {{uid: uid}})"
            text += f" SET n:{_labels(more)}" if more else ""
            text += f" REMOVE n:{_labels(less)}" if less else ""
            for batch in _batches(sorted(uids)):
                transaction.run(text, uids=batch).consume()
        for labels, rows in sorted(self.nodes.items()):
            # with all labels in the MERGE, since some engines cannot add one to a node later
            text = (
                f"UNWIND $rows AS row MERGE (n:{NODE_LABEL}:{_labels(labels)} {{uid: row.uid}}) SET n = row.properties"
            )
            for batch in _batches(rows):
                transaction.run(text, rows=batch).consume()
        for kind, rows in sorted(self.unmade.items()):
            for batch in _batches(rows):
                transaction.run(f"UNWIND $rows AS row {_ends(kind)} DELETE r", rows=batch).consume()
        for kind, rows in sorted(self.made.items()):
            key = ", ".join(f"{name}: row.properties.{name}" for name in _KEYS[kind])
            text = (
                f"UNWIND $rows AS row MATCH (a:{NODE_LABEL} {{uid: row.from}}) MATCH (b:{NODE_LABEL} {{uid: row.to}}) "
                f"MERGE (a)-[r:{kind}{f' {{{key}}}' if key else ''}]->(b) SET r = row.properties"
            )
            for batch in _batches(rows):
                transaction.run(text, rows=batch).consume()
        _keep(transaction, self.kept)


def _ends(kind: str) -> str:
    same = " AND ".join(f"r.{name} = row.properties.{name}" for name in _KEYS[kind])
    return f"MATCH (a:{NODE_LABEL} {{uid: row.from}})-[r:{kind}]->(b:{NODE_LABEL} {{uid: row.to}})" + (
        f" WHERE {same}" if same else ""
    )


def _is_node(line: bytes) -> bool:
    """Nodes have tables, relationships have types in capitals.

    >>> _is_node(b'["Claim","a/b",{}]'), _is_node(b'["STATED_IN","a/b","c",{}]')
    (True, False)
    """
    return line[2 : line.index(b'"', 2)].decode() in _LABELS


def _relationship(line: bytes) -> dict[str, Any]:
    kind, start, end, properties = value(line)
    if kind not in _KEYS:
        raise ValueError(f"{kind} is no relationship type of ours")
    return {"type": kind, "from": start, "to": end, "properties": properties}


def _identity(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (row["type"], row["from"], row["to"], *(str(row["properties"].get(name)) for name in _KEYS[row["type"]]))


def _labels(names: Sequence[str]) -> str:
    if unknown := set(names) - _LABELS:
        raise ValueError(f"{sorted(unknown)} are no labels of ours")
    return ":".join(names)


def _part_uid(number: int) -> str:
    return f"push/part/{number}"


def _fence(transaction: "ManagedTransaction", run: str, shown: str) -> None:
    """Refuse to go on when another push has begun; the lock on the node holds until this transaction ends."""
    row = transaction.run(
        f"MATCH (m:{NODE_LABEL} {{uid: $uid}}) SET m.state = m.state RETURN m.push AS push", uid=_META
    ).single()
    if row is None or loads(row["push"])["run"] != run:
        raise PushTakenOver(
            path=shown,
            given="another push to this server began",
            expected="one push at a time",
            next_step="wait for it to end, then push again",
        )


def _keep(transaction: "ManagedTransaction", kept: Iterable[tuple[int, tuple[bytes, ...]]]) -> None:
    """Record what parts are there."""
    rows = [
        {"uid": _part_uid(number), "number": number, "digest": digest_of(lines), "text": pack(lines)}
        for number, lines in kept
        if lines
    ]
    transaction.run(
        f"UNWIND $rows AS row MERGE (p:{NODE_LABEL}:PushPart {{uid: row.uid}}) "
        "SET p.number = row.number, p.digest = row.digest, p.text = row.text",
        rows=rows,
    ).consume()
    empty = [_part_uid(number) for number, lines in kept if not lines]
    if empty:
        transaction.run(f"UNWIND $uids AS uid MATCH (p:{NODE_LABEL} {{uid: uid}}) DELETE p", uids=empty).consume()


def _batches(rows: Sequence[object]) -> Iterator[list[Any]]:
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield list(rows[start : start + ROWS_AT_ONCE])
