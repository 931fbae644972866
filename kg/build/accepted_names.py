"""The names that were accepted, one a line of JSON next to the entity files: only those can be taken back.

A line is written before what it stands for and goes after it, so that whatever was cut off between can be done again, either
way; and a line that nothing stands for yet, or any more, says nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from json import dumps, loads
from pathlib import Path
from typing import Final

from kg.build.alone import alone_in_own
from kg.content.folders import find_content
from kg.content.registry_files import ensure_writable
from kg.errors import ContentError
from kg.ledger import durable
from kg.model.json_types import JsonMapping
from kg.model.names import name_key

JOURNAL: Final = "accepted.jsonl"


def read_accepted(folder: Path) -> list[JsonMapping]:
    """The names that were accepted; raises ContentError where a line is none, as after a merge that was left open."""
    path = folder / JOURNAL
    lines: list[JsonMapping] = []
    for number, line in enumerate(path.read_bytes().splitlines() if path.is_file() else (), 1):
        try:
            one = loads(line)
            texts = [*(one[name] for name in ("name", "id", "kind")), *one.get("segments", ())]
            if not all(isinstance(text, str) for text in texts):
                raise TypeError(one)
            lines.append({**one, "made": bool(one["made"])})
        except (ValueError, KeyError, TypeError, RecursionError) as cause:
            raise ContentError(
                path=str(path),
                line=number,
                given=line[:40].decode("utf-8", "backslashreplace"),
                expected="a name that was accepted, as one line of JSON",
                next_step="take the line out, or get the file back from version control",
            ) from cause
    return lines


def write_accepted(folder: Path, lines: Sequence[Mapping[str, object]]) -> None:
    """Write the names; without any there is no file."""
    if lines:
        text = "".join(f"{dumps(one, ensure_ascii=False, sort_keys=True)}\n" for one in lines)
        durable.write_whole(folder / JOURNAL, [text.encode()])
    else:
        (folder / JOURNAL).unlink(missing_ok=True)


def last_of(lines: Sequence[JsonMapping], name: str) -> int | None:
    """Where a name, in any spelling, was accepted last."""
    key = name_key(name)
    return max((at for at, one in enumerate(lines) if name_key(one["name"]) == key), default=None)


def segments_of(line: JsonMapping) -> tuple[str, ...]:
    """The segments of rows that were read again for a name."""
    return tuple(line.get("segments", ()))


def without(lines: Sequence[JsonMapping], at: int | None) -> list[JsonMapping]:
    """The lines but for one."""
    return [one for number, one in enumerate(lines) if number != at]


def note_segments(name: str, segments: Sequence[str], *, content: str | None) -> None:
    """Remember with an accepted name what rows gave that are read again for it, so that both are taken back together.

    It is noted before the segments count: one that is not listed is no harm, one that nobody knows of would stay.
    """
    with _line_of(name, content) as (folder, lines, at):
        if at is not None and segments:
            lines[at] = {**lines[at], "segments": sorted({*segments_of(lines[at]), *segments})}
            write_accepted(folder, lines)


def forget_name(name: str, *, content: str | None) -> None:
    """Take out the line of a name of which nothing is left, its rows included."""
    with _line_of(name, content) as (folder, lines, at):
        if at is not None:
            write_accepted(folder, without(lines, at))


@contextmanager
def _line_of(name: str, content: str | None) -> Iterator[tuple[Path, list[JsonMapping], int | None]]:
    """The folder with the accepted names, those in it, and where a name is among them, while nobody else writes there."""
    root = find_content(Path(content) if content else None)
    folder = ensure_writable(root)
    with alone_in_own(root):
        lines = read_accepted(folder)
        yield folder, lines, last_of(lines, name)
