"""The one layout of YAML files, and the one place that writes YAML: what `kg content format` writes and `check` asks for.

A mapping or list that fits on its line is one line; else it has one key or item a line, and a text that is longer than a line
goes on in the next, indented. So a change of one field is a change of one line, and no line is longer than `WIDTH`. Comments on
lines of their own stay above what they are about.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

import yaml

from kg.content.located import Key, Located, events_of

WIDTH = 120
_ENDLESS = 10**9
# Meets `org/acme` and `Acme Inc`; not `Acme: Inc`, `8x`, or a text with a space at its end.
_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]*[A-Za-z0-9_/])*")
"""Texts that are plain in YAML in any surroundings, unless they are one of the words below."""
# Words that readers of YAML 1.1 take for truth values or for nothing.
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})

_NESTED = (dict, list, tuple, Mapping)

Comments = Mapping[Key, list[str]]
"""The comment lines above a key path, without indentation; an empty line is an empty text."""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    # The same list twice would otherwise be written once and named with `&id001`, which the reader
    # refuses.
    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True


def flow(value: object) -> str:
    """A value on one line.

    >>> flow({"id": "org/acme", "kind": "vendor", "label": "Acme", "aliases": ["Acme Inc", "yes"]})
    "{id: org/acme, kind: vendor, label: Acme, aliases: [Acme Inc, 'yes']}"
    """
    # most values are texts: asking whether one is a mapping takes longer than writing it
    if isinstance(value, str):
        return _text(value, True)
    if isinstance(value, (dict, Mapping)):
        return "{" + ", ".join(f"{flow(key)}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return _scalar(value, inside=True)


def layout(value: object, *, blocks: int = 1, comments: Comments | None = None) -> str:
    """The text of a file; `blocks` is how many outer levels are never put on one line.

    >>> print(layout({"id": "org/acme", "aliases": ["Acme", "Acme Inc"], "note": "made up"}), end="")
    id: org/acme
    aliases: [Acme, Acme Inc]
    note: made up
    """
    noted = _reached(comments or {}, value)
    holding = {key[:length] for key in noted for length in range(len(key))}
    lines = _Writer(noted, holding).lines(value, (), 0, blocks)
    behind = (line for comment in noted.get((END,), ()) for line in _wrapped(comment, 0))
    return "".join(f"{line}\n" for line in (*lines, *behind))


END = "\0end"
"""The key under which comments stand that nothing follows."""


def _reached(comments: Comments, value: object) -> Comments:
    """The comments, those of a key that the value lacks above what would hold it: no comment of a person is dropped."""
    found: dict[Key, list[str]] = {}
    for key, lines in comments.items():
        place = key
        while place and place != (END,) and not _has(value, place):
            place = place[:-1]
        found.setdefault(place or (END,), []).extend(lines)
    return found


def _has(value: object, key: Key) -> bool:
    for step in key:
        if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif (value := under(value, step)) is NOTHING:
            return False
    return True


NOTHING: Final = object()


def under(value: object, step: str | int) -> object:
    """What a mapping has under a step of a key path, in which every key is a text; NOTHING where it has none.

    >>> under({16: "a"}, "16"), under({"a": 1}, "b") is NOTHING
    ('a', True)
    """
    if not isinstance(value, Mapping):
        return NOTHING
    if step in value:
        return value[step]
    return next((inner for name, inner in value.items() if str(name) == step), NOTHING)


def comments_of(text: str, located: Located) -> dict[Key, list[str]]:
    """The comments and empty lines of a file, each run of them under the key path that comes next."""
    inside, ends = _read_marks(text)
    first = _shortest_keys(located)
    found: dict[Key, list[str]] = {}
    waiting: list[str] = []
    last: Key = ()
    for number, line in enumerate(text.splitlines(), 1):
        behind = _BEHIND.search(line, ends.get(number, len(line) if number in inside else 0))
        said = [behind.group().strip()] if behind else []
        if number not in inside and (not line.strip() or line.lstrip().startswith("#")):
            waiting.append(line.strip())
        elif number in first:
            last = first[number]
            if waiting or said:
                found[last] = [*waiting, *said]
            waiting = []
        elif said and last:  # behind the last line of a text, or a bracket
            found.setdefault(last, []).extend(said)
        else:
            waiting += said
    while waiting and not waiting[-1]:
        waiting.pop()
    if waiting:
        found[END,] = waiting
    return found


def _shortest_keys(located: Located) -> dict[int, Key]:
    """Of the key paths that begin on a line the shortest: it is the one that a comment above is about."""
    first: dict[int, Key] = {}
    for key, at in located.lines.items():
        if key and (at not in first or len(key) < len(first[at])):
            first[at] = key
    return first


_BEHIND = re.compile(r"\s#.*")


def _read_marks(text: str) -> tuple[set[int], dict[int, int]]:
    """The lines inside texts of several lines, where a # is no comment; and the column after the last value of each line."""
    inside: set[int] = set()
    ends: dict[int, int] = {}
    # Events, not lines: a `#` inside of a quoted text or of a block is no comment.
    for event in events_of(text):
        start, end = event.start_mark, event.end_mark
        ends[end.line + 1] = max(ends.get(end.line + 1, 0), end.column)
        if isinstance(event, yaml.ScalarEvent) and end.line > start.line:
            inside.update(range(start.line + 2, end.line + (end.column > 0) + 1))
            if event.style in ("'", '"'):
                ends[start.line + 1] = _ENDLESS
    return inside, ends


