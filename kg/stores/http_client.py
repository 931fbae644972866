"""Requests to a server over HTTP/1.1, with httpx: a deadline for the whole, logins only when asked for, patience with the busy.

Redirects are not followed and proxies not used: a login goes to the address it was given for and nowhere else. What a
server says is shortened before it is shown, and no error holds a user, a password or the text of a query.
"""

from __future__ import annotations

import base64
import html
import re
import ssl
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from json import dumps
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, quote_plus, urlsplit
from weakref import WeakSet

from kg.__about__ import __version__
from kg.errors import QueryError, StoreError
from kg.stores.forks import leave_in_forks, never_end
from kg.stores.protocol import DeadlinePassed
from kg.stores.reported import reported
from kg.stores.timed_connections import TimedConnections

if TYPE_CHECKING:
    import httpx

USER_AGENT: Final = f"accelkg/{__version__} (knowledge graph client; Python httpx)"
MOST_BYTES: Final = 256 << 20
"""A longer answer is refused: it would fill the memory."""
_SHOWN_BYTES: Final = 1 << 18
# With pauses that double from 0.5 s that is about 16 s of a busy server, or less where the time is
# over before.
_TRIES: Final = 6
# A connection that was kept open may be closed by the server just when it is used again: that is
# tried anew.
_CONNECTION_TRIES: Final = 3
# "Too many requests" and "service unavailable": the two after which the same request may do.
_BUSY: Final = frozenset({429, 503})
# Meets "Query timed out", the SQL state S1T00 and "estimated execution time 5412 (sec) exceeds the
# limit" of Virtuoso; "too many requests" it must not meet: that is asked again.
OUT_OF_TIME: Final = re.compile(r"timed? ?out|S1T00|execution time \S+ .*exceeds", re.IGNORECASE)
"""How servers say that a query took longer than they allow; asking again would take as long."""


class ServerUnreachable(StoreError):
    """A server cannot be reached, or ended the connection."""

    code = "store.unreachable"


class LoginRefused(StoreError):
    """A server wants a login, or refuses the one it got."""

    code = "store.login"


class ServerRefused(StoreError):
    """A server answered, but not with what was asked for."""

    code = "store.refused"


SEE_THE_SERVER: Final = "see its log, and whether its disk is full; then do it again"


class AnswerTooLong(QueryError):
    """An answer is longer than this program is ready to hold."""

    code = "query.too-long"


