"""Parquet and DuckDB: the same rows as the CSV tables, read by engines that know nothing of us; SQL that only reads."""

import contextlib
import csv
import io
import resource
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import orjson
import pandas
import pyarrow.parquet
import pytest

from kg.build.writing import load_files
from kg.errors import KgError, QueryError, StoreError
from kg.export.columnar import SPECS, database, duckdb_tables, write_specs
from kg.export.csv_tables import csv_files
from kg.export.exchange import exchange_records
from kg.export.formats import export
from kg.export.specs import SpecTable
from kg.export.spreadsheet_cells import original
from kg.ledger.derived import read_derived
from kg.ledger.ledger import Ledger, Manifest, with_revision
from kg.session import Graph, open_graph
from kg.stores.protocol import Answer, DeadlinePassed
from kg.stores.sql import SqlStore, TablesDamaged
from kg.stores.temporary import new_folder
from tests.sampling import FURTHER


@pytest.fixture(scope="module", params=["hostile", pytest.param("shipped", marks=FURTHER)])
def graph(request: pytest.FixtureRequest) -> Graph:
    opened: Graph = request.getfixturevalue(request.param)
    return opened


@pytest.fixture(scope="module")
def folder(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("columnar")
    export(graph, "parquet", out / "parquet")
    export(graph, "duckdb", out / "all.duckdb")
    return out


def test_every_table_holds_what_the_csv_export_holds(graph: Graph, folder: Path) -> None:
    texts: dict[str, str] = {}
    for name, piece in csv_files(exchange_records(graph)):
        texts[name] = texts.get(name, "") + piece.decode()
    for name, text in texts.items():
        expected = sorted(tuple(map(original, row)) for row in list(csv.reader(io.StringIO(text)))[1:])
        table = pyarrow.parquet.read_table(folder / "parquet" / f"{name.removesuffix('.csv')}.parquet")
        assert len(table) == len(expected), name
        key = duckdb_tables()[name.removesuffix(".csv")].key[0]
        place = table.column_names.index(key)
        assert sorted(table.column(key).to_pylist()) == sorted(row[place] for row in expected), name


def test_rows_are_sorted_by_their_keys(folder: Path) -> None:
    for name, table in duckdb_tables().items():
        frame = pandas.read_parquet(folder / "parquet" / f"{name}.parquet")
        keys = list(frame[list(table.key)].itertuples(index=False, name=None))
        assert keys == sorted(keys), name


def test_chains_are_the_steps_of_the_derived_set(graph: Graph, folder: Path) -> None:
    steps = [
        one
        for one in read_derived(graph.ledger_folder() / "derived", graph.stamp["head"], graph.stamp["rules"])
        if one["record"] == "step"
    ]
    assert steps
    with duckdb.connect(str(folder / "all.duckdb"), read_only=True) as database:
        rows = set(database.execute("SELECT claim, hop, reaches, via FROM chains").fetchall())
    assert rows == {(one["claim"], one["hop"], one["reaches"], one["via"]) for one in steps}


def test_the_wide_table_never_holds_a_refuted_figure(shipped: Graph) -> None:
    rows = shipped.sql(f"SELECT COLUMNS('.* verdict.*') FROM {SPECS}").rows
    verdicts = {verdict for row in rows for verdict in row}
    assert verdicts == {None, "unverified", "caution", "disputed"} | (verdicts & {"confirmed"})
    answer = shipped.sql(
        f"SELECT \"memory-bandwidth [byte/s]\" FROM {SPECS} WHERE subject = 'accelerator/nvidia-h200-sxm-141gb'"
    )
    assert [float(str(row[0])) for row in answer.rows] == [pytest.approx(4.8e12)]


def test_the_wide_table_takes_a_thousand_metrics(tmp_path: Path) -> None:
    """The engine may hold little; each column takes a block of it."""
    specs = SpecTable()
    for number in range(2_000):
        specs.add(
            {
                "id": f"900/{number}",
                "kind": "specification",
                "relation": "absolute",
                "verdict": "confirmed",
                "subject": f"accelerator/{number % 20}",
                "metric": f"metric-{number % 1_000}",
                "quantity": {"canonical_value": 1.5, "canonical_unit": "W"},
            }
        )
    path = tmp_path / "wide.duckdb"
    with database(path) as connection:
        write_specs(connection, specs)
    with duckdb.connect(str(path), read_only=True) as reader:
        made = reader.execute(f"SELECT * FROM {SPECS}").fetchall()
    assert len(made) == 20
    assert {len(row) for row in made} == {2 + 3 * 1_000}


def test_sql_reads_the_tables_and_nothing_else(graph: Graph, tmp_path: Path) -> None:
    answer = graph.query("SELECT count(*) AS n, min(id) AS first FROM claims", language="sql")
    assert isinstance(answer, Answer)
    assert answer.columns == ("n", "first")
    assert answer.rows[0][0] == sum(1 for one in exchange_records(graph) if one["record"] == "claim")
    cut = graph.sql("SELECT id FROM claims", limit=3)
    assert (len(cut.rows), cut.complete) == (3, False)
    for text in (
        f"COPY claims TO '{tmp_path / 'x.csv'}'",
        "SELECT * FROM read_csv('/etc/hostname')",
        f"ATTACH '{tmp_path / 'y.duckdb'}'",
        "CREATE TABLE x AS SELECT 1",
        "DELETE FROM claims",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '200GB'",
        "SELECT nothing FROM claims",
        "SELECT",
        "",
        " ;; -- nothing",
        "SELECT 1; SELECT 2",
        "CREATE TEMP TABLE x AS SELECT 1",
        "CHECKPOINT",
    ):
        with pytest.raises(QueryError) as refused:
            graph.sql(text)
        assert refused.value.code == "query.refused", text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["EXPLAIN SELECT 1", "PIVOT claims ON level", "PRAGMA show_tables", "FROM claims; -- all"]
)
def test_sql_takes_each_statement_that_reads(graph: Graph, text: str) -> None:
    assert graph.sql(text).rows


