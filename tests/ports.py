"""Ports of the loopback interface for servers that tests start."""

import socket


def free_port() -> int:
    """A port that nobody uses now.

    To be taken as it is: Linux gives listeners odd and connections even numbers first, so that a neighbour of it is
    likely to be some client's.
    """
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
