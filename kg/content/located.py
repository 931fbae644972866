"""YAML with line numbers: plain values, and the line of every key, for errors that say where."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kg.errors import ContentError, Mistakes

try:
    from yaml import CSafeLoader as _Loader
except ImportError:  # a PyYAML without its C parser
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]

_LIMIT = 32 << 20
_DEPTH = 64


class YamlError(ContentError):
    """A YAML file cannot be read."""

    code = "content.yaml"


Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Located:
    """A parsed file: its value and the line of each key path."""

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
    try:
        return _read(path)
    except YamlError as error:
        error.path = shown or error.path
        raise
    except Mistakes as several:
        for one in several.errors:
            one.path = shown or one.path
        raise


def _read(path: Path) -> Located:
    data = path.read_bytes()
    if len(data) > _LIMIT:
        raise YamlError(path=str(path), given=f"{len(data)} bytes", expected=f"at most {_LIMIT} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as cause:
        line = data[: cause.start].count(b"\n") + 1
        raise YamlError(
            path=str(path), line=line, given=f"byte {data[cause.start]:#04x}", expected="UTF-8 text"
        ) from cause
    if not text.strip():
        raise YamlError(path=str(path), line=1, given="an empty file", expected="YAML content")
    node: Any = None
    try:
        depth = 0
        for event in yaml.parse(text, Loader=_Loader):
            line = getattr(event.start_mark, "line", 0) + 1
            if isinstance(event, yaml.AliasEvent):
                raise YamlError(path=str(path), line=line, given="an alias (*name)", expected="plain values")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEPTH:  # deeper text overflows the stack of the parser
                raise YamlError(
                    path=str(path),
                    line=line,
                    given="lists or mappings in one another",
                    expected=f"at most {_DEPTH} of them",
                )
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            value = loader.construct_document(node) if node is not None else None
        finally:
            loader.dispose()
    except yaml.YAMLError as cause:
        mark = getattr(cause, "problem_mark", None)
        line = mark.line + 1 if mark else text.count("\n", 0, getattr(cause, "position", 0)) + 1
        given = str(getattr(cause, "problem", None) or cause).splitlines()[0]
        raise YamlError(path=str(path), line=line, given=given, expected="YAML") from cause
    except ValueError as cause:  # a whole number of thousands of digits, a thirteenth month
        raise YamlError(
            path=str(path),
            line=_unreadable_line(node),
            given=str(cause),
            expected="numbers and dates that can be read, or text in quotes",
        ) from cause
    if node is None:
        raise YamlError(path=str(path), line=1, given="nothing but comments", expected="YAML content")
    lines: dict[Key, int] = {}
    repeated: list[tuple[Key, int]] = []
    _walk(node, (), lines, repeated)
    if repeated:
        raise Mistakes([
            YamlError(path=str(path), line=line, field=".".join(map(str, key)), given="the key twice", expected="each key once")
            for key, line in repeated
        ])  # fmt: skip
    return Located(path, value, lines)


def _unreadable_line(node: Any) -> int | None:
    """The line of the first scalar that has no value."""
    if isinstance(node, yaml.ScalarNode):
        loader = _Loader("")
        try:
            loader.construct_document(node)
        except ValueError:
            return int(node.start_mark.line) + 1
        finally:
            loader.dispose()
        return None
    inner = [one for pair in node.value for one in pair] if isinstance(node, yaml.MappingNode) else node.value
    return next((line for one in inner if (line := _unreadable_line(one)) is not None), None)


def _walk(node: Any, key: Key, lines: dict[Key, int], repeated: list[tuple[Key, int]]) -> None:
    lines.setdefault(key, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for name, value in node.value:
            if name.value in seen:
                repeated.append(((*key, name.value), name.start_mark.line + 1))
            seen.add(name.value)
            lines[(*key, name.value)] = name.start_mark.line + 1
            _walk(value, (*key, name.value), lines, repeated)
    elif isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            _walk(item, (*key, position), lines, repeated)
