"""A spec sheet: the values of each metric of one thing, or of each thing for one metric, with what speaks against them.

A row holds everything that is stated of one metric at one level (and precision): the value to go by, the verdict on it, the
sources, and every other value. Claims that state the same value are one entry of a row. Published results are summarised.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, get_args

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, number, said, text
from kg.answers.claim import Thing, bare, shown_figure, verdict_of, worded_figure
from kg.answers.published import (
    PublishedSummary,
    published_of_metric,
    published_sources,
    summarise_rows,
    texts_and_files,
)
from kg.answers.sameness import differing
from kg.answers.show import LinkTo, Shown, has_results_of, show
from kg.ask.row_filters import edition_of
from kg.audit.wording import significant, with_prefix
from kg.errors import UsageError
from kg.model.condition_line import stated_conditions
from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, VERDICTS, Verdict, founded_verdict
from kg.model.vocabulary import Kind

SheetKind = Literal["entity", "metric"]
_FACETS: Final = ("precision", "sparsity", "phase", "period")
"""Conditions that make a value of its own; others stand with the claims."""
_DIGITS: Final = re.compile(r"\d{7,}(?:\.\d+)?")
_TIGHT: Final = re.compile(r"(?<=\d)(?=[A-Za-zµ]{2,}(?:/|$|\b))")


class UnknownThing(UsageError):
    """A name that means nothing, or several things."""

    code = "usage.thing"


class SheetValue(NamedTuple):
    """One value, with the claims that state it."""

    shown: str
    value: float | None
    unit: str | None
    verdict: Verdict
    reason: str
    value_to_use: str | None
    conditions: str | None
    claims: tuple[str, ...]
    sources: tuple[str, ...]
    subjects: tuple[Thing, ...]
    differs: tuple[str, ...] = ()
    """The conditions in which it differs from the leading value of its row; with none it is about the same thing."""

    @property
    def subject_ids(self) -> tuple[str, ...]:  # named as a column in kg/render/result_tables.py
        """What the claims are about: the thing or a variant of it."""
        return tuple(one.id for one in self.subjects)


class SheetRow(NamedTuple):
    """What is stated of one metric of one thing; `value` is None where every value is refuted and no better one is known.

    `value` shows the first `told` of the values: all that are disputed, all words where no figure is stated, or the figure of each
    variant where none is stated of the thing itself. `low` and `high` span the values that are not refuted, in the canonical `unit`.
    """

    of: Thing
    metric: str
    level: str
    facets: str | None
    value: str | None
    verdict: Verdict
    reason: str
    low: float | None
    high: float | None
    unit: str | None
    claims: int
    sources: int
    told: int
    values: tuple[SheetValue, ...]

    @property
    def others(self) -> tuple[SheetValue, ...]:
        """The values that `value` does not tell."""
        return self.values[self.told :]


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


def specs(ask: Ask, asked: str) -> Sheet:
    """The sheet of a thing or a metric, by name or id; a name covers its family unless it starts with `=`.

    Raises `UnknownThing` where the name means nothing, or several things.
    """
    return sheet_of(ask, show(ask, asked), asked.strip())


def sheet_of(ask: Ask, shown: Shown, asked: str) -> Sheet:
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
    return _of_thing(asker, shown, asked)


def _of_thing(asker: Asker, shown: Shown, asked: str) -> Sheet:
    identifier = shown.id or asked
    label = str(shown.facts.get("label") or identifier)
    name = _covering_name(asker, asked, identifier, label)
    covered = {text(row, "entity") for row in asker.rows("names/resolve", thing=[name])} | {identifier}
    claims = _stated(asker.rows("specifications/of-thing", thing=name))
    files = published_sources(asker)
    prices = asker.rows("specifications/all-claims", thing=name, kind="price")
    claims += _stated(row for row in prices if row["source"] not in files)
    me = Thing(identifier, label)
    main = str(shown.facts.get("level") or _main_level(claims))
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for level, metric, facets, rows in _grouped(claims):
        groups.setdefault((level, metric, facets), []).extend(rows)
    specified = [_row(me, *key, found) for key, found in groups.items()]
    specified = _in_order(
        specified,
        main,
        {bare(text(row, "metric")): number(row, "place") for row in asker.rows("specifications/data-sheet")},
    )
    compared = _compared(asker, name, covered)
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
        _published(asker, sorted(chips)),
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
        place = places.get(row.metric) or math.inf
        is_last = row.value is None or (row.low is None and _are_thoughts(row.values[: row.told]))
        return row.verdict != "disputed", is_last, place, row.level != main, row.level, -often, row.metric, -row.claims

    return sorted(rows, key=rank)


def _are_thoughts(values: Iterable[SheetValue]) -> bool:
    """Whether values are all opinions, plans or expectations, which `_print` marks behind them."""
    return all(one.shown.endswith("]") for one in values)


def _of_metric(asker: Asker, shown: Shown, asked: str) -> Sheet:
    identifier = shown.id or asked
    by_subject: dict[Thing, list[Row]] = {}
    stated = list(_stated(_of_texts_too(asker, identifier)))
    for claim in stated:
        by_subject.setdefault(Thing(text(claim, "subject"), said(claim, "subject_label")), []).append(claim)
    rows = [
        _row(subject, level, metric, facets, found)
        for subject, claims in by_subject.items()
        for level, metric, facets, found in _grouped(claims)
    ]
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


def _grouped(claims: Iterable[Row]) -> Iterable[tuple[str, str, str, list[Row]]]:
    """Claims by level, metric and what makes a value of its own; precisions that one claim names together are one."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[tuple[set[str], list[Row]]]] = {}
    for claim in claims:
        facets = _facets(claim)
        precision = set(facets.pop("precision", "").split(", ")) - {""}
        metric = bare(said(claim, "metric")) or ""
        rest = (*_measured_as(claim, metric), *facets.values())
        known = groups.setdefault((text(claim, "level"), metric, rest), [])
        joined = [one for one in known if one[0] & precision or (not one[0] and not precision)]
        for one in joined:
            known.remove(one)
            precision |= one[0]
        known.append((precision, [*(row for one in joined for row in one[1]), claim]))
    for (level, metric, rest), found in groups.items():
        for precision, rows in found:
            yield level, metric, ", ".join(("/".join(sorted(precision)), *rest)).strip(", "), rows


