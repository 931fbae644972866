"""Stores on servers: from an address to an opened graph that reads there, or to a target of a push.

Reading needs nothing but the server: claims and conclusions lie in its graph, and what a command reads of the ledger is
fetched once into a folder of this machine, checked by digest. Writing needs a local store; the message says what to do.
"""

import os
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from kg.__about__ import RULES_VERSION, __version__
from kg.build.locate import is_made_by
from kg.content.folders import Content
from kg.errors import StoreError, UsageError
from kg.model.view_stamp import ViewStamp
from kg.stores.http_client import Login, LoginRefused
from kg.stores.places import SPARQL, checked_address, data_folder, is_writable
from kg.stores.temporary import new_folder

if TYPE_CHECKING:
    from kg.ask.lexicon import Lexicon
    from kg.stores.bolt import BoltStore
    from kg.stores.protocol import Store
    from kg.stores.sparql_endpoint import SparqlEndpoint
    from kg.sync.push import PushState, Target

Tell = Callable[[str], None]
AskLogin = Callable[[str], Login | None]
"""Asks the person at the terminal for a login to an address."""


class NothingPushed(StoreError):
    """A server that answers, but holds nothing of ours."""

    code = "store.empty"


class CannotAnswer(StoreError):
    """A server that loses rows of questions without a word (decision 14)."""

    code = "store.loses-rows"


def server_folder(store: str) -> Path:
    """Where this machine keeps what belongs to a server: attached texts, and the fetched ledger."""
    parts = urlsplit(store)
    # The words are for people; the digest tells addresses apart that differ in a sign or in what
    # was cut.
    name = "".join(one if one.isalnum() else "-" for one in f"{parts.hostname}-{parts.port or ''}{parts.path}").strip(
        "-"
    )
    return data_folder() / "servers" / f"{name[:60]}-{sha256(store.encode()).hexdigest()[:8]}"


def kept_folder(store: str) -> Path:
    """The same where it can be written; else a temporary one that goes with the process."""
    try:
        folder = server_folder(store)
    except UsageError:  # a user without a home, for whom nothing can be kept
        return new_folder("server")
    return folder if is_writable(folder) else new_folder("server")


def environment_login(kind: str) -> Login | None:
    """The login that KG_NEO4J_USER and KG_NEO4J_PASSWORD (or KG_SPARQL_…) give."""
    user, password = os.environ.get(f"KG_{kind}_USER", ""), os.environ.get(f"KG_{kind}_PASSWORD", "")
    return login_of(user, password, field=f"KG_{kind}_USER") if user else None


def login_of(user: str, password: str, *, field: str) -> Login:
    """A login as the system gives it, whose bytes may be no UTF-8. Raises UsageError, which does not hold it."""
    try:
        f"{user}{password}".encode()
    except UnicodeEncodeError:
        raise UsageError(
            field=field, given="bytes that are no UTF-8", expected="a user and a password in UTF-8"
        ) from None  # the cause holds the password
    return Login(user, password)


def known_login(store: str, ask_login: AskLogin, timeout_seconds: float | None = None) -> Login | None:
    """The login that a person gives, if the server wants one and the environment has none: found out by knocking."""
    kind = "SPARQL" if store.startswith(SPARQL) else "NEO4J"
    if environment_login(kind) is not None:
        return None
    asked: list[Login | None] = []

    def once(address: str) -> Login | None:
        asked.append(ask_login(address))
        return asked[-1]

    (open_sparql if kind == "SPARQL" else open_bolt)(store, once, timeout_seconds=timeout_seconds).close()
    return asked[0] if asked else None


def open_bolt(store: str, ask_login: AskLogin | None = None, *, timeout_seconds: float | None = None) -> "BoltStore":
    """Connect to a Bolt server; a person at a terminal is asked for a login when the server wants one."""
    from kg.stores.bolt import BoltAddress, BoltStore

    address = BoltAddress.from_store(checked_address(store), os.environ.get("KG_NEO4J_DATABASE"))
    login, opened = environment_login("NEO4J"), partial(BoltStore.open, address, timeout_seconds=timeout_seconds)
    try:
        return opened(login=login)
    except LoginRefused:
        asked = ask_login(address.uri) if ask_login is not None and login is None else None
        if asked is None:
            raise
        return opened(login=asked)


