"""The chart of what one accelerator gains over another, by the architecture of the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.answers.asking import Asker, Row, said, text
from kg.render.amounts import amount
from kg.render.charts import Lane, Mark, NothingToChart, Panel, Plan
from kg.render.picture_cards import KnownClaims, made_from, read_known
from kg.render.result_chart import ARCHITECTURES, corrected
from kg.render.scene import SceneTable
from kg.render.thing_nodes import KnownThings, brief_title, short

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened

NEWER: Final = "accelerator/nvidia-gb200-gpu"
OLDER: Final = "accelerator/nvidia-b200-sxm-180gb"


def gain_plan(graph: Opened, newer: str = NEWER, older: str = OLDER) -> Plan:
    """How far one chip is ahead of another on dense and on mixture-of-experts models, for a system and for one accelerator."""
    asker = Asker(graph.ask)
    tasks = {text(row, "task"): row for row in asker.rows("benchmarks/tasks")}
    one, other = _family(asker, newer), _family(asker, older)
    results = asker.rows("benchmarks/results", metric="throughput")
    rows = [row for row in results if text(row, "subject") in one | other]
    known = read_known(graph, asker, [text(row, "claim") for row in rows])
    found = _best_pairs(rows, one, known)
    things = KnownThings(asker)
    things.read([newer, older, *(key[3] for key in found)])
    title = f"{short(things.label(newer))} against {short(things.label(older))}"
    lanes: dict[str, list[tuple[str, Lane]]] = {"dense": [], "mixture of experts": [], "diffusion": [], "other": []}
    table: list[tuple[str, tuple[str, ...]]] = []
    for key in sorted(found):
        task = tasks.get(key[0])
        kind = "other" if task is None else ARCHITECTURES.get(text(task, "model_kind"), "other")
        lane, cells = _gain_lane(key, task, found[key], known, brief_title(things.label(key[3])))
        if lane.marks:
            lanes[kind].append((key[0], lane))
            table += [(name, (kind, lane.name, *rest)) for name, rest in cells]
    panels = tuple(
        Panel(f"{kind} models", "times as much", tuple(lane for _, lane in own), is_log=True, line=1.0, unit="×")
        for kind, own in lanes.items()
        if own
    )
    if not panels:
        raise NothingToChart(
            given=f"{newer} and {older}", expected="two things with results for one task, scenario, unit and source"
        )
    return Plan(
        _gain_title(title, lanes),
        _ABOUT_GAINS,
        panels,
        SceneTable("The same ratios", ("model class", "task", "counted", "ratio", "from", "claim"), tuple(table)),
        series=("per system", "per accelerator, printed", "per accelerator, computed", "wrong"),
        questions=asker.used,
        made_from=made_from(graph),
    )


_ABOUT_GAINS: Final = (
    "Ratio of two results of one source, task, scenario and unit; 1 means equal. A system counts all its accelerators, so a larger system "
    "gives a larger ratio. Per accelerator: as printed, and computed again with the correction that the audit found. Where a source "
    "has several submissions, the one with the best result per accelerator is taken."
)


def _family(asker: Asker, thing: str) -> set[str]:
    """The things that a name covers; the name itself where it covers none."""
    return {text(row, "entity") for row in asker.rows("names/resolve", thing=[thing])} or {thing}


def _gain_title(title: str, lanes: Mapping[str, list[tuple[str, Lane]]]) -> str:
    """The finding: the middle ratio for one accelerator, on each class of models."""
    medians = []
    for kind, own in lanes.items():
        ratios = [mark.value for _, lane in own for mark in lane.marks if mark.series == "per accelerator, computed"]
        if ratios:
            medians.append(f"{_ahead(median(ratios))} on {kind} models")
    return f"{title}, per accelerator: {' and '.join(medians)} (median)" if medians else title


def _ahead(ratio: float) -> str:
    """A ratio with its direction.

    >>> [_ahead(one) for one in (1.013, 0.932, 1.001, 2.966)]
    ['1.3 % higher', '6.8 % lower', 'equal', '2.97×']
    """
    percent = round(abs(ratio - 1) * 100, 1)
    # Half a percent is finer than prints of three digits.
    if percent < 0.5:
        return "equal"
    return f"{ratio:.3g}×" if ratio >= 2 else f"{percent:g} % {'higher' if ratio > 1 else 'lower'}"


def _best_pairs(
    rows: Iterable[Row], newer: set[str], known: KnownClaims
) -> dict[tuple[str, ...], dict[str, dict[str, ClaimCard]]]:
    """By task, scenario, unit and source: the submission of each side with the best result per accelerator, all its figures from one row."""
    submissions: dict[tuple[str, ...], dict[str, dict[str, dict[str, ClaimCard]]]] = {}
    for row in rows:
        card = known.cards.get(text(row, "claim"))
        # Other normalisers, such as per watt, are not ratios of systems or of accelerators.
        if card is not None and row["normaliser"] in ("total", "per-chip"):
            key: tuple[str, ...] = (text(row, "task"), text(row, "scenario"), said(row, "unit") or "", card.source.id)
            side = "newer" if text(row, "subject") in newer else "older"
            # The figures of one submission have ids that differ behind the last point: total and
            # per accelerator.
            own = submissions.setdefault(key, {}).setdefault(side, {}).setdefault(card.id.rpartition(".")[0], {})
            own[text(row, "normaliser", "unstated")] = card
    found: dict[tuple[str, ...], dict[str, dict[str, ClaimCard]]] = {}
    for task, sides in submissions.items():
        for half, rivals in sides.items():
            best = max(
                sorted(rivals),
                key=lambda stem: (
                    (corrected(rivals[stem]["per-chip"], known) or 0) if "per-chip" in rivals[stem] else -1
                ),
            )
            for normaliser, best_card in rivals[best].items():
                found.setdefault(task, {}).setdefault(normaliser, {})[half] = best_card
    return found


class _Ratio(NamedTuple):
    """A ratio of two claims with the figures above and below the line."""

    series: str
    newer: ClaimCard
    older: ClaimCard
    above: float | None
    below: float | None
    verdict: str | None = None
    """Colours the mark."""


def _ratios(cards: Mapping[str, Mapping[str, ClaimCard]], known: KnownClaims) -> Iterator[_Ratio]:
    """The ratios of one task: of systems and of accelerators as printed, and of accelerators as corrected."""
    for normaliser, series in (("total", "per system"), ("per-chip", "per accelerator, printed")):
        pair = cards.get(normaliser, {})
        if len(pair) == 2 and all(card.figure.printed for card in pair.values()):
            newer, older = pair["newer"], pair["older"]
            is_wrong = normaliser == "per-chip" and "wrong" in (newer.verdict, older.verdict)
            verdict = "wrong" if is_wrong else None
            above, below = newer.figure.canonical_value, older.figure.canonical_value
            yield _Ratio(series, newer, older, above, below, verdict)
    pair = cards.get("per-chip", {})
    if len(pair) == 2:
        newer, older = pair["newer"], pair["older"]
        yield _Ratio("per accelerator, computed", newer, older, corrected(newer, known), corrected(older, known))


def _gain_lane(
    key: tuple[str, ...],
    task: Row | None,
    cards: Mapping[str, Mapping[str, ClaimCard]],
    known: KnownClaims,
    source: str,
) -> tuple[Lane, list[tuple[str, tuple[str, ...]]]]:
    """One task with its ratios, and the rows of the table for them."""
    marks: list[Mark] = []
    cells: list[tuple[str, tuple[str, ...]]] = []
    for series, newer, older, above, below, verdict in _ratios(cards, known):
        if above and below and above > 0 and below > 0:
            ratio = f"{above / below:.3g}"
            marks.append(Mark(above / below, series=series, words=f"{ratio}×", verdict=verdict))
            used = f"{amount(above)} over {amount(below)} {newer.figure.canonical_unit or ''}".strip()
            cells.append((newer.id, (series, ratio, used, f"{newer.id} over {older.id}")))
    label = short(said(task, "model_label") or key[0]) if task is not None else key[0]
    return Lane(f"{label}, {key[1].partition('/')[2]}: {source}", tuple(marks)), cells
