"""Claims by the hundred thousand, in the shape of the shipped ones: the same fields, links and lengths, other figures.

Whole copies of the shipped claims are made, so that a derivation or restatement still leads to a claim of its own copy;
ids, positions, figures and a part of the conditions differ from copy to copy. The same seed gives the same claims.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

Json = dict[str, Any]

SEED = 20_250_827


def synthetic_claims(real: list[Json], count: int, *, seed: int = SEED) -> Iterator[Json]:
    """`count` recorded forms without revisions, made from recorded forms of real claims."""
    draw = Random(seed)
    templates = [_without_revision(claim) for claim in real]
    for number in range(count):
        copy, position = divmod(number, len(templates))
        yield _varied(templates[position], f"{copy:04d}", draw)


def _without_revision(claim: Mapping[str, Any]) -> Json:
    return {key: value for key, value in claim.items() if key not in ("revision", "supersedes")}


def _renamed(name: str, copy: str) -> str:
    source, _, key = name.partition("/")
    return f"{source}/{copy}.{key}"


def _varied(template: Json, copy: str, draw: Random) -> Json:
    claim = {**template, "id": _renamed(template["id"], copy)}
    shift = int(copy) * 100_000
    claim["anchor"] = {
        key: value + shift if key in ("start", "end") else value for key, value in template["anchor"].items()
    }
    for name in ("utterance", "same_as"):
        if name in claim:
            claim[name] = f"{copy}.{claim[name]}" if name == "utterance" else _renamed(claim[name], copy)
    if "restates" in claim:
        claim["restates"] = [
            {**one, "claim": _renamed(one["claim"], copy)} if "claim" in one else one for one in claim["restates"]
        ]
    if "derivations" in claim:
        claim["derivations"] = [_derivation(one, copy) for one in claim["derivations"]]
    elif isinstance(claim.get("quantity", {}).get("value"), int | float):
        claim["quantity"] = _figure(claim["quantity"], draw)
    if "conditions" in claim and draw.random() < 0.3:
        claim["conditions"] = {**claim["conditions"], "batch": draw.randrange(1, 65)}
    return claim


def _derivation(derivation: Json, copy: str) -> Json:
    inputs = {
        name: {**one, "claim": _renamed(one["claim"], copy)} if "claim" in one else one
        for name, one in derivation["inputs"].items()
    }
    return {**derivation, "inputs": inputs}


def _figure(quantity: Json, draw: Random) -> Json:
    value = float(f"{quantity['value'] * draw.uniform(0.5, 2.0):.4g}")
    return {**quantity, "value": value, "printed": f"{value:,}"}
