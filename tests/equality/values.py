"""Values to ask a question with: those of its header, those of its case, and those that a world offers."""

import random
from typing import Any

import yaml

from kg.ask.question import Parameter, Question
from tests.equality.engines import Values
from tests.equality.worlds import CHECKOUT, World

CASES = CHECKOUT / "tests" / "cases" / "questions"
_MOST = (0, 25, 12, 5, 4, 3)
"""How many values a list takes, by how many lists a question has: their combinations are bounded."""


def declared(question: Question) -> list[Values]:
    """The example of a question, the examples of its parameters, what it needs and no more, and the parameters of its case."""
    needed = {one.name for one in question.parameters if one.required}
    whole = {one.name: one.example for one in question.parameters if one.example is not None}
    found = [dict(question.example), {**question.example, **whole}]
    found.append({name: value for name, value in question.example.items() if name in needed})
    path = CASES / f"{question.name}.yaml"
    if path.is_file():
        found.append(yaml.safe_load(path.read_text(encoding="utf-8"))["ask"])
    return _distinct([values for values in found if needed <= set(values)])


def offered(question: Question, world: World, rng: random.Random, *, times: int = 2) -> list[Values]:
    """Values drawn from a world, with and without what may be left out."""
    found: list[Values] = []
    most = _MOST[sum(one.is_list for one in question.parameters)]
    for number in range(times):
        values: Values = {}
        for one in question.parameters:
            if one.required or number:
                drawn = _drawn(one, world, rng, most)
                if drawn is not None:
                    values[one.name] = drawn
        if {one.name for one in question.parameters if one.required} <= set(values):
            found.append(values)
    return _distinct(found)


def _drawn(parameter: Parameter, world: World, rng: random.Random, most: int) -> Any:
    pool = world_values(parameter, world)
    if not pool:
        return None
    if parameter.is_list:
        return tuple(rng.sample(pool, min(most, len(pool))))
    return rng.choice(pool)


def world_values(parameter: Parameter, world: World) -> list[Any]:
    """Everything a world offers for a parameter."""
    things = [*world.ids("entity"), *world.ids("source")]
    claims = [one for one in world.records if one["record"] == "claim"]
    named = parameter.name
    if parameter.base_type == "claim":
        return [one["id"] for one in claims]
    if parameter.base_type == "metric":
        return sorted({one["metric"] for one in claims})
    if parameter.base_type == "name":
        return sorted({one["label"] for one in world.records if one["record"] != "claim"})
    if named == "finding":
        return [one["id"] for one in world.derived if one["record"] == "finding"]
    if named in ("severity", "verdict", "code"):
        return sorted({one[named] for one in world.derived if one["record"] == "finding"})
    if named in ("source", "origin"):
        return world.ids("source")
    if named in ("kind", "level"):
        return sorted({one[named] for one in claims})
    if named == "bucket":
        return [f"raw:{number}" for number in range(900, 1500)]
    if named == "text":
        return ["a", "ü", "1", "faster", "'", "x"]
    if parameter.base_type == "id":
        prefix = {
            "benchmark": "benchmark/",
            "task": "task/",
            "scenario": "scenario/",
            "model": "model/",
            "round": "round/",
        }.get(named, "")
        return [one for one in things if one.startswith(prefix)] or things
    return [parameter.example] if parameter.example is not None else ["higher"]


def _distinct(values: list[Values]) -> list[Values]:
    found: list[Values] = []
    for one in values:
        if one not in found:
            found.append(one)
    return found
