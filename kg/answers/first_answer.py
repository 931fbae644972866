"""What answers a saved question before its rows do: the values of what is named, with their verdicts, or one line on all rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from kg.answers.counted_rows import counted_changes, counted_rows
from kg.answers.empty_answer import why_no_rows
from kg.answers.first_places import cheapest, fastest, highest, most_results, over, shortest, whether_official
from kg.answers.of_what_was_said import link_not_named, only_words
from kg.answers.official_ratio import official_of_pair
from kg.answers.published_ratios import BEARING_ON
from kg.answers.sheet import specs
from kg.answers.source_record import wrong_most
from kg.answers.stated_values import MAIN_METRICS, side_by_side, values_asked
from kg.ask.wording import metrics_said

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.answers.comparison_matrix import MatrixRow
    from kg.answers.published_ratios import OfficialRatio
    from kg.answers.sheet import Sheet
    from kg.answers.sheet_rows import SheetRow
    from kg.ask.lexicon import Lexicon
    from kg.ask.opened import Asks, Opened
    from kg.ask.question import Question
    from kg.ask.question_fit import WordReading
    from kg.ask.row_filters import RowFilter
    from kg.stores.protocol import Answer

    class _AskedGraph(Asks, Protocol):
        """A graph that is asked, with the words that its metrics have."""

        @property
        def lexicon(self) -> Lexicon:
            """The compiled questions and words."""
            ...


_IN_TRAINING: Final = re.compile(r"\btrain", re.IGNORECASE)
"""Official results of two things are those of inference."""
_MOST: Final = re.compile(r"\b(?:most|largest|biggest)\b", re.IGNORECASE)
SUMMED_UP: Final = frozenset(
    {
        "benchmarks/best",
        "benchmarks/changes",
        "benchmarks/gains",
        "benchmarks/measured",
        "benchmarks/measured-times",
        "benchmarks/round-submitters",
        "prices/per-million-tokens",
        "sources/verdicts",
    }
)
"""The questions of which one line says what all rows come to."""


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The values of two things next to each other, or those of one, or how far a metric reaches."""

    pairs: tuple[MatrixRow, ...] = ()
    values: tuple[SheetRow, ...] = ()
    reach: Sheet | None = None
    count: str = ""
    """How many there are, where that is asked, what all rows come to, or that no figure is stated."""
    official: OfficialRatio | None = None
    """What official results give of two things, where words ask which is faster, or only how they compare."""
    times: int = 1
    """Of how many chips the values are asked for."""

    def is_answer_without(self, answer: Answer) -> bool:
        """Whether it answers although no row does: that nothing is stated is the answer then."""
        return not answer.rows and bool(self.pairs or self.count or self.official)


@dataclass(frozen=True, slots=True)
class AskedRows:
    """A question that was asked, with its values and what narrows its rows; of plain words also these, and how they were read."""

    question: Question
    values: Mapping[str, object]
    filters: Sequence[RowFilter] = ()
    text: str = ""
    taken: WordReading | None = None


def first_answer(graph: _AskedGraph, asked: AskedRows, answer: Answer) -> FirstAnswer:
    """What was asked for in one line, as far as one value answers it; the values of things only where plain words ask for them."""
    name, values = asked.question.name, asked.values
    if summed := _summed(name, values, asked.text, answer):
        return FirstAnswer(count=summed)
    if asked.taken is None:
        return FirstAnswer()
    if name == "comparisons/compare":
        return _of_two(graph, asked, asked.taken, answer)
    if name == "entities/metric" or (name == "specifications/by-metric" and all(map(_is_of_chips, asked.filters))):
        sheet = specs(graph.ask, str(values["metric"]))
        return FirstAnswer(reach=sheet if sheet.kind == "metric" else None)
    return _of_one(graph, asked, asked.taken, answer)


def sums_up(asked: AskedRows) -> bool:
    """Whether one line on all rows may answer: it is made of all, also where few are shown."""
    return asked.question.name in SUMMED_UP or asked.taken is not None


