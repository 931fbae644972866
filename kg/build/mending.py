"""Mends a ledger that lost something, before a build: the list of segments is made again, and of a damaged segment the
records that can be read are kept, in it or in the index. What is lost is reported by id, with what to load again.
"""

import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

import orjson

from kg.build.build import CONTENT_ORIGIN, StorePlace
from kg.build.name_moves import NAMES_ORIGIN
from kg.build.property_graph import graph_generations
from kg.ledger import durable
from kg.ledger.edition import plain_edition
from kg.ledger.index import ClaimIndex
from kg.ledger.ledger import MANIFEST, Manifest, ManifestDamaged
from kg.ledger.segment import SegmentDamaged, SegmentInfo, check_digest, revision_of, write_segment
from kg.ledger.upgrade import upgraded
from kg.model.counting import counted
from kg.model.json_types import Json
from kg.model.record import SCHEMA
from kg.model.state_file import StateDamaged

Tell = Callable[[str], None]
MADE_AGAIN: Final = (CONTENT_ORIGIN, NAMES_ORIGIN)
"""Origins whose segments a build writes anew."""
_THINGS: Final = "/things"
_NAMED: Final = 20
# Bytes that are unpacked at once: the piece in which the damage begins is lost whole.
_PIECE: Final = 128
_MEMBER_HEAD: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00"
"""How a member of gzip begins that has neither a name nor a time (RFC 1952, 2.3), as those of a segment."""
# Bytes in which the next member is looked for: a member has some 20,000, and a file of zeros may have billions.
_FARTHEST: Final = 1 << 26


def mend(place: StorePlace, tell: Tell) -> None:
    """Mend what can be mended and report the rest. The caller holds the writer lock and builds next."""
    _refuse_folders(place)
    indexed = cache(lambda: _indexed(place.index))
    _mend_manifest(place, indexed, tell)
    complete_manifest(place, tell)
    manifest = place.ledger.manifest()
    after: list[SegmentInfo] = []
    for info in manifest.segments:
        try:
            check_digest(place.ledger.segments_folder, info)
            after.append(info)
        except SegmentDamaged as error:
            if info.origin in MADE_AGAIN:
                tell(f"{error.path} is damaged; it is made again")
            else:
                after.extend(_rest_of(place, info, indexed().get(info.name), tell))
    if tuple(after) != manifest.segments:
        place.ledger.write_manifest(Manifest(tuple(after)))


def _refuse_folders(place: StorePlace) -> None:
    """Raise where a folder is in the place of a pointer, before anything is built: only its owner may move it away.

    The property graph is asked too, though a build does not write it: else its readers would be refused afterwards.
    """
    for pointer in (place.rdf.folder / "current", graph_generations(place.folder).folder / "current"):
        if pointer.is_dir():
            raise StateDamaged(
                path=str(pointer), given="a folder", expected="a file", next_step="move it away, then run kg build"
            )


@dataclass(frozen=True, slots=True)
class _Indexed:
    """A segment as the index knows it."""

    info: SegmentInfo
    place: int
    ids: frozenset[str]


def _indexed(path: Path) -> dict[str, _Indexed]:
    """The segments that the index was made from, by name; none where it cannot be read."""
    index = ClaimIndex.opened(path)
    if index is None:
        return {}
    try:
        infos = [SegmentInfo.from_json(one) for one in index.stamp().get("segments", ())]
        return {
            info.name: _Indexed(info, place, frozenset(index.names_of([place]))) for place, info in enumerate(infos)
        }
    except (ClaimIndex.Damaged, TypeError, UnicodeDecodeError):
        return {}
    finally:
        index.close()


