"""A part of the graph: the claims of some sources or about some things, and what those claims need to be understood.

A part stands on its own: the claims that its claims repeat, are computed from or are judged with are in it too, so that
no key of a table leads to nothing and a file of a part loads like any other.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.ask.id_names import sources_named
from kg.errors import UsageError
from kg.model.derived_records import DerivedRecord, MeasuredRecord
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.terms import Link

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_RESULT_CLAIMS = tuple(
    name
    for name, one in MeasuredRecord.__annotations__.items()
    if any(isinstance(each, Link) and each.target == "claim" for each in getattr(one, "__metadata__", ()))
)
"""The fields of a measured row that name a claim, as its declaration says."""


class UnknownPart(UsageError):
    """The source or thing whose part was asked for is not in the graph."""

    code = "export.part"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which claims are chosen: those of any of the sources that are about any of the things; nothing named, all."""

    sources: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return not self.sources and not self.things

    def chooses(self, claim: ClaimRecord) -> bool:
        """Whether a recorded claim was asked for.

        >>> Selection(sources=frozenset({"source/002"})).chooses({"source": "source/000", "subject": "a/b"})
        False
        """
        about = (claim.get("subject"), claim.get("baseline"), *(claim.get("subjects") or ()))
        return (not self.sources or claim["source"] in self.sources) and (
            not self.things or any(one in self.things for one in about)
        )


EVERYTHING = Selection()


def part_of(graph: "Opened", *, sources: Iterable[str] = (), things: Iterable[str] = ()) -> Selection:
    """The part that ids and names ask for; a name covers its family, as everywhere."""
    chosen = {name for given in sources for name in sources_named(graph.ask, given)}
    covered = set[str]()
    for given in things:
        found = {str(row["entity"]) for row in graph.ask("names/resolve", thing=[given]).dicts()}
        if not found:
            raise UnknownPart(
                "is no name or id of a thing.",
                field="--thing",
                given=given,
                expected="a name such as H200, or an id",
                next_step=f"kg find {given}",
            )
        covered |= found
    return Selection(frozenset(chosen), frozenset(covered))


def with_what_it_needs(
    part: Selection,
    claims: Callable[[], Iterable[ClaimRecord]],
    derived: Callable[[], Iterable[DerivedRecord]],
    things: Mapping[str, ThingRecord],
) -> set[str]:
    """The ids of the chosen claims and of those that they or the things in them lead to, however many steps away.

    Both callables may be read again and again: what is held is ids, not records.
    """
    chosen = {one["id"] for one in claims() if part.chooses(one)}
    kept = set(chosen)
    for record in derived():
        members = set(_claims_named(record))
        # A judgement drags in what it compares with, but not the judgements of those: else a part would be all.
        if record["record"] in ("finding", "step") and members & chosen:
            kept |= members
    followed, grown = set[str](), -1
    while grown != len(kept):
        grown = len(kept)
        # each claim is followed once: only those that the last round added can lead to more
        added = (one for one in claims() if one["id"] in kept and one["id"] not in followed)
        for name in needed_things(_followed(added, followed, kept), things):
            kept.update(one["claim"] for one in things[name].get("parts") or () if one.get("claim"))
    return kept


def _followed(claims: Iterable[ClaimRecord], followed: set[str], kept: set[str]) -> Iterator[ClaimRecord]:
    """The claims as they come, each noted, and the claims that it names kept."""
    for one in claims:
        followed.add(one["id"])
        kept.update(_leads_to(one))
        yield one


def stands_in(record: DerivedRecord, kept: set[str]) -> bool:
    """Whether all claims that a derived record mentions are in the part."""
    return all(one in kept for one in _claims_named(record))


def needed_things(claims: Iterable[Mapping[str, object]], registry: Mapping[str, ThingRecord]) -> set[str]:
    """The entities and sources that claims name, and those that these name in turn."""
    found: set[str] = set()
    waiting = [text for one in claims for text in _texts(one) if text in registry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [text for text in _texts(registry[name]) if text in registry and text not in found]
    return found


def _leads_to(claim: ClaimRecord) -> Iterator[str]:
    """The claims that a recorded claim names."""
    for one in claim.get("restates") or ():
        if one.get("claim"):
            yield one["claim"]
    for derivation in claim.get("derivations") or ():
        yield from (used["claim"] for used in derivation["inputs"].values() if used.get("claim"))
    if claim.get("same_as"):
        yield claim["same_as"]


def _claims_named(record: DerivedRecord) -> Iterator[str]:
    """The claims that a derived record mentions."""
    if record["record"] == "finding":
        yield from (one["claim"] for one in record["claims"])
    elif record["record"] == "echo":
        yield from record["members"]
    elif record["record"] == "measured":
        fields: Mapping[str, object] = record
        yield from (str(name) for field in _RESULT_CLAIMS if (name := fields.get(field)))
    else:
        yield record["claim"]
        if record["record"] == "step" and record["is_claim"]:
            yield record["reaches"]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
