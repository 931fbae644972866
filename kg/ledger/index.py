"""What the ledger holds, indexed next to it: so that a load finds the claims it touches without reading all of them.

One SQLite file of the standard library. Nothing in it is the truth: it carries the stamp of the state it belongs to, and
where that is not the state of the live view, it is made anew. It is written in one transaction with each change of the
view, under the writer lock; readers never open it.
"""

import sqlite3
from array import array
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import orjson

from kg.ledger.packed_texts import packing
from kg.ledger.segment import revision_of
from kg.model.ledger_records import CurrentRecord
from kg.model.plain_json import Misfit, plain_values, read_plain
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.view_stamp import ViewStamp

INDEX: Final = "index.sqlite"
FORM: Final = 6
"""Raised whenever the tables, what is in them, or the triples of a record change; an index of another form is made anew, with
its view."""
EDGY: Final = -1
"""The tag of a claim that makes its scope worth judging regardless of the others."""

_TABLES: Final = """
CREATE TABLE stamp (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE claims (n INTEGER PRIMARY KEY, id TEXT NOT NULL, segment INTEGER NOT NULL, edition TEXT NOT NULL,
                     number INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE things (id TEXT PRIMARY KEY, segment INTEGER NOT NULL, edition TEXT NOT NULL, number INTEGER NOT NULL,
                     body BLOB NOT NULL);
CREATE TABLE others (id TEXT NOT NULL, segment INTEGER NOT NULL, edition TEXT NOT NULL, number INTEGER NOT NULL,
                     revision TEXT NOT NULL);
CREATE TABLE scopes (scope INTEGER NOT NULL, n INTEGER NOT NULL, tag INTEGER NOT NULL);
CREATE TABLE links (target INTEGER NOT NULL, n INTEGER NOT NULL);
CREATE TABLE units (unit INTEGER PRIMARY KEY, body BLOB NOT NULL, exact BLOB);
CREATE TABLE involved (claim INTEGER NOT NULL, unit INTEGER NOT NULL);
"""
_INDEXES: Final = """
CREATE UNIQUE INDEX claims_id ON claims (id);
CREATE INDEX others_id ON others (id);
CREATE INDEX scopes_scope ON scopes (scope, n, tag);
CREATE INDEX scopes_n ON scopes (n);
CREATE INDEX links_target ON links (target, n);
CREATE INDEX links_n ON links (n);
CREATE INDEX involved_claim ON involved (claim, unit);
CREATE INDEX involved_unit ON involved (unit);
"""


@lru_cache(maxsize=1 << 12)  # a scope or a tag is named by one claim after another
def mark(text: str) -> int:
    """A text as a whole number that fits a column; two texts share one hardly ever, and then only work is done twice.

    >>> mark("conflict|power|family/x") == mark("conflict|power|family/x") != mark("")
    True
    """
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


class On:
    """The kinds of links, kept in the last three bits of the mark of a target."""

    SAID, REPEATS, INPUT, REGISTRY, MEASURED = range(5)


def link_mark(kind: int, text: str) -> int:
    """The mark of a target of a kind."""
    # In the number itself, so that no column and no second index is needed to find the links of one kind.
    return mark(text) & ~7 | kind


def kind_of(target: int) -> int:
    """The kind of a link.

    >>> kind_of(link_mark(On.INPUT, "000/one")) == On.INPUT
    True
    """
    return target & 7


def tag_mark(tag: object) -> int:
    """A tag as a whole number that is never negative."""
    # Never negative: EDGY is then below every tag, and `min(tag)` finds it.
    return mark(repr(tag)) & 0x7FFF_FFFF_FFFF_FFFF


class HeldClaim(NamedTuple):
    """A current record with the place it has among the revisions of its id."""

    segment: int
    edition: str
    number: int
    record: CurrentRecord

    @property
    def claim(self) -> ClaimRecord:
        """The record, where it is known to be a claim."""
        return cast(ClaimRecord, self.record)

    @property
    def thing(self) -> ThingRecord:
        """The record, where it is known to be an entity or a source."""
        return cast(ThingRecord, self.record)