def _measured_as(claim: Row, metric: str) -> Iterator[str]:
    """What makes a value of its own besides the conditions: the statistic, what is counted, the baseline, of how many it is."""
    if (statistic := said(claim, "statistic")) is not None:
        yield statistic
    if metric == "component-count":
        yield (bare(said(claim, "unit")) or "").removeprefix("count:")
    if claim.get("baseline_label"):
        yield f"against {said(claim, 'baseline_label')}"
    # one of eight chips and all of them differ, where results and prices of several texts stand side by side
    if claim.get("kind") in ("measurement", "price") and (normaliser := text(claim, "normaliser")) != "unstated":
        yield normaliser


def _facets(claim: Row) -> dict[str, str]:
    given = (one.partition("=") for one in (said(claim, "conditions") or "").split("; "))
    return {name: value for name, _, value in given if name in _FACETS and value != "unstated"}


def _row(of: Thing, level: str, metric: str, facets: str, claims: Sequence[Row]) -> SheetRow:
    values = _values(claims)
    if variants := _of_variants(of, values):
        values = [*variants, *(one for one in values if one not in variants)]
    told = len(variants) or _told(values)
    lead = values[0]
    values[told:] = _most_alike_first(lead, values[told:])
    usable = [one for one in values if _may_be_used(one.verdict)]
    sizes = [one.value for one in usable if one.value is not None and one.unit == lead.unit]
    return SheetRow(
        of=of,
        metric=metric,
        level=level,
        facets=facets or None,
        value="; ".join(map(_with_variant, variants)) or _shown_value(values, told),
        verdict=lead.verdict,
        reason=lead.reason,
        low=min(sizes, default=None),
        high=max(sizes, default=None),
        unit=lead.unit,
        claims=len({text(claim, "claim") for claim in claims}),
        sources=len({text(claim, "source") for claim in claims}),
        told=told,
        values=tuple(values),
    )


def _of_variants(of: Thing, values: Sequence[SheetValue]) -> list[SheetValue]:
    """The leading figure where it is of a variant and other figures are usable too, with those of variants that stand alike.

    None of them is the figure of the whole family; the largest is first.
    """
    lead = values[0]
    others = [one for one in values[1:] if _is_figure(one) and _may_be_used(one.verdict)]
    if not _is_figure(lead) or lead.verdict in NOT_TO_USE or of.id in lead.subject_ids or not others:
        return []
    found = [lead]
    for one in others:
        is_alike = (one.verdict, one.unit) == (lead.verdict, lead.unit) and not differing(
            lead.conditions, one.conditions
        )
        known = {variant for other in found for variant in other.subject_ids}
        if is_alike and known.isdisjoint((of.id, *one.subject_ids)):
            found.append(one)
    return sorted(found, key=lambda one: -(one.value or 0))


def _with_variant(value: SheetValue) -> str:
    """A figure and whose it is, without what stands in brackets behind the name."""
    return f"{value.shown} of {', '.join((one.label or one.id).partition(' (')[0] for one in value.subjects)}"


def _is_figure(value: SheetValue) -> bool:
    """Whether a value is a figure; "multiple terabytes per second" has bounds and is none."""
    return value.value is not None and any(sign.isdigit() for sign in value.shown)


