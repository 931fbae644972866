"""The ledger: an ordered list of live segments, and the current records they add up to.

The manifest is the only mutable file, replaced whole. Which revision of a record is current follows the edition, then
the revision number, then its hash; never the order of loading.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import orjson

from kg.errors import LedgerError
from kg.ledger import durable
from kg.ledger.segment import Json, SegmentInfo, read_segment, revision_of, write_segment


class ManifestDamaged(LedgerError):
    """The manifest of a ledger cannot be read."""

    code = "ledger.manifest"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The live segments, in the order they were written."""

    segments: tuple[SegmentInfo, ...] = ()

    @property
    def head(self) -> str:
        """A digest of what is live, independent of the order of loading."""
        parts = sorted(f"{s.origin}\t{s.edition}\t{s.scope}\t{s.sha256}" for s in self.segments)
        return sha256("\n".join(parts).encode()).hexdigest()[:32]


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
        path = self.folder / "manifest.json"
        try:
            value = orjson.loads(path.read_bytes())
            return Manifest(tuple(SegmentInfo.from_json(one) for one in value["segments"]))
        except FileNotFoundError:
            return Manifest()
        except (ValueError, KeyError, TypeError) as cause:
            raise ManifestDamaged(
                path=str(path), given=str(cause), expected="a manifest", next_step="run kg reset, then load again"
            ) from cause

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest; from this moment readers see its segments."""
        value = {"manifest": 1, "head": manifest.head, "segments": [one.to_json() for one in manifest.segments]}
        durable.write_whole(self.folder / "manifest.json", [orjson.dumps(value, option=orjson.OPT_INDENT_2)])

    def add(
        self, records: Iterable[Mapping[str, Any]], *, origin: str, edition: str, scope: Literal["full", "partial"],
        registry: str, replace: bool = False,
    ) -> Manifest:  # fmt: skip
        """Write one segment and make it live. With `replace`, earlier segments of the origin are no longer live.

        The caller holds the writer lock. Adding the same content again changes nothing.
        """
        before = self.manifest()
        info = write_segment(
            self.segments_folder, records, origin=origin, edition=edition, scope=scope, registry=registry
        )
        kept = tuple(one for one in before.segments if one != info and not (replace and one.origin == origin))
        after = Manifest((*kept, info))
        if set(after.segments) == set(before.segments):
            return before
        self.write_manifest(after)
        return after

    def verify(self) -> int:
        """Read every live segment to its end, check the digests, and count the records."""
        return sum(sum(1 for _ in read_segment(self.segments_folder, info)) for info in self.manifest().segments)

    def current(self, manifest: Manifest | None = None) -> Iterator[Json]:
        """The current revision of every live record, each with `revision` and, where there is one, `supersedes`.

        Rejected rows are records too, but no statements: `rejected` gives them.
        """
        return (one for one in self._current(manifest) if one["record"] != "rejected")

    def rejected(self, manifest: Manifest | None = None) -> Iterator[Json]:
        """The rows that a load refused and that no later load took."""
        return (one for one in self._current(manifest) if one["record"] == "rejected" and not one.get("closed"))

    def _current(self, manifest: Manifest | None) -> Iterator[Json]:
        segments = (manifest or self.manifest()).segments
        if len(segments) == 1:
            yield from read_segment(self.segments_folder, segments[0])
            return
        winners, older = self._winners(segments)
        for info in segments:
            for record in read_segment(self.segments_folder, info):
                name = record["id"]
                if winners.get(name) == _rank(info, record):
                    del winners[name]
                    yield {**record, "supersedes": max(older[name])[2]} if name in older else record

    def held(self) -> dict[str, Held]:
        """From the id of every current record to its revision and where that comes from."""
        segments = self.manifest().segments
        winners, _ = self._winners(segments)
        found: dict[str, Held] = {}
        for info in segments:
            for record in read_segment(self.segments_folder, info):
                name = record["id"]
                if winners.get(name) == _rank(info, record):
                    found.setdefault(name, Held(record["revision"], info.edition, info.origin))
        return found

    def _winners(self, segments: tuple[SegmentInfo, ...]) -> tuple[dict[str, Rank], dict[str, list[Rank]]]:
        """From record id to the rank of its current revision, and the ranks of other revisions it supersedes.

        A record that the newest full segment of its origin no longer holds is retired, unless another origin holds it.
        """
        last_full: dict[str, str] = {}
        for info in segments:
            if info.scope == "full":
                last_full[info.origin] = max(info.edition, last_full.get(info.origin, ""))
        winners: dict[str, Rank] = {}
        older: dict[str, list[Rank]] = {}
        retired = [info for info in segments if info.edition < last_full.get(info.origin, "")]
        for info in segments:
            if info in retired:
                continue
            for record in read_segment(self.segments_folder, info):
                rank, name = _rank(info, record), record["id"]
                known = winners.get(name)
                if known is None:
                    winners[name] = rank
                elif known[2] == rank[2]:
                    winners[name] = max(known, rank)
                else:
                    winners[name] = max(known, rank)
                    older.setdefault(name, []).append(min(known, rank))
        for info in retired:
            for record in read_segment(self.segments_folder, info):
                rank, name = _rank(info, record), record["id"]
                known = winners.get(name)
                if known is not None and known[2] != rank[2] and rank < known:
                    older.setdefault(name, []).append(rank)
        return winners, older


def _rank(info: SegmentInfo, record: Json) -> Rank:
    return info.edition, int(record.get("number", 0)), record["revision"]


def with_revision(record: Mapping[str, Any]) -> Json:
    """The record with the hash of its recorded fields."""
    return {**record, "revision": revision_of(record)}
