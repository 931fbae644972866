"""How often a claim is said and where each repetition comes from, as text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kg.answers.chains import Hop
from kg.answers.origins import ClusterMention, OriginsOf
from kg.model.counting import counted
from kg.render.lines import row, wrapped
from kg.render.trace_text import END_STATES

MOST_CLAIMS: Final = 12
"""The most claims of a number whose origins are shown."""
_ENDS: Final[Mapping[str, str]] = {
    "primary": "it goes back to an original source",
    "circular": "it goes back to itself",
    "unopened": "the original source is not available",
    "no-source": "no source is given",
}


def origin_lines(found: OriginsOf) -> Iterator[str]:
    """How often it is stated and how many independent sources say it, then each claim with its way back, then what to type next."""
    card = found.claim
    yield from wrapped(_opening(found))
    yield from row("Claim", card.id)
    if found.cluster is not None:
        number = counted(found.cluster_origins, "independent source")
        yield from row("Together", f"{found.cluster_mentions} claims that repeat one another count as {number}")
        if found.echo_of is not None:
            yield from row("Repeats", found.echo_of)
    for one in found.members:
        yield ""
        yield from _mention(one)
    if found.others:
        yield ""
        yield "The same value for the same thing, stated independently"
        for other in found.others:
            yield from row("", f"{other.worded} by {other.asserted_by} [{other.claim}]")
    yield ""
    yield f"Next: kg trace {card.id}"


def several_origins(number: str, claims: Sequence[str], origins_of: Callable[[str], OriginsOf]) -> Iterator[str]:
    """For a number that several claims state: how often each is stated, and the number of its sources; claims that repeat one another once."""
    yield from wrapped(
        f"{number} is stated by {counted(len(claims), 'claim')}; kg origins CLAIM tells of one, hop by hop."
    )
    shown: set[str] = set()
    for name in claims[:MOST_CLAIMS]:
        # what thousands repeat is read once, not for each of them
        if name not in shown:
            one = origins_of(name)
            shown.update(mention.claim for mention in one.members)
            yield ""
            yield from wrapped(_opening(one))
            yield from row("Claim", ", ".join(mention.claim for mention in one.members))
    if len(claims) > MOST_CLAIMS:
        yield from ("", f"The first {MOST_CLAIMS} of {len(claims)} claims; kg trace {number} lists them")


def _opening(found: OriginsOf) -> str:
    """What is said how often, and where it comes from."""
    card = found.claim
    times = "once" if found.mentions == 1 else f"{found.mentions} times"
    by = counted(found.origins, "independent source") if found.origins else "no source of its own"
    what = f"{card.worded or card.statement or card.id}: {card.metric.replace('-', ' ')} of {card.subject.name}"
    ends = "; ".join(_ENDS.get(one, one) for one in found.end_states)
    back = f"; {ends}" if ends else ""
    return f"{what} is stated {times}, by {by}{back}."


def _mention(one: ClusterMention) -> Iterator[str]:
    machine = ", written by a machine" if one.machine_written else ""
    yield from wrapped(
        f"{one.claim}   {one.printed or ''} by {one.speaker or one.asserted_by} in {one.source}{machine}"
    )
    printed = {hop.reached: hop.printed for hop in one.chain}
    for hop in one.chain:
        carrier = f"{printed.get(hop.through[-1]) or 'the input'} [{hop.through[-1]}] " if hop.through else ""
        yield from row(f"Step {hop.hop}", carrier + _hop(hop))
    if not any(hop.via != "derived-from" for hop in one.chain):
        yield from row("", "repeats nothing that is known")


def _hop(hop: Hop) -> str:
    reached = f"{hop.label or hop.printed or ''} [{hop.reached}]"
    kept = f" ({hop.fidelity})" if hop.fidelity else ""
    end = f"; {END_STATES.get(hop.end_state, hop.end_state)}" if hop.end_state else ""
    return f"{'computed from' if hop.via == 'derived-from' else hop.via} {reached}{kept}{end}"
