"""Mends a ledger that lost something, before a build: the list of segments is made again, and of a damaged segment the
records that can be read are kept. What is lost is reported by id, with what to load again.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from kg.build.build import CONTENT_ORIGIN, StorePlace
from kg.build.property_graph import graph_generations
from kg.build.reresolve import ORIGIN as NAMES_ORIGIN
from kg.ledger.edition import plain_edition
from kg.ledger.index import ClaimIndex
from kg.ledger.ledger import MANIFEST, Manifest, ManifestDamaged
from kg.ledger.segment import SegmentDamaged, SegmentInfo, check_digest, revision_of, write_segment
from kg.ledger.upgrade import upgraded
from kg.model.json_types import Json
from kg.model.record import SCHEMA
from kg.model.state_file import StateDamaged

Tell = Callable[[str], None]
MADE_AGAIN: Final = (CONTENT_ORIGIN, NAMES_ORIGIN)
"""Origins whose segments a build writes anew."""
_NAMED: Final = 20
_PIECE: Final = 128


def mend(place: StorePlace, tell: Tell) -> None:
    """Mend what can be mended and tell the rest. The caller holds the writer lock and builds next."""
    _refuse_folders(place)
    indexed = cache(lambda: _indexed(place.index))
    _mend_manifest(place, indexed, tell)
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
    ids: frozenset[str]


def _indexed(path: Path) -> dict[str, _Indexed]:
    """The segments that the index was made from, by name; none where it cannot be read."""
    index = ClaimIndex.opened(path)
    if index is None:
        return {}
    try:
        infos = [SegmentInfo.from_json(one) for one in index.stamp().get("segments", ())]
        return {info.name: _Indexed(info, index.ids_of(place)) for place, info in enumerate(infos)}
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


def _found(folder: Path, tell: Tell) -> Iterator[SegmentInfo]:
    """The whole segments of a folder, as their first lines describe them, by edition."""
    infos: list[SegmentInfo] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        lines = _lines(path)
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
    kept = list(_sound_records(path, info)) if path.is_file() else []
    if path.is_file():
        # put aside, not deleted: somebody with a backup or a better tool may get more out of it
        path.replace(path.with_name(f"{path.name}.damaged"))
    if kept:
        yield write_segment(
            folder, kept, origin=info.origin, edition=info.edition, scope=info.scope, registry=info.registry
        )
    lost = sorted(known.ids - {one["id"] for one in kept}) if known is not None else []
    names = ", ".join(lost[:_NAMED]) + (f" and {len(lost) - _NAMED:,} more" if len(lost) > _NAMED else "")
    tell(
        f"{path} is damaged ({info.origin}, edition {info.edition}): {len(kept):,} of {info.records:,} records are kept"
        f"; lost: {names or f'{info.records - len(kept):,} records that nothing names any more'}. "
        f"Load it again: {_load_again(info, kept)}"
    )


def _load_again(info: SegmentInfo, kept: list[Json]) -> str:
    loader, _, rest = info.origin.partition("/")
    if loader == "claims":
        return f"kg load claims {rest}.jsonl --edition {plain_edition(info.edition)} (the file of that name, in the form it had)"
    documents = sorted({str(one["anchor"]["document"]) for one in kept if "document" in one.get("anchor", {})})
    return f"kg load {loader} {' '.join(documents[:3]) or f'FILES of {rest}'} --edition {plain_edition(info.edition)}"


def _sound_records(path: Path, info: SegmentInfo) -> Iterator[Json]:
    """The records of a damaged segment that have the revision they were written with."""
    for line in _lines(path):
        record = _json(line)
        # a line can be sound JSON and still have lost a digit; the hash of the fields tells
        if record is not None and record.get("record") != "segment" and record.get("revision") == revision_of(record):
            yield record if info.schema == SCHEMA else upgraded(record, info.schema)


def _json(line: bytes) -> Json | None:
    try:
        found = orjson.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _lines(path: Path) -> list[bytes]:
    """The lines of a compressed file up to where it cannot be read; the last may be cut off."""
    opened, parts = zlib.decompressobj(31), []
    if not path.is_file():
        return []
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                parts.append(opened.decompress(piece))
    except (OSError, zlib.error):
        pass
    return b"".join(parts).splitlines(keepends=True)
