"""Connections with bounds: a client that sends or takes its bytes too slowly is let go, and a head has a size."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

if TYPE_CHECKING:
    from starlette.types import ASGIApp

SECONDS_TO_SEND: Final = 20.0
"""How long a request may take to arrive, from its first byte to its last."""
SECONDS_TO_TAKE: Final = 20.0
"""How long a client may leave an answer lying when the buffers are full."""
_MOST_CONNECTIONS: Final = 512
"""Connections and requests at once; above it a request is answered 503 and nothing is made for it."""
_MOST_HEAD: Final = 65_536
"""Bytes of a request before its body: more than `kg.web.safety` accepts of address and headers together, so that one that
is too long there gets what is accepted."""
_SECONDS_IDLE: Final = 5
"""How long a connection is kept on which nothing is asked."""
_MOST_GATHERED: Final = 65_536
"""Bytes of a part that waits for the end of the turn; a longer one goes at once, as a call of its own."""


class GatheredWrites:
    """A transport that sends at once what is written in one turn of the loop: head and body of an answer go together.

    Each of them by itself is a call of the system, and wakes the client.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send it at the end of this turn; what is long goes now."""
        if len(data) > _MOST_GATHERED:
            self.flush()
            self._transport.write(data)
        elif data:
            if not self._parts:
                self._loop.call_soon(self.flush)
            self._parts.append(data)

    def flush(self) -> None:
        """Send what was written."""
        parts, self._parts = self._parts, []
        if parts and not self._transport.is_closing():
            self._transport.write(b"".join(parts))

    def close(self) -> None:
        """Close it when everything is sent."""
        self.flush()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class BoundedConnection(H11Protocol):
    """The protocol of the server with clocks for what a client sends and takes."""

    seconds_to_send = SECONDS_TO_SEND
    seconds_to_take = SECONDS_TO_TAKE
    _sending: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(asyncio.Transport, GatheredWrites(transport, self.loop)))
        self._start_sending()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_sending()
        # Who waits until the client takes more is let go on, and the clock for that ends with the
        # connection.
        self.resume_writing()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """The clock of a request runs while a part of it is missing."""
        super().handle_events()
        # IDLE: the head is not whole; SEND_BODY: the body is not. Anything else is a request that
        # is there.
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._start_sending()
        else:
            self._stop_sending()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP, unless an answer was begun: the rest of it would not fit, so the connection ends.

        Whoever works on the request that came before is told that its client is gone.
        """
        cycle = cast(RequestResponseCycle | None, self.cycle)  # none before the first request, against its annotation
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:  # as after the head of an answer, or to HEAD, which takes no body
            self.transport.close()

    def on_response_complete(self) -> None:
        # The client may still send a body that nobody reads: the clock runs on, or it could do so
        # for ever.
        if self.conn.their_state is not h11.SEND_BODY:
            self._stop_sending()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._taking is None:
            self._taking = self.loop.call_later(self.seconds_to_take, self.transport.abort)

    def resume_writing(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
        super().resume_writing()

    def _start_sending(self) -> None:
        if self._sending is None:
            self._sending = self.loop.call_later(self.seconds_to_send, self.transport.abort)

    def _stop_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None


def bounded_config(app: ASGIApp) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        port=0,  # a free one, where no socket is given
        http=BoundedConnection,
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_keep_alive=_SECONDS_IDLE,
        timeout_graceful_shutdown=3,
        limit_concurrency=_MOST_CONNECTIONS,
        h11_max_incomplete_event_size=_MOST_HEAD,
        forwarded_allow_ips="127.0.0.1,::1",
    )
