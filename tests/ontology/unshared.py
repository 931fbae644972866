"""A view beside an export: nodes that a view shares stand in an export once for each record that has them."""

from collections import defaultdict
from collections.abc import Iterable

import pyoxigraph

from kg.model.vocabulary import expand, thing_iri

_SHARED = tuple(thing_iri(f"{name}/") for name in ("quantity", "restatement", "role", "step", "usage"))
_STEP = thing_iri("step/")
_STARTS_AT = expand("k:ofClaim")


def _nodes(store: Iterable[pyoxigraph.Quad]) -> dict[str, set[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for quad in store:
        found[str(quad.subject)[1:-1]].add((quad.predicate.value, str(quad.object)))
    return found


def only_in_view(view: Iterable[pyoxigraph.Quad], export: Iterable[pyoxigraph.Quad]) -> list[str]:
    """What a view says and an export does not, of which shared nodes are read as nodes of each record that leads to them."""
    held, said = _nodes(view), _nodes(export)
    steps, alone = _steps(said), []
    for node, triples in held.items():
        if node.startswith(_SHARED):
            rest = {one for one in triples if one[0] != _STARTS_AT}
            starts = triples - rest
            alone += [str(one) for one in starts if not any(rest <= there for there in steps[one[1]])]
            continue
        for term, target in triples - said.get(node, set()):
            there = held.get(target[1:-1], set()) if target[1:-1].startswith(_SHARED) else None
            ways = [one[1:-1] for other, one in said.get(node, ()) if other == term]
            if there is None or not any(there <= said[one] for one in ways):
                alone.append(f"{node} {term} {target}")
    return alone


def _steps(said: dict[str, set[tuple[str, str]]]) -> dict[str, list[set[tuple[str, str]]]]:
    """The triples of each step by the claim that it starts at."""
    found: dict[str, list[set[tuple[str, str]]]] = defaultdict(list)
    for node, triples in said.items():
        if node.startswith(_STEP):
            for term, claim in triples:
                if term == _STARTS_AT:
                    found[claim].append(triples)
    return found
