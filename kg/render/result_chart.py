"""The chart of benchmark results: a panel a task and unit, each claimed result next to what it recomputes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isclose
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, Row, said, text
from kg.errors import UsageError
from kg.model.counting import counted
from kg.model.names import name_key
from kg.render.amounts import amount
from kg.render.charts import Lane, Mark, NothingToChart, Panel, Plan
from kg.render.claim_words import condition_words
from kg.render.number_line import figure_title
from kg.render.picture_cards import KnownClaims, figure_of, made_from, read_known
from kg.render.scene import SceneTable
from kg.render.thing_nodes import short

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened

ARCHITECTURES: Final = {"dense-model": "dense", "moe-model": "mixture of experts", "diffusion-model": "diffusion"}


def results_plan(graph: Opened, words: Sequence[str] = ()) -> Plan:
    """Results per accelerator by model and chip: what is printed next to what the printed total and count give."""
    asker = Asker(graph.ask)
    tasks = {text(row, "task"): row for row in asker.rows("benchmarks/tasks")}
    scenario, wanted = _narrowed(words, tasks)
    results = asker.rows("benchmarks/results", scenario=f"scenario/{scenario}")
    rows = [row for row in results if row["normaliser"] == "per-chip" and wanted in (None, text(row, "task"))]
    known = read_known(graph, asker, [text(row, "claim") for row in rows])
    panels = _lanes_of_panels(rows, known)
    if not panels:
        raise NothingToChart(given=" ".join(words) or scenario, expected="results with a figure per accelerator")
    made = tuple(_result_panel(tasks.get(task), task, unit, lanes) for (task, unit), lanes in sorted(panels.items()))
    shown = set().union(*panels.values())
    cards = [card for name, card in known.cards.items() if name in shown]
    title = _results_title(made, scenario)
    about = (
        f"{counted(len(cards), 'result')} per accelerator, scenario {scenario}. A recomputed value is the total over the count of its row; "
        "results of different units are in different panels."
    )
    return Plan(
        title,
        about,
        made,
        _result_table(cards, known),
        series=("printed", "recomputed", "wrong"),
        notes=(f"Other scenarios: kg view --chart results {'server' if scenario != 'server' else 'offline'}.",),
        questions=asker.used,
        made_from=made_from(graph),
    )


def _results_title(panels: Iterable[Panel], scenario: str) -> str:
    """The finding: how many of the results that a text prints are not what its totals give."""
    lanes = [lane for panel in panels for lane in panel.lanes]
    printed = sum(any(mark.series == "printed" for mark in lane.marks) for lane in lanes)
    bad = sum(lane.is_bad for lane in lanes)
    if not printed:
        return f"{counted(len(lanes), 'result')} per accelerator, computed from totals ({scenario})"
    ends = "does not follow from its total" if bad == 1 else "do not follow from their totals"
    return f"{bad} of {counted(printed, 'printed result')} per accelerator {ends} ({scenario})"


def _lanes_of_panels(rows: Iterable[Row], known: KnownClaims) -> dict[tuple[str, str], dict[str, Lane]]:
    """The results that can be drawn, by task and unit, each with its claim."""
    panels: dict[tuple[str, str], dict[str, Lane]] = {}
    for row in rows:
        card = known.cards.get(text(row, "claim"))
        lane = None if card is None else _result_lane(card, known)
        if card is not None and lane is not None:
            unit = (said(row, "unit") or "unit/1").partition("/")[2]
            panels.setdefault((text(row, "task"), unit), {})[card.id] = lane
    return panels


def _narrowed(words: Sequence[str], tasks: Mapping[str, Row]) -> tuple[str, str | None]:
    """The scenario and the task that the words name."""
    scenario, wanted = "offline", None
    for word in words:
        bare = word.removeprefix("scenario/").lower()
        if bare in ("offline", "server", "interactive", "single-stream", "multi-stream"):
            scenario = bare
            continue
        key = name_key(word.removeprefix("task/"))
        near = [
            name
            for name, row in tasks.items()
            if key and key in name_key(f"{name} {row['label']} {row['model_label']}".replace("/", " "))
        ]
        if not near:
            raise UsageError("is neither a scenario nor a task.", given=word, expected=", ".join(sorted(tasks)))
        wanted = near[0]
    return scenario, wanted


def _result_panel(row: Row | None, task: str, unit: str, lanes: Mapping[str, Lane]) -> Panel:
    model = said(row, "model_label") if row is not None else None
    kind = ARCHITECTURES.get(text(row, "model_kind"), "") if row is not None else ""
    label = f"{short(said(row, 'label') or task) if row is not None else task}" + (
        f": {model}, {kind}" if model and kind else f": {model}" if model else ""
    )
    ordered = sorted(lanes.values(), key=lambda lane: (-max(mark.value for mark in lane.marks), lane.name))
    values = [mark.value for lane in ordered for mark in lane.marks]
    # Over eightfold the small values would lie on each other.
    is_log = max(values) / max(min(values), 1e-12) > 8
    return Panel(f"{label}, in {unit} per accelerator", "", tuple(ordered), is_log=is_log)


def recomputed(card: ClaimCard, known: KnownClaims) -> tuple[float, float | None, float | None] | None:
    """What the printed inputs of a claim give, with the ends that they allow."""
    for one in known.about(card.id):
        if one.computed_value is not None and one.code.startswith("arithmetic."):
            calculation = known.calculations.get(one.id)
            ends = calculation.computed if calculation is not None else None
            low = float(ends.lower) if ends is not None and ends.lower is not None else None
            high = float(ends.upper) if ends is not None and ends.upper is not None else None
            return one.computed_value, low, high
    return None


def corrected(card: ClaimCard, known: KnownClaims) -> float | None:
    """The value to count with: the corrected one where there is one, else the recomputed, else the printed."""
    for one in known.about(card.id):
        if one.corrected_value is not None:
            return one.corrected_value
        # An explanation is a guess: its value counts only where the print itself is refuted.
        if (
            cause := next((each for each in one.explanations if each.corrected_value is not None), None)
        ) is not None and card.verdict == "wrong":
            return cause.corrected_value
    again = recomputed(card, known)
    return again[0] if again is not None and card.figure.canonical_value is None else card.figure.canonical_value


def _result_lane(card: ClaimCard, known: KnownClaims) -> Lane | None:
    figure = card.figure
    again = recomputed(card, known)
    printed = figure.canonical_value if figure.printed else None
    marks = list(_result_marks(card, again))
    if not marks:
        return None
    # Beyond five percent the two marks are no rounding of one value.
    is_other = printed is not None and again is not None and not isclose(printed, again[0], rel_tol=0.05)
    name = f"{short(card.subjects[0].name)}, {figure_title(card)}"
    return Lane(name, tuple(marks), is_bad=card.verdict == "wrong" or is_other)


def _result_marks(card: ClaimCard, again: tuple[float, float | None, float | None] | None) -> Iterator[Mark]:
    """What the printed inputs of a result give, and what is printed."""
    figure = card.figure
    value, low, high = figure.canonical_value, figure.canonical_lower, figure.canonical_upper
    if again is not None and again[0] > 0:
        # Within half a percent a second label would repeat the first.
        is_same = bool(figure.printed and value and isclose(value, again[0], rel_tol=0.005))
        yield Mark(*again, series="recomputed", words="" if is_same else amount(again[0]))
    if figure.printed is None and again is None and value:
        yield Mark(value, low, high, series="recomputed", words=amount(value))
    if figure.printed and value is not None and value > 0:
        verdict = "wrong" if card.verdict == "wrong" else None
        yield Mark(value, low, high, series="printed", words=figure.printed, verdict=verdict)


def _result_table(cards: Iterable[ClaimCard], known: KnownClaims) -> SceneTable:
    rows = []
    for card in cards:
        again = recomputed(card, known)
        outcome = next(
            (one.verdict or one.code for one in known.about(card.id) if one.code.startswith("arithmetic.")),
            "not computed",
        )
        rows.append(
            (
                card.id,
                (
                    short(card.subjects[0].name),
                    condition_words(card.conditions),
                    figure_of(card) or "none",
                    "none" if again is None else amount(again[0], card.figure.canonical_unit),
                    outcome,
                    card.verdict,
                    card.id,
                ),
            )
        )
    return SceneTable(
        "The same values",
        ("chip", "conditions", "printed", "recomputed", "recomputation", "verdict", "claim"),
        tuple(rows),
    )
