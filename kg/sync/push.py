"""`kg push`: bring a server up to date with the local ledger and what was concluded from it, sending only what differs.

The order makes it safe to cut anywhere: the state is set to pushing, then files of the ledger, then parts of the graph,
each with the record of what is there, then counts are compared, and last the state is set to ready. A push that was cut
off, here or there, is simply done again; what arrived is not sent twice.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol, cast

from kg.model.json_types import Json, JsonMapping
from kg.model.view_stamp import ViewStamp, made_from
from kg.sync.buckets import BUCKETS, Bucket, BucketChange, Buckets, parts_for
from kg.sync.push_errors import NewerForm, PushIncomplete

if TYPE_CHECKING:
    from kg.ask.opened import Opened
    from kg.stores.protocol import Store

Tell = Callable[[str], None]
Progress = Callable[[str, int, int], None]

FORM: Final = 1
"""Number of the form in which a push keeps its records on a server."""
CHANGED_AT_ONCE: Final = 10_000
"""Lines that travel together; on servers with transactions one of them."""
PATIENCE: Final = 600.0
"""Seconds that a server may take for many lines, where nobody says how long."""
PIECE_BYTES: Final = 256 << 10
"""Files of the ledger travel in pieces of this size."""


@dataclass(frozen=True, slots=True)
class PushState:
    """What a server says of the last push to it."""

    state: str
    """`pushing` or `ready`."""
    run: str
    parts: int
    stamp: ViewStamp
    """Of the view that was pushed last, or is being pushed."""
    form: int = FORM
    counts: tuple[int, ...] = ()
    """How much the server held when it became ready; empty where an older version pushed."""

    @classmethod
    def from_json(cls, stated: JsonMapping) -> "PushState":
        """The state as a server holds it."""
        parts, form, counts = int(stated["parts"]), int(stated["form"]), tuple(stated.get("counts", ()))
        if not 0 <= parts <= BUCKETS or parts & (parts - 1):  # with another number the parts would get mixed up
            raise ValueError(f"{parts} parts")
        stamp, state, run = cast(ViewStamp, {**stated["stamp"]}), str(stated["state"]), str(stated["run"])
        if [type(one) for one in made_from(stamp).values()] != [str, str, str, str, int]:
            raise TypeError("a stamp of something else")
        return cls(state, run, parts, stamp, form, counts)

    def to_json(self) -> Json:
        """What a server holds of it."""
        return {
            "state": self.state,
            "run": self.run,
            "parts": self.parts,
            "stamp": dict(self.stamp),
            "form": self.form,
            "counts": self.counts,
        }


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """A file of the ledger as a server knows it; the name is the path below the ledger folder."""

    name: str
    sha256: str
    size: int
    pieces: int

    @classmethod
    def from_json(cls, stated: JsonMapping) -> "LedgerFile":
        """A file as a server holds it; raises ValueError or TypeError where it holds something else."""
        made = cls(**stated)
        if [type(value) for value in astuple(made)] != [str, str, int, int]:
            raise TypeError("a file that is described by something else")
        if made.size < 0 or not 0 <= made.pieces <= max(1, made.size):
            raise ValueError(f"{made.pieces} pieces of {made.size} bytes")
        return made


@contextmanager
def stated_by(server: str) -> Iterator[None]:
    """Reads what a server says of pushes; raises NewerForm where that is not what a push of this version writes."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as cause:
        raise NewerForm(
            path=server,
            given="a record of a push that cannot be read",
            expected=f"form {FORM}",
            next_step="install a newer accelkg, or replace what is there: kg push with --anew",
        ) from cause


