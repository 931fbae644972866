"""A store behind a Bolt server such as Neo4j: Cypher in managed transactions, the database named on every call.

Reading asks for read access; that routes in a cluster but is no barrier everywhere, so free texts are checked before they
come here. What the driver says is shortened before it is shown, and no error holds a user or a password.
"""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from json import dumps
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar
from urllib.parse import urlsplit

from kg.__about__ import __version__
from kg.errors import KgError, QueryError, StoreError, UsageError
from kg.stores.bolt_rows import hang_up, within
from kg.stores.forks import leave_in_forks, never_end
from kg.stores.http_client import MOST_BYTES, SEE_THE_SERVER, Login, LoginRefused, ServerRefused, ServerUnreachable
from kg.stores.own_nodes import own_nodes_only
from kg.stores.patience import in_time
from kg.stores.protocol import Answer, Cell, DeadlinePassed, JsonText, Language
from kg.stores.reported import reported

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Session

DATABASE: Final = "neo4j"
"""The database when the address and KG_NEO4J_DATABASE name none; the only one of the Community edition."""
SCHEMES: Final = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_FETCHED_AT_ONCE: Final = 1000
_CONNECTED_WITHIN: Final = 15.0
_PATIENCE: Final = 60.0
"""Seconds for connecting, and for a transaction, when nobody says how long."""
_GRACE: Final = 5.0
"""Seconds that a server has longer than its own deadline, so that it can say itself that it is late."""
# Meets the code `Neo.ClientError.Transaction.TransactionTimedOut` and a message such as "has been
# terminated. timed out", not `…Statement.SyntaxError`.
_LATE: Final = re.compile(r"timed? ?out|Terminated|TransactionTimedOut", re.IGNORECASE)
_RESOLVED: Final = re.compile(r" \(resolved to \([^()]*\)\)")
"""What the driver adds to an address: a tuple of Python with the same address again."""
_HELD: Final = "values that can be held here, such as dates from year 1 to 9999"
_AS_TEXT: Final = "return it as text, with toString()"
T = TypeVar("T")


class CypherRefused(QueryError):
    """A query that does not parse, or that a server cannot run."""

    code = "query.refused"


class DatabaseMissing(StoreError):
    """A server does not have the database that was named."""

    code = "store.database"


@dataclass(frozen=True, slots=True)
class BoltAddress:
    """Where a server is, and which of its databases is meant.

    >>> BoltAddress.from_store("neo4j://example.org:7687/kg")
    BoltAddress(uri='neo4j://example.org:7687', database='kg')
    """

    uri: str
    database: str = DATABASE

    @classmethod
    def from_store(cls, store: str, database: str | None = None) -> "BoltAddress":
        """From `scheme://host:port[/database][?policy=…]`."""
        parts = urlsplit(store)
        if parts.scheme not in SCHEMES or not parts.hostname:
            raise UsageError(
                field="--store", given=store.rpartition("@")[2], expected="neo4j://host:port or bolt://host:port"
            )
        uri = f"{parts.scheme}://{parts.netloc}" + (f"?{parts.query}" if parts.query else "")
        return cls(uri, parts.path.strip("/") or database or DATABASE)


