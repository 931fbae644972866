"""Pushing to a SPARQL endpoint: the view in one named graph, the ledger and the records of pushes in a second one.

Lines are triples in N-Triples. Updates need not be atomic here, so a part is first recorded as all that may be there (what
was and what is to be), then changed, then recorded as what is there. A record is written before an older one is removed:
a cut at any point leaves records that together cover what is there. A record without a digest is of a part in change.
"""

import base64
import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from json import dumps, loads
from typing import TYPE_CHECKING, Final

from kg.model.vocabulary import thing_iri
from kg.stores.http_client import ServerRefused, shown
from kg.stores.protocol import Row
from kg.stores.sparql_endpoint import LEDGER_GRAPH, VIEW_GRAPH, SparqlEndpoint
from kg.sync.buckets import Bucket, BucketChange, Buckets, digest_of, pack, unpack, value
from kg.sync.push import PATIENCE, LedgerFile, PushState, stated_by
from kg.sync.push_errors import PushTakenOver, not_removed

if TYPE_CHECKING:
    from kg.ask.opened import Opened

TERMS: Final = "https://w3id.org/accelkg/push#"
TRIPLES_AT_ONCE: Final = 500
"""Triples in one update: Virtuoso makes program text of each and stops at 10,000 lines of it."""
_META: Final = f"<{thing_iri('push')}>"
_ROWS_AT_ONCE: Final = 4096
"""Rows asked for at once: below the limit at which servers cut."""
_TEXTS_AT_ONCE: Final = 8


def _term(name: str) -> str:
    return f"<{TERMS}{name}>"


def quoted(text: str) -> str:
    """A literal; JSON escapes what SPARQL wants escaped, in the same way."""
    return dumps(text, ensure_ascii=False)


