"""Published rows next to what texts say: distinguished by the form of their source, summed up by metric, narrowed on demand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kg.answers.asking import Ask, Asker, Row, metric_named, number, said, text
from kg.answers.claim import Thing, bare, shown_value
from kg.ask.id_names import near_ids
from kg.errors import UsageError
from kg.model.condition_line import stated_conditions
from kg.model.counting import counted
from kg.model.dates import given_date, may_lie_within
from kg.model.names import name_key
from kg.model.vocabulary import PUBLISHED_FORM
from kg.stores.protocol import Answer

_Group = tuple[str, str, str | None]
"""Metric, normaliser and unit: what is summed up together."""


class PublishedSummary(NamedTuple):
    """What published rows give of one metric: how many, from where to where, the best and the newest of them."""

    metric: str
    normaliser: str
    unit: str | None
    rows: int
    lowest: float
    highest: float
    best: str | None
    """A claim; None where neither more nor less is better."""
    newest: str
    newest_on: str | None
    of: Thing | None = None
    """The thing, where several are summed up."""
    best_is: str = ""
    """The thing and the workload of the best row in words, where they were looked up."""
    newest_is: str = ""

    @property
    def worded(self) -> str:
        """In one line; the best and the newest row in words, by id where these are not known."""
        span = shown_value(self.lowest, self.unit, metric=self.metric)
        if self.lowest != self.highest:
            span = f"{span} to {shown_value(self.highest, self.unit, metric=self.metric)}"
        basis = "" if self.normaliser == "unstated" else f" {self.normaliser}"
        day = f" ({self.newest_on})" if self.newest_on else ""
        newest = f"newest {self.newest_is or self.newest}{day}"
        rows = newest if self.best is None else f"best {self.best_is or self.best}; {newest}"
        if self.best == self.newest:
            rows = f"best and {newest}"
        whose = f"{self.of.name}, " if self.of else ""
        return f"{whose}{(self.metric + basis).replace('-', ' ')}: {counted(self.rows, 'row')}, {span}; {rows}"


@dataclass(frozen=True, slots=True)
class Restriction:
    """What claims must fit to be shown; an empty part fits all. Phases are words, the rest ids, `since` a date or part of one."""

    metrics: frozenset[str] = frozenset()
    phases: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    since: str | None = None

    def fits(self, *, metric: str | None, conditions: str | None, source: str | None, said_on: str | None) -> bool:
        """Whether a claim fits all parts; what it does not state fits none that asks for it."""
        if self.metrics and (bare(metric) or "") not in self.metrics:
            return False
        if self.sources and source not in self.sources:
            return False
        if self.since is not None and (said_on is None or not may_lie_within(said_on, self.since, None)):
            return False
        return self._conditions_fit(conditions or "")

    def fits_row(self, row: Row) -> bool:
        """Whether the claim of a row of a saved question fits."""
        metric, conditions, source, said_on = (
            said(row, name) for name in ("metric", "conditions", "source", "said_on")
        )
        return self.fits(metric=metric, conditions=conditions, source=source, said_on=said_on)

    def _conditions_fit(self, conditions: str) -> bool:
        stated = stated_conditions(conditions)
        in_phase = not self.phases or any(one in stated.get("phase", "") for one in self.phases)
        # a line of conditions names a model without the kind that its id begins with
        named = {bare_id(one) for one in self.models}
        return in_phase and (not named or not named.isdisjoint(stated.get("model", "").split(", ")))

    def __bool__(self) -> bool:
        return bool(self.metrics or self.phases or self.models or self.sources or self.since)


def read_restriction(
    asker: Asker,
    *,
    metrics: Sequence[str] = (),
    phases: Sequence[str] = (),
    models: Sequence[str] = (),
    sources: Sequence[str] = (),
    since: str | None = None,
) -> Restriction:
    """A restriction of names as one types them; a name that is not known is refused."""
    return Restriction(
        frozenset(known_metric(asker, one) for one in metrics),
        # as it is typed: names of phases are words of a vocabulary, not ids
        frozenset(one.casefold() for one in phases),
        frozenset(model for one in models for model in _models(asker, one)),
        frozenset(source for one in sources for source in asker.sources_named(one)),
        given_date(since, "--since") if since else None,
    )


def known_metric(asker: Asker, given: str, *, field: str = "--metric") -> str:
    """The metric of an id or of its words; raises `UsageError` with metrics like it where there is none."""
    if (found := metric_named(asker, given)) is not None:
        return found
    labels = [(text(row, "label"), bare(text(row, "metric")) or "") for row in asker.rows("find/metrics", text="")]
    near = near_ids(given, [(name_key(label), slug) for label, slug in labels])
    step = f"Did you mean {', '.join(near)}?" if near else "kg find looks for metrics"
    raise UsageError("is no metric.", field=field, given=given, expected="a metric", next_step=step)


def _models(asker: Asker, given: str) -> Iterable[str]:
    """The models that a name covers: those of its family too, and nothing that is no model."""
    covered = [text(row, "entity") for row in asker.rows("names/resolve", thing=[given])]
    return [one for one in covered if one.startswith("model")] or asker.ids_named(given, "model/", field="--model")


def published_sources(asker: Asker) -> frozenset[str]:
    """The sources whose claims are rows of published files."""
    return texts_and_files(asker)[1]


def texts_and_files(asker: Asker) -> tuple[list[str], frozenset[str]]:
    """The sources that are texts, and those whose claims are rows of published files."""
    forms = {text(row, "source"): row["form"] for row in asker.rows("sources/all")}
    files = frozenset(source for source, form in forms.items() if form == PUBLISHED_FORM)
    return sorted(forms.keys() - files), files


def summarise_published(
    asker: Asker, things: Collection[str], within: Restriction | None = None
) -> tuple[PublishedSummary, ...]:
    """What published rows give of things, the metric with most rows first."""
    rows = asker.rows("claims/published-figures", subject=sorted(things)) if things else []
    fitting = (row for row in rows if row["form"] == PUBLISHED_FORM and (within is None or within.fits_row(row)))
    return _in_words(asker, _summaries(fitting))


def published_of_metric(asker: Asker, metric: str) -> tuple[PublishedSummary, ...]:
    """What published rows give of a metric, over all things: an entry for each normaliser and unit."""
    return _in_words(asker, _summaries(asker.rows("claims/published-of-metric", metric=metric)))


_WORKLOAD: Final = ("model", "task", "scenario", "phase", "precision", "round", "provider", "region", "term")
"""The conditions that say what a row was measured on, or whose offer it is, in the order in which they are named."""


def _in_words(asker: Asker, summaries: tuple[PublishedSummary, ...]) -> tuple[PublishedSummary, ...]:
    """The summaries with their best and newest rows in words: ids of rows are as long as all that distinguishes them."""
    claims = sorted({claim for one in summaries for claim in (one.best, one.newest) if claim})
    if not claims:
        return summaries
    things = {text(row, "claim"): said(row, "subject_label") for row in asker.rows("claims/figure", claim=claims)}
    workloads = {
        text(row, "claim"): _workload(said(row, "conditions")) for row in asker.rows("claims/card", claim=claims)
    }

    def worded(claim: str | None, of: Thing | None) -> str:
        thing = None if of is not None else things.get(claim or "")
        return ", ".join(filter(None, (thing, *workloads.get(claim or "", ()))))

    return tuple(
        one._replace(best_is=worded(one.best, one.of), newest_is=worded(one.newest, one.of)) for one in summaries
    )


def _workload(conditions: str | None) -> list[str]:
    """What a row was measured on; a task names its model.

    >>> _workload("model=deepseek-r1; precision=fp4; framework=sglang")
    ['deepseek-r1', 'fp4']
    """
    stated = stated_conditions(conditions)
    return [stated[name] for name in _WORKLOAD if name in stated and not (name == "model" and "task" in stated)]


def _summaries(rows: Iterable[Row]) -> tuple[PublishedSummary, ...]:
    """An entry for each metric, normaliser and unit of figures that are not refuted."""
    groups: dict[_Group, dict[str, Row]] = {}
    for row in rows:
        # a refuted row would be the lowest or highest of its group
        if row["verdict"] != "wrong":
            groups.setdefault(_group(row), {})[text(row, "claim")] = row
    found = (_summary(key, group.values()) for key, group in groups.items())
    return tuple(sorted(found, key=lambda one: (-one.rows, one.metric, one.normaliser, one.unit or "")))


def _group(row: Row) -> _Group:
    return bare(text(row, "metric")) or "", text(row, "normaliser", "unstated"), said(row, "canonical_unit")


def _summary(key: _Group, rows: Iterable[Row], of: Thing | None = None) -> PublishedSummary:
    ranked = sorted(((number(row, "canonical_value") or 0.0, text(row, "claim"), row) for row in rows), key=_by_value)
    newest = max((said(row, "said_on") or "", claim) for _, claim, row in ranked)
    better = said(ranked[0][2], "better")
    best = {"higher": ranked[-1][1], "lower": ranked[0][1]}.get(better or "")
    return PublishedSummary(*key, len(ranked), ranked[0][0], ranked[-1][0], best, newest[1], newest[0] or None, of)


def _by_value(entry: tuple[float, str, Row]) -> tuple[float, str]:
    return entry[:2]


def summarise_rows(asker: Asker, rows: Sequence[Row]) -> tuple[PublishedSummary, ...]:
    """What some published rows give, an entry for each metric, normaliser and unit; those of one thing of many come first."""
    if not rows:
        return ()
    better = _better(asker)
    found = _summaries(
        {**row, "better": better.get(text(row, "metric"))} for row in rows if row["canonical_value"] is not None
    )
    return _in_words(asker, tuple(sorted(found, key=lambda one: one.normaliser == "total")))


def _better(asker: Asker) -> dict[str, str | None]:
    """Whether more or less is better, by metric."""
    return {text(row, "metric"): said(row, "better") for row in asker.rows("find/metrics", text="")}


class TextsFirst(NamedTuple):
    """The claims of texts in an answer, and what rows of published files give, by thing and metric."""

    answer: Answer
    published: tuple[PublishedSummary, ...]
    results: int = 0
    """Of how many results the rows are: several files of a round list one."""

    @property
    def rows(self) -> int:
        """How many published rows are summed up."""
        return sum(one.rows for one in self.published)


def texts_first(ask: Ask, answer: Answer) -> TextsFirst:
    """The claims of texts in an answer with the columns of a question that sums up; all where no text says anything."""
    asker = Asker(ask)
    files = published_sources(asker)
    place = answer.columns.index("source")
    of_texts = tuple(row for row in answer.rows if str(row[place]) not in files)
    if len(of_texts) == len(answer.rows):
        return TextsFirst(answer, ())
    better = _better(asker)
    groups: dict[tuple[Thing, _Group], dict[str, Row]] = {}
    for row in answer.dicts():
        is_figure = row["canonical_value"] is not None and row["verdict"] != "wrong"
        if is_figure and text(row, "source") in files:
            thing = Thing(text(row, "subject"), said(row, "subject_label"))
            metric = text(row, "metric")
            groups.setdefault((thing, _group(row)), {})[text(row, "claim")] = {**row, "better": better.get(metric)}
    found = (_summary(key, rows.values(), thing) for (thing, key), rows in groups.items())
    summaries = tuple(sorted(found, key=lambda one: (-one.rows, one.metric, str(one.of), one.normaliser)))
    shown = Answer(answer.columns, of_texts or answer.rows, answer.complete)
    return TextsFirst(shown, _in_words(asker, summaries), sum(_results(rows.values()) for rows in groups.values()))


_OF_RUN: Final = ("round", "task", "scenario")
"""The conditions of which a file of a round lists each result once a system."""


def _results(rows: Iterable[Row]) -> int:
    """How many results some rows are: of each round, task and scenario as many as the file has that lists most.

    >>> of_run = "round=v4.1; scenario=offline; task=gptj"
    >>> rows = [{"conditions": of_run, "source": one} for one in ("a", "b", "b")]
    >>> _results(rows), _results([*rows, {"conditions": "model=x", "source": "a"}, {"conditions": "model=x", "source": "c"}])
    (2, 4)
    """
    listed: dict[tuple[str | None, ...], Counter[str]] = {}
    for row in rows:
        line = row.get("conditions")  # a question that sums up need not have the column
        stated = stated_conditions(None if line is None else str(line))
        run = tuple(stated.get(name) for name in _OF_RUN)
        # what states no round is no row of a file of one
        key = run if run[0] is not None else (*run, text(row, "source"))
        listed.setdefault(key, Counter())[text(row, "source")] += 1
    return sum(max(one.values()) for one in listed.values())


def bare_id(identifier: str | None) -> str:
    """An id without its kind.

    >>> bare_id("round/mlperf-inference-v5.1"), bare_id(None)
    ('mlperf-inference-v5.1', '')
    """
    return (identifier or "").partition("/")[2]
