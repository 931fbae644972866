"""The page of the architecture is what the imports say, and the contracts of import-linter fail when they are broken."""

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_page_is_what_the_imports_say() -> None:
    done = subprocess.run(
        [sys.executable, "docs/make_architecture.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        (
            "kg/model/units.py",
            "def _late() -> None:\n    import kg.audit.finding  # noqa: F401\n",
            "Imports go down only",
        ),
        ("kg/answers/show.py", "if TYPE_CHECKING:\n    import kg.session  # noqa: F401\n", "Imports go down only"),
        ("kg/sync/push.py", "def _late() -> None:\n    import kg.answers.show  # noqa: F401\n", "Imports go down only"),
        ("kg/render/scene.py", "if TYPE_CHECKING:\n    import kg.render.page  # noqa: F401\n", "No circles"),
    ],
)
def test_an_import_that_breaks_a_contract_fails(tmp_path: Path, module: str, line: str, contract: str) -> None:
    shutil.copytree(ROOT / "kg", tmp_path / "kg", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    broken = tmp_path / module
    broken.write_text(
        f"{broken.read_text(encoding='utf-8')}\n\nfrom typing import TYPE_CHECKING\n\n{line}", encoding="utf-8"
    )
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert any(contract in told and "BROKEN" in told for told in done.stdout.splitlines()), done.stdout


CLASS = re.compile(r"\bclass\s+(\w+)")
"""What a definition of a class begins with: the syntax trees of all files take seconds."""


def test_a_class_name_stands_for_one_thing() -> None:
    found: dict[str, set[str]] = {}
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "kg").rglob("*.py"))}
    begun = Counter(name for text in texts.values() for name in set(CLASS.findall(text)))
    for path, text in texts.items():
        if all(begun[name] < 2 for name in CLASS.findall(text)):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, set()).add(path.relative_to(ROOT).as_posix())
    assert {name: places for name, places in found.items() if len(places) > 1} == {}