class SparqlTarget:
    """An endpoint as a target."""

    def __init__(self, endpoint: SparqlEndpoint, patience_seconds: float = PATIENCE) -> None:
        self._patience = patience_seconds
        self._view, self._records = endpoint.on(VIEW_GRAPH), endpoint.on(LEDGER_GRAPH)
        self.shown = shown(endpoint.addresses.query)
        self._turn = 0

    def state(self) -> PushState | None:
        known = self._stated()
        with stated_by(self.shown):
            return PushState.from_json(loads(known[0])) if known else None

    def prepare(self) -> None:
        """Nothing: a triple is there once, and every pattern is indexed."""

    def mark(self, state: PushState) -> None:
        known = self._stated()
        self._insert(f"{_META} {_term('state')} {quoted(self._next(state))} .")
        self._forget(known)
        self._fence(state.run)  # two may begin at once: what is stated last counts, and the other one stops

    def advance(self, state: PushState) -> None:
        known = self._fence(state.run)
        stated = self._next(state)
        self._update(
            f"INSERT {{ GRAPH <{LEDGER_GRAPH}> {{ {_META} {_term('state')} {quoted(stated)} }} }} WHERE {{ {_where_still(known)} }}"
        )
        # An update says nothing of whether its WHERE was met: what is stated now is read again.
        if self._stated()[:1] != [stated]:
            raise self._taken_over()
        self._forget(known)

    def files(self) -> dict[str, LedgerFile]:
        found: dict[str, LedgerFile] = {}
        read = 0
        while True:
            rows = self._rows(
                f"SELECT ?stated {{ ?file {_term('file')} ?stated }} ORDER BY ?file LIMIT {_ROWS_AT_ONCE} OFFSET {read}"
            )
            with stated_by(self.shown):
                for row in rows:
                    one = LedgerFile.from_json(loads(str(row[0])))
                    found[one.name] = one
            # counted in rows: a server that somebody wrote to may state a file twice
            read += len(rows)
            if len(rows) < _ROWS_AT_ONCE:
                return found

    def put_file(self, file: LedgerFile, pieces: Iterator[bytes], run: str) -> None:
        self.drop_files([file.name], run)
        for number, piece in enumerate(pieces):
            node = _piece(file.name, number)
            data = base64.b64encode(piece).decode("ascii")
            belongs = f"{node} {_term('of')} {quoted(file.name)} .\n"
            self._insert_as(run, f'{belongs}{node} {_term("data")} "{data}" .')
        stated = {"name": file.name, "sha256": file.sha256, "size": file.size, "pieces": file.pieces}
        node = _file(file.name)
        self._insert_as(run, f"{node} {_term('file')} {quoted(dumps(stated))} .")
        self._fence(run)  # a change whose WHERE was not met says nothing

    def get_file(self, file: LedgerFile) -> Iterator[bytes]:
        for number in range(file.pieces):
            rows = self._rows(f"SELECT ?data {{ {_piece(file.name, number)} {_term('data')} ?data }}")
            if not rows:  # what is missing shows in the digest of the file
                return
            try:
                piece = base64.b64decode(str(rows[0][0]))
            except ValueError:
                piece = b""
            yield piece

    def drop_files(self, names: Sequence[str], run: str) -> None:
        for name in names:  # the file first: without it the pieces count for nothing
            for node, found in ((_file(name), ""), ("?piece", f"?piece {_term('of')} {quoted(name)} . ")):
                still = _where_still(self._fence(run))
                self._update(
                    f"DELETE {{ GRAPH <{LEDGER_GRAPH}> {{ {node} ?p ?o }} }} "
                    f"WHERE {{ GRAPH <{LEDGER_GRAPH}> {{ {found}{node} ?p ?o }} {still} }}"
                )

    def local(self, graph: "Opened") -> Buckets:
        from pyoxigraph import DefaultGraph, RdfFormat

        from kg.stores.oxigraph import OxigraphStore

        assert isinstance(graph.store, OxigraphStore)
        parts = Buckets()
        with io.BufferedWriter(TripleSink(parts), 1 << 20) as buffer:
            graph.store.store.dump(output=buffer, format=RdfFormat.N_TRIPLES, from_graph=DefaultGraph())
        return parts

    def digests(self, parts: int) -> dict[int, str]:
        found: dict[int, str] = {}
        # Half as many parts as rows: a part in change has two records.
        edges = [*range(0, parts, _ROWS_AT_ONCE // 2), parts]
        for low, high in pairwise(edges):
            rows = self._rows(
                f"SELECT ?record ?number ?digest {{ ?record {_term('number')} ?number "
                f"OPTIONAL {{ ?record {_term('digest')} ?digest }} FILTER(?number >= {low} && ?number < {high}) }}"
            )
            with stated_by(self.shown):
                for _, given, digest in rows:
                    number = int(str(given))
                    # No digest, or two records: the part was in change.
                    found[number] = "" if digest is None or number in found else str(digest)
        return found

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[bytes, ...]]:
        found: dict[int, set[bytes]] = {}
        for start in range(0, len(numbers), _TEXTS_AT_ONCE):
            wanted = " ".join(str(number) for number in numbers[start : start + _TEXTS_AT_ONCE])
            rows = self._rows(
                f"SELECT ?number ?text {{ VALUES ?number {{ {wanted} }} ?record {_term('number')} ?number ; {_term('text')} ?text }}"
            )
            with stated_by(self.shown):
                for number, text in rows:
                    found.setdefault(int(str(number)), set()).update(unpack(base64.b64decode(str(text))))
        return {number: tuple(sorted(lines)) for number, lines in found.items()}

    def apply(self, changes: Sequence[BucketChange], run: str) -> None:
        with stated_by(self.shown):  # what is to go was read from the server, and is sent to it as text of an update
            removed = _triples([value(line) for change in changes for line in change.removed])
        self._insert_as(run, "\n".join(_record(one.number, _covering(one)) for one in changes))
        for start in range(0, len(removed), TRIPLES_AT_ONCE):
            triples = "\n".join(removed[start : start + TRIPLES_AT_ONCE])
            self._update(f"DELETE DATA {{ GRAPH <{VIEW_GRAPH}> {{\n{triples}\n}} }}")
        added = [line for change in changes for line in change.added]
        if added:
            self._view.add((f"{value(line)}\n".encode() for line in added), VIEW_GRAPH, timeout_seconds=self._patience)
        # The records of another push are not written over. What goes by the Graph Store Protocol has no
        # WHERE that could look whether one began.
        self._fence(run, on_its_way=bool(added))
        for one in changes:
            self._close(one)

    def settle(self, run: str) -> None:
        self._fence(run)

    def expected(self, part: Bucket) -> Sequence[int]:
        return (len(part.lines),)

    def counts(self) -> Sequence[int]:
        answer = self._view.select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", timeout_seconds=self._patience)
        return (int(str(answer.rows[0][0])),)

    def wipe(self) -> None:
        for graph, endpoint in ((LEDGER_GRAPH, self._records), (VIEW_GRAPH, self._view)):
            self._update(f"CLEAR SILENT GRAPH <{graph}>")  # silent, since some refuse to clear what is not there
            if endpoint.select("SELECT ?s { ?s ?p ?o } LIMIT 1", timeout_seconds=self._patience).rows:
                raise not_removed(self.shown, f"triples in {graph} after it was cleared")

    def reader(self) -> SparqlEndpoint:
        return self._view

    def close(self) -> None:
        self._view.close()

    def _rows(self, text: str) -> tuple[Row, ...]:
        answer = self._records.select(text, timeout_seconds=self._patience)
        if not answer.complete:  # what is missing would be taken for what is not there
            raise ServerRefused(
                path=self.shown,
                given=f"{len(answer.rows):,} rows of the records of pushes, which it cut",
                expected=f"a server that gives {_ROWS_AT_ONCE:,} rows",
                next_step="raise its limit of rows or of time",
            )
        return answer.rows

    def _update(self, text: str) -> None:
        self._view.update(text, timeout_seconds=self._patience)

    def _insert(self, triples: str) -> None:
        self._update(f"INSERT DATA {{ GRAPH <{LEDGER_GRAPH}> {{\n{triples}\n}} }}")

    def _insert_as(self, run: str, triples: str) -> None:
        """The same for a push, where no other one has begun: the server looks at that when it does it."""
        still = _where_still(self._fence(run))
        self._update(f"INSERT {{ GRAPH <{LEDGER_GRAPH}> {{\n{triples}\n}} }} WHERE {{ {still} }}")

    def _close(self, change: BucketChange) -> None:
        """Record what is there, then remove the other records of the part."""
        digest = digest_of(change.after)
        node = _part(change.number, digest)
        if change.after:
            # Where nothing was there before, the record of the change is already that of what is
            # there.
            text = "" if _covering(change) == change.after else _record(change.number, change.after)
            self._insert(f'{text}\n{node} {_term("digest")} "{digest}" .')
        self._update(
            f"DELETE {{ GRAPH <{LEDGER_GRAPH}> {{ ?old ?p ?o }} }} "
            f"WHERE {{ GRAPH <{LEDGER_GRAPH}> {{ ?old {_term('number')} {change.number} ; ?p ?o FILTER(?old != {node}) }} }}"
        )

    def _stated(self) -> list[str]:
        """What is stated of pushes, the last first: more where one was cut off while it changed that, or two began at once."""
        found = [str(row[0]) for row in self._rows(f"SELECT ?stated {{ {_META} {_term('state')} ?stated }}")]
        with stated_by(self.shown):
            found.sort(key=_turn_of, reverse=True)
            if found:
                self._turn = max(self._turn, _turn_of(found[0])[0])
        return found

    def _next(self, state: PushState) -> str:
        """A state as it is written, behind all that were seen."""
        self._turn += 1
        return dumps({"turn": self._turn, **state.to_json()})

    def _forget(self, known: Sequence[str]) -> None:
        """Remove statements that were seen; one that came meanwhile stays."""
        if known:
            olds = " || ".join(f"STR(?old) = {quoted(one)}" for one in known)
            self._update(
                f"DELETE {{ GRAPH <{LEDGER_GRAPH}> {{ {_META} {_term('state')} ?old }} }} "
                f"WHERE {{ GRAPH <{LEDGER_GRAPH}> {{ {_META} {_term('state')} ?old FILTER({olds}) }} }}"
            )

    def _fence(self, run: str, *, on_its_way: bool = False) -> list[str]:
        """What is stated of pushes, where ours was stated last; triples of ours may have come after those of another."""
        known = self._stated()
        if not known or _turn_of(known[0])[1] != run:
            raise self._taken_over(on_its_way=on_its_way)
        return known

    def _taken_over(self, *, on_its_way: bool = False) -> PushTakenOver:
        return PushTakenOver(
            path=self.shown,
            given=f"another push to this server began{', and triples of this one may lie among its own' * on_its_way}",
            expected="one push at a time",
            next_step="wait for it to end, then push again"
            + ", from either machine: by their number they are found, and all is sent anew" * on_its_way,
        )


def _where_still(known: Sequence[str]) -> str:
    """The pattern that is met where these are all that is stated of pushes, the first of them ours."""
    others = " && ".join(f"STR(?other) != {quoted(one)}" for one in known)
    return (
        f"GRAPH <{LEDGER_GRAPH}> {{ {_META} {_term('state')} ?mine FILTER(STR(?mine) = {quoted(known[0])}) "
        f"FILTER NOT EXISTS {{ {_META} {_term('state')} ?other FILTER({others}) }} }}"
    )


def _turn_of(stated: str) -> tuple[int, str]:
    """The order of what is stated; of two with one turn, that of the greater run counts."""
    read = loads(stated)
    return int(read["turn"]), str(read["run"])


class TripleSink(io.RawIOBase):
    """Takes N-Triples text in any pieces and adds each line to parts, under its subject."""

    def __init__(self, parts: Buckets) -> None:
        self._parts, self._left = parts, b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        *whole, self._left = (self._left + piece).split(b"\n")
        for line in whole:
            if line:
                text = line.decode()
                # A part of a record has the IRI of the record with `#` behind it: it lies in the
                # same bucket.
                self._parts.add(text[1 : text.index(">")].partition("#")[0], text)
        return len(piece)


def _triples(lines: list[str]) -> list[str]:
    """The lines, each of which is one triple and nothing behind it. Raises ValueError."""
    from pyoxigraph import RdfFormat, parse

    try:
        read = sum(1 for _ in parse("\n".join(lines), format=RdfFormat.N_TRIPLES))
    except SyntaxError as cause:
        raise ValueError(str(cause)) from cause
    if read != len(lines) or any("\n" in line or "\r" in line for line in lines):
        raise ValueError("a line that is no triple")
    return lines


def _part(number: int, digest: str) -> str:
    return f"<{thing_iri(f'push/part/{number}/{digest}')}>"


def _covering(change: BucketChange) -> tuple[bytes, ...]:
    """All lines that may be there while a part changes."""
    return change.after if not change.before else tuple(sorted({*change.before, *change.after}))


def _record(number: int, lines: tuple[bytes, ...]) -> str:
    """The triples of a record, but for the digest that says that the part is so."""
    node = _part(number, digest_of(lines))
    text = base64.b64encode(pack(lines)).decode("ascii")
    return f'{node} {_term("number")} {number} .\n{node} {_term("text")} "{text}" .'


def _file(name: str) -> str:
    return f"<{thing_iri(f'push/ledger/{name}')}>"


def _piece(name: str, number: int) -> str:
    return f"<{thing_iri(f'push/ledger/{name}')}#{number}>"
