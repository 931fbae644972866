"""A trace as text for a terminal (or Markdown): advice first, then one block a claim."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from kg.answers.chains import DERIVED, Hop
from kg.answers.claim import ClaimCard, PrintedPlace
from kg.answers.siblings import Sibling
from kg.answers.trace import Trace
from kg.answers.traced_claim import Dependent, FindingNote, Official, TracedClaim, TracedDerivation
from kg.audit.wording import ratio_form
from kg.content.documents import Document
from kg.model.comparability import base_division
from kg.model.counting import claims_state, counted
from kg.model.vocabulary import RATIO_RELATIONS
from kg.render.cells import visible
from kg.render.claim_words import condition_words, measure_words, subject_at_level
from kg.render.lines import fenced, row, rows, width, wrapped

TextOf = Callable[[str | None, str | None], Document | None]
"""From document name and SHA-256 to the attached text, or None."""
_MOST = 3
"""Entries of a list that a claim shows; a line says how to see the rest."""
_MOST_HOPS = 4
_MOST_OFFICIAL = 3
_LABEL = 15
_PAIR = 2


def trace_text(
    trace: Trace,
    document: TextOf,
    *,
    most: int,
    markdown: bool = False,
    brief: bool = False,
    positions: bool = False,
) -> str:
    """The whole trace; at most `most` claims in full, with `positions` in the files where that is asked for.

    In `brief` only the first claim has its evidence, one entry of each kind; the others are a figure with its verdict.
    """
    out = wrapped(trace.sentence, "  ", first="")
    shown = trace.claims[:most]
    if trace.kind == "number" and trace.claims:
        out.append("")
        out.append(
            trace.how_many
            + (f"; the first {len(shown)} follow (--limit shows more)" if len(shown) < trace.found else "")
        )
    for number, one in enumerate(shown):
        if brief:
            out.extend(_short(one, document, positions=positions) if number == 0 else _line(one))
        else:
            out.extend(["", *_claim(one, document, positions=positions)])
    further = list(_elsewhere(trace))
    if further:
        out.append("")
    for line in further:
        out.extend(wrapped(line, "  ", first=""))
    return fenced([visible(line) for line in out], markdown=markdown)


def _elsewhere(trace: Trace) -> Iterator[str]:
    """Commands for the claims of something else that state the number, and for what is stated where none does."""
    if trace.others:
        states = claims_state(trace.others, " of something else")
        yield f"{states} it too: kg trace {shlex.quote(trace.asked)}"
    if trace.about and not trace.claims:
        names = trace.things[:_PAIR] or trace.about[:1]
        yield f"What is stated of {' and '.join(names)}: {shlex.join(('kg', 'show' if len(names) == 1 else 'compare', *names))}"


_row, _rows = partial(row, wide=_LABEL), partial(rows, wide=_LABEL)


def _line(one: TracedClaim) -> list[str]:
    """A claim as its figure with the verdict, and the id that shows the rest."""
    card = one.claim
    return [
        "",
        *wrapped(_says(card), "  ", first=""),
        *wrapped(f"{card.verdict}: {card.verdict_reason}", "    ", first="  "),
        f"  {card.id}",
    ]


def _short(one: TracedClaim, document: TextOf, *, positions: bool) -> Iterator[str]:
    """A claim with the best of its evidence; the rest is counted."""
    card = one.claim
    yield ""
    yield card.id + _nearness(one)
    yield from _row("Claim", _says(card))
    if conditions := condition_words(card.conditions):
        yield from _row("Conditions", shortened(conditions, 2 * (width() - _LABEL - 4)))
    yield from _row("Source", _place(card))
    if positions:
        yield from _position(card.place)
    yield from _quote(card.place, document)
    yield from _row("Asserted by", _speaker(card))
    for derivation in one.derivations[:1]:
        yield from _derivation(derivation, card)
    loose = [note for note in one.findings if note.derivation is None and note.severity != "info"]
    for note in loose[:1]:
        yield from _row("Finding", f"{note.message} ({note.severity}, {note.code})")
    for official in one.official[:1]:
        yield from _row("Published", _official(card, official))
    for label, words in _counts(one, len(loose)):
        yield from _row(label, words)
    if not positions and card.place.named is None and card.place.start is not None:
        yield from _row("With --verbose", f"its position in {card.place.document}")


def _counts(one: TracedClaim, findings: int) -> Iterator[tuple[str, str]]:
    """What a short trace leaves out, counted, with the command that shows it."""
    name = one.claim.id
    if one.dependents:
        yield "Used by", f"{counted(len(one.dependents), 'claim')} (kg impact {name})"
    if one.chain:
        yield "Evidence", f"{counted(len(one.chain), 'step')} towards its origin (kg origins {name})"
    rest = [
        counted(count, noun)
        for count, noun in (
            (findings - 1, "finding"),
            (len(one.official) - 1, "published result"),
            (len(one.same_thing), "same-thing claim"),
            (len(one.related), "related claim"),
            (1 if one.claim.note else 0, "note"),
        )
        if count > 0
    ]
    if rest:
        yield "With --wide", ", ".join(rest)


def shortened(conditions: str, most: int) -> str:
    """Conditions up to a length, the last one that fits whole.

    >>> shortened("model: a; round: b; round: c", 22), shortened("model: a", 20)
    ('model: a; round: b; and 1 more', 'model: a')
    """
    if len(conditions) <= most:
        return conditions
    parts, kept = conditions.split("; "), 1
    while kept < len(parts) and len("; ".join(parts[: kept + 1])) <= most:
        kept += 1
    return f"{'; '.join(parts[:kept])}; and {len(parts) - kept} more"


def _nearness(one: TracedClaim) -> str:
    """How far a figure is off that is only near."""
    is_near = one.match is not None and one.match.kind == "near"
    return f"   (within {max(abs(one.match.difference), 0.0001):.2%})" if is_near and one.match is not None else ""


def _claim(one: TracedClaim, document: TextOf, *, positions: bool) -> Iterator[str]:
    card = one.claim
    yield card.id + _nearness(one)
    yield from _row("Claim", _says(card))
    if conditions := condition_words(card.conditions):
        yield from _row("Conditions", conditions)
    if conditions := condition_words(card.baseline_conditions):
        yield from _row("Baseline under", conditions)
    yield from _row("Source", _place(card))
    if positions:
        yield from _position(card.place)
    yield from _quote(card.place, document)
    yield from _row("Asserted by", _speaker(card))
    yield from _verdict_row(card)
    yield from _rows("Evidence", _evidence(one))
    for derivation in one.derivations:
        yield from _derivation(derivation, card)
    loose = [note for note in one.findings if note.derivation is None and note.severity != "info"]
    for note in loose[:_MOST_HOPS]:
        yield from _row("Finding", f"{note.message} ({note.severity}, {note.code})")
    yield from _officials(one)
    yield from _others(one)
    if card.note:
        yield from _row("Note", card.note)


def _verdict_row(card: ClaimCard) -> Iterator[str]:
    if card.verdict != "confirmed" or card.verdict_reason:
        better = f"; value to use: {card.value_to_use}" if card.value_to_use else ""
        yield from _row("Verdict", f"{card.verdict}: {card.verdict_reason}{better}")


def _evidence(one: TracedClaim) -> Sequence[str]:
    """The steps back to where it was printed first; one link can be reached on several ways and is said once."""
    inputs = {hop.reached: hop.printed for hop in one.chain}
    steps = (
        f"{_way(hop, inputs) if hop.through else f'{hop.via} '}{_hop(hop)}" for hop in one.chain if hop.via != DERIVED
    )
    return tuple(dict.fromkeys(steps))[:_MOST_HOPS]


def _way(hop: Hop, inputs: Mapping[str, str | None]) -> str:
    """The inputs that a step leads through: it is the last of them that repeats something, not the claim."""
    if not hop.through:
        return ""
    ways = ", which rests on ".join(f"{inputs.get(one) or 'a claim'} [{one}]" for one in hop.through)
    return f"{ways}, which {hop.via} "


def _hop(hop: Hop) -> str:
    end = f"; {END_STATES.get(hop.end_state, hop.end_state)}" if hop.end_state else ""
    return f"{hop.label or hop.printed or ''} [{hop.reached}]" + (f" ({hop.fidelity})" if hop.fidelity else "") + end


def _says(card: ClaimCard) -> str:
    words = [] if card.worded is None else [f"{card.worded}:"]
    words.append(measure_words(card))
    words.append(f"of {subject_at_level(card)}")
    if card.baseline is not None:
        words.append(f"against {card.baseline.name} ({card.relation})")
    if card.statement:
        words.append(f"- {card.statement}")
    if card.modality != "stated" and card.figure.unit is None:
        words.append(f"[{card.modality}]")
    return " ".join(words)


def _place(card: ClaimCard) -> str:
    """The source by its title, and the place that it names itself; positions are in the forms for programs."""
    where = filter(None, [f"{card.source.name} [{card.source.id}]", card.place.named])
    return "; ".join(where) + (f"; dated {card.said_on}" if card.said_on else "; undated")


def _position(place: PrintedPlace) -> Iterator[str]:
    """Where the figure is in the file, which its digest tells from every other state of it."""
    if place.document is None:
        return
    at = f"code points {place.start} to {place.end} of " if place.start is not None else ""
    digest = f" (SHA-256 {place.sha256[:12]}…)" if place.sha256 else ""
    yield from _row("Position", f"{at}{place.document}{digest}")


def _quote(place: PrintedPlace, document: TextOf) -> Iterator[str]:
    text = document(place.document, place.sha256)
    if text is not None and place.start is not None and place.end is not None:
        yield from _row("", f"“{text.sentence(place.start, place.end)}” (text attached, digest checked)")


def _speaker(card: ClaimCard) -> str:
    said = card.asserted_by.name
    if card.is_ours:
        said = f"nobody in these words: computed by accelkg from what {said} submitted"
    if card.attributed_to is not None:
        said += f", quoting {card.attributed_to.name}"
    relays = [one.name for one in card.path if one.id != card.asserted_by.id]
    return said + (f"; relayed by {', then '.join(reversed(relays))}" if relays else "")


def _number(value: float | None, unit: str | None) -> str:
    if value is None:
        return "nothing"
    if unit == "USD/token":  # a millionth of a dollar; prices are given for a million tokens
        value, unit = value * 1e6, "USD/Mtoken"
    # Two digits behind the point where they say something; smaller and very large values by their
    # first six digits.
    shown = f"{value:,.2f}".rstrip("0").rstrip(".") if 1e-2 <= abs(value) < 1e15 else f"{value:.6g}"
    return f"{shown} {unit.removeprefix('count:')}" if unit and unit != "1" else shown


def _derivation(one: TracedDerivation, card: ClaimCard) -> Iterator[str]:
    how = "as the text says" if one.stated_by_text else "rebuilt by us"
    yield from _row("Formula", f"{one.expression} ({how}{', ' + one.variant if one.variant else ''})")
    for given in one.inputs:
        value = (
            (given.worded or _number(given.canonical_value, given.canonical_unit))
            if given.claim
            else _number(given.constant, given.constant_unit)
        )
        role = f" ({given.role})" if given.role else ""
        why = f" because {given.why}" if given.why else ""
        yield from _row("", f"{given.name} = {value}{role}{why}" + (f"  [{given.claim}]" if given.claim else ""))
    for note in one.findings:
        yield from _verdict(note, card)


def _as_the_claim(value: float, unit: str | None, card: ClaimCard) -> str:
    """A computed value in the form and the unit that its claim prints: months, not seconds, and how many times less."""
    if card.relation in RATIO_RELATIONS and card.relation != "ratio":
        worded = ratio_form(Fraction(value), card.relation)
        return worded if worded is not None and unit in (None, "1") else _number(value, unit)
    printed, canonical = card.figure.single, card.figure.canonical_value
    if not printed or not canonical or unit != card.figure.canonical_unit:
        return _number(value, unit)
    return _number(value * printed / canonical, card.figure.unit)


def _verdict(note: FindingNote, card: ClaimCard) -> Iterator[str]:
    value, unit = note.computed_value, note.computed_unit
    computed = f"gives {_as_the_claim(value, unit, card)}: " if value is not None else ""
    why = f": {note.message.rstrip('.')}" if note.verdict == "not-checkable" else ""
    yield from _row("Recomputed", f"{computed}{note.verdict} ({note.severity}){why}")
    for one in note.explanations[:3]:
        corrected = (
            "" if one.corrected_value is None else f"; without it {_as_the_claim(one.corrected_value, unit, card)}"
        )
        yield from _row("Explanation", f"{one.message}{corrected} ({one.code})")


def _difference(card: ClaimCard, other: Sibling) -> str:
    """What the other claim says under conditions of its own, and who says it when that is somebody else."""
    # Conditions that both have tell the two claims apart in nothing.
    mine, theirs = set((card.conditions or "").split("; ")), (other.conditions or "").split("; ")
    parts = [one for one in theirs if one and one not in mine] if other.differs else []
    missing = [name for name in other.differs if all(not one.startswith(f"{name}=") for one in parts)]
    parts += [f"no {name.replace('_', ' ')} stated" for name in missing]
    speaker = f", asserted by {other.speaker}" if other.asserted_by != card.asserted_by.id else ""
    return ("under " + condition_words("; ".join(parts)) if parts else "under the same conditions") + speaker


END_STATES: Mapping[str, str] = {
    "primary": "an original source",
    "circular": "in the end itself (circular)",
    "unopened": "original source not available",
    "no-source": "no source given",
}
"""Where a chain of sources ends, in words."""
_PER = {"per-chip": "per accelerator", "total": "of the whole system"}


def _official(card: ClaimCard, one: Official) -> str:
    """An official result: value, id, round, entry and size, and what is otherwise than in the claim."""
    parts = [
        f"{_number(one.value, one.unit)} {_PER.get(one.normaliser, one.normaliser.replace('-', ' '))} [{one.claim}]"
    ]
    parts.append(f"round {one.round.rpartition('-')[2]}, entry {one.entry}")
    if one.accelerators is not None:
        parts.append(f"{one.accelerators:,.0f} accelerators" if one.accelerators != 1 else "1 accelerator")
    if one.accelerator.id not in {thing.id for thing in card.subjects}:
        parts.append(one.accelerator.name)
    if one.scenario is not None and f"scenario={one.scenario.partition('/')[2]}" not in (card.conditions or "").split(
        "; "
    ):
        parts.append(f"scenario {one.scenario.partition('/')[2]}")
    if base_division(one.division) == "open":
        parts.append("open division")
    if one.submitter is not None:
        parts.append(f"by {one.submitter.name}")
    return ", ".join(parts)


def _officials(one: TracedClaim) -> Iterator[str]:
    yield from _rows("Published", (_official(one.claim, official) for official in one.official[:_MOST_OFFICIAL]))
    if len(one.official) > _MOST_OFFICIAL:
        more = len(one.official) - _MOST_OFFICIAL
        yield from _row("", f"and {more} more (kg ask benchmarks/official --claim {one.claim.id})")


def _others(one: TracedClaim) -> Iterator[str]:
    direct = sorted(one.dependents, key=lambda d: (d.hop, d.statement is not None, d.claim))
    yield from _rows("Used by", map(_used_by, direct[:_MOST]))
    if len(direct) > _MOST:
        yield from _row("", f"and {len(direct) - _MOST} more (kg ask claims/dependents --claim {one.claim.id})")
    yield from _alike("Same thing", one, one.same_thing)
    yield from _alike("Related", one, one.related)


def _used_by(one: Dependent) -> str:
    """A claim that rests on another one, in a line."""
    what = one.statement or one.worded or one.metric or "no figure"
    how = "" if one.hop == 1 else f" (through {one.hop} steps)"
    return f"{what} [{one.claim}], {one.via}{how}, {one.verdict}"


def _alike(label: str, one: TracedClaim, others: Sequence[Sibling]) -> Iterator[str]:
    """Claims of the same subject, metric and normaliser, the most alike first."""
    shown = (f"{two.worded or 'no figure'} [{two.claim}] {_difference(one.claim, two)}" for two in others[:_MOST])
    yield from _rows(label, shown)
    if len(others) > _MOST:
        more = f"and {len(others) - _MOST} more (kg ask claims/same-statement --claim {one.claim.id})"
        yield from _row("", more)
