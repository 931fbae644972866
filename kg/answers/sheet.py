"""A spec sheet: the values of each metric of one thing, or of each thing for one metric, with what speaks against them.

Its rows (`kg.answers.sheet_rows`) are in order here; what it is compared with and its published results are summarised.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, number, said, text
from kg.answers.claim import Thing, bare, verdict_of
from kg.answers.published import PublishedSummary, published_of_metric, summarise_rows, texts_and_files
from kg.answers.sheet_rows import SheetRow, SheetValue, sheet_rows
from kg.answers.show import LinkTo, Shown, has_results_of, show
from kg.ask.kept_rows import edition_of
from kg.errors import UsageError
from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, Verdict
from kg.model.vocabulary import Kind

SheetKind = Literal["entity", "metric"]


class UnknownThing(UsageError):
    """A name that means nothing, or several things."""

    code = "usage.thing"


class ComparedWith(NamedTuple):
    """Another thing, and how many claims compare the two; those not to be used are counted again."""

    other: Thing
    claims: int
    refused: int


class PublishedResults(NamedTuple):
    """The results of one accelerator that were published for one task, unit and scenario."""

    accelerator: Thing
    task: Thing
    scenario: Thing | None
    unit: str | None
    results: int
    low: float
    high: float
    best: str
    """The claim of the best."""
    best_by: Thing
    best_round: Thing
    newest_round: Thing


@dataclass(frozen=True, slots=True, repr=False)
class Sheet(JsonAnswer):
    """The whole sheet; disputed rows first."""

    asked: str
    kind: SheetKind
    id: str
    label: str
    facts: Mapping[str, Any]
    level: str
    """The level of the thing itself; rows of another level say so."""
    links: tuple[LinkTo, ...]
    rows: tuple[SheetRow, ...]
    compared: tuple[ComparedWith, ...]
    published: tuple[PublishedResults, ...]
    next: tuple[str, ...]
    questions: tuple[str, ...]
    summed: tuple[PublishedSummary, ...] = ()
    """What published rows give of a metric over all things (specifications among them are rows of the sheet too), and of a thing
    its prices."""

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, no verdict (each row has its own), and how many rows are disputed."""
        return self.asked, None, f"{self.label}: {count_verdicts(self)}"


def count_verdicts(sheet: Sheet) -> str:
    """How many values there are, and how many of them are in doubt."""
    verdicts = Counter(row.verdict for row in sheet.rows)
    doubts = [f"{verdicts[one]} {one}" for one in ("disputed", "wrong", "caution") if verdicts[one]]
    values = counted(len(sheet.rows), "specification" if sheet.kind == "entity" else "value")
    return values + (f", {', '.join(doubts)}" if doubts else "")


def specs(ask: Ask, asked: str, *, whole: bool = True) -> Sheet:
    """The sheet of a thing or a metric, by name or id; a name covers its family unless it starts with `=`.

    Without `whole` a thing has its rows only: no comparisons, no published results and sums, which are most of the work.
    Raises `UnknownThing` where the name means nothing, or several things.
    """
    return sheet_of(ask, show(ask, asked, counts=whole), asked.strip(), whole=whole)


def sheet_of(ask: Ask, shown: Shown, asked: str, *, whole: bool = True) -> Sheet:
    """The sheet of what a name or an id showed."""
    asker = Asker(ask)
    if shown.kind == "metric" and shown.id is not None:
        return _of_metric(asker, shown, asked)
    if shown.kind != "entity" or shown.id is None:
        known = tuple(f"{one.id} ({one.label})" for one in shown.candidates) or shown.near
        raise UnknownThing(
            "names several things." if shown.candidates else "is no thing and no metric.",
            given=asked,
            expected=", ".join(known) or "a name or an id",
            next_step="kg find looks for names",
        )
    return _of_thing(asker, shown, asked, whole=whole)


def _of_thing(asker: Asker, shown: Shown, asked: str, *, whole: bool) -> Sheet:
    identifier = shown.id or asked
    label = str(shown.facts.get("label") or identifier)
    name = _covering_name(asker, asked, identifier, label)
    covered = {text(row, "entity") for row in asker.rows("names/resolve", thing=[name])} | {identifier}
    claims = _stated(asker.rows("specifications/of-thing", thing=name))
    texts, files = texts_and_files(asker)
    # catalogues list prices by the thousand, which only the whole sheet sums up
    within = {} if whole else {"sources": texts}
    prices = asker.rows("specifications/all-claims", thing=name, kind="price", **within)
    claims += _stated(row for row in prices if row["source"] not in files)
    me = Thing(identifier, label)
    main = str(shown.facts.get("level") or _main_level(claims))
    specified = _in_order(
        sheet_rows(me, claims),
        main,
        {bare(text(row, "metric")): number(row, "place") for row in asker.rows("specifications/data-sheet")},
    )
    compared = _compared(asker, name, covered) if whole else ()
    chips = {one for one in covered if one.startswith(("accelerator/", "family/"))} | _measured_in(shown, identifier)
    return Sheet(
        asked,
        "entity",
        identifier,
        label,
        shown.facts,
        main,
        shown.links,
        tuple(specified),
        compared,
        _published(asker, sorted(chips)) if whole else (),
        (*_of_benchmarks(asker, identifier), *_next(name, specified, compared)),
        tuple(dict.fromkeys((*shown.questions, *asker.used))),
        summarise_rows(asker, [row for row in prices if row["source"] in files]),
    )


