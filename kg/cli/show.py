"""`kg show`: one thing with all that is known of it."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    AnswerOptions,
    Format,
    spread,
)

if TYPE_CHECKING:
    from kg.answers.show import Shown
    from kg.session import Graph


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(spread(show))


def show(
    words: Annotated[list[str], typer.Argument(metavar="ID|NAME", help="an entity, claim, source, metric or finding")],
    *,
    options: AnswerOptions,
    wide: Annotated[bool, typer.Option("--wide", help="every row, link and published result")] = False,
) -> None:
    """The spec sheet of a thing or a metric; a claim, source or finding with all that is known of it.

    Example: kg show "GB200 NVL72"
    """
    from kg.cli.render import write_json, write_rows

    name = " ".join(words)
    graph = options.open()
    tell = options.tell
    if name.startswith("finding/"):
        _finding(graph, name, options.form, tell)
        return
    found = graph.show(name)
    if found.kind in ("entity", "metric"):
        _sheet(graph, found, name, options.form, wide=wide)
    elif options.form is Format.json:
        write_json(found.to_json())
    elif found.trace is not None:
        from kg.render.trace_text import trace_text

        sys.stdout.write(trace_text(found.trace, graph.document, most=1, markdown=options.form is Format.markdown))
    elif found.kind == "several":
        write_rows(("id", "label"), [(one.id, one.label) for one in found.candidates], options.form)
        tell(f"{name} is a name of {len(found.candidates)} things; show one of them by its id")
    elif found.kind == "nothing":
        tell(f"nothing is called {name}" + (f"; near: {', '.join(found.near)}" if found.near else ""))
    else:
        write_rows(("what", "is"), _facts(found), options.form)
    options.name_questions(found.questions)


def _facts(found: "Shown") -> list[tuple[str, object]]:
    """What is recorded of a source, its links, and how many claims it has."""
    rows: list[tuple[str, object]] = list(found.facts.items())
    rows += [(one.link, f"{one.other.label or ''} [{one.other.id}]") for one in found.links]
    return rows + [(f"claims as {one.role}", f"{one.claims} of kind {one.kind}") for one in found.counts]


def _sheet(graph: "Graph", found: "Shown", asked: str, form: Format, *, wide: bool) -> None:
    """The spec sheet of a thing or a metric."""
    from kg.answers.sheet import sheet_of
    from kg.cli.render import write_json, write_rows
    from kg.render.cells import visible
    from kg.render.lines import fenced
    from kg.render.sheet_text import sheet_lines

    sheet = sheet_of(graph.ask, found, asked.strip())
    if form is Format.json:
        write_json({**found.to_json(), **sheet.to_json()})
    elif form in (Format.table, Format.markdown):
        lines = [visible(line) for line in sheet_lines(sheet, wide=wide)]
        sys.stdout.write(fenced(lines, markdown=form is Format.markdown))
    else:
        specs = sheet.tables()["specs"]
        write_rows(specs.columns, specs.rows, form)


def _finding(graph: "Graph", name: str, form: Format, tell: Callable[[str], None]) -> None:
    """The card of a finding."""
    from kg.cli.render import write_json
    from kg.render.finding_card import card_lines
    from kg.render.lines import fenced

    found = graph.findings(name)
    if form is Format.json:
        write_json([one.to_json() for one in found])
        return
    for one in found:
        sys.stdout.write(fenced(list(card_lines(one.card, one.calculation)), markdown=form is Format.markdown))
    if not found:
        tell(f"no finding has the id {name}; kg audit lists them")
