"""`kg show`: one thing with all that is known of it."""

from typing import Annotated

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    LimitOption,
    QuietOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(
    words: Annotated[
        list[str],
        typer.Argument(metavar="ID|NAME", help="a thing, metric, claim, source, finding or number, or two things"),
    ],
    form: FormatOption = Format.table,
    limit: LimitOption = None,
    store: StoreOption = None,
    content: ContentOption = None,
    timeout: TimeoutOption = 60.0,
    explain: ExplainOption = False,
    quiet: QuietOption = False,
    wide: Annotated[bool, typer.Option("--wide", help="every row, link and published result")] = False,
) -> None:
    """The spec sheet of a thing or a metric; a claim, source or finding with all that is known of it.

    Example: kg show "GB200 NVL72"
    """
    from kg.cli.show_forms import put_finding, put_referent

    name = " ".join(words)
    graph, tell = open_for_reading(store, content, quiet=quiet, timeout=timeout), talker(quiet)
    if name.startswith("finding/"):
        put_finding(graph, name, form, tell)
        return
    used = put_referent(graph, graph.referent(*words), form, tell, limit=limit, wide=wide)
    if explain:
        tell("questions: " + ", ".join(used))