def open_sparql(
    store: str,
    ask_login: AskLogin | None = None,
    tell: Tell | None = None,
    *,
    timeout_seconds: float | None = None,
) -> "SparqlEndpoint":
    """A SPARQL endpoint that answers; a person at a terminal is asked for a login when the server wants one."""
    from kg.stores.http_client import HttpClient, shown
    from kg.stores.sparql_endpoint import SparqlEndpoint

    login = environment_login("SPARQL")
    endpoint = SparqlEndpoint.open(checked_address(store), login=login, tell=tell or (lambda _: None))
    if timeout_seconds is not None:
        endpoint.timeout_seconds = timeout_seconds
    address = urlsplit(endpoint.addresses.query)
    # A login over plain HTTP is worth a word, but not on the way from this machine to itself.
    if login is not None and tell is not None and address.scheme == "http" and not _is_here(address.hostname or ""):
        tell(f"{shown(endpoint.addresses.query)} is not encrypted: the login can be read on the way; https is better")
    try:
        # The smallest question there is: it shows whether there is an endpoint and which login it
        # wants.
        endpoint.select("ASK {}")
    except LoginRefused:
        asked = ask_login(shown(endpoint.addresses.query)) if ask_login is not None and login is None else None
        if asked is None:
            raise
        endpoint.client = HttpClient(asked)
        endpoint.select("ASK {}")
    return endpoint


def _is_here(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def open_target(
    target: str,
    *,
    ask_login: AskLogin | None = None,
    tell: Tell | None = None,
    timeout_seconds: float | None = None,
) -> "Target":
    """A server to push to or pull from, which may leave a request unanswered for so long."""
    from kg.sync.push import PATIENCE

    checked_address(target, field="TARGET")
    if target.startswith(SPARQL):
        from kg.sync.sparql_target import SparqlTarget

        return SparqlTarget(
            open_sparql(target, ask_login, tell, timeout_seconds=timeout_seconds), timeout_seconds or PATIENCE
        )
    from kg.sync.bolt_target import BoltTarget

    return BoltTarget(open_bolt(target, ask_login, timeout_seconds=timeout_seconds), timeout_seconds or PATIENCE)


class ServedView(NamedTuple):
    """A view that lies on a server."""

    folder: Path
    """Where this machine keeps what belongs to it."""
    store: "Store"
    stamp: ViewStamp
    lexicon: "Lexicon"
    target: "Target"


def open_server(store: str, content: Content, *, ask_login: AskLogin | None = None, tell: Tell) -> "ServedView":
    """The view on a server, for reading. Questions and units are those of the content here."""
    target = open_target(checked_address(store), ask_login=ask_login, tell=tell)
    try:
        _refuse_losing(store, target)
        state = target.state()
        if state is None:
            raise NothingPushed(
                path=target.shown,
                given="nothing of ours",
                expected="a server that was pushed to",
                next_step=f"run: kg push {store}",
            )
        _tell_state(state, content, tell)
        folder = kept_folder(store)
        return ServedView(folder, target.reader(), _stamp(state), _lexicon(folder, content), target)
    except BaseException:
        target.close()
        raise


def pushed_since(
    view: ViewStamp, target: "Target", folder: Path, content: Content
) -> "tuple[ViewStamp, Lexicon] | None":
    """The stamp and the questions of what was pushed after a view was opened; None where nothing was, or is on its way."""
    state = target.state()
    if state is None or state.state != "ready" or _stamp(state) == view:
        return None
    return _stamp(state), _lexicon(folder, content)


def _stamp(state: "PushState") -> ViewStamp:
    return {**state.stamp, "state": state.state}


def _refuse_losing(store: str, target: "Target") -> None:
    """Refuse to ask a server that was seen to lose rows; no rows are better than fewer rows."""
    software = getattr(target.reader(), "software", "")
    if software.startswith("Virtuoso"):
        raise CannotAnswer(
            path=target.shown,
            given=software.partition(" ")[0],
            expected="a server that gives all rows of a question: Neo4j, Fuseki, or the embedded store",
            next_step=f"it takes pushes and gives the ledger back: kg pull {store}, then ask the local store",
        )


def _tell_state(state: "PushState", content: Content, tell: Tell) -> None:
    stamp = state.stamp
    if state.state != "ready":
        tell("a push to this server is under way or was cut off: answers may be incomplete until kg push is run again")
    if stamp.get("version") != __version__:
        tell(f"the server was filled by accelkg {stamp.get('version')}, this is {__version__}")
    if stamp.get("rules") != RULES_VERSION:
        tell("findings: stale (made by other rules than those of this version)")
    elif stamp.get("version") == __version__ and not is_made_by(stamp, content):
        tell("the server was filled from other content than is installed here: questions and units are those of here")


def _lexicon(folder: Path, content: Content) -> "Lexicon":
    """The compiled questions, kept for the next start where that can be."""
    from kg.ask.lexicon import read_lexicon, write_lexicon

    path, fingerprint = folder / "lexicon.json", content.fingerprint()
    known = read_lexicon(path, fingerprint)
    if known is None:
        from kg.content.vocabulary import read_vocabulary

        write_lexicon(path, content, read_vocabulary(content), fingerprint)
        known = read_lexicon(path, fingerprint)
    assert known is not None
    return known
