"""A claim as a card to hand on: what was claimed, the verdict, the value to use, the chain in three steps, the source."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.answers.asking import Asker
from kg.answers.trace import trace
from kg.answers.traced_claim import TracedClaim
from kg.audit.derivation import RESTS_ON
from kg.errors import UsageError
from kg.model.counting import first_of
from kg.render.claim_words import subject_words
from kg.render.templating import rendered
from kg.render.thing_nodes import KnownThings, short
from kg.render.trace_text import END_STATES

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_FIGURE: Final = 72
_LINE: Final = 62
_STEP: Final = 27
_SOURCE: Final = 112
_STEP_LINES: Final = 4


class CardStep(NamedTuple):
    """One of the three steps of the chain."""

    title: str
    lines: tuple[str, ...]


def story_card(graph: Opened, asked: str) -> str:
    """The card of a number or a claim id, as SVG of 1,200 by 630."""
    found = trace(graph.ask, asked, graph.lexicon.units)
    if not found.claims:
        raise UsageError(
            "is stated by no claim.", given=asked, expected="a number or a claim id", next_step=f"kg find {asked}"
        )
    first = found.claims[0]
    card = first.claim
    things = KnownThings(Asker(graph.ask))
    things.read({hop.asserted_by for hop in first.chain if hop.asserted_by})
    about = subject_words(card)
    against = f" against {card.baseline.name}" if card.baseline else ""
    return rendered(
        "card.svg",
        figure=_wrapped(card.worded or card.statement or card.id, _FIGURE, 1)[0],
        about=textwrap.shorten(f"{card.metric.replace('-', ' ')} of {about}{against}", 84, placeholder=" …"),
        verdict=card.verdict,
        reason=_wrapped(card.verdict_reason, _LINE, 3),
        steps=tuple(_steps(first, things)),
        source=_wrapped(_source(first), _SOURCE, 2),
        claim=card.id,
    )


def _steps(first: TracedClaim, things: KnownThings) -> list[CardStep]:
    """Who said it where, how it was reached, and the result of computing it again."""
    card = first.claim
    speaker = card.asserted_by.name
    said = CardStep(
        "Asserted by", _wrapped(f"{speaker}{f', {card.said_on}' if card.said_on else ''}", _STEP, _STEP_LINES)
    )
    return [said, _evidence_step(first, things), _end_step(first)]


def _evidence_step(first: TracedClaim, things: KnownThings) -> CardStep:
    """What the claim was computed from, else what it repeats."""
    if first.derivations:
        way = first.derivations[0]
        values = [f"{one.name.replace('_', ' ')} {one.worded or one.constant or one.claim}" for one in way.inputs]
        if way.expression == RESTS_ON:
            return CardStep("Rests on", _wrapped(first_of(values, 2, joined="; "), _STEP, _STEP_LINES))
        text = f"{way.expression}: {first_of(values, 3, joined='; ')}"
        return CardStep("Computed from", _wrapped(text, _STEP, _STEP_LINES))
    if first.chain:
        hop = first.chain[0]
        said_by = f", asserted by {short(things.label(hop.asserted_by))}" if hop.asserted_by else ""
        text = f"{hop.label or hop.printed or hop.reached}{said_by}"
        return CardStep("Repeats", _wrapped(text, _STEP, _STEP_LINES))
    return CardStep("Rests on", ("no other claim",))


def _end_step(first: TracedClaim) -> CardStep:
    """The origin of a claim that repeats another one, else what to use."""
    if first.chain and not first.derivations:
        last = first.chain[-1]
        text = f"{last.label or last.printed or last.reached}: {END_STATES.get(last.end_state or '', last.end_state or 'reached')}"
        return CardStep("Origin", _wrapped(text, _STEP, _STEP_LINES))
    card = first.claim
    title = "Use instead" if card.value_to_use else "Result"
    return CardStep(title, _wrapped(card.value_to_use or card.verdict_reason, _STEP, _STEP_LINES))


def _source(first: TracedClaim) -> str:
    card = first.claim
    where = ", ".join(
        f"{name} {value}"
        for name, value in (("table", card.place.table), ("row", card.place.row), ("column", card.place.column))
        if value
    )
    return f"{card.source.name}{f'; {where}' if where else ''}"


def _wrapped(words: str, wide: int, most: int) -> tuple[str, ...]:
    """Lines that fit; what is cut ends in a sign that says so, and the claim id on the card leads to the whole."""
    lines = textwrap.wrap(words, wide) or [""]
    return (
        (*lines[: most - 1], textwrap.shorten(" ".join(lines[most - 1 :]), wide, placeholder=" …"))
        if len(lines) > most
        else tuple(lines)
    )
