"""The difference between a ledger that grew and the index of its earlier state, by record, and the registry after it.

Called by `kg.build.refresh`; nothing is written. Raises NotByDifference where the index cannot tell.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from kg.ledger.index import ClaimIndex, HeldClaim, Other
from kg.ledger.ledger import Ledger, Manifest, Rank, rank_of, retired, superseded, with_superseded
from kg.ledger.segment import SegmentInfo, read_segment
from kg.model.ledger_records import CurrentRecord
from kg.model.recorded import ThingRecord

SHARE: Final = 5
"""Where more than one in this many claims would be new or changed, a view is built from nothing."""


class NotByDifference(Exception):
    """The view has to be built from nothing; says why."""


@dataclass(slots=True)
class RecordChange:
    """One record before and after; None where it is not there."""

    name: str
    number: int | None
    before: HeldClaim | None
    after: HeldClaim | None
    others: list[Other]

    @property
    def kinds(self) -> set[str]:
        """The kinds of record that the id meant before and means now."""
        return {held.record["record"] for held in (self.before, self.after) if held is not None}


def changes(
    index: ClaimIndex, ledger: Ledger, before: tuple[SegmentInfo, ...], manifest: Manifest
) -> dict[str, RecordChange]:
    """The records that a ledger holds in another revision than the index, by id. The index is not changed."""
    after = manifest.segments
    if after[: len(before)] != before:
        # what a retired segment held may bring an earlier revision back, which the index does not keep
        raise NotByDifference("segments were taken out")
    new = range(len(before), len(after))
    most = index.count() // SHARE
    if sum(after[place].records for place in new) > max(most, 1000):
        # a difference reads and writes each triple on its own, a whole build in bulk (decision record 0010)
        raise NotByDifference("most of it is new")
    out = retired(after)
    left = out - retired(before)
    records: dict[tuple[str, int, str], CurrentRecord] = {}
    found: dict[str, list[Other]] = {}
    for place in new:
        for record in read_segment(ledger.segments_folder, after[place]):
            if record["record"] == "rejected":
                continue
            edition, number, revision = rank_of(after[place].edition, record)
            found.setdefault(record["id"], []).append(Other(place, edition, number, revision))
            records.setdefault((record["id"], place, revision), record)
    # A full segment has retired an older one: what only that one held goes, though no new segment names it.
    for name in index.names_of([place for place in left if place < len(before)]):
        found.setdefault(name, [])
    return {name: _changed(index, name, came, records, out) for name, came in found.items()}


def _changed(
    index: ClaimIndex,
    name: str,
    came: list[Other],
    records: Mapping[tuple[str, int, str], CurrentRecord],
    out: frozenset[int],
) -> RecordChange:
    known = index.held(name)
    number, held = known if known is not None else (None, None)
    all_of_it = [*came, *index.others(name)]
    if held is not None:
        all_of_it.append(Other(held.segment, held.edition, held.number, held.record["revision"]))
    live = [one for one in all_of_it if one.segment not in out]
    if not live:
        return RecordChange(name, number, held, None, all_of_it)
    # of equal ranks the one that was written first, as when everything is read anew
    top = max(_rank(one) for one in live)
    best = min((one for one in live if _rank(one) == top), key=lambda one: one.segment)
    others = list(all_of_it)
    others.remove(best)
    record = records.get((name, best.segment, best.revision)) or _elsewhere(name, best.revision, held, records)
    older = superseded(top, (_rank(one) for one in others))
    if older:
        record = with_superseded(record, older)
    elif "supersedes" in record:
        record = record.copy()
        del record["supersedes"]
    return RecordChange(name, number, held, HeldClaim(best.segment, best.edition, best.number, record), others)


def _elsewhere(
    name: str, revision: str, held: HeldClaim | None, records: Mapping[tuple[str, int, str], CurrentRecord]
) -> CurrentRecord:
    """The record of a revision, from the index or another new segment. Equal revisions are equal records.

    The index keeps the bodies of current records only; an older one would have to be searched for in the segments, which
    is what a whole build does.
    """
    if held is not None and held.record["revision"] == revision:
        return held.record
    for (other, _, number), record in records.items():
        if (other, number) == (name, revision):
            return record
    raise NotByDifference("an earlier revision is current again")


def _rank(one: Other) -> Rank:
    return one.edition, one.number, one.revision


def registry_after(before: Mapping[str, ThingRecord], differences: Iterable[RecordChange]) -> dict[str, ThingRecord]:
    """The entities and sources as they are now, sorted by id."""
    registry = dict(before)
    for one in differences:
        if len(one.kinds) > 1:
            # what was concluded of the claim names the id, and would be read as said of the entity
            raise NotByDifference("an id means another kind of record")
        if "claim" in one.kinds:
            continue
        if one.after is not None:
            registry[one.name] = one.after.thing
        elif one.before is not None:
            registry.pop(one.name, None)
    return dict(sorted(registry.items()))