def _mend_manifest(place: StorePlace, indexed: Callable[[], dict[str, _Indexed]], tell: Tell) -> None:
    path = place.ledger.folder / MANIFEST
    try:
        place.ledger.manifest()
        if path.is_file():
            return
        what = "missing"
    except ManifestDamaged:
        what = "damaged"
    if path.is_dir():
        place.ledger.write_manifest(Manifest())  # refused, with what to do
    found = [one.info for one in indexed().values()]
    basis = "from the index of the ledger"
    if not found:
        # the index knows which segments were live; the folder alone also holds replaced ones, which is said
        found = list(_found(place.ledger.segments_folder, tell))
        basis = "from the segments that are there; one that a later load had replaced counts again"
    kept = [one for one in found if one.origin not in MADE_AGAIN]
    if not kept and what == "missing":
        return
    tell(f"{path} is {what}; made again {basis}: {len(kept)} loaded segments")
    place.ledger.write_manifest(Manifest(tuple(kept)))


def complete_manifest(place: StorePlace, tell: Tell) -> None:
    """Put back loads that the index has and a list that was replaced by an older one has not.

    A list that is newer than the index, as after a load that was cut off, has a segment that the index does not know.
    The caller holds the writer lock.
    """
    manifest = place.ledger.manifest()
    known = {one.name: one for one in _live_in_index(place.index) if one.origin not in MADE_AGAIN}
    live = {one.name for one in manifest.segments if one.origin not in MADE_AGAIN}
    if not live < known.keys():
        return
    back = [one for name, one in known.items() if name not in live and _is_whole(place.ledger.segments_folder, one)]
    if back:
        names = ", ".join(f"{one.origin}, edition {one.edition}" for one in back[:_NAMED])
        tell(f"{place.ledger.folder / MANIFEST} is older than the index of the ledger; put back: {names}")
        place.ledger.write_manifest(Manifest((*manifest.segments, *back)))


def _live_in_index(path: Path) -> list[SegmentInfo]:
    """The segments that the index was made from; none where it cannot be read."""
    index = ClaimIndex.opened(path)
    if index is None:
        return []
    with closing(index), suppress(ClaimIndex.Damaged, TypeError):
        return [SegmentInfo.from_json(one) for one in index.stamp().get("segments", ())]
    return []


def _is_whole(folder: Path, info: SegmentInfo) -> bool:
    with suppress(SegmentDamaged):
        check_digest(folder, info)
        return True
    return False


def _found(folder: Path, tell: Tell) -> Iterator[SegmentInfo]:
    """The whole segments of a folder, as their first lines describe them, by edition."""
    infos: list[SegmentInfo] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        lines = list(_lines(path))
        header = _json(lines[0]) if lines else None
        digest = sha256(b"".join(lines)).hexdigest()
        # the name is the digest: a file that does not match it is no segment that anybody wrote
        if header is None or path.name != f"{digest[:24]}.jsonl.gz":
            tell(f"{path} is damaged and belongs to no load that is known; it is left where it is")
            continue
        infos.append(
            SegmentInfo(
                path.name,
                digest,
                header["origin"],
                header["edition"],
                header["scope"],
                header["schema"],
                header["registry"],
                len(lines) - 1,
            )
        )
    yield from sorted(infos, key=lambda one: (one.edition, one.name))


def _rest_of(place: StorePlace, info: SegmentInfo, known: _Indexed | None, tell: Tell) -> Iterator[SegmentInfo]:
    """A segment of the records that can still be read, if there are any; the damaged file is put aside, not deleted."""
    folder = place.ledger.segments_folder
    path = folder / info.name
    other = _under_another_name(folder, info)
    whole = other.read_bytes() if other is not None else None
    kept = list(_sound_records(path, info)) if path.is_file() and whole is None else []
    if known is not None and whole is None:
        kept += _sound_in_index(place.index, known.place, {one["id"] for one in kept})
    if path.is_file():
        # put aside, not deleted: somebody with a backup or a better tool may get more out of it
        path.replace(path.with_name(f"{path.name}.damaged"))
    if whole is not None and other is not None:
        durable.write_whole(path, [whole])
        tell(f"{path} was damaged; what belongs there lay in {other.name}, so that nothing is lost")
        yield info
        return
    if kept:
        yield write_segment(
            folder, kept, origin=info.origin, edition=info.edition, scope=info.scope, registry=info.registry
        )
    said = (
        f"{path} is damaged ({info.origin}, edition {info.edition}): {len(kept):,} of {info.records:,} records are kept"
    )
    tell(said if len(kept) == info.records else f"{said}; {_lost(info, kept, known)}")


