"""A started server: where it answers, and how to end or kill it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tests.servers.artifacts import Unavailable

GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True)
class Server:
    """One running server; plain values, so that another process can use it too."""

    engine: str
    address: str
    """What a user gives as --store or TARGET; without user and password."""
    folder: str
    guard: int
    process: int = 0
    """The server itself, once it answered."""
    user: str = ""
    password: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def environment(self) -> dict[str, str]:
        """The variables a client needs."""
        kind = "SPARQL" if self.address.startswith("sparql") else "NEO4J"
        return {f"KG_{kind}_USER": self.user, f"KG_{kind}_PASSWORD": self.password} if self.user else {}

    def log(self) -> str:
        """The end of what the server said."""
        return (Path(self.folder) / "server.log").read_text(encoding="utf-8", errors="replace")[-2000:]

    def is_alive(self) -> bool:
        """Whether the server runs. Its guard collects it when it ends; the guard is collected here if it is a child of ours."""
        try:
            if os.waitpid(self.guard, os.WNOHANG)[0]:
                return False
        except ChildProcessError:
            pass
        try:
            os.kill(self.guard, 0)
            if self.process:
                os.kill(self.process, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        os.kill(self.process, signal.SIGKILL)
        self._wait()

    def stop(self) -> None:
        """End the server: TERM, and KILL after a while."""
        try:
            os.kill(self.guard, signal.SIGTERM)
        except ProcessLookupError:
            return
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 15
        while self.is_alive() and time.monotonic() < until:
            time.sleep(0.02)
        with suppress(ChildProcessError):  # the guard of another process of the run, or collected already
            if not self.is_alive():
                os.waitpid(self.guard, 0)  # it holds the log and the folder open for a moment after the server is gone


def start(
    engine: str,
    command: Sequence[str],
    *,
    folder: Path,
    address: str,
    ready: Callable[[], bool],
    owner: int,
    environment: Mapping[str, str] | None = None,
    patience_seconds: float = 90,
    user: str = "",
    password: str = "",
) -> Server:
    """Start a server under a guard and wait until it answers."""
    (folder / "server.pid").unlink(missing_ok=True)
    with open(folder / "server.log", "ab") as log:
        guard = subprocess.Popen(
            [sys.executable, "-S", str(GUARD), str(owner), str(folder / "server.pid"), *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
    server = Server(engine, address, str(folder), guard.pid, user=user, password=password)
    until = time.monotonic() + patience_seconds
    while not ready():
        if not server.is_alive():
            raise Unavailable(f"{engine} ended while it started: {server.log()[-600:]}")
        if time.monotonic() > until:
            server.stop()
            raise Unavailable(f"{engine} did not answer within {patience_seconds:g} s: {server.log()[-600:]}")
        time.sleep(0.05)
    return replace(server, process=int((folder / "server.pid").read_text(encoding="ascii")))


def answers(port: int) -> bool:
    """Whether something listens on a port of this machine."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False
