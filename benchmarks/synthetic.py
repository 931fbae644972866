"""Claims by the hundred thousand, in the shape of the shipped ones: documents, tables, benchmark rows, prices, relays, derivations.

Whole copies of the shipped claims are made, so that a derivation or restatement still leads to a claim of its own copy;
ids, positions, figures and a part of the conditions differ from copy to copy. The same seed gives the same claims.

`synthetic_claims` leaves the things as they are: every copy speaks of the same few hundred, so that groups grow with the
number of claims, as they do nowhere (`dense`). `synthetic_world` lets the things grow too: every copy is a set of new
documents, and every few copies the chips, systems, models and rounds are those of a new era. There figures differ from copy to
copy in a part of the claims only, and never where others are computed from them or repeat them: so as many derivations
hold, and as many figures agree, as among the shipped claims.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from random import Random
from typing import Any, Final

Json = Any

SEED: Final = 20_250_827
VARIED: Final = 0.25
"""The part of the free figures that differ from copy to copy in a world."""
ERA: Final = 4
"""So many copies speak of the same things."""
_OF_AN_ERA: Final = ("accelerator", "superchip", "system", "cluster", "config", "family", "model", "offer", "round")
_OF_A_COPY: Final = ("source", "unresolved", "figure", "gap")


def synthetic_claims(real: list[Json], count: int, *, seed: int = SEED) -> Iterator[Json]:
    """`count` recorded forms without revisions, made from recorded forms of real claims."""
    draw = Random(seed)
    templates = [_without_revision(claim) for claim in real]
    for number in range(count):
        copy, position = divmod(number, len(templates))
        yield _varied(templates[position], f"{copy:04d}", draw)


def synthetic_world(
    real: list[Json], things: list[Json], count: int, *, first: int = 0, seed: int = SEED
) -> Iterator[Json]:
    """`count` claims with the things they speak of, each thing before the first claim on it.

    `first` leaves out so many claims and the things they brought: what is left is what a later load would bring.
    """
    templates = [_without_revision(claim) for claim in real]
    used = {
        used["claim"]
        for one in templates
        for d in one.get("derivations", ())
        for used in d["inputs"].values()
        if "claim" in used
    }
    used.update(link["claim"] for one in templates for link in one.get("restates", ()) if "claim" in link)
    known = {one["id"]: _without_revision(one) for one in things}
    eras: set[int] = set()
    for copy in range(-(-count // len(templates))):
        era, start = copy // ERA, copy * len(templates)
        names = {name: _moved(name, copy, era) for name in known}
        whole = [
            _named({**one, **_label(one, copy, era)}, names)
            for name, one in known.items()
            if (names[name] == name and not copy) or (names[name] != name and _is_new(name, era, eras))
        ]
        eras.add(era)
        draw = Random(f"{seed} {copy}")
        here = range(start, min(start + len(templates), count))
        if start >= first:
            yield from whole
        for number in here:
            template = templates[number - start]
            holds = template["id"] in used or "restates" in template or draw.random() >= VARIED
            claim = _named(_varied(template, f"{copy:04d}", draw, keep_figure=holds), names)
            if number >= first:
                yield claim


def _is_new(name: str, era: int, eras: set[int]) -> bool:
    return name.partition("/")[0] in _OF_A_COPY or era not in eras


def _moved(name: str, copy: int, era: int) -> str:
    kind = name.partition("/")[0]
    if kind in _OF_A_COPY:
        return f"{name}.{copy:04d}"
    return f"{name}.e{era:03d}" if kind in _OF_AN_ERA and era else name


def _label(thing: Json, copy: int, era: int) -> Json:
    """A label of its own for a thing of a copy or an era, and no name that another has."""
    kind = thing["id"].partition("/")[0]
    mark = f"of copy {copy}" if kind in _OF_A_COPY else f"of era {era}" if kind in _OF_AN_ERA and era else ""
    if not mark:
        return {}
    changed = {"label": f"{thing['label']} {mark}", "aliases": [f"{one} {mark}" for one in thing.get("aliases", ())]}
    if "formerly" in thing:
        changed["formerly"] = [_moved(one, copy, era) for one in thing["formerly"]]
    if "sha256" in thing:
        changed["sha256"] = sha256(f"{thing['sha256']} {copy}".encode()).hexdigest()
    return {key: value for key, value in changed.items() if value}


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """The same with other names of things, wherever one stands."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {key: _named(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    return value


def _without_revision(claim: Mapping[str, Any]) -> Json:
    return {key: value for key, value in claim.items() if key not in ("revision", "supersedes")}


def _renamed(name: str, copy: str) -> str:
    source, _, key = name.partition("/")
    return f"{source}/{copy}.{key}"


def _varied(template: Json, copy: str, draw: Random, *, keep_figure: bool = False) -> Json:
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
    elif isinstance(claim.get("quantity", {}).get("value"), int | float) and not keep_figure:
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
