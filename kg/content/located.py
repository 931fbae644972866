"""YAML with line numbers: plain values, and the line of every key, for errors that say where.

The one reader of YAML in the package. It builds the values from the events of the parser in one pass: no recursion that deep
text could exhaust, no aliases that small text could explode with, and half the time of building nodes first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kg.errors import ContentError, Mistakes

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # a PyYAML without its C parser
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

_LIMIT = 8 << 20
_DEPTH = 64
_MOST_VALUES = 400_000
"""Values and keys of one file: some seconds of reading, some hundred megabytes."""
_STR = "tag:yaml.org,2002:str"


class YamlError(ContentError):
    """A YAML file cannot be read."""

    code = "content.yaml"


Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Located:
    """A parsed text: its value and the line of each key path."""

    path: Path
    value: Any
    lines: dict[Key, int]

    def line(self, *key: str | int) -> int:
        """The line of a key, or of the nearest thing that holds it."""
        while key and key not in self.lines:
            key = key[:-1]
        return self.lines.get(key, 1)


def read_located(path: Path, *, shown: str | None = None) -> Located:
    """Read one YAML file; aliases, repeated keys and bottomless nesting are refused. `shown` is its name in errors."""
    name = shown or str(path)
    data = path.read_bytes()
    if len(data) > _LIMIT:
        raise YamlError(path=name, given=f"{len(data)} bytes", expected=f"at most {_LIMIT} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as cause:
        line = data[: cause.start].count(b"\n") + 1
        raise YamlError(path=name, line=line, given=f"byte {data[cause.start]:#04x}", expected="UTF-8 text") from cause
    if not text.strip():
        raise YamlError(path=name, line=1, given="an empty file", expected="YAML content")
    located = located_text(text, path, shown=name)
    if not located.lines:
        raise YamlError(path=name, line=1, given="nothing but comments", expected="YAML content")
    return located


def located_text(text: str, path: Path, *, shown: str) -> Located:
    """Read YAML out of a text, such as the header of a question; without lines when it holds nothing but comments."""
    try:
        builder = _Builder(_Loader(text))
        return Located(path, builder.document(), builder.lines)
    except YamlError as error:
        raise error.at(path=shown) from None
    except Mistakes as several:
        for one in several.errors:
            one.at(path=shown)
        raise
    except yaml.YAMLError as cause:
        mark = getattr(cause, "problem_mark", None)
        line = mark.line + 1 if mark else text.count("\n", 0, getattr(cause, "position", 0)) + 1
        given = str(getattr(cause, "problem", None) or cause).splitlines()[0]
        raise YamlError(path=shown, line=line, given=given, expected="YAML") from cause


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not been read yet."""

    key: Key
    value: Any
    name: Any = None
    called: str | None = None
    """The key of a mapping whose value comes next, as text."""


def events_of(source: Any) -> Iterator[Any]:
    """The events of the parser for a text, or for a loader that is read further on; the end of the stream is not among them."""
    loader = _Loader(source) if isinstance(source, str) else source
    while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
        yield event


