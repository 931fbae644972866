"""A mapping drafted from a table reads that table as it is."""

from pathlib import Path

import pytest

from kg.content.located import read_located
from kg.ingest.mapping_reader import CsvReader
from kg.ingest.readers import open_table
from tests.cli.conftest import Kg

HEAD = "GPU,Vendor,Memory (GB),Memory Bandwidth (GB/s),TDP (W),Launch year\n"
ROWS = HEAD + 'H100 SXM,NVIDIA,80,3350,700,2022\nMI300X,AMD,192,"5,300",750,2023\nFooCard 9,Foo,1,2,3,2020\n'


def drafted(kg: Kg, folder: Path, text: str = ROWS, *options: str) -> tuple[Path, str]:
    table = folder / "cards.csv"
    table.write_text(text, encoding="utf-8")
    done = kg("load", "table", str(table), "--draft-mapping", *options)
    return table, done.stdout if done.returncode == 0 else done.stderr


def test_a_draft_names_the_column_of_names_and_the_metric_and_unit_of_each_figure(kg: Kg, tmp_path: Path) -> None:
    _, text = drafted(kg, tmp_path)
    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    mapping = read_located(tmp_path / "m.yaml").value
    assert mapping["entities"]["chip"]["of"] == "gpu" and mapping["key"] == ["gpu"]
    read = {name: (claim["metric"], claim["unit"]) for name, claim in mapping["claims"].items()}
    assert read == {
        "memory-gb": ("memory-capacity", "GB"),
        "memory-bandwidth-gb-s": ("memory-bandwidth", "GB/s"),
        "tdp-w": ("power", "W"),
    }
    assert mapping["shapes"]["table"]["columns"]["Launch year"]["why"].startswith("not read")


def test_the_draft_reads_its_table(kg: Kg, tmp_path: Path) -> None:
    table, text = drafted(kg, tmp_path)
    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    done = kg("load", "table", str(table), "--mapping", str(tmp_path / "m.yaml"), "--dry-run", "--format", "json")
    assert done.returncode in (0, 1), done.stderr  # the row that names no known thing may be refused
    assert '"claims": 6' in done.stdout, done.stdout


def test_a_table_that_names_nothing_known_is_refused_with_what_to_do(kg: Kg, tmp_path: Path) -> None:
    _, told = drafted(kg, tmp_path, "a,b (GB)\nx,1\ny,2\n")
    assert "no column whose cells name a thing" in told and "kg find" in told


def test_a_long_table_that_names_nothing_known_is_not_turned(kg: Kg, tmp_path: Path) -> None:
    _, told = drafted(kg, tmp_path, "a,b (GB)\n" + "x,1\n" * 5000 + "torn\n")
    assert "no column whose cells name a thing" in told


@pytest.mark.parametrize("head", ["price_per_hour_usd", "usd_per_hour", "Price (USD per hour)", "Hourly price $"])
def test_a_price_for_a_time_is_known_by_its_currency_and_its_time(kg: Kg, tmp_path: Path, head: str) -> None:
    _, text = drafted(kg, tmp_path, f"GPU,{head}\nH100 SXM,2.10\nMI300X,1.95\n")
    (tmp_path / "m.yaml").write_text(text, encoding="utf-8")
    (claim,) = read_located(tmp_path / "m.yaml").value["claims"].values()
    assert (claim["kind"], claim["metric"], claim["unit"]) == ("price", "rental-price", "USD/h")


def test_figures_with_their_unit_beside_them_and_a_head_without_one_are_drafted_and_read(
    kg: Kg, tmp_path: Path
) -> None:
    text = (
        'Chip,TDP,Price,Bandwidth,Vendor\nH100 SXM,700,"$31,000",3.35 TB/s,NVIDIA\nMI300X,750,"$18,000",5.3 TB/s,AMD\n'
    )
    table, draft = drafted(kg, tmp_path, text)
    (tmp_path / "m.yaml").write_text(draft, encoding="utf-8")
    claims = read_located(tmp_path / "m.yaml").value["claims"]
    assert {one["metric"]: one["unit"] for one in claims.values()} == {
        "power": "W",
        "purchase-price": "$price_unit",
        "memory-bandwidth": "$bandwidth_unit",
    }
    assert draft.count("the head names no unit") == 2, "in the column, and in the claim"
    done = kg("load", "table", str(table), "--mapping", str(tmp_path / "m.yaml"), "--dry-run", "--format", "json")
    assert done.returncode == 0 and '"claims": 6' in done.stdout, done.stderr


DATA_SHEET = """\
Chip,Vendor,Memory,TDP,FP8 dense (TFLOPS),"Peak TFLOPS (BF16, sparse)",On demand per hour,Released
H200 SXM,NVIDIA,141 GB,700 W,1979,1979,$3.59,2024-11
MI355X,AMD,288 GB,1400 W,5033,5033,$2.95,2025-06
TPU v5e,Google,16 GB,0.2 kW,n/a,394,$1.20,2023
MI300X,AMD,192 GB,750 W,2615,2615,n/a,2023-12
Trainium2,AWS,96 GiB,,1299,,,2024
FooCard 9,Foo Inc,80 GB,300 W,10,20,$0.30,2024
"""