@dataclass(frozen=True, slots=True)
class Login:
    """A user with a password, which no text form shows.

    >>> Login("kg", "secret")
    Login(user='kg')
    """

    user: str
    password: str = field(repr=False)

    def written(self) -> tuple[str, ...]:
        """Every way in which a server may repeat the password, longest first: plain, encoded, escaped."""
        word = self.password
        pair = f"{self.user}:{word}"
        forms = {
            word,
            quote(word, safe=""),
            quote_plus(word),
            html.escape(word),
            dumps(word)[1:-1],
            dumps(word, ensure_ascii=False)[1:-1],
            base64.b64encode(pair.encode()).decode("ascii"),
            base64.urlsafe_b64encode(pair.encode()).decode("ascii"),
            base64.b64encode(pair.encode("latin-1", errors="replace")).decode("ascii"),
            base64.b64encode(word.encode()).decode("ascii"),
            word.encode().decode("latin-1"),
            word.encode().hex(),
        }
        return tuple(sorted(forms - {""}, key=lambda form: (-len(form), form)))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered; header names are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What was sent in confidence, as a server may repeat it."""

    def said(self) -> str:
        """The first words of an error page, without its marks.

        >>> Reply(400, {}, b"<html><p>Parse error: line 1</p></html>").said()
        'Parse error: line 1'
        """
        return reported(self.body[:_SHOWN_BYTES].decode("utf-8", errors="replace"), self.secrets)


class HttpClient:
    """Sends requests to the addresses of one service; each thread has connections of its own."""

    def __init__(
        self,
        login: Login | None = None,
        *,
        most_bytes: int = MOST_BYTES,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._login, self._most_bytes, self._sleep, self._clock = login, most_bytes, sleep, clock
        self._own = _OfThread()
        self._clients: WeakSet[httpx.Client] = WeakSet()
        leave_in_forks(self)

    def send(
        self,
        method: str,
        address: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float = 60.0,
    ) -> Reply:
        """One request and its whole answer. A server that is busy is asked again while there is time."""
        import httpx

        until = self._clock() + timeout_seconds
        try:
            request = self._opened().build_request(method, address, content=body, headers=dict(headers or {}))
        except (httpx.InvalidURL, UnicodeError) as cause:  # a host that no name can be
            raise unreachable(address, cause, self._secrets()) from None
        lost = 0
        for attempt in range(_TRIES):
            try:
                reply = self._once(request, until)
            except (httpx.TimeoutException, TimeoutError) as cause:
                raise _late(address, timeout_seconds) from cause
            except (httpx.RemoteProtocolError, httpx.NetworkError) as cause:
                if self._clock() >= until:
                    raise _late(address, timeout_seconds) from cause
                lost += 1
                # where nothing listens it will not listen a moment later; only a lost connection is tried again
                if isinstance(cause, httpx.ConnectError) or lost == _CONNECTION_TRIES:
                    raise unreachable(address, cause, self._secrets()) from None  # it may quote the server
                continue
            except httpx.HTTPError as cause:
                raise unreachable(address, cause, self._secrets()) from None
            if reply.status not in _BUSY or OUT_OF_TIME.search(reply.said()):
                return reply
            pause = _retry_after(reply.headers.get("retry-after"), default=0.5 * 2**attempt)
            if attempt + 1 == _TRIES or self._clock() + pause >= until:
                return reply
            self._sleep(pause)
        raise AssertionError("each attempt ends in a reply or an error")

    def leave(self) -> None:
        """In a forked process: forget the connections, on which the process it was forked from goes on."""
        for client in list(self._clients):
            never_end(client)
        self._own, self._clients = _OfThread(), WeakSet()

    def close(self) -> None:
        """End all connections."""
        for client in list(self._clients):
            client.close()
        self._own = _OfThread()

    def _opened(self) -> httpx.Client:
        if self._own.client is None:
            import httpx

            self._own.client = httpx.Client(
                auth=None if self._login is None else _login_when_asked(self._login),
                # What comes is read and counted raw, and never unpacked: a small packed answer
                # could become a large one.
                headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
                verify=ssl.create_default_context(),
                trust_env=False,  # no proxies, and no logins from a .netrc
            )
            self._clients.add(self._own.client)
        return self._own.client

    def _once(self, request: httpx.Request, until: float) -> Reply:
        left = until - self._clock()
        if left <= 0:
            raise TimeoutError
        request.extensions["timeout"] = dict.fromkeys(("connect", "read", "write", "pool"), left)
        request.extensions["trace"] = self._own.connections.note
        with self._own.connections.ended_after(left):
            answer = self._opened().send(request, stream=True)
            try:
                body = self._read(answer, until)
            finally:
                answer.close()
        return Reply(answer.status_code, dict(answer.headers), body, self._secrets())

    def _read(self, answer: httpx.Response, until: float) -> bytes:
        pieces: list[bytes] = []
        size = 0
        for piece in answer.iter_raw():
            size += len(piece)
            if size > self._most_bytes:
                raise AnswerTooLong(
                    given=f"an answer of more than {self._most_bytes >> 20} MiB",
                    expected="less at once",
                    next_step="write a LIMIT into the query, or ask a narrower one: --limit cuts what has come",
                )
            if self._clock() >= until:
                raise TimeoutError
            pieces.append(piece)
        if self._clock() >= until:  # an answer that ends with its connection looks whole where the connection was ended
            raise TimeoutError
        return b"".join(pieces)

    def _secrets(self) -> tuple[str, ...]:
        return () if self._login is None else self._login.written()


class _OfThread(threading.local):
    """What one thread has of a client, so that its deadline ends no request of another; gone with the thread."""

    def __init__(self) -> None:
        self.client: httpx.Client | None = None
        self.connections = TimedConnections()


def _login_when_asked(login: Login) -> httpx.Auth:
    """A login that is sent only when the server asks for it, in the way it asks: Digest or Basic."""
    import httpx

    class LoginWhenAsked(httpx.Auth):
        def __init__(self) -> None:
            self._digests: dict[_Origin, httpx.DigestAuth] = {}
            self._basic: set[_Origin] = set()  # what one server asked for is not for another one

        def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
            origin = request.url.scheme, request.url.host, request.url.port
            # The flow of Digest sends the first request without a login, so that the server can say
            # which it wants.
            if origin not in self._basic:
                digest = self._digests.setdefault(origin, httpx.DigestAuth(login.user, login.password))
                flow = digest.auth_flow(request)
                response = yield next(flow)
                if not _asks_for_basic(response):
                    while (answer := _answered(flow, response)) is not None:
                        response = yield answer
                    return
                self._basic.add(origin)
            yield from httpx.BasicAuth(login.user, login.password).auth_flow(request)

    return LoginWhenAsked()


_Origin = tuple[str, str, int | None]


def _answered(flow: Generator[httpx.Request, httpx.Response, None], response: httpx.Response) -> httpx.Request | None:
    """The request with the answer to a challenge; None where there is none to answer."""
    try:
        return flow.send(response)
    except StopIteration:
        return None
    except (KeyError, ValueError, NotImplementedError) as cause:  # an algorithm that httpx does not know, or no form
        raise LoginRefused(
            path=shown(str(response.request.url)),
            given="a login by Digest in a form that is not known here",
            expected="Basic, or Digest with MD5 or SHA",
            next_step="set another way of login at the server",
        ) from cause


def _asks_for_basic(response: httpx.Response) -> bool:
    challenges = response.headers.get_list("www-authenticate")
    return response.status_code == 401 and any(map(_offers_basic, challenges))


def _offers_basic(challenges: str) -> bool:
    """Whether Basic is among the challenges of one header; one that names Digest first is answered by Digest.

    >>> [_offers_basic(one) for one in ('Basic realm="x"', "Negotiate, Basic realm=x", 'Negotiate realm="a, basic"')]
    [True, True, False]
    """
    if challenges.lower().startswith("digest"):
        return False
    # Commas and words inside of quotes belong to a realm: `realm="a, basic"` is no offer of Basic.
    bare = re.sub(r'"[^"]*"', '""', challenges)
    return re.search(r"(?:^|,)\s*basic(?:[\s,]|$)", bare, re.IGNORECASE) is not None


def shown(address: str) -> str:
    """An address fit for eyes: no user, no password, no query.

    >>> shown("https://kg:secret@example.org:8443/sparql?default-graph-uri=x")
    'https://example.org:8443/sparql'
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _late(address: str, timeout_seconds: float) -> DeadlinePassed:
    return DeadlinePassed(
        path=shown(address),
        given=f"no answer after {timeout_seconds:g} s",
        expected="a query that ends within its deadline",
        next_step="ask for less, or give more time with --timeout",
    )


def unreachable(address: str, cause: BaseException, secrets: Iterable[str]) -> ServerUnreachable:
    """The error for a server that cannot be reached, or answers no HTTP."""
    reason, link = getattr(cause, "strerror", None) or "", cause.__cause__
    # The cause of an error of httpx is one of httpcore, whose own cause is the error of the system
    # with the words for it.
    while link is not None and not reason:
        reason, link = getattr(link, "strerror", None) or "", link.__cause__ or link.__context__
    stated = reason or str(cause) or type(cause).__name__  # may be the server's own words
    return ServerUnreachable(
        path=shown(address),
        given=reported(stated, secrets),
        expected="a server that answers",
        next_step="check that it runs, and the address of --store",
    )


def _retry_after(given: str | None, *, default: float) -> float:
    """Seconds to wait: a number, or a date as HTTP writes it.

    >>> _retry_after("7", default=1), _retry_after("soon", default=1), _retry_after(None, default=0.5)
    (7.0, 1, 0.5)
    """
    if given is None:
        return default
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
    except (ValueError, OverflowError):  # a date that no clock has
        return default
