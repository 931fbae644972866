"""What is asked for a thing over time: a plot for each kind of price, a row a day, and the claims next to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kg.model.verdict import Verdict
from kg.render.amounts import amount
from kg.render.claim_words import condition_words
from kg.render.dot_plot import DotPlot, PlotMark, PlotRow, dot_plot
from kg.web.view import Cut, page_address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.session import Graph

_MOST_DAYS: Final = 24
_LISTED: Final = 60


class StatedPrice(NamedTuple):
    """One price that somebody gave on a day."""

    day: str
    kind: str
    """What it is the price of, with its unit."""
    value: float
    unit: str
    thing: str
    terms: str
    source: str
    claim: str
    verdict: Verdict

    @property
    def shown(self) -> str:
        """The price with its unit."""
        return amount(self.value, self.unit)


class PriceHistory(NamedTuple):
    """Plots of the newest days, the prices from the newest on, and how many of them are listed."""

    plots: tuple[DotPlot, ...]
    listed: tuple[StatedPrice, ...]
    cut: Cut


def price_history(graph: Graph, thing: str, *, every: bool = False) -> PriceHistory:
    """The dated prices of a thing; without any it is empty."""
    rows = graph.ask("specifications/all-claims", thing=thing, kind="price").dicts()
    found = [_price(row) for row in rows if row["canonical_value"] is not None and row["said_on"] is not None]
    found.sort(key=lambda one: (one.day, one.kind, one.claim), reverse=True)
    listed = tuple(found if every else found[:_LISTED])
    plots = tuple(
        plot
        for kind in dict.fromkeys(one.kind for one in found)
        if (plot := _plot(kind, [one for one in found if one.kind == kind])).rows
    )
    return PriceHistory(plots, listed, Cut(len(listed), len(found), "prices"))


def _price(row: Mapping[str, object]) -> StatedPrice:
    metric, normaliser, unit = (str(row[name] or "") for name in ("metric", "normaliser", "canonical_unit"))
    per = "" if normaliser in ("", "unstated", "total") else f" {normaliser.replace('-', ' ')}"
    value = row["canonical_value"]
    assert isinstance(value, int | float)
    return StatedPrice(
        str(row["said_on"]),
        f"{metric.removeprefix('metric/').replace('-', ' ')}{per}, {unit.removeprefix('count:')}",
        float(value),
        unit,
        str(row["subject_label"] or row["subject"]),
        condition_words(str(row["conditions"] or "")),
        str(row["source"]),
        str(row["claim"]),
        row["verdict"],  # type: ignore[arg-type]  # the column holds one of the six words
    )


def _plot(kind: str, prices: list[StatedPrice]) -> DotPlot:
    """One row a day, the oldest of the newest days first; equal prices of a day are one mark."""
    days: dict[str, dict[tuple[float, Verdict], list[StatedPrice]]] = {}
    for one in prices:
        days.setdefault(one.day, {}).setdefault((one.value, one.verdict), []).append(one)
    rows = []
    for day in sorted(days)[-_MOST_DAYS:]:
        marks = sorted(days[day].items())
        rows.append(
            PlotRow(
                day,
                # The dearest price of the day is the one that is written next to its mark, and where
                # the row leads.
                page_address("/claim", marks[-1][1][0].claim),
                tuple(
                    PlotMark(
                        value,
                        value,
                        value,
                        same[0].shown,
                        verdict,
                        f"{same[0].thing}, {same[0].terms}" + (f" and {len(same) - 1} more" if len(same) > 1 else ""),
                        is_told=(value, verdict) == marks[-1][0],
                    )
                    for (value, verdict), same in marks
                ),
            )
        )
    return dot_plot(f"{kind[:1].upper()}{kind[1:]}", rows, through=None, unit="")
