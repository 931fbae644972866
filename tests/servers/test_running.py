"""The servers themselves: started once, shared by the processes of a run, gone when their owner is gone."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.fixtures import NAMES, Servers, need
from tests.servers.running import GUARD, Server, answers, start


@pytest.mark.parametrize("name", NAMES)
def test_a_server_starts_once_and_answers(servers: Servers, name: str) -> None:
    with servers.alone(name):
        first, again = need(servers, name), need(servers, name)
        port = int(first.address.split(":")[2].split("/")[0])
        assert first == again
        assert answers(port)


@pytest.mark.xdist_group("virtuoso")
def test_a_server_that_was_killed_is_started_again(servers: Servers) -> None:
    with servers.alone("virtuoso"):
        before = need(servers, "virtuoso")
        before.kill()
        after = need(servers, "virtuoso")
    assert not before.is_alive()
    assert after.is_alive() and after.guard != before.guard


def test_a_guard_ends_its_server_when_the_owner_is_gone(tmp_path: Path) -> None:
    owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    pid_file = tmp_path / "server.pid"
    child = [sys.executable, "-c", "import time; time.sleep(600)"]
    guard = subprocess.Popen([sys.executable, str(GUARD), str(owner.pid), str(pid_file), *child])
    until = time.monotonic() + 20
    while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < until:
        os.sched_yield()
    running = int(pid_file.read_text())
    owner.kill()
    owner.wait()
    guard.wait(20)
    with pytest.raises(ProcessLookupError):
        os.kill(running, 0)


@pytest.mark.xdist_group("neo4j-login")
def test_a_server_shows_no_password_in_its_address(servers: Servers) -> None:
    server: Server = need(servers, "neo4j-login")
    assert server.password not in server.address
    assert server.environment() == {"KG_NEO4J_USER": "neo4j", "KG_NEO4J_PASSWORD": server.password}


@pytest.mark.parametrize("end", [Server.stop, Server.kill])
def test_what_has_ended_holds_nothing_open(tmp_path: Path, end: Callable[[Server], None]) -> None:
    """The guard has its folder and log open: a disk under them can be unmounted when it is gone, not when the server is."""
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    pid = tmp_path / "server.pid"
    for _ in range(5):  # the guard ends within a tenth of a second of its server
        server = start(
            "none",
            command,
            folder=tmp_path,
            address="none://",
            owner=os.getpid(),
            ready=lambda: pid.exists() and pid.read_text() != "",
        )
        end(server)
        with pytest.raises(ProcessLookupError):
            os.kill(server.guard, 0)
