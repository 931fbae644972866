"""A full disk under a push, on the server and here: an error of ours, and done again with space everything is there and right."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import StoreError
from kg.ledger.lock import StoreFull
from kg.ledger.sorting import Sorter
from kg.session import open_graph, push
from kg.sync import push as push_module
from tests.servers.conftest import Local
from tests.servers.content import digest, wipe
from tests.servers.pusher import SMALL_GROUPS
from tests.servers.restartable import Restartable, needed
from tests.servers.running import Server
from tests.small_content import write_small_content
from tests.small_disk import SmallDisk, small_disk, small_file_system

__all__ = ["small_disk"]
SERVER_BYTES = 512 << 20
PAGE = 4
"""KiB in which a file system in memory gives space away."""
FREE = (0, *(pytest.param(kib, marks=pytest.mark.long) for kib in (PAGE, 16, 64, 128, 256, 512, 1024, 4096)))
"""KiB that a server has left when a push begins."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("neo4j", marks=pytest.mark.long),  # starts three times; it is full as the others are, and slower
        "fuseki",
        "virtuoso",
    ],
)
def full(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Restartable, SmallDisk]]:
    """A server whose data lie on a small disk."""
    with small_file_system(tmp_path_factory.mktemp("servers") / "disk", SERVER_BYTES) as disk:
        made = needed(request.param, disk.folder / request.param)
        yield made, disk
        made.server.stop()


def undisturbed(local: Local, server: Server) -> str:
    wipe(server)
    local.push(server)
    return digest(server)


@pytest.mark.parametrize("free", FREE)
def test_a_server_that_is_full_is_named_and_ended_by_the_next_push(
    full: tuple[Restartable, SmallDisk], local: Local, monkeypatch: pytest.MonkeyPatch, free: int
) -> None:
    monkeypatch.setattr(push_module, "CHANGED_AT_ONCE", SMALL_GROUPS)
    made, disk = full
    server = made.start_again()
    wipe(server)
    disk.leave(free)
    ended: StoreError | None = None
    try:
        local.push(server)
    except StoreError as error:
        ended = error
    print(f"{server.engine}, {free} KiB left: {ended.given if ended else 'went through'}")
    assert ended is None or "127.0.0.1" in str(ended.path), "the server is named, not the store here"
    assert ended is not None or free
    disk.free()
    server.kill()
    server = made.start_again()
    local.push(server)
    after = digest(server)
    assert after == undisturbed(local, server)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["few", "every"])
def test_a_push_that_finds_no_space_here_says_so_and_is_done_again(
    fuseki_server: Server, small_disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: bool
) -> None:
    """The store and the temporary files lie on the full disk; space grows page by page until the push goes through."""
    content, store = write_small_content(tmp_path / "content").root, small_disk.folder / "store"

    def pushed() -> str:
        push(fuseki_server.address, store=store, content=content)
        return digest(fuseki_server)

    open_graph(store, content=content).close()
    wipe(fuseki_server)
    whole = pushed()
    monkeypatch.setattr(Sorter.__init__, "__kwdefaults__", {"run_bytes": 16 << 10})
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk.folder))
    refused = 0
    for kib in range(0, 1024, PAGE) if every else (0, PAGE, 1024):
        wipe(fuseki_server)
        small_disk.leave(kib)
        try:
            assert pushed() == whole
            break
        except StoreFull:
            refused += 1
        finally:
            small_disk.free()
        assert not (store / "writer.owner").exists()
        assert pushed() == whole
    print(f"refused {refused} times, the push went through with {kib} KiB")
    assert refused > 1
