"""Whether a stream of a PDF unfolds without end: asked before the file is opened, since what opens it has no such bound."""

import re
import zlib
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Final

from kg.reading import limits
from kg.reading.errors import ReportTooLarge

# the end of a dictionary and the word that begins its stream
_STREAM: Final = re.compile(rb">>\s{0,4}stream\r?\n")
_DICTIONARY: Final = 2000
"""Bytes before a stream in which its dictionary is looked for."""
_PIECE: Final = 1 << 20


def refuse_bombs(data: bytes) -> None:
    """Raise ReportTooLarge (report.limit) where a compressed stream that is no picture unfolds to more than is read."""
    whole = 0
    for stream in _STREAM.finditer(data):
        # the dictionary of this object: what is before its " obj" is of another one
        head = data[max(0, stream.start() - _DICTIONARY) : stream.start()].rpartition(b" obj")[2]
        layers = head.count(b"/FlateDecode") + len(re.findall(rb"/Fl\b", head))
        if not layers or re.search(rb"/Subtype\s*/Image\b", head):
            continue  # pictures are not unfolded for their text
        folded: Iterator[bytes] = (data[at : at + _PIECE] for at in range(stream.end(), len(data), _PIECE))
        size = 0
        for piece in reduce(lambda pieces, _: _unfolded(pieces), range(layers), folded):
            size, whole = size + len(piece), whole + len(piece)
            if size > limits.PDF_STREAM or whole > limits.PDF_STREAMS:
                raise ReportTooLarge(
                    given=f"a compressed stream at byte {stream.end()} that unfolds to more than {size >> 20} MB",
                    expected=f"a PDF whose streams unfold to at most {limits.PDF_STREAM >> 20} MB each, "
                    f"{limits.PDF_STREAMS >> 20} MB together",
                    next_step="It is a decompression bomb or damaged: get the file again, or print it to a new PDF",
                )


def _unfolded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What a compressed stream unfolds to, piece by piece, up to its own end or its first fault."""
    inflate = zlib.decompressobj()
    try:
        for piece in pieces:
            waiting = piece
            while waiting and not inflate.eof:
                yield inflate.decompress(waiting, _PIECE)
                waiting = inflate.unconsumed_tail
            if inflate.eof:
                return
    except zlib.error:  # the bytes only look like a stream, or are damaged: the reader says so
        return
