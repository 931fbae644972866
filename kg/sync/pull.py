"""`kg pull`: the ledger of a server, restored byte for byte and checked by digest, into a local store."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kg.errors import LedgerError, StoreError
from kg.ledger import durable
from kg.ledger.derived import derived_files
from kg.ledger.index import INDEX
from kg.ledger.ledger import FORM, Ledger, Manifest, ManifestFile
from kg.ledger.segment import read_segment
from kg.model.plain_json import read_plain
from kg.model.waiting import WRITER_SECONDS
from kg.sync.push import LedgerFile, Target, refuse_newer_form

if TYPE_CHECKING:
    from kg.sync.servers import AskLogin

Tell = Callable[[str], None]
Progress = Callable[[str, int, int], None]
MANIFEST: Final = "manifest.json"
DERIVED: Final = "derived/"
# Meets `manifest.json`, `segments/<24 hex digits>.jsonl.gz` and the files of a derived set; no `..`
# and no other folder.
_NAME: Final = re.compile(r"manifest\.json|segments/[0-9a-f]{24}\.jsonl\.gz|derived/[0-9a-f]{16}-[0-9]+\.jsonl\.gz")
"""The files of a ledger that are pushed."""


class PulledDamaged(LedgerError):
    """A file from a server does not have the content that was pushed."""

    code = "pull.damaged"


class LocalHasMore(StoreError):
    """The local ledger holds segments that the server does not have."""

    code = "pull.would-lose"


class PushUnfinished(StoreError):
    """The ledger on a server is not whole: a push is under way or was cut off."""

    code = "pull.unfinished"


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was brought here, and what was here already."""

    files: int
    fetched: int
    bytes_fetched: int
    records: int


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull did."""

    source: str
    folder: Path
    head: str
    fetched: Fetched
    given_up: tuple[str, ...] = ()
    """Local segments that the server does not have; they are live no more."""


def _quiet(_: str) -> None:
    """Say nothing."""


def _still(_what: str, _done: int, _total: int) -> None:
    """Show nothing."""


def pull(
    source: str,
    folder: Path,
    *,
    replace: bool = False,
    wait_seconds: float = WRITER_SECONDS,
    timeout_seconds: float | None = None,
    ask_login: "AskLogin | None" = None,
    tell: Tell = _quiet,
    progress: Progress = _still,
) -> Pulled:
    """Restore the ledger of a server into a local store; refused where local segments would be lost, but with `replace`.

    A request that the server leaves unanswered for `timeout_seconds` ends the pull.
    """
    from kg.ledger.lock import writer_lock
    from kg.sync.servers import open_target

    server = open_target(source, ask_login=ask_login, tell=tell, timeout_seconds=timeout_seconds)
    try:
        with writer_lock(folder, wait_seconds=wait_seconds, tell=tell, purpose="pull"):
            return pull_from(server, folder, replace=replace, progress=progress)
    finally:
        server.close()


def pull_from(server: Target, folder: Path, *, replace: bool = False, progress: Progress = _still) -> Pulled:
    """The same for an opened server; the caller holds the writer lock of the folder."""
    there = whole_ledger(server)
    lost = tuple(sorted(_only_here(Ledger(folder / "ledger"), there.files)))
    if lost and not replace:
        raise LocalHasMore(
            path=str(folder),
            given=f"{len(lost)} segments that the server does not have",
            expected="a store that loses nothing",
            next_step="push them first with kg push, pull into another folder with --store, or give them up with --replace",
        )
    fetched = fetch_ledger(server, folder / "ledger", there=there, progress=progress)
    return Pulled(server.shown, folder, Ledger(folder / "ledger").manifest().head, fetched, lost)


@dataclass(frozen=True, slots=True)
class ServerLedger:
    """The files of a ledger that is whole, and its head by the state that was read before them."""

    head: str
    files: Mapping[str, LedgerFile]


def whole_ledger(server: Target) -> ServerLedger:
    """The ledger on a server, if it is all there."""
    from kg.sync.servers import NothingPushed

    state, files = server.state(), server.files()
    if state is None:
        raise NothingPushed(
            path=server.shown,
            given="nothing of ours",
            expected="a server that was pushed to",
            next_step="run kg push first",
        )
    refuse_newer_form(server, state)
    if state.state != "ready" or MANIFEST not in files:
        raise PushUnfinished(
            path=server.shown,
            given="a push that is not finished",
            expected="a server with a whole ledger",
            next_step="wait for it, or run kg push again from the machine it came from",
        )
    return ServerLedger(state.stamp["head"], files)


def fetch_ledger(
    server: Target, ledger: Path, *, there: ServerLedger | None = None, progress: Progress = _still
) -> Fetched:
    """Make a ledger folder what it is on a server: the manifest last, when every segment was read to its end."""
    there = there if there is not None else whole_ledger(server)
    wanted = dict(there.files)
    manifest = wanted.pop(MANIFEST)
    text = b"".join(_checked(server, manifest))
    listed = _listed(server, text)
    if listed.head != there.head:  # a push began between the state and the files, or somebody changed one of them
        raise PushUnfinished(
            path=server.shown,
            given=f"a list of segments of version {listed.head[:12]}",
            expected=f"that of version {there.head[:12]}, which was pushed last",
            next_step="wait for a push that is under way, or run kg push again from the machine it came from",
        )
    if _is_concluded(ledger / "derived", listed.head, wanted):
        wanted = {name: one for name, one in wanted.items() if not name.startswith(DERIVED)}
    missing = [one for name, one in sorted(wanted.items()) if not _is_here(_place(ledger, name), one)]
    total, done = sum(one.pieces for one in missing), 0
    for one in missing:
        counted = _counted(_checked(server, one), progress, done, total)
        durable.write_whole(_place(ledger, one.name), counted)
        done += one.pieces
    records = 0
    for info in listed.segments:
        records += sum(1 for _ in read_segment(ledger / "segments", info))
    if not _is_here(ledger / MANIFEST, manifest):
        # it may list less than is here; the next build would take the list for an old one and put that back
        (ledger / INDEX).unlink(missing_ok=True)
        durable.write_whole(ledger / MANIFEST, [text])
    return Fetched(len(wanted) + 1, len(missing), sum(one.size for one in missing), records)


def _listed(server: Target, text: bytes) -> Manifest:
    """The list of segments in a manifest, whose names lead nowhere else."""
    try:
        written = read_plain(text, ManifestFile)
        if written.manifest > FORM:
            raise ValueError(f"form {written.manifest}, and this version reads {FORM}")
        for one in written.segments:
            # A name that is not made of its digest could be that of another segment which is here.
            if one.name != f"{one.sha256[:24]}.jsonl.gz" or not _NAME.fullmatch(f"segments/{one.name}"):
                raise ValueError(f"a segment called {one.name[:80]}")
    except ValueError as cause:
        raise PulledDamaged(
            path=server.shown,
            field=MANIFEST,
            given="a list of segments that this version cannot read",
            expected="the list that a push writes",
            next_step="install a newer accelkg, or push again from a machine that has the ledger",
        ) from cause
    return Manifest(written.segments)


def _checked(server: Target, file: LedgerFile) -> Iterator[bytes]:
    """The pieces of a file; after the last one the digest must be right, or what was written is thrown away."""
    digest, size = sha256(), 0
    for piece in server.get_file(file):
        digest.update(piece)
        size += len(piece)
        if size > file.size:
            raise _other_content(server, file, f"more than {file.size:,} bytes")
        yield piece
    if digest.hexdigest() != file.sha256:
        raise _other_content(server, file, f"digest {digest.hexdigest()[:12]}")


def _other_content(server: Target, file: LedgerFile, given: str) -> PulledDamaged:
    return PulledDamaged(
        path=server.shown,
        field=file.name,
        given=given,
        expected=f"{file.size:,} bytes with the digest {file.sha256[:12]}",
        next_step="push again from a machine that has the ledger",
    )


def _counted(pieces: Iterator[bytes], progress: Progress, done: int, total: int) -> Iterator[bytes]:
    for here, piece in enumerate(pieces, 1):
        yield piece
        progress("fetching the ledger", done + here, total)


def _place(ledger: Path, name: str) -> Path:
    """Where a file goes: below the ledger folder and nowhere else, regardless of what the server says."""
    if not _NAME.fullmatch(name):
        raise PulledDamaged(field="name", given=ascii(name[:80])[1:-1], expected="a file of a ledger")
    return ledger / name


def _is_here(path: Path, file: LedgerFile) -> bool:
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    digest = sha256()
    with open(path, "rb") as source:
        while piece := source.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest() == file.sha256


def _is_concluded(folder: Path, head: str, wanted: Iterable[str]) -> bool:
    """Whether the derived set is here already, in any files: one set may be cut differently on two machines."""
    start = f"{DERIVED}{head[:16]}-"
    for name in wanted:
        rules = name.removeprefix(start).removesuffix(".jsonl.gz")
        if name.startswith(start) and rules.isdigit() and derived_files(folder, head, int(rules)):
            return True
    return False


def _only_here(ledger: Ledger, files: Mapping[str, LedgerFile]) -> Iterator[str]:
    """Live local segments, other than the shipped content, that the server does not have."""
    from kg.build.build import CONTENT_ORIGIN

    for one in ledger.manifest().segments:
        if one.origin != CONTENT_ORIGIN and f"segments/{one.name}" not in files:
            yield one.name
