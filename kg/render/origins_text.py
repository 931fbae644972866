"""How often a claim is said and where each repetition comes from, as text."""

from collections.abc import Iterator

from kg.answers.chains import Hop
from kg.answers.origins import ClusterMention, OriginsOf
from kg.render.lines import row, wrapped
from kg.render.trace_text import END_STATES


def origin_lines(found: OriginsOf) -> Iterator[str]:
    """Mentions and origins of a claim, then each mention with its way back."""
    card = found.claim
    yield from wrapped(f"{card.id}   mentions: {found.mentions}   origins: {found.origins}")
    yield from row(
        "says",
        f"{card.worded or card.statement or ''}: {card.metric} of {card.subjects[0].label or card.subjects[0].id}",
    )
    if found.end_states:
        yield from row("ends at", ", ".join(END_STATES.get(one, one) for one in found.end_states))
    if found.cluster is not None:
        yield from row(
            "cluster",
            f"{found.cluster_mentions} claims that have it from one another or from one place count as {found.cluster_origins}",
        )
        if found.echo_of is not None:
            yield from row("echo of", found.echo_of)
    for one in found.members:
        yield ""
        yield from _mention(one)
    if found.others:
        yield ""
        yield "Outside the cluster, the same value for the same thing"
        for other in found.others:
            yield from row("", f"{other.worded} by {other.asserted_by} [{other.claim}]")


def _mention(one: ClusterMention) -> Iterator[str]:
    machine = ", written by a machine" if one.machine_written else ""
    yield from wrapped(
        f"{one.claim}   {one.printed or ''} by {one.speaker or one.asserted_by} in {one.source}{machine}"
    )
    printed = {hop.reached: hop.printed for hop in one.chain}
    for hop in one.chain:
        carrier = f"{printed.get(hop.through[-1]) or 'the input'} [{hop.through[-1]}] " if hop.through else ""
        yield from row(f"hop {hop.hop}", carrier + _hop(hop))
    if not any(hop.via != "derived-from" for hop in one.chain):
        yield from row("", "repeats nothing that is known")


def _hop(hop: Hop) -> str:
    reached = f"{hop.label or hop.printed or ''} [{hop.reached}]"
    kept = f", kept as: {hop.fidelity}" if hop.fidelity else ""
    end = f"; ends: {END_STATES.get(hop.end_state, hop.end_state)}" if hop.end_state else ""
    return f"{'rests on' if hop.via == 'derived-from' else hop.via} {reached}{kept}{end}"
