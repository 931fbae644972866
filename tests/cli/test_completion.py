"""What the shell offers while a command is typed."""

from __future__ import annotations

import shutil
import subprocess
import sys
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


def test_what_the_grammar_of_a_command_takes_is_offered(kg: Kg) -> None:
    """As `kg trace H200` answers, so does the shell know H200 there."""
    assert "H200 sxm" in offered(kg, "trace", "H200")
    assert offered(kg, "origins", "H200") == [], "origins takes claims and numbers"
    assert "memory-bandwidth" in offered(kg, "compare", "GB200", "--metric", "memory-b")


def test_short_lists_are_offered_whole(kg: Kg) -> None:
    assert offered(kg, "completion", "") == ["bash", "zsh", "fish"]
    assert offered(kg, "export", "dat") == ["datapackage"]
    assert {"table", "rdf", "mlperf-inference"} <= set(offered(kg, "load", ""))
    assert offered(kg, "trace", "72428", "--format", "j") == ["json", "jsonl"]
    assert offered(kg, "query", "--language", "c") == ["cypher"]


def test_the_parameters_of_a_saved_question_are_among_its_options(kg: Kg) -> None:
    assert offered(kg, "ask", "specifications/of-thing", "--th") == ["--thing"]


def test_bash_completes_the_second_word_of_a_name(kg: Kg, environment: dict[str, str], tmp_path: Path) -> None:
    """The function runs as bash runs it: with COMP_WORDS as typed, spaces behind backslashes."""
    assert "GB200 nvl72" in offered(kg, "compare", "GB200\\ nvl")
    program = tmp_path / "bin" / "kg"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kg "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = f"""{kg("completion", "bash").stdout}
COMP_WORDS=(kg compare 'GB200\\ nvl'); COMP_CWORD=2; _kg; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "-c", script],
        env={**environment, "PATH": f"{program.parent}:{environment['PATH']}"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "GB200\\ nvl72" in done.stdout.splitlines()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_where_nothing_is_known_files_are_offered(kg: Kg, shell: str) -> None:
    """`kg check rep<TAB>` completes a file; bash does so by `-o default`."""
    assert {"zsh": "_files", "fish": "__fish_complete_path"}[shell] in kg("completion", shell).stdout


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
