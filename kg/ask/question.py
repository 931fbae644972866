"""A saved question: what its comment header says, and the text below it.

Reading needs YAML and collects every mistake of a file; a warm process reads the compiled form (`kg.ask.cache`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Literal, get_args

from kg.errors import ContentError, KgError, Mistakes, QueryError, UsageError
from kg.stores.protocol import Language

Scalar = str | int | float | bool
Value = Scalar | tuple[Scalar, ...]
ParameterType = Literal[
    "text", "name", "id", "claim", "metric", "number", "integer",
    "list-of-text", "list-of-name", "list-of-id", "list-of-claim", "list-of-metric", "list-of-number", "list-of-integer",
]  # fmt: skip
ColumnType = Literal["id", "text", "number", "integer", "boolean"]

PARAMETER_TYPES: Final = get_args(ParameterType)
COLUMN_TYPES: Final = get_args(ColumnType)
RESERVED: Final = frozenset(
    {
        "format",
        "store",
        "content",
        "quiet",
        "limit",
        "exact",
        "explain",
        "help",
        "language",
        "timeout",
        "timeout_seconds",
    }
)
"""Names of shared options; no parameter may have one."""
MARKER: Final = "#VALUES"
"""The one line of a SPARQL question where its values are put."""
_NARROWING: Final = re.compile(
    r"^[ \t]*#IF ([\w ]+)\n(.*?)(?:^[ \t]*#ELSE\n(.*?))?^[ \t]*#END\n", re.MULTILINE | re.DOTALL
)
ORDER: Final = "//ORDER "
"""Opens the last line of a Cypher question with UNION: the columns it is sorted by when it has been read."""
_COMMENT: Final[dict[str, tuple[str, Language]]] = {".rq": ("#", "sparql"), ".cypher": ("//", "cypher")}
_KEYS: Final = ("title", "question", "parameters", "columns", "example")


class HeaderMistake(ContentError):
    """The header of a saved question, or the text below it, does not fit its form."""

    code = "question.header"


class ValueRefused(QueryError):
    """A value that a parameter cannot take, or a parameter that is missing or unknown."""

    code = "question.value"


class UnknownQuestion(UsageError):
    """No saved question has this name."""

    code = "question.unknown"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; without a default it must be given, with `default: null` it may be left out."""

    name: str
    type: ParameterType
    required: bool = True
    default: Value | None = None
    example: Value | None = None
    about: str = ""

    @property
    def base_type(self) -> str:
        """The type of one value.

        >>> Parameter("claims", "list-of-claim").base_type
        'claim'
        """
        return self.type.removeprefix("list-of-")

    @property
    def is_list(self) -> bool:
        """Whether several values may be given."""
        return self.type.startswith("list-of-")


@dataclass(frozen=True, slots=True)
class Column:
    """One column. A text is never empty: what is not known says `unstated`; ids and numbers may be empty."""

    name: str
    type: ColumnType


@dataclass(frozen=True, slots=True)
class Question:
    """A saved question, ready to be bound."""

    name: str
    title: str
    question: str
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    example: Mapping[str, Value] = field(hash=False)
    text: str
    language: Language = "sparql"
    cypher: str | None = None
    """The same question in Cypher, from the file beside it; its header is the same."""

    @property
    def topic(self) -> str:
        """The folder the question lies in."""
        return self.name.partition("/")[0]

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns in order."""
        return tuple(column.name for column in self.columns)


def read_question(path: Path) -> Question:
    """Read one file; all its mistakes are told together, each with its line."""
    comment, language = _COMMENT[path.suffix]
    name = f"{path.parent.name}/{path.stem}"
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise HeaderMistake(path=str(path), line=1, given=f"byte {cause.start}", expected="UTF-8 text") from cause
    header, body = _split(text, comment)
    mistakes: list[KgError] = []
    value, lines = _parse(header, path)
    reader = _Reader(str(path), value, lines, mistakes)
    question = reader.question(name, body, language)
    if question is not None:
        mistakes.extend(_body_mistakes(question, str(path), header.count("\n") + 2))
    Mistakes.raise_any(mistakes)
    assert question is not None
    return question


def read_questions(folder: Path, *, language: Language = "sparql") -> dict[str, Question]:
    """Every saved question of a `queries` folder by name; the mistakes of all files are collected."""
    suffix = next(end for end, (_, known) in _COMMENT.items() if known == language)
    found: dict[str, Question] = {}
    mistakes: list[KgError] = []
    for path in sorted(folder.glob(f"*/*{suffix}")):
        try:
            question = read_question(path)
        except KgError as error:
            mistakes.extend(error.errors if isinstance(error, Mistakes) else (error,))
        else:
            found[question.name] = question
    Mistakes.raise_any(mistakes)
    return found


def read_both(folder: Path) -> dict[str, Question]:
    """Every saved question by name, with its Cypher where there is a file for it; both files have one header."""
    found = read_questions(folder)
    mistakes: list[KgError] = []
    for name, twin in read_questions(folder, language="cypher").items():
        path = folder / f"{name}.cypher"
        known = found.get(name)
        if known is None:
            mistakes.append(HeaderMistake(path=str(path), line=1, given=name, expected=f"{path.stem}.rq beside it"))
        elif replace(twin, text=known.text, language=known.language) != known:
            mistakes.append(
                HeaderMistake(path=str(path), line=1, given="another header", expected=f"the header of {path.stem}.rq")
            )
        else:
            found[name] = replace(known, cypher=twin.text)
    Mistakes.raise_any(mistakes)
    return found


def get_question(questions: Mapping[str, Question], name: str) -> Question:
    """The question of this name, or of this stem where only one has it."""
    if name in questions:
        return questions[name]
    same_stem = [known for known in questions if known.partition("/")[2] == name]
    if len(same_stem) == 1:
        return questions[same_stem[0]]
    near = same_stem or get_close_matches(
        name, [*questions, *(known.partition("/")[2] for known in questions)], n=3, cutoff=0.5
    )
    raise UnknownQuestion(
        "is not a saved question.", given=name, expected=None if near else "a name that kg ask lists",
        next_step=f"Did you mean {' or '.join(near)}?" if near else None,
    )  # fmt: skip


def _split(text: str, comment: str) -> tuple[str, str]:
    """Header lines without their comment mark, and the text that follows them."""
    lines = text.split("\n")
    count = next(
        (n for n, line in enumerate(lines) if not line.startswith(comment) or line.strip() == MARKER), len(lines)
    )
    bare = [line[len(comment) :] for line in lines[:count]]
    return "\n".join(line.removeprefix(" ") for line in bare), "\n".join(lines[count:]).strip("\n") + "\n"


def _parse(header: str, path: Path) -> tuple[Any, dict[tuple[str | int, ...], int]]:
    from kg.content.located import YamlError, located_text  # a warm process reads no YAML

    try:
        located = located_text(header, path, shown=str(path))
    except (YamlError, Mistakes) as cause:
        first = cause.errors[0] if isinstance(cause, Mistakes) else cause
        raise HeaderMistake(
            path=str(path), line=first.line, field=first.field, given=first.given, expected="YAML in the header"
        ) from cause
    return located.value, located.lines


@dataclass(slots=True)
class _Reader:
    """Checks a parsed header field by field."""

    path: str
    value: Any
    lines: Mapping[tuple[str | int, ...], int]
    mistakes: list[KgError]

    def refuse(self, *key: str | int, given: object, expected: str) -> None:
        where = key
        while where and where not in self.lines:
            where = where[:-1]
        self.mistakes.append(HeaderMistake(
            path=self.path, line=self.lines.get(where, 1), field=".".join(map(str, key)) or None, given=str(given)[:80], expected=expected
        ))  # fmt: skip

    def question(self, name: str, body: str, language: Language) -> Question | None:
        if not isinstance(self.value, dict):
            self.refuse(given="no header", expected=f"comment lines with {', '.join(_KEYS)}")
            return None
        for key in self.value:
            if key not in _KEYS:
                self.refuse(str(key), given=key, expected=", ".join(_KEYS))
        for key in ("title", "question"):
            if not isinstance(self.value.get(key), str) or not self.value[key].strip():
                self.refuse(key, given=self.value.get(key, "nothing"), expected="a text")
        parameters = tuple(
            p for p in (self.parameter(n, one) for n, one in self.entries("parameters")) if p is not None
        )
        columns = tuple(c for c in (self.column(n, one) for n, one in self.entries("columns")) if c is not None)
        if not columns:
            self.refuse("columns", given="nothing", expected="at least one column with name and type")
        self.unique("parameters", [p.name for p in parameters])
        self.unique("columns", [c.name for c in columns])
        example = self.example(parameters)
        if self.mistakes:
            return None
        title, asked = str(self.value["title"]).strip(), " ".join(str(self.value["question"]).split())
        return Question(name, title, asked, parameters, columns, example, body, language)

    def entries(self, key: str) -> Iterable[tuple[int, Mapping[str, Any]]]:
        given = self.value.get(key) or []
        if not isinstance(given, list):
            self.refuse(key, given=given, expected="a list")
            return
        for position, one in enumerate(given):
            if isinstance(one, dict) and isinstance(one.get("name"), str):
                yield position, one
            else:
                self.refuse(key, position, given=one, expected="a mapping with name and type")

    def parameter(self, n: int, one: Mapping[str, Any]) -> Parameter | None:
        before = len(self.mistakes)
        name, kind = one["name"], one.get("type")
        if not name.isidentifier() or name != name.lower():
            self.refuse("parameters", n, "name", given=name, expected="lower-case letters, digits and _")
        if name in RESERVED:
            self.refuse("parameters", n, "name", given=name, expected="a name that no shared option has")
        if kind not in PARAMETER_TYPES:
            self.refuse("parameters", n, "type", given=kind, expected=", ".join(PARAMETER_TYPES))
        for key in set(one) - {"name", "type", "default", "example", "about"}:
            self.refuse("parameters", n, str(key), given=key, expected="name, type, default, example, about")
        if "example" not in one and "default" not in one:
            self.refuse("parameters", n, given=name, expected="an example")
        if len(self.mistakes) > before:
            return None
        return Parameter(
            name, one["type"], "default" not in one, self.plain(one.get("default"), "parameters", n, "default"),
            self.plain(one.get("example"), "parameters", n, "example"), str(one.get("about", "")),
        )  # fmt: skip

    def column(self, n: int, one: Mapping[str, Any]) -> Column | None:
        if one.get("type") not in COLUMN_TYPES:
            self.refuse("columns", n, "type", given=one.get("type", "nothing"), expected=", ".join(COLUMN_TYPES))
            return None
        if set(one) - {"name", "type"}:
            self.refuse("columns", n, given=", ".join(sorted(set(one) - {"name", "type"})), expected="name and type")
        return Column(one["name"], one["type"])

    def unique(self, key: str, names: list[str]) -> None:
        for name in sorted({one for one in names if names.count(one) > 1}):
            self.refuse(key, given=name, expected="each name once")

    def plain(self, value: Any, *key: str | int) -> Value | None:
        if value is None or isinstance(value, str | int | float):
            return value
        if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
            return tuple(value)
        self.refuse(*key, given=value, expected="a text, a number or a list of them")
        return None

    def example(self, parameters: tuple[Parameter, ...]) -> dict[str, Value]:
        given = self.value.get("example")
        if not isinstance(given, dict):
            self.refuse(
                "example",
                given="nothing" if given is None else given,
                expected="values for the parameters, {} when there are none",
            )
            return {}
        known = {parameter.name for parameter in parameters}
        for name in given:
            if name not in known:
                self.refuse("example", str(name), given=name, expected=", ".join(sorted(known)) or "no parameters")
        for parameter in parameters:
            if parameter.required and parameter.name not in given:
                self.refuse(
                    "example", given=f"no {parameter.name}", expected="a value for every parameter without default"
                )
        found = ((str(name), self.plain(value, "example", str(name))) for name, value in given.items())
        return {name: value for name, value in found if value is not None}


def narrowed(text: str, given: Collection[str]) -> str:
    r"""A SPARQL text with the lines that narrow by these parameters, and without those of others.

    >>> text = "SELECT ?a {\n  #IF b\n  ?a <p> ?b\n  #ELSE\n  ?a ?q ?r\n  #END\n}"
    >>> print(narrowed(text, ["b"]))
    SELECT ?a {
      ?a <p> ?b
    }
    """
    return _NARROWING.sub(lambda found: found[2] if set(found[1].split()) & set(given) else found[3] or "", text)


def _body_mistakes(question: Question, path: str, first: int) -> Iterable[KgError]:
    """What the text below the header must hold; SPARQL only, Cypher has driver parameters."""
    if question.language != "sparql":
        return
    known = {one.name for one in question.parameters if one.default is None and not one.required}
    named = [set(found[1].split()) for found in _NARROWING.finditer(question.text)]
    if any(question.text.count(word) != len(named) for word in ("#IF ", "#END")) or not all(
        one <= known for one in named
    ):
        yield HeaderMistake(
            path=path,
            line=first,
            given=f"#IF {' '.join(sorted(set().union(*named)))}".rstrip(),
            expected="lines from #IF and the names of parameters that may be left out, to #END",
        )
    for given in (known, set[str]()):
        markers = [line.strip() for line in narrowed(question.text, given).split("\n")].count(MARKER)
        if markers != (1 if question.parameters else 0):
            yield HeaderMistake(
                path=path,
                line=first,
                given=f"{markers} lines {MARKER}",
                expected="one when there are parameters, else none",
            )
            break
    from kg.ask.guard import projection, tokens

    try:
        used = {token.text[1:] for token in tokens(question.text) if token.kind == "variable"}
        shown = projection(question.text)
    except QueryError as error:
        yield error.at(path=path, line=first)
        return
    for parameter in question.parameters:
        if parameter.name not in used:
            yield HeaderMistake(
                path=path,
                line=first,
                field=parameter.name,
                given=f"?{parameter.name}",
                expected="a variable that the query uses",
            )
    if shown != question.column_names:
        yield HeaderMistake(
            path=path,
            line=first,
            field="columns",
            given=", ".join(question.column_names),
            expected=f"the variables of the SELECT: {', '.join(shown)}",
        )
