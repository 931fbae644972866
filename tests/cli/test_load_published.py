"""`kg load` of published files, as a process."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.forked_program import run_forked_text
from tests.ingest.shop import ROWS, shop_content
from tests.small_content import ROOT, claim, write_lines


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with content, a file and room for a store."""
    folder = tmp_path_factory.mktemp("shop")
    shop_content(folder / "content")
    (folder / "prices-2026-01-02.csv").write_text(ROWS)
    (folder / "sound-2026-01-03.csv").write_text("Name,Chip,Count,Price\nz,Acme One,4,8.00\n")
    return folder


@pytest.fixture
def built(shipped_store: Path, tmp_path: Path) -> Path:
    """The store of the shipped content in the folder of a test, where a load would build it first."""
    return Path(shutil.copytree(shipped_store, tmp_path / "store"))


def kg(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the program in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KG_STORE": "store"}
    return run_forked_text(*arguments, "--content", "content", folder=folder, environment=environment)


def test_rejected_rows_end_with_1_and_say_what_to_do(place: Path) -> None:
    done = kg(place, "load", "shop", "prices-2026-01-02.csv", "--rejects", "rejects.jsonl", "--format", "json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert (told["files"][0]["rows"], told["files"][0]["loaded"], told["rejected"]) == (5, 2, 2)
    assert "2 row(s) rejected; see rejects.jsonl; kg names unresolved proposes names" in done.stderr
    assert "skipped by rule: no_chip 1" in done.stderr
    assert len((place / "rejects.jsonl").read_text().splitlines()) == 2
    assert "Traceback" not in done.stderr


def test_a_sound_file_ends_with_0_and_shows_a_table(place: Path) -> None:
    done = kg(place, "load", "shop", "sound-2026-01-03.csv", "--dry-run", "--format", "csv")
    assert done.returncode == 0
    header, row = done.stdout.splitlines()
    assert header == "file,shape,edition,rows,would be loaded,unchanged,skipped,rejected,new claims,changed,same,older"
    assert row == "sound-2026-01-03.csv,table,2026-01-03,1,1,0,0,0,2,0,0,0"


def test_what_can_be_loaded_is_listed_with_its_licence(place: Path) -> None:
    done = kg(place, "load", "--list", "--format", "csv")
    assert "shop,,Prices of a shop that does not exist,CC0-1.0" in done.stdout
    assert "shop,table,a table of prices," in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("load", "shop"), "with at least one file"),
        (("load", "shop", ""), "a dot (.) names this folder"),
        (("documents", "attach", ""), "a dot (.) names this folder"),
        (("load", "shap", "x.csv"), 'Did you mean "shop"?'),
        (("load", "shop", "nothing.csv"), "no such file or folder"),
        (("load", "table", "x.csv"), "--mapping FILE"),
        (("load", "shop", "x.csv", "--mapping", "m.yaml"), "kg load table FILE --mapping FILE"),
        (("load", "claims", "x.jsonl", "--rejects", "r"), "whole or not at all"),
        (("load", "shop", "prices-2026-01-02.csv", "--edition", "soon"), "a date such as"),
        (("load", "rdf", "prices-2026-01-02.csv"), ".ttl"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_accepted(place: Path, arguments: tuple[str, ...], says: str) -> None:
    done = kg(place, *arguments)
    assert done.returncode == 2
    assert says in done.stderr and "Traceback" not in done.stderr


def test_claims_in_yaml_load_from_the_command_line(place: Path) -> None:
    text = json.dumps([claim("900/yaml")])
    (place / "mine.yaml").write_text(text)
    done = kg(place, "load", "claims", "mine.yaml", "--dry-run", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)[0]["added"] == {"claim": 1}
    write_lines(place / "mine.jsonl", claim("900/yaml"))
    again = kg(place, "load", "claims", "mine.jsonl", "--dry-run", "--format", "json")
    assert json.loads(again.stdout)[0]["added"] == {"claim": 1}


def test_files_that_no_source_takes_are_named_folder_by_folder() -> None:
    from kg.cli.load_forms import _passed_lines

    names = [*(f"a/{number}.csv" for number in range(9)), "b/x.txt"]
    assert list(_passed_lines(names)) == [
        "10 files that no source takes:",
        "  a: 0.csv, 1.csv, 2.csv, 3.csv, 4.csv, 5.csv and 3 more",
        "  b: x.txt",
    ]
    runs = [f"/data/closed/{run}/log.txt" for run in ("one", "two/run_1")]
    assert list(_passed_lines([*runs, "log.txt"])) == [
        "3 files that no source takes:",
        "  .: log.txt",
        "  /data/closed, in each of 2 folders: log.txt",
    ]
    assert list(_passed_lines([])) == []


def test_a_load_of_everything_names_the_rules_that_put_figures_right(built: Path, tmp_path: Path) -> None:
    """A rule that only stands in JSON is one that nobody reads."""
    (tmp_path / "mlperf-inference").mkdir()
    case = ROOT / "tests" / "cases" / "loaders" / "mlperf-inference" / "server-v4.0.json"
    shutil.copy(case, tmp_path / "mlperf-inference")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KG_STORE": "store"}
    arguments = ("load", "--all", "mlperf-inference", "--dry-run", "--content", str(ROOT))
    done = run_forked_text(*arguments, folder=tmp_path, environment=environment)
    assert (
        "mlperf-inference: 1 corrected by rule, next to the print: result-corrected: Samples/s is printed"
        in done.stderr
    )
    assert "result_completed_samples_per_sec" in done.stderr


def test_what_a_load_of_everything_comes_to_is_told_first_and_fits_the_screen(built: Path, tmp_path: Path) -> None:
    """Eight sources of eleven counts were eighty-eight lines."""
    (tmp_path / "mlperf-inference").mkdir()
    case = ROOT / "tests" / "cases" / "loaders" / "mlperf-inference" / "server-v4.0.json"
    shutil.copy(case, tmp_path / "mlperf-inference")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KG_STORE": "store", "COLUMNS": "80"}
    arguments = ("load", "--all", "mlperf-inference", "--content", str(ROOT))
    lines = run_forked_text(*arguments, folder=tmp_path, environment=environment).stdout.splitlines()
    assert re.fullmatch(
        r"[1-9]\d* rows? of 1 source: [1-9]\d* claims? new, \d+ changed; \d+ rows? rejected\.", lines[0]
    )
    assert lines[2].split()[:3] == ["source", "files", "rows"]
    assert len(lines) == 5 and max(map(len, lines)) <= 80


def test_a_mistake_of_many_files_is_told_once_with_every_file(tmp_path: Path) -> None:
    """The day that seven snapshots lack was explained seven times."""
    for name in ("serverless-gpus.csv", "serverless-gpus-2.csv"):
        shutil.copy(ROOT / "tests" / "cases" / "loaders" / "full-stack" / "serverless-gpus.csv", tmp_path / name)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "KG_STORE": "store", "COLUMNS": "80"}
    said = run_forked_text(
        "load", "--all", ".", "--content", str(ROOT), folder=tmp_path, environment=environment
    ).stderr
    assert said.count("no date") == 1 and "the same at serverless-gpus.csv" in said
