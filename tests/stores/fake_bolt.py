"""A Bolt 5.2 server on loopback that gives one row of whatever bytes a test wants.

https://neo4j.com/docs/bolt/current/: a message is a structure in PackStream, cut into chunks that two zero bytes end.
"""

import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final

_NAMES: Final = {0x01: "HELLO", 0x02: "GOODBYE", 0x0F: "RESET", 0x10: "RUN", 0x3F: "PULL"}
SUCCESS: Final = b"\xb1\x70"
FAILURE: Final = b"\xb1\x7f"
_RECORD: Final = b"\xb1\x71"
_IGNORED: Final = b"\xb0\x7e"


def text(word: str) -> bytes:
    """A string."""
    return b"\xd2" + struct.pack(">I", len(word.encode())) + word.encode()


def items(*values: bytes) -> bytes:
    """A list of less than 16 values."""
    return bytes([0x90 + len(values)]) + b"".join(values)


def mapping(**values: bytes) -> bytes:
    """A map of less than 16 entries."""
    return bytes([0xA0 + len(values)]) + b"".join(text(name) + value for name, value in values.items())


def whole(number: int) -> bytes:
    """A whole number in eight bytes."""
    return b"\xcb" + struct.pack(">q", number)


def structure(tag: int, *fields: bytes) -> bytes:
    """A node, a date and so on, by its tag."""
    return bytes([0xB0 + len(fields), tag]) + b"".join(fields)


@contextmanager
def fake_bolt(
    row: bytes = b"\x91\x01",
    said: Mapping[str, bytes] | None = None,
    *,
    version: bytes = b"\0\0\x02\x05",
    hung_up: threading.Event | None = None,
) -> Iterator[str]:
    """The address of a server that answers each query with `row`, and with `said` to messages of some names.

    With `hung_up` it sends the row without end, and sets that when nobody takes it any more.
    """
    answers = {
        "HELLO": SUCCESS + mapping(server=text("Neo4j/5.26.0"), connection_id=text("c")),
        "RUN": SUCCESS + mapping(fields=items(text("x"))),
        **(said or {}),
    }
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def listen() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(
                        target=_serve, args=(connection, version, row, answers, hung_up), daemon=True
                    ).start()

        threading.Thread(target=listen, daemon=True).start()
        yield f"bolt://127.0.0.1:{listening.getsockname()[1]}"


def _serve(
    connection: socket.socket, version: bytes, row: bytes, answers: Mapping[str, bytes], hung_up: threading.Event | None
) -> None:
    with suppress(OSError), connection, connection.makefile("rb") as asked:
        asked.read(20)
        connection.sendall(version)
        has_failed = False
        while message := _message(asked):
            name = _NAMES.get(message[1], "")
            has_failed = has_failed and name != "RESET"
            answer = _IGNORED if has_failed else answers.get(name, SUCCESS + mapping())
            has_failed = has_failed or answer.startswith(FAILURE)
            if name == "PULL" and hung_up is not None:
                _send_on(connection, _RECORD + row, hung_up)
            for one in ([_RECORD + row] if name == "PULL" and not has_failed else []) + [answer]:
                chunks = [one[at : at + 65_535] for at in range(0, len(one), 65_535)]
                connection.sendall(b"".join(struct.pack(">H", len(each)) + each for each in chunks) + b"\0\0")


def _send_on(connection: socket.socket, record: bytes, hung_up: threading.Event) -> None:
    try:
        while True:
            connection.sendall((struct.pack(">H", len(record)) + record + b"\0\0") * 100)
    finally:
        hung_up.set()


def _message(asked: BinaryIO) -> bytes:
    """The next message; nothing where the connection ended."""
    message = b""
    while size := asked.read(2):
        length = struct.unpack(">H", size)[0]
        if not length and message:
            return message
        message += asked.read(length)
    return b""