def test_a_day_without_an_end_is_no_last_day_of_the_calendar(graph: Graph) -> None:
    text = "SELECT 'infinity'::DATE AS a, 1 AS a, '-infinity'::TIMESTAMP AS b; -- of two rows\n"
    for asked in (text.replace("; -- of two rows\n", ""), text.replace(";", "")):
        assert graph.sql(asked).rows == (("infinity", 1, "-infinity"),)
    assert graph.sql("SELECT DATE '9999-12-31'").rows == (("9999-12-31",),)


def test_sql_writes_nothing_to_the_disk_for_want_of_memory(graph: Graph) -> None:
    """A question that ended by its time would leave it there, and one without an end fill the disk."""
    assert graph.sql("SELECT current_setting('temp_directory')").rows == (("",),)


def test_a_cross_product_ends_at_its_deadline(shipped: Graph) -> None:
    with pytest.raises(DeadlinePassed):
        shipped.sql("SELECT count(*) FROM claims a, claims b, claims c, claims d", timeout_seconds=0.5)
    assert shipped.sql("SELECT 1").rows == ((1,),), "the next one is answered"


@pytest.mark.parametrize("text", ["SELECT lpad('x', 2000000000, 'y')", "SELECT range(1000000000)"])
def test_what_the_engine_does_not_stop_ends_at_a_deadline_or_for_want_of_memory(shipped: Graph, text: str) -> None:
    """It goes on inside of such a function: for minutes, with gigabytes."""
    before = _peak_kilobytes()  # other tests of this process may have taken more than two gigabytes
    with pytest.raises(QueryError) as ended:
        shipped.sql(text, timeout_seconds=2)
    assert ended.value.code in ("query.deadline", "query.memory")
    assert _peak_kilobytes() - before < 256 << 10, "the process that asks does not grow"


def _peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_sql_is_answered_in_several_threads_at_once(shipped: Graph) -> None:
    """The engine lets connections of one process share a database, and with it the lock on its settings."""
    shipped.sql("SELECT 1")
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: shipped.sql("SELECT count(*) FROM claims a, claims b").rows, range(8)))
    assert len(set(answers)) == 1


def test_the_tables_of_an_older_state_go(hostile: Graph) -> None:
    hostile.sql("SELECT 1")
    (made,) = (hostile.folder / "tables").glob("*.duckdb")
    other = made.with_name(f"{'0' * 16}-1-00000000.duckdb")
    made.rename(other)
    hostile.sql("SELECT 1")
    assert [path.name for path in (hostile.folder / "tables").iterdir()] == [made.name]


