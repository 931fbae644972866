"""Asking must start fast: nothing heavy is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "pydantic",
    "rdflib",
    "yaml",
    "networkx",
    "typer",
    "rich",
    "ladybug",
    "neo4j",
    "kg.ask.mentions",
    "kg.ask.bounds",
)


@pytest.mark.parametrize(
    "module",
    [
        "kg.ask.run",
        "kg.ask.cache",
        "kg.ask.guard",
        "kg.ask.question",
        "kg.ask.bind",
        "kg.answers.trace",
        "kg.answers.compare",
        "kg.answers.find",
        "kg.answers.show",
    ],
)
def test_no_heavy_package_is_imported(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("module", ["kg.answers.worded_question", "kg.render.stated_text"])
def test_a_question_in_words_imports_neither_reading_nor_the_audit_of_pairs(module: str) -> None:
    code = f"import sys, {module}; print(*(m for m in sys.modules if m.startswith(('kg.reading', 'kg.audit.pair'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
