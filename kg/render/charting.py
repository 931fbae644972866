"""Charts of saved questions: results, a number line, a timeline, the gain on dense and mixture-of-experts models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isclose
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.answers.asking import Asker, Row, said, text
from kg.answers.published import known_metric
from kg.errors import UsageError
from kg.model.names import name_key
from kg.render.amounts import amount
from kg.render.charts import JUDGED, Chart, Lane, Mark, NothingToChart, Panel, Plan, draw
from kg.render.claim_words import condition_words
from kg.render.picture_cards import (
    KnownClaims,
    KnownThings,
    brief_claim_table,
    brief_title,
    figure_of,
    made_from,
    read_known,
    short,
    speaker,
)
from kg.render.scene import SceneTable

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened

CHARTS: Final = ("results", "number-line", "timeline", "gain")
NEWER: Final = "accelerator/nvidia-gb200-gpu"
OLDER: Final = "accelerator/nvidia-b200-sxm-180gb"
_MOST_LANES: Final = 40
_ARCHITECTURES: Final = {"dense-model": "dense", "moe-model": "mixture of experts", "diffusion-model": "diffusion"}


def chart(graph: Opened, name: str, words: Sequence[str] = (), *, form: str = "svg") -> Chart:
    """Draw a chart by its name; what the words mean depends on the chart."""
    return draw(plan(graph, name, words), form)


def plan(graph: Opened, name: str, words: Sequence[str] = ()) -> Plan:
    """The rows of a chart, before it is drawn."""
    most = {"results": 2, "number-line": 2, "timeline": 1, "gain": 2}.get(name)
    if most is None:
        raise UsageError("is not a chart.", field="--chart", given=name, expected=", ".join(CHARTS))
    if len(words) > most:
        raise UsageError(
            field=f"--chart {name}",
            given=" ".join(words),
            expected=f"at most {most} words; a name of several words in quotes",
        )
    if name == "results":
        return results_plan(graph, words)
    if name == "timeline":
        return timeline_plan(graph, words[0] if words else None)
    if name == "gain":
        return gain_plan(graph, *(words if len(words) == 2 else (NEWER, OLDER)))
    if not words:
        raise UsageError(
            field="--chart number-line", expected="a thing and a metric (H200 memory-bandwidth), or a claim id"
        )
    return claim_line_plan(graph, words[0]) if len(words) == 1 else number_line_plan(graph, words[0], words[1])


# --- all values for one statement ------------------------------------------------------------------------------------


def number_line_plan(graph: Opened, thing: str, metric: str) -> Plan:
    """All values that are claimed of a thing for one metric, with their intervals and speakers."""
    asker = Asker(graph.ask)
    slug = known_metric(asker, metric, field="--chart number-line")
    rows = asker.rows("specifications/all-claims", thing=thing)
    claims = list(dict.fromkeys(text(row, "claim") for row in rows if text(row, "metric") == f"metric/{slug}"))
    return _line(graph, asker, claims, f"{slug.replace('-', ' ')} of {thing}")


def claim_line_plan(graph: Opened, claim: str) -> Plan:
    """All values that are claimed for the statement of one claim."""
    asker = Asker(graph.ask)
    others = [text(row, "other") for row in asker.rows("claims/same-statement", claim=[claim])]
    return _line(graph, asker, [claim, *others], f"the statement of {claim}")


def claims_plan(graph: Opened, claims: Iterable[str], what: str) -> Plan:
    """The figures of given claims on one line."""
    return _line(graph, Asker(graph.ask), claims, what)


def _line(graph: Opened, asker: Asker, claims: Iterable[str], what: str) -> Plan:
    known = read_known(graph, asker, claims)
    shown = _of_commonest_unit(known.cards.values())
    if not shown:
        raise NothingToChart(given=what, expected="claims with a figure", next_step="kg find TEXT lists what is there")
    factor, printed_unit = _printed_unit(shown)
    values = [card.figure.canonical_value or 0 for card in shown]
    left_out = len(known.cards) - len(shown)
    notes = [f"{left_out} claims have no figure in this unit and are not drawn."] if left_out else []
    if len(shown) > _MOST_LANES:
        notes.append(f"This is a part: {_MOST_LANES} of {len(shown)} claims are drawn.")
    lanes = tuple(_figure_lane(card, factor) for card in shown[:_MOST_LANES])
    distinct = len({round(value, 9) for value in values})
    about = f"{len(shown)} claims give {distinct} different values for {what}. The broad bar is what the print allows; shape and colour say whether it can be used."
    panel = Panel(
        "",
        printed_unit,
        lanes,
        is_log=min(values) > 0 and max(values) / min(values) > 20,
        unit=printed_unit,
    )
    return Plan(
        _line_title(shown, what, printed_unit),
        about,
        (panel,),
        brief_claim_table(shown),
        series=JUDGED,
        notes=tuple(notes),
        questions=asker.used,
        made_from=made_from(graph),
    )


def _of_commonest_unit(cards: Iterable[ClaimCard]) -> list[ClaimCard]:
    """The claims whose figures are in the unit that most have, lowest figure first."""
    units: dict[str, list[ClaimCard]] = {}
    for card in cards:
        if card.figure.canonical_value is not None:
            units.setdefault(card.figure.canonical_unit or "1", []).append(card)
    # of units that are equally common, the first by name
    shown = max((units[name] for name in sorted(units)), key=len, default=[])
    return sorted(shown, key=lambda card: (card.figure.canonical_value or 0, card.id))


def _printed_unit(cards: Sequence[ClaimCard]) -> tuple[float, str]:
    """The unit that most of the figures are printed in, and how many of the canonical unit it is: people read TB/s."""
    printed = [card.figure.unit for card in cards if card.figure.unit and card.figure.single]
    for unit in sorted(set(printed), key=lambda one: (-printed.count(one), one)):
        for card in cards:
            value, canonical = card.figure.single, card.figure.canonical_value
            if card.figure.unit == unit and value and canonical:
                return canonical / value, "×" if unit == "1" else unit.removeprefix("count:")
    return 1.0, ""


def _line_title(cards: Sequence[ClaimCard], what: str, unit: str) -> str:
    """The finding: which value most of the claims give, and how many are refuted."""
    usable = [card for card in cards if card.verdict != "wrong"]
    values = [round(card.figure.canonical_value or 0, 9) for card in usable]
    wrong = len(cards) - len(usable)
    refuted = f"; {wrong} {'is' if wrong == 1 else 'are'} wrong" if wrong else ""
    if not values:
        return f"{what[:1].upper()}{what[1:]}: every claimed value is refuted"
    often = max(values, key=values.count)
    texts = [figure_of(card) or "" for card, value in zip(usable, values, strict=True) if value == often]
    shown = max(texts, key=lambda text: (text.endswith(f" {unit}"), texts.count(text)))
    return f"{what[:1].upper()}{what[1:]}: {shown} in {values.count(often)} of {len(cards)} claims{refuted}"


def _figure_lane(card: ClaimCard, factor: float) -> Lane:
    figure = card.figure
    mark = Mark(
        (figure.canonical_value or 0.0) / factor,
        None if figure.canonical_lower is None else figure.canonical_lower / factor,
        None if figure.canonical_upper is None else figure.canonical_upper / factor,
        words=figure_of(card) or "",
        verdict=card.verdict,
    )
    return Lane(
        f"{short(card.subjects[0].label or card.subjects[0].id)}: {_cut(speaker(card), 20)} in {_title(card)}",
        (mark,),
        is_bad=card.verdict == "wrong",
    )


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 2].rstrip() + " …"


def _title(card: ClaimCard) -> str:
    """The title of the source of a claim in a few words."""
    return brief_title(card.source.label or card.source.id)


# --- results ---------------------------------------------------------------------------------------------------------


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
    bad = sum(lane.is_bad for panel in made for lane in panel.lanes)
    about = (
        f"{len(cards)} results per accelerator, scenario {scenario}. A recomputed value is the printed total over the printed count; "
        f"{bad} printed values do not follow from them. Scales are logarithmic; results of different units are in different panels."
    )
    return Plan(
        f"{bad} of {len(cards)} printed results per accelerator do not follow from their totals ({scenario})",
        about,
        made,
        _result_table(cards, known),
        series=("printed", "recomputed", "wrong"),
        notes=(f"Other scenarios: kg view --chart results {'server' if scenario != 'server' else 'offline'}.",),
        questions=asker.used,
        made_from=made_from(graph),
    )


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
    kind = _ARCHITECTURES.get(text(row, "model_kind"), "") if row is not None else ""
    label = f"{short(said(row, 'label') or task) if row is not None else task}" + (
        f": {model}, {kind}" if model and kind else f": {model}" if model else ""
    )
    ordered = sorted(lanes.values(), key=lambda lane: (-max(mark.value for mark in lane.marks), lane.name))
    values = [mark.value for lane in ordered for mark in lane.marks]
    return Panel(label, f"{unit} per accelerator", tuple(ordered), is_log=max(values) / max(min(values), 1e-12) > 8)


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
    is_other = printed is not None and again is not None and not isclose(printed, again[0], rel_tol=0.05)
    name = f"{short(card.subjects[0].label or card.subjects[0].id)}, {_title(card)}"
    return Lane(name, tuple(marks), is_bad=card.verdict == "wrong" or is_other)


def _result_marks(card: ClaimCard, again: tuple[float, float | None, float | None] | None) -> Iterator[Mark]:
    """What the printed inputs of a result give, and what is printed."""
    figure = card.figure
    if again is not None and again[0] > 0:
        yield Mark(*again, series="recomputed")
    value, low, high = figure.canonical_value, figure.canonical_lower, figure.canonical_upper
    if figure.printed is None and again is None and value:
        yield Mark(value, low, high, series="recomputed")
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
                    short(card.subjects[0].label or card.subjects[0].id),
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


# --- gain ------------------------------------------------------------------------------------------------------------


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
    title = f"{short(things.label(newer))} over {short(things.label(older))}"
    lanes: dict[str, list[tuple[str, Lane]]] = {"dense": [], "mixture of experts": [], "diffusion": [], "other": []}
    table: list[tuple[str, tuple[str, ...]]] = []
    for key in sorted(found):
        task = tasks.get(key[0])
        kind = "other" if task is None else _ARCHITECTURES.get(text(task, "model_kind"), "other")
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
            medians.append(f"{median(ratios):.3g}× on {kind} models")
    return f"{title}: {' and '.join(medians)} for one accelerator (median)" if medians else title


def _best_pairs(
    rows: Iterable[Row], newer: set[str], known: KnownClaims
) -> dict[tuple[str, ...], dict[str, dict[str, ClaimCard]]]:
    """By task, scenario, unit and source: the submission of each side with the best result per accelerator, all its figures from one row."""
    submissions: dict[tuple[str, ...], dict[str, dict[str, dict[str, ClaimCard]]]] = {}
    for row in rows:
        card = known.cards.get(text(row, "claim"))
        if card is not None and row["normaliser"] in ("total", "per-chip"):
            key: tuple[str, ...] = (text(row, "task"), text(row, "scenario"), said(row, "unit") or "", card.source.id)
            side = "newer" if text(row, "subject") in newer else "older"
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


# --- timeline --------------------------------------------------------------------------------------------------------


def timeline_plan(graph: Opened, thing: str | None = None) -> Plan:
    """When what was said, by speaker; a date that is only a year or a month is drawn as long as it is."""
    asker = Asker(graph.ask)
    rows = _dated_rows(asker, thing)
    counted: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        day = said(row, "said_on")
        if day is not None:
            counted.setdefault((said(row, "asserted_by") or "org/unknown", day), []).append(text(row, "claim"))
    if not counted:
        raise NothingToChart(given=thing or "everything", expected="claims with a date")
    things = KnownThings(asker)
    things.read(sorted({name for name, _ in counted}))
    lanes = _speaker_lanes(counted, things)
    dated = len({claim for claims in counted.values() for claim in claims})
    undated = len({text(row, "claim") for row in rows}) - dated
    notes = [f"{undated:,} claims have no date and are not drawn."] if undated else []
    if len(lanes) > _MOST_LANES:
        notes.append(f"This is a part: {_MOST_LANES} of {len(lanes)} authors are drawn.")
    table = tuple(
        (claims[0], (short(things.label(name)), date, str(len(set(claims))), min(claims)))
        for (name, date), claims in sorted(counted.items())
    )
    return Plan(
        _timeline_title(counted, things, thing),
        f"{dated:,} dated claims by {len(lanes)} authors; the number at the start of a lane counts its claims by date.",
        (Panel("", "", tuple(lanes[:_MOST_LANES])),),
        SceneTable("The same dates", ("asserted by", "date", "claims", "first claim"), table),
        dates=True,
        notes=tuple(notes),
        series=("claims",),
        questions=asker.used,
        made_from=made_from(graph),
    )


def _dated_rows(asker: Asker, thing: str | None) -> list[Row]:
    """The claims about a thing, or of all sources, with their dates where they have some."""
    if thing is not None:
        return list(asker.rows("specifications/all-claims", thing=thing))
    sources = sorted({text(row, "source") for row in asker.rows("coverage/claims-per-source")})
    return [row for source in sources for row in asker.rows("sources/claims", source=source)]


def _speaker_lanes(counted: Mapping[tuple[str, str], list[str]], things: KnownThings) -> list[Lane]:
    """One lane a speaker, the one who spoke first on top, with a mark for each date."""
    marks: dict[str, list[Mark]] = {}
    for (name, date), claims in sorted(counted.items()):
        low, high = _span(date)
        mark = Mark((low + high) / 2, low, high, series="claims", words=f"{len(set(claims))}")
        marks.setdefault(name, []).append(mark)
    first = {name: min(_span(date)[0] for who, date in counted if who == name) for name in marks}
    ordered = sorted(marks, key=lambda name: (first[name], name))
    return [Lane(short(things.label(name)), tuple(marks[name])) for name in ordered]


def _timeline_title(counted: Mapping[tuple[str, str], list[str]], things: KnownThings, thing: str | None) -> str:
    """The finding: who said most, and when."""
    by_speaker: dict[str, set[str]] = {}
    for (name, _), claims in counted.items():
        by_speaker.setdefault(name, set()).update(claims)
    most = max(sorted(by_speaker), key=lambda name: len(by_speaker[name]))
    dated = len(set().union(*by_speaker.values()))
    of = f" about {thing}" if thing else ""
    first, last = min(date for _, date in counted), max(date for _, date in counted)
    return (
        f"{dated:,} dated claims{of} from {first} to {last}; {short(things.label(most))} made {len(by_speaker[most]):,}"
    )


def _span(date: str) -> tuple[float, float]:
    """First and last day of a date, counted in days.

    >>> [_span(one) for one in ("1970-01-02", "1970-01", "1970")]
    [(1.0, 1.0), (0.0, 30.0), (0.0, 364.0)]
    """
    from calendar import monthrange
    from datetime import date as day

    parts = [int(one) for one in date.split("-")]
    first = day(parts[0], parts[1] if len(parts) > 1 else 1, parts[2] if len(parts) > 2 else 1)
    if len(parts) == 1:
        last = day(parts[0], 12, 31)
    else:
        last = first if len(parts) == 3 else day(parts[0], parts[1], monthrange(parts[0], parts[1])[1])
    return float(first.toordinal() - 719163), float(last.toordinal() - 719163)
