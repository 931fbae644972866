"""`kg trace`: the provenance of a number."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    Format,
    ListOptions,
    spread,
)
from kg.cli.screen import WideOption, show_text
from kg.errors import UsageError
from kg.render.columns import PLACE, read_columns

if TYPE_CHECKING:
    from kg.answers.trace import Trace
    from kg.session import Graph


COLUMNS = {
    "claim": "id",
    "printed": "figure.printed",
    "unit": "figure.unit",
    "subject": "subject.id",
    "level": "level",
    "metric": "metric",
    "asserted_by": "asserted_by.id",
    "source": "source.id",
    **PLACE,
    "verdict": "verdict",
    "reason": "verdict_reason",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("trace", context_settings={"ignore_unknown_options": True})(spread(trace))


def trace(
    words: Annotated[
        list[str],
        typer.Argument(metavar="NUMBER|CLAIM-ID", help='such as 72428, "4.8 TB/s", 2.5x or the id of a claim'),
    ],
    *,
    options: ListOptions,
    wide: WideOption = False,
) -> None:
    """Where a number was printed, who says it, what it was computed from, whether it recomputes, who disagrees.

    Example: kg trace 72428
    """
    number = joined(words)
    graph = options.open()
    from kg.answers.claim import shown_figure
    from kg.answers.trace import UnknownClaim

    tell = options.tell
    try:
        found = graph.trace(number)
    except UnknownClaim as error:
        if options.form is Format.json:
            sys.stdout.write("null\n")
        tell(str(error))
        return
    claims = found.claims[: options.limit]
    if options.form is Format.json:
        from kg.cli.render import write_json

        whole = found.to_json()
        write_json({**whole, "claims": whole["claims"][: options.limit], "complete": found.found <= len(claims)})
    elif options.form in (Format.jsonl, Format.csv):
        from kg.cli.render import write_rows

        write_rows(tuple(COLUMNS), read_columns(COLUMNS, (one.claim for one in claims)), options.form)
    else:
        _put_text(graph, found, options.form, limit=options.limit, wide=wide)
    if options.form in (Format.json, Format.jsonl, Format.csv) and len(claims) < found.found:
        tell(f"cut at {len(claims)} of {found.found} claims")
    if not found.claims:
        tell(
            f"no claim states {number}"
            + "".join(f"\n  near: {one.claim} prints {shown_figure(one.printed, one.unit)}" for one in found.near[:5])
        )
    options.name_questions(found.questions)


def joined(words: Sequence[str]) -> str:
    """The words of a number or an id as one; unknown options are taken as words, since a number may begin with a sign."""
    if unknown := [word for word in words[1:] if word.startswith("--")]:
        raise UsageError("is no option of this command.", given=unknown[0], next_step="see kg trace --help")
    return " ".join(words)


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
