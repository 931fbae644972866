"""The ledger: an ordered list of live segments, and the current records they add up to.

The manifest is the only mutable file, replaced whole. Which revision of a record is current follows the edition, then
the revision number, then its hash. Of several loads of one edition the later ones have a number behind it
(`kg.ledger.edition`), so that a corrected file counts; the order of the segments decides nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeVar, cast

import orjson

from kg.errors import LedgerError, StoreError
from kg.ledger import durable
from kg.ledger.segment import SegmentInfo, check_digest, read_segment, read_things, revision_of, write_segment
from kg.model.ledger_records import CurrentRecord, LedgerRecord, RejectedRecord
from kg.model.record import SCHEMA
from kg.model.recorded import ThingRecord
from kg.model.state_file import StateDamaged, StoreNewer, read_state

R = TypeVar("R", bound=Mapping[str, object])
Packed = TypeVar("Packed")
MANIFEST: Final = "manifest.json"
_SEGMENT: Final = re.compile(r"([0-9a-f]{24})[0-9a-f]{40} \1\.jsonl\.gz")
"""The digest of a segment, and its name that begins with it and leads nowhere else."""
FORM: Final = 1
"""The form of the manifest; a newer one is refused."""


class ManifestDamaged(LedgerError):
    """The manifest of a ledger cannot be read."""

    code = "ledger.manifest"


class ViewBehind(StoreError):
    """A view was made from another state of the ledger than lies there."""

    code = "store.behind"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The live segments, in the order they were written."""

    segments: tuple[SegmentInfo, ...] = ()

    @property
    def head(self) -> str:
        """A digest of what is live, independent of the order of loading."""
        # Sorted, because the order of the segments decides nothing: two ledgers that got the same loads in
        # another order have one head, and a view made of one is good for the other.
        parts = sorted(f"{s.origin}\t{s.edition}\t{s.scope}\t{s.sha256}" for s in self.segments)
        return sha256("\n".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """The file `manifest.json`."""

    segments: tuple[SegmentInfo, ...]
    manifest: int = 1
    head: str | None = None


def _damaged(path: Path, field: str | None, expected: str, *, given: str = "damaged") -> ManifestDamaged:
    return ManifestDamaged(
        path=str(path),
        field=field,
        given=given,
        expected=expected,
        next_step="run kg build: it makes the list again from the segments that are there",
    )


@dataclass(frozen=True, slots=True)
class Held:
    """Where the current revision of a record comes from."""

    revision: str
    edition: str
    origin: str


Rank = tuple[str, int, str]
"""What decides between revisions: edition, revision number, hash."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger folder: `manifest.json` and `segments/`."""

    folder: Path

    @property
    def segments_folder(self) -> Path:
        """Where the segment files lie."""
        return self.folder / "segments"

    def manifest(self) -> Manifest:
        """The manifest as it is now; an absent one is empty."""
        path = self.folder / MANIFEST
        try:
            written = read_state(path, ManifestFile)
        except StateDamaged as cause:
            raise _damaged(path, cause.field, str(cause.expected)) from cause
        if written is None:
            return Manifest()
        schema = max((one.schema for one in written.segments), default=0)
        # Asked before anything is compared: what a newer program wrote would be taken for damage below, and
        # mended away.
        if written.manifest > FORM or schema > SCHEMA:
            raise StoreNewer(
                path=str(path),
                given=f"form {written.manifest}, schema {schema}",
                expected=f"form {FORM}, schema {SCHEMA} or older",
                next_step="install a newer accelkg, or name another folder with --store",
            )
        manifest = Manifest(written.segments)
        # A name is joined to the folder of segments: one such as ../../x would have another file read, and put
        # aside as damaged.
        if any(not _SEGMENT.fullmatch(f"{one.sha256} {one.name}") for one in manifest.segments):
            raise _damaged(path, "segments.name", "the digest of each segment in its name")
        # Lists of older versions hold no head.
        if written.head is not None and written.head != manifest.head:
            raise _damaged(path, "head", manifest.head)
        return manifest

    def check_present(self, head: str) -> None:
        """Raise ManifestDamaged where nothing lists the segments of a state that was there: an absent list reads as empty."""
        path = self.folder / MANIFEST
        if not path.is_file() and head != Manifest().head:
            raise _damaged(path, None, "the list of its segments", given="missing")

    def manifest_of(self, head: str) -> Manifest:
        """The manifest where it is that of the state a view was made from; raises ViewBehind for any other."""
        manifest = self.manifest()
        if manifest.head != head:
            raise ViewBehind(
                path=str(self.folder),
                given=f"a view of {head[:12]}, a ledger at {manifest.head[:12]}",
                expected="a view made from the ledger as it is",
                next_step="run kg build, then do it again",
            )
        return manifest

    def manifest_at(self, head: str) -> Manifest | None:
        """The list as it was in a state before, or is: loads add behind it. None where it was no beginning of what it is."""
        segments = self.manifest().segments
        states = (Manifest(segments[:end]) for end in range(len(segments), 0, -1))
        return next((one for one in states if one.head == head), None)

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest; from this moment readers see its segments."""
        value = {"manifest": FORM, "head": manifest.head, "segments": [one.to_json() for one in manifest.segments]}
        durable.write_whole(self.folder / MANIFEST, [orjson.dumps(value, option=orjson.OPT_INDENT_2)])

    def add(
        self,
        records: Iterable[Mapping[str, object]],
        *,
        origin: str,
        edition: str,
        scope: Literal["full", "partial"],
        registry: str,
        replace: bool = False,
    ) -> Manifest:
        """Write one segment and make it live. With `replace`, earlier segments of the origin are no longer live.

        The caller holds the writer lock. Adding the same content again changes nothing.
        """
        info = write_segment(
            self.segments_folder, records, origin=origin, edition=edition, scope=scope, registry=registry
        )
        return self.publish([info], without=lambda one: replace and one.origin == origin)

    def publish(
        self, infos: Sequence[SegmentInfo], *, without: Callable[[SegmentInfo], bool] = lambda _: False
    ) -> Manifest:
        """Make written segments live in one step, and take those out that `without` says. The caller holds the writer lock."""
        before, names = self.manifest(), {info.name for info in infos}
        kept = (one for one in before.segments if one.name not in names and not without(one))
        after = Manifest((*kept, *infos))
        # Nothing is new and nothing is retired: the head stays, and with it the live view.
        if set(after.segments) == set(before.segments):
            return before
        # segments without a manifest are invisible: a kill up to here leaves the state before the command
        durable.boundary("manifest:before")
        self.write_manifest(after)
        return after

    def verify(self) -> int:
        """Read every live segment to its end, check the digests, and count the records."""
        return sum(sum(1 for _ in read_segment(self.segments_folder, info)) for info in self.manifest().segments)

    def current(self, manifest: Manifest | None = None) -> Iterator[CurrentRecord]:
        """The current revision of every live record, each with `revision` and, where there is one, `supersedes`.

        Rejected rows are records too, but no statements: `rejected` gives them.
        """
        for standing in self.standing(manifest):
            if standing.record["record"] != "rejected":
                yield standing.record

    def packed(self, pack: Callable[[CurrentRecord], Packed]) -> dict[str, Packed]:
        """What `pack` makes of each current record, by id, without `supersedes`.

        Every segment is read once, where `current` reads each twice to hold little in memory: for callers that keep all of it.
        """
        segments = self.manifest().segments
        # Of equal ranks the first is kept, as in `_winners`.
        out = retired(segments)
        best: dict[str, tuple[Rank, Packed | None]] = {}
        for info in (one for place, one in enumerate(segments) if place not in out):
            for record in read_segment(self.segments_folder, info):
                rank, known = _rank(info, record), best.get(record["id"])
                if known is None or known[0] < rank:
                    best[record["id"]] = rank, None if record["record"] == "rejected" else pack(record)
        return {name: made for name, (_, made) in best.items() if made is not None}

    def rejected(self, manifest: Manifest | None = None) -> Iterator[RejectedRecord]:
        """The rows that a load refused and that no later load took."""
        for standing in self.standing(manifest):
            if standing.record["record"] == "rejected" and not standing.record.get("closed"):
                yield standing.record

    def standing(self, manifest: Manifest | None = None) -> Iterator["Standing"]:
        """The current records, rejected rows too, each with the place it has among the revisions of its id."""
        segments = (manifest or self.manifest()).segments
        if len(segments) == 1:
            # Nobody is to be given a record that is not as it was written, and `read_segment` compares the digest only
            # after the last one. Several segments were read to their ends by `_winners` before the first record is given.
            check_digest(self.segments_folder, segments[0])
            for record in read_segment(self.segments_folder, segments[0]):
                yield Standing(record, 0, _rank(segments[0], record), ())
            return
        # Two readings: of a ledger larger than memory only ids and ranks are held in between.
        winners, others = self._winners(segments)
        for place, info in enumerate(segments):
            for record in read_segment(self.segments_folder, info):
                name = record["id"]
                if winners.get(name) == (_rank(info, record), place):
                    # Taken out, so that a segment which holds a record twice gives it once.
                    rank, _ = winners.pop(name)
                    more = tuple(others.get(name, ()))
                    older = superseded(rank, (other for other, _ in more))
                    yield Standing(with_superseded(record, older), place, rank, more)

    def things(self, manifest: Manifest | None = None) -> dict[str, ThingRecord]:
        """The current entities and sources by id, sorted; claims are passed over unread."""
        segments = (manifest or self.manifest()).segments
        out = retired(segments)
        best: dict[str, tuple[Rank, ThingRecord]] = {}
        others: dict[str, list[Rank]] = {}
        # Live segments first: what a retired one holds can only be superseded, and by then the winner is known.
        for place in sorted(range(len(segments)), key=lambda one: one in out):
            for record in read_things(self.segments_folder, segments[place]):
                rank, name = _rank(segments[place], record), record["id"]
                if name in best:
                    others.setdefault(name, []).append(min(rank, best[name][0]) if place not in out else rank)
                if place not in out and (name not in best or rank > best[name][0]):
                    best[name] = rank, record
        found: dict[str, ThingRecord] = {}
        for name, (rank, record) in sorted(best.items()):
            found[name] = with_superseded(record, superseded(rank, others.get(name, ())))
        return found

    def held(self) -> dict[str, Held]:
        """From the id of every current record to its revision and where that comes from."""
        segments = self.manifest().segments
        if len(segments) == 1:
            info = segments[0]
            return {
                one["id"]: Held(one["revision"], info.edition, info.origin)
                for one in read_segment(self.segments_folder, info)
            }
        winners, _ = self._winners(segments)
        return {
            name: Held(rank[2], segments[place].edition, segments[place].origin)
            for name, (rank, place) in winners.items()
        }

    def _winners(
        self, segments: tuple[SegmentInfo, ...]
    ) -> tuple[dict[str, tuple[Rank, int]], dict[str, list[tuple[Rank, int]]]]:
        """From record id to the rank and segment of its current revision, and to those of all others.

        A record that the newest full segment of its origin no longer holds is retired, unless another origin holds it.
        """
        winners: dict[str, tuple[Rank, int]] = {}
        others: dict[str, list[tuple[Rank, int]]] = {}
        out = retired(segments)
        for place, info in enumerate(segments):
            if place in out:
                continue
            for record in read_segment(self.segments_folder, info):
                found, name = (_rank(info, record), place), record["id"]
                known = winners.get(name)
                if known is None:
                    winners[name] = found
                # Of equal ranks the record stays where it was first written. `kg.build.refresh` and
                # `kg.build.partition` choose the same, else a load by difference would differ from a build from
                # nothing.
                elif known[0] >= found[0]:
                    others.setdefault(name, []).append(found)
                else:
                    winners[name] = found
                    others.setdefault(name, []).append(known)
        # A retired revision never wins, but it is still what a current one supersedes.
        for place in sorted(out):
            for record in read_segment(self.segments_folder, segments[place]):
                if record["id"] in winners:
                    others.setdefault(record["id"], []).append((_rank(segments[place], record), place))
        return winners, others


class Standing(NamedTuple):
    """A current record, its segment and rank, and the other revisions of its id with their segments."""

    record: LedgerRecord
    segment: int
    """The place of its segment in the manifest."""
    rank: Rank
    others: tuple[tuple[Rank, int], ...]


def retired(segments: Sequence[SegmentInfo]) -> frozenset[int]:
    """The places of segments that a full one of a later edition has replaced, within one origin."""
    # The edition decides and not the time of loading: an old full edition that is loaded late retires nothing
    # newer.
    last_full: dict[str, str] = {}
    for info in segments:
        if info.scope == "full":
            last_full[info.origin] = max(info.edition, last_full.get(info.origin, ""))
    # Strictly older, else a full segment would retire itself. Rows that are read again later have a number behind its
    # edition (`behind`), so that they stand until the next full one.
    return frozenset(place for place, info in enumerate(segments) if info.edition < last_full.get(info.origin, ""))


def superseded(rank: Rank, others: Iterable[Rank]) -> str | None:
    """The revision before a current one: of those that say something else the one of the highest rank below it.

    >>> superseded(("2025", 0, "c"), [("2024", 0, "b"), ("2023", 0, "a"), ("2024-06", 0, "c")])
    'b'
    """
    # The same revision in another edition says nothing else. A retired segment can hold one of a higher rank,
    # which came later and is not what was said before.
    below = [other for other in others if other[2] != rank[2] and other < rank]
    return max(below)[2] if below else None


def _rank(info: SegmentInfo, record: LedgerRecord) -> Rank:
    return rank_of(info.edition, record)


def rank_of(edition: str, record: LedgerRecord) -> Rank:
    """What decides between revisions of one id."""
    number = cast(RejectedRecord, record).get("number", 0)  # rejected rows alone are numbered: a later load closes them
    return edition, number, record["revision"]


def with_revision(record: R) -> R:
    """The record with the hash of its recorded fields."""
    return cast(R, {**record, "revision": revision_of(record)})


def with_superseded(record: R, older: str | None) -> R:
    """The record with the revision before it, if there is one."""
    return cast(R, {**record, "supersedes": older}) if older else record