class _Builder:
    """Values and lines from the events of one document."""

    def __init__(self, loader: Any) -> None:
        self.lines: dict[Key, int] = {}
        self._loader = loader
        self._plain: dict[str, Any] = {}
        self._repeated: list[tuple[Key, int]] = []
        self._root: Any = None

    def document(self) -> Any:
        """The value of the only document; None without one."""
        try:
            events = events_of(self._loader)
            if not any(isinstance(event, yaml.DocumentStartEvent) for event in events):
                return None
            self._read(events)
            for event in events:  # a stream may hold more documents
                raise YamlError(line=event.start_mark.line + 1, given="another document", expected="one a file")
        finally:
            self._loader.dispose()
        Mistakes.raise_any(
            [
                YamlError(line=line, field=".".join(map(str, key)), given="the key twice", expected="each key once")
                for key, line in self._repeated
            ]
        )
        return self._root

    def _read(self, events: Iterator[Any]) -> None:
        opened: list[_Open] = []
        # Counted by events, each of which is a value, a key or an end: small text cannot become
        # large.
        for count, event in enumerate(events):
            if count == _MOST_VALUES:
                raise YamlError(
                    line=event.start_mark.line + 1,
                    given=f"more than {_MOST_VALUES:,} values",
                    expected="a file to be read by people",
                    next_step="give a large table as CSV or JSON Lines",
                )
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(opened, event)
            elif kind in (yaml.MappingStartEvent, yaml.SequenceStartEvent):
                opened.append(self._start(opened, event, {} if kind is yaml.MappingStartEvent else []))
            elif kind in (yaml.MappingEndEvent, yaml.SequenceEndEvent):
                opened.pop()
            elif kind is yaml.AliasEvent:
                raise YamlError(line=event.start_mark.line + 1, given="an alias (*name)", expected="plain values")
            else:  # the end of the document
                return

    def _start(self, opened: list[_Open], event: Any, value: Any) -> _Open:
        line = event.start_mark.line + 1
        if len(opened) == _DEPTH:
            raise YamlError(line=line, given="lists or mappings in one another", expected=f"at most {_DEPTH} of them")
        # A tag may ask for another type or, in other readers, for a Python object.
        if event.tag not in (None, "!"):
            raise YamlError(line=line, given=f"the tag {event.tag}", expected="plain values")
        if opened and opened[-1].called is None and isinstance(opened[-1].value, dict):
            raise YamlError(line=line, given="a list or mapping as a key", expected="a word as a key")
        return _Open(self._put(opened, value, line), value)

    def _scalar(self, opened: list[_Open], event: Any) -> None:
        line = event.start_mark.line + 1
        top = opened[-1] if opened else None
        value = self._resolved(event, line)
        if top is None or top.called is not None or isinstance(top.value, list):
            self._put(opened, value, line)
            return
        # As the value is called and not as it is written: `0x10` and `16` are one key, and a comment
        # finds the key of the value again.
        name = value if isinstance(value, str) else str(value)
        place = (*top.key, name)
        if place in self.lines:
            self._repeated.append((place, line))
        self.lines[place] = line
        top.name, top.called = value, name

    def _put(self, opened: list[_Open], value: Any, line: int) -> Key:
        """Lay a value where it belongs; its key path."""
        if not opened:
            self._root = value
            self.lines[()] = line
            return ()
        top = opened[-1]
        if top.called is None:
            place: Key = (*top.key, len(top.value))
            top.value.append(value)
            self.lines[place] = line
        else:
            place = (*top.key, top.called)
            top.value[top.name] = value
            top.called = None
        return place

    def _resolved(self, event: Any, line: int) -> Any:
        """The value of a scalar: text in quotes, else what YAML reads in it."""
        text: str = event.value
        plain, quoted = event.implicit
        if not plain and quoted:
            return text
        # Most scalars repeat (keys, units, verdicts): each plain text is resolved once a file.
        if plain and text in self._plain:
            return self._plain[text]
        tag = self._loader.resolve(yaml.ScalarNode, text, (True, False)) if plain else event.tag
        if tag in (_STR, "!"):
            return self._plain.setdefault(text, text) if plain else text
        if not plain:  # what a tag asks for need not be what the text is: !!bool maybe
            raise YamlError(line=line, given=f"the tag {tag}", expected="plain values")
        try:
            value = self._loader.construct_object(yaml.ScalarNode(tag, text, event.start_mark, event.end_mark))
            if isinstance(value, int):
                str(value)  # Python reads any number of digits in base 16 or 60 but limits those it prints
        except ValueError as cause:  # a whole number of thousands of digits, a thirteenth month
            raise YamlError(
                line=line, given=str(cause), expected="numbers and dates that can be read, or text in quotes"
            ) from cause
        if plain:
            self._plain[text] = value
        return value
