"""A thing or a metric: its spec sheet, disputes first, its family, what it is compared with, its published results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from kg.answers.sheet import count_verdicts, sheet_of
from kg.render.amounts import amount
from kg.render.dot_plot import DotPlot, PlotMark, PlotRow, dot_plot
from kg.render.results import tables_of
from kg.render.sheet_text import opening, row_name, value_words, whose
from kg.web.pages.prices import price_history
from kg.web.view import Cut, View, page_address

if TYPE_CHECKING:
    from kg.answers.claim import Thing
    from kg.answers.sheet import PublishedResults, Sheet
    from kg.answers.sheet_rows import SheetRow
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN: Final = 40
_SHOWN_LINKS: Final = 12


class LinkList(NamedTuple):
    """Other things that one kind of link leads to."""

    title: str
    others: tuple[Thing, ...]
    more: int


class ResultPlot(NamedTuple):
    """Published results of one task, unit and scenario, an accelerator a row."""

    title: str
    plot: DotPlot


def show_thing(graph: Graph, asked: Asked) -> View:
    """One thing by id or by a name; a name of several lists them."""
    name = asked.word("thing")
    shown = graph.show(name)
    if shown.kind == "claim":
        return View("", "", {"to": page_address("/claim", name)}, data=dict, status=303)
    if shown.kind == "source":
        return View("", "", {"to": page_address("/source", name.removeprefix("source/"))}, data=dict, status=303)
    # 300 Multiple Choices: a name of several things is no error, and none of them is the answer.
    if shown.kind == "several":
        title = f"“{name}” is a name of {len(shown.candidates)} things"
        return View("several.html", title, {"shown": shown}, data=shown.to_json, status=300)
    sheet = sheet_of(graph.ask, shown, name)
    rows = sheet.rows if asked.wants_all else sheet.rows[:_SHOWN]
    plots = _plots(sheet.published)
    prices = None if sheet.kind == "metric" else price_history(graph, name, every=asked.wants_all)
    return View(
        "thing.html",
        f"{sheet.label}: {count_verdicts(sheet)}" if sheet.rows else f"{sheet.label}: no specification is stated",
        {
            "sheet": sheet,
            "also": shown.candidates,
            "rows": rows,
            "name_of": row_name,
            "value_of": value_words,
            "whose": whose,
            "claims_told": _claims_told,
            "opening": opening,
            "links": list(_links(sheet)),
            "plots": plots,
            "prices": prices,
        },
        data=sheet.to_json,
        rows=lambda: next(iter(tables_of(sheet).values())),
        about=(sheet.id,),
        cut=Cut(len(rows), len(sheet.rows), "specifications"),
        cites=sheet.id,
        plots=(*(one.plot for one in plots), *(() if prices is None else prices.plots)),
        picture=f"/picture.svg?of=thing&of={quote(sheet.id)}",
    )


def _links(sheet: Sheet) -> Iterable[LinkList]:
    for link in dict.fromkeys(one.link for one in sheet.links):
        others = tuple(one.other for one in sheet.links if one.link == link)
        yield LinkList(link[:1].upper() + link[1:], others[:_SHOWN_LINKS], max(0, len(others) - _SHOWN_LINKS))


def _plots(results: Iterable[PublishedResults]) -> list[ResultPlot]:
    """One plot a task, scenario and unit: from the lowest to the highest result of each accelerator."""
    groups: dict[tuple[str, str, str], list[PublishedResults]] = {}
    for one in results:
        scenario = "" if one.scenario is None else f", {one.scenario.name}"
        groups.setdefault((one.task.name, scenario, one.unit or ""), []).append(one)
    made = []
    for (task, scenario, unit), found in groups.items():
        if len(found) < 2:  # the table says as much
            continue
        rows = [
            PlotRow(
                one.accelerator.name,
                page_address("/claim", one.best),
                (PlotMark(one.high, one.low, one.high, _span(one), "published", f"{one.results} results", "diamond"),),
            )
            for one in found
        ]
        title = f"{task}{scenario}" + (f", {unit} per accelerator" if unit else "")
        made.append(ResultPlot(title, dot_plot(title, rows, through=None, unit="")))
    return made


def _span(one: PublishedResults) -> str:
    best = amount(one.high, one.unit)
    return best if one.low == one.high else f"{amount(one.low)} to {best}"


def _claims_told(row: SheetRow) -> list[str]:
    """A claim for each value that a row tells; of a single one the first two."""
    told = row.values[: row.told]
    return list(told[0].claims[:2]) if len(told) == 1 else [one.claims[0] for one in told]
