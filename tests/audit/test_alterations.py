"""What a rule makes of its cases when one field of one claim is another: what the field decides, and what it does not.

`tests/cases/whole/alterations.yaml` holds, for a case and one of its claims, what is found no longer (-) and anew (+) without a
field or with another value in it; an alteration after which nothing changes has an empty list.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml

from tests.audit.shipped_audit import findings
from tests.audit.test_rules import ROOT, read_case

Json = Any
RULES = ROOT / "tests" / "cases" / "rules"
KEPT = ROOT / "tests" / "cases" / "whole" / "alterations.yaml"
OTHERS: dict[str, tuple[str, ...]] = {
    "polarity": ("negated",),
    "modality": ("expected",),
    "normaliser": ("per-chip", "total"),
    "level": ("accelerator", "rack"),
    "source": ("source/another",),
    "asserted_by": ("org/another", "org/accelkg-curators"),
    "direction": ("higher", "lower", "absent"),
    "relation": ("ratio", "increase"),
    "baseline": ("family/nvidia-a100",),
    "subject": ("family/nvidia-a100", "system/nvidia-gb200-nvl72"),
    "quantity.hedge": ("about", "up-to", "at-least"),
}
"""Another value for a field that a claim has, or may have."""
_INSIDE = ("conditions", "baseline_conditions", "quantity", "anchor")
_NEEDED = (
    "record",
    "id",
    "kind",
    "quantity.value",
    "quantity.unit",
    "anchor.document",
    "source",
    "subject",
    "level",
    "asserted_by",
)


def alterations(claim: Json) -> Iterator[str]:
    """The fields that can be left out, and other values: `conditions.model`, `level=rack`, or `gone` for the claim itself."""
    yield "gone"
    for name, value in claim.items():
        inner = [f"{name}.{key}" for key in value] if name in _INSIDE and isinstance(value, dict) else [name]
        yield from (f"-{one}" for one in inner if one not in _NEEDED and one not in ("quantity", "anchor", "metric"))
    for name, values in OTHERS.items():
        outer, _, key = name.partition(".")
        now = claim.get(outer, {}).get(key) if key else claim.get(outer)
        if outer in claim or outer in ("polarity", "modality", "normaliser"):
            yield from (f"{name}={one}" for one in values if one != now)


def altered(claims: list[Json], name: str, change: str) -> list[Json]:
    """The claims of a case with one of them altered."""
    if change == "gone":
        return [one for one in claims if one["id"] != name]
    path, _, value = change.removeprefix("-").partition("=")
    outer, _, key = path.partition(".")
    (claim,) = (one for one in claims if one["id"] == name)
    holder = dict(claim[outer]) if key else dict(claim)
    holder.pop(key or outer, None)
    if value:
        holder[key or outer] = value
    made = {**claim, outer: holder} if key else holder
    return [made if one is claim else one for one in claims]


def found_of(claims: list[Json]) -> set[str]:
    """Codes and claims of what every rule finds."""
    return {f"{one.code} {one.claim}" for one in findings(claims)}


def difference(before: set[str], after: set[str]) -> list[str]:
    """What is found no longer, and what anew."""
    return [*(f"-{one}" for one in sorted(before - after)), *(f"+{one}" for one in sorted(after - before))]


@cache
def kept() -> dict[str, dict[str, dict[str, list[str]]]]:
    """The alterations of each case and claim."""
    given: dict[str, dict[str, dict[str, list[str]]]] = yaml.load(
        KEPT.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
    )
    return given


@pytest.mark.parametrize("case", kept())
def test_a_field_decides_what_it_is_known_to_decide_and_nothing_else(case: str) -> None:
    claims = read_case(RULES / f"{case}.yaml")[0]
    before = found_of(claims)
    for name, changes in kept()[case].items():
        found = {one: difference(before, found_of(altered(claims, name, one))) for one in changes}
        assert found == changes, name
