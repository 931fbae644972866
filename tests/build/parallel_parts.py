"""Bulk-import files from the segments of a ledger in parts: DuckDB reads and divides, processes make rows, DuckDB joins.

Nothing but the files of the ledger folder is used, so the same plan runs on Spark, Ray or Polars over a shared disk.
"""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb
import yaml

from kg.export.neo4j_import import COMMAND_FILE, neo4j_import
from kg.ledger.ledger import Ledger
from kg.model.derived import Deriver
from kg.model.units import UnitTable
from kg.projection.graph_rows import NamedOnly, RowWriter, claim_extras, derived_rows
from kg.projection.rows import NodeRow, Row

Json = dict[str, Any]
CURRENT = """
    SELECT id, text FROM (
        SELECT one.json AS text, one.json ->> '$.id' AS id, held.edition AS edition,
            coalesce((one.json ->> '$.number')::BIGINT, 0) AS number, one.json ->> '$.revision' AS revision
        FROM read_ndjson_objects(?, filename = true) AS one JOIN held ON one.filename = held.path
        WHERE one.json ->> '$.record' <> 'segment'
    ) QUALIFY row_number() OVER (PARTITION BY id ORDER BY edition DESC, number DESC, revision DESC) = 1
"""
"""The current revision of each record: the edition decides, then the number, then the hash; never the order of loading."""


def divide(ledger: Path, derived: Path, parts: int, folder: Path) -> list[Path]:
    """Records and what was concluded from them, divided by the claim they belong to; one file a part."""
    manifest = Ledger(ledger).manifest()
    paths = {str(ledger / "segments" / one.name): one.edition for one in manifest.segments}
    database = duckdb.connect()
    database.execute("CREATE TABLE held (path TEXT, edition TEXT)")
    database.executemany("INSERT INTO held VALUES (?, ?)", list(paths.items()))
    database.execute(
        f"CREATE TABLE divided AS SELECT hash(id) % {parts} AS part, 0 AS place, text FROM ({CURRENT})", [list(paths)]
    )
    database.execute(
        f"""INSERT INTO divided
            SELECT hash(coalesce(json ->> '$.claim', json ->> '$.id')) % {parts}, row_number() OVER (), json
            FROM read_ndjson_objects(?) WHERE json ->> '$.record' <> 'derived'""",
        [str(derived)],
    )
    made = []
    for part in range(parts):
        made.append(folder / f"part-{part}.jsonl")
        rows = database.execute("SELECT text FROM divided WHERE part = ? ORDER BY place, text", [part]).fetchall()
        made[-1].write_text("".join(f"{row[0]}\n" for row in rows), encoding="utf-8")
    database.close()
    return made


def part_rows(path: Path, units: Path) -> Iterator[Row]:
    """The rows of one part."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    writer = RowWriter(Deriver(UnitTable.from_mapping(yaml.safe_load(units.read_text(encoding="utf-8")))))
    extras = claim_extras(one for one in records if one["record"] in ("advice", "origins"))
    for record in records:
        for row in writer.record(record):
            if isinstance(row, NodeRow) and row.table == "Claim" and row.uid == record["id"]:
                row.properties.update(extras.get(row.uid, {}))
            yield row
    yield from derived_rows(one for one in records if one["record"] in ("finding", "step", "echo"))


def make_part(path: Path, units: Path) -> Path:
    """The import files of one part in a folder of its own, and the nodes that are only named there."""
    folder = path.with_suffix("")
    folder.mkdir()
    named = NamedOnly()
    _write(folder, named.watch(part_rows(path, units)))
    lines = (json.dumps([row.table, row.uid]) + "\n" for row in named.rows())
    (folder / "named.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def make_all(
    ledger: Path, derived: Path, units: Path, rest: list[Row], folder: Path, *, parts: int
) -> dict[str, set[tuple[str, ...]]]:
    """The lines of all import files by name; `rest` are the rows of names, metrics and units, made in one place."""
    files = divide(ledger, derived, parts, folder)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        made = list(pool.map(make_part, files, [units] * len(files)))
    (folder / "rest").mkdir()
    named = NamedOnly()
    _write(folder / "rest", named.watch(rest))
    made.append(folder / "rest")
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for one in made:
        for name, lines in read_lines(one).items():
            found[name] |= lines
    described = {(name[5:-4], line[0]) for name, lines in found.items() if name.startswith("node-") for line in lines}
    wanted = {(row.table, row.uid) for row in named.rows()}
    for one in made[:-1]:
        wanted |= {tuple(json.loads(line)) for line in (one / "named.jsonl").read_text(encoding="utf-8").splitlines()}
    last = folder / "last"
    last.mkdir()
    _write(last, (NodeRow(table, uid, {}) for table, uid in sorted(wanted - described)))
    for name, lines in read_lines(last).items():
        found[name] |= lines
    return found


def read_lines(folder: Path) -> dict[str, set[tuple[str, ...]]]:
    """The lines of the data files of a folder."""
    return {
        path.name: parsed(path.read_bytes()) for path in folder.glob("*.csv") if not path.name.endswith("-header.csv")
    }


def parsed(data: bytes) -> set[tuple[str, ...]]:
    """The lines of one data file."""
    return {tuple(row) for row in csv.reader(io.StringIO(data.decode(), newline=""))}


def _write(folder: Path, rows: Iterator[Row] | list[Row]) -> None:
    for name, piece in neo4j_import(rows):
        if name != COMMAND_FILE:
            with open(folder / name, "ab") as file:
                file.write(piece)
