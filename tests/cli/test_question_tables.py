"""Every saved question on a terminal of 80 columns: its figures are there, ids are typed as they stand, and lines fit."""

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from kg.cli.app import run
from kg.session import open_graph


def asked(store: Path, name: str, example: dict[str, object]) -> str:
    values = [
        word
        for key, given in example.items()
        for one in (given if isinstance(given, list | tuple) else [given])
        for word in (f"--{key}", str(one))
    ]
    shown = io.StringIO()
    with redirect_stdout(shown), redirect_stderr(io.StringIO()):
        assert run(["ask", name, *values, "--limit", "4", "--store", str(store)]) == 0, name
    return shown.getvalue()


def test_every_question_fits_a_terminal_of_80_columns(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with open_graph(store) as graph:
        questions = dict(graph.questions())
    for name, question in questions.items():
        shown = asked(store, name, dict(question.example or {}))
        for line in shown.splitlines():  # an id alone is never folded, so a line may hold one and its name
            assert len(line) <= 80 or len(line.split()) <= 3, (name, line)
        assert "unstated;" not in shown and "metric/" not in shown.replace("[metric/", ""), name


def test_a_measured_value_is_never_left_out(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    example = {"model": "model/deepseek-r1", "scenario": "scenario/offline"}
    for name in ("benchmarks/best", "benchmarks/measured"):
        shown = asked(store, name, dict(example))
        assert "token/s" in shown and "mlperf-deepseek-r1" in shown.splitlines()[0], shown
