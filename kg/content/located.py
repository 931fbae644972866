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


def read_located(path: Path) -> Located:
    """Read one YAML file; aliases and repeated keys are refused."""
    data = path.read_bytes()
    if len(data) > _LIMIT:
        raise YamlError(path=str(path), given=f"{len(data)} bytes", expected=f"at most {_LIMIT} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as cause:
        line = data[: cause.start].count(b"\n") + 1
        raise YamlError(path=str(path), line=line, given=f"byte {data[cause.start]:#04x}", expected="UTF-8 text") from cause
    if not text.strip():
        raise YamlError(path=str(path), line=1, given="an empty file", expected="YAML content")
    try:
        for event in yaml.parse(text, Loader=_Loader):
            if isinstance(event, yaml.AliasEvent):
                raise YamlError(path=str(path), line=getattr(event.start_mark, "line", 0) + 1, given="an alias (*name)", expected="plain values")
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            value = loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as cause:
        mark = getattr(cause, "problem_mark", None)
        raise YamlError(
            path=str(path), line=mark.line + 1 if mark else None, given=str(getattr(cause, "problem", cause)), expected="YAML"
        ) from cause
    lines: dict[Key, int] = {}
    repeated: list[tuple[Key, int]] = []
    _walk(node, (), lines, repeated)
    if repeated:
        raise Mistakes([
            YamlError(path=str(path), line=line, field=".".join(map(str, key)), given="the key twice", expected="each key once")
            for key, line in repeated
        ])  # fmt: skip
    return Located(path, value, lines)


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
