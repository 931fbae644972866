"""`kg report`: an evidence report of a question or a claim."""

from pathlib import Path
from typing import Annotated

import typer

from kg.cli.options import (
    ReadingOptions,
    spread,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(
        spread(report, timeout=120.0)
    )


def report(
    context: typer.Context,
    asked: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION|CLAIM", help="the name of a saved question (with --PARAM VALUE), a claim id or a number"
        ),
    ],
    *,
    options: ReadingOptions,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="file to write, .html or .md (default: Markdown on standard output)"),
    ] = None,
) -> None:
    """Question, answer, picture, charts, calculations, conflicts and sources with positions, for somebody who has no tool.

    Example: kg report 002/r1.gb200.offline.per-accelerator -o evidence.html
    """
    from kg.cli.ask import read_parameters
    from kg.cli.output import put
    from kg.render.reporting import report as make_report

    graph = options.open()
    question = graph.questions().get(asked)
    given = read_parameters(context.args, {p.name: p.is_list for p in question.parameters} if question else {})
    form = (
        "md"
        if output is None
        else {".htm": "html", ".markdown": "md"}.get(output.suffix.lower(), output.suffix.lower().lstrip("."))
    )
    put(make_report(graph, asked, form=form, values=given), output, options.tell)
