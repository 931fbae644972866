"""Chains hop by hop: what a claim repeats itself, and what it only rests on because one of its inputs repeats it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kg.answers.asking import Asker, Row, grouped, read_fields, said

DERIVED: Final = "derived-from"
_AT_ONCE: Final = 500
_Steps = Mapping[str, Sequence[tuple[str, str]]]
"""By claim, the steps it takes itself: how, and to what."""


class Hop(NamedTuple):
    """One step from a claim towards its origin; `end_state` stands where a chain ends.

    `through` names the inputs that lead to the step, the claim's own first. A claim repeats what it reaches through none;
    what it reaches through an input is repeated by the last one named, not by the claim.
    """

    via: str
    hop: int
    reached: str
    label: str | None
    printed: str | None
    asserted_by: str | None
    source: str | None
    fidelity: str | None
    end_state: str | None
    through: tuple[str, ...] = ()


def read_hop(row: Row) -> Hop:
    """A row of `origins/chain`."""
    return read_fields(Hop, row, asserted_by=said(row, "reached_asserted_by"), source=said(row, "reached_source"))


def end_states(chain: Iterable[Hop]) -> tuple[str, ...]:
    """Where the chains of a claim end, each once."""
    return tuple(sorted({hop.end_state for hop in chain if hop.end_state}))


def read_chains(asker: Asker, claims: Iterable[str]) -> dict[str, tuple[Hop, ...]]:
    """The chains of claims, each hop with the inputs that lead to it."""
    chains = {name: tuple(map(read_hop, rows)) for name, rows in grouped(_rows(asker, claims), "claim").items()}
    unclear = {name: chain for name, chain in chains.items() if _is_unclear(chain)}
    if not unclear:
        return chains
    reached = {hop.reached for chain in unclear.values() for hop in chain}
    # an unresolved citation and a source as a whole are ends of chains: only claims lead further
    further = sorted(one for one in reached - set(unclear) if not one.startswith(("unresolved/", "source/")))
    known = grouped(_rows(asker, further), "claim")
    steps = {name: _first_steps(map(read_hop, rows)) for name, rows in known.items()}
    steps |= {name: _first_steps(chain) for name, chain in unclear.items()}
    return {name: _placed(name, chain, steps) if name in unclear else chain for name, chain in chains.items()}


def _first_steps(chain: Iterable[Hop]) -> list[tuple[str, str]]:
    """How and to what the first hops of a chain lead."""
    return [(hop.via, hop.reached) for hop in chain if hop.hop == 1]


def _rows(asker: Asker, claims: Iterable[str]) -> list[Row]:
    wanted = tuple(claims)
    parts = (wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE))
    return [row for part in parts for row in asker.rows("origins/chain", claim=part)]


def _is_unclear(chain: Sequence[Hop]) -> bool:
    """Whether a citation behind the first hop may be that of an input."""
    return any(hop.via == DERIVED for hop in chain) and any(hop.via != DERIVED and hop.hop > 1 for hop in chain)


def _placed(name: str, chain: Sequence[Hop], steps: _Steps) -> tuple[Hop, ...]:
    inputs, repeated = _ways(name, steps, derived=True), _ways(name, steps, derived=False)
    return tuple(
        hop if hop.via == DERIVED else hop._replace(through=_through(hop, inputs, repeated, steps)) for hop in chain
    )


def _through(
    hop: Hop, inputs: Mapping[str, tuple[str, ...]], repeated: Iterable[str], steps: _Steps
) -> tuple[str, ...]:
    step = (hop.via, hop.reached)
    if hop.hop == 1 or any(step in steps.get(one, ()) for one in repeated):
        return ()
    # the way to an input and one step from there: a longer way comes to the same thing at another
    # hop
    ways = [way for one, way in inputs.items() if len(way) == hop.hop - 1 and step in steps.get(one, ())]
    return min(ways, default=())


def _ways(start: str, steps: _Steps, *, derived: bool) -> dict[str, tuple[str, ...]]:
    """The shortest way to each claim that is reached by steps of one sort alone, without the start."""
    ways: dict[str, tuple[str, ...]] = {start: ()}
    waiting = [start]
    # breadth first, over a list that grows: so the first way to a claim is the shortest
    for one in waiting:
        for via, reached in sorted(steps.get(one, ())):
            if (via == DERIVED) is derived and reached not in ways:
                ways[reached] = (*ways[one], reached)
                waiting.append(reached)
    del ways[start]
    return ways
