"""Answers that were made once, kept for as long as the data they were made from is live; a browser keeps its copy.

A page is a function of the generation, the attached texts and the address, a result of the endpoint one of the generation
and the query, so that nothing is kept by time. What is live is looked up for each request: three calls of `stat`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from sys import getsizeof
from typing import TYPE_CHECKING, Final

from anyio import Lock, get_current_task, move_on_after
from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request

MOST_BYTES: Final = 64 << 20
"""Bytes of all pages that are kept; those asked for longest ago go first."""
MOST_OF_ONE: Final = 4 << 20
"""Bytes of one page that is kept."""
_BESIDES: Final = 1_000
"""Bytes of an entry on top of its body and the texts of its key, about: headers, and the places that hold them."""
_SECONDS_TO_WAIT: Final = 5.0
_SAFE: Final = ("GET", "HEAD")
_TOLD: Final = frozenset({"etag", "cache-control", "vary", "content-location", "x-rows-shown"})
"""Headers of an answer that an answer without a body has too (RFC 9110, section 15.4.5)."""


@dataclass(slots=True)
class KeptAnswer:
    """An answer as it is sent. Its validator is made for the first GET: to a POST it says nothing, and a large body takes long."""

    body: bytes
    headers: Mapping[str, str]
    _tag: str | None = None

    def sent_to(self, request: Request) -> Response:
        """The answer, or 304 where the client says that it has it."""
        if request.method not in _SAFE:
            return Response(self.body, 200, self.headers)
        headers = {**self.headers, "etag": self._validator()}
        if _has(request.headers.get("if-none-match", ""), headers["etag"]):
            return Response(None, 304, {name: value for name, value in headers.items() if name in _TOLD})
        return Response(self.body, 200, headers)

    def _validator(self) -> str:
        if self._tag is None:
            form = self.headers.get("content-type", "").encode()
            # Of the type too: the same bytes as two types are two answers to a browser.
            self._tag = f'"{blake2b(self.body, digest_size=16, key=blake2b(form).digest()).hexdigest()}"'
        return self._tag


@dataclass(slots=True)
class AnswerCache:
    """Answers of one state by key, the ones that were asked for last; those of an earlier state are dropped.

    For one event loop. Only whole answers with the status 200 are kept.
    """

    most_bytes: int = MOST_BYTES
    most_of_one: int = MOST_OF_ONE
    size: int = 0
    _state: Hashable = None
    _answers: OrderedDict[Hashable, KeptAnswer] = field(default_factory=OrderedDict)

    def find(self, state: Hashable, key: Hashable) -> KeptAnswer | None:
        """The answer that is kept under a key for this state."""
        # By the state and not by a time to live, which would be right only until the next build (decision 42).
        if state != self._state:
            self._state, self.size = state, 0
            self._answers.clear()
            return None
        kept = self._answers.get(key)
        if kept is not None:
            self._answers.move_to_end(key)
        return kept

    def keep(self, state: Hashable, key: Hashable, made: Response) -> KeptAnswer | None:
        """Keep an answer that was made for a state, unless the data moved on meanwhile; None where it cannot be kept."""
        if made.status_code != 200 or not isinstance(getattr(made, "body", None), bytes):
            return None
        kept = _kept(made)
        size = _size(key, kept)
        # Another request may have made it meanwhile: its size is counted once.
        if state == self._state and size <= self.most_of_one and key not in self._answers:
            self._answers[key] = kept
            self.size += size
            while self.size > self.most_bytes:
                self.size -= _size(*self._answers.popitem(last=False))
        return kept


@dataclass(slots=True)
class PageCache:
    """Pages by address; who asks for one that is being made waits for it, so that a hundred readers cost one page."""

    answers: AnswerCache = field(default_factory=AnswerCache)
    _making: dict[Hashable, tuple[Lock, int]] = field(default_factory=dict)

    async def answer(
        self, request: Request, state: Hashable | None, make: Callable[[], Awaitable[Response]]
    ) -> Response:
        """The answer to a GET in a state of the data; without a state nothing is kept."""
        if state is None or request.method not in _SAFE:
            return await make()
        key = request.scope["path"], request.scope["query_string"]
        kept = self.answers.find(state, key)
        if kept is not None:
            return kept.sent_to(request)
        async with self._alone((state, key)):
            kept = self.answers.find(state, key)
            if kept is None:
                made = await make()
                kept = self.answers.keep(state, key, made)
                if kept is None:
                    return made
        return kept.sent_to(request)

    @asynccontextmanager
    async def _alone(self, key: Hashable) -> AsyncIterator[None]:
        """Holds the making of one answer; the lock is dropped with the last who waits for it."""
        lock, waiting = self._making.get(key, (Lock(), 0))
        self._making[key] = lock, waiting + 1
        try:
            # Who has waited long makes the page without the lock: pages that fail slowly would queue up otherwise
            with move_on_after(_SECONDS_TO_WAIT):
                await lock.acquire()
            yield
        finally:
            if lock.statistics().owner == get_current_task():
                lock.release()
            lock, waiting = self._making[key]
            if waiting == 1:
                del self._making[key]
            else:
                self._making[key] = lock, waiting - 1


def _size(key: Hashable, kept: KeptAnswer) -> int:
    """Bytes that an entry takes: a client chooses how long its address or query is, and the answer may be a word."""
    return len(kept.body) + _texts_of(key) + _BESIDES


def _texts_of(key: Hashable) -> int:
    if isinstance(key, tuple):
        return sum(map(_texts_of, key))
    return getsizeof(key) if isinstance(key, str | bytes) else 0


def _kept(made: Response) -> KeptAnswer:
    # A browser asks each time whether what it has still holds: a build changes every page at once
    return KeptAnswer(bytes(made.body), {"cache-control": "no-cache", **made.headers})


def _has(header: str, tag: str) -> bool:
    """Whether one of the tags of `If-None-Match` is this one, by weak comparison.

    >>> _has('W/"a", "b"', '"a"'), _has("*", '"a"'), _has('"ab"', '"a"')
    (True, True, False)
    """
    return header.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in header.split(",")[:100])
