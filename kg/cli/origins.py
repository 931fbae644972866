"""`kg origins`: mentions against origins."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import meant_by, one_claim
from kg.cli.options import (
    AnswerOptions,
    Format,
    spread,
)

if TYPE_CHECKING:
    from kg.answers.chains import Hop
    from kg.answers.origins import ClusterMention, OriginsOf


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("origins")(spread(origins))


def origins(
    words: Annotated[
        list[str], typer.Argument(metavar="CLAIM|NUMBER", help="the id of a claim, or a number that one claim states")
    ],
    *,
    options: AnswerOptions,
) -> None:
    """How often a claim is said, how many said it on their own, and hop by hop where each repetition comes from.

    Example: kg origins 000/mistral.impact.training-speed.h200
    """
    from kg.cli.render import write_json, write_rows

    graph = options.open()
    found = graph.origins(
        one_claim(graph, meant_by(graph, words, "origins", number_first=True), "origins", options.tell)
    )
    if options.form is Format.json:
        write_json(found.to_json())
    elif options.form in (Format.csv, Format.jsonl):
        rows = [
            (
                found.cluster,
                one.claim,
                one.printed,
                one.asserted_by,
                one.source,
                hop and hop.hop,
                hop and hop.via,
                hop and hop.reached,
                hop and hop.fidelity,
                hop and hop.end_state,
                hop and list(hop.through),
            )
            for one in found.members
            for hop in one.chain or (None,)
        ]
        write_rows(
            (
                "cluster",
                "claim",
                "printed",
                "said_by",
                "source",
                "hop",
                "via",
                "reaches",
                "fidelity",
                "end_state",
                "through",
            ),
            rows,
            options.form,
        )
    else:
        from kg.render.lines import fenced

        sys.stdout.write(fenced(list(_text(found)), markdown=options.form is Format.markdown))
    options.name_questions(found.questions)


def _text(found: "OriginsOf") -> Iterator[str]:
    from kg.render.lines import row, wrapped
    from kg.render.trace_text import END_STATES

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


def _mention(one: "ClusterMention") -> Iterator[str]:
    from kg.render.lines import row, wrapped

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


def _hop(hop: "Hop") -> str:
    from kg.render.trace_text import END_STATES

    reached = f"{hop.label or hop.printed or ''} [{hop.reached}]"
    kept = f", kept as: {hop.fidelity}" if hop.fidelity else ""
    end = f"; ends: {END_STATES.get(hop.end_state, hop.end_state)}" if hop.end_state else ""
    return f"{'rests on' if hop.via == 'derived-from' else hop.via} {reached}{kept}{end}"
