"""Reads `ontology/comparability.yaml`: the published rules on comparing benchmark results, with their sources."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes
from kg.model.comparability import Comparability, ComparabilityTable, Compares, Effect, Rule
from kg.model.record_parts import EntityId

Name = Annotated[str, Field(min_length=1, max_length=200)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Source(_Model):
    publisher: Name
    document: Name
    opened: bool


class _Rule(_Model):
    id: Annotated[str, Field(pattern=r"^[a-z][a-z-]*$")]
    compares: Compares
    effect: Effect
    text: Annotated[str, Field(min_length=1, max_length=400)]
    source: Name
    locator: Name


class _Benchmark(_Model):
    name: Name
    spans: Annotated[list[Name], Field(min_length=1)]
    also: list[Name] = []
    note: Name | None = None


class _Table(_Model):
    suite: EntityId
    category: Name | None
    source: Name
    rounds: Annotated[list[Name], Field(min_length=1)]
    benchmarks: Annotated[list[_Benchmark], Field(min_length=1)]

    @model_validator(mode="after")
    def _rounds_once(self) -> "_Table":
        if len(set(self.rounds)) != len(self.rounds):
            raise ValueError("each round once")
        return self


class _File(_Model):
    sources: dict[str, _Source]
    rules: Annotated[list[_Rule], Field(min_length=1)]
    tables: Annotated[list[_Table], Field(min_length=1)]


def read_comparability(content: Content) -> Comparability:
    """The rules and tables; all mistakes of the file are collected."""
    path = content.ontology / "comparability.yaml"
    shown = path.relative_to(content.root).as_posix()
    located = read_located(path, shown=shown)
    try:
        given = _File.model_validate(located.value)
    except ValidationError as cause:
        raise Mistakes(from_pydantic(cause, path=shown, located=located, key=())) from cause
    reader = _Reader(given.sources, located, shown)
    rules = tuple(reader.rule(position, one) for position, one in enumerate(given.rules))
    tables = tuple(reader.table(position, one) for position, one in enumerate(given.tables))
    Mistakes.raise_any(reader.mistakes)
    return Comparability(rules, tables)


class _Reader:
    """Resolves sources and spans; remembers what cannot be."""

    def __init__(self, sources: dict[str, _Source], located: Located, path: str) -> None:
        self._sources, self._located, self._path = sources, located, path
        self._seen: set[str] = set()
        self.mistakes: list[KgError] = []

    def rule(self, position: int, given: _Rule) -> Rule:
        if given.id in self._seen:
            self._refuse(("rules", position, "id"), given.id, "each id once")
        self._seen.add(given.id)
        source = self._source(("rules", position, "source"), given.source)
        cited = "" if source is None else f"{source.publisher}, {source.document}, {given.locator}"
        return Rule(given.id, given.compares, given.effect, given.text, cited, source is not None and source.opened)

    def table(self, position: int, given: _Table) -> ComparabilityTable:
        self._source(("tables", position, "source"), given.source)
        spans: dict[str, tuple[tuple[str, ...], ...]] = {}
        for place, one in enumerate(given.benchmarks):
            key = ("tables", position, "benchmarks", place)
            read = tuple(self._span((*key, "spans", n), text, given.rounds) for n, text in enumerate(one.spans))
            for name in (one.name, *one.also):
                if name in spans:
                    self._refuse((*key, "name"), name, "each benchmark once")
                spans[name] = read
        return ComparabilityTable(given.suite, given.category, tuple(given.rounds), spans)

    def _span(self, key: tuple[str | int, ...], text: str, rounds: list[str]) -> tuple[str, ...]:
        first, _, last = text.partition(" to ")
        last = last or first
        if first not in rounds or last not in rounds or rounds.index(first) > rounds.index(last):
            self._refuse(key, text, "a round of the table, or two in order joined by the word to")
            return ()
        return tuple(rounds[rounds.index(first) : rounds.index(last) + 1])

    def _source(self, key: tuple[str | int, ...], name: str) -> _Source | None:
        if name not in self._sources:
            self._refuse(key, name, "a key of sources")
        return self._sources.get(name)

    def _refuse(self, key: tuple[str | int, ...], given: str, expected: str) -> None:
        field = ".".join(map(str, key))
        self.mistakes.append(
            ContentError(
                path=self._path, line=self._located.line(*key), field=field, given=str(given), expected=expected
            )
        )
