"""Where each rule begins to find something: one figure of a case moved to the limit, and to either side of it.

`tests/cases/whole/thresholds.yaml` holds, for a case of a rule and one of its claims, the figure at which the findings change,
with what is found just below it, at it and just above it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import yaml

from tests.audit.shipped_audit import findings
from tests.audit.test_rules import ROOT, read_case

Json = Any
RULES = ROOT / "tests" / "cases" / "rules"
LIMITS = ROOT / "tests" / "cases" / "whole" / "thresholds.yaml"
BESIDE = 1e-6
"""How far beside a limit a figure is."""


def with_figure(claims: list[Json], name: str, value: float) -> list[Json]:
    """The claims of a case, one of them with another figure, which is exact."""
    changed = []
    for one in claims:
        figure = {key: given for key, given in one.get("quantity", {}).items() if key != "printed"} | {"value": value}
        changed.append({**one, "quantity": figure} if one["id"] == name else one)
    return changed


def found_of(claims: list[Json]) -> list[str]:
    """Codes and claims of what every rule finds."""
    return sorted(f"{one.code} {one.claim}" for one in findings(claims))


@cache
def limits() -> dict[str, list[Json]]:
    """The limits of each case."""
    given: dict[str, list[Json]] = yaml.load(LIMITS.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return given


@pytest.mark.parametrize("case", limits())
def test_a_rule_finds_on_one_side_of_its_limit_what_it_does_not_on_the_other(case: str) -> None:
    claims = read_case(RULES / f"{case}.yaml")[0]
    for limit in limits()[case]:
        near = {"below": limit["at"] * (1 - BESIDE), "on": float(limit["at"]), "above": limit["at"] * (1 + BESIDE)}
        found = {side: found_of(with_figure(claims, limit["claim"], value)) for side, value in near.items()}
        assert found == {side: limit[side] for side in near}, limit
