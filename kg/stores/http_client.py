"""Requests to a server over HTTP/1.1, on the standard library: one connection kept open, deadlines, logins, patience.

Redirects are not followed and proxies not used: a login goes to the address it was given for and nowhere else. What a
server says is shortened before it is shown, and no error holds a user, a password or the text of a query.
"""

import base64
import html
import http.client
import re
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from json import dumps
from typing import Final
from urllib.parse import SplitResult, quote, quote_plus, urlsplit
from urllib.request import (
    AbstractDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    Request,
    parse_http_list,
    parse_keqv_list,
)

from kg.__about__ import __version__
from kg.errors import QueryError, StoreError
from kg.stores.protocol import DeadlinePassed
from kg.stores.reported import reported

USER_AGENT: Final = f"accelkg/{__version__} (knowledge graph client; Python http.client)"
MOST_BYTES: Final = 256 << 20
"""A longer answer is refused: it would fill the memory."""
_SHOWN_BYTES: Final = 1 << 18
_PIECE: Final = 1 << 16
_TRIES: Final = 6
_BUSY: Final = frozenset({429, 503})
OUT_OF_TIME: Final = re.compile(r"timed? ?out|S1T00|execution time \S+ .*exceeds", re.IGNORECASE)
"""How servers say that a query took longer than they allow; asking again would take as long."""
_TRANSIENT: Final = (ConnectionResetError, BrokenPipeError, ConnectionAbortedError, http.client.RemoteDisconnected)


class ServerUnreachable(StoreError):
    """A server cannot be reached, or ended the connection."""

    code = "store.unreachable"


class LoginRefused(StoreError):
    """A server wants a login, or refuses the one it got."""

    code = "store.login"


