"""Opens text files: digest, unpacking, encoding, lines of bounded length."""

import codecs
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from kg.ingest import limits
from kg.ingest.errors import FileDamaged, FileMissing, LimitExceeded
from kg.ingest.foreign import foreign_bytes

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
Watch = Callable[[int], None]
"""Hears how many bytes of the file have been read."""


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    total = sha256()
    try:
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                total.update(chunk)
    except OSError as cause:
        raise FileMissing(
            path=str(path), given=cause.strerror or str(cause), expected="a file that can be read"
        ) from cause
    return total.hexdigest()


def is_packed(path: Path) -> bool:
    """Whether a file is gzip, by its first bytes."""
    with open(path, "rb") as file:
        return file.read(2) == b"\x1f\x8b"


class _Watched(io.RawIOBase):
    def __init__(self, file: io.RawIOBase, watch: Watch) -> None:
        self._file, self._watch = file, watch

    def readable(self) -> bool:
        return True

    def readinto(self, target: object) -> int:
        count = int(self._file.readinto(target) or 0)  # type: ignore[arg-type]
        self._watch(count)
        return count


@contextmanager
def opened_bytes(path: Path, watch: Watch | None = None) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked by the isolated process where it is gzip."""
    if is_packed(path):
        with foreign_bytes(path, "gz") as stream:
            yield io.BufferedReader(stream, buffer_size=1 << 20)
        return
    with open(path, "rb", buffering=0) as file:
        raw: io.RawIOBase = _Watched(file, watch) if watch is not None else file
        yield io.BufferedReader(raw, buffer_size=1 << 20)


def encoding_of(start: bytes, wanted: str) -> tuple[str, int]:
    r"""The codec of a file and the length of its byte-order mark.

    >>> encoding_of(b"\xff\xfea\0", "auto"), encoding_of(b"abc", "auto"), encoding_of(b"abc", "latin-1")
    (('utf-16-le', 2), ('utf-8', 0), ('latin-1', 0))
    """
    for mark, name in _BOMS:
        if start.startswith(mark) and wanted in ("auto", name, name[:6]):
            return name, len(mark)
    return {"auto": "utf-8", "utf-16": "utf-16-le"}.get(wanted, wanted), 0


def text_chunks(path: Path, stream: io.BufferedReader, wanted: str = "auto") -> Iterator[str]:
    """The text of a file in pieces. Half a character at the very end of a UTF-16 file is dropped; other damage is refused."""
    name, mark = encoding_of(stream.peek(4)[:4], wanted)
    stream.read(mark)
    decoder = codecs.getincrementaldecoder(name)("strict")
    line = 1
    while True:
        chunk = stream.read1(1 << 18)
        try:
            text = decoder.decode(chunk) if chunk else _rest(decoder, name)
        except UnicodeDecodeError as cause:
            raise FileDamaged(
                path=str(path),
                line=line + cause.object[: cause.start].count(b"\n"),
                given=f"byte {cause.object[cause.start]:#04x}",
                expected=f"{name} text",
                next_step="save the file as UTF-8, or name its encoding in the mapping",
            ) from cause
        if "\0" in text:
            raise FileDamaged(
                path=str(path),
                line=line + text[: text.index("\0")].count("\n"),
                given="a NUL character",
                expected=f"{name} text",
                next_step="the file is binary, or in an encoding of two or four bytes a character without its mark",
            )
        line += text.count("\n")
        if text:
            yield text
        if not chunk:
            return


def _rest(decoder: codecs.IncrementalDecoder, name: str) -> str:
    left = decoder.getstate()[0]
    if name.startswith("utf-16") and len(left) == 1:
        return ""
    return decoder.decode(b"", final=True)


def text_lines(path: Path, chunks: Iterator[str]) -> Iterator[str]:
    """Lines with their ends, none longer than the limit; a carriage return alone ends no line."""
    left, number = "", 0
    for chunk in chunks:
        lines = (left + chunk).split("\n")
        left = lines.pop()
        for line in lines:
            number += 1
            if len(line) > limits.LINE:
                _too_long(path, number)
            yield line + "\n"
        if len(left) > limits.LINE:
            _too_long(path, number + 1)
    if left:
        yield left


def _too_long(path: Path, number: int) -> None:
    raise LimitExceeded(
        path=str(path), line=number, given=f"a line of more than {limits.LINE} characters", expected="shorter lines"
    )
