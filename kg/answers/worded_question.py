"""What answers a question in plain words: the reading of it that has rows, and the rows of any reading, each asked for once."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, get_args

from kg.answers.near_results import readings_instead
from kg.answers.telling_digits import is_telling
from kg.ask.mentions import is_small, without_unit
from kg.ask.question_fit import denies
from kg.ask.row_filters import RowFilter, filtered, narrowing
from kg.ask.unsure_question import UnsureQuestion
from kg.ask.wording import claims_of_metric, understood
from kg.model.vocabulary import Kind

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.ask.question import Question
    from kg.ask.question_fit import WordReading
    from kg.model.units import UnitTable
    from kg.stores.protocol import Answer

_READINGS: Final = 3
"""How many readings of plain words are tried where the best one has no rows."""
_LIKELY: Final = 0.05
"""From which probability on a reading is answered where the best one has no rows."""
_OF_FIGURE: Final = frozenset({"audit", "impact", "origins"})
"""The commands other than trace that can be about a figure."""
_KIND: Final = "kind"
"""The parameter of a question that asks for one kind of claims where nothing else is said."""
_PAIR: Final = frozenset({"a", "b"})
"""The parameters of a question that compares two things."""


class QuestionRows:
    """Asks for the rows of saved questions that filters keep, up to a limit; what was asked once is remembered."""

    def __init__(self, ask: Ask, *, limit: int | None = None, sums_published: bool = False, **options: Any) -> None:
        """With `sums_published` rows that are summed up over all of them are not cut; `options` go to every asking."""
        self._ask, self._limit, self._options = ask, limit, options
        self._sums_published = sums_published
        self._answers: dict[str, Answer] = {}

    def of(self, question: Question, values: Mapping[str, object], filters: Sequence[RowFilter] = ()) -> Answer:
        """The rows of a question with its values that all filters keep."""
        limit = None if self._sums_published and question.sums_published else self._limit
        return within(self._kept(question, values, filters, limit), limit)

    def whole(self, question: Question, values: Mapping[str, object], filters: Sequence[RowFilter] = ()) -> Answer:
        """The same without the limit: what is first of all rows may be among those that it leaves out."""
        return self._kept(question, values, filters, None)

    def _kept(
        self, question: Question, values: Mapping[str, object], filters: Sequence[RowFilter], limit: int | None
    ) -> Answer:
        of_some = values if "subjects" in values else {**values, **narrowing(self._ask, question, filters)}
        # filters look at rows that were read: a limit before them would cut what they keep
        answer = self._asked(question.name, of_some, limit=None if filters else limit)
        return filtered(self._ask, question, answer, filters)

    def has_any(self, reading: WordReading) -> bool:
        """Whether a reading has rows."""
        return bool(self.of(reading.question, reading.values, reading.filters).rows)

    def _asked(self, name: str, values: Mapping[str, object], *, limit: int | None) -> Answer:
        # values may be lists, which are no keys of a dictionary
        key = repr((name, sorted(values.items()), limit))
        if key not in self._answers:
            self._answers[key] = self._ask(name, limit=limit, **self._options, **values)
        return self._answers[key]


def within(answer: Answer, limit: int | None) -> Answer:
    """The first rows of an answer up to a limit; one that was cut says so.

    >>> from kg.stores.protocol import Answer
    >>> cut = within(Answer(("a",), (("1",), ("2",))), 1)
    >>> cut.rows, cut.complete
    ((('1',),), False)
    """
    if limit is None or len(answer.rows) <= limit:
        return answer
    return replace(answer, rows=answer.rows[:limit], complete=False)


def answered_readings(
    ask: Ask,
    questions: Mapping[str, Question],
    metric_words: Sequence[Sequence[str]],
    text: str,
    rows: QuestionRows,
    *,
    units: UnitTable | None = None,
) -> list[WordReading]:
    """The ways to read plain words, the one that is answered first; raises `UnsureQuestion` as `understood` does.

    Where the best one has no rows, one of its topic or metric that is likely too takes its place, or the claims of the thing
    and the metric that are named: a question of another topic has rows about the thing, and answers what nobody asked.
    """
    readings = understood(ask, questions.values(), text, metric_words, units)
    best = readings[0]
    if rows.has_any(best):
        return readings
    instead = next(filter(rows.has_any, readings_instead(ask, questions, best, rows.whole)), None)
    if instead is not None:
        return [instead, *(one for one in readings[1:] if one.question != instead.question)]
    found = claims_of_metric(ask, questions.values(), text, metric_words, units)
    if found is not None:
        readings = [found, *(one for one in readings if one.question != found.question)]
    alike = [one for one in readings[:_READINGS] if one is found or _is_alike(one, best)]
    answering = _first_answered(alike, rows) or _of_stated_kind(best, rows) or best
    return [answering, *(one for one in readings if one.question != answering.question)]


def _first_answered(readings: Sequence[WordReading], rows: QuestionRows) -> WordReading | None:
    """The first reading that passes over nothing and has rows."""
    return next(filter(rows.has_any, (one for one in readings if one.left_over.is_answered(1.0))), None)


def _of_stated_kind(best: WordReading, rows: QuestionRows) -> WordReading | None:
    """The same reading of the kind of claims that most rows are of, where none is of the usual kind: shares are no specifications."""
    if _KIND not in {one.name for one in best.question.parameters} or _KIND in best.values:
        return None
    of_kinds = [replace(best, values={**best.values, _KIND: (kind,)}) for kind in get_args(Kind)]
    most = max(of_kinds, key=lambda one: len(rows.of(one.question, one.values, one.filters).rows))
    return most if rows.has_any(most) else None


def _is_alike(reading: WordReading, best: WordReading) -> bool:
    """Whether a reading answers what the best one would: of its topic and likely, of the same two things, or about its metric."""
    if denies(reading.question) != denies(best.question):  # what was never measured is no answer to what was
        return False
    if reading.ignored and not best.ignored:  # of two things that are compared it would answer for one
        return False
    if best.values.keys() >= _PAIR:
        return reading.values.keys() >= _PAIR
    of_topic = reading.question.topic == best.question.topic and reading.share >= _LIKELY
    return of_topic or bool(reading.metrics & best.metrics)


def traced_figure(unsure: UnsureQuestion, is_stated: Callable[[str], bool]) -> str | None:
    """The figure of which plain words ask where it comes from: one that is stated, else the first; None for another command.

    That nobody states it is the answer then, also to what is wrong with it and what rests on it.
    """
    of_command = _figure_of_command(unsure)
    meant = list(figures_meant(unsure)) if of_command is None or is_stated(of_command) else [of_command]
    return next(filter(is_stated, meant), meant[0] if meant else None)


def _figure_of_command(unsure: UnsureQuestion) -> str | None:
    """The figure that a command other than trace is about; without its unit, as the command has it."""
    given = shlex.split(unsure.command)[1:] if unsure.command else [""]
    figures = {without_unit(one) for one in unsure.figures}
    return next((one for one in given[1:] if one in figures), None) if given[0] in _OF_FIGURE else None


def command_words(unsure: UnsureQuestion, is_stated: Callable[[str], bool]) -> list[str]:
    """The words of the other command that answers; a figure of it has its unit where it is stated with it."""
    whole = {without_unit(one): one for one in unsure.figures}
    given = shlex.split(unsure.command)[1:] if unsure.command else []
    return [whole[one] if one in whole and is_stated(whole[one]) else one for one in given]


def figures_meant(unsure: UnsureQuestion) -> Iterator[str]:
    """The figures of which plain words may ask where they come from, with the unit first; none for another command.

    A unit may be another than the one that was printed, where the digits tell what is meant: 40 PFLOPS are not the 40% of
    somebody. A bare count ("8 H100") is no figure that somebody printed, unless the words are those of a trace.
    """
    if unsure.command is None or unsure.command.startswith("kg trace"):
        meant = (one for one in unsure.figures if unsure.command or not is_small(one))
        yield from dict.fromkeys(form for one in meant for form in _forms(one))


def _forms(figure: str) -> Iterable[str]:
    yield figure
    digits = without_unit(figure)
    if is_telling(digits):
        yield digits
