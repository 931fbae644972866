"""A push that is killed, here or there, at any moment: done again it gives what an undisturbed push gives."""

import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from kg.errors import StoreError
from kg.stores.bolt import BoltStore
from kg.stores.sparql_endpoint import SparqlEndpoint
from kg.sync import push as push_module
from kg.sync.push import PushState
from kg.sync.servers import open_target
from tests.servers.conftest import Local
from tests.servers.content import digest, wipe
from tests.servers.pusher import SMALL_GROUPS
from tests.servers.restartable import Restartable, needed
from tests.servers.running import Server

ROOT = Path(__file__).resolve().parents[2]
CHANGES = 40
"""About as many changes as a push of the small content makes on a server."""
SOON = 17
MANY = [pytest.param(number, marks=pytest.mark.long) for number in range(1, 41, 2) if number != SOON]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(
            "neo4j", marks=pytest.mark.long
        ),  # starts twice, half a minute: its clients are killed in every run
        "fuseki",
        "virtuoso",
    ],
)
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restartable]:
    made = needed(request.param, tmp_path_factory.mktemp(request.param))
    yield made
    made.server.stop()


def _undisturbed(local: Local, server: Server) -> str:
    wipe(server)
    local.push(server)
    return digest(server)


def _state(server: Server) -> PushState | None:
    target = open_target(server.address)
    state = target.state()
    target.close()
    return state


@pytest.mark.parametrize("number", [SOON, *MANY])
def test_a_client_that_is_killed_is_resumed(empty_server: Server, local: Local, tmp_path: Path, number: int) -> None:
    server = empty_server
    killed = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.servers.pusher",
            server.address,
            str(local.store),
            str(local.content),
            str(number),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert killed.returncode in (-9, 0), killed.stderr
    state = _state(server)
    assert killed.returncode == 0 or state is None or state.state in ("pushing", "ready")
    local.load(tmp_path, "came.meanwhile")  # what is pushed next is not what was being pushed
    local.push(server)
    after, ready = digest(server), _state(server)
    assert ready is not None and ready.state == "ready"
    assert after == _undisturbed(local, server)


@pytest.mark.parametrize("number", [SOON, *MANY])
def test_a_server_that_is_killed_is_resumed(
    own: Restartable, local: Local, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(push_module, "CHANGED_AT_ONCE", SMALL_GROUPS)
    server = own.start_again()
    wipe(server)
    with monkeypatch.context() as patched:
        timers = _kill_in(patched, number, server)
        with suppress(StoreError):
            local.push(server)
    for one in timers:
        one.join()
    assert bool(timers) != server.is_alive()
    server = own.start_again()
    local.push(server)
    after = digest(server)
    assert after == _undisturbed(local, server)


def _kill_in(patched: pytest.MonkeyPatch, number: int, server: Server) -> list[threading.Timer]:
    """The n-th change of the server starts a timer that kills the server in the midst of it."""
    timers: list[threading.Timer] = []
    moment = random.Random(number).uniform(0, 0.03)
    count = 0

    def watched(original: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            nonlocal count
            count += 1
            if count == number:
                timers.append(threading.Timer(moment, server.kill))
                timers[0].start()
            return original(*arguments, **options)

        return call

    patched.setattr(BoltStore, "write", watched(BoltStore.write))
    patched.setattr(SparqlEndpoint, "update", watched(SparqlEndpoint.update))
    patched.setattr(SparqlEndpoint, "add", watched(SparqlEndpoint.add))
    return timers
