"""What is known of anything that words name, in the forms that a person or a program asks for."""

import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kg.cli.options import Format, ListOptions
from kg.cli.screen import show_text

if TYPE_CHECKING:
    from kg.answers.referent import Referent, ReferentKind
    from kg.answers.show import Shown
    from kg.session import Graph

NAMES: "Final[frozenset[ReferentKind]]" = frozenset({"thing", "metric", "source", "pair"})
"""What `kg show` has its own form for; claims and numbers are traced."""
_PROBLEMS = 4
"""How many problems of a source are listed unless all are asked for."""


def put_referent(graph: "Graph", meant: "Referent", options: ListOptions, *, wide: bool) -> tuple[str, ...]:
    """Write what is known of it; the names of the questions that were asked."""
    if meant.kind == "pair" and meant.pair is not None:
        from kg.cli.compare_forms import put_comparison

        compared = graph.compare(*meant.pair)
        put_comparison(graph, compared, options, wide=wide)
        return compared.questions
    if meant.kind == "number":
        from kg.cli.trace_forms import put_trace

        traced = graph.trace(meant.text)
        put_trace(graph, traced, options, wide=wide)
        return traced.questions
    found = graph.show(meant.ids[0] if meant.kind == "source" and len(meant.ids) == 1 else meant.text)
    _put_shown(graph, found, meant.text, options.form, options.tell, wide=wide)
    return found.questions


def _put_shown(
    graph: "Graph", found: "Shown", name: str, form: Format, tell: Callable[[str], None], *, wide: bool
) -> None:
    from kg.cli.render import write_json, write_rows

    if found.kind in ("entity", "metric"):
        _sheet(graph, found, name, form, wide=wide)
        if found.candidates:
            tell(f"{name} is a name of {', '.join(one.id for one in found.candidates)} too")
    elif form is Format.json:
        write_json(found.to_json())
    elif found.trace is not None:
        from kg.render.trace_text import trace_text

        sys.stdout.write(trace_text(found.trace, graph.document, most=1, markdown=form is Format.markdown))
    elif found.kind == "several":
        write_rows(("id", "label"), [(one.id, one.label) for one in found.candidates], form)
        tell(f"{name} is a name of {len(found.candidates)} things; show one of them by its id")
    elif found.kind == "nothing":
        near = f"; near: {', '.join(found.near)}" if found.near else ""
        asked = f". kg ask {shlex.quote(name)} answers it as a question" if " " in name else ""
        tell(f"nothing is called {name}{near}{asked}")
    elif form in (Format.table, Format.markdown):
        from kg.render.lines import fenced
        from kg.render.source_text import source_lines

        problems = graph.problems(sources=[found.id or name], most=None if wide else _PROBLEMS)
        sys.stdout.write(fenced(list(source_lines(found, problems)), markdown=form is Format.markdown))
    else:
        write_rows(("what", "is"), _facts(found), form)


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
        markdown = form is Format.markdown
        show_text(fenced(lines, markdown=markdown), whole=wide or markdown)
    else:
        specs = sheet.tables()["specs"]
        write_rows(specs.columns, specs.rows, form)


def put_finding(graph: "Graph", name: str, form: Format, tell: Callable[[str], None]) -> None:
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
