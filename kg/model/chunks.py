"""Text in pieces of a good size, so that it is neither held whole nor handed over in crumbs."""

from collections.abc import Iterable, Iterator


def in_pieces(texts: Iterable[str], size: int) -> Iterator[str]:
    """The same text in fewer pieces, each of at least this many characters but for the last, which may be empty.

    >>> list(in_pieces(["ab", "c", "de"], 3))
    ['abc', 'de']
    """
    waiting: list[str] = []
    length = 0
    for text in texts:
        waiting.append(text)
        length += len(text)
        if length >= size:
            yield "".join(waiting)
            waiting.clear()
            length = 0
    yield "".join(waiting)
