"""Opens the tables of a store for SQL, writing them first where the store has changed since.

They lie in `tables/` under a name that says what they were made from: the state of the ledger, the rules and the content.
A reader that finds them opens them; the first that does not writes them to another name and renames them.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kg.errors import StoreError
from kg.export.columnar import database, write_tables
from kg.export.exchange import recorded_state, silent
from kg.ledger.durable import hidden_beside, sync_folder
from kg.stores.places import is_writable
from kg.stores.protocol import Answer
from kg.stores.sql import TablesDamaged
from kg.stores.sql_process import ask_sql
from kg.stores.temporary import new_folder

if TYPE_CHECKING:
    from kg.ask.opened import Opened


def ask_tables(graph: "Opened", text: str, *, limit: int | None, timeout_seconds: float | None) -> Answer:
    """The rows of a SELECT over the tables of the state that was opened; tables that are damaged are made again."""
    try:
        return ask_sql(_tables(graph), text, limit=limit, timeout_seconds=timeout_seconds)
    except TablesDamaged:
        return ask_sql(_tables(graph, anew=True), text, limit=limit, timeout_seconds=timeout_seconds)


def _tables(graph: "Opened", *, anew: bool = False) -> Path:
    """The file of the tables, written first where there is none."""
    stamp = graph.stamp
    name = f"{stamp['head'][:16]}-{stamp['rules']}-{str(stamp['fingerprint'])[:8]}.duckdb"
    path = graph.folder / "tables" / name
    path = _BESIDE.get(path, path)
    return _written(graph, path) if anew or not path.is_file() else path


_BESIDE: Final[dict[Path, Path]] = {}
"""Where the tables of a store that is only read lie for as long as this process lives, by where they would lie in it."""


def _written(graph: "Opened", path: Path) -> Path:
    # Before, so that nothing is written in vain; and again behind it, since a load may have come
    # meanwhile.
    _check_state(graph)
    # A store that is only read, such as one of the system or on a medium: the tables live as long
    # as this process.
    if not is_writable(graph.folder) and path not in _BESIDE.values():
        _BESIDE[path] = path = new_folder("tables") / path.name
    path.parent.mkdir(exist_ok=True)
    unfinished = hidden_beside(path)
    try:
        with database(unfinished) as connection:
            write_tables(connection, graph, silent)
        _check_state(graph)
        with open(unfinished, "rb+") as file:
            os.fsync(file.fileno())  # a name that is durable before the content would be that of an empty file
        unfinished.replace(path)
        sync_folder(path.parent)
    finally:
        for left in (unfinished, unfinished.with_name(f"{unfinished.name}.wal")):
            left.unlink(missing_ok=True)
    # Tables of other states: whoever opens the store now asks for another name.
    for old in path.parent.glob("*.duckdb"):
        if old != path:
            with suppress(OSError):  # a reader may hold it open on some systems
                old.unlink()
    return path


def _check_state(graph: "Opened") -> None:
    """Raise where the tables would be of another state than the one that was opened, which their name promises."""
    if recorded_state(graph).head != graph.stamp["head"]:
        raise StoreError(
            code="store.changed",
            path=str(graph.folder),
            given="a ledger that is newer than the view that was opened",
            expected="one state for both",
            next_step="ask again; a program that runs on opens the graph again first",
        )