class ServerRefused(StoreError):
    """A server answered, but not with what was asked for."""

    code = "store.refused"


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
        pair = f"{self.user}:{word}".encode()
        forms = {
            word, quote(word, safe=""), quote_plus(word), html.escape(word), dumps(word)[1:-1], dumps(word, ensure_ascii=False)[1:-1],
            base64.b64encode(pair).decode("ascii"), base64.urlsafe_b64encode(pair).decode("ascii"),
            base64.b64encode(word.encode()).decode("ascii"),
        }  # fmt: skip
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
    """Sends requests to the addresses of one service. Not for several threads at once."""

    def __init__(
        self, login: Login | None = None, *, most_bytes: int = MOST_BYTES, sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._login, self._most_bytes, self._sleep, self._clock = login, most_bytes, sleep, clock
        self._open: dict[tuple[str, str], http.client.HTTPConnection] = {}
        self._used: set[tuple[str, str]] = set()
        self._authorize: Callable[[str, str], str] | None = None

    def send(
        self, method: str, address: str, *, body: bytes | None = None, headers: Mapping[str, str] | None = None,
        timeout_seconds: float = 60.0,
    ) -> Reply:  # fmt: skip
        """One request and its whole answer. A server that is busy is asked again while there is time."""
        parts = urlsplit(address)
        until = self._clock() + timeout_seconds
        tried_login = False
        attempt = 0
        while True:
            try:
                reply = self._once(method, parts, body, dict(headers or {}), until)
            except TimeoutError as cause:
                self._drop(parts)
                raise DeadlinePassed(
                    path=shown(address), given=f"no answer after {timeout_seconds:g} s", expected="a query that ends within its deadline",
                    next_step="ask for less, or give more time with --timeout",
                ) from cause  # fmt: skip
            except _TRANSIENT as cause:
                self._drop(parts)
                attempt += 1
                if attempt < 3:
                    continue
                raise unreachable(address, cause, self._secrets()) from cause
            except (OSError, http.client.HTTPException) as cause:
                self._drop(parts)
                raise unreachable(address, cause, self._secrets()) from cause
            if reply.status == 401 and self._login is not None and not tried_login:
                tried_login = True
                self._authorize = _authorization(reply.headers.get("www-authenticate", ""), self._login)
                if self._authorize is not None:
                    continue
            if reply.status in _BUSY and not OUT_OF_TIME.search(reply.said()):
                pause = _retry_after(reply.headers.get("retry-after"), default=0.5 * 2**attempt)
                if attempt + 1 < _TRIES and self._clock() + pause < until:
                    self._sleep(pause)
                    attempt += 1
                    continue
            return reply

    def close(self) -> None:
        """End all connections."""
        for connection in self._open.values():
            connection.close()
        self._open.clear()
        self._used.clear()

    def _once(
        self, method: str, parts: SplitResult, body: bytes | None, headers: dict[str, str], until: float
    ) -> Reply:
        connection = self._connection(parts, until)
        target = parts.path or "/"
        if parts.query:
            target += f"?{parts.query}"
        headers["User-Agent"] = USER_AGENT
        if self._authorize is not None:
            headers["Authorization"] = self._authorize(method, f"{parts.scheme}://{parts.netloc}{target}")
        self._limit_wait(connection, until)
        connection.request(method, target, body=body, headers=headers)
        answer = connection.getresponse()
        pieces: list[bytes] = []
        size = 0
        while True:
            self._limit_wait(connection, until)
            piece = answer.read1(_PIECE)
            if not piece:
                break
            size += len(piece)
            if size > self._most_bytes:
                self._drop(parts)
                raise AnswerTooLong(
                    given=f"an answer of more than {self._most_bytes >> 20} MiB", expected="less at once",
                    next_step="ask for fewer rows with --limit or a narrower query",
                )  # fmt: skip
            pieces.append(piece)
        answer.read()  # nothing is left, but only this frees the connection for the next request
        if answer.will_close:
            self._drop(parts)
        return Reply(
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            b"".join(pieces),
            self._secrets(),
        )

    def _secrets(self) -> tuple[str, ...]:
        return () if self._login is None else self._login.written()

    def _connection(self, parts: SplitResult, until: float) -> http.client.HTTPConnection:
        key = (parts.scheme, parts.netloc)
        known = self._open.get(key)
        if known is None:
            patience = max(0.1, until - self._clock())
            if parts.scheme == "https":
                known = http.client.HTTPSConnection(
                    parts.hostname or "", parts.port, timeout=patience, context=ssl.create_default_context()
                )
            else:
                known = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=patience)
            self._open[key] = known
        return known

    def _limit_wait(self, connection: http.client.HTTPConnection, until: float) -> None:
        left = until - self._clock()
        if left <= 0:
            raise TimeoutError
        connection.timeout = left
        if connection.sock is not None:
            connection.sock.settimeout(left)

    def _drop(self, parts: SplitResult) -> None:
        connection = self._open.pop((parts.scheme, parts.netloc), None)
        if connection is not None:
            connection.close()


def shown(address: str) -> str:
    """An address fit for eyes: no user, no password, no query.

    >>> shown("https://kg:secret@example.org:8443/sparql?default-graph-uri=x")
    'https://example.org:8443/sparql'
    """
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def unreachable(address: str, cause: Exception, secrets: Iterable[str]) -> ServerUnreachable:
    """The error for a server that cannot be reached, or answers no HTTP."""
    stated = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__  # may be the server's own words
    return ServerUnreachable(
        path=shown(address), given=reported(stated, secrets), expected="a server that answers", next_step="check that it runs, and the address of --store"
    )  # fmt: skip


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
    except ValueError:
        return default


def _authorization(challenge: str, login: Login) -> Callable[[str, str], str] | None:
    """What writes the header that a server asks for; None when it knows neither Digest nor Basic."""
    kind, _, rest = challenge.partition(" ")
    if kind.lower() == "digest":
        manager = HTTPPasswordMgrWithDefaultRealm()
        handler = AbstractDigestAuthHandler(manager)
        values = parse_keqv_list(list(filter(None, parse_http_list(rest))))

        def digest(method: str, address: str) -> str:
            manager.add_password(None, address, login.user, login.password)  # None: any realm
            return f"Digest {handler.get_authorization(Request(address, method=method), values)}"  # noqa: S310 - nothing is opened

        return digest
    if kind.lower() == "basic":
        word = base64.b64encode(f"{login.user}:{login.password}".encode()).decode("ascii")
        return lambda _method, _address: f"Basic {word}"
    return None
