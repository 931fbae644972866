"""What is written as text comes out as text: characters that steer a terminal are shown as escapes, never sent.

Labels, documents and arguments are not ours, so this holds for everything that goes through standard output and error,
whoever writes it. Two things go past it by `sent`: what we style ourselves out of cells that are shown already, and data
for a file or another program.
"""

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from json import dumps
from typing import Any, BinaryIO, TextIO, cast

from kg.cli.colour import coloured, takes_colour
from kg.render.cells import visible
from kg.render.lines import wrapped


class ShownStream(io.TextIOWrapper):
    """A text stream that shows what would steer a terminal; onto a terminal with colours verdicts go in theirs."""

    def write(self, text: str, /) -> int:
        """Write a text as it is to be seen."""
        super().write(coloured(visible(text)) if takes_colour(self) else visible(text))
        return len(text)

    def send(self, text: str) -> int:
        """Write a text as it is."""
        return super().write(text)


class _Sent(io.TextIOBase):
    """The same stream without the showing."""

    def __init__(self, stream: ShownStream) -> None:
        self._stream = stream

    def write(self, text: str, /) -> int:
        return self._stream.send(text)

    def flush(self) -> None:
        self._stream.flush()

    def __del__(self) -> None:
        """Nothing: the stream is not this one's to close, and Python 3.14 tells of an error in it, such as a closed pipe."""

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding


def sent(stream: TextIO) -> TextIO:
    """A stream that takes what is ours, escape sequences too."""
    return cast(TextIO, _Sent(stream)) if isinstance(stream, ShownStream) else stream


def data_stream() -> TextIO:
    """Where data goes: as it is into a file or a pipe, as it is to be seen onto a terminal."""
    return sys.stdout if sys.stdout.isatty() else sent(sys.stdout)


def say(text: str) -> None:
    """Write a message to standard error: onto a terminal in lines that fit it, for it would fold ids and figures."""
    try:
        print(_fitted(text, sys.stderr), file=sys.stderr, flush=True)
    except OSError:
        # A message that nobody can get, on a full disk say, must not end a command that has an answer; what is left of
        # it would fail again at the end of the process.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _fitted(text: str, stream: TextIO) -> str:
    """A text as it is, or onto a terminal with its longer lines broken between words; each keeps its indent."""
    try:
        room = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except OSError:
        room = 0
    if room == 0:
        return text
    lines: list[str] = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        lines += wrapped(line, f"{indent}  ", first=indent, columns=room) if len(line) > room else [line]
    return "\n".join(lines)


class _Bytes(io.RawIOBase):
    """Takes UTF-8 and shows it on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        # Incremental: a character may be cut between two writes.
        self._stream, self._decoder = stream, codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._stream.write(self._decoder.decode(bytes(data)))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def data_bytes() -> BinaryIO:
    """Where data goes that is bytes already; onto a terminal it goes as text."""
    return cast(BinaryIO, _Bytes(sys.stdout)) if sys.stdout.isatty() else sys.stdout.buffer


@contextmanager
def shown_streams() -> Iterator[None]:
    """Show what goes to standard output and error. Characters that their encoding does not have are escaped too."""
    codecs.register_error("kg.escape", _escaped)
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_showing(stream) for stream in before)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            # Detached, or the stream would close what it writes to as soon as nobody holds it.
            if isinstance(stream, ShownStream):
                with suppress(OSError, ValueError):  # a reader that has gone away
                    stream.detach()
        sys.stdout, sys.stderr = before


def _showing(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    return ShownStream(
        stream.buffer,
        encoding=stream.encoding,
        errors="kg.escape",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def moved(stream: TextIO, descriptor: int) -> TextIO:
    """The same stream onto another descriptor, which it closes at its end."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    return type(stream)(
        open(descriptor, "wb"),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=True,
    )


def _escaped(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    given = error.object[error.start : error.end]
    signs = ("-" if "\u2500" <= sign <= "\u257f" else dumps(sign)[1:-1] for sign in given)  # lines of tables are lines
    return "".join(signs), error.end