def _under_another_name(folder: Path, info: SegmentInfo) -> Path | None:
    """The file with the digest of a segment that lies under the name of another."""
    for path in sorted(folder.glob("*.jsonl.gz*")):
        with suppress(SegmentDamaged):
            check_digest(folder, replace(info, name=path.name))
            return path
    return None


def _lost(info: SegmentInfo, kept: list[Json], known: _Indexed | None) -> str:
    """The records that are in no file any more, and how to get them back."""
    lost = sorted(known.ids - {one["id"] for one in kept}) if known is not None else []
    names = ", ".join(lost[:_NAMED]) + (f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else "")
    unnamed = counted(info.records - len(kept), "record")
    return f"lost: {names or f'{unnamed} that nothing names any more'}. Load it again: {_load_again(info, kept)}"


def _sound_in_index(path: Path, segment: int, kept: set[str]) -> list[Json]:
    """The records of a segment that the index still has, each with the revision it was written with."""
    index = ClaimIndex.opened(path)
    found: list[Json] = []
    if index is not None:
        with suppress(ClaimIndex.Damaged), closing(index):
            for body in index.bodies_of(segment):
                record = _json(body)
                if record is not None and record.get("id") not in kept and _is_sound(record):
                    found.append({name: value for name, value in record.items() if name != "supersedes"})
    return found


def _load_again(info: SegmentInfo, kept: list[Json]) -> str:
    loader, _, rest = info.origin.partition("/")
    if loader == "claims":
        edition = plain_edition(info.edition)
        return f"kg load claims {rest}.jsonl --edition {edition} (the file of that name, in the form it had)"
    if rest.endswith(_THINGS):
        # what the rows of files are about; these segments have no edition of their own
        return f"kg load {loader} FILES of {rest.removesuffix(_THINGS)}, with the --edition that they had"
    documents = sorted({str(one["anchor"]["document"]) for one in kept if "document" in one.get("anchor", {})})
    return f"kg load {loader} {' '.join(documents[:3]) or f'FILES of {rest}'} --edition {plain_edition(info.edition)}"


def _sound_records(path: Path, info: SegmentInfo) -> Iterator[Json]:
    """The records of a damaged segment that have the revision they were written with."""
    for line in _lines(path):
        record = _json(line)
        if record is not None and record.get("record") != "segment" and _is_sound(record):
            yield record if info.schema == SCHEMA else upgraded(record, info.schema)


def _is_sound(record: Json) -> bool:
    """Whether its fields have the hash it was written with: sound JSON may still have lost a digit."""
    return bool(record.get("revision") == revision_of(record))


def _json(line: bytes) -> Json | None:
    try:
        found = orjson.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _lines(path: Path) -> Iterator[bytes]:
    """The lines of a compressed file that can be unpacked; one at the edge of a damage may be cut off."""
    # An empty file cannot be mapped.
    if not path.is_file() or not path.stat().st_size:
        return
    with suppress(OSError), open(path, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as packed:
        start = 0
        while start >= 0:
            text, start = _unpacked(packed, start)
            yield from text.splitlines(keepends=True)


def _unpacked(packed: mmap, start: int) -> tuple[bytes, int]:
    """What can be unpacked from `start` on, and where the next member begins, or -1."""
    opened, parts, at = zlib.decompressobj(31), list[bytes](), start
    behind = start + 1
    try:
        while not opened.eof and at < len(packed):
            parts.append(opened.decompress(packed[at : at + _PIECE]))
            at += _PIECE
        behind = max(behind, at - len(opened.unused_data))
    # Damaged data may be unpacked beyond its own end, over the head of the next member, which is then before `at`.
    except zlib.error:
        pass
    return b"".join(parts), packed.find(_MEMBER_HEAD, behind, at + _FARTHEST)
