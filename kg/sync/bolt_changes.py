"""The Cypher that brings changed parts of the graph to a Bolt server, and the record of which parts lie there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import loads
from typing import TYPE_CHECKING, Any, Final

from kg.model.vocabulary import CLAIM_CLASS, ENTITY_CLASS, FINDING_CLASS
from kg.projection.graph_schema import NODE_LABEL, further_labels, graph_schema
from kg.sync.buckets import BucketChange, digest_of, pack, value
from kg.sync.push_errors import PushTakenOver

if TYPE_CHECKING:
    from neo4j import ManagedTransaction


ROWS_AT_ONCE: Final = 2000

META: Final = "meta"

# Labels and types cannot be parameters of Cypher: those of a line are written into a text only
# where the schema has them.
LABELS: Final = frozenset(
    [one.name for one in graph_schema().nodes]
    + [name.removeprefix("k:") for classes in (CLAIM_CLASS, ENTITY_CLASS) for name in classes.values()]
    + [name.removeprefix("k:") for name in FINDING_CLASS.values()]
)

KEYS: Final[Mapping[str, tuple[str, ...]]] = {one.type: one.key for one in graph_schema().relationships}


class ChangeStatements:
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
        if lines and is_node(lines[0]):
            self._add_nodes(change, added, removed)
            return
        wanted = set()
        for line in added:
            row = _relationship(line)
            self.made[row["type"]].append(row)
            wanted.add(_identity(row))
        for line in removed:
            row = _relationship(line)
            # A relationship whose properties alone changed is the same one: MERGE finds it, and SET
            # gives it the new ones.
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
            _labels(old)  # it may be of a version whose labels are not ours: refused before anything is sent
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
        # Labels that change come first, since the MERGE below finds a node only under all labels
        # that it is to have.
        for (more, less), uids in sorted(self.relabelled.items()):
            text = f"UNWIND $uids AS uid MATCH (n:{NODE_LABEL} {{uid: uid}})"
            text += f" SET n:{_labels(more)}" if more else ""
            text += f" REMOVE n:{_labels(less)}" if less else ""
            for batch in batches(sorted(uids)):
                transaction.run(text, uids=batch).consume()
        for labels, rows in sorted(self.nodes.items()):
            # with all labels in the MERGE, since some engines cannot add one to a node later
            text = (
                f"UNWIND $rows AS row MERGE (n:{NODE_LABEL}:{_labels(labels)} {{uid: row.uid}}) SET n = row.properties"
            )
            for batch in batches(rows):
                transaction.run(text, rows=batch).consume()
        for kind, rows in sorted(self.unmade.items()):
            for batch in batches(rows):
                transaction.run(f"UNWIND $rows AS row {_ends(kind)} DELETE r", rows=batch).consume()
        for kind, rows in sorted(self.made.items()):
            key = ", ".join(f"{name}: row.properties.{name}" for name in KEYS[kind])
            text = (
                f"UNWIND $rows AS row MATCH (a:{NODE_LABEL} {{uid: row.from}}) MATCH (b:{NODE_LABEL} {{uid: row.to}}) "
                f"MERGE (a)-[r:{kind}{f' {{{key}}}' if key else ''}]->(b) SET r = row.properties"
            )
            for batch in batches(rows):
                transaction.run(text, rows=batch).consume()
        keep_parts(transaction, self.kept)


def _ends(kind: str) -> str:
    same = " AND ".join(f"r.{name} = row.properties.{name}" for name in KEYS[kind])
    return f"MATCH (a:{NODE_LABEL} {{uid: row.from}})-[r:{kind}]->(b:{NODE_LABEL} {{uid: row.to}})" + (
        f" WHERE {same}" if same else ""
    )


def is_node(line: bytes) -> bool:
    """Nodes have tables, relationships have types in capitals.

    >>> is_node(b'["Claim","a/b",{}]'), is_node(b'["STATED_IN","a/b","c",{}]')
    (True, False)
    """
    return line[2 : line.index(b'"', 2)].decode() in LABELS


def _relationship(line: bytes) -> dict[str, Any]:
    kind, start, end, properties = value(line)
    if kind not in KEYS:
        raise ValueError(f"{kind} is no relationship type of ours")
    return {"type": kind, "from": start, "to": end, "properties": properties}


def _identity(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (row["type"], row["from"], row["to"], *(str(row["properties"].get(name)) for name in KEYS[row["type"]]))


def _labels(names: Sequence[str]) -> str:
    if unknown := set(names) - LABELS:
        raise ValueError(f"{sorted(unknown)} are no labels of ours")
    return ":".join(names)


def part_uid(number: int) -> str:
    """The id of the node that records one part of a push."""
    return f"push/part/{number}"


def fence(transaction: "ManagedTransaction", run: str, shown: str) -> None:
    """Refuse to go on when another push has begun; the lock on the node holds until this transaction ends."""
    row = transaction.run(
        f"MATCH (m:{NODE_LABEL} {{uid: $uid}}) SET m.state = m.state RETURN m.push AS push", uid=META
    ).single()
    if row is None or loads(row["push"])["run"] != run:
        raise PushTakenOver(
            path=shown,
            given="another push to this server began",
            expected="one push at a time",
            next_step="wait for it to end, then push again",
        )


def keep_parts(transaction: "ManagedTransaction", kept: Iterable[tuple[int, tuple[bytes, ...]]]) -> None:
    """Record what parts are there."""
    rows = [
        {"uid": part_uid(number), "number": number, "digest": digest_of(lines), "text": pack(lines)}
        for number, lines in kept
        if lines
    ]
    transaction.run(
        f"UNWIND $rows AS row MERGE (p:{NODE_LABEL}:PushPart {{uid: row.uid}}) "
        "SET p.number = row.number, p.digest = row.digest, p.text = row.text",
        rows=rows,
    ).consume()
    empty = [part_uid(number) for number, lines in kept if not lines]
    if empty:
        transaction.run(f"UNWIND $uids AS uid MATCH (p:{NODE_LABEL} {{uid: uid}}) DELETE p", uids=empty).consume()


def batches(rows: Sequence[object]) -> Iterator[list[Any]]:
    """The rows in lists of at most `ROWS_AT_ONCE`: one statement holds what it gets in the memory of the server."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield list(rows[start : start + ROWS_AT_ONCE])