def _most_alike_first(lead: SheetValue, others: Iterable[SheetValue]) -> list[SheetValue]:
    """Other values, those under the conditions of the leading one first; else as they are ordered."""
    told = (one._replace(differs=differing(lead.conditions, one.conditions)) for one in others)
    return sorted(told, key=lambda one: (one.verdict in NOT_TO_USE, len(one.differs)))


def _may_be_used(verdict: str) -> bool:
    """Whether a value may appear in a sheet: disputed ones do, all next to each other, because nothing decides."""
    return verdict == "disputed" or verdict not in NOT_TO_USE


def _shown_value(values: Sequence[SheetValue], shown: int) -> str | None:
    """The text of a row's value; in place of a refuted one the value to use, where one is known."""
    lead = values[0]
    if not _may_be_used(lead.verdict):
        return next((one.value_to_use for one in values if one.value_to_use), None)
    return (" or " if lead.verdict == "disputed" else "; ").join(one.shown for one in values[:shown])


def _told(values: Sequence[SheetValue]) -> int:
    """How many of the values the row tells: what is disputed in full, words in full, else the first figure."""
    if values[0].verdict == "disputed":
        return sum(one.verdict == "disputed" for one in values)
    if values[0].value is None:
        return max(1, sum(one.value is None and one.verdict not in NOT_TO_USE for one in values))
    return 1


def _values(claims: Iterable[Row]) -> list[SheetValue]:
    """One entry a value: disputed ones first, then figures before words, by verdict, by the number of sources that state it, and
    by how much they say of what it holds for.

    A disputed value whose opponents are refuted or not of this row has none to stand next to, and leads nothing.
    """
    groups: dict[object, list[Row]] = {}
    for claim in claims:
        groups.setdefault(_value_key(claim), []).append(claim)
    values = [_value(rows) for rows in groups.values()]
    are_at_odds = sum(one.verdict == "disputed" for one in values) > 1
    values.sort(
        key=lambda one: (
            not (are_at_odds and one.verdict == "disputed"),
            one.verdict in NOT_TO_USE,
            not _is_figure(one),
            VERDICTS.index(one.verdict),
            -len(one.sources),
            -len(one.claims),
            -len(stated_conditions(one.conditions)),
            one.shown,
            one.claims,
        )
    )
    return values


def _value_key(claim: Row) -> object:
    value, hedge = number(claim, "canonical_value"), said(claim, "hedge")
    hedge = None if hedge == "about" else hedge  # about 700 W and 700 W are no two opinions
    if value is not None:
        return float(f"{value:.12g}"), said(claim, "canonical_unit"), hedge, claim["polarity"]
    return said(claim, "term") or (said(claim, "printed") or "").casefold(), hedge, claim["polarity"]


def _value(claims: Sequence[Row]) -> SheetValue:
    prints = Counter(_print(claim) for claim in claims)
    shown = max(prints, key=lambda one: (prints[one], -len(one), one))
    verdict = founded_verdict(verdict_of(claim)[0] for claim in claims)
    speaking = next((claim for claim in claims if verdict_of(claim)[0] == verdict), claims[0])
    return SheetValue(
        shown=shown,
        value=number(claims[0], "canonical_value"),
        unit=said(claims[0], "canonical_unit"),
        verdict=verdict,
        reason=verdict_of(speaking)[1],
        value_to_use=next((one for claim in claims if (one := verdict_of(claim)[2])), None),
        conditions=said(claims[0], "conditions"),
        claims=tuple(sorted({text(claim, "claim") for claim in claims})),
        sources=tuple(sorted({text(claim, "source") for claim in claims})),
        subjects=tuple(dict.fromkeys(Thing(text(claim, "subject"), said(claim, "subject_label")) for claim in claims)),
    )


def _print(claim: Row) -> str:
    """The figure as printed, with its unit and a gap before it; the long digits of a file with a prefix, as people print them."""
    printed, unit = said(claim, "printed"), bare(said(claim, "unit"))
    value = number(claim, "canonical_value")
    if printed is not None and value is not None and _DIGITS.fullmatch(printed):
        scaled, name = with_prefix(Fraction(repr(value)), said(claim, "canonical_unit"))
        printed, unit = (significant(scaled), name) if scaled != value else (printed, unit)
    if printed is not None and unit is not None and re.fullmatch(rf"[\d.,]+{re.escape(unit[:1])}", printed):
        printed = printed[:-1]  # 4.8T of TB/s: the letter is the beginning of the unit, which 405B of parameters is not
    shown = worded_figure(shown_figure(printed, unit), said(claim, "hedge"), text(claim, "modality", "stated"))
    if shown is None:
        return bare(said(claim, "term")) or ""
    spaced = _TIGHT.sub(" ", shown) if unit is not None else shown
    return f"not {spaced}" if claim["polarity"] == "negated" and unit is not None else spaced


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
