"""`kg serve --workers N` as a program: several processes answer on one port, one that dies is replaced, none is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.web.serving import Served

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list processes")
CLAIM = "/claim/002/r1.gb200.offline.per-accelerator"


def serving_processes(parent: int) -> set[int]:
    """The processes that answer: children of the first one, but for the helper of Python that cleans up after them."""
    tasks = Path(f"/proc/{parent}/task").iterdir()
    found = {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    return {pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()}


def wait_until(holds: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def is_gone(pid: int) -> bool:
    with suppress(FileNotFoundError):
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    return True


@pytest.fixture
def started(store: Path) -> Iterator[tuple[subprocess.Popen[str], Served]]:
    command = [sys.executable, "-m", "kg", "serve", "--port", "0", "--workers", "2", "--store", str(store)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    address = next(line for line in process.stderr if "serving on" in line).split("serving on ")[1].split()[0]
    try:
        yield process, Served(int(address.rstrip("/").rpartition(":")[2]))
    finally:
        process.kill()
        process.wait(20)


def test_one_that_dies_is_replaced_and_all_end_together(started: tuple[subprocess.Popen[str], Served]) -> None:
    process, server = started
    assert server.request("GET", CLAIM).status == 200
    before = serving_processes(process.pid)
    assert len(before) == 2
    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: len(serving_processes(process.pid) - before) == 1, "another is started")
    assert [server.request("GET", CLAIM).status for _ in range(4)] == [200] * 4
    every = serving_processes(process.pid)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert all(map(is_gone, every))


def test_none_stays_when_the_first_is_killed(started: tuple[subprocess.Popen[str], Served]) -> None:
    process, server = started
    assert server.request("GET", "/sparql?query=ASK%7B%7D").status == 200
    every = serving_processes(process.pid)
    process.kill()
    wait_until(lambda: all(map(is_gone, every)), "they end with it")


def test_a_review_is_decided_in_one_process(tmp_path: Path) -> None:
    proposals = tmp_path / "proposals.yaml"
    command = [sys.executable, "-m", "kg", "serve", "--workers", "2", "--review", str(proposals)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "another --port" in done.stderr
