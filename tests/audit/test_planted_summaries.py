"""Figures planted beside the tables of a curated text: those that sum its rows up pass, those that do not are noted."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

from kg.audit.finding import Finding
from kg.audit.rules import ranges
from kg.audit.rules.facts import Facts
from kg.model.derived import Deriver
from kg.model.reference import References
from tests.audit.seeds import seeds

Json = Any
OFF = (Fraction(1, 1000), Fraction(1, 8), Fraction(13, 10), Fraction(9), Fraction(1000))
"""What a slip makes of a figure: a prefix, a count of cards, a third, a sum taken twice over."""


@cache
def facts() -> Facts:
    curated = seeds()
    return Facts(
        curated.registry.records,
        Deriver(curated.vocabulary.units),
        References({}, {}, {}, {}, {}),
        curated.claims.get,
        lambda _: None,
    )


def tables() -> dict[tuple[str, ...], list[Json]]:
    """The rows of document 002 that differ in work and form only, where there are at least two."""
    found: dict[tuple[str, ...], list[Json]] = defaultdict(list)
    for row in seeds().claims.values():
        if row["source"] == "source/002" and "table" in row["anchor"] and facts().figure(row) is not None:
            key = (facts().root(row["subject"]), row["metric"], str(row.get("normaliser")), row["quantity"]["unit"])
            found[key].append(row)
    return {key: rows for key, rows in found.items() if len({one["quantity"]["value"] for one in rows}) > 1}


def noted(rows: list[Json], value: Fraction, thing: str) -> list[Finding]:
    """What is noted of a figure that a text gives beside its rows, under none of their conditions."""
    said: Json = {**rows[0], "id": "002/planted", "subject": thing, "conditions": {}, "anchor": {"start": 0, "end": 1}}
    said = {name: one for name, one in said.items() if name not in ("restates", "derivations", "same_as")}
    said["quantity"] = {"printed": str(float(value)), "value": float(value), "unit": rows[0]["quantity"]["unit"]}
    part = next(part for part in ranges.PARTS if part.name == "ranges/rows")
    return list(part.findings(facts().within([*rows, said])))


def test_what_sums_rows_up_is_not_noted_and_what_does_not_mostly_is() -> None:
    right = wrong = alarms = missed = 0
    for (thing, *_), rows in tables().items():
        values = [Fraction(str(row["quantity"]["value"])) for row in rows]
        for value in (max(values), min(values), sum(values, Fraction()), sum(values, Fraction()) / len(values)):
            right += 1
            alarms += bool(noted(rows, value, thing))
        for factor in OFF:
            wrong += 1
            missed += not noted(rows, max(values) * factor, thing)
    assert (right, alarms, wrong, missed) == (224, 0, 280, 2)
