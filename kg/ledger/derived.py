"""The derived set on disk: what was concluded from one state of the ledger, stamped with it; rebuilt at will.

A set is a file of its own, or holds the difference from the set of an earlier state, its base: the lines that are gone and
those that are new. A base is kept as long as a set that is built on it. Written by builds and loads, read by the views.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Final, cast, get_args

import msgspec
import orjson

from kg.errors import LedgerError
from kg.ledger import durable
from kg.model.derived_records import DerivedRecord
from kg.model.json_types import Json
from kg.model.special_file import open_packed
from kg.model.view_stamp import ViewStamp

_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE
_CHUNK = 1 << 18
_NAME = re.compile(r"[0-9a-f]{16}-[0-9]+\.jsonl\.gz")
_LONGEST = 16
"""The longest chain of sets of which each is built on the next."""


def write_lines(folder: Path, stamp: ViewStamp, lines: Iterable[bytes], *, keep: str | None = None) -> Path:
    """Write the derived set of one stamp from lines that are ready; several may come in one piece."""
    path = _path(folder, stamp["head"], stamp["rules"])
    durable.write_whole(path, _compressed([orjson.dumps({"record": "derived", **stamp}, option=_SORTED)], lines))
    _drop(folder, {path.name}, keep)
    return path


def write_difference(
    folder: Path, stamp: ViewStamp, base: str, gone: Iterable[bytes], new: Iterable[bytes], *, keep: str | None
) -> Path:
    """Write the derived set of one stamp as what differs from that of the head `base`."""
    path = _path(folder, stamp["head"], stamp["rules"])
    header: Json = {"record": "derived", **stamp, "base": base, "gone": sorted(_mark(line) for line in gone)}
    durable.write_whole(path, _compressed([orjson.dumps(header, option=_SORTED)], new))
    _drop(folder, {path.name}, keep)
    return path


def read_derived(folder: Path, head: str, rules: int) -> Iterator[DerivedRecord]:
    """The records of the derived set of a state; nothing when it was not computed. Raises DerivedDamaged for another form."""
    path = _path(folder, head, rules)
    for line in derived_set(folder, head, rules):
        yield _sound(line, path)


def read_concluded(folder: Path, head: str, rules: int) -> Iterator[DerivedRecord]:
    """The same of a state that has a view: its set was written before the view, so that a missing one raises DerivedDamaged."""
    path = _path(folder, head, rules)
    if not path.exists():
        raise _damaged(path, "missing")
    return read_derived(folder, head, rules)


def _sound(line: bytes, path: Path) -> DerivedRecord:
    """The record of a line, held against its declaration: a set that was changed and packed again is sound to gzip."""
    try:  # not `_readable`: entering it for each of thousands of lines takes as long as reading them
        record = orjson.loads(line)
        if (
            not isinstance(record, dict)
            or str(record.get("record")) not in _FORMS
            or not ("id" in record or "claim" in record)
        ):
            raise ValueError("a line that is no derived record")
        msgspec.convert(record, _FORMS[record["record"]])
    except (ValueError, msgspec.ValidationError) as cause:
        raise _damaged(path, str(cause)) from cause
    return cast(DerivedRecord, record)


_FORMS: Final = {get_args(get_args(one.__annotations__["record"])[0])[0]: one for one in get_args(DerivedRecord)}


def derived_set(folder: Path, head: str, rules: int) -> Iterator[bytes]:
    """The lines of the derived set of a state: first those of its newest file, then what is left of each base."""
    # Counted, not only noted: two equal lines may be there (a step for a source that a claim repeats and is
    # computed from), and one of them be gone.
    chain, gone = derived_files(folder, head, rules), Counter[str]()
    newest = _path(folder, head, rules)
    if not chain and newest.exists():  # it was computed, and answering without it would leave out what it says
        raise _damaged(newest, "a set, or one that it is built on, cannot be read")
    # what a set says is gone is a line of an earlier one, so the newest is read first
    for path in chain:
        with _readable(path), open_packed(path) as file:
            header = orjson.loads(next(file))
            for line in file:
                # A line is hashed only once some newer set said that lines are gone.
                if gone:
                    name = _mark(line)
                    if gone.get(name, 0) > 0:
                        gone[name] -= 1
                        continue
                yield line
        gone.update(header.get("gone", ()))


def derived_files(folder: Path, head: str, rules: int) -> list[Path]:
    """The files that make the derived set of a state, the newest first; none when one of them is missing."""
    chain = [_path(folder, head, rules)]
    while (header := _header(chain[-1])) is not None:
        if "base" not in header:
            return chain
        chain.append(_path(folder, header["base"], rules))
        if len(chain) > _LONGEST + 2:  # so long none is ever made: they lead in a circle
            break
    return []


def shall_be_whole(folder: Path, before: ViewStamp) -> bool:
    """Whether the next set is to be written whole: the chain of bases is too long, or its differences are too large."""
    chain = derived_files(folder, before["head"], before["rules"])
    if not chain:
        return True
    *differences, whole = chain
    size = sum(path.stat().st_size for path in differences)
    # So reading a set never costs more than one and a half times reading it whole.
    return len(differences) >= _LONGEST or size * 2 > whole.stat().st_size


def _path(folder: Path, head: str, rules: int) -> Path:
    # The rules are part of the name: one ledger judged by other rules is another set.
    return folder / f"{head[:16]}-{rules}.jsonl.gz"


def _header(path: Path) -> Json | None:
    """The first line of a set; none where the file is missing or cannot be read."""
    if not path.is_file():
        return None
    try:
        with open_packed(path) as file:
            found = orjson.loads(next(file))
    except (OSError, EOFError, zlib.error, ValueError, StopIteration):
        return None
    if (
        not isinstance(found, dict)
        or not isinstance(found.get("base", ""), str)
        or not isinstance(found.get("rules"), int)
        or path != _path(path.parent, str(found.get("head")), found["rules"])  # that of another state, put in its place
    ):
        return None
    gone = found.get("gone", [])
    return found if isinstance(gone, list) and all(isinstance(one, str) for one in gone) else None


class DerivedDamaged(LedgerError):
    """A derived set cannot be read; it is made again from the ledger."""

    code = "ledger.derived"


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, ValueError, msgspec.ValidationError) as cause:
        raise _damaged(path, str(cause)) from cause


def _damaged(path: Path, given: str) -> DerivedDamaged:
    return DerivedDamaged(
        path=str(path), given=given, expected="gzip JSON Lines", next_step="run kg build: it is made again"
    )


def _mark(line: bytes) -> str:
    return blake2b(line.rstrip(b"\n"), digest_size=12).hexdigest()


def _compressed(*parts: Iterable[bytes]) -> Iterator[bytes]:
    # 31: with the header of gzip, as segments have it.
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    buffer: list[bytes] = []
    size = 0
    for part in parts:
        for piece in part:
            buffer.append(piece)
            size += len(piece)
            if size > _CHUNK:
                yield packer.compress(b"".join(buffer))
                buffer, size = [], 0
    yield packer.compress(b"".join(buffer)) + packer.flush()


def _sets(folder: Path) -> list[Path]:
    """The files of a folder that bear the name of a set; others are not ours."""
    return [one for one in folder.glob("*.jsonl.gz") if _NAME.fullmatch(one.name)]


def _drop(folder: Path, wanted: set[str], keep: str | None) -> None:
    """Delete the sets that neither the wanted one nor the one to keep is, or is built on."""
    for old in _sets(folder):
        if keep is not None and old.name.startswith(f"{keep[:16]}-"):
            # Readers that opened the view before the switch still look findings up in its set.
            wanted.add(old.name)
    todo = list(wanted)
    while todo:
        name = todo.pop()
        header = _header(folder / name)
        if header is not None and "base" in header:
            below = f"{header['base'][:16]}-{header['rules']}.jsonl.gz"
            if below not in wanted:
                wanted.add(below)
                todo.append(below)
    for old in _sets(folder):
        if old.name not in wanted:
            old.unlink(missing_ok=True)
