"""Rows of a Bolt server within bounds: the driver itself takes all that a server sends, for as long as it sends."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from kg.stores.http_client import AnswerTooLong

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Record, Result

_ROW: Final = 128
"""About what a row takes in addition to its values."""
_VALUE: Final = 32


def within(most_bytes: int, transaction: "ManagedTransaction", result: "Result") -> Iterator["Record"]:
    """The rows of a result; raises AnswerTooLong where they would take more than `most_bytes`."""
    size = 0
    for record in result:
        size += _ROW + sum(map(_size, record.values()))
        if size > most_bytes:
            hang_up(transaction)  # the driver would read the rest of them to the end
            raise AnswerTooLong(
                given=f"an answer of more than {most_bytes >> 20} MiB",
                expected="less at once",
                next_step="write a LIMIT into the query, or ask a narrower one",
            )
        yield record


def hang_up(user: object) -> None:
    """End the connection of a session or transaction at once, from any thread.

    The driver has no public way: to close a session is to wait for its server.
    """
    end = getattr(getattr(user, "_connection", None), "kill", None)
    if end is not None:
        with suppress(OSError):
            end()


def _size(value: Any) -> int:
    if isinstance(value, str | bytes | bytearray):
        return _VALUE + len(value)
    if isinstance(value, list | tuple):
        return _VALUE + sum(map(_size, value))
    # a node or a relationship of the driver has items, and is no Mapping
    if isinstance(value, Mapping) or (hasattr(value, "items") and hasattr(value, "element_id")):
        return _VALUE + sum(_size(name) + _size(one) for name, one in value.items())
    return _VALUE
