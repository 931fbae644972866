"""A number line: all values that are claimed of a thing for one metric, with their intervals and speakers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, said, text
from kg.answers.published import known_metric
from kg.model.counting import counted
from kg.render.charts import JUDGED, MOST_LANES, Lane, Mark, NothingToChart, Panel, Plan
from kg.render.picture_cards import brief_claim_table, figure_of, made_from, measure, read_known, speaker
from kg.render.thing_nodes import brief_title, short

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened


MOST_READ: Final = 2_000
"""Claims that are read for one line: more than are drawn, since it says what most of them give."""


def number_line_plan(graph: Opened, thing: str, metric: str) -> Plan:
    """All values that are claimed of a thing for one metric, with their intervals and speakers."""
    asker = Asker(graph.ask)
    slug = known_metric(asker, metric, field="--chart number-line")
    rows = asker.rows("specifications/all-claims", thing=thing)
    claims = list(dict.fromkeys(text(row, "claim") for row in rows if text(row, "metric") == f"metric/{slug}"))
    return _line(graph, asker, claims, f"{slug.replace('-', ' ')} of {thing}")


def claim_line_plan(graph: Opened, claim: str) -> Plan:
    """All values that are claimed for the statement of one claim; results under other conditions are other statements."""
    asker = Asker(graph.ask)
    rows = asker.rows("claims/same-statement", claim=[claim])
    known = read_known(graph, asker, [claim])
    if claim not in known.cards:
        raise NothingToChart(given=claim, expected="claims with a figure", next_step="kg find TEXT lists what is there")
    card = known.cards[claim]
    same = [text(row, "other") for row in rows if _may_be_same(card.conditions, said(row, "conditions"))]
    what = f"{measure(card).replace('-', ' ')} of {short(card.subjects[0].name)}"
    plan = _line(graph, asker, [claim, *same], what)
    others = len(rows) - len(same)
    notes = [f"{counted(others, 'claim')} under other conditions: not drawn."] if others else []
    return replace(plan, notes=(*plan.notes, *notes))


def _may_be_same(one: str | None, other: str | None) -> bool:
    """Whether no condition has one value here and another there.

    >>> _may_be_same("model=a; scenario=offline", "scenario=offline; rounds=v5.1"), _may_be_same("model=a", "model=b")
    (True, False)
    """
    read = [
        {name: value for name, _, value in (part.partition("=") for part in (text or "").split("; "))}
        for text in (one, other)
    ]
    return all(
        read[1].get(name, value) in (value, "unstated") or value == "unstated" for name, value in read[0].items()
    )


def claims_plan(graph: Opened, claims: Iterable[str], what: str) -> Plan:
    """The figures of given claims on one line."""
    return _line(graph, Asker(graph.ask), claims, what)


def _line(graph: Opened, asker: Asker, claims: Iterable[str], what: str) -> Plan:
    named = list(dict.fromkeys(claims))
    known = read_known(graph, asker, named[:MOST_READ])
    shown = _of_commonest_unit(known.cards.values())
    if not shown:
        raise NothingToChart(given=what, expected="claims with a figure", next_step="kg find TEXT lists what is there")
    factor, printed_unit = _printed_unit(shown)
    values = [card.figure.canonical_value or 0 for card in shown]
    left_out = len(known.cards) - len(shown)
    notes = [f"{counted(left_out, 'claim')} without a figure in this unit: not drawn."] if left_out else []
    if len(named) > MOST_READ:
        notes.append(f"The first {MOST_READ:,} of {len(named):,} claims are counted; the others are not read.")
    if len(shown) > MOST_LANES:
        notes.append(f"This is a part: {MOST_LANES} of {len(shown)} claims are drawn.")
    lanes = tuple(_figure_lane(card, factor) for card in shown[:MOST_LANES])
    distinct = len({round(value, 9) for value in values})
    values_given = f"{counted(distinct, 'different value')}" if distinct > 1 else "one value"
    about = f"{counted(len(shown), 'claim')} of {what}: {values_given}. A bar is the range that the print allows; shape and colour are the verdict."
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
    printed = Counter(card.figure.unit for card in cards if card.figure.unit and card.figure.single)
    # The unit that most print, so that a reader finds the figures as they are printed in the texts.
    for unit in sorted(printed, key=lambda one: (-printed[one], one)):
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
    # Counters: of thousands of published results each would be counted in all of them.
    ((often, times),) = Counter(values).most_common(1)
    texts = Counter(figure_of(card) or "" for card, value in zip(usable, values, strict=True) if value == often)
    # The print in the unit of the axis first, then one that begins with a digit, then the most
    # usual one.
    shown = max(texts, key=lambda text: (text.endswith(f" {unit}"), text[:1].isdigit(), texts[text]))
    return f"{what[:1].upper()}{what[1:]}: {shown} in {times} of {len(cards)} claims{refuted}"


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
        f"{short(card.subjects[0].name)}: {_cut(speaker(card), 20)} in {figure_title(card)}",
        (mark,),
        is_bad=card.verdict == "wrong",
    )


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 2].rstrip() + " …"


def figure_title(card: ClaimCard) -> str:
    """The title of the source of a claim in a few words."""
    return brief_title(card.source.name)
