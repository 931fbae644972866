"""Where a store lies, and whether what lies there is up to date."""

import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from kg.errors import UsageError

BOLT = ("neo4j://", "neo4j+s://", "neo4j+ssc://", "bolt://", "bolt+s://", "bolt+ssc://")
SPARQL = ("sparql+http://", "sparql+https://")
SERVERS = (*BOLT, *SPARQL)
"""How the addresses of servers begin."""
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)


class NotAServer(UsageError):
    """An address of a server is needed, or has a form that cannot be used."""

    code = "store.address"


def data_folder() -> Path:
    """The user's data directory for this program. Raises UsageError where the user has no home."""
    try:
        return _data_folder()
    except RuntimeError as cause:  # as in a container that runs under a number without a name
        raise UsageError(
            field="HOME",
            given="nothing",
            expected="a folder for the data of this user",
            next_step="set HOME or XDG_DATA_HOME, or name a store with --store or KG_STORE",
        ) from cause


def _data_folder() -> Path:
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "accelkg"


def default_store(root: Path | None) -> Path:
    """The store folder when none is named; content given by hand, at `root`, has a store of its own."""
    if root is None:
        return data_folder() / "store"
    return data_folder() / f"store-{sha256(str(root).encode()).hexdigest()[:12]}"


def is_writable(folder: Path) -> bool:
    """Whether a store can be made or changed there."""
    while not folder.exists():
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


def hindrance(folder: Path) -> str | None:
    """Why no store can lie at a path, in words: something there or above is no folder, or may not be read; else None."""
    nearest = next(one for one in (folder, *folder.parents, Path()) if os.path.lexists(one))
    name = "this" if nearest == folder and not nearest.is_symlink() else str(nearest)
    try:
        if nearest.is_dir():
            readable = os.access(nearest, os.R_OK | os.X_OK)
            return None if readable else f"{name} may not be read by this user; change its permissions, or name another"
        nearest.stat()
    except FileNotFoundError:
        return f"{name} is a link to what is not there"
    except (OSError, RuntimeError):  # a link that leads to itself, told in two ways
        return f"{name} is a link in a circle"
    return f"{name} is a file" if nearest.is_file() else f"{name} is no folder"


def named_store(store: str | os.PathLike[str] | None) -> str | None:
    """What --store or KG_STORE names: a folder, the address of a server, or nothing.

    An address of another kind is refused: taken as a path, it would name a folder that nobody meant.
    """
    named = os.fspath(store) if store is not None else os.environ.get("KG_STORE") or None
    if named is not None and "\0" in named:
        raise UsageError(field="store", given="a text with a NUL", expected="a folder, or the address of a server")
    if named is not None and not is_server(named) and _ADDRESS.match(named):
        raise no_server(named, field="--store" if store is not None else "KG_STORE", expected="a folder, or ")
    # a shell does this for what is typed; a program and a file of settings have none
    return None if named is None else os.path.expanduser(named)  # noqa: PTH111 - Path raises where there is no such user


def no_server(address: str, *, field: str, expected: str = "") -> NotAServer:
    """The refusal of an address, without the login that it may hold."""
    given = _ADDRESS.fullmatch(address)
    scheme, place = (given[1].lower(), given[2].rpartition("@")[2]) if given else ("", address.rpartition("@")[2])
    return NotAServer(
        "is not an address of a store.",
        field=field,
        given=f"{scheme}://{place}" if given else place,
        expected=f"{expected}one of {', '.join(SERVERS)} with a host",
        next_step=f'Did you mean "sparql+{scheme}://{place}"?'
        if scheme in ("http", "https") and place
        else "A folder is named by its path, without a scheme."
        if expected
        else None,
    )


def has_place(address: str) -> bool:
    """Whether an address names a host, and a port that is one where it names a port.

    >>> has_place("neo4j://h:7687"), has_place("neo4j://"), has_place("neo4j://h:x"), has_place("neo4j://[::1")
    (True, False, False, False)
    >>> has_place("neo4j://a..b"), has_place("neo4j://h/" + chr(0xDCFF))  # a label of nothing, bytes that are no UTF-8
    (False, False)
    """
    try:
        address.encode()
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")  # as the system will: a label of it may be empty or too long
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # it may quote the address with the login in it
        return False


def is_server(store: str | None) -> bool:
    """Whether a store option is the address of a server.

    >>> is_server("neo4j://localhost:7687"), is_server("/data/store"), is_server(None)
    (True, False, False)
    """
    return store is not None and store.startswith(SERVERS)


class WritingNeedsFolder(UsageError):
    """A command that writes was given a server as its store."""

    code = "store.server"


def checked_address(store: str, *, field: str = "--store") -> str:
    """The address, if it can be used. A login in it is refused unseen: command lines are there for all to read."""
    if not is_server(store) or not has_place(store):
        raise no_server(store, field=field)
    kind = "SPARQL" if store.startswith(SPARQL) else "NEO4J"
    refuse_login(store, kind, field=field, advice=", and change this password: other users can read command lines")
    return store


def refuse_login(address: str, kind: str, *, field: str, advice: str = "") -> None:
    """Refuse an address with a login in it, unseen; `kind` names the variables that take one."""
    parts = urlsplit(address)
    if "@" in parts.netloc:
        raise NotAServer(
            "holds a login.",
            field=field,
            given=f"{parts.scheme}://…@{parts.netloc.rpartition('@')[2]}",
            expected="an address without a login",
            next_step=f"set KG_{kind}_USER and KG_{kind}_PASSWORD{advice}",
        )


def refuse_writing(store: str) -> None:
    """Say what to do instead of writing to a server."""
    raise WritingNeedsFolder(
        given=checked_address(store),
        expected="a folder",
        next_step="load and build in a local store, then: kg push ADDRESS; a machine without the ledger gets it with: kg pull ADDRESS",
    )
