"""CSV tables and the data package: read by the csv module, pandas and Frictionless; no cell is a formula."""

import csv
import io
import json
import zipfile
from pathlib import Path

import frictionless
import pandas
import pytest

from kg.export.csv_tables import csv_files
from kg.export.exchange import exchange_records
from kg.export.formats import export
from kg.export.spreadsheet_cells import neutral, original
from kg.export.table_rows import rows_of
from kg.export.tables import TABLES
from kg.session import Graph
from tests.export.conftest import HOSTILE

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("text", [*HOSTILE, "'", "''", "", "=", "plain", "a=b", " =1", "-inf", "-1_0", "－1", "＝1"])
def test_a_neutral_cell_starts_no_formula_and_gives_the_text_back(text: str) -> None:
    assert not neutral(text).startswith(FORMULA)
    assert original(neutral(text)) == text


@pytest.mark.parametrize("text", ["-3", "-0.5", "-1e-3", "3"])
def test_a_number_is_no_formula(text: str) -> None:
    assert neutral(text) == original(text) == text


def test_no_cell_of_any_file_is_a_formula(graph: Graph, out: Path) -> None:
    export(graph, "csv", out / "csv")
    numeric = {(name, one.name) for name, table in TABLES.items() for one in table.columns if one.type != "string"}
    cells = 0
    for path in (out / "csv").glob("*.csv"):
        for row in read(path):
            for column, cell in row.items():
                if (path.stem, column) in numeric:
                    assert cell == "" or cell in ("true", "false") or float(cell) is not None
                else:
                    assert not cell.startswith(FORMULA) or float(cell) < 0
                cells += 1
    assert cells > 1000


def test_hostile_texts_come_back_from_the_tables(hostile: Graph, out: Path) -> None:
    export(hostile, "csv", out / "csv")
    labels = {one["id"]: original(one["label"]) for one in read(out / "csv" / "entities.csv")}
    assert [labels[f"accelerator/hostile-{number:02d}"] for number in range(len(HOSTILE))] == list(HOSTILE)
    claims = {one["id"]: original(one["statement"]) for one in read(out / "csv" / "claims.csv")}
    assert [claims[f"900/hostile.{number:02d}"] for number in range(len(HOSTILE))] == list(HOSTILE)
    details = [one for one in read(out / "csv" / "claim_conditions.csv") if one["name"] == "framework"]
    assert [original(one["from"]) for one in details] == list(HOSTILE)


def test_pandas_reads_the_same_figures(graph: Graph, out: Path) -> None:
    export(graph, "csv", out / "csv")
    path = out / "csv" / "claims.csv"  # before its version 3, pandas read floats a digit short unless told to
    frame = pandas.read_csv(path, dtype={"id": str}, float_precision="round_trip").set_index("id")
    given = {one["id"]: one for one in exchange_records(graph) if one["record"] == "claim"}
    assert set(frame.index) == set(given)
    for name, record in given.items():
        value = (record["quantity"] or {}).get("value")
        if isinstance(value, int | float):
            assert frame.loc[name, "quantity_value"] == value


def test_every_value_of_a_claim_is_in_a_row(graph: Graph) -> None:
    """Nothing that was recorded is left out of the tables."""
    for record in exchange_records(graph):
        written = {str(cell).lower() for _, row in rows_of(record) for cell in row if cell is not None}
        for value in _leaves(record):
            assert str(value).lower() in written or json.dumps(value) in "".join(written)


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [
            leaf
            for key, one in value.items()
            if key not in ("record", "findings", "missing", "when", "result", "status")
            for leaf in _leaves(one)
        ]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [] if value is None else [value]


def test_frictionless_validates_the_package(graph: Graph, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(graph, "datapackage", out / "package")
    monkeypatch.chdir(out / "package")
    report = frictionless.validate("datapackage.json")
    assert report.valid, report.flatten(["type", "message"])[:5]
    assert len(report.tasks) == len(TABLES)


def test_frictionless_finds_a_changed_byte(hostile: Graph, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(hostile, "datapackage", out / "package")
    path = out / "package" / "claims.csv"
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    monkeypatch.chdir(out / "package")
    report = frictionless.validate("datapackage.json")
    assert not report.valid
    assert {error.type for task in report.tasks for error in task.errors} >= {"hash-count"}


def test_the_archive_holds_the_files_of_the_folder_and_is_stable(hostile: Graph, out: Path) -> None:
    for name in ("folder", "a.zip", "b.zip"):
        export(hostile, "datapackage", out / name)
    assert (out / "a.zip").read_bytes() == (out / "b.zip").read_bytes()
    with zipfile.ZipFile(out / "a.zip") as archive:
        assert archive.testzip() is None
        assert {one: archive.read(one) for one in archive.namelist()} == {
            one.name: one.read_bytes() for one in (out / "folder").iterdir()
        }
    assert frictionless.validate(str(out / "a.zip")).valid


def test_rows_have_the_columns_of_their_table(graph: Graph) -> None:
    made, seen = TABLES, set()
    for record in exchange_records(graph):
        for name, row in rows_of(record):
            seen.add(name)
            assert len(row) == len(made[name].columns)
    assert seen <= set(made)
    assert {"claims", "entities", "sources", "claim_conditions", "thing_lists"} <= seen


def test_a_piece_of_a_table_never_splits_a_row(hostile: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    whole: dict[str, bytes] = {}
    for name, piece in csv_files(exchange_records(hostile)):
        whole[name] = whole.get(name, b"") + piece
    monkeypatch.setattr("kg.export.csv_tables._AT_ONCE", 1)
    parts: dict[str, bytes] = {}
    for name, piece in csv_files(exchange_records(hostile)):
        assert list(csv.reader(io.StringIO(piece.decode(), newline="")))
        parts[name] = parts.get(name, b"") + piece
    assert parts == whole