def why_empty(graph: Opened, asked: AskedRows, answer: Answer, first: FirstAnswer) -> list[str]:
    """Why there are no rows; nothing where there are, or where something else answers."""
    if answer.rows or first.is_answer_without(answer):
        is_compared = asked.question.name == "comparisons/compare"
        alone = "no claim compares them; the figures are stated of each by itself"
        return [alone] if is_compared and not answer.rows else []
    return why_no_rows(graph, asked.question, asked.values, asked.filters)


def not_considered(asked: AskedRows, multiplied: Sequence[str]) -> list[str]:
    """What plain words name and the answer does not take up, a number of chips among it."""
    taken = asked.taken
    if taken is None:
        return []
    return [*taken.left_over.all, *([f"{taken.count:,}"] if taken.count > 1 and not multiplied else [])]


def said_with(asked: AskedRows, answer: Answer) -> list[str]:
    """What is said wherever rows are shown: what names were taken for, and what the rows are not to be taken for."""
    if not answer.rows:
        return []
    instead = asked.taken.instead if asked.taken is not None else ()
    return [*instead, *([asked.question.note] if asked.question.note else [])]


def _of_two(graph: _AskedGraph, asked: AskedRows, taken: WordReading, answer: Answer) -> FirstAnswer:
    """What is stated of both things for the metrics that words name; where nobody compares them, what data sheets begin with.

    Which of them is faster is answered by official results, and so is a comparison in nothing that is named.
    """
    lexicon, a, b = graph.lexicon, str(asked.values["a"]), str(asked.values["b"])
    metrics = tuple(sorted(taken.metrics)) or metrics_said(
        graph.ask, lexicon.questions.values(), asked.text, lexicon.metric_words
    )
    is_of_speed = not set(metrics) - BEARING_ON and _IN_TRAINING.search(asked.text) is None
    official = _by_label(graph.ask, official_of_pair(graph.ask, a, b)) if is_of_speed and not asked.filters else None
    if not metrics and not answer.rows:
        metrics = MAIN_METRICS
    return FirstAnswer(pairs=tuple(side_by_side(graph.ask, a, b, metrics, asked.filters)), official=official)


def _by_label(ask: Ask, found: OfficialRatio | None) -> OfficialRatio | None:
    """The same with the labels of the two in place of the keys that the words were read as."""
    if found is None:
        return None
    rows = ask("names/resolve", thing=[found.a, found.b]).dicts()
    labels = {str(row["thing"]): str(row["label"]) for row in rows if row["match"] == "named"}
    return found._replace(a=labels.get(found.a, found.a), b=labels.get(found.b, found.b))


def _summed(question: str, values: Mapping[str, object], text: str, answer: Answer) -> str:
    """One line on all rows of a question that lists what is compared; empty for any other."""
    match question:
        case "benchmarks/changes":
            return counted_changes(answer)
        case "sources/citing" if not answer.rows and "origin" in values:
            return f"no text here cites {values['origin']}"
        case "sources/verdicts":
            return counted_rows(text, answer) or wrong_most(answer)
        case "prices/per-million-tokens":
            return cheapest(answer)
        case "benchmarks/best":
            return fastest(answer)
        case "benchmarks/gains":
            return over(answer)
        case "benchmarks/measured-times":
            return shortest(answer)
        case "benchmarks/round-submitters" if _MOST.search(text):
            return most_results(answer)
        case "benchmarks/measured":
            return whether_official(text) or counted_rows(text, answer) or highest(answer)
        case _:
            return ""


def _of_one(graph: _AskedGraph, asked: AskedRows, taken: WordReading, answer: Answer) -> FirstAnswer:
    """The values of one thing, times the number of chips that is asked about; or how many rows there are."""
    if taken.metrics and (link := link_not_named(graph.ask, asked.text, answer)) is not None:
        return FirstAnswer(count=f"no claim here names {link}; what is stated of other links:")
    found = values_asked(graph.ask, asked.question.name, asked.values, asked.filters)
    count = counted_rows(asked.text, answer)
    if not count and not found and taken.metrics and only_words(answer):
        count = "no figure is stated; what is said in words:"
    return FirstAnswer(values=found, count=count, times=taken.count)


def _is_of_chips(wanted: RowFilter) -> bool:
    """Whether how far a metric reaches over single chips answers what rows are narrowed to, or only put in order by."""
    return wanted.order is not None or (wanted.kinds == {"level"} and wanted.name == "accelerator")
