"""What `kg ask` says before the rows: the values of what plain words named, with their verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

import typer

if TYPE_CHECKING:
    from kg.answers.comparison_matrix import MatrixRow
    from kg.answers.sheet_rows import SheetRow
    from kg.ask.question_fit import WordReading
    from kg.ask.row_filters import RowFilter
    from kg.session import Graph
    from kg.stores.protocol import Answer


_PRICES: Final = ("purchase-price", "rental-price")
_MONEY: Final = "USD"
"""What canonical units of prices begin with; a share of a price is none."""


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The values of two things next to each other, or those of one, or how far a metric reaches."""

    pairs: "tuple[MatrixRow, ...]" = ()
    values: "tuple[SheetRow, ...]" = ()
    extremes: str = ""
    count: str = ""
    """How many there are, where that is asked."""

    def to_json(self) -> dict[str, object]:
        """Plain values; what there is none of is left out."""
        pairs = [
            {"metric": one.metric, "facets": one.facets, "level": one.level, "a": _value(one.a), "b": _value(one.b)}
            for one in self.pairs
        ]
        values = [
            {"metric": one.metric, "facets": one.facets, "level": one.level, **_value(one)} for one in self.values
        ]
        named = (("side_by_side", pairs), ("values", values), ("count", self.count))
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
    from kg.answers.counted_rows import counted_changes, counted_rows
    from kg.answers.stated_values import side_by_side, values_of
    from kg.ask.wording import metrics_said

    if not readings:
        return FirstAnswer()
    taken = readings[0]
    match taken.question.name:
        case "comparisons/compare":
            metrics = metrics_said(graph.ask, graph.questions().values(), text, graph.lexicon.metric_words)
            return FirstAnswer(
                pairs=tuple(side_by_side(graph.ask, str(values["a"]), str(values["b"]), metrics, filters))
            )
        case "claims/of-metric":
            asked = cast("Sequence[str]", values["metric"])
            return FirstAnswer(values=values_of(graph.ask, str(values["thing"]), asked, filters))
        case "prices/claims":
            return FirstAnswer(values=_prices(graph, taken, filters))
        case "specifications/by-metric" if all(map(_is_of_chips, filters)):
            return FirstAnswer(extremes=_reach(graph, str(values["metric"])))
        case "benchmarks/changes":
            return FirstAnswer(count=counted_changes(answer))
        case _:
            return FirstAnswer(count=counted_rows(text, answer))


def _prices(graph: "Graph", taken: "WordReading", filters: "Sequence[RowFilter]") -> "tuple[SheetRow, ...]":
    """What one thing costs to buy and to rent, as far as that is asked for."""
    from kg.answers.stated_values import values_of

    named = [one for one in filters if "metric" not in one.kinds]
    if len(named) != 1 or not named[0].name or named[0].value is not None:
        return ()
    metrics = [one.removeprefix("metric/") for one in taken.metrics if one] or _PRICES
    found = values_of(graph.ask, named[0].name, metrics)
    return tuple(one for one in found if (one.unit or "").startswith(_MONEY))


def _is_of_chips(wanted: "RowFilter") -> bool:
    """Whether how far a metric reaches over single chips answers what rows are narrowed to, or only put in order by."""
    return wanted.order is not None or (wanted.kinds == {"level"} and wanted.name == "accelerator")


def put_first(found: FirstAnswer) -> None:
    """A line a value, before what texts say of it."""
    from kg.render.compare_text import pair_words, stated_words

    for line in (*map(pair_words, found.pairs), *map(stated_words, found.values), found.extremes, found.count):
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
