"""Connections with a time for a whole request, headers too: httpx has one for each piece alone, and a piece may be a byte."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any


class TimedConnections:
    """The connections of one thread."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self.is_over = False
        """Whether the time of the request was over before it ended."""

    def note(self, event: str, stated: Mapping[str, Any]) -> None:
        """Remember what a request opens; `event` is a name of the `trace` extension of httpcore."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            opened = stated["return_value"].get_extra_info("socket")
            self._sockets = [*(one for one in self._sockets if one.fileno() >= 0), opened]
            if self.is_over:
                self._end()

    @contextmanager
    def ended_after(self, seconds: float) -> Iterator[None]:
        """End the connections when the time is over: what waits for them gets an error, or an answer that is cut off."""
        self.is_over = False
        timer = threading.Timer(seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # one that is about to end them does not end those of the next request

    def _end(self) -> None:
        self.is_over = True  # before the list is read: a connection that is noted meanwhile is ended by who notes it
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
