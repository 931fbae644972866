"""The facts as tables: what somebody would make who needs these few questions and no more. Filled from the records and
the derived set, without either store; every way in has an index.
"""

import csv
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from typing import Any, Final

from benchmarks.parts.part import Meter, Unavailable, Work, megabytes
from benchmarks.peers import Sql, import_duckdb
from kg.projection.rows import NodeRow, Row

TABLES: Final[dict[str, str]] = {
    "claim": "id TEXT, kind TEXT, metric TEXT, value DOUBLE, printed TEXT, unit TEXT, source TEXT, asserted_by TEXT",
    "subject": "claim TEXT, thing TEXT",
    "baseline": "claim TEXT, thing TEXT",
    "covers": "name TEXT, thing TEXT",
    "finding": "id TEXT, kind TEXT, code TEXT, severity TEXT, verdict TEXT, message TEXT",
    "about": "finding TEXT, claim TEXT",
    "step": "claim TEXT, via TEXT, hop INTEGER, reached TEXT",
    "result": "claim TEXT, accelerator TEXT, task TEXT, scenario TEXT, round TEXT, category TEXT, value DOUBLE, accelerators INTEGER, source TEXT",
}
INDEXES: Final[dict[str, tuple[str, ...]]] = {
    "claim": ("id", "value", "metric"),
    "subject": ("thing", "claim"),
    "baseline": ("thing", "claim"),
    "covers": ("name",),
    "finding": ("id", "kind"),
    "about": ("finding", "claim"),
    "step": ("claim",),
    "result": ("claim",),
}
_EDGES: Final = {
    ("SUBJECT", "Claim"): "subject",
    ("BASELINE", "Claim"): "baseline",
    ("COVERS", "Name"): "covers",
    ("ABOUT", "Finding"): "about",
}

COMPARE: Final = """
SELECT DISTINCT c.id, x.orientation, c.metric, s.thing, b.thing
FROM (SELECT 'a-against-b' AS orientation, ? AS first, ? AS second UNION ALL SELECT 'b-against-a', ?, ?) x
JOIN covers one ON one.name = x.first JOIN covers two ON two.name = x.second
JOIN baseline b ON b.thing = two.thing JOIN subject s ON s.claim = b.claim AND s.thing = one.thing
JOIN claim c ON c.id = b.claim
"""
CHAIN: Final = "SELECT via, hop, reached FROM step WHERE claim = ?"
VALUE: Final = "SELECT id, value FROM claim WHERE value BETWEEN ? AND ?"
CONFLICTS: Final = """
SELECT DISTINCT f.id, f.code, f.severity, f.verdict, a.claim, c.metric, f.message
FROM finding f JOIN about a ON a.finding = f.id JOIN claim c ON c.id = a.claim
WHERE f.kind = 'conflict' ORDER BY f.severity DESC, f.verdict, f.code, f.id, a.claim
"""
BEST: Final = """
SELECT accelerator, task, scenario, round, category, max(highest), max(listed) FROM (
  SELECT accelerator, task, scenario, round, category, max(value) AS highest, count(*) AS listed FROM result
  GROUP BY accelerator, task, scenario, round, category, source)
GROUP BY accelerator, task, scenario, round, category
"""
"""Two tables of a round list the same results: the fullest one counts."""


def write_tables(work: Work, meter: Meter) -> None:
    """Write the files, load them into SQLite and DuckDB, and index them."""
    work.tables.mkdir(exist_ok=True)
    with ExitStack() as stack:
        writers: dict[str, Any] = {}
        for name in TABLES:
            file = stack.enter_context(open(work.tables / f"{name}.csv", "w", encoding="utf-8", newline=""))
            writers[name] = csv.writer(file)
        for name, row in facts(work):
            writers[name].writerow(["" if cell is None else cell for cell in row])
    with meter.timed("sqlite"):
        _load_sqlite(work)
    with suppress(Unavailable), meter.timed("duckdb"):  # the step that asks it says so
        _load_duckdb(work)
    for name in ("sqlite", "duckdb"):
        if (path := work.tables / f"facts.{name}").exists():
            meter.counts[name] = megabytes(path)
    (work.tables / "done").touch()


