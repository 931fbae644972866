"""A trace in the forms that a person or a program asks for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kg.cli.options import Format, ListOptions
from kg.cli.screen import show_text
from kg.model.columns import PLACE, columns, read_columns

if TYPE_CHECKING:
    from kg.answers.trace import Trace
    from kg.session import Graph


COLUMNS = columns(
    "claim=id printed=figure.printed unit=figure.unit subject=subject.id level metric"
    f" asserted_by=asserted_by.id source=source.id {PLACE} verdict reason=verdict_reason"
)


def put_trace(graph: "Graph", found: "Trace", options: ListOptions, *, wide: bool, positions: bool = False) -> None:
    """Write a trace; what is cut or near goes to standard error."""
    claims = found.claims[: options.limit]
    if options.form is Format.json:
        from kg.cli.render import write_json

        whole = found.to_json()
        write_json({**whole, "claims": whole["claims"][: options.limit], "complete": found.found <= len(claims)})
    elif options.form in (Format.jsonl, Format.csv):
        from kg.cli.render import write_rows

        write_rows(tuple(COLUMNS), read_columns(COLUMNS, (one.claim for one in claims)), options.form)
    else:
        _put_text(graph, found, options, wide=wide, positions=positions)
        if found.found > 1 and not wide:
            options.tell("--wide shows every claim in full")
    if options.form in (Format.json, Format.jsonl, Format.csv) and len(claims) < found.found:
        options.tell(f"cut at {len(claims)} of {found.found} claims")
    if not found.claims:
        from kg.answers.claim import shown_figure

        near = (f"\n  near: {one.claim} prints {shown_figure(one.printed, one.unit)}" for one in found.near[:5])
        if found.near or options.form is not Format.table:
            options.tell(f"no claim states {found.asked}{''.join(near)}")


def _put_text(graph: "Graph", found: "Trace", options: ListOptions, *, wide: bool, positions: bool) -> None:
    """The trace in full where that is asked for, else what matters of it on one screen."""
    from kg.render.trace_text import trace_text

    markdown, limit = options.form is Format.markdown, options.limit
    whole = wide or markdown
    text = trace_text(found, graph.document, most=limit or 10, markdown=markdown, brief=not whole, positions=positions)
    if found.kind == "claim" and whole:
        text += "".join(_calculations(graph, found, markdown=markdown))
    show_text(text, whole=whole or limit is not None, more="--wide shows all, --limit N more claims")


def _calculations(graph: "Graph", found: "Trace", *, markdown: bool) -> Iterator[str]:
    """The computations of a single claim laid out, with the intervals of their inputs."""
    names = [note.id for one in found.claims for derivation in one.derivations for note in derivation.findings]
    if not names:
        return
    from kg.render.finding_card import card_lines
    from kg.render.lines import fenced

    for one in graph.findings(*names):
        yield "\n" + fenced(list(card_lines(one.card, one.calculation)), markdown=markdown)
