"""Names of loaded records resolved again when the registry has changed.

A load keeps the name as printed next to the id it resolved to, and the digest of the registry it used. Where that digest is
not the present one, three things are looked at again: ids that were given up (redirects), things that a load made because
nobody knew their name, and subjects by their printed name. Records that move are written as new revisions into segments of
their own (origin *names*, one for each edition), which are always made from the segments of the loads alone: resolving twice
gives the same as resolving once. A name that only its row could decide (maker, suite, memory), or on which other things of its
load hang, is never moved; its file is reported instead. What was loaded again with the present registry stands over what the same
edition said before.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import orjson

from kg.build.build import CONTENT_ORIGIN
from kg.build.name_moves import NAMES_ORIGIN, Move, NameMoves
from kg.build.waiting_files import Waiting
from kg.content.entities import Registry
from kg.content.folders import Content
from kg.ledger import durable
from kg.ledger.ledger import Ledger, Manifest
from kg.ledger.segment import SegmentInfo
from kg.model.counting import counted, first_of
from kg.model.state_file import StateDamaged, read_state


@dataclass(frozen=True, slots=True)
class Again:
    """The result of resolving again."""

    moved: tuple[Move, ...] = ()
    waiting: tuple[Waiting, ...] = ()

    def lines(self) -> Iterator[str]:
        """A line for each move and each file to load again."""
        for one in self.moved:
            yield f"names: {counted(one.records, 'record')} of {one.source} moved from {one.before} to {one.after} ({one.name})"
        for two in self.waiting:
            yield f"names: {counted(two.rows, 'row')} of {two.file} to be read again for {_some(two.names)}: {two.command}"


def _some(names: tuple[str, ...]) -> str:
    return first_of([f'"{one}"' for one in names], 3)


def without_names(manifest: Manifest) -> Manifest:
    """The segments that loads and content wrote."""
    return Manifest(tuple(one for one in manifest.segments if one.origin != NAMES_ORIGIN))


def state_of(ledger: Ledger) -> Again:
    """The result of the last resolving; nothing where none was needed."""
    known = _state(ledger)
    return Again(known.moved, known.waiting)


@dataclass(frozen=True, slots=True)
class _Names:
    """The file `names.json`: what the last resolving followed from, and its result."""

    stamp: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    moved: tuple[Move, ...] = ()
    waiting: tuple[Waiting, ...] = ()


def _state(ledger: Ledger) -> _Names:
    """What the last resolving noted; it is done again where that cannot be read."""
    try:
        return read_state(ledger.folder / "names.json", _Names) or _Names()
    except StateDamaged:
        return _Names(stamp=("damaged",))


def check_names(folder: Path) -> None:
    """Raise StateDamaged where the note of a store cannot be read."""
    read_state(folder / "ledger" / "names.json", _Names)


def resolve_again(ledger: Ledger, content: Content, registry: Registry) -> Again:
    """Write what moved, and remember what it was. The caller holds the writer lock."""
    manifest = ledger.manifest()
    base = without_names(manifest)
    # only what was loaded with another registry can have names that mean something else now
    old = [one for one in base.segments if one.origin != CONTENT_ORIGIN and one.registry != registry.digest]
    stamp = _stamp(base, content, registry, old)
    known = _state(ledger)
    if list(known.stamp) == stamp and list(known.segments) == _names_of(manifest):
        return state_of(ledger)
    moves = NameMoves(ledger, content, registry, base, old)
    after = _with_names(manifest, list(moves.written()) if old else [])
    if after.segments != manifest.segments:
        ledger.write_manifest(after)
    again = Again(moves.told(), moves.waiting(ledger.rejected(base)) if old else ())
    value = {
        "stamp": stamp,
        "segments": _names_of(after),
        "moved": [asdict(one) for one in again.moved],
        "waiting": [asdict(one) for one in again.waiting],
    }
    # the note comes last: a kill before it makes the next command resolve again, which comes to the same segments
    durable.write_whole(ledger.folder / "names.json", [orjson.dumps(value, option=orjson.OPT_INDENT_2)])
    return again


def _with_names(manifest: Manifest, infos: Sequence[SegmentInfo]) -> Manifest:
    """The manifest with these segments of moved names and no others; what is written already keeps its place."""
    wanted = set(infos)
    kept = [one for one in manifest.segments if one.origin != NAMES_ORIGIN or one in wanted]
    return Manifest((*kept, *(one for one in infos if one not in kept)))


def _names_of(manifest: Manifest) -> list[str]:
    return sorted(one.name for one in manifest.segments if one.origin == NAMES_ORIGIN)


def _stamp(base: Manifest, content: Content, registry: Registry, old: Iterable[SegmentInfo]) -> list[str]:
    """What the outcome follows from: empty where nothing was loaded with another registry."""
    loaders = sorted({one.origin.partition("/")[0] for one in old})
    if not loaders:
        return []
    paths = [content.loaders / name / "mapping.yaml" for name in loaders]
    mappings = [sha256(path.read_bytes()).hexdigest() if path.is_file() else "none" for path in paths]
    # The mappings too: a rule that makes another thing of a name moves records although the registry is the
    # same.
    return [registry.digest, *mappings, *sorted(one.name for one in base.segments if one.origin != CONTENT_ORIGIN)]
