"""The mark of a store: the file by which a folder is known as one that this program made, and the files it wrote there.

Whoever writes marks the folder first; only a folder with the mark is emptied, and of it only what bears a name that is
written here. A folder that holds files of others under the names of a store is not taken.
"""

import os
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from kg.__about__ import __version__
from kg.errors import StoreError
from kg.ledger import durable
from kg.model.special_file import is_too_large, open_packed
from kg.model.state_file import StateDamaged, read_state, refuse_newer

MARK: Final = "store.json"
LOCK: Final = "writer.lock"
REMEMBERED: Final = "content.json"
"""Names the content that the store was built from, where that is not the shipped one."""
_SEGMENT: Final = r"[0-9a-f]{24}\.jsonl\.gz"
_PENDING: Final = r"\.pending[-.].*\.tmp"
_VIEWS: Final = ("rdf", "graph")
_FILES: Final = {
    "": r"store\.json|content\.json|lexicon\.json|documents\.json|writer\.owner",
    "ledger": r"manifest\.json|names\.json|index\.sqlite|index\.sqlite-journal",
    "ledger/segments": rf"{_SEGMENT}(\.damaged)?|{_PENDING}",
    "ledger/derived": r"[0-9a-f]{16}-[0-9]+\.jsonl\.gz",
    "rdf": "current",
    "graph": "current",
    "tables": r"[0-9a-f]{16}-[0-9]+-[0-9a-f]{1,8}\.duckdb",
}
"""What a store writes, by folder; what is in a generation is known to its engine."""
_WITHOUT_LOCK: Final = "tables"
"""The folder into which readers write, who hold no lock: whoever holds it cannot know that their writers are gone."""
_AT_WORK_SECONDS: Final = 3600
"""How long after its last change the unfinished file of a reader may still be written."""


class StoreForeign(StoreError):
    """A folder is not a store, or holds files that no store wrote."""

    code = "store.foreign"


@dataclass(frozen=True, slots=True)
class _Mark:
    store: Literal["accelkg"]
    version: str


def is_marked(folder: Path) -> bool:
    """Whether a folder carries the mark of a store."""
    return _mark_of(folder) is not None


def refuse_newer_store(folder: Path) -> None:
    """Refuse a store that a newer version wrote to, by its mark, the stamp of its view or the list of its segments."""
    # only who writes asks: with it come the models of all records, which a command that reads does without
    from kg.ledger.ledger import Ledger, ManifestDamaged

    known = _mark_of(folder)
    if known is not None:
        refuse_newer(folder, known.version)
    stamp = _json(folder / "rdf" / "current")
    version, rules = stamp.get("version"), stamp.get("rules")
    if isinstance(version, str):
        refuse_newer(folder, version, rules if isinstance(rules, int) else 0)
    with suppress(OSError, StateDamaged, ManifestDamaged):
        Ledger(folder / "ledger").manifest()


def _mark_of(folder: Path) -> _Mark | None:
    try:
        return read_state(folder / MARK, _Mark)
    except (OSError, StateDamaged):
        return None


def mark(folder: Path) -> None:
    """Mark a folder as a store before anything is written there; refused where others' files bear the names of a store."""
    refuse_newer_store(folder)
    # Written again by each version: by it an older program knows that a newer one has written here.
    known = _mark_of(folder)
    if known is not None and known.version == __version__:
        return
    if known is None and not _was_written_by_a_store(folder):
        _refuse_place_of_others(folder)
        taken = [name for name in ("ledger", *_VIEWS) if _holds_something(folder / name)]
        if taken:
            raise StoreForeign(
                path=str(folder),
                given=f"{taken[0]} with files that no store wrote",
                expected="a new folder, or a store",
                next_step="name another folder with --store",
            )
    text = orjson.dumps({"store": "accelkg", "version": __version__}, option=orjson.OPT_INDENT_2)
    try:
        durable.write_whole(folder / MARK, [text])
    except FileNotFoundError:
        # a mark is written before the lock is held: who holds it may take the unfinished file for one that a killed writer
        # left, and has marked the store itself
        if _mark_of(folder) is None:
            raise