def _measured_in(shown: Shown, identifier: str) -> set[str]:
    """The accelerators whose results are those of a system: what is in it. One accelerator, or a share of one, has its own."""
    if "accelerator" in (shown.facts.get("kind"), shown.facts.get("level")):
        return {identifier}
    return {one.other.id for one in shown.links if has_results_of(one.link, one.other.id)}


def _in_order(rows: Sequence[SheetRow], main: str, places: Mapping[str | None, float | None]) -> list[SheetRow]:
    """Disputed rows first, then the metrics of data sheets in their order (`places`), then those of
    the level of the thing, often stated ones before others; one metric is together. Rows that give nothing to use, or no more
    than what somebody thinks or expects in words, come last.
    """
    most: dict[tuple[str, str], int] = {}
    for row in rows:
        most[row.level, row.metric] = max(row.claims, most.get((row.level, row.metric), 0))

    def rank(row: SheetRow) -> tuple[bool, bool, float, bool, str, int, str, int]:
        often = most[row.level, row.metric]
        # a metric that data sheets do not have comes behind those that have a place on them
        place = places.get(row.metric) or math.inf
        is_last = row.value is None or (row.low is None and _are_thoughts(row.values[: row.told]))
        return row.verdict != "disputed", is_last, place, row.level != main, row.level, -often, row.metric, -row.claims

    return sorted(rows, key=rank)


def _are_thoughts(values: Iterable[SheetValue]) -> bool:
    """Whether values are all opinions, plans or expectations, which are marked behind them."""
    return all(one.shown.endswith("]") for one in values)


def _of_metric(asker: Asker, shown: Shown, asked: str) -> Sheet:
    identifier = shown.id or asked
    by_subject: dict[Thing, list[Row]] = {}
    stated = list(_stated(_of_texts_too(asker, identifier)))
    for claim in stated:
        by_subject.setdefault(Thing(text(claim, "subject"), said(claim, "subject_label")), []).append(claim)
    rows = [row for subject, claims in by_subject.items() for row in sheet_rows(subject, claims)]
    falling = shown.facts.get("better") != "lower"
    unit = unit_of_most(rows)

    def rank(row: SheetRow) -> tuple[bool, bool, float, str]:
        size = _size(row)
        return size is None, row.unit != unit, -(size or 0) if falling else size or 0, row.of.id

    rows.sort(key=rank)
    slug = bare(identifier) or identifier
    best = next((row.of.id for row in rows), None)
    return Sheet(
        asked,
        "metric",
        identifier,
        str(shown.facts.get("label") or slug),
        shown.facts,
        _main_level(row for rows in by_subject.values() for row in rows),
        shown.links,
        tuple(rows),
        (),
        (),
        (
            *([f"kg show {best}"] if best else []),
            f"kg conflicts {slug}",
            f"kg ask specifications/by-metric --metric {slug}{_kind_to_ask_for(stated)}",
        ),
        tuple(dict.fromkeys((*shown.questions, *asker.used))),
        published_of_metric(asker, identifier),
    )


def unit_of_most(rows: Iterable[SheetRow]) -> str | None:
    """The unit that most rows with a figure have: shares and multiples among them are no lowest and no highest value."""
    units = Counter(row.unit for row in rows if row.low is not None)
    return units.most_common(1)[0][0] if units else None


def _kind_to_ask_for(claims: Iterable[Row]) -> str:
    """The option with which the question of one metric answers where no specification is among the claims."""
    kinds = Counter(text(one, "kind") for one in claims)
    return "" if not kinds or "specification" in kinds else f" --kind {kinds.most_common(1)[0][0]}"


def _of_texts_too(asker: Asker, metric: str) -> list[Row]:
    """The specifications of a metric, and what texts say of it in any other way; published results are too many for a sheet."""
    rows = asker.rows("specifications/by-metric", metric=metric)
    kinds = [one for one in get_args(Kind) if one != "specification"]
    return [*rows, *asker.rows("specifications/by-metric", metric=metric, kind=kinds, source=texts_and_files(asker)[0])]


def _stated(claims: Iterable[Row]) -> list[Row]:
    """Claims that state something: an empty cell of a table is a claim too, and states nothing."""
    return [claim for claim in claims if said(claim, "printed") is not None or said(claim, "term") is not None]


def _size(row: SheetRow) -> float | None:
    """What a row is sorted by: its largest value that is not refuted."""
    return row.high


