"""Opens the tables of a store for SQL, writing them first where the store has changed since.

They lie in `tables/` under a name that says what they were made from: the state of the ledger, the rules and the content.
A reader that finds them opens them; the first that does not writes them to another name and renames them.
"""

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from kg.export.columnar import database, write_tables
from kg.export.exchange import silent
from kg.stores.places import is_writable
from kg.stores.sql import SqlStore

if TYPE_CHECKING:
    from kg.ask.opened import Opened


def open_tables(graph: "Opened") -> SqlStore:
    """The tables of the state that was opened."""
    stamp = graph.stamp
    name = f"{stamp['head'][:16]}-{stamp['rules']}-{str(stamp['fingerprint'])[:8]}.duckdb"
    path = graph.folder / "tables" / name
    if not path.is_file():
        path = _written(graph, path)
    return SqlStore.open(path)


def _written(graph: "Opened", path: Path) -> Path:
    if not is_writable(graph.folder):
        elsewhere = Path(tempfile.mkdtemp(prefix="accelkg-tables-"))
        atexit.register(shutil.rmtree, elsewhere, ignore_errors=True)
        path = elsewhere / path.name
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with database(unfinished) as connection:
            write_tables(connection, graph, silent)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    for old in path.parent.glob("*.duckdb"):
        if old != path:
            with suppress(OSError):  # a reader may hold it open on some systems
                old.unlink()
    return path
