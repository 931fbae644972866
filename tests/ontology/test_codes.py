"""`ontology/codes.yaml` lists exactly the codes that the program can give."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from kg.audit import derivation, finding, hypotheses, recompute
from kg.content.codes import read_codes
from kg.content.folders import Content, find_content
from kg.errors import ContentError
from kg.model.vocabulary import FINDING_CLASS
from tests.ontology.cases import ROOT

GIVES = re.compile(r"\bcode\b[^=\n]*=")
"""What a file that gives a code has: reading all files as syntax trees takes seconds."""
CODE = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)*")


def given_as_code(tree: ast.AST) -> Iterator[str]:
    """The texts given as `code = "…"` in a class and as `code="…"` in a call."""
    for node in ast.walk(tree):
        value: ast.expr | None = None
        if (
            isinstance(node, ast.Assign)
            and any(isinstance(one, ast.Name) and one.id == "code" for one in node.targets)
            or isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == "code"
            or isinstance(node, ast.keyword)
            and node.arg == "code"
        ):
            value = node.value
        branches = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        for one in branches:
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and CODE.fullmatch(one.value):
                yield one.value


def named_finding(tree: ast.AST) -> Iterator[str]:
    """The texts that begin as the code of a finding does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
            area, dot, rest = node.value.partition(".")
            if dot and rest and area in FINDING_CLASS:
                yield node.value


@cache
def used() -> dict[str, str]:
    """Every code of the source with the file that gives it."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "kg").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for code in given_as_code(ast.parse(text)) if GIVES.search(text) else ():
            found.setdefault(code, path.relative_to(ROOT).as_posix())
    for path in sorted((ROOT / "kg" / "audit").rglob("*.py")):
        for code in named_finding(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(code, path.relative_to(ROOT).as_posix())
    for verdict in get_args(derivation.VerdictCode):
        found[f"arithmetic.{verdict}"] = "kg/audit/derivation.py"
    for code in get_args(hypotheses.ExplanationCode):
        found[code] = "kg/audit/hypotheses.py"
    return found


def test_every_code_in_use_is_documented() -> None:
    known = read_codes(find_content(ROOT))
    missing = {code: path for code, path in used().items() if code not in known}
    assert missing == {}, "add these codes to ontology/codes.yaml with of, title, meaning and do (findings: severity)"


def test_no_documented_code_is_dead() -> None:
    dead = sorted(set(read_codes(find_content(ROOT))) - set(used()))
    assert dead == [], (
        "nothing in kg/ gives these codes: remove them from ontology/codes.yaml, or give them with code=…"
    )


def test_findings_have_the_severity_that_the_audit_gives() -> None:
    codes = read_codes(find_content(ROOT))
    documented = {name: one.severity for name, one in codes.items() if name.startswith("arithmetic.")}
    assert documented == {f"arithmetic.{name}": severity for name, severity in recompute._SEVERITY.items()}


def test_explanations_and_findings_are_told_apart() -> None:
    codes = read_codes(find_content(ROOT))
    told = {name for name, one in codes.items() if one.of == "explanation"}
    slips_of_pairs = {"factor.10"}
    """Given by kg.audit.typo_explanations between two claims, never for a derivation."""
    assert told == set(get_args(hypotheses.ExplanationCode)) | slips_of_pairs | finding.EXCUSES
    assert all(name.partition(".")[0] in FINDING_CLASS for name, one in codes.items() if one.of == "finding")


def test_entry_of_the_wrong_form_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "ontology").mkdir()
    (tmp_path / "ontology" / "codes.yaml").write_text(
        "# codes\nkg: {of: finding, title: x, meaning: x, do: x}\n", encoding="utf-8"
    )
    with pytest.raises(ContentError, match=r"ontology/codes\.yaml:2: kg"):
        read_codes(Content(tmp_path))
