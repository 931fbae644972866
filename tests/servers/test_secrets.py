"""A password is nowhere to be read: not in output, errors, logs, process lists, or files of the store."""

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sampling import first
from tests.servers.conftest import Local
from tests.servers.content import wipe
from tests.servers.fixtures import Servers, reserved
from tests.servers.running import Server
from tests.small_content import ROOT

NAMES = ("neo4j-login", "fuseki-login", "virtuoso-login")
WRONG = "not-the-password-7"


@pytest.fixture(params=NAMES)
def guarded(request: pytest.FixtureRequest, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Each server that wants a login, empty of ours."""
    with reserved(servers, request.param) as server:
        with monkeypatch.context() as patched:
            for name, value in server.environment().items():
                patched.setenv(name, value)
            wipe(server)
        yield server


class Watched:
    """Runs `kg` and looks at its command line and at those of its children while it runs."""

    def __init__(self, local: Local, home: Path) -> None:
        self._local, self._home = local, home
        self.lines: set[str] = set()

    def __call__(self, *arguments: str, **extra: str) -> "subprocess.CompletedProcess[str]":
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self._home),
            "XDG_DATA_HOME": str(self._home),
            "PYTHONPATH": str(ROOT),
            "PYTHONIOENCODING": "utf-8",
            "KG_STORE": str(self._local.store),
            **extra,
        }
        command = [
            sys.executable,
            "-c",
            "from kg.cli import main; main()",
            *arguments,
            "--content",
            str(self._local.content),
        ]
        running = subprocess.Popen(
            command,
            env=environment,
            cwd=self._home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(0.01):
                for path in Path("/proc").glob("[0-9]*/cmdline"):
                    try:
                        self.lines.add(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
                    except OSError:
                        continue

        looking = threading.Thread(target=look)
        looking.start()
        out, told = running.communicate(timeout=120)
        ended.set()
        looking.join()
        return subprocess.CompletedProcess(command, running.returncode, out, told)


def _read(server: Server) -> tuple[str, ...]:
    """A command that reads from a server; Virtuoso is not asked questions."""
    question = ("status",) if server.engine == "virtuoso" else ("ask", "meta/store")
    return (*question, "--store", server.address)


@pytest.mark.parametrize("guarded", first(2, NAMES), indirect=True)
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="process lists are read from /proc")
def test_a_password_from_the_environment_shows_nowhere(local: Local, guarded: Server, tmp_path: Path) -> None:
    kg = Watched(local, tmp_path)
    login = guarded.environment()
    done = [
        kg("push", guarded.address, **login),
        kg(*_read(guarded), "--format", "json", **login),
        kg("status", "--store", guarded.address, **login),
        kg("pull", guarded.address, "--store", str(tmp_path / "pulled"), "--format", "json", **login),
    ]
    assert [one.returncode for one in done] == [0, 0, 0, 0], done
    shown = "".join(one.stdout + one.stderr for one in done) + "".join(kg.lines)
    assert any(" --format json" in line for line in kg.lines), "the process list was not read"
    assert guarded.password not in shown
    files = [path for folder in (local.store, tmp_path / "accelkg", tmp_path / "pulled") for path in folder.rglob("*")]
    assert not [path for path in files if path.is_file() and guarded.password.encode() in path.read_bytes()]


def test_a_missing_or_wrong_password_is_an_error_without_it(local: Local, guarded: Server, tmp_path: Path) -> None:
    kg = Watched(local, tmp_path)
    wrong = {name: WRONG if name.endswith("PASSWORD") else value for name, value in guarded.environment().items()}
    for login in ({}, wrong):
        done = kg(
            *(("push", guarded.address) if guarded.engine == "virtuoso" else _read(guarded)), KG_DEBUG="", **login
        )
        assert done.returncode == 3, done
        assert "kg explain store.login" in done.stderr and "Traceback" not in done.stderr
        assert WRONG not in done.stdout + done.stderr


def test_a_password_in_an_address_is_refused_and_not_repeated(local: Local, tmp_path: Path) -> None:
    kg = Watched(local, tmp_path)
    for command in (
        ("push", f"neo4j://kg:{WRONG}@localhost:1"),
        ("ask", "meta/store", "--store", f"sparql+http://kg:{WRONG}@localhost:1/kg"),
    ):
        done = kg(*command)
        assert done.returncode == 2 and "kg explain store.address" in done.stderr
        assert WRONG not in done.stdout + done.stderr


@pytest.mark.parametrize("guarded", first(1, NAMES), indirect=True)
def test_at_a_terminal_the_password_is_asked_for_and_not_echoed(local: Local, guarded: Server, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "KG_STORE": str(local.store),
        "TERM": "dumb",
    }
    running = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from kg.cli import main; main()",
            "push",
            guarded.address,
            "--content",
            str(local.content),
        ],
        env=environment,
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),  # noqa: PLW1509 - a terminal of its own
    )
    os.close(theirs)
    seen = b""
    answers = {b"user: ": guarded.user, b"password: ": guarded.password}
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other side is gone
            break
        if not piece:
            break
        seen += piece
        for prompt in list(answers):
            if prompt in seen:
                os.write(ours, (answers.pop(prompt) + "\n").encode())
    running.wait(60)
    os.close(ours)
    assert running.returncode == 0, seen.decode(errors="replace")
    assert answers == {} and guarded.password.encode() not in seen
    assert b"lines added" in seen
