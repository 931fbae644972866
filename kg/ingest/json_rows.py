"""Reads JSON, JSON Lines and YAML as rows; nested objects become columns such as `metrics/tput_per_gpu`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from kg.content.located import read_located
from kg.ingest import limits
from kg.ingest.decode import Watch, opened_bytes, text_chunks, text_lines
from kg.ingest.errors import RECORD, FileDamaged, LimitExceeded, RowFault, shown
from kg.ingest.mapping_reader import JsonReader, YamlReader
from kg.ingest.table import Row, SourceTable
from kg.model.json_types import Json

# white space of JSON: RFC 8259, section 2
_SPACE = " \t\r\n"


def _pairs(pairs: list[tuple[str, object]]) -> Json:
    """An object. A key may stand twice; when the two say different things, both are kept as one text, which is no figure."""
    # which of two equal names counts is left open by RFC 8259, section 4: neither may be dropped in silence
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    said: dict[str, list[object]] = {name: [] for name in made}
    for name, value in pairs:
        if value not in (None, "") and said[name] != [value]:
            said[name].append(value)
    return {
        name: made[name] if not values else values[0] if len(values) == 1 else " | ".join(map(str, values))
        for name, values in said.items()
    }


def _constant(text: str) -> str:
    """NaN and Infinity are no JSON; they stay text, so that the mapping can call them missing."""
    return text


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def flattened(row: Json, odd: dict[str, str] | None = None) -> Json:
    """Nested objects as paths; lists stay. `odd` takes the pointers of the paths with a key that a pointer escapes.

    >>> flattened({"a": 1, "metrics": {"x": 2, "y": {"z": 3}}, "l": [1]})
    {'a': 1, 'metrics/x': 2, 'metrics/y/z': 3, 'l': [1]}
    """
    # most rows are flat, and are given on as they are
    for name, value in row.items():
        if type(value) is dict or _is_odd(name):
            break
    else:
        return row
    flat: Json = {}
    _flatten(row, ("", ""), flat, {} if odd is None else odd, 0)
    return flat


def _is_odd(key: object) -> bool:
    return isinstance(key, str) and ("/" in key or "~" in key)


def _flatten(value: Json, prefix: tuple[str, str], flat: Json, odd: dict[str, str], depth: int) -> None:
    """Put the values of an object under their paths; the prefix is that of the path and that of the pointer."""
    if depth > limits.DEPTH or len(flat) > limits.COLUMNS:
        raise RowFault(
            RECORD, None, "objects in one another", f"at most {limits.DEPTH} of them and {limits.COLUMNS} values"
        )
    for key, inner in value.items():
        path, pointer = f"{prefix[0]}{key}", f"{prefix[1]}{_token(str(key))}"
        if isinstance(inner, dict):
            _flatten(inner, (f"{path}/", f"{pointer}/"), flat, odd, depth + 1)
            continue
        if path in flat:
            raise RowFault(
                RECORD, path[:200], "two values", "one value at a path, of a key with / or of nested objects"
            )
        flat[path] = inner
        if path != pointer:
            odd[path] = pointer


def _row(number: int | str, value: object, locus: str, **more: Any) -> Row:
    if not isinstance(value, dict):
        return Row(number, {}, locus, RowFault(RECORD, None, shown(value), "an object"))
    if len(value) > limits.COLUMNS:
        return Row(number, {}, locus, RowFault(RECORD, None, f"{len(value)} keys", f"at most {limits.COLUMNS}"))
    odd: dict[str, str] = {}
    try:
        _check_holdable([more, value])
        flat = flattened(value, odd)
    except RowFault as fault:
        return Row(number, {}, locus, fault)
    return Row(number, {**more, **flat} if more else flat, (locus, odd) if odd else locus)


def _check_holdable(values: object) -> None:
    """Refuse what no record holds: halves of characters, which escapes can make, and lists deep in one another."""
    try:
        orjson.dumps(values, default=str)
    except TypeError:  # also of a large whole number, which a column may read
        _check_each(values, 0)


def _check_each(value: object, depth: int) -> None:
    # the row itself lies in a list
    if depth > limits.DEPTH + 2:
        raise RowFault(RECORD, None, "lists in one another", f"at most {limits.DEPTH} of them")
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise RowFault(RECORD, None, ascii(value)[1:80], "whole characters, no half of one") from None
    elif isinstance(value, dict):
        for key, one in value.items():
            _check_each(key, depth)
            _check_each(one, depth + 1)
    elif isinstance(value, list):
        for one in value:
            _check_each(one, depth + 1)


def _place(locus: str | tuple[str, dict[str, str]], column: str) -> dict[str, Any]:
    row, odd = (locus, {}) if isinstance(locus, str) else locus
    return {"pointer": f"{row}/{odd.get(column, column)}"[:200]}


def _token(key: str) -> str:
    """A key as a token of a JSON pointer (RFC 6901, section 3)."""
    return key.replace("~", "~0").replace("/", "~1")


class _Text:
    """A moving window over the text of a file, from which one JSON value after the other is taken."""

    def __init__(self, path: Path, chunks: Iterator[str]) -> None:
        self._path, self._chunks = path, chunks
        self._text, self._at, self._line, self._done = "", 0, 1, False

    @property
    def line(self) -> int:
        """The line of the position."""
        return self._line + self._text.count("\n", 0, self._at)

    def _more(self) -> bool:
        if self._done:
            return False
        for chunk in self._chunks:
            self._line += self._text.count("\n", 0, self._at)
            self._text, self._at = self._text[self._at :] + chunk, 0
            return True
        self._done = True
        return False

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self, expected: str) -> str:
        """One of the characters, or the file is refused."""
        found = self.peek()
        if not found or found not in expected:
            raise FileDamaged(
                path=str(self._path),
                line=self.line,
                given=found or "the end of the file",
                expected=f"JSON with {' or '.join(expected)} here"
                if expected
                else "one JSON value, and nothing behind it",
                next_step="" if found else "the file looks cut",
            )
        self._at += 1
        return found

    def value(self) -> Any:
        """The next value."""
        self.peek()
        while True:
            start = self._at
            try:
                value, self._at = _DECODER.raw_decode(self._text, start)
            except RecursionError as cause:
                raise LimitExceeded(
                    path=str(self._path),
                    line=self.line,
                    given="lists or objects in one another",
                    expected="flat records",
                ) from cause
            except ValueError as cause:
                self._read_on(cause)
            else:
                if self._at - start > limits.LINE:
                    self._too_large()
                return value

    def _too_large(self) -> None:
        raise LimitExceeded(
            path=str(self._path),
            line=self.line,
            given=f"a record of more than {limits.LINE} characters",
            expected="smaller records",
        )

    def _read_on(self, cause: ValueError) -> None:
        """Get more text when the value may go on there; else the file is refused."""
        size = len(self._text) - self._at
        if size > limits.LINE:
            self._too_large()
        where = cause.pos if isinstance(cause, json.JSONDecodeError) else self._at
        # what the window cut fails near its end, in a word or an escape, or as a text that does not
        # end
        goes_on = where >= len(self._text) - 8 or "Unterminated" in str(cause)
        if not goes_on or not self._more():
            raise FileDamaged(
                path=str(self._path),
                line=self.line + _lines_to(cause, self._at),
                given=str(cause).split(":")[0],
                expected="JSON that is whole",
                next_step="the file looks cut" if goes_on else None,
            ) from cause


def _lines_to(cause: ValueError, start: int) -> int:
    if isinstance(cause, json.JSONDecodeError):
        return cause.doc.count("\n", start, cause.pos)
    return 0


@contextmanager
def open_json(path: Path, spec: JsonReader, watch: Watch | None = None) -> Iterator[SourceTable]:
    """Rows of a list or an object, one at a time; a pointer into the middle reads the file whole."""
    with opened_bytes(path, watch) as stream:
        chunks = text_chunks(path, stream)
        if spec.rows == "single" or spec.at:
            value = _whole(path, chunks, spec.at)
            yield SourceTable(None, _whole_rows(path, spec, value), _place)
            return
        yield SourceTable(None, _streamed(_Text(path, chunks), spec), _place)


def _streamed(text: _Text, spec: JsonReader) -> Iterator[Row]:
    skipped = frozenset(spec.skip_keys)
    opening, closing = ("[", "]") if spec.rows == "list" else ("{", "}")
    text.take(opening)
    number = 0
    if text.peek() == closing:
        text.take(closing)
    else:
        while True:
            if spec.rows == "list":
                yield _row(number, text.value(), f"/{number}")
            else:
                key = text.value()
                if not isinstance(key, str):
                    text.take('"')
                text.take(":")
                value = text.value()
                if key not in skipped:
                    yield _row(number, value, f"/{_token(key)}", **{spec.key_column: key})
            number += 1
            if text.take("," + closing) == closing:
                break
    # no character is accepted here: anything behind the end refuses the file
    if text.peek():
        text.take("")


def _whole(path: Path, chunks: Iterator[str], pointer: str) -> Any:
    pieces, size = [], 0
    for chunk in chunks:
        pieces.append(chunk)
        size += len(chunk)
        if size > limits.WHOLE:
            raise LimitExceeded(path=str(path), given=f"more than {limits.WHOLE} characters", expected="a smaller file")
    text = _Text(path, iter(["".join(pieces)]))
    value = text.value()
    if text.peek():
        text.take("")
    return pointed(path, value, pointer)


def pointed(path: Path, value: object, pointer: str) -> Any:
    """The value at a JSON pointer (RFC 6901)."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise FileDamaged(
                path=str(path), field=pointer, given="nothing there", expected="the records at this place"
            )
    return value


