"""A network that breaks: a proxy before a server that ends all connections in the middle of a piece of a conversation, or
lets nothing pass any more, as where packets are dropped.

A piece is what one side sends at once. The cut lets half of it through, so that it falls inside a request or an answer.
"""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

Way = Literal["to the server", "from the server"]
WAYS: tuple[Way, ...] = ("to the server", "from the server")
_AT_ONCE = 64 << 10
_RESET = struct.pack("ii", 1, 0)
"""A connection that is closed so ends with a reset, as where a cable is drawn: nothing that waits is sent."""


class CuttingProxy:
    """Listens on a port of its own. Counts the pieces that pass each way; cuts in one of them, and after it if it lasts."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self.restart()
        threading.Thread(target=self._accept, daemon=True).start()

    def restart(self, way: Way | None = None, number: int = 0, *, lasting: bool = False, silent: bool = False) -> None:
        """Count from nothing, and cut in the piece of that number (from 1) that goes that way; without a way in none.

        Silent: all connections of then stay open and nothing passes.
        """
        with self._lock:
            self.counted = dict.fromkeys(WAYS, 0)
            self.has_cut = False
            self._way, self._number, self._lasting, self._silent = way, number, lasting, silent

    def close(self) -> None:
        """Accept nothing more and end what is open."""
        self._listening.close()
        self._end_all()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self.has_cut and self._lasting:
                _end(client)
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self._server_port))
            except OSError:  # the server is gone: so is what is behind
                _end(client)
                continue
            with self._lock:
                self._open |= {client, server}
            for source, target, way in ((client, server, WAYS[0]), (server, client, WAYS[1])):
                threading.Thread(target=self._pass_on, args=(source, target, way), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, way: Way) -> None:
        with suppress(OSError):
            target.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while piece := source.recv(_AT_ONCE):
                if self._is_to_cut(way):
                    if self._silent:
                        return
                    target.sendall(piece[: len(piece) // 2])
                    self._end_all()
                    return
                target.sendall(piece)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _is_to_cut(self, way: Way) -> bool:
        with self._lock:
            self.counted[way] += 1
            here = way == self._way and self.counted[way] == self._number
            self.has_cut |= here
            return here or (self.has_cut and self._silent)

    def _end_all(self) -> None:
        with self._lock:
            gone, self._open = self._open, set()
        for one in gone:
            _end(one)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        one.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads it
    one.close()


@contextmanager
def cutting_proxy(server_port: int) -> Iterator[CuttingProxy]:
    """A proxy for as long as it is needed."""
    proxy = CuttingProxy(server_port)
    try:
        yield proxy
    finally:
        proxy.close()
