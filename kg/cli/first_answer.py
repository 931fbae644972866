"""What `kg ask` says before the rows: the values of what plain words named, with their verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from kg.answers.comparison_matrix import MatrixRow
    from kg.answers.sheet_rows import SheetRow
    from kg.ask.question_fit import WordReading
    from kg.ask.row_filters import RowFilter
    from kg.session import Graph
    from kg.stores.protocol import Answer


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The values of two things next to each other, or those of one, or how far a metric reaches."""

    pairs: "tuple[MatrixRow, ...]" = ()
    values: "tuple[SheetRow, ...]" = ()
    extremes: str = ""
    count: str = ""
    """How many there are, where that is asked, or that no figure is stated."""
    multiplied: "tuple[str, ...]" = ()
    """What several chips have, computed from the values of one."""

    def to_json(self) -> dict[str, object]:
        """Plain values; what there is none of is left out."""
        pairs = [
            {"metric": one.metric, "facets": one.facets, "level": one.level, "a": _value(one.a), "b": _value(one.b)}
            for one in self.pairs
        ]
        values = [
            {"metric": one.metric, "facets": one.facets, "level": one.level, **_value(one)} for one in self.values
        ]
        named = (("side_by_side", pairs), ("values", values), ("count", self.count), ("multiplied", self.multiplied))
        return {name: found for name, found in named if found}


def first_answer(
    graph: "Graph",
    readings: "Sequence[WordReading]",
    values: Mapping[str, object],
    text: str,
    filters: "Sequence[RowFilter]",
    *,
    answer: "Answer",
) -> FirstAnswer:
    """What the words ask for in one line, as far as one value answers them; `filters` are those of the words and of options."""
    from kg.answers.stated_values import MAIN_METRICS, side_by_side
    from kg.ask.wording import metrics_said

    if not readings:
        return FirstAnswer()
    taken = readings[0]
    match taken.question.name:
        case "comparisons/compare":
            metrics = tuple(sorted(taken.metrics)) or metrics_said(
                graph.ask, graph.questions().values(), text, graph.lexicon.metric_words
            )
            if not metrics and not answer.rows:  # nobody compares them: what data sheets begin with is shown of each
                metrics = MAIN_METRICS
            return FirstAnswer(
                pairs=tuple(side_by_side(graph.ask, str(values["a"]), str(values["b"]), metrics, filters))
            )
        case "specifications/by-metric" if all(map(_is_of_chips, filters)):
            return FirstAnswer(extremes=_reach(graph, str(values["metric"])))
        case "entities/metric":
            return FirstAnswer(extremes=_reach(graph, str(values["metric"])))
        case name:
            summed = _summed(name, values, text, answer)
            return FirstAnswer(count=summed) if summed else _of_one(graph, taken, values, text, filters, answer=answer)


def _summed(question: str, values: Mapping[str, object], text: str, answer: "Answer") -> str:
    """One line on all rows of a question that lists what is compared; empty for any other."""
    from kg.answers.counted_rows import counted_changes, counted_rows
    from kg.answers.first_places import cheapest, fastest, over, shortest
    from kg.answers.source_record import wrong_most

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
        case _:
            return ""


def _of_one(
    graph: "Graph",
    taken: "WordReading",
    values: Mapping[str, object],
    text: str,
    filters: "Sequence[RowFilter]",
    *,
    answer: "Answer",
) -> FirstAnswer:
    """The values of one thing, times the number of chips that is asked about; or how many rows there are."""
    from kg.answers.counted_rows import counted_rows
    from kg.answers.of_what_was_said import link_not_named, only_words
    from kg.answers.stated_values import values_asked
    from kg.render.stated_text import multiplied_words

    if taken.metrics and (link := link_not_named(graph.ask, text, answer)) is not None:
        return FirstAnswer(count=f"no claim here names {link}; what is stated of other links:")
    found = values_asked(graph.ask, taken.question.name, values, filters)
    count = counted_rows(text, answer)
    if not count and not found and taken.metrics and only_words(answer):
        count = "no figure is stated; what is said in words:"
    of_metric = {one.metric: one for one in reversed(found)}  # of "power" and "power, max" the first
    times = tuple(filter(None, (multiplied_words(one, taken.count) for one in of_metric.values())))
    return FirstAnswer(values=found, count=count, multiplied=times)


def _is_of_chips(wanted: "RowFilter") -> bool:
    """Whether how far a metric reaches over single chips answers what rows are narrowed to, or only put in order by."""
    return wanted.order is not None or (wanted.kinds == {"level"} and wanted.name == "accelerator")


def put_first(found: FirstAnswer) -> None:
    """A line a value, before what texts say of it."""
    from kg.render.stated_text import pair_words, stated_words

    for line in (
        *map(pair_words, found.pairs),
        *found.multiplied,
        *map(stated_words, found.values),
        found.extremes,
        found.count,
    ):
        if line:
            typer.echo(line)


def _reach(graph: "Graph", metric: str) -> str:
    from kg.answers.sheet import specs
    from kg.render.sheet_text import extremes

    sheet = specs(graph.ask, metric)
    found = extremes(sheet) if sheet.kind == "metric" else ""
    return f"{sheet.label}{found}" if found else ""


def _value(row: "SheetRow") -> dict[str, object]:
    return {"id": row.of.id, "label": row.of.label, "value": row.value, "verdict": row.verdict}