@pytest.mark.parametrize("damage", ["empty", "cut", "other", "a block"])
def test_damaged_tables_are_made_again(hostile: Graph, damage: str) -> None:
    expected = hostile.sql("SELECT * FROM claims ORDER BY id")
    (made,) = (hostile.folder / "tables").glob("*.duckdb")
    data = made.read_bytes()
    half = len(data) // 2
    made.write_bytes(
        {
            "empty": b"",
            "cut": data[:half],
            "other": b"no database" * 1000,
            # behind the headers each block has a checksum, which is compared when it is read
            "a block": data[:12288] + b"x" * (len(data) - 12288),
        }[damage]
    )
    assert hostile.sql("SELECT * FROM claims ORDER BY id") == expected
    assert hostile.sql("SELECT 1").rows == ((1,),)


def test_damage_that_a_query_meets_is_no_mistake_of_the_query(hostile: Graph, tmp_path: Path) -> None:
    hostile.sql("SELECT 1")
    (made,) = (hostile.folder / "tables").glob("*.duckdb")
    data, path = made.read_bytes(), tmp_path / "damaged.duckdb"
    met = 0
    for place in range(12288 + 100, len(data), len(data) // 12):
        path.write_bytes(data[:place] + b"x" * 64 + data[place + 64 :])
        try:
            tables = SqlStore.open(path)
        except TablesDamaged:
            continue
        with contextlib.closing(tables), contextlib.suppress(TablesDamaged):
            met += 1
            for name in duckdb_tables():
                tables.select(f"SELECT * FROM {name}", limit=10_000)
            met -= 1
    assert met > 3


def test_tables_are_not_made_of_a_ledger_that_moved_on(hostile: Graph, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(hostile.folder, store, ignore=shutil.ignore_patterns("tables"))
    opened = open_graph(store, content=hostile.content.place)
    more = {"record": "entity", "id": "accelerator/later", "kind": "accelerator", "label": "Later"}
    (tmp_path / "more.jsonl").write_bytes(orjson.dumps(more))
    load_files([tmp_path / "more.jsonl"], edition=None, dry_run=False, store=store, content=hostile.content.place)
    assert opened.sql("SELECT count(*) FROM entities WHERE id = 'accelerator/later'").rows == ((0,),)
    now = open_graph(store, content=hostile.content.place)
    assert now.sql("SELECT count(*) FROM entities WHERE id = 'accelerator/later'").rows == ((1,),)
    shutil.rmtree(store / "tables")
    ledger = Ledger(store / "ledger")
    ledger.write_manifest(Manifest(ledger.manifest().segments[1:]))
    with pytest.raises(StoreError) as caught:  # the state that was opened can be read no more
        opened.sql("SELECT count(*) FROM entities WHERE id = 'accelerator/later'")
    assert caught.value.code == "store.changed"
    opened.close()
    now.close()


def test_the_message_without_the_extra_names_it(hostile: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(KgError, match=r"accelkg\[tables\]"):
        hostile.sql("SELECT 1")


def test_a_path_that_the_engine_would_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KgError, match="without one"), database(tmp_path / "a?threads=2"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_cannot_be_written_gives_the_tables_of_its_view_after_a_load_that_was_cut_off(
    hostile: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    shutil.copytree(hostile.folder, store, ignore=shutil.ignore_patterns("tables"))
    later: Any = with_revision({"record": "entity", "id": "accelerator/later", "kind": "accelerator", "label": "Later"})
    Ledger(store / "ledger").add([later], origin="claims/x", edition="2026-11-27", scope="partial", registry="r")
    for user in ("kg.session", "kg.export.opened_tables"):
        monkeypatch.setattr(f"{user}.is_writable", lambda _: False)
    with contextlib.closing(open_graph(store, content=hostile.content.place)) as opened:
        expected = hostile.sql("SELECT id FROM entities ORDER BY id")
        assert opened.sql("SELECT id FROM entities ORDER BY id") == expected
    assert not (store / "tables").exists()


def test_the_tables_of_a_store_that_cannot_be_written_are_made_once(
    hostile: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    shutil.copytree(hostile.folder, store, ignore=shutil.ignore_patterns("tables"))
    made: list[str] = []

    def counted(purpose: str) -> Path:
        made.append(purpose)
        return new_folder(purpose)

    monkeypatch.setattr("kg.export.opened_tables.new_folder", counted)
    for user in ("kg.session", "kg.export.opened_tables"):
        monkeypatch.setattr(f"{user}.is_writable", lambda _: False)
    with contextlib.closing(open_graph(store, content=hostile.content.place)) as opened:
        assert opened.sql("SELECT count(*) FROM claims") == opened.sql("SELECT count(*) FROM claims")
    assert made == ["tables"]
