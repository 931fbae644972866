"""The compiled check of records accepts and refuses what the declaring classes do, and gives the same recorded form."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from pydantic import ValidationError

from kg.build.build import content_records
from kg.content.folders import find_content
from kg.model import compiled
from kg.model.record import RECORD_TYPES, recorded_form

Json = Any
VALUES: tuple[Any, ...] = (
    None,
    "",
    "x",
    "x\n",
    "X/y",
    "a/b",
    "002/a\n",
    "2025-01",
    "2025-13\n",
    0,
    -1,
    1.5,
    10**30,
    1e300,
    float("nan"),
    float("inf"),
    True,
    [],
    ["a"],
    ["a/b", "a/b"],
    [1, 2],
    [2, 1],
    {},
    {"value": 1},
    {"from": "x"},
    {"from_": "x"},
    "stated",
    "ratio",
    "unverified",
    "0" * 64,
    "0" * 64 + "\n",
    "a" * 2001,
)


def records() -> list[Json]:
    found, _, _ = content_records(find_content())
    return [{key: value for key, value in one.items() if key != "revision"} for one in found]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from places(one, (*path, key))


def changed(record: Json, rng: random.Random) -> Json:
    """A copy with one value replaced, taken out or put in."""
    found: Any = deepcopy(record)
    *path, last = rng.choice([one for one in places(found) if one != ("record",)])
    inner = found
    for key in path:
        inner = inner[key]
    if rng.random() < 0.2:
        del inner[last]
    elif isinstance(inner, dict) and rng.random() < 0.4:
        known = [name for name in RECORD_TYPES[found["record"]].model_fields if name != "record"]
        fields = [*known, "fidelity", "why", "status", "unheard_of"]
        inner[rng.choice(fields)] = rng.choice(VALUES)
    else:
        inner[last] = rng.choice(VALUES)
    return dict(found)


def by_the_class(value: Json) -> Json | None:
    try:
        record: Any = RECORD_TYPES[value["record"]].model_validate(value, strict=True)
        return recorded_form(record)
    except ValidationError:
        return None


def by_the_struct(value: Json) -> Json | None:
    cls = RECORD_TYPES[value["record"]]
    try:
        made = msgspec.convert(value, compiled.struct_of(cls))
        compiled.checks_of(cls)(made)
    except (msgspec.ValidationError, ValueError):
        return None
    found: Json = msgspec.to_builtins(made)
    return found


def test_every_shipped_record_passes_without_the_class() -> None:
    wrong = [one["id"] for one in records() if by_the_struct(one) != one]
    assert wrong == []


@pytest.mark.parametrize("seed", range(8))
def test_what_the_struct_accepts_the_class_accepts_with_the_same_form(seed: int) -> None:
    rng, given = random.Random(seed), records()
    outcomes = []
    for _ in range(1500):
        value = changed(rng.choice(given), rng)
        fast, slow = by_the_struct(value), by_the_class(value)
        assert fast is None or fast == slow, value
        outcomes.append((fast is None, slow is None))
    assert {(False, False), (True, True)} <= set(outcomes)


def test_a_mistake_is_worded_by_the_class() -> None:
    record = next(one for one in records() if one["record"] == "claim" and "quantity" in one)
    with pytest.raises(ValidationError, match="exactly one of value, term, date, set, absent"):
        compiled.recorded({**record, "quantity": {}})


@pytest.mark.parametrize("name", ["x/../y", "..", "a/."])
def test_an_id_that_no_address_can_hold_is_refused(name: str) -> None:
    thing = {"record": "entity", "id": f"accelerator/{name}", "kind": "accelerator", "label": "X"}
    with pytest.raises(ValidationError, match="an id without a part"):
        compiled.recorded(thing)
    assert compiled.recorded({**thing, "id": f"accelerator/{name.replace('/', '')}x"})


@pytest.mark.parametrize("day", ["2025-13", "2025-02-30", "2023-02-29", "0000"])
def test_a_date_that_does_not_exist_is_refused(day: str) -> None:
    thing = {"record": "entity", "id": "accelerator/x", "kind": "accelerator", "label": "X", "released": day}
    with pytest.raises(ValidationError, match="a date that exists"):
        compiled.recorded(thing)
    with pytest.raises(ValidationError, match="a date that exists"):
        RECORD_TYPES["entity"].model_validate(thing, strict=True)
    assert compiled.recorded({**thing, "released": "2024-02-29"}) == {**thing, "released": "2024-02-29"}


@pytest.mark.parametrize("name", ["first claim", "<x>", "a-b", "a\n", ""])
def test_an_input_of_a_conclusion_is_named_by_a_word(name: str) -> None:
    record = deepcopy(next(one for one in records() if one["record"] == "claim" and one.get("derivations")))
    record["derivations"] = [{"expression": "rests-on", "inputs": {name: {"claim": "1/b"}}}]
    with pytest.raises(ValidationError, match="named by a word"):
        compiled.recorded(record)
    record["derivations"][0]["inputs"] = {"first_claim": {"claim": "1/b"}}
    assert compiled.recorded(record) == record


@pytest.mark.parametrize("name", ["source/a", "unresolved/a"])
def test_a_claim_has_no_id_that_is_that_of_a_source(name: str) -> None:
    record = next(one for one in records() if one["record"] == "claim")
    with pytest.raises(ValidationError, match="begins with the name of its source"):
        compiled.recorded({**record, "id": name})
    assert compiled.recorded({**record, "id": "sources/a"})["id"] == "sources/a"