_OF_THE_SYSTEM: Final = frozenset(
    """
    / /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /sys /tmp /usr /var /usr/bin /usr/lib /usr/local /usr/sbin
    /usr/share /var/lib /var/log /var/tmp /Applications /Library /System /Users /private /private/etc /private/tmp /private/var
    """.split()  # noqa: SIM905
)
"""Folders that every system has, for all programs and users; whoever names one as a store forgot the rest of the path."""


def _refuse_place_of_others(folder: Path) -> None:
    place = folder.resolve()
    home = Path(os.path.expanduser("~")).resolve()  # noqa: PTH111 - Path raises where a user has no home
    if str(place) in _OF_THE_SYSTEM or place in (Path(place.anchor), home):
        raise StoreForeign(
            path=str(folder),
            given="the home folder" if place == home else "a folder of the system",
            expected="a folder for the store alone",
            next_step=f"name {folder / 'accelkg'}" if place == home else "name another folder with --store or KG_STORE",
        )


def check_marked(folder: Path) -> None:
    """Refuse a folder without the mark."""
    if not is_marked(folder):
        raise StoreForeign(
            path=str(folder),
            given="no mark of a store there",
            expected=f"a folder with the {MARK} of accelkg",
            next_step="check --store; a store of an older version is marked by kg build",
        )


def own_files(folder: Path) -> Iterator[Path]:
    """The files that a store wrote into its folder, but for its generations and the lock."""
    for name, pattern in _FILES.items():
        yield from _matching(folder / name, re.compile(rf"{pattern}|{_beside(pattern)}"))


def leftovers(folder: Path) -> Iterator[Path]:
    """What killed writers left next to their files; one that has a second name is somebody else's too."""
    for name, pattern in _FILES.items():
        wanted = rf"{_beside(pattern)}|{_PENDING}" if name == "ledger/segments" else _beside(pattern)
        for path in filter(_has_one_name, _matching(folder / name, re.compile(wanted))):
            if name != _WITHOUT_LOCK or _is_idle(path):
                yield path


def _is_idle(path: Path) -> bool:
    """Whether a file was not written for so long that its writer is gone."""
    with suppress(FileNotFoundError):  # its writer is through
        return time.time() - path.stat().st_mtime > _AT_WORK_SECONDS
    return False


def _has_one_name(path: Path) -> bool:
    with suppress(FileNotFoundError):  # its writer is through
        return path.stat().st_nlink == 1
    return False


def own_folders(folder: Path) -> Iterator[Path]:
    """The folders that a store made, the innermost first."""
    for name in sorted(filter(None, _FILES), reverse=True):
        if (folder / name).is_dir() and not (folder / name).is_symlink():
            yield folder / name


def _beside(pattern: str) -> str:
    """The names of `durable.hidden_beside`, and the numbers of processes that versions before had there; the engine of the
    tables keeps its log next to its file."""
    return rf"\.(?:{pattern})\.(?:[0-9a-f]{{12}}|[0-9]+)\.tmp(?:\.wal)?"


def _matching(folder: Path, pattern: re.Pattern[str]) -> Iterator[Path]:
    """The regular files of a folder, itself no link, whose whole name matches."""
    if folder.is_dir() and not folder.is_symlink():
        for path in sorted(folder.iterdir()):
            if pattern.fullmatch(path.name) and path.is_file() and not path.is_symlink():
                yield path


def _holds_something(path: Path) -> bool:
    return path.is_symlink() or path.is_file() or any(one.is_file() or one.is_symlink() for one in path.rglob("*"))


def _was_written_by_a_store(folder: Path) -> bool:
    """Whether a store of a version without marks lies there: something of it that reads as what it is."""
    manifest, pointer = _json(folder / "ledger" / "manifest.json"), _json(folder / "rdf" / "current")
    if "manifest" in manifest and isinstance(manifest.get("segments"), list):
        return True
    if isinstance(pointer.get("generation"), str) and "fingerprint" in pointer:
        return True
    return any(_is_segment(path) for path in _matching(folder / "ledger" / "segments", re.compile(_SEGMENT)))


def _json(path: Path) -> dict[str, Any]:
    try:
        found = orjson.loads(path.read_bytes()) if path.is_file() and not is_too_large(path) else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_segment(path: Path) -> bool:
    try:
        with open_packed(path) as file:
            return next(file).startswith(b'{"record":"segment"')
    except (OSError, EOFError, zlib.error, StopIteration):
        return False
