"""Servers of one test module that are killed, or fail, and are started again on the same port and data."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers import engines
from tests.servers.artifacts import Unavailable
from tests.servers.running import Server

_STARTERS: dict[str, Callable[..., Server]] = {
    "neo4j": engines.start_neo4j,
    "fuseki": lambda folder, **options: engines.start_fuseki(folder, durable=True, **options),
    "virtuoso": engines.start_virtuoso,
}


class Restartable:
    """A server of one test module that can be killed and started again on the same port and data."""

    def __init__(self, engine: str, folder: Path) -> None:
        self._engine, self._folder = engine, folder
        self.server = self._start(None)

    def _start(self, port: int | None) -> Server:
        return _STARTERS[self._engine](self._folder, owner=os.getpid(), port=port)

    def start_again(self) -> Server:
        if not self.server.is_alive():
            self.server = self._start(int(self.server.address.split(":")[2].split("/")[0]))
        return self.server


def needed(engine: str, folder: Path) -> Restartable:
    """A server that can be started again, or a skip that says why; with KG_REQUIRE_SERVERS=1 a failure."""
    try:
        return Restartable(engine, folder)
    except Unavailable as why:
        text = f"no server: {engine}: {why}"
        if os.environ.get("KG_REQUIRE_SERVERS") == "1":
            pytest.fail(text, pytrace=False)
        pytest.skip(text)
