"""Reads `ontology/references.yaml`: the outside facts of the plausibility and chronology rules, with their citations."""

from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from kg.content.folders import Content
from kg.content.located import Located, read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes
from kg.model.exact import exact_number
from kg.model.record_parts import Day
from kg.model.reference import Event, Figure, Limit, Moment, ReferenceCitation, References, ResultUnit
from kg.model.units import UnitTable


class _ReferenceModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _ReferenceSource(_ReferenceModel):
    publisher: str
    document: str


class _Fact(_ReferenceModel):
    source: str
    locator: str


class _Figure(_Fact):
    subject: str
    metric: str
    value: str
    unit: str
    precision: str | None = None


class _Moment(_Fact):
    thing: str
    event: Event
    date: Day


class _Succession(_Fact):
    family: str
    predecessor: str


class _ResultUnit(_Fact):
    tasks: list[str]
    rounds: list[str] = []
    """Left out: in all rounds."""
    scenarios: list[str]
    unit: Literal["token/s", "sample/s", "query/s"]


class _Limit(_Fact):
    limit: Limit
    value: str
    unit: str


class _ReferenceFile(_ReferenceModel):
    sources: dict[str, _ReferenceSource]
    figures: list[_Figure] = []
    moments: list[_Moment] = []
    successions: list[_Succession] = []
    result_units: list[_ResultUnit] = []
    limits: list[_Limit] = []


def read_references(content: Content, units: UnitTable) -> References:
    """The outside facts with values in canonical units; all mistakes of the file are collected."""
    path = content.ontology / "references.yaml"
    shown = path.relative_to(content.root).as_posix()
    located = read_located(path)
    try:
        given = _ReferenceFile.model_validate(located.value)
    except ValidationError as cause:
        raise Mistakes(from_pydantic(cause, path=shown, located=located, key=())) from cause
    reader = _ReferenceReader(given.sources, units, located, shown)
    found = References.of(
        [
            Figure(f.subject, f.metric, reader.value("figures", n, f), reader.citation("figures", n, f), f.precision)
            for n, f in enumerate(given.figures)
        ],
        [Moment(m.thing, m.event, m.date, reader.citation("moments", n, m)) for n, m in enumerate(given.moments)],
        predecessors={
            s.family: (s.predecessor, reader.citation("successions", n, s)) for n, s in enumerate(given.successions)
        },
        result_units=[
            ResultUnit(
                frozenset(u.tasks),
                frozenset(u.rounds),
                frozenset(u.scenarios),
                u.unit,
                reader.citation("result_units", n, u),
            )
            for n, u in enumerate(given.result_units)
        ],
        limits={
            o.limit: (reader.value("limits", n, o), reader.citation("limits", n, o)) for n, o in enumerate(given.limits)
        },
    )
    Mistakes.raise_any(reader.mistakes)
    return found


class _ReferenceReader:
    """Turns source names into citations and figures into canonical units; remembers what cannot be."""

    def __init__(self, sources: dict[str, _ReferenceSource], units: UnitTable, located: Located, path: str) -> None:
        self._sources, self._units, self._located, self._path = sources, units, located, path
        self.mistakes: list[KgError] = []

    def citation(self, part: str, position: int, fact: _Fact) -> ReferenceCitation:
        source = self._sources.get(fact.source)
        if source is None:
            self._refuse(part, position, "source", fact.source, "a key of sources")
            return ReferenceCitation("", fact.source, fact.locator)
        return ReferenceCitation(source.publisher, source.document, fact.locator)

    def value(self, part: str, position: int, fact: _Figure | _Limit) -> Fraction:
        try:
            return self._units.to_canonical(exact_number(fact.value), fact.unit)
        except (KgError, ValueError):
            self._refuse(part, position, "value", f"{fact.value} {fact.unit}", "an exact number in a known unit")
            return Fraction(0)

    def _refuse(self, part: str, position: int, field: str, given: object, expected: str) -> None:
        line = self._located.line(part, position, field)
        self.mistakes.append(
            ContentError(
                path=self._path, line=line, field=f"{part}[{position}].{field}", given=str(given), expected=expected
            )
        )
