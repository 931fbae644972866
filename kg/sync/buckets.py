"""A whole graph as lines in parts, so that two states of it are compared part by part and only differences travel.

A line belongs to the part that the hash of its owner gives (the subject of a triple, the id of a node, the start of a
relationship), so a changed record changes few parts. A server keeps the text of each part next to the data that it
describes: what is there is known exactly, whatever was cut off on the way.
"""

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b, sha256
from types import TracebackType
from typing import Any, Final, Self

import orjson

from kg.ledger.sorting import Sorter

BUCKETS: Final = 1 << 16
LINES_IN_PART: Final = 1000
"""How many lines a part has when a graph is sent for the first time; it grows with the graph."""
FEWEST_PARTS: Final = 16
MOST_BYTES: Final = 1 << 30
"""What a record of a part may unfold to: hundreds of times what one has."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """One part: its number, and its lines as JSON texts, sorted, each once."""

    number: int
    lines: tuple[bytes, ...]

    @property
    def digest(self) -> str:
        """What two equal parts have in common."""
        return digest_of(self.lines)


@dataclass(frozen=True, slots=True)
class BucketChange:
    """A part as it may be on the server, and as it is to be."""

    number: int
    before: tuple[bytes, ...]
    """All lines that may be there."""
    after: tuple[bytes, ...]
    is_certain: bool = True
    """Whether they are there for certain; else all wanted lines are brought."""

    @property
    def added(self) -> list[bytes]:
        """Lines to bring, in order."""
        known = set(self.before) if self.is_certain else set()
        return [line for line in self.after if line not in known]

    @property
    def removed(self) -> list[bytes]:
        """Lines to take away, in order."""
        wanted = set(self.after)
        return [line for line in self.before if line not in wanted]


def digest_of(lines: Iterable[bytes]) -> str:
    """A digest of lines in their order.

    >>> digest_of([b"a", b"b"]) == digest_of([b"b", b"a"])
    False
    """
    return sha256(b"\n".join(lines)).hexdigest()[:32]


def pack(lines: Iterable[bytes]) -> bytes:
    """Lines as bytes that are kept on a server.

    >>> unpack(pack([b"a", b"b"])), unpack(pack([]))
    ((b'a', b'b'), ())
    """
    return zlib.compress(b"\n".join(lines), 3)


def unpack(packed: bytes | memoryview) -> tuple[bytes, ...]:
    """The lines again. Raises ValueError, for more than `MOST_BYTES` too: a small record may unfold to any size."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MOST_BYTES)
    except zlib.error as cause:
        raise ValueError(str(cause)) from cause
    if not unpacker.eof:
        raise ValueError("cut off" if not unpacker.unconsumed_tail else f"more than {MOST_BYTES >> 20} MiB")
    return tuple(text.split(b"\n")) if text else ()


def bucket(owner: str) -> int:
    """The place of an owner: a number below `BUCKETS`, the same on every machine."""
    # Two bytes give as many places as there can be parts. `hash` of Python would differ from
    # process to process.
    return int.from_bytes(blake2b(owner.encode(), digest_size=2).digest(), "big")


def parts_for(lines: int) -> int:
    """A number of parts for a graph of this size: a power of two.

    >>> parts_for(10), parts_for(100_000)
    (16, 64)
    """
    number = FEWEST_PARTS
    while number < BUCKETS and number * LINES_IN_PART * 2 <= lines:
        number *= 2
    return number


class Buckets:
    """Takes lines in any order and gives them back part by part; they lie in sorted runs on disk meanwhile."""

    def __init__(self) -> None:
        self._sorter = Sorter()
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._sorter.close()

    def add(self, owner: str, line: Any, *, layer: int = 0) -> None:
        """One more line, a JSON value; all parts of a lower layer come before those of a higher one."""
        self._sorter.add(f"{layer}{bucket(owner):04x}", line)
        self.count += 1

    def parts(self, number: int) -> Iterator[Bucket]:
        """All parts that have lines, in order, when each layer is cut into this many, 1 to `BUCKETS`."""
        width = BUCKETS // number
        now, lines = -1, list[bytes]()
        # Lines come sorted by their key, so that those of one part lie together however many parts
        # there are.
        for item in self._sorter.lines():
            part = int(item[:1]) * number + int(item[1:5], 16) // width
            if part != now:
                if lines:
                    yield Bucket(now, _once(lines))
                now, lines = part, []
            # The line lies behind its key (a digit of the layer, four of the place) and a tab,
            # before the line end.
            lines.append(item[6:-1])
        if lines:
            yield Bucket(now, _once(lines))


def _once(lines: list[bytes]) -> tuple[bytes, ...]:
    return tuple(sorted(set(lines)))


def value(line: bytes) -> Any:
    """What a line says."""
    return orjson.loads(line)
