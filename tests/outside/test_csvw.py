"""CSV on the Web: the exported tables as a processor of others reads them by the description beside them."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from kg.export.csvw import METADATA
from kg.export.formats import export
from kg.export.spreadsheet_cells import original
from kg.export.tables import TABLES
from kg.session import Graph
from tests.export.conftest import HOSTILE

csvw = pytest.importorskip("csvw", reason="the extra test has it")


def opened(folder: Path) -> Any:
    return csvw.TableGroup.from_file(folder / METADATA)


def read_strictly(folder: Path) -> int:
    """Every row of every table; a cell without its type, a key that leads to nothing or that is there twice raises."""
    group, rows = opened(folder), 0
    group.check_referential_integrity(strict=True)
    for table in group.tables:
        found = list(table.iterdicts(strict=True))
        if not table.check_primary_key(found):
            raise ValueError(f"{table.url}: a key is there twice")
        rows += len(found)
    return rows


@pytest.mark.long
def test_every_table_is_valid_by_its_description(shipped: Graph, out: Path) -> None:
    export(shipped, "csv", out / "csv")
    group = opened(out / "csv")
    assert {str(one.url) for one in group.tables} == {f"{name}.csv" for name in TABLES}
    assert read_strictly(out / "csv") > 10_000
    assert csvw.CSVW(str(out / "csv" / METADATA), validate=True).is_valid


def test_hostile_texts_are_read_as_they_are(hostile: Graph, out: Path) -> None:
    export(hostile, "csv", out / "csv")
    tables = {one.local_name: one for one in opened(out / "csv").tables}
    assert read_strictly(out / "csv") > 100
    labels = {row["id"]: original(row["label"]) for row in tables["entities.csv"].iterdicts(strict=True)}
    assert [labels[f"accelerator/hostile-{number:02d}"] for number in range(len(HOSTILE))] == list(HOSTILE)


@pytest.mark.parametrize(
    ("table", "column", "given"),
    [("claims", "quantity_lower", "many"), ("claims", "source", "source/none"), ("claim_lists", "position", "1.5")],
)
def test_a_cell_that_does_not_fit_is_found(hostile: Graph, out: Path, table: str, column: str, given: str) -> None:
    export(hostile, "csv", out / "csv")
    path = out / "csv" / f"{table}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    changed = next(row for row in rows if row[column])
    changed[column] = given
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(ValueError, match=r"\S"):
        read_strictly(out / "csv")


def test_the_description_names_what_the_tables_are(hostile: Graph, out: Path) -> None:
    export(hostile, "csv", out / "csv.zip")
    export(hostile, "csv", out / "csv")
    described = json.loads((out / "csv" / METADATA).read_text("utf-8"))
    assert described["@context"][0] == "http://www.w3.org/ns/csvw"
    for one in described["tables"]:
        with (out / "csv" / one["url"]).open(encoding="utf-8", newline="") as file:
            assert next(csv.reader(file)) == [column["titles"] for column in one["tableSchema"]["columns"]]