def test_a_data_sheet_as_people_write_them_is_drafted_whole(kg: Kg, tmp_path: Path) -> None:
    """Makers are known too, units differ from cell to cell, and the head says precision and sparsity."""
    table, draft = drafted(kg, tmp_path, DATA_SHEET)
    (tmp_path / "m.yaml").write_text(draft, encoding="utf-8")
    claims = read_located(tmp_path / "m.yaml").value["claims"]
    assert {(one["metric"], one["unit"], *one.get("conditions", {}).values()) for one in claims.values()} == {
        ("memory-capacity", "$memory_unit"),
        ("power", "$tdp_unit"),
        ("peak-compute", "TFLOP/s", "precision/fp8", "dense"),
        ("peak-compute", "TFLOP/s", "precision/bf16", "sparse"),
        ("rental-price", "$on_demand_per_hour_rate"),
    }
    done = kg("load", "table", str(table), "--mapping", str(tmp_path / "m.yaml"), "--dry-run", "--format", "json")
    assert done.returncode == 1 and '"claims": 20' in done.stdout, done.stderr  # all but those of the FooCard


PRICES = """\
Instance,GPU,GPUs,vCPU,RAM (GiB),Price per hour
p5.48xlarge,8x H100,8,192,2048,$98.32
ND MI300X v5,MI300X,8,96,1850,$48.00
"""
RESULTS = """\
system,model,precision,tokens_per_second,users
DGX B200,Llama 3.1 405B,FP8,3200,64
GB200 NVL72,DeepSeek-R1,FP4,250000,512
"""


@pytest.mark.parametrize(
    ("table", "drafts"),
    [
        (PRICES, {"rental-price": ("price", "total", {"accelerators": "$gpus"})}),  # nobody pays $98 for one of eight
        (
            RESULTS,
            {
                "throughput": ("measurement", "total", {"model": "$model_id", "precision": "$precision_id"}),
                "concurrency": ("specification", "total", {}),
            },
        ),
    ],
)
def test_a_figure_of_several_accelerators_is_of_all_of_them(
    kg: Kg, tmp_path: Path, table: str, drafts: dict[str, tuple[str, str, dict[str, str]]]
) -> None:
    path, draft = drafted(kg, tmp_path, table)
    (tmp_path / "m.yaml").write_text(draft, encoding="utf-8")
    claims = read_located(tmp_path / "m.yaml").value["claims"].values()
    assert {one["metric"]: (one["kind"], one["normaliser"], one.get("conditions", {})) for one in claims} == drafts
    done = kg("load", "table", str(path), "--mapping", str(tmp_path / "m.yaml"), "--dry-run")
    assert done.returncode == 0, done.stderr


TURNED = """\
Specification,H100 SXM,H200 SXM,B200
Memory,80GB,141GB,180 GB
,,,
Performance,,,
FP8 Tensor Core (TFLOPS),3958,3958,9000
TDP,up to 700W,up to 700W,1000 W
Price per hour,$2.99,$3.59,
"""


def test_a_data_sheet_with_a_chip_a_column_is_turned(kg: Kg, tmp_path: Path) -> None:
    table, draft = drafted(kg, tmp_path, TURNED)
    (tmp_path / "m.yaml").write_text(draft, encoding="utf-8")
    mapping = read_located(tmp_path / "m.yaml").value
    assert mapping["shapes"]["table"]["reader"] == {"format": "csv", "turned": True}
    assert "up to 700W is no figure" in mapping["shapes"]["table"]["columns"]["TDP"]["why"]
    done = kg("load", "table", str(table), "--mapping", str(tmp_path / "m.yaml"), "--dry-run", "--format", "json")
    assert done.returncode == 0 and '"claims": 8' in done.stdout, done.stderr  # 3 of memory, 3 of compute, 2 prices
    with open_table(table, CsvReader(format="csv", turned=True)) as turned:
        second = list(turned.rows)[1]
        assert turned.columns is not None
        cells = dict(zip(turned.columns, second.cells, strict=True))
        assert (cells["Specification"], cells["Memory"]) == ("H200 SXM", "141GB") and "Performance" not in cells
        assert turned.place(second.locus, "TDP") == {"row": 6, "column": "H200 SXM"}


def test_a_row_that_cannot_be_read_ends_the_reading_of_a_turned_table(kg: Kg, tmp_path: Path) -> None:
    table, draft = drafted(kg, tmp_path, TURNED)
    (tmp_path / "m.yaml").write_text(draft, encoding="utf-8")
    table.write_text(f"{TURNED}Bandwidth,1 TB/s\n", encoding="utf-8")
    done = kg("load", "table", str(table), "--mapping", str(tmp_path / "m.yaml"), "--dry-run")
    assert done.returncode == 2 and "2 cells" in done.stderr and "cards.csv:8" in done.stderr
