"""Bodies and forms of requests, read within limits of size and time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl

import anyio
from starlette.requests import ClientDisconnect, Request

from kg.web.refusal import REFUSED, TOO_LARGE, TOO_SLOW, RequestRefused

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_BYTES: Final = 1 << 20
MOST_FIELDS: Final = 1_000
_SECONDS: Final = 10.0

Fields = dict[str, list[str]]


async def read_body(request: Request, *, most: int = MOST_BYTES, seconds: float = _SECONDS) -> bytes:
    """The whole body. Raises RequestRefused where it is too large, comes too slowly or breaks off."""
    body = bytearray()
    try:
        with anyio.fail_after(seconds):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise RequestRefused(TOO_LARGE, field="body", expected=f"at most {most:,} bytes")
    except TimeoutError as cause:
        raise RequestRefused(TOO_SLOW, field="body", expected=f"a body that arrives within {seconds:g} s") from cause
    except ClientDisconnect as cause:
        raise RequestRefused(REFUSED, field="body", given="a body that breaks off") from cause
    return bytes(body)


def read_text(data: bytes, field: str) -> str:
    """Text of a body. Raises RequestRefused where it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise RequestRefused(REFUSED, field=field, given=repr(data[:20]), expected="UTF-8") from cause


def read_fields(encoded: bytes, field: str) -> Fields:
    """The fields of a form or of the part of an address after `?`, each with its values.

    >>> read_fields(b"query=ASK+%7B%7D&x=1&x=", "query string")
    {'query': ['ASK {}'], 'x': ['1', '']}
    """
    try:
        # `strict`: bytes that are no UTF-8 are refused; they would else be asked for as U+FFFD.
        pairs = parse_qsl(encoded.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as cause:
        raise RequestRefused(
            REFUSED,
            field=field,
            given=repr(encoded[:40]),
            expected="fields as application/x-www-form-urlencoded, UTF-8",
        ) from cause
    return _gathered(pairs)


def read_parameters(request: Request) -> dict[str, tuple[str, ...]]:
    """What an address asks for behind its `?`: each name with its values."""
    return {name: tuple(values) for name, values in _gathered(request.query_params.multi_items()).items()}


def _gathered(pairs: Iterable[tuple[str, str]]) -> Fields:
    """Each name with its values, in one pass: asking for the values of one name after another takes the square of their number."""
    fields: Fields = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields
