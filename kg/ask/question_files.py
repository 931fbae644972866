"""Reads the saved questions of a `queries` folder: one header in YAML for each, a text in SPARQL and one in Cypher next to
it, and the fragments that several texts share.

Every mistake of a file is collected with its line. A warm process reads the compiled form (`kg.ask.cache`) and not this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from kg.ask.assembly import TextMistake, cypher_text, sparql_text
from kg.ask.guard import projection, tokens
from kg.ask.narrowing import narrowed, narrowing_names, narrowings_are_whole
from kg.ask.question import MARKER, Column, ColumnType, Order, Parameter, ParameterType, Question, Scalar
from kg.content.located import Located, read_located
from kg.errors import ContentError, KgError, Mistakes, QueryError
from kg.model.accepted import accepted

FRAGMENTS: Final = "fragments"
"""The folder next to the topics that holds what several texts share."""
RESERVED: Final = frozenset(
    {
        "accelerators",
        "all",
        "ask",
        "asked",
        "by",
        "columns",
        "content",
        "exact",
        "explain",
        "form",
        "format",
        "help",
        "highest",
        "language",
        "limit",
        "lowest",
        "name",
        "newest",
        "only",
        "output",
        "published",
        "query",
        "quiet",
        "said",
        "self",
        "since",
        "store",
        "timeout",
        "timeout_seconds",
        "until",
        "value",
        "wide",
        "without",
    }
)
"""Names of options of the command, of Python and of pages; no parameter may have one."""
SUMMED: Final = (
    "claim",
    "subject",
    "subject_label",
    "metric",
    "normaliser",
    "canonical_value",
    "canonical_unit",
    "source",
    "said_on",
    "verdict",
)
"""The columns that a question has whose published rows can be summed up."""


class HeaderMistake(ContentError):
    """The header of a saved question, or a text next to it, does not fit its form."""

    code = "question.header"


def _lower(name: str) -> str:
    if not name.isidentifier() or name != name.lower():
        raise ValueError("lower-case letters, digits and _")
    return name


def _free(name: str) -> str:
    if name in RESERVED:
        raise ValueError("a name that no shared option has")
    return name


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


Text = Annotated[str, AfterValidator(lambda text: " ".join(text.split())), Field(min_length=1)]
Name = Annotated[str, AfterValidator(_lower)]
Given = Annotated[tuple[Scalar, ...] | Scalar, BeforeValidator(_tuple)]


class _HeaderModel(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ParameterHeader(_HeaderModel):
    """What a header says of one parameter."""

    type: ParameterType
    default: Given | None = None
    example: Given | None = None
    about: str = ""

    @model_validator(mode="after")
    def _shows_a_value(self) -> ParameterHeader:
        if not {"default", "example"} & self.model_fields_set:
            raise ValueError("a default or an example")
        return self


class Header(_HeaderModel):
    """What is said once of a question, for both its texts."""

    title: Text
    question: Text
    words: tuple[Text, ...] = Field(default=(), strict=False)
    asked: tuple[Text, ...] = Field(default=(), strict=False)
    parameters: dict[Annotated[Name, AfterValidator(_free)], ParameterHeader] = Field(default_factory=dict)
    columns: dict[Name, ColumnType] = Field(min_length=1)
    shown: tuple[str, ...] = Field(default=(), strict=False)
    order: tuple[str, ...] = Field(min_length=1, strict=False)
    heads: dict[Name, Text] = Field(default_factory=dict)
    note: Text | None = None
    published: Literal["listed", "summed"] = "listed"
    example: dict[str, Given]

    @property
    def sorted_by(self) -> Order:
        """The columns of the order; `-name` descends."""
        return tuple((name.removeprefix("-"), name.startswith("-")) for name in self.order)

    def mistakes(self) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
        """What one part says against another: where, what was given, what is accepted."""
        known = ", ".join(sorted(self.parameters)) or "no parameters"
        for name in self.example:
            if name not in self.parameters:
                yield ("example", name), name, known
        for name, parameter in self.parameters.items():
            if "default" not in parameter.model_fields_set and name not in self.example:
                yield ("example",), f"no {name}", "a value for every parameter without default"
        named = [("order", place, name) for place, (name, _) in enumerate(self.sorted_by)]
        named += [("shown", place, name) for place, name in enumerate(self.shown)]
        named += [("heads", 0, name) for name in self.heads]
        if self.published == "summed":
            named += [("published", 0, name) for name in SUMMED if name not in self.columns]
        for key, place, name in named:
            if name not in self.columns:
                yield (key, place), name, f"a column: {', '.join(self.columns)}"

    def parameter(self, name: str) -> Parameter:
        """One parameter as questions have it."""
        given = self.parameters[name]
        required = "default" not in given.model_fields_set
        return Parameter(name, given.type, required, given.default, given.example, given.about)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A `queries` folder with its fragments, by name and suffix."""

    path: Path
    fragments: Mapping[str, str]

    def text(self, name: str, suffix: str) -> str | None:
        path = self.path / f"{name}{suffix}"
        return _read(path) if path.is_file() else None


def read_questions(folder: Path) -> dict[str, Question]:
    """Every saved question by name; the mistakes of all files are reported together."""
    found: dict[str, Question] = {}
    mistakes: list[KgError] = []
    fragments = {path.name: _read(path) for path in sorted((folder / FRAGMENTS).glob("*.*"))}
    files = _Folder(folder, fragments)
    for path in sorted(folder.glob("*/*.yaml")):
        try:
            question = _question(files, path)
        except KgError as error:
            mistakes.extend(error.errors if isinstance(error, Mistakes) else (error,))
        else:
            found[question.name] = question
    mistakes.extend(_headless(folder))
    Mistakes.raise_any(mistakes)
    return found


def _headless(folder: Path) -> Iterator[KgError]:
    for suffix in (".rq", ".cypher"):
        for path in sorted(folder.glob(f"*/*{suffix}")):
            if path.parent.name != FRAGMENTS and not path.with_suffix(".yaml").is_file():
                yield HeaderMistake(path=str(path), line=1, given="a text", expected=f"{path.stem}.yaml next to it")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise HeaderMistake(path=str(path), line=1, given=f"byte {cause.start}", expected="UTF-8 text") from cause


def _question(files: _Folder, path: Path) -> Question:
    name = f"{path.parent.name}/{path.stem}"
    header = _header(path)
    mistakes: list[KgError] = []
    sparql, cypher = files.text(name, ".rq"), files.text(name, ".cypher")
    if sparql is None:
        raise HeaderMistake(path=str(path), line=1, given="a header", expected=f"{path.stem}.rq next to it")
    columns, texts = tuple(header.columns), dict.fromkeys((".rq", ".cypher"), "")
    for suffix, text, assemble in ((".rq", sparql, sparql_text), (".cypher", cypher, cypher_text)):
        if text is not None:
            try:
                texts[suffix] = assemble(text, columns, files.fragments)
            except TextMistake as error:
                mistakes.append(error.at(path=str(path.with_suffix(suffix)), line=error.line or 1))
    question = Question(
        name,
        header.title,
        header.question,
        tuple(map(header.parameter, header.parameters)),
        tuple(Column(*one) for one in header.columns.items()),
        header.sorted_by,
        header.example,
        texts[".rq"],
        texts[".cypher"] or None,
        header.shown,
        header.words,
        header.asked,
        header.published == "summed",
        header.heads,
        header.note or "",
    )
    if not mistakes:
        mistakes.extend(_text_mistakes(question, str(path.with_suffix(".rq"))))
    Mistakes.raise_any(mistakes)
    return question


def _header(path: Path) -> Header:
    located = read_located(path)
    try:
        header = Header.model_validate(located.value)
    except ValidationError as cause:
        raise Mistakes([_refused(located, error) for error in cause.errors()]) from cause
    Mistakes.raise_any(
        [
            HeaderMistake(
                path=str(path), line=located.line(*key), field=".".join(map(str, key)), given=given, expected=expected
            )
            for key, given, expected in header.mistakes()
        ]
    )
    return header


def _refused(located: Located, error: Mapping[str, object]) -> HeaderMistake:
    """One mistake as pydantic tells it, with the line it stands on."""
    location = error["loc"]
    assert isinstance(location, tuple)
    key = tuple(part for part in location if part != "[key]")
    missing = error["type"] in ("missing", "value_error") and not isinstance(error["input"], str)
    given = key[-1] if missing or error["type"] == "extra_forbidden" else error["input"]
    expected = accepted(error)
    if error["type"] == "extra_forbidden":
        expected = ", ".join(ParameterHeader.model_fields if len(key) > 1 else Header.model_fields)
    return HeaderMistake(
        path=str(located.path),
        line=located.line(*key),
        field=".".join(map(str, key)) or None,
        given=f"no {given}" if error["type"] == "missing" else str(given)[:80],
        expected=expected,
    )


def _text_mistakes(question: Question, path: str) -> Iterator[KgError]:
    """What a SPARQL text must hold for its values: one marker, the variables of its parameters, closed #IF lines."""
    known = {one.name for one in question.parameters if one.default is None and not one.required}
    named = narrowing_names(question.sparql)
    if not narrowings_are_whole(question.sparql) or not named <= known:
        yield HeaderMistake(
            path=path,
            line=1,
            given=f"#IF {' '.join(sorted(named))}".rstrip(),
            expected="lines from #IF and the names of parameters that may be left out, to #END",
        )
    yield from _marker_mistakes(question, path, known)
    try:
        used = {token.text[1:] for token in tokens(question.sparql) if token.kind == "variable"}
        shown = projection(question.sparql)
    except QueryError as error:
        yield error.at(path=path, line=1)
        return
    for parameter in question.parameters:
        if parameter.name not in used:
            yield HeaderMistake(
                path=path,
                line=1,
                field=parameter.name,
                given=f"?{parameter.name}",
                expected="a variable that the query uses",
            )
    if shown != question.column_names:
        yield HeaderMistake(
            path=path, line=1, field="columns", given=", ".join(shown), expected=", ".join(question.column_names)
        )


def _marker_mistakes(question: Question, path: str, optional: set[str]) -> Iterator[KgError]:
    """The marker of values must be left once, whichever optional parameters are given: with all of them and with none."""
    for given in (optional, set[str]()):
        markers = [line.strip() for line in narrowed(question.sparql, given).split("\n")].count(MARKER)
        if markers != (1 if question.parameters else 0):
            yield HeaderMistake(
                path=path,
                line=1,
                given=f"{markers} lines {MARKER}",
                expected="one when there are parameters, else none",
            )
            return
