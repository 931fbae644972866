"""A process that fails on every request in the way it is asked to, for `test_worker.py`."""

import sys
import time
from collections.abc import Callable
from typing import Any

from kg.stores.worker import Send, limit_resources, serve


def _raises(error: Exception) -> Callable[[], tuple[Any, ...]]:
    def fail() -> tuple[Any, ...]:
        raise error

    return fail


def _busy() -> tuple[Any, ...]:
    while True:
        pass


def _idle() -> tuple[Any, ...]:
    time.sleep(600)
    return ()


def _work(request: list[Any], _: Send) -> tuple[Any, ...]:
    if request[0] == "busy":
        limit_resources(1 << 30, 1)
        return _busy()
    if request[0] == "idle":
        return _idle()
    known = {
        "type": TypeError("unhashable type: 'list'"),
        "place": PermissionError(13, "Permission denied", "/a/b"),
    }
    return _raises(known[request[0]])()


if __name__ == "__main__":
    sys.exit(serve(_work))