def _covering_name(asker: Asker, asked: str, identifier: str, label: str) -> str:
    """The name as asked, or for an id the label, where that names this thing and nothing else."""
    if asked != identifier:
        return asked
    if not label.isprintable() or "\\" in label:  # no name: it cannot be asked for
        return identifier
    named = {text(row, "entity") for row in asker.rows("names/resolve", thing=[label]) if row["match"] == "named"}
    return label if named == {identifier} else identifier


def _main_level(claims: Iterable[Row]) -> str:
    counts = Counter(text(claim, "level") for claim in claims)
    return counts.most_common(1)[0][0] if counts else ""


def _compared(asker: Asker, name: str, covered: set[str]) -> tuple[ComparedWith, ...]:
    found: dict[Thing, dict[str, Verdict]] = {}
    for row in asker.rows("comparisons/of-thing", thing=name):
        other = Thing(text(row, "other"), said(row, "other_label"))
        if other.id not in covered:
            found.setdefault(other, {})[text(row, "claim")] = verdict_of(row)[0]
    compared = (
        ComparedWith(other, len(claims), sum(verdict in NOT_TO_USE for verdict in claims.values()))
        for other, claims in found.items()
    )
    return tuple(sorted(compared, key=lambda one: (-one.claims, one.other.id)))


def _published(asker: Asker, accelerators: Sequence[str]) -> tuple[PublishedResults, ...]:
    rows = [(row, True) for row in asker.rows("benchmarks/measured", accelerator=accelerators)]
    rows += [(row, False) for row in asker.rows("benchmarks/measured-times", accelerator=accelerators)]
    groups: dict[tuple[str, str, str | None, str | None, bool], list[Row]] = {}
    for row, more_is_better in rows:
        # a time to train belongs to no scenario, and less of it is better
        scenario = said(row, "scenario") if more_is_better else None
        key = (text(row, "accelerator"), text(row, "task"), scenario, said(row, "canonical_unit"), more_is_better)
        if number(row, "canonical_value") is not None:
            groups.setdefault(key, []).append(row)
    wanted = {str(row[name]) for row, _ in rows for name in ("task", "round", "scenario") if row.get(name)}
    labels = (
        {text(row, "thing"): said(row, "label") for row in asker.rows("entities/labels", thing=sorted(wanted))}
        if wanted
        else {}
    )
    summaries = [_summary(key, found, labels) for key, found in groups.items()]
    return tuple(sorted(summaries, key=lambda one: (-one.results, one.task.id, str(one.scenario), one.accelerator.id)))


def _summary(
    key: tuple[str, str, str | None, str | None, bool], rows: Sequence[Row], labels: Mapping[str, str | None]
) -> PublishedResults:
    accelerator, task, scenario, unit, more_is_better = key
    by_size = sorted(rows, key=lambda row: (number(row, "canonical_value") or 0.0, text(row, "claim")))
    best = by_size[-1 if more_is_better else 0]
    newest = max((text(row, "round") for row in rows), key=edition_of)

    def thing(identifier: str) -> Thing:
        return Thing(identifier, labels.get(identifier))

    return PublishedResults(
        accelerator=Thing(accelerator, said(rows[0], "accelerator_label")),
        task=thing(task),
        scenario=None if scenario is None else thing(scenario),
        unit=unit,
        # by claim: a result has a row for each category of its system
        results=len({text(row, "claim") for row in rows}),
        low=number(by_size[0], "canonical_value") or 0.0,
        high=number(by_size[-1], "canonical_value") or 0.0,
        best=text(best, "claim"),
        best_by=Thing(text(best, "submitter"), said(best, "submitter_label")),
        best_round=thing(text(best, "round")),
        newest_round=thing(newest),
    )


def _of_benchmarks(asker: Asker, identifier: str) -> tuple[str, ...]:
    """The command for the benchmark results of a model, a task or a round, where there are any."""
    kind = identifier.partition("/")[0]
    question = {
        "model": "benchmarks/best",
        "task": "benchmarks/best",
        "round": "benchmarks/round-submitters",
    }.get(kind)
    if question is None or not asker.rows(question, **{kind: identifier}):
        return ()
    return (f"kg ask {question} --{kind} {identifier}",)


def _next(name: str, rows: Sequence[SheetRow], compared: Sequence[ComparedWith]) -> tuple[str, ...]:
    """What to type next."""
    word = f'"{name}"' if " " in name else name
    doubtful = next((row for row in rows if row.verdict in NOT_TO_USE), None) or next(iter(rows), None)
    return (
        *([f"kg compare {word} {compared[0].other.id}"] if compared else []),
        *([f"kg trace {doubtful.values[0].claims[0]}"] if doubtful is not None else []),
        f"kg conflicts {word}",
        *([f"kg ask specifications/of-thing --thing {word}"] if rows else [f"kg view {word}"]),
    )
