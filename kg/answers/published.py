"""Published rows next to what texts say: distinguished by the form of their source, summed up by metric, narrowed on demand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kg.answers.asking import Asker, Row, metric_named, number, said, text
from kg.answers.claim import bare, shown_value
from kg.errors import UsageError
from kg.model.counting import counted

PUBLISHED_FORM: Final = "dataset"
"""The form of sources that are files of rows, not texts."""


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

    @property
    def worded(self) -> str:
        """In one line, the claims by id."""
        span = shown_value(self.lowest, self.unit)
        if self.lowest != self.highest:
            span = f"{span} to {shown_value(self.highest, self.unit)}"
        basis = "" if self.normaliser == "unstated" else f" {self.normaliser}"
        best = f"; best {self.best}" if self.best else ""
        newest = f"; newest {self.newest}" + (f" of {self.newest_on}" if self.newest_on else "")
        return f"{self.metric}{basis}: {counted(self.rows, 'row')}, {span}{best}{newest}"


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
        # dates are as exact as the source: "2024" is not before a day of 2024, so that only the shared part is compared
        if self.since is not None and (said_on is None or said_on < self.since[: len(said_on)]):
            return False
        return self._conditions_fit(conditions or "")

    def _conditions_fit(self, conditions: str) -> bool:
        stated = dict(part.partition("=")[::2] for part in conditions.split("; ") if part)
        phase, model = stated.get("phase", ""), stated.get("model", "").removesuffix(" (inferred)")
        in_phase = not self.phases or any(one in phase for one in self.phases)
        return in_phase and (not self.models or model in self.models)

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
    found_metrics = frozenset(_metric(asker, one) for one in metrics)
    found_models: set[str] = set()
    for one in models:
        covered = {text(row, "entity") for row in asker.rows("names/resolve", thing=[one])}
        if not covered:
            raise UsageError("is no known name.", field="--model", given=one, expected="a name such as Llama 3.1 405B")
        found_models |= covered
    return Restriction(
        found_metrics,
        frozenset(one.casefold() for one in phases),
        frozenset(found_models),
        frozenset(_source(asker, one) for one in sources),
        since,
    )


def _metric(asker: Asker, given: str) -> str:
    if (found := metric_named(asker, given)) is None:
        raise UsageError("is no metric.", field="--metric", given=given, expected="a metric such as throughput")
    return found


def _source(asker: Asker, given: str) -> str:
    known = [text(row, "source") for row in asker.rows("sources/all")]
    if (name := given if given in known else f"source/{given}") not in known:
        raise UsageError("is not a source.", field="--source", given=given, expected=", ".join(sorted(known)))
    return name


def source_forms(asker: Asker) -> dict[str, str]:
    """The form of each source by id."""
    return {text(row, "source"): said(row, "form") or "" for row in asker.rows("sources/all")}


def summarise_published(
    asker: Asker, things: Collection[str], within: Restriction | None = None
) -> tuple[PublishedSummary, ...]:
    """What published rows give of things, the metric with most rows first."""
    if not things:
        return ()
    groups: dict[tuple[str, str, str | None], dict[str, Row]] = {}
    for row in asker.rows("claims/published-figures", subject=sorted(things)):
        if row["form"] != PUBLISHED_FORM:
            continue
        if row["verdict"] != "wrong" and (within is None or _fits(within, row)):
            key = (bare(text(row, "metric")) or "", text(row, "normaliser", "unstated"), said(row, "canonical_unit"))
            groups.setdefault(key, {})[text(row, "claim")] = row
    found = (_summary(key, rows.values()) for key, rows in groups.items())
    return tuple(sorted(found, key=lambda one: (-one.rows, one.metric, one.normaliser, one.unit or "")))


def _fits(within: Restriction, row: Row) -> bool:
    return within.fits(
        metric=said(row, "metric"),
        conditions=said(row, "conditions"),
        source=said(row, "source"),
        said_on=said(row, "said_on"),
    )


def _summary(key: tuple[str, str, str | None], rows: Iterable[Row]) -> PublishedSummary:
    ranked = sorted(((number(row, "canonical_value") or 0.0, text(row, "claim"), row) for row in rows), key=_by_value)
    newest = max((said(row, "said_on") or "", claim) for _, claim, row in ranked)
    better = said(ranked[0][2], "better")
    best = {"higher": ranked[-1][1], "lower": ranked[0][1]}.get(better or "")
    return PublishedSummary(*key, len(ranked), ranked[0][0], ranked[-1][0], best, newest[1], newest[0] or None)


def _by_value(entry: tuple[float, str, Row]) -> tuple[float, str]:
    return entry[:2]