class Target(Protocol):
    """A server that can be pushed to and pulled from. Everything it does may be done again without harm."""

    shown: str

    def state(self) -> PushState | None:
        """The state of the last push, or None when there was none."""
        ...

    def prepare(self) -> None:
        """Constraints and indexes, where a server has such things."""
        ...

    def mark(self, state: PushState) -> None:
        """Set the state, whoever pushes: a push that is under way is taken over."""
        ...

    def advance(self, state: PushState) -> None:
        """Set the state of a push that is under way; refused when another push has begun."""
        ...

    def files(self) -> dict[str, LedgerFile]:
        """The files of the ledger that are there whole."""
        ...

    def put_file(self, file: LedgerFile, pieces: Iterator[bytes], run: str) -> None:
        """Send a file in pieces; refused when another push has begun."""
        ...

    def get_file(self, file: LedgerFile) -> Iterator[bytes]:
        """The pieces of a file."""
        ...

    def drop_files(self, names: Sequence[str], run: str) -> None:
        """Remove files; refused when another push has begun."""
        ...

    def local(self, graph: "Opened") -> Buckets:
        """The local graph in the lines of this kind of server."""
        ...

    def digests(self, parts: int) -> dict[int, str]:
        """The digest of each part that is there; empty text for one that was being changed."""
        ...

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[bytes, ...]]:
        """All lines of parts that may be there."""
        ...

    def apply(self, changes: Sequence[BucketChange], run: str) -> None:
        """Make parts what they are to be; refused when another push has begun."""
        ...

    def settle(self, run: str) -> None:
        """Do what had to wait until all parts were changed."""
        ...

    def expected(self, part: Bucket) -> Sequence[int]:
        """How much a part adds to each number of `counts`."""
        ...

    def counts(self) -> Sequence[int]:
        """How much of ours the server holds."""
        ...

    def wipe(self) -> None:
        """Remove everything of ours, and nothing else."""
        ...

    def reader(self) -> "Store":
        """The server as a store for questions."""
        ...

    def close(self) -> None:
        """End the connections."""
        ...


@dataclass(slots=True)
class Pushed:
    """What a push did."""

    target: str
    head: str
    up_to_date: bool = False
    resumed: bool = False
    files_sent: int = 0
    bytes_sent: int = 0
    files_dropped: int = 0
    parts: int = 0
    parts_changed: int = 0
    added: int = 0
    removed: int = 0
    counts: tuple[int, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)


def _quiet(_: str) -> None: ...


def _still(_what: str, _done: int, _total: int) -> None: ...


def push_to(
    server: Target, graph: "Opened", *, anew: bool = False, tell: Tell = _quiet, progress: Progress = _still
) -> Pushed:
    """The same for an opened server and an opened local graph; the caller holds the writer lock of the store."""
    stamp = made_from(graph.stamp)
    pushed = Pushed(server.shown, stamp["head"])
    here = _local_files(graph)
    if anew:
        progress("removing what is there", 0, 0)
        server.wipe()
    before = server.state()
    if before is not None:
        refuse_newer_form(server, before)
    if before is not None and before.state == "ready" and before.stamp == stamp and server.files() == here:
        if not before.counts or before.counts == tuple(server.counts()):
            pushed.up_to_date = True
            return pushed
        tell("the server holds more or less than was pushed to it; sending everything again")
        server.wipe()
        before = None
    pushed.resumed = before is not None and before.state == "pushing"
    if pushed.resumed:
        tell("an earlier push was cut off; going on from there")
    run = secrets.token_hex(8)
    started = perf_counter()
    progress("preparing the server", 0, 0)
    server.prepare()
    server.mark(PushState("pushing", run, before.parts if before else 0, stamp))
    _send_files(server, graph, here, run, pushed=pushed, progress=progress)
    pushed.seconds["ledger"] = perf_counter() - started
    _send_parts(server, graph, before, PushState("pushing", run, 0, stamp), pushed=pushed, progress=progress)
    check_counts(server, pushed)
    server.advance(PushState("ready", run, pushed.parts, stamp, counts=pushed.counts))
    pushed.seconds["all"] = perf_counter() - started
    return pushed


def refuse_newer_form(server: Target, state: PushState) -> None:
    """Raise NewerForm for a server whose records of pushes have a form that this version does not know."""
    if state.form > FORM:
        raise NewerForm(
            path=server.shown, given=f"form {state.form}", expected=f"form {FORM}", next_step="install a newer accelkg"
        )


def _local_files(graph: "Opened") -> dict[str, LedgerFile]:
    """The files that make the ledger: its manifest, its live segments, and what makes the derived set of its head.

    Every segment is held against its digest: a damaged one would be written over the good copy of the server.
    """
    from kg.ledger.derived import derived_files
    from kg.ledger.ledger import Ledger
    from kg.ledger.segment import check_digest

    folder = graph.folder / "ledger"
    ledger = Ledger(folder)
    manifest = ledger.manifest_of(graph.stamp["head"])
    for one in manifest.segments:
        check_digest(ledger.segments_folder, one)
    names = ["manifest.json", *(f"segments/{one.name}" for one in manifest.segments)]
    names.extend(
        f"derived/{one.name}" for one in derived_files(folder / "derived", manifest.head, graph.stamp["rules"])
    )
    return {name: _described(folder, name) for name in names}


