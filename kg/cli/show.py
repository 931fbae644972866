"""`kg show`: one thing with all that is known of it."""

from typing import Annotated

import typer

from kg.cli.options import (
    ListOptions,
)


def show(
    words: Annotated[
        list[str],
        typer.Argument(metavar="ID|NAME", help="a thing, metric, claim, source, finding or number, or two things"),
    ],
    *,
    options: ListOptions,
    wide: Annotated[bool, typer.Option("--wide", help="every row, link and published result")] = False,
) -> None:
    """The spec sheet of a thing or a metric; a claim, source or finding with all that is known of it.

    Example: kg show "GB200 NVL72"
    """
    from kg.cli.show_forms import put_finding, put_referent

    name = " ".join(words)
    graph = options.open()
    if name.startswith("finding/"):
        put_finding(graph, name, options.form, options.tell)
        return
    options.name_questions(put_referent(graph, graph.referent(*words), options, wide=wide))
