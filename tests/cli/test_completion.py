"""What the shell offers while a command is typed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Kg


def offered(kg: Kg, *typed: str) -> list[str]:
    done = kg("completion", "words", "--", *typed)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_commands_options_questions_names_metrics_and_claims_are_offered(kg: Kg) -> None:
    assert offered(kg, "comp") == ["compare", "completion"]
    assert {"--wide", "--limit", "--help"} <= set(offered(kg, "trace", "--"))
    assert "specifications/of-thing" in offered(kg, "ask", "spec")
    assert "GB200 nvl72" in offered(kg, "compare", "GB200")
    assert "memory-bandwidth" in offered(kg, "conflicts", "memory-b")
    assert offered(kg, "trace", "002/r1.gb200.offline.per") == ["002/r1.gb200.offline.per-accelerator"]
    assert "arithmetic.inconsistent" in offered(kg, "explain", "arith")
    assert offered(kg, "nonsense", "--") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(kg: Kg, shell: str, tmp_path: Path) -> None:
    script = kg("completion", shell).stdout
    assert "kg completion words" in script
    if shell == "bash":
        bash = shutil.which("bash")
        assert bash is not None
        subprocess.run([bash, "-n"], input=script, text=True, check=True, cwd=tmp_path)


def test_another_shell_is_refused(kg: Kg) -> None:
    assert kg("completion", "tcsh").returncode == 2