def _whole_rows(path: Path, spec: JsonReader | YamlReader, value: object) -> Iterator[Row]:
    kind = getattr(spec, "rows", "list")
    if kind == "single":
        if not isinstance(value, dict):
            raise FileDamaged(path=str(path), given=type(value).__name__, expected="one object")
        yield _row(1, value, spec.at)
    elif kind == "object" and isinstance(spec, JsonReader):
        if not isinstance(value, dict):
            raise FileDamaged(path=str(path), given=type(value).__name__, expected="an object of objects")
        for number, (key, one) in enumerate(value.items()):
            if key not in spec.skip_keys:
                yield _row(number, one, f"{spec.at}/{_token(key)}", **{spec.key_column: key})
    else:
        if not isinstance(value, list):
            raise FileDamaged(path=str(path), given=type(value).__name__, expected="a list of objects")
        for number, one in enumerate(value):
            yield _row(number, one, f"{spec.at}/{number}")


@contextmanager
def open_jsonl(path: Path, watch: Watch | None = None) -> Iterator[SourceTable]:
    """One object a line; a line that is none is a broken row."""
    with opened_bytes(path, watch) as stream:
        lines = text_lines(path, text_chunks(path, stream))

        def rows() -> Iterator[Row]:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    value = _DECODER.decode(line)
                except (ValueError, RecursionError) as cause:
                    given = "objects in one another" if isinstance(cause, RecursionError) else shown(cause)
                    yield Row(number, {}, f"/{number}", RowFault(RECORD, None, given, "one JSON object a line"))
                else:
                    yield _row(number, value, f"/{number}")

        yield SourceTable(None, rows(), _place)


@contextmanager
def open_yaml(path: Path, spec: YamlReader) -> Iterator[SourceTable]:
    """A list of mappings; aliases, repeated keys and deep nesting are refused."""
    value = pointed(path, read_located(path).value, spec.at)
    yield SourceTable(None, _whole_rows(path, spec, value), _place)