def facts(work: Work) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each row with the name of its table."""
    from benchmarks.peers import opened
    from kg.build.property_graph import graph_rows
    from kg.content.vocabulary import read_vocabulary
    from kg.ledger.ledger import Ledger
    from kg.model.derived import Deriver

    with opened(work) as graph:
        vocabulary = read_vocabulary(graph.content)
        for row in graph_rows(work.store, vocabulary, graph.stamp):
            yield from _of_row(row)
        ledger = Ledger(work.store / "ledger")
        things = {one["id"]: one for one in ledger.current() if one["record"] == "entity"}
        deriver = Deriver(vocabulary.units)
        for record in ledger.current():
            if record["record"] == "claim" and (found := result_row(record, things, deriver)) is not None:
                yield "result", found


def _of_row(row: Row) -> Iterator[tuple[str, tuple[Any, ...]]]:
    if isinstance(row, NodeRow):
        has = row.properties.get
        if row.table == "Claim":
            names = ("kind", "metric", "value", "printed", "unit", "source", "asserted_by")
            yield "claim", (row.uid, *(has(name) for name in names))
        elif row.table == "Finding":
            yield "finding", (row.uid, *(has(name) for name in ("kind", "code", "severity", "verdict", "message")))
        elif row.table == "TraceStep":
            yield "step", tuple(has(name) for name in ("claim", "via", "hop", "reaches"))
    elif (table := _EDGES.get((row.type, row.from_table))) is not None and row.to_table != (
        "Source" if table == "about" else ""
    ):
        yield table, (row.from_uid.removeprefix("name/"), row.to_uid)


def result_row(record: Mapping[str, Any], things: Mapping[str, Any], deriver: Any) -> tuple[Any, ...] | None:
    """A published result of one kind of accelerator, by the rule of `kg.audit.measured_rows`, written once more."""
    from kg.audit.result_conditions import is_limited, one_category

    conditions = record.get("conditions") or {}
    cell = [conditions.get(name) for name in ("task", "scenario", "round")]
    thing, count = things.get(record["subject"]) or {}, conditions.get("accelerators")
    if (
        record.get("metric") != "throughput"
        or record.get("normaliser") != "per-chip"
        or record["kind"] != "measurement"
        or "statistic" in record
        or not all(isinstance(one, str) for one in cell)
        or not isinstance(count, int | float)
        or count < 1
        or (thing.get("count") or 0) > 1
        or (thing.get("parts") and thing.get("kind") == "configuration")
        or str(conditions.get("division", "")).rpartition("/")[2].strip().casefold() == "open"
        or is_limited(str(conditions.get("boundary", "")), str(conditions.get("tested_on", "")))
    ):
        return None
    canonical = deriver.canonical(record)
    if canonical is None or canonical.value <= 0:
        return None
    category = one_category(conditions.get("category"))
    return record["id"], record["subject"], *cell, category, float(canonical.value), int(count), record["source"]


def _load_sqlite(work: Work) -> None:
    path = work.tables / "facts.sqlite"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        for name, columns in TABLES.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
            with open(work.tables / f"{name}.csv", encoding="utf-8", newline="") as file:
                places = ", ".join("?" * (columns.count(",") + 1))
                rows = ([cell or None for cell in row] for row in csv.reader(file))
                connection.executemany(f"INSERT INTO {name} VALUES ({places})", rows)
        for name, indexed in INDEXES.items():
            for column in indexed:
                connection.execute(f"CREATE INDEX {name}_{column} ON {name} ({column})")
        connection.execute("ANALYZE")
        connection.commit()


def _load_duckdb(work: Work) -> None:
    path = work.tables / "facts.duckdb"
    path.unlink(missing_ok=True)
    with closing(import_duckdb().connect(str(path))) as connection:
        for name, columns in TABLES.items():
            connection.execute(f"CREATE TABLE {name} ({columns})")
            connection.execute(
                f"COPY {name} FROM '{work.tables / name}.csv' (HEADER false, AUTO_DETECT false, DELIM ',', QUOTE '\"', ESCAPE '\"', NULLSTR '')"
            )
        for name, indexed in INDEXES.items():
            for column in indexed:
                connection.execute(f"CREATE INDEX {name}_{column} ON {name} ({column})")


# --- the questions in SQL ------------------------------------------------------------------------------------------------


def compare_rows(sql: Sql, first: str, second: str) -> list[tuple[Any, ...]]:
    """Claims that compare two names, as `questions.compare_rows` gives them."""
    from kg.model.names import name_key

    a, b = name_key(first), name_key(second)
    rows = sql(COMPARE, a, b, b, a)
    return [(claim, orientation, metric.removeprefix("metric/"), *ends) for claim, orientation, metric, *ends in rows]


def value_rows(sql: Sql, value: float) -> list[tuple[Any, ...]]:
    """Claims that print a figure within half a percent."""
    from kg.answers.number import TOLERANCE

    return sql(VALUE, value * (1 - TOLERANCE), value * (1 + TOLERANCE))


def trace_rows(sql: Sql, claim: str) -> list[tuple[Any, ...]]:
    """The chain behind a claim, hop by hop."""
    return sql(CHAIN, claim)
