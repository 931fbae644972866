"""File names that are no UTF-8, or as long as a file system takes, and YAML files larger than anybody reads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.content.located import YamlError, read_located
from kg.export.target import write_file
from kg.ledger.durable import hidden_beside
from tests.small_content import ROOT

HEAD = "InstanceType,AcceleratorName,Price,Region\n"


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_a_name_that_is_no_text_is_loaded_with_its_bytes_as_escapes(tmp_path: Path) -> None:
    name = os.path.join(os.fsencode(tmp_path), b"a\xff_vms-2026-01-02.csv")
    with open(name, "w", encoding="ascii") as file:
        file.write(HEAD + "a,H100,2,eu\n,,x,\n")
    subprocess.run(
        [sys.executable, "-m", "kg", "build", "--quiet", "--store", str(tmp_path / "store")], check=True, cwd=ROOT
    )
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