class Other(NamedTuple):
    """A revision of a record that is not the current one, or says the same from another segment."""

    segment: int
    edition: str
    number: int
    revision: str


@dataclass(frozen=True, slots=True)
class _Stamp:
    """What an index was made from."""

    form: int
    head: str
    triples: int
    segments: list[dict[str, Any]]
    unnamed: dict[str, Any] = field(default_factory=dict)


class ClaimIndex:
    """An opened index. What is written stays invisible to others until `commit`."""

    Damaged = sqlite3.DatabaseError
    """What its methods raise where the file is damaged."""

    def __init__(self, path: Path, *, fresh: bool = False, only_read: bool = False) -> None:
        self._fresh = fresh
        if only_read:  # by who holds no lock: a writer goes on meanwhile
            # as an address: a # or ? in the name of a folder would end the path
            address = f"{path.absolute().as_uri()}?mode=ro"
            self._db = packing(sqlite3.connect(address, uri=True, isolation_level=None))
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            for old in (path, path.with_name(path.name + "-journal")):
                old.unlink(missing_ok=True)
        self._db = packing(sqlite3.connect(path, isolation_level=None, cached_statements=256))
        self._db.execute("PRAGMA cache_size = -65536")
        self._db.execute("PRAGMA mmap_size = 0")
        if fresh:
            # nothing is lost with a file that is not finished: it has no stamp, and is made anew
            self._db.execute("PRAGMA journal_mode = OFF")
            self._db.execute("PRAGMA synchronous = OFF")
            self._db.executescript(_TABLES)
        self._db.execute("BEGIN IMMEDIATE")

    # --- the state it belongs to

    @classmethod
    def opened(cls, path: Path) -> "ClaimIndex | None":
        """The index of a path, None where there is none that can be read."""
        if not path.is_file():
            return None
        try:
            index = cls(path)
            # Connecting reads nothing. A file of another program, or one cut off before its tables were made,
            # is found out here.
            index.stamp()
        except sqlite3.DatabaseError:
            return None
        return index

    def stamp(self) -> ViewStamp:
        """What it was made from; empty where it was never finished."""
        row = self._db.execute("SELECT value FROM stamp WHERE name = 'stamp'").fetchone()
        try:
            return cast(ViewStamp, plain_values(read_plain(row[0], _Stamp))) if row else {}
        except Misfit:
            return {}

    def set_stamp(self, stamp: ViewStamp) -> None:
        """Record the state that it belongs to."""
        # In the transaction of what it describes: after a kill both are there or neither.
        self._db.execute("INSERT OR REPLACE INTO stamp VALUES ('stamp', ?)", (orjson.dumps(stamp).decode(),))

    def commit(self) -> None:
        """Make durable what was written."""
        self._db.execute("COMMIT")
        if self._fresh:
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA journal_mode = DELETE")
            self._fresh = False
        self._db.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Close it; what was not committed is rolled back."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._db.close()

    def make_findable(self) -> None:
        """Build the indexes, once the tables of a fresh file are filled."""
        for statement in _INDEXES.split(";"):
            if statement.strip():
                self._db.execute(statement)

    def first_damage(self) -> str | None:
        """What the engine says is wrong with its file, or the first record that is not what its revision says."""
        (said,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            return str(said)
        # The engine checks how its file is built; a digit that changed inside a record is sound to it.
        for table in ("claims", "things"):
            for name, body in self._db.execute(f"SELECT id, text(body) FROM {table}"):  # noqa: S608 - names of our tables
                try:
                    record = orjson.loads(body)
                except ValueError:
                    return f"the record {name}"
                is_this = isinstance(record, dict) and record.get("id") == name
                if not is_this or record.get("revision") != revision_of(record):
                    return f"the record {name}"
        return None

    def bodies_of(self, segment: int) -> Iterator[bytes]:
        """The current records that the index has from the segment at a place."""
        for table in ("claims", "things"):
            rows = self._db.execute(f"SELECT text(body) FROM {table} WHERE segment = ?", (segment,))  # noqa: S608 - names of our tables
            yield from (row[0] for row in rows)

    # --- filling

    def add_claims(self, rows: Iterable[tuple[int, str, int, str, int, bytes]]) -> None:
        """Add or replace claims: number, id, segment, edition, number of the revision, record."""
        self._db.executemany("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, packed(?))", rows)

    def add_things(self, rows: Iterable[tuple[str, int, str, int, bytes]]) -> None:
        """Add or replace entities and sources."""
        self._db.executemany("INSERT OR REPLACE INTO things VALUES (?, ?, ?, ?, packed(?))", rows)

    def add_others(self, rows: Iterable[tuple[str, int, str, int, str]]) -> None:
        """Add revisions that are not the current ones."""
        self._db.executemany("INSERT INTO others VALUES (?, ?, ?, ?, ?)", rows)

    def add_scopes(self, rows: Iterable[tuple[int, int, int]]) -> None:
        """Add claims to scopes: mark of the scope, number of the claim, tag."""
        self._db.executemany("INSERT INTO scopes VALUES (?, ?, ?)", rows)

    def add_links(self, rows: Iterable[tuple[int, int]]) -> None:
        """Record what claims depend on: mark of the target, number of the claim."""
        self._db.executemany("INSERT INTO links VALUES (?, ?)", rows)

    def put_units(self, rows: Iterable[tuple[int, bytes, bytes | None]]) -> None:
        """Keep what was concluded in units, and the exact figures that a record gives rounded."""
        self._db.executemany("INSERT OR REPLACE INTO units VALUES (?, packed(?), ?)", rows)

    def add_involved(self, rows: Iterable[tuple[int, int]]) -> None:
        """Say that a unit is about a claim: mark of the claim, mark of the unit."""
        self._db.executemany("INSERT INTO involved VALUES (?, ?)", rows)

    # --- taking out

    def forget_claims(self, numbers: Collection[int]) -> None:
        """Take claims out with their scopes and links."""
        rows = [(n,) for n in numbers]
        for table in ("claims", "scopes", "links"):
            self._db.executemany(f"DELETE FROM {table} WHERE n = ?", rows)  # noqa: S608 - one of three names

    def forget_others(self, names: Iterable[str]) -> None:
        """Take the other revisions of some records out."""
        self._db.executemany("DELETE FROM others WHERE id = ?", [(name,) for name in names])

    def forget_units(self, units: Collection[int]) -> None:
        """Take units out."""
        rows = [(unit,) for unit in units]
        self._db.executemany("DELETE FROM units WHERE unit = ?", rows)
        self._db.executemany("DELETE FROM involved WHERE unit = ?", rows)

    # --- finding

    def count(self) -> int:
        """How many claims there are."""
        return int(self._db.execute("SELECT count(*) FROM claims").fetchone()[0])

    def last_number(self) -> int:
        """The highest number of a claim."""
        return int(self._db.execute("SELECT coalesce(max(n), 0) FROM claims").fetchone()[0])

    def body(self, name: str) -> bytes | None:
        """The record of a claim by id."""
        row = self._db.execute("SELECT text(body) FROM claims WHERE id = ?", (name,)).fetchone()
        return row[0] if row else None

    def held(self, name: str) -> tuple[int | None, HeldClaim] | None:
        """The current record of an id, with its number where it is a claim."""
        row = self._db.execute(
            "SELECT n, segment, edition, number, text(body) FROM claims WHERE id = ?"
            " UNION ALL SELECT NULL, segment, edition, number, text(body) FROM things WHERE id = ?",
            (name, name),
        ).fetchone()
        return (row[0], HeldClaim(row[1], row[2], row[3], orjson.loads(row[4]))) if row else None

    def others(self, name: str) -> list[Other]:
        """The other revisions of an id."""
        found = self._db.execute("SELECT segment, edition, number, revision FROM others WHERE id = ?", (name,))
        return [Other(*row) for row in found]

    def names_of(self, segments: Collection[int]) -> set[str]:
        """The ids of records of which some revision appears in one of the segments."""
        found: set[str] = set()
        for segment in segments:
            found.update(
                row[0]
                for row in self._db.execute(
                    "SELECT id FROM claims WHERE segment = :s UNION SELECT id FROM things WHERE segment = :s"
                    " UNION SELECT id FROM others WHERE segment = :s",
                    {"s": segment},
                )
            )
        return found

    def things(self) -> dict[str, ThingRecord]:
        """All entities and sources by id, sorted."""
        rows = self._db.execute("SELECT id, text(body) FROM things ORDER BY id")
        return {name: orjson.loads(body) for name, body in rows}

    def claim(self, number: int) -> ClaimRecord | None:
        """A claim by number."""
        row = self._db.execute("SELECT text(body) FROM claims WHERE n = ?", (number,)).fetchone()
        return orjson.loads(row[0]) if row else None

    def number(self, name: str) -> int | None:
        """The number of a claim."""
        row = self._db.execute("SELECT n FROM claims WHERE id = ?", (name,)).fetchone()
        return row[0] if row else None

    def all_claims(self) -> Iterator[tuple[int, str, bytes]]:
        """Every claim in the order of the numbers."""
        yield from self._db.execute("SELECT n, id, text(body) FROM claims ORDER BY n")

    def all_names(self) -> Iterator[tuple[int, str]]:
        """Every claim by number and id."""
        yield from self._db.execute("SELECT n, id FROM claims ORDER BY n")

    def scopes_of(self, number: int) -> list[int]:
        """The scopes of a claim."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT scope FROM scopes WHERE n = ?", (number,))]

    def links_of(self, number: int) -> list[int]:
        """The targets that a claim depends on."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT target FROM links WHERE n = ?", (number,))]

    def linked(self, target: int) -> list[int]:
        """The numbers of the claims that depend on a target."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT n FROM links WHERE target = ?", (target,))]

    def is_busy(self, scope: int) -> bool:
        """Whether something can be found in a scope."""
        row = self._db.execute("SELECT min(tag), max(tag) FROM scopes WHERE scope = ?", (scope,)).fetchone()
        # claims of one tag agree in all that the rules of the scope compare: such a scope is not even read (decision 10)
        return row[0] is not None and (row[0] < row[1] or row[0] == EDGY)

    def members(self, scope: int) -> list[ClaimRecord]:
        """The claims of a scope."""
        of_scope = "SELECT text(body) FROM claims WHERE n IN (SELECT n FROM scopes WHERE scope = ?)"
        return [orjson.loads(row[0]) for row in self._db.execute(of_scope, (scope,))]

    def busy_scopes(self) -> list[int]:
        """Every scope in which something can be found."""
        # numbers in an array: as objects the scopes of millions of claims would not fit into memory next to the engine
        return array(
            "q",
            (
                row[0]
                for row in self._db.execute(
                    f"SELECT scope FROM scopes GROUP BY scope HAVING min(tag) < max(tag) OR min(tag) = {EDGY}"  # noqa: S608
                )
            ),
        )  # type: ignore[return-value]

    def shared_links(self, kind: int) -> Iterator[tuple[int, int]]:
        """Targets of a kind and numbers, target by target."""
        yield from self._db.execute("SELECT target, n FROM links WHERE (target & 7) = ? ORDER BY target, n", (kind,))

    def unit(self, unit: int) -> tuple[bytes, bytes | None]:
        """What was concluded in a unit, and the exact figures in it; nothing where nothing was."""
        row = self._db.execute("SELECT text(body), exact FROM units WHERE unit = ?", (unit,)).fetchone()
        return (row[0], row[1]) if row else (b"", None)

    def units_about(self, claim: int) -> list[int]:
        """The units that are about a claim."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT unit FROM involved WHERE claim = ?", (claim,))]

    def all_units(self) -> Iterator[bytes]:
        """Everything that was concluded."""
        for row in self._db.execute("SELECT text(body) FROM units"):
            yield row[0]