def _described(folder: Path, name: str) -> LedgerFile:
    digest, size = sha256(), 0
    with open(folder / name, "rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
            size += len(piece)
    return LedgerFile(name, digest.hexdigest(), size, -(-size // PIECE_BYTES))


def _send_files(
    server: Target, graph: "Opened", here: Mapping[str, LedgerFile], run: str, *, pushed: Pushed, progress: Progress
) -> None:
    """Files that are missing or differ; those that are no longer wanted go last."""
    there = server.files()
    missing = [one for name, one in here.items() if there.get(name) != one]
    total, done = sum(one.pieces for one in missing), 0
    for one in missing:

        def pieces(file: LedgerFile = one) -> Iterator[bytes]:
            nonlocal done
            with open(graph.folder / "ledger" / file.name, "rb") as source:
                while piece := source.read(PIECE_BYTES):
                    yield piece
                    done += 1
                    progress("sending the ledger", done, total)

        server.put_file(one, pieces(), run)
        pushed.files_sent += 1
        pushed.bytes_sent += one.size
    gone = sorted(set(there) - set(here))
    if gone:
        server.drop_files(gone, run)
        pushed.files_dropped = len(gone)


def _send_parts(
    server: Target, graph: "Opened", before: PushState | None, state: PushState, *, pushed: Pushed, progress: Progress
) -> None:
    """Buckets that differ, a group at a time; then what is nowhere any more; then the counts."""
    started = perf_counter()
    progress("reading the graph", 0, 0)
    with server.local(graph) as parts:
        pushed.seconds["read"] = perf_counter() - started
        # As many parts as before, though the graph has grown: with other limits every part would be
        # a new one.
        number = before.parts if before is not None and before.parts else parts_for(parts.count)
        server.advance(PushState("pushing", state.run, number, state.stamp))
        started = perf_counter()
        wanted = _changed_groups(server, parts, number, pushed, progress)
        for group in wanted:
            old = server.lines([part.number for part, _ in group])
            changes = [
                BucketChange(part.number, old.get(part.number, ()), part.lines, certain) for part, certain in group
            ]
            server.apply(changes, state.run)
            pushed.parts_changed += len(changes)
            pushed.added += sum(len(one.added) for one in changes)
            pushed.removed += sum(len(one.removed) for one in changes)
        progress("comparing counts", 0, 0)
        server.settle(state.run)
        pushed.seconds["graph"] = perf_counter() - started


def _changed_groups(
    server: Target, parts: Buckets, number: int, pushed: Pushed, progress: Progress
) -> Iterator[list[tuple[Bucket, bool]]]:
    """Groups of parts whose digest differs, and empty ones for those not wanted any more; each with whether its record is certain."""
    there = server.digests(number)
    pushed.parts = number
    totals: list[int] = []
    group: list[tuple[Bucket, bool]] = []
    size = done = 0
    for part in parts.parts(number):
        done += len(part.lines)
        expected = server.expected(part)
        totals = [a + b for a, b in zip(totals or [0] * len(expected), expected, strict=True)]
        known = there.pop(part.number, None)
        if known == part.digest:
            continue
        # Without a digest the part was being changed when a push was cut off: any of its lines may
        # be missing.
        group.append((part, known != ""))
        size += len(part.lines)
        if size >= CHANGED_AT_ONCE:
            yield group
            progress("sending the graph", done, parts.count)
            group, size = [], 0
    if group:
        yield group
    for gone in sorted(there):
        yield [(Bucket(gone, ()), True)]
    pushed.counts = tuple(totals)


def check_counts(server: Target, pushed: Pushed) -> None:
    """Refuse to call a push ready when the server holds more or less than was sent."""
    found = tuple(server.counts())
    if found != pushed.counts:
        raise PushIncomplete(
            path=server.shown,
            given=", ".join(f"{one:,}" for one in found),
            expected=", ".join(f"{one:,}" for one in pushed.counts),
            next_step="run kg push with --anew, which removes what is ours and sends everything",
        )
