"""A trace in the forms that a person or a program asks for."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from kg.cli.options import Format, ListOptions
from kg.cli.screen import show_text

if TYPE_CHECKING:
    from kg.answers.trace import Trace, TracedClaim
    from kg.session import Graph


def put_trace(graph: "Graph", found: "Trace", options: ListOptions, *, wide: bool) -> None:
    """Write a trace; what is cut or near goes to standard error."""
    claims = found.claims[: options.limit]
    if options.form is Format.json:
        from kg.cli.render import write_json

        whole = found.to_json()
        write_json({**whole, "claims": whole["claims"][: options.limit], "complete": found.found <= len(claims)})
    elif options.form in (Format.jsonl, Format.csv):
        from kg.cli.render import write_rows

        write_rows(row_columns(), trace_rows(claims), options.form)
    else:
        _put_text(graph, found, options.form, limit=options.limit, wide=wide)
    if options.form in (Format.json, Format.jsonl, Format.csv) and len(claims) < found.found:
        options.tell(f"cut at {len(claims)} of {found.found} claims")
    if not found.claims:
        from kg.answers.claim import shown_figure

        near = (f"\n  near: {one.claim} prints {shown_figure(one.printed, one.unit)}" for one in found.near[:5])
        options.tell(f"no claim states {found.asked}{''.join(near)}")


def _put_text(graph: "Graph", found: "Trace", form: Format, *, limit: int | None, wide: bool) -> None:
    """The trace in full where that is asked for, else what matters of it on one screen."""
    from kg.render.trace_text import trace_text

    markdown = form is Format.markdown
    whole = wide or markdown
    text = trace_text(found, graph.document, most=limit or 10, markdown=markdown, brief=not whole)
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


def row_columns() -> tuple[str, ...]:
    """The columns of `trace_rows`; the place has one for each of its parts."""
    from kg.answers.claim import PrintedPlace

    return (
        "claim",
        "printed",
        "unit",
        "subject",
        "level",
        "metric",
        "asserted_by",
        "source",
        *PrintedPlace._fields,
        "verdict",
        "reason",
    )


def trace_rows(claims: "Sequence[TracedClaim]") -> list[tuple[object, ...]]:
    """One row a claim."""
    return [
        (
            c.id,
            c.figure.printed,
            c.figure.unit,
            c.subjects[0].id,
            c.level,
            c.metric,
            c.asserted_by.id,
            c.source.id,
            *c.place,
            c.verdict,
            c.verdict_reason,
        )
        for c in (one.claim for one in claims)
    ]
