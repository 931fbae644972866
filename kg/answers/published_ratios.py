"""What published results of one task, scenario and round give of one thing over another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from kg.answers.asking import Asker, Row, number, read_fields, said, text
from kg.answers.preview_results import marked_span, previews_among
from kg.answers.published import Restriction, bare_id


class PublishedRatio(NamedTuple):
    """What published results of one task, scenario and round give of one thing over another."""

    task: str | None
    scenario: str | None
    round: str | None
    accelerator: str
    against: str
    per_accelerator: float
    per_system: float | None
    claim: str
    against_claim: str
    accelerators: int | None = None
    against_accelerators: int | None = None
    model: str | None = None

    @property
    def worded(self) -> str:
        """The ratio with what it is of: a name covers a series, so the ends are named, with how many of them ran."""
        where = [bare_id(one) for one in (self.task, self.scenario) if one]
        named = f"{', '.join(where)} of {bare_id(self.round).rpartition('-')[2]}" if self.round else ", ".join(where)
        ends = ((self.accelerators, self.accelerator), (self.against_accelerators, self.against))
        ours, theirs = (f"{count} {bare_id(name)}" if count else bare_id(name) for count, name in ends)
        return f"{self.per_accelerator:.3g}x in {named} ({ours} against {theirs})"


class PublishedRatios(NamedTuple):
    """What published results give of one thing over another, per accelerator: how many, from where to where, best, newest.

    Those with a virtualised card on a side are counted apart, unless there are no others: they say less of the chips.
    """

    rows: int
    lowest: float
    highest: float
    best: PublishedRatio
    newest: PublishedRatio
    listed: tuple[PublishedRatio, ...]
    """All of them, the newest round first; only where they were asked for."""
    virtualised: int = 0
    """How many more there are with a virtualised card on a side."""
    previews: tuple[float, ...] = ()
    """The ends of the range that come of a system which cannot be had yet."""

    @property
    def span(self) -> str:
        """The least and the largest ratio in words, each with what it is of where that is a preview."""
        return marked_span(self.lowest, self.highest, self.previews)


BEARING_ON: Final = frozenset({"performance", "throughput", "inference-speed"})
"""Metrics of a ratio that results of inference bear on."""


class OfficialRatio(NamedTuple):
    """The least and the largest ratio per accelerator of A over B, by official results of one task, scenario and round."""

    a: str
    b: str
    lowest: float
    highest: float
    previews: tuple[float, ...] = ()
    """The ends of the range that come of a system which cannot be had yet."""

    @property
    def worded(self) -> str:
        """In one line.

        >>> OfficialRatio("B200", "H100", 3.05, 4.4).worded
        'computed from official results: B200 over H100 3.05x to 4.4x in throughput per accelerator'
        """
        return (
            f"computed from official results: {self.a} over {self.b} {marked_span(self.lowest, self.highest, self.previews)} "
            "in throughput per accelerator"
        )


def published_ratios(
    asker: Asker, a: str, b: str, *, within: Restriction | None = None, listed: bool = False
) -> PublishedRatios | None:
    """The ratios that results of one task, scenario and round give of A over B; None where there are none."""
    rows = asker.rows("benchmarks/gains", a=a, b=b)
    found = list({_ratio(row) for row in rows if row["per_accelerator"] is not None and _is_within(within, row)})
    if not found:
        return None
    # two stable sorts: newest round first, and within a round by task
    found.sort(key=lambda one: (one.task or "", one.scenario or "", one.claim, one.against_claim))
    found.sort(key=lambda one: one.round or "", reverse=True)
    virtual = _virtualised(asker, found)
    counting = [one for one in found if virtual.isdisjoint((one.accelerator, one.against))] or found
    best = max(counting, key=lambda one: one.per_accelerator)
    least = min(counting, key=lambda one: one.per_accelerator)
    previews = previews_among(asker, (least, best))
    return PublishedRatios(
        rows=len(counting),
        lowest=least.per_accelerator,
        highest=best.per_accelerator,
        best=best,
        newest=counting[0],
        listed=tuple(found) if listed else (),
        virtualised=len(found) - len(counting),
        previews=tuple(one.per_accelerator for one in previews),
    )


def _virtualised(asker: Asker, ratios: Iterable[PublishedRatio]) -> frozenset[str]:
    """The accelerators of some ratios that are given to virtual machines."""
    ids = sorted({thing for one in ratios for thing in (one.accelerator, one.against) if thing.startswith("config/")})
    cards = asker.rows("entities/card", thing=ids) if ids else ()
    return frozenset(text(row, "thing") for row in cards if row["virtualised"] is True)


def _is_within(within: Restriction | None, row: Row) -> bool:
    model = bare_id(said(row, "model"))
    # a ratio of results has neither source nor date of its own: restrictions on these leave none
    return within is None or within.fits(metric="throughput", conditions=f"model={model}", source=None, said_on=None)


def _ratio(row: Row) -> PublishedRatio:
    return read_fields(PublishedRatio, row, per_accelerator=number(row, "per_accelerator") or 0.0)
