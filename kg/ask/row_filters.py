"""Filters of rows that words name and no parameter takes: one thing with what its name covers, a span of dates, a bound.

They apply to the rows of an answer, so that every saved question with such a column has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from kg.ask.bind import is_entity_id
from kg.ask.id_names import AskIds, ids_named, metric_called
from kg.ask.kept_rows import FigureOrder, bounded, counted, newest, ranked
from kg.ask.question import Question, ValueRefused
from kg.model.condition_line import stated_conditions
from kg.model.dates import given_date, may_lie_within
from kg.model.names import MODEL_KINDS
from kg.model.verdict import VERDICTS
from kg.model.vocabulary import Level
from kg.stores.protocol import Answer, Cell

if TYPE_CHECKING:
    from kg.ask.bounds import ValueBound
    from kg.model.units import UnitTable

_THINGS: Final = (
    "subject",
    "accelerator",
    "thing",
    "system",
    "baseline",
    "other",
    "part",
    "whole",
    "member",
    "against",
)
_CONDITIONS: Final = "conditions"
"""The column of the line of conditions, which names things by the second part of their ids."""
AVAILABILITY: Final = "availability"
ACCELERATORS: Final = "accelerators"
"""How many accelerators a result was measured on, or a system has: the column, and the option that bounds it."""
AVAILABILITIES: Final = frozenset({"available", "preview", "rdi"})
"""How far a system of MLPerf could be had when its result was submitted; "rdi" is research, development or internal."""
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "model": ("model", "subject", "baseline", _CONDITIONS),
    "org": ("asserted_by", "submitter", "publisher", "operator", "subject", "accelerator", "system", "thing"),
    "source": ("source", "cited", "resolved_to"),
    "metric": ("metric",),
    "scenario": ("scenario", _CONDITIONS),
    "round": ("round", _CONDITIONS),
    "task": ("task", _CONDITIONS),
    "benchmark": ("benchmark", _CONDITIONS),
    "precision": ("precision", _CONDITIONS),
    "sparsity": (_CONDITIONS,),
    "division": ("division", _CONDITIONS),
    "entry": ("entry",),
    "level": ("level",),
    "verdict": ("verdict",),
    "value": ("canonical_value",),
    "dated": ("printed",),
    "model-kind": ("model_kind",),
    "per-chip": ("normaliser", "level"),
    AVAILABILITY: (AVAILABILITY, _CONDITIONS),
    ACCELERATORS: (ACCELERATORS,),
}
"""By the kind of a thing the columns that may hold it; hardware is in those of `_THINGS`."""
LEVELS: Final = frozenset[Level]({"accelerator", "superchip", "node", "rack", "pod", "cluster"})
"""What hardware a figure may be of: the rows of single chips are those of the level accelerator."""
DATED: Final = "dated"
"""What is typed for the rows whose words name a time: of when a product came out, others say how hard it is to get."""
PER_CHIP: Final = "per-chip"
"""What is typed for the rows of one accelerator, be it alone or as the part of a system."""
_TIME: Final = re.compile(
    r"\b(?:20\d\d|[QH][1-4]|quarter|(?:this|last|next) (?:year|month|week)|"
    r"(?:Jan|Feb|March|April|May|June|July|Aug|Sept?|Oct|Nov|Dec)(?:uary|ust|tember|ober|ember)?)\b"
)
_ONE_OF: Final = frozenset({AVAILABILITY, "level", "round", "scenario", "division", "precision"})
"""Kinds of which a row has one: two that are named ask for the rows of both."""
SPARSITIES: Final = frozenset({"sparsity/dense", "sparsity/sparse"})
"""The conditions of a peak rate, as they are typed: "dense" alone names a class of models too."""
_OTHER_KINDS: Final = frozenset(
    {
        ACCELERATORS,
        AVAILABILITY,
        DATED,
        PER_CHIP,
        "entry",
        "level",
        "metric",
        "model-kind",
        "scenario",
        "round",
        "division",
        "precision",
        "sparsity",
        "task",
        "value",
        "verdict",
    }
)
"""Kinds of a filter that names no thing."""
_SOURCE_DIGITS: Final = re.compile(r"\d{3}")
"""A source by its digits, as everywhere: no thing is called so."""
ENTRY_ID: Final = re.compile(r"v?\d+\.\d+-\d{3,}")
"""The id of an entry of an MLPerf round: 5.1-0071, v4.1-0074."""
_MOST_SUBJECTS: Final = 500
_COMPUTED_ROW: Final = "row"
"""The id of a row that was computed of several results: the best one of eight accelerators is not among the best of any number."""
_AGAINST: Final = "against_accelerators"
"""The number of accelerators of the other one of two systems that are compared."""
_DATES: Final = ("said_on", "published")
_OTHER_VERDICTS: Final = frozenset({"audit", "disputes"})
"""Topics whose verdicts are of findings, not of claims."""


@dataclass(frozen=True, slots=True)
class RowFilter:
    """What rows are kept: those about a thing, or of a span of dates."""

    name: str = ""
    """The thing, as it is named."""
    kinds: frozenset[str] = frozenset()
    since: str = ""
    until: str = ""
    """Dates as they are written, whole or a part: "2024" until means to its end."""
    value: ValueBound | None = None
    """What the figure is bound by; the name is the bound as it was given."""
    newest: bool = False
    """Whether only the newest round of each benchmark is kept; of rows without rounds those of the newest day."""
    order: FigureOrder | None = None
    """Which figures come first."""
    by: str = ""
    """The column of these figures, where it is another than that of the canonical value."""
    excluded: bool = False
    """Whether the rows about the thing are left out, and all others kept."""

    @property
    def given(self) -> tuple[tuple[str, str], ...]:
        """The options that ask for it, each with its value; one that takes none with an empty one."""
        bound = ACCELERATORS if ACCELERATORS in self.kinds else "value"
        named = (bound if self.value else "without" if self.excluded else "only", self.name)
        valued = (one for one in (named, ("since", self.since), ("until", self.until)) if one[1])
        flags = ("newest" if self.newest else None, self.order)
        by = (("by", self.by),) if self.by else ()
        return (*valued, *((flag, "") for flag in flags if flag), *by)

    @property
    def options(self) -> tuple[str, ...]:
        """The options that ask for it, as they are typed."""
        return tuple(word for name, value in self.given for word in (f"--{name}", value) if word)

    @property
    def is_wish(self) -> bool:
        """Whether a question that cannot do it answers all the same: "newest" and "most" may be no more than a way to speak."""
        return self.newest or self.order is not None

    @property
    def is_of_row(self) -> bool:
        """Whether it is of what a row has one of, such as a level or a round."""
        return len(self.kinds) == 1 and self.kinds <= _ONE_OF and not self.excluded

    @property
    def is_thing(self) -> bool:
        """Whether it keeps a thing by its name: a chip, a system, a model or an organisation."""
        is_named = bool(self.name) and self.value is None and not self.excluded
        return is_named and self.kinds.isdisjoint(_OTHER_KINDS)

    def columns(self, question: Question) -> tuple[str, ...]:
        """The columns of a question that it looks at; none where the question cannot be narrowed by it."""
        if self.newest:
            return tuple(one for one in ("round", *_DATES) if one in question.column_names)[:1]
        if self.order is not None:
            numbers = {one.name for one in question.columns if one.type in ("number", "integer")}
            # words about systems ask for the result of each where a question has one, else for the figure that it has
            return tuple(one for one in (self.by, "canonical_value") if one in numbers)[:1]
        if self.kinds == {"verdict"} and question.topic in _OTHER_VERDICTS:
            return ()
        if self.kinds == {ACCELERATORS} and {_AGAINST, _COMPUTED_ROW} & {*question.column_names}:
            return (ACCELERATORS, _AGAINST) if _AGAINST in question.column_names else ()
        return self._columns_named(question)

    def _columns_named(self, question: Question) -> tuple[str, ...]:
        """Those of the kinds of what is named, or of dates."""
        wanted = _DATES if not self.name else tuple(dict.fromkeys(one for kind in self.kinds for one in _of_kind(kind)))
        ids = {one.name for one in question.columns if one.type == "id"}
        # a system as it is printed is a text, in which no thing is looked for
        return tuple(one for one in wanted if one in question.column_names and (one not in _THINGS or one in ids))


def _of_kind(kind: str) -> tuple[str, ...]:
    return _COLUMNS.get(kind, _THINGS)


def value_filter(given: str, units: UnitTable) -> RowFilter:
    """The filter of a bound on figures, such as ">100 GB"; another text is refused."""
    from kg.ask.bounds import get_bound  # many patterns, that few commands need

    return bound_filter(given, get_bound(given, units))


def bound_filter(given: str, bound: ValueBound) -> RowFilter:
    """The filter of a bound that was read from what an option or words gave."""
    return RowFilter(given, frozenset({"value"}), value=bound)


def accelerators_filter(given: str) -> RowFilter:
    """The filter of a number of accelerators, such as "72" or ">=8"; another text is refused."""
    from kg.ask.bounds import get_count

    return RowFilter(given, frozenset({ACCELERATORS}), value=get_count(given, f"--{ACCELERATORS}"))


def order_filter(question: Question, order: FigureOrder, by: str | None) -> RowFilter:
    """The order of rows by their figures, or by another column of numbers; raises `ValueRefused` for a column that is none."""
    numbers = [one.name for one in question.columns if one.type in ("number", "integer")]
    if by is not None and by not in numbers:
        expected = ", ".join(numbers) or "a question with a column of numbers"
        raise ValueRefused("is no column of numbers.", field="--by", given=by, expected=expected)
    return RowFilter(order=order, by=by or "")


def date_filter(since: str | None, until: str | None) -> RowFilter:
    """The filter of a span of dates; a text that is no date is refused."""
    return RowFilter(
        since=given_date(since, "--since") if since else "", until=given_date(until, "--until") if until else ""
    )


def named_filter(ask: AskIds, name: str, *, field: str = "--only") -> RowFilter:
    """The filter of a name or id; raises `ValueRefused` with names like it where nothing has it."""
    if name in VERDICTS or name in LEVELS:
        return RowFilter(name, frozenset({"verdict" if name in VERDICTS else "level"}))
    if name in (DATED, PER_CHIP):
        return RowFilter(name, frozenset({name}))
    if name in AVAILABILITIES:
        return RowFilter(name, frozenset({AVAILABILITY}))
    if name in SPARSITIES:
        return RowFilter(name, frozenset({"sparsity"}))
    if name in MODEL_KINDS:
        return RowFilter(name, frozenset({"model-kind"}))
    if ENTRY_ID.fullmatch(name):
        return RowFilter(name, frozenset({"entry"}))
    if (metric := metric_called(ask, name)) is not None:
        return RowFilter(metric, frozenset({"metric"}))
    if _SOURCE_DIGITS.fullmatch(name):
        name = f"source/{name}"
    rows = list(ask("names/resolve", thing=[name]).dicts())
    ids = [str(row["entity"]) for row in rows] or list(ids_named(ask, name, kind="", field=field))
    return RowFilter(name, frozenset(one.partition("/")[0] for one in ids))


def filtered(ask: AskIds, question: Question, answer: Answer, filters: Sequence[RowFilter]) -> Answer:
    """The rows that all filters keep, in the order that one asks for; of several rounds, scenarios, divisions or precisions the
    rows of any.
    """
    for alike in _alike(filters, question):
        one = alike[0]
        if one.order is not None:
            answer = ranked(answer, one.order, one.columns(question)[0])
        elif one.newest:
            answer = newest(answer, one.columns(question)[0])
        elif one.value is not None and one.kinds == {ACCELERATORS}:
            answer = counted(answer, one.value, one.columns(question))
        elif one.value is not None:
            answer = bounded(answer, one.value)
        else:
            tests = [_row_test(ask, question, answer.columns, each) for each in alike]
            rows = tuple(row for row in answer.rows if any(keeps(row) for keeps in tests))
            answer = replace(answer, rows=rows)
    return answer


def narrowing(ask: AskIds, question: Question, filters: Sequence[RowFilter]) -> dict[str, list[str]]:
    """The subjects that a filter of a thing leaves, as the value of a question that can be asked of some `subjects` only: the
    same rows are kept of fewer. Nothing where the filter looks at other columns too, or covers more than one asking takes.
    """
    if "subjects" in {one.name for one in question.parameters}:
        of_subjects = [
            one for one in filters if one.name and one.columns(question) == ("subject",) and not one.excluded
        ]
        for one in of_subjects if len(of_subjects) == 1 else ():  # of two the rows of both are wanted
            if one.name:
                ids = sorted(filter(is_entity_id, _covered(ask, one.name)))
                return {"subjects": ids} if 0 < len(ids) <= _MOST_SUBJECTS else {}
    return {}


def _alike(filters: Sequence[RowFilter], question: Question) -> list[list[RowFilter]]:
    """Filters of which a row meets one at most together, the others alone; the newest, and then an order, come last.

    So are things where a row names one only: of two chips the rows of both are asked for.
    """
    groups: dict[object, list[RowFilter]] = {}
    for place, one in enumerate(sorted(filters, key=lambda one: (one.order is not None, one.newest))):
        columns = one.columns(question) if one.is_thing else ()
        groups.setdefault(one.kinds if one.is_of_row else columns if len(columns) == 1 else place, []).append(one)
    return list(groups.values())


def _row_test(
    ask: AskIds, question: Question, columns: Sequence[str], wanted: RowFilter
) -> Callable[[Sequence[Cell]], bool]:
    """Whether a row is one that a filter of a name or of dates keeps."""
    keeps, looked_at = _test(ask, wanted), wanted.columns(question)
    places = [columns.index(name) for name in looked_at if name != _CONDITIONS]
    of_days = not wanted.name
    line = columns.index(_CONDITIONS) if _CONDITIONS in (columns if of_days else looked_at) else None
    stated = _days if of_days else condition_ids

    def is_about(row: Sequence[Cell]) -> bool:
        return any(keeps(row[place]) for place in places) or (line is not None and any(map(keeps, stated(row[line]))))

    return lambda row: is_about(row) is not wanted.excluded


def _days(conditions: Cell) -> list[str]:
    """The day of which a claim is by its conditions, which may be long before the text.

    >>> _days("date=2024-12 (inferred); phase=training"), _days(None)
    (['2024-12'], [])
    """
    stated = stated_conditions(None if conditions is None else str(conditions))
    return [stated["date"]] if "date" in stated else []


def condition_ids(conditions: Cell) -> list[str]:
    """The things that a line of conditions may name, by id.

    >>> condition_ids("model=gpt-3 (inferred); scenario=offline")
    ['model/gpt-3', 'scenario/offline']
    """
    stated = stated_conditions(None if conditions is None else str(conditions))
    return [f"{name}/{one}" for name, value in stated.items() for one in value.split(", ")]


def _covered(ask: AskIds, name: str) -> set[str]:
    """A name, all that it covers, and of an organisation all that it makes: the memory of all AMD chips."""
    ids = {str(row["entity"]) for row in ask("names/resolve", thing=[name]).dicts()} | {name}
    made = {
        str(row["other"])
        for maker in ids
        if maker.startswith("org/")
        for row in ask("entities/links", thing=maker).dicts()
        if row["link"] == "maker of"
    }
    return ids | made


def _test(ask: AskIds, wanted: RowFilter) -> Callable[[Cell], bool]:
    """Whether a cell is what a filter keeps."""
    if wanted.kinds == {"metric"}:
        return lambda cell: str(cell).removeprefix("metric/") == wanted.name
    if wanted.kinds in ({"verdict"}, {"level"}, {"model-kind"}):
        return lambda cell: cell == wanted.name
    if wanted.kinds == {AVAILABILITY}:
        return lambda cell: str(cell).rpartition("/")[2] == wanted.name
    if wanted.kinds == {DATED}:
        return lambda cell: _TIME.search(str(cell)) is not None
    if wanted.kinds == {PER_CHIP}:
        return lambda cell: cell in (PER_CHIP, "accelerator")
    if wanted.kinds == {"entry"}:  # some rounds print a v before it
        return lambda cell: str(cell).removeprefix("v") == wanted.name.removeprefix("v")
    if wanted.name:
        ids = _covered(ask, wanted.name)
        return lambda cell: str(cell) in ids
    return lambda cell: cell is not None and may_lie_within(str(cell), wanted.since, wanted.until)
