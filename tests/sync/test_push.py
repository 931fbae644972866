"""What a push refuses to send, and what it brings up to date first; the server is a dictionary."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

import kg.ledger.lock
import kg.sync.servers
from kg.build.writing import rebuild
from kg.errors import StoreError
from kg.ledger.ledger import Ledger, with_revision
from kg.ledger.segment import SegmentDamaged
from kg.session import open_graph, push
from kg.sync.buckets import Bucket, BucketChange, Buckets
from kg.sync.push import LedgerFile, Pushed, PushState, Target, push_to
from tests.small_content import write_small_content


class Memory:
    """A server that keeps everything in dictionaries."""

    shown = "memory"

    def __init__(self) -> None:
        self.stated: PushState | None = None
        self.kept: dict[str, tuple[LedgerFile, bytes]] = {}
        self.parts: dict[int, tuple[bytes, ...]] = {}

    def state(self) -> PushState | None:
        return self.stated

    def prepare(self) -> None: ...

    def mark(self, state: PushState) -> None:
        self.stated = state

    advance = mark

    def files(self) -> dict[str, LedgerFile]:
        return {name: one for name, (one, _) in self.kept.items()}

    def put_file(self, file: LedgerFile, pieces: Iterator[bytes], run: str) -> None:  # noqa: ARG002 - named by the protocol
        self.kept[file.name] = file, b"".join(pieces)

    def drop_files(self, names: Sequence[str], run: str) -> None:  # noqa: ARG002 - named by the protocol
        for name in names:
            del self.kept[name]

    def local(self, graph: Any) -> Buckets:
        parts = Buckets()
        parts.add("view", ["head", graph.stamp["head"]])
        return parts

    def digests(self, parts: int) -> dict[int, str]:  # noqa: ARG002 - named by the protocol
        return {number: Bucket(number, lines).digest for number, lines in self.parts.items()}

    def lines(self, numbers: Sequence[int]) -> dict[int, tuple[bytes, ...]]:
        return {number: self.parts[number] for number in numbers if number in self.parts}

    def apply(self, changes: Sequence[BucketChange], run: str) -> None:  # noqa: ARG002 - named by the protocol
        self.parts.update({one.number: one.after for one in changes})

    def settle(self, run: str) -> None: ...

    def expected(self, part: Bucket) -> Sequence[int]:
        return (len(part.lines),)

    def counts(self) -> Sequence[int]:
        return (sum(map(len, self.parts.values())),)

    def wipe(self) -> None:
        self.__init__()  # type: ignore[misc]

    def close(self) -> None: ...


@pytest.fixture
def content(tmp_path: Path) -> Path:
    return write_small_content(tmp_path / "content").root


@pytest.fixture
def store(tmp_path: Path, content: Path) -> Path:
    rebuild(tmp_path / "store", content=content)
    return tmp_path / "store"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Memory:
    memory = Memory()
    monkeypatch.setattr(kg.sync.servers, "open_target", lambda *_, **__: memory)
    return memory


def push_opened(server: Memory, store: Path, content: Path, *, anew: bool = False) -> Pushed:
    """A push of the view that is there, as it is."""
    graph = open_graph(store, content=content)
    try:
        return push_to(cast(Target, server), graph, anew=anew)
    finally:
        graph.close()


@pytest.mark.parametrize("anew", [False, True])
def test_a_damaged_segment_is_not_written_over_the_good_copy_of_a_server(
    store: Path, content: Path, server: Memory, anew: bool
) -> None:
    push("neo4j://h", store=store, content=content)
    before = dict(server.kept)
    segment = store / "ledger" / "segments" / Ledger(store / "ledger").manifest().segments[0].name
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(data)
    with pytest.raises(SegmentDamaged, match="kg build"):
        push("neo4j://h", store=store, content=content, anew=anew)
    assert server.kept == before and server.stated is not None and server.stated.state == "ready"


def loaded_without_view(store: Path) -> str:
    """What a load leaves that was killed between ledger and view: the new head."""
    ledger = Ledger(store / "ledger")
    thing: dict[str, Any] = dict(next(iter(ledger.things().values())))
    changed = {key: one for key, one in thing.items() if key not in ("revision", "supersedes")}
    changed["label"] += " (corrected)"
    record = with_revision(cast(Any, changed))
    return ledger.add([record], origin="claims/x", edition="2026-11-27", scope="partial", registry="r").head


def test_a_load_that_was_cut_off_while_the_lock_was_waited_for_is_in_the_view_that_is_pushed(
    store: Path, content: Path, server: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, heads = kg.ledger.lock.writer_lock, []

    def writer_lock(folder: Path, **options: Any) -> Any:
        if options.get("purpose") == "push":
            heads.append(loaded_without_view(folder))
        return locked(folder, **options)

    monkeypatch.setattr(kg.ledger.lock, "writer_lock", writer_lock)
    pushed = push("neo4j://h", store=store, content=content)
    assert [pushed.head] == heads and server.stated is not None and server.stated.stamp["head"] == pushed.head


def test_content_that_changed_while_the_lock_was_waited_for_is_built_and_pushed(
    store: Path, content: Path, server: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked, things = kg.ledger.lock.writer_lock, content / "seeds" / "entities" / "things.yaml"

    def writer_lock(folder: Path, **options: Any) -> Any:
        if options.get("purpose") == "push":
            things.write_text(things.read_text().replace("Acme Inc", "Acme Incorporated"))
        return locked(folder, **options)

    monkeypatch.setattr(kg.ledger.lock, "writer_lock", writer_lock)
    pushed = push("neo4j://h", store=store, content=content)
    assert "Acme Incorporated" in Ledger(store / "ledger").things()["org/acme"]["aliases"]
    assert pushed.head == Ledger(store / "ledger").manifest().head


def test_a_view_of_an_older_ledger_is_not_pushed(store: Path, content: Path, server: Memory) -> None:
    graph = open_graph(store, content=content)
    loaded_without_view(store)
    with pytest.raises(StoreError, match="kg build"):
        push_to(cast(Target, server), graph)
    graph.close()
    assert server.stated is None and server.kept == {}