@dataclass(slots=True, eq=False, weakref_slot=True)
class BoltStore:
    """One server with its driver."""

    language: ClassVar[Language] = "cypher"
    driver: "Driver"
    address: BoltAddress
    timeout_seconds: float = _PATIENCE
    """How long a transaction may take when the caller does not say."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """What was sent in confidence, as a server may repeat it."""
    bookmarks: Any = None
    """Of what was written last, so that what is read next is not older."""
    most_bytes: int = MOST_BYTES
    """How long an answer may be."""
    connect: "Callable[[], Driver] | None" = field(default=None, repr=False)
    """Makes another driver for the same server and login."""
    is_left: bool = field(default=False, repr=False)
    """Whether the driver is that of the process from which this one was forked."""

    @classmethod
    def open(
        cls, address: BoltAddress, *, login: Login | None = None, timeout_seconds: float | None = None
    ) -> "BoltStore":
        """Connect; a server that does not answer, or refuses the login, is said at once."""
        import neo4j

        logging.getLogger("neo4j").addHandler(logging.NullHandler())  # what matters is raised; the rest is noise
        connect = partial(_driver, address.uri, login, timeout_seconds)
        try:
            driver = connect()
        except neo4j.exceptions.ConfigurationError as cause:
            raise _unusable(address.uri, reported(str(cause))) from cause
        secrets = () if login is None else login.written()
        store = cls(driver, address, timeout_seconds or _PATIENCE, secrets, connect=connect)
        try:
            store.call(lambda: in_time(driver.verify_connectivity, store.timeout_seconds + _GRACE))
        except BaseException:
            driver.close()
            raise
        leave_in_forks(store)
        return store

    def leave(self) -> None:
        """In a forked process: forget the connections, on which the process it was forked from goes on."""
        never_end(self.driver)
        self.is_left = True

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        """Rows of a reading query over nodes of ours; at most `limit` of them."""

        def work(transaction: "ManagedTransaction") -> Answer:
            result = transaction.run(own_nodes_only(text), dict(parameters or {}))
            columns = tuple(result.keys())
            rows: list[tuple[Cell, ...]] = []
            for record in within(self.most_bytes, transaction, result):
                if limit is not None and len(rows) >= limit:
                    result.consume()  # tells the server to throw the rest away
                    return Answer(columns, tuple(rows), complete=False)
                rows.append(tuple(cell(one) for one in record.values()))
            return Answer(columns, tuple(rows))

        return self.read(work, timeout_seconds=timeout_seconds)

    def rows(self, text: str, parameters: Mapping[str, object]) -> list[dict[str, Any]]:
        """Rows by the names of their columns, values as the driver gives them; of any nodes."""

        def work(transaction: "ManagedTransaction") -> list[dict[str, Any]]:
            result = transaction.run(text, dict(parameters))
            return [dict(record) for record in within(self.most_bytes, transaction, result)]

        return self.read(work)

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:  # noqa: ARG002 - refused anyway
        """Cypher gives rows, no graph."""
        raise CypherRefused(given="a query that makes a graph", expected="a query that gives rows")

    def read(self, work: "Callable[[ManagedTransaction], T]", *, timeout_seconds: float | None = None) -> T:
        """The result of work done in a reading transaction; it may run again after a transient failure."""
        from neo4j import READ_ACCESS, unit_of_work

        patience = self.timeout_seconds if timeout_seconds is None else timeout_seconds
        whole = unit_of_work(timeout=patience)(work)
        return self._in_session(READ_ACCESS, lambda session: session.execute_read(whole), patience)

    def write(self, work: "Callable[[ManagedTransaction], T]", *, timeout_seconds: float | None = None) -> T:
        """The result of work done in a writing transaction; it may run again, so it must be idempotent."""
        from neo4j import WRITE_ACCESS, unit_of_work

        patience = self.timeout_seconds if timeout_seconds is None else timeout_seconds
        whole = unit_of_work(timeout=patience)(work)
        return self._in_session(WRITE_ACCESS, lambda session: session.execute_write(whole), patience)

    def run(self, text: str, *, timeout_seconds: float | None = None) -> None:
        """A statement that wants a transaction of its own, such as making an index."""
        from neo4j import WRITE_ACCESS

        patience = self.timeout_seconds if timeout_seconds is None else timeout_seconds
        self._in_session(WRITE_ACCESS, lambda session: session.run(text).consume(), patience)

    def close(self) -> None:
        """End the connections."""
        if not self.is_left:
            self.driver.close()

    def call(self, what: Callable[[], T], timeout_seconds: float | None = None) -> T:
        """The result of a call, with the errors of the driver as ours."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            return what()
        except (Neo4jError, DriverError) as cause:
            raise self._error(cause, timeout_seconds) from cause
        except OSError as cause:
            raise ServerUnreachable(
                path=self.address.uri,
                given=cause.strerror or type(cause).__name__,
                expected="a server that answers",
                next_step="check that it runs, and the address of --store",
            ) from cause
        # The driver reads what it expects: an answer that is not by the rules of Bolt ends in an error of Python.
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as cause:
            raise ServerRefused(
                path=self.address.uri,
                given=reported(f"{type(cause).__name__}: {cause}", self.secrets),
                expected="answers by the rules of Bolt",
                next_step="check the address of --store, and which server answers there",
            ) from cause

    def _in_session(self, access: str, work: "Callable[[Session], T]", patience: float) -> T:
        """The result of work in a session of its own.

        The server ends what takes too long; one that falls silent, or sends on and on, does not, and ending the session
        would wait for it as well.
        """
        from neo4j import WRITE_ACCESS

        opened: list[Session] = []
        if self.is_left and self.connect is not None:
            self.driver, self.is_left = self.connect(), False

        # A bookmark makes a replica of a cluster wait until it has what this program wrote last.
        def whole() -> T:
            with self.driver.session(
                database=self.address.database,
                default_access_mode=access,
                fetch_size=_FETCHED_AT_ONCE,
                bookmarks=self.bookmarks,
            ) as session:
                opened.append(session)
                found = work(session)
                if access == WRITE_ACCESS:
                    self.bookmarks = session.last_bookmarks()
                return found

        def timed() -> T:
            try:
                return in_time(whole, patience + _GRACE)
            except DeadlinePassed:
                for session in opened:
                    hang_up(session)
                raise

        return self.call(timed, patience)

    def _error(self, cause: Exception, timeout_seconds: float | None) -> KgError:
        from neo4j.exceptions import AuthError, BrokenRecordError, ConfigurationError, Neo4jError

        code = getattr(cause, "code", None) or ""
        # The driver's own errors have their words in the text; their `message` is that of a general status.
        stated = getattr(cause, "message", None) if isinstance(cause, Neo4jError) else None
        line = str(stated or cause).strip().partition("\n")[0]
        message = reported(_RESOLVED.sub("", line).rstrip(":"), self.secrets)
        path = self.address.uri
        if isinstance(cause, AuthError) or ".Security." in code or "no authentication" in message:
            return LoginRefused(
                path=path,
                given=message,
                expected="a login that may do this",
                next_step="set KG_NEO4J_USER and KG_NEO4J_PASSWORD",
            )
        # The words of a message are looked at only where a time ran: a query may quote "timed out"
        # itself.
        if _LATE.search(code) or (timeout_seconds is not None and _LATE.search(message)):
            return DeadlinePassed(
                path=path,
                given=message,
                expected="a query that ends within its deadline",
                next_step="ask for less, or give more time with --timeout",
            )
        if isinstance(cause, BrokenRecordError):
            return CypherRefused(path=path, given=message, expected=_HELD, next_step=_AS_TEXT)
        if isinstance(cause, ConfigurationError):
            return _unusable(path, message)
        return self._refusal(cause, code, message)

    def _refusal(self, cause: Exception, code: str, message: str) -> KgError:
        """What a server says of a query or of itself, or that it says nothing."""
        from neo4j.exceptions import ClientError, Neo4jError

        path = self.address.uri
        if "DatabaseNotFound" in code:
            return DatabaseMissing(
                path=path,
                given=self.address.database,
                expected="a database of this server",
                next_step="name it behind the port, neo4j://host:port/NAME, or in KG_NEO4J_DATABASE",
            )
        if isinstance(cause, ClientError):
            return CypherRefused(path=path, given=message, expected="a Cypher query that this server takes")
        if isinstance(cause, Neo4jError):
            return ServerRefused(path=path, given=message, expected="a server that is well", next_step=SEE_THE_SERVER)
        return ServerUnreachable(
            path=path,
            given=message,
            expected="a server that answers",
            next_step="check that it runs, and the address of --store",
        )


