"""The rows of a spec sheet: claims of one thing grouped into metrics, and those of a metric into values.

A row holds everything that is stated of one metric at one level (and precision): the value to go by, the verdict on it, the
sources, and every other value. Claims that state the same value are one entry of a row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from kg.answers.asking import Row, number, said, text
from kg.answers.claim import Thing, bare, shown_figure, verdict_of, worded_figure
from kg.answers.sameness import differing
from kg.audit.wording import significant, with_prefix
from kg.model.condition_line import stated_conditions
from kg.model.verdict import NOT_TO_USE, VERDICTS, Verdict, founded_verdict

_FACETS: Final = ("precision", "sparsity", "phase", "period")
"""Conditions that make a value of its own; others stand with the claims."""
# meets "287500000000.0", as files write it; not "72,428", as people print it
_DIGITS: Final = re.compile(r"\d{7,}(?:\.\d+)?")
# between the figure and the unit of "141GB"; not in "2.5x" and "4.8T", which print one letter
_TIGHT: Final = re.compile(r"(?<=\d)(?=[A-Za-zµ]{2,}(?:/|$|\b))")


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


def sheet_rows(of: Thing, claims: Iterable[Row]) -> list[SheetRow]:
    """What claims state of a thing, a row for each metric at one level and for what makes a value of its own."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for level, metric, facets, rows in _grouped(claims):
        groups.setdefault((level, metric, facets), []).extend(rows)
    return [_row(of, *key, found) for key, found in groups.items()]


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
    """A figure and whose it is, without the brackets behind the name."""
    return f"{value.shown} of {', '.join((one.name).partition(' (')[0] for one in value.subjects)}"


def _is_figure(value: SheetValue) -> bool:
    """Whether a value is a figure; "multiple terabytes per second" has bounds and is none."""
    return value.value is not None and any(sign.isdigit() for sign in value.shown)


def _most_alike_first(lead: SheetValue, others: Iterable[SheetValue]) -> list[SheetValue]:
    """Other values, those under the conditions of the leading one first; else as they are ordered."""
    compared = (one._replace(differs=differing(lead.conditions, one.conditions)) for one in others)
    return sorted(compared, key=lambda one: (one.verdict in NOT_TO_USE, len(one.differs)))


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
        # twelve digits: what floats round off makes no value of its own
        return float(f"{value:.12g}"), said(claim, "canonical_unit"), hedge, claim["polarity"]
    return said(claim, "term") or (said(claim, "printed") or "").casefold(), hedge, claim["polarity"]


def _value(claims: Sequence[Row]) -> SheetValue:
    prints = Counter(_print(claim) for claim in claims)
    # the print that most of them use, the shorter of equals; the text itself, so that every run has
    # one answer
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
