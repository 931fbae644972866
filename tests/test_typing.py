"""Who uses the library and checks types strictly finds a type on everything public; `make types` checks the program itself.

`tests/cases/user_program.py` is checked there with no expression allowed to be `Any`; here it is checked against the wheel.
"""

import ast
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.test_packaging import build

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = (
    "kg/opened_graph.py",
    "kg/render/graph_outputs.py",
    "kg/answers/graph_answers.py",
    "kg/session.py",
    "kg/errors.py",
)
JSON = frozenset({"dict[str, Any]", "Mapping[str, Any]", "Iterator[dict[str, Any]]", "Iterator[Mapping[str, Any]]"})
"""What is JSON is read by its keys; nothing else is left open."""


def annotations(path: Path) -> list[tuple[str, str]]:
    """Each public function of a module with what its parameters and its result are said to be."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            arguments = node.args
            given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            stated = [one.annotation for one in given if one is not None and one.arg not in ("self", "cls")]
            found += [(node.name, "" if one is None else ast.unparse(one)) for one in (*stated, node.returns)]
    return found


@pytest.mark.parametrize("name", PUBLIC)
def test_public_functions_say_what_they_take_and_give(name: str) -> None:
    found = annotations(ROOT / name)
    assert found
    assert [(function, stated) for function, stated in found if not stated] == []
    assert [one for one in found if "Any" in one[1].strip("'") and one[1].strip("'") not in JSON] == []


@pytest.mark.long
def test_a_strict_program_passes_against_the_wheel(tmp_path: Path) -> None:
    """As a user has it: the package below a folder of installed ones, with its mark that it is typed."""
    wheel = build(ROOT, "wheel", tmp_path / "wheel")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert (tmp_path / "installed" / "kg" / "py.typed").is_file()
    own = tmp_path / "own"
    own.mkdir()
    shutil.copy(ROOT / "tests" / "cases" / "user_program.py", own / "program.py")
    (own / "mypy.ini").write_text(
        "[mypy]\nstrict = True\n[mypy-program]\ndisallow_any_expr = True\n[mypy-kg.*]\nfollow_imports = silent\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "program.py"],
        cwd=own,
        env={**os.environ, "MYPYPATH": str(tmp_path / "installed"), "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
