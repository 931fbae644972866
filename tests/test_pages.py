"""The texts that are made from declarations are what the declarations say."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "docs/make_pages.py", "--check"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_made_pages_are_fresh() -> None:
    done = check(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_stale_page_is_named(tmp_path: Path) -> None:
    for name in ("docs", "kg", "ontology"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    page = tmp_path / "docs" / "codes.md"
    page.write_text(page.read_text(encoding="utf-8").replace("# Codes", "# Kodes"), encoding="utf-8")
    done = check(tmp_path)
    assert (done.returncode, done.stdout) == (1, "docs/codes.md is stale; run: python docs/make_pages.py\n")
