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
