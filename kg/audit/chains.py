"""Chains worked out once: from each claim, hop by hop, to what it repeats or was computed from, and where that ends.

In go claims and what is known of their sources, out come steps, which become records of the derived set: each hop is a row,
so that no saved question has to recurse. A machine-written text and a text that only relays are never a primary end.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from kg.audit.claim_links import Lookup
from kg.audit.derivation import computations
from kg.model.derived_records import StepRecord
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.vocabulary import PUBLISHED_FORM

MOST_HOPS: Final = 25
"""Hops that are written of one chain: a file of some thousand claims, each from the one before, would be millions of them.

What was published has five at most; further on the chain of the claim that is reached last leads.
"""
MOST_STEPS: Final = 2_000
"""Steps of one claim after which none is written from further hops; all that it names itself always are."""

Via = Literal["restates", "derived-from", "same-as", "relayed"]
EndState = Literal["primary", "circular", "unopened", "no-source"]


class Step(NamedTuple):
    """One hop of one chain; `end_state` stands on the last hop only."""

    claim: str
    hop: int
    reaches: str
    is_claim: bool
    via: Via
    fidelity: str | None = None
    end_state: EndState | None = None

    @property
    def key(self) -> tuple[str, int, str, Via, str | None]:
        """What makes a hop: two that differ in their end only are one."""
        return self.claim, self.hop, self.reaches, self.via, self.fidelity


class ChainLink(NamedTuple):
    """What a claim names as the thing it repeats: a claim, a source, or both."""

    claim: str | None
    source: str | None
    via: Via
    fidelity: str | None = None


def is_computed(record: ClaimRecord) -> bool:
    """Whether a figure is printed nowhere and was computed from others when it was loaded."""
    quantity = record.get("quantity") or {}
    is_figure = "value" in quantity and "printed" not in quantity
    return is_figure and next(computations(record), None) is not None


@dataclass(frozen=True, slots=True)
class Texts:
    """What is known of the texts: the sources by id, and the agents that are programs."""

    sources: Mapping[str, ThingRecord]
    agents: Collection[str] = frozenset()

    @classmethod
    def of(cls, registry: Mapping[str, ThingRecord]) -> "Texts":
        """Those of a registry."""
        return cls(
            {name: one for name, one in registry.items() if one["record"] == "source"},
            frozenset(name for name, one in registry.items() if one.get("kind") == "software-agent"),
        )

    def is_machine(self, record: ClaimRecord) -> bool:
        """Whether a program said it: the whole text is machine-written, or the one who asserts is a program."""
        written = self.sources.get(record["source"], {}).get("machine_written", "no")
        return written == "yes" or record["asserted_by"] in self.agents

    def is_worked_out(self, record: ClaimRecord) -> bool:
        """Whether nobody published the figure: a loader computed it, or its table was made of what others published."""
        source = self.sources.get(record["source"], {})
        is_of_nobody = source.get("form") == PUBLISHED_FORM and "publisher" not in source
        return is_of_nobody or is_computed(record)

    def opened(self, name: str) -> tuple[str, EndState]:
        """Where a cited source leads: the text it was found to be, and whether that is a record of its own."""
        source = self.sources.get(name)
        if source is None or (source["kind"] != "source" and not source.get("resolved_to")):
            return name, "unopened"
        found = source.get("resolved_to") or name
        written = self.sources.get(found, source).get("machine_written", "no")
        # a text that a program wrote is the origin of nothing, whoever is named in it
        return found, "primary" if written == "no" else "no-source"

    def own_end(self, record: ClaimRecord) -> EndState:
        """Where a claim rests that names nothing it repeats."""
        return "no-source" if self.is_machine(record) else "primary"

    def links(self, record: ClaimRecord) -> list[ChainLink]:
        """What a claim repeats: its restatements, its twin in the same text, else the last cited source of its path."""
        restated, twin = record.get("restates"), record.get("same_as")
        # where links are recorded they say more than a path
        if not restated and not twin:
            return self._end_of_path(record)
        links = [
            ChainLink(one.get("claim"), one.get("source"), "restates", one.get("fidelity", "unverified"))
            for one in restated or ()
        ]
        # a twin that is named among the restatements as well is one hop
        if twin and all(link.claim != twin for link in links):
            links.append(ChainLink(twin, None, "same-as"))
        return links

    def _end_of_path(self, record: ClaimRecord) -> list[ChainLink]:
        """The last cited source of the path of a claim."""
        path = record.get("path") or ()
        # a path of one holds the claim's own text
        if len(path) < 2:
            return []
        # a path may name agents between the texts; where it ends is the last text that is not the claim's own
        for name in reversed(path):
            if name in self.sources and name != record["source"]:
                return [ChainLink(None, name, "relayed")]
        return []


def citation_steps(record: ClaimRecord, lookup: Lookup, texts: Texts) -> Iterator[Step]:
    """Hops along what a claim repeats, breadth first; a claim that comes back to itself ends its branch as circular."""
    if texts.links(record):
        yield from _once(_walk(record, lookup, texts))


def _once(steps: Iterable[Step]) -> Iterator[Step]:
    """Steps that differ in their end only are one; the end that is known stays."""
    found: dict[tuple[str, int, str, Via, str | None], Step] = {}
    for step in steps:
        # one hop is met on several branches, and a branch that was cut short does not know its end
        if step.key not in found or found[step.key].end_state is None:
            found[step.key] = step
    yield from found.values()


def _walk(record: ClaimRecord, lookup: Lookup, texts: Texts) -> Iterator[Step]:
    def onward(current: str) -> list[str]:
        found = lookup(current)
        return [link.claim for link in texts.links(found) if link.claim is not None] if found is not None else []

    # breadth first, so that a claim met on two ways is expanded at its shortest distance
    name = record["id"]
    expanded, level, hop = {name}, [record], 0
    while level and _goes_on(hop, expanded):
        hop, following = hop + 1, []
        for current in level:
            for link in texts.links(current):
                target = lookup(link.claim) if link.claim is not None else None
                if target is None:
                    reaches, state = texts.opened(link.source or link.claim or "")
                    yield Step(name, hop, reaches, False, link.via, link.fidelity, state)
                elif not texts.links(target):
                    yield Step(name, hop, target["id"], True, link.via, link.fidelity, texts.own_end(target))
                elif target["id"] not in expanded:
                    expanded.add(target["id"])
                    following.append(target)
                    yield Step(name, hop, target["id"], True, link.via, link.fidelity)
                else:
                    # met before is no circle yet: two texts may relay one claim;
                    # only a way back from it to here is
                    back = leads_to(target["id"], current["id"], onward)
                    yield Step(name, hop, target["id"], True, link.via, link.fidelity, "circular" if back else None)
        level = following


def _goes_on(hop: int, met: Collection[object]) -> bool:
    return hop < MOST_HOPS and len(met) <= MOST_STEPS


def leads_to(start: str, goal: str, onward: Callable[[str], Iterable[str]]) -> bool:
    """Whether links lead from one name to another.

    >>> leads_to("a", "c", {"a": ["b"], "b": ["c"], "c": []}.__getitem__)
    True
    """
    seen, todo = {start}, [start]
    while todo:
        current = todo.pop()
        if current == goal:
            return True
        fresh = [name for name in onward(current) if name not in seen]
        seen.update(fresh)
        todo.extend(fresh)
    return False


def derivation_steps(record: ClaimRecord, lookup: Lookup, texts: Texts) -> Iterator[Step]:
    """Hops from a claim to what it is computed from, on from there, and to the sources that inputs repeat.

    What a claim repeats is followed too, since it may be computed itself; hops by repetition alone are `citation_steps`.
    """
    name = record["id"]
    # a step says that a claim is used, not how often: shared inputs would multiply with every level
    # The state is a claim and whether a computation lies on the way to it: one that is reached
    # by repetition first may be an input further on. Both states of the start, so that a
    # circle gives no hop to itself.
    seen, cited, level, hop = {(name, False), (name, True)}, set[str](), [(record, False)], 0
    while level and _goes_on(hop, seen):
        hop, following = hop + 1, []
        for current, is_derived in level:
            for used, via, fidelity in _below(current):
                is_input = is_derived or via == "derived-from"
                if (used, is_input) in seen:
                    continue
                seen.add((used, is_input))
                below = lookup(used)
                if is_input:
                    yield Step(name, hop, used, True, via, fidelity)
                if below is not None:
                    following.append((below, is_input))
                    yield from _cited(name, hop + 1, below, texts, cited) if is_input else ()
        level = following


def _cited(name: str, hop: int, record: ClaimRecord, texts: Texts, cited: set[str]) -> Iterator[Step]:
    """The sources that an input repeats, each once."""
    for link in texts.links(record):
        if link.claim is None and link.source is not None and link.source not in cited:
            cited.add(link.source)
            reaches, state = texts.opened(link.source)
            yield Step(name, hop, reaches, False, link.via, link.fidelity, state)


def _below(record: ClaimRecord) -> Iterator[tuple[str, Via, str | None]]:
    """The claims that a claim is computed from or repeats, and how."""
    for derivation in record.get("derivations") or ():
        for given in derivation["inputs"].values():
            if "claim" in given:
                yield given["claim"], "derived-from", None
    for one in record.get("restates") or ():
        if "claim" in one:
            yield one["claim"], "restates", one.get("fidelity", "unverified")
    if record.get("same_as"):
        yield record["same_as"], "same-as", None


def step_record(step: Step) -> StepRecord:
    """A step as a record of the derived set."""
    return {
        "record": "step",
        "claim": step.claim,
        "hop": step.hop,
        "reaches": step.reaches,
        "is_claim": step.is_claim,
        "via": step.via,
        "fidelity": step.fidelity,
        "end_state": step.end_state,
    }
