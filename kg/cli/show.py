"""`kg show`: one thing with all that is known of it."""

import sys
from typing import Annotated

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    QuietOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show)


def show(
    name: Annotated[str, typer.Argument(metavar="ID|NAME", help="an entity, claim, source or metric")],
    form: FormatOption = Format.table, store: StoreOption = None, content: ContentOption = None,
    timeout: TimeoutOption = 60.0, explain: ExplainOption = False, quiet: QuietOption = False,
) -> None:  # fmt: skip
    """One entity, claim, source or metric with all that is known of it.

    Example: kg show "GB200 NVL72"
    """
    from kg.cli.render import write_json, write_rows

    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    found = graph.show(name)
    tell = talker(quiet)
    if form is Format.json:
        write_json(found.to_json())
    elif found.trace is not None:
        from kg.cli.trace_text import trace_text

        sys.stdout.write(trace_text(found.trace, graph.document, most=1, markdown=form is Format.markdown))
    elif found.kind == "several":
        write_rows(("id", "label"), [(one.id, one.label) for one in found.candidates], form)
        tell(f"{name} is a name of {len(found.candidates)} things; show one of them by its id")
    elif found.kind == "nothing":
        tell(f"nothing is called {name}" + (f"; near: {', '.join(found.near)}" if found.near else ""))
    else:
        rows = [(key, value) for key, value in found.facts.items()]
        rows += [(one.link, f"{one.other.label or ''} [{one.other.id}]") for one in found.links]
        rows += [(f"claims as {one.role}", f"{one.claims} of kind {one.kind}") for one in found.counts]
        write_rows(("what", "is"), rows, form)
    if explain:
        tell("questions: " + ", ".join(found.questions))