def _driver(uri: str, login: Login | None, timeout_seconds: float | None) -> "Driver":
    """A driver, which connects when it is asked."""
    import neo4j

    return neo4j.GraphDatabase.driver(
        uri,
        auth=None if login is None else (login.user, login.password),
        connection_timeout=timeout_seconds or _CONNECTED_WITHIN,
        connection_acquisition_timeout=timeout_seconds or _PATIENCE,
        max_transaction_retry_time=15.0,
        user_agent=f"accelkg/{__version__}",
        # Hints of the planner (an unknown label, a cartesian product) are for who writes a query; the driver would log them.
        notifications_min_severity="OFF",
    )


def _unusable(uri: str, message: str) -> UsageError:
    return UsageError(field="--store", given=uri, expected="an address that the driver can use", next_step=message)


def cell(value: object) -> Cell:
    """A value as one cell: nodes, relationships, lists and maps as JSON text.

    >>> cell(2), cell(None), cell(["a", 1])
    (2, None, '["a", 1]')
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    plain = _plain(value)
    return plain if isinstance(plain, str) else JsonText(dumps(plain, ensure_ascii=False, default=str))


def _plain(value: Any) -> Any:
    """Values of the driver as JSON has them; a node is what it says, without ids of the server."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    # The driver's classes are recognised by what they have: they are not imported to read rows. Its nodes and
    # relationships are maps too, its durations tuples, and a relationship has nodes as a path does.
    if hasattr(value, "labels"):
        return {"_LABELS": sorted(value.labels), **{key: _plain(one) for key, one in sorted(value.items())}}
    if hasattr(value, "relationships"):
        return [_plain(one) for one in (*value.nodes, *value.relationships)]
    if hasattr(value, "type"):
        return {"_TYPE": value.type, **{key: _plain(one) for key, one in sorted(value.items())}}
    if hasattr(value, "iso_format"):
        return value.iso_format()
    if hasattr(value, "raw_data"):  # what the driver could not make a value of, inside of a list or map
        raise CypherRefused(given=reported(str(value.error)), expected=_HELD, next_step=_AS_TEXT)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return str(value)
