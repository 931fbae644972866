"""Segments: immutable gzip JSON Lines files of records, with a header line that says what they are.

A file is a row of gzip members of whole lines, which every reader of gzip takes for one text (RFC 1952, 2.2): behind a
damaged member the next one is read again, where a single one would be lost from the damage to its end.

The first line is `{"record": "segment", "schema": …, "origin": …, "edition": …, "scope": "full" | "partial", …}`; every
further line is one record in recorded form with its revision. A segment's name carries the digest of its text.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson

from kg.errors import LedgerError
from kg.ledger import durable, upgrade
from kg.model.ledger_records import LedgerRecord
from kg.model.record import SCHEMA
from kg.model.recorded import ThingRecord
from kg.model.special_file import open_packed

if TYPE_CHECKING:
    from hashlib import _Hash

_CHUNK = 1 << 20
# Bytes of text in a member, some ninety claims: 3 % larger than one member for all, where 16 KiB were 25 %.
_MEMBER: Final = 1 << 17
_MENDED = "restore the file from a copy, or run kg build: it keeps what can be read and names the rest"


class SegmentDamaged(LedgerError):
    """A segment does not have the content its name and header promise."""

    code = "ledger.damaged"


@dataclass(frozen=True, slots=True)
class SegmentInfo:
    """What the manifest knows about a segment."""

    name: str
    sha256: str
    origin: str
    edition: str
    scope: Literal["full", "partial"]
    schema: int
    registry: str
    records: int

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "SegmentInfo":
        """Read the manifest's form."""
        return cls(**value)

    def to_json(self) -> dict[str, Any]:
        """The manifest's form."""
        return asdict(self)


