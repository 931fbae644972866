"""Values to ask a question with: those of its header, those of its case, and those that a world offers."""

import random
import re
from typing import Any

import yaml

from kg.ask.question import Parameter, Question
from kg.model.names import all_names
from tests.equality.engines import Engine, Values
from tests.equality.worlds import CHECKOUT, World

CASES = CHECKOUT / "tests" / "cases" / "questions"
_MOST = (0, 25, 12, 5, 4, 3)
"""How many values a list takes, by how many lists a question has: their combinations are bounded."""

_BUCKET = re.compile(r'#valueBucket> "([^"]+)"')
_TRIES = 40
"""How often a needed value is chosen anew until there are rows."""
_WIDEST = 1000


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


def shared(question: Question, world: World, rng: random.Random, *, times: int = 2) -> dict[str, list[Values]]:
    """Two names that mean some of the same things: the same name twice, one within the other, each with more of its own.

    A query that walks one relationship from both names must not lose a thing that both of them reach.
    """
    first, second = ([one.name for one in question.parameters if one.base_type == "name"] + ["", ""])[:2]
    if not second:
        return {}
    records = {one["id"]: one for one in world.records if one["record"] in ("entity", "source")}
    compared = {(one["subject"], one.get("baseline")) for one in world.records if one["record"] == "claim"}
    compared |= {(one["accelerator"], one["against"]) for one in world.derived if "against" in one}
    names = {one.key: set(one.covers) for one in all_names(records) if one.key[0] != "=" and one.key not in records}
    touched = {key: covers for key, covers in names.items() if any(pair[0] in covers for pair in compared)}
    pairs: dict[str, list[Values]] = {"equal": [], "nested": [], "overlapping": []}
    for left, covers in touched.items():
        for right, others in names.items():
            if covers & others and any(pair[0] in covers and pair[1] in others for pair in compared):
                kind = "equal" if left == right else "nested" if covers <= others or others <= covers else "overlapping"
                pairs[kind].append({first: left, second: right})
    return {kind: rng.sample(found, min(times, len(found))) for kind, found in pairs.items() if found}


def fruitful(question: Question, world: World, guide: Engine, rng: random.Random, *, times: int = 2) -> list[Values]:
    """Values taken from the rows that a question gives when it is asked widely: several in each list, in all parameters at once.

    What is drawn by chance alone seldom meets, so that most questions with several parameters would give nothing.
    """
    if not question.parameters:
        return []
    base, rows, columns = _wide(question, world, guide, rng)
    claims = {one["id"]: one for one in world.records if one["record"] == "claim"}
    found: list[Values] = []
    for number in range(times if rows else 0):
        some = rng.sample(rows, min(3, len(rows)))
        values = {one.name: base[one.name] for one in question.parameters if one.required}
        for one in question.parameters:
            near = _near(one, some, columns, world, claims)
            if one.is_list and near:
                strange = rng.choice(world_values(one, world))  # beside those of rows one that need not be there
                values[one.name] = tuple(dict.fromkeys((*near, strange)))
            elif not one.required and near and (number == 0 or rng.random() < 0.5):
                values[one.name] = near[0]
        found.append(values)
    return _distinct(found)


def _wide(
    question: Question, world: World, guide: Engine, rng: random.Random
) -> tuple[Values, list[tuple[Any, ...]], list[str]]:
    """The values that are needed, chosen until there are rows, and those rows."""
    pools = {one.name: world_values(one, world) for one in question.parameters}
    sides = _sides(world) if {"a", "b"} <= set(pools) else []
    for number in range(_TRIES):
        values: Values = {}
        for one in question.parameters:
            pool = pools[one.name]
            if pool and one.is_list and (one.required or one.default is not None):
                values[one.name] = tuple(pool[:_WIDEST])
            elif pool and (one.required or one.default is not None and number % 2):
                values[one.name] = rng.choice(pool)
        if sides:
            values["a"], values["b"] = rng.choice(sides)
        if {one.name for one in question.parameters if one.required} <= set(values):
            answer = guide.ask(question, values)
            if answer.rows:
                return values, list(answer.rows), list(answer.columns)
    return {}, [], []


def _sides(world: World) -> list[tuple[str, str]]:
    """The names of two things that are compared somewhere, be it by a claim or by results."""
    labels = {one["id"]: one["label"] for one in world.records if one["record"] == "entity"}
    pairs = [(one["subject"], one.get("baseline")) for one in world.records if one["record"] == "claim"]
    gains = [(one["accelerator"], one["against"]) for one in world.derived if "against" in one]
    return [
        (labels[left], labels[right])
        for left, right in (*pairs, *gains * (1 + len(pairs) // (1 + len(gains))))
        if left in labels and right in labels
    ]


def _near(
    parameter: Parameter, rows: list[tuple[Any, ...]], columns: list[str], world: World, claims: dict[str, Any]
) -> list[Any]:
    """The values of a parameter in some rows: in the column of its name, else in the claims of the rows, else in any column."""
    pool = {f"metric/{one}" if parameter.base_type == "metric" else one: one for one in world_values(parameter, world)}
    read = [{name: row[place] for place, name in enumerate(columns)} for row in rows]
    tries = [[one.get(parameter.name) for one in read]]
    records = [claims.get(str(one.get("claim")), {}) for one in read]
    tries.append([_of_claim(parameter, one) for one in records])
    tries += [[one[name] for one in read] for name in columns]
    for cells in tries:
        if held := [pool[cell] for cell in cells if isinstance(cell, str) and cell in pool]:
            return list(dict.fromkeys(held))
    return []


def _of_claim(parameter: Parameter, record: dict[str, Any]) -> Any:
    found = record.get(parameter.name, (record.get("conditions") or {}).get(parameter.name))
    return f"metric/{found}" if parameter.base_type == "metric" and isinstance(found, str) else found


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
        return sorted(set(_BUCKET.findall(world.triples)))
    if named == "status":
        return sorted({one["baseline_status"] for one in claims if "baseline_status" in one})
    if named == "better":
        return ["higher", "lower", "neither"]
    if named == "fidelity":
        return sorted({again["fidelity"] for one in claims for again in one.get("restates", ()) if "fidelity" in again})
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
