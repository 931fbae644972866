"""Ports of the loopback interface for servers that tests start."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager


def free_port() -> int:
    """A port that nobody uses now.

    To be taken as it is: Linux gives listeners odd and connections even numbers first, so that a neighbour of it is
    likely to be some client's.
    """
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield int(listening.getsockname()[1])
