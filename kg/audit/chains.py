"""Chains worked out once: from each claim, hop by hop, to what it repeats or was computed from, and where that ends.

No question recurses: each hop is a row of its own, in both directions of reading.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kg.model.triples import quoted, short_hash
from kg.model.vocabulary import claim_iri, expand, thing_iri

Json = Mapping[str, Any]
Via = Literal["restates", "derived-from", "same-as", "relayed"]
EndState = Literal["primary", "circular", "unopened", "no-source"]


@dataclass(frozen=True, slots=True)
class Step:
    """One hop of one chain; `end_state` stands on the last hop only."""

    claim: str
    hop: int
    reaches: str
    is_claim: bool
    via: Via
    fidelity: str | None = None
    end_state: EndState | None = None


def citation_steps(claims: Mapping[str, Json], sources: Mapping[str, Json]) -> Iterator[Step]:
    """Hops along restatements, breadth first; a claim met again ends its branch as circular."""
    for name in claims:
        if not claims[name].get("restates"):
            continue
        seen, level, hop = {name}, [name], 0
        while level:
            hop, following = hop + 1, []
            for current in level:
                for link in claims[current].get("restates") or ():
                    step, onward = _hop(name, hop, link, claims, sources, seen)
                    yield step
                    if onward is not None:
                        seen.add(onward)
                        following.append(onward)
            level = following


def _hop(
    claim: str, hop: int, link: Json, claims: Mapping[str, Json], sources: Mapping[str, Json], seen: set[str]
) -> tuple[Step, str | None]:
    fidelity, target = link.get("fidelity", "unverified"), link.get("claim")
    if target is None or target not in claims:
        source = sources.get(link.get("source") or "")
        state: EndState = "unopened"
        reaches = link.get("source") or target or ""
        if source is not None and (source["kind"] == "source" or source.get("resolved_to")):
            reaches = source.get("resolved_to") or reaches
            state = "primary" if sources.get(reaches, source).get("machine_written", "no") == "no" else "no-source"
        return Step(claim, hop, reaches, False, "restates", fidelity, state), None
    if target in seen:
        return Step(claim, hop, target, True, "restates", fidelity, "circular"), None
    if claims[target].get("restates"):
        return Step(claim, hop, target, True, "restates", fidelity), target
    written = sources.get(claims[target]["source"], {}).get("machine_written", "no")
    return Step(claim, hop, target, True, "restates", fidelity, "primary" if written == "no" else "no-source"), None


def derivation_steps(claims: Mapping[str, Json]) -> Iterator[Step]:
    """Hops from a derived claim to its inputs, their inputs, and so on."""
    for name, record in claims.items():
        if not record.get("derivations"):
            continue
        seen, level, hop = {name}, [name], 0
        while level:
            hop, following = hop + 1, []
            for current in level:
                for used in _inputs(claims.get(current, {})):
                    if used not in seen:
                        seen.add(used)
                        following.append(used)
                        yield Step(name, hop, used, True, "derived-from")
            level = following


def _inputs(record: Json) -> Iterator[str]:
    for derivation in record.get("derivations") or ():
        for given in derivation["inputs"].values():
            if "claim" in given:
                yield given["claim"]


def step_lines(steps: Iterable[Step]) -> Iterator[str]:
    """The triples of the steps."""
    p = {name: f" <{expand(name)}> " for name in (
        "rdf:type", "k:ofClaim", "k:hop", "k:reaches", "k:via", "k:fidelity", "k:endState"
    )}  # fmt: skip
    integer = f"^^<{expand('xsd:integer')}>"
    for step in steps:
        node = f"<{thing_iri('step/' + short_hash([step.claim, step.hop, step.reaches, step.via]))}>"
        reaches = claim_iri(step.reaches) if step.is_claim else thing_iri(step.reaches)
        out = [
            f"{node}{p['rdf:type']}<{expand('k:TraceStep')}> .\n{node}{p['k:ofClaim']}<{claim_iri(step.claim)}> .\n",
            f'{node}{p["k:hop"]}"{step.hop}"{integer} .\n{node}{p["k:reaches"]}<{reaches}> .\n{node}{p["k:via"]}"{step.via}" .\n',
        ]
        if step.fidelity:
            out.append(f"{node}{p['k:fidelity']}{quoted(step.fidelity)} .\n")
        if step.end_state:
            out.append(f"{node}{p['k:endState']}{quoted(step.end_state)} .\n")
        yield "".join(out)