def revision_of(record: Mapping[str, object]) -> str:
    """Sixteen hex digits of the hash of the recorded fields.

    >>> revision_of({"record": "entity", "id": "org/x", "kind": "vendor", "label": "X"})
    '18e1195aad20f205'
    """
    # `supersedes` follows from what else a ledger holds: hashed, one record would have another revision in each
    # store.
    recorded = {key: value for key, value in record.items() if key not in ("revision", "supersedes")}
    # The number is the version of the text form that is hashed; keys are sorted, since their order in a file
    # means nothing.
    return sha256(b"accelkg-1\n" + orjson.dumps(recorded, option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


def write_segment(
    folder: Path,
    records: Iterable[Mapping[str, object]],
    *,
    origin: str,
    edition: str,
    scope: Literal["full", "partial"],
    registry: str,
) -> SegmentInfo:
    """Write a segment durably and return its description; not visible until a manifest names it."""
    header = {
        "record": "segment",
        "schema": SCHEMA,
        "origin": origin,
        "edition": edition,
        "scope": scope,
        "registry": registry,
    }
    digest, count = sha256(), 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        yield orjson.dumps(header) + b"\n"
        for record in records:
            count += 1
            yield orjson.dumps(record, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)

    # The name is the digest, which is known when everything is written.
    pending = durable.hidden_beside(folder / "pending")
    durable.write_whole(pending, _compressed(lines(), digest))
    name = f"{digest.hexdigest()[:24]}.jsonl.gz"
    pending.replace(folder / name)
    durable.boundary("segment:named")
    durable.sync_folder(folder)
    return SegmentInfo(name, digest.hexdigest(), origin, edition, scope, SCHEMA, registry, count)


def _compressed(lines: Iterable[bytes], digest: "_Hash") -> Iterator[bytes]:
    """The gzip form of lines; `digest` is updated with their text."""
    for text in _members(lines):
        # of the text: packed again by another zlib it is still the segment of this name
        digest.update(text)
        # 31 is the window of zlib with the header of gzip, so that `zcat` reads a segment
        yield zlib.compress(text, 1, 31)


def _said(cause: Exception) -> str:
    """What was wrong, without the number of the system and the path, which the error names."""
    return (cause.strerror if isinstance(cause, OSError) else None) or str(cause) or "nothing in it"


def _members(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines joined to what one member holds."""
    buffer: list[bytes] = []
    size = 0
    for line in lines:
        buffer.append(line)
        size += len(line)
        if size > _MEMBER:
            yield b"".join(buffer)
            buffer, size = [], 0
    yield b"".join(buffer)


def read_segment(folder: Path, info: SegmentInfo) -> Iterator[LedgerRecord]:
    """The records of a segment, upgraded to the present schema; the digest is checked at the end."""
    path = folder / info.name
    # From -1, since the header is a line and no record.
    digest, count, schema = sha256(), -1, info.schema
    try:
        with open_packed(path) as file:
            for line in file:
                digest.update(line)
                count += 1
                record = orjson.loads(line)
                if count == 0:
                    schema = _check_header(path, record, info)
                else:
                    _check_form(record)
                    yield record if schema == SCHEMA else upgrade.upgraded(record, schema)
    # Records were given before an error is raised: who writes them on must not make the result live until this
    # has ended.
    except (OSError, EOFError, zlib.error, ValueError) as cause:
        raise _unread(path, info, cause, line=count + 2) from cause
    _check_whole(path, info, count, digest.hexdigest())


def _unread(path: Path, info: SegmentInfo, cause: Exception, *, line: int | None = None) -> SegmentDamaged:
    """What to say of a segment that is not there, or cannot be read."""
    is_missing = isinstance(cause, FileNotFoundError)
    return SegmentDamaged(
        path=str(path),
        line=None if is_missing else line,
        given="the file is missing" if is_missing else _said(cause),
        expected=f"{info.records} records of {info.origin}, as gzip JSON Lines",
        next_step=_MENDED,
    )


def _check_whole(path: Path, info: SegmentInfo, records: int, digest: str) -> None:
    """Raise SegmentDamaged where a segment that was read to its end is not what was written."""
    if digest != info.sha256 or records != info.records:
        raise SegmentDamaged(
            path=str(path),
            given="nothing in it" if records < 0 else f"{records} records, digest {digest[:12]}",
            expected=f"{info.records} records of {info.origin}, digest {info.sha256[:12]}",
            next_step=_MENDED,
        )


def check_digest(folder: Path, info: SegmentInfo) -> None:
    """Read a segment to its end without looking into it; raises SegmentDamaged where it is not what was written."""
    path = folder / info.name
    digest, lines = sha256(), 0
    try:
        with open_packed(path) as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
                lines += piece.count(b"\n")
    except (OSError, EOFError, zlib.error) as cause:
        raise _unread(path, info, cause) from cause
    _check_whole(path, info, lines - 1, digest.hexdigest())


def read_things(folder: Path, info: SegmentInfo) -> Iterator[ThingRecord]:
    """The entities and sources of a segment; the lines of claims are not read as JSON, and no digest is checked."""
    path = folder / info.name
    try:
        with open_packed(path) as file:
            schema = _check_header(path, orjson.loads(next(file)), info)
            for line in file:
                if _IS_CLAIM not in line:
                    record = orjson.loads(line)
                    _check_form(record)
                    record = record if schema == SCHEMA else upgrade.upgraded(record, schema)
                    if record["record"] not in ("claim", "rejected"):
                        yield record
    except (OSError, EOFError, zlib.error, ValueError, StopIteration) as cause:
        raise _unread(path, info, cause) from cause


_IS_CLAIM = b'"record":"claim"'
"""Appears in the line of every claim, and nowhere else: in a text its quotation marks would be escaped."""


def _check_form(record: object) -> None:
    """Raise ValueError for a line that is no record: its digest is known at the end of the file, and it is sorted before."""
    if not isinstance(record, dict) or not all(isinstance(record.get(name), str) for name in _NAMED):
        raise ValueError("a line that is no record")


_NAMED: Final = ("record", "id", "revision")


def _check_header(path: Path, header: object, info: SegmentInfo) -> int:
    # The origin too: of two segments that were swapped the first line tells, before a record of the other one
    # is given.
    if not isinstance(header, dict) or header.get("record") != "segment" or header.get("origin") != info.origin:
        raise SegmentDamaged(path=str(path), line=1, given=str(header)[:80], expected=f"the header of {info.origin}")
    schema = header.get("schema")
    if not isinstance(schema, int) or schema < 1:
        raise SegmentDamaged(
            path=str(path), line=1, field="schema", given=str(schema), expected=f"a schema number, at most {SCHEMA}"
        )
    if schema > SCHEMA:
        raise SegmentDamaged(
            path=str(path),
            line=1,
            field="schema",
            given=str(schema),
            expected=f"at most {SCHEMA}",
            next_step="install a newer accelkg",
        )
    return schema