def _wrapped(comment: str, indent: int) -> Iterator[str]:
    """A comment as lines of at most `WIDTH`."""
    while len(comment) > WIDTH - indent and (at := comment.rfind(" ", 2, WIDTH - indent + 1)) > 0:
        yield " " * indent + comment[:at]
        comment = f"# {comment[at + 1 :]}"
    yield " " * indent + comment if comment else ""


class _Writer:
    def __init__(self, comments: Comments, holding: set[Key]) -> None:
        self._comments, self._holding = comments, holding

    def lines(self, value: object, key: Key, indent: int, blocks: int) -> Iterator[str]:
        """The lines of a mapping or list that is not put on one line; of anything else its only text."""
        if isinstance(value, str) or not isinstance(value, _NESTED) or not value:
            yield flow(value)
            return
        left = " " * indent
        named = isinstance(value, Mapping)
        for name, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            place = (*key, str(name) if named else name)
            for comment in self._comments.get(place, ()):
                yield from _wrapped(comment, indent)
            head = f"{left}{_scalar(name, inside=False)}:" if named else f"{left}-"
            yield from self._entry(head, inner, place, indent, blocks - 1, named=named)

    def _entry(self, head: str, value: object, key: Key, indent: int, blocks: int, *, named: bool) -> Iterator[str]:
        if isinstance(value, str) or not isinstance(value, _NESTED):
            yield from _long(head, value, indent + 2)
            return
        if not value or (blocks <= 0 and key not in self._holding):
            line = f"{head} {flow(value)}"
            if len(line) <= WIDTH or not value:
                yield line
                return
        if named:  # a list stands right under its key, a mapping is indented
            yield head
            yield from self.lines(value, key, indent + 2 * isinstance(value, Mapping), blocks)
            return
        inner = self.lines(value, key, indent + 2, blocks)  # a comment above its first line belongs to the item itself
        yield f"{head}{next(inner)[len(head) :]}"
        yield from inner


def _long(head: str, value: object, indent: int) -> Iterator[str]:
    """A key with its text, on as many lines as it takes."""
    line = f"{head} {_scalar(value, inside=False)}"
    quoted = line[len(head) + 1 :].startswith('"')
    start = len(head) + 1
    while len(line) > WIDTH:
        at = _break(line, start, quoted=quoted)
        if at is None:
            break
        yield line[:at]
        line = " " * indent + line[at + 1 :]
        start = indent
    yield line


def _break(line: str, start: int, *, quoted: bool) -> int | None:
    """The last single space at which a text may go on in the next line: the first one past the end when none is before it."""
    spaces = [
        at
        for at in range(start + 2, len(line) - 1)
        if line[at] == " "
        and line[at - 1] not in " \\"
        and line[at + 1] != " "
        and not (quoted and line[at - 1] == '"')
    ]
    within = [at for at in spaces if at <= WIDTH]
    return within[-1] if within else next(iter(spaces), None)


@lru_cache(maxsize=1 << 16)
def _text(text: str, inside: bool) -> str:
    if _SAFE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    # On one line only double quotes can hold a line end.
    style = '"' if "\n" in text else None
    written: str = yaml.dump(
        [text] if inside else text,
        Dumper=_Dumper,
        default_flow_style=True,
        default_style=style,
        width=_ENDLESS,
        allow_unicode=True,
    )
    # PyYAML ends a document of one plain scalar with `...`.
    written = written.removesuffix("\n").removesuffix("\n...")
    return written[1:-1] if inside else written


def _scalar(value: object, *, inside: bool) -> str:
    """A scalar on one line; `inside` a mapping or list in braces more texts need quotes."""
    if isinstance(value, str):
        return _text(value, inside)
    if type(value) is int:
        return str(value)
    written: str = yaml.dump(value, Dumper=_Dumper, width=_ENDLESS)
    return written.removesuffix("\n").removesuffix("\n...")
