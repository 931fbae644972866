"""What a killed process left in the temporary folder goes with a later one, and nothing else does."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.stores import temporary

ROOT = Path(__file__).resolve().parents[2]
MAKE = """
import sys
from kg.stores.temporary import new_folder
folder = new_folder("tables")
(folder / "sub").mkdir()
(folder / "sub" / "rows").write_text("rows")
print(folder, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    temporary._clear_left.cache_clear()
    yield tmp_path / "tmp"
    temporary._clear_left.cache_clear()


def maker(place: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that waits, and the folder that it made."""
    environment = {**os.environ, "TMPDIR": str(place), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", MAKE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def old(path: Path) -> None:
    os.utime(path, (time.time() - 7200,) * 2)


def test_what_a_killed_process_left_goes_with_the_next_one_and_a_living_one_keeps_its_own(place: Path) -> None:
    killed, left = maker(place)
    living, kept = maker(place)
    killed.kill()
    killed.communicate()
    for path in (left, kept):
        old(path)
    mine = temporary.new_folder("results")
    assert (left.exists(), (kept / "sub" / "rows").read_text(), mine.is_dir()) == (False, "rows", True)
    temporary.delete_folder(mine)
    living.communicate("")  # it ends by itself
    assert list(place.iterdir()) == []


def test_nothing_else_is_cleared(place: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("mine")
    (place / "accelkg-tables-abcd_123.tmp").symlink_to(elsewhere)
    (place / "accelkg-graph-0000").write_text("a file")
    (place / "accelkg-results-file1234.tmp").write_text("a file")
    for name in ("accelkg-results-1b87s7cx", "accelkg-servers-1-2.tmp", "others-results-abcdefgh.tmp"):
        (place / name).mkdir()
        old(place / name)
    (place / "accelkg-results-young123.tmp").mkdir()
    before = sorted(place.iterdir())
    temporary.delete_folder(temporary.new_folder("results"))
    assert sorted(place.iterdir()) == before and (elsewhere / "mine").read_text() == "mine"


def test_a_fork_does_not_delete_the_folder_of_its_parent(place: Path) -> None:
    folder = temporary.new_folder("store")
    if (child := os.fork()) == 0:
        temporary._delete_all()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0 and folder.is_dir()
    temporary.delete_folder(folder)


def test_no_other_code_makes_a_temporary_file_that_has_a_name() -> None:
    named = re.compile(r"mkdtemp|mkstemp|NamedTemporaryFile|TemporaryDirectory")
    makers = [path.name for path in (ROOT / "kg").rglob("*.py") if named.search(path.read_text(encoding="utf-8"))]
    assert makers == ["temporary.py"]
