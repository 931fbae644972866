"""`kg origins`: mentions against origins."""

import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kg.cli.grammar import claims_meant, meant_by, one_claim
from kg.cli.options import (
    AnswerOptions,
    Format,
)
from kg.model.columns import columns, read_columns

if TYPE_CHECKING:
    from kg.answers.chains import Hop
    from kg.answers.origins import ClusterMention, OriginsOf

COLUMNS = columns(
    "cluster=found.cluster claim=mention.claim printed=mention.printed said_by=mention.asserted_by"
    " source=mention.source hop via reaches=hop.reached fidelity end_state through",
    of="hop",
)


def origins(
    words: Annotated[list[str], typer.Argument(metavar="CLAIM|NUMBER", help="the id of a claim, or a number")],
    *,
    options: AnswerOptions,
) -> None:
    """How often a claim is said, how many said it independently, and hop by hop where each repetition comes from.

    Example: kg origins 000/mistral.impact.training-speed.h200
    """
    from kg.cli.render import write_json, write_rows
    from kg.render.lines import fenced
    from kg.render.origins_text import origin_lines, several_origins

    graph = options.open()
    meant = meant_by(graph, words, "origins", number_first=True)
    if options.form in (Format.table, Format.markdown) and len(claims := claims_meant(graph, meant)) > 1:
        several = several_origins(meant.text, claims, graph.origins)
        sys.stdout.write(fenced(list(several), markdown=options.form is Format.markdown))
        return
    found = graph.origins(one_claim(graph, meant, "origins", options.tell))
    if options.form is Format.json:
        write_json(found.to_json())
    elif options.form in (Format.csv, Format.jsonl):
        hops = (_Step(found, one, hop) for one in found.members for hop in one.chain or (None,))
        write_rows(tuple(COLUMNS), read_columns(COLUMNS, hops), options.form)
    else:
        sys.stdout.write(fenced(list(origin_lines(found)), markdown=options.form is Format.markdown))
    options.name_questions(found.questions)


class _Step(NamedTuple):
    """A mention of the cluster with one hop of its way back."""

    found: "OriginsOf"
    mention: "ClusterMention"
    hop: "Hop | None"
