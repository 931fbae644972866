"""File names that are no UTF-8, or as long as a file system takes, and YAML files larger than anybody reads."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.build.documents import attach_documents
from kg.build.published import loader_of
from kg.build.writing import load_files
from kg.content.folders import find_content
from kg.content.located import YamlError, read_located
from kg.content.own_folder import make_own_folder
from kg.errors import UsageError
from kg.export.target import write_file
from kg.ledger.durable import hidden_beside
from kg.reading.proposals_file import read_proposals
from kg.reading.reading_session import ReadingSession
from tests.small_content import ROOT, claim, write_lines, write_small_content

NO_UTF8 = os.fsdecode(b"a\xff\xfe")
HEAD = "InstanceType,AcceleratorName,Price,Region\n"


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_name_that_is_no_text_is_loaded_with_its_bytes_as_escapes(tmp_path: Path, shipped_store: Path) -> None:
    name = os.path.join(os.fsencode(tmp_path), b"a\xff_vms-2026-01-02.csv")
    with open(name, "w", encoding="ascii") as file:
        file.write(HEAD + "a,H100,2,eu\n,,x,\n")
    shutil.copytree(shipped_store, tmp_path / "store")
    command = [
        sys.executable,
        "-m",
        "kg",
        "load",
        "skypilot",
        os.fsdecode(name),
        "--store",
        str(tmp_path / "store"),
        "--content",
        str(ROOT),
    ]
    done = subprocess.run(command, capture_output=True, timeout=300, cwd=ROOT)
    assert done.returncode in (0, 1), done.stderr
    assert b"mistake of the program" not in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_name_of_255_bytes_is_written(tmp_path: Path) -> None:
    for name in ("x" * 250 + ".csv", "🚀" * 62 + ".csv"):
        write_file(tmp_path / name, [b"a\n"])
        assert (tmp_path / name).read_bytes() == b"a\n"
        assert len(os.fsencode(hidden_beside(tmp_path / name, "files.tmp").name)) <= 255
    assert len(list(tmp_path.iterdir())) == 2, "nothing is left beside"


def test_a_yaml_file_of_too_many_values_is_refused_early(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text("- {a: 1, b: 2}\n" * 200_000)
    with pytest.raises(YamlError, match="more than 400,000 values"):
        read_located(path)


def test_a_folder_whose_path_is_no_utf8_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    folder = tmp_path / NO_UTF8
    for refused in (
        lambda: make_own_folder(folder),
        lambda: find_content(folder),
        lambda: attach_documents(tmp_path / "store", folder, content=None),
    ):
        with pytest.raises(UsageError, match="no UTF-8"):
            refused()
    assert not folder.exists()


@pytest.mark.parametrize("number", ["0x" + "f" * 5000, "1:" * 3000 + "1"])
def test_a_whole_number_that_no_message_could_show_is_refused(tmp_path: Path, number: str) -> None:
    path = tmp_path / "mapping.yaml"
    path.write_text(f"title: a\nclaims: {number}\n")
    with pytest.raises(YamlError) as refused:
        read_located(path)
    assert refused.value.line == 2


def test_claims_and_a_report_and_a_mapping_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    content = write_small_content(tmp_path / "content")
    lines = write_lines(tmp_path / f"{NO_UTF8}.jsonl", claim())
    (done,) = load_files([lines], store=tmp_path / "store", content=content.root, edition="2026-01-01", dry_run=False)
    assert done.origin == "claims/a\\xff\\xfe"
    report = tmp_path / f"{NO_UTF8}.txt"
    report.write_text("Acme One has 150 GB of memory.")
    out = tmp_path / "out.yaml"
    ReadingSession(str(content.root)).read(report).write_for_review(out)
    assert read_proposals(out).report.file == "a\\xff\\xfe.txt"
    (tmp_path / NO_UTF8).mkdir()
    mapping = tmp_path / NO_UTF8 / "mapping.yaml"
    mapping.write_bytes((ROOT / "loaders" / "skypilot" / "mapping.yaml").read_bytes())
    assert loader_of(content, "table", mapping).name.startswith("a")
