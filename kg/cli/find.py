"""`kg find`: what matches a text."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    LimitOption,
    MetricOption,
    ModelOption,
    OfSourceOption,
    PhaseOption,
    PublishedOption,
    QuietOption,
    SinceOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)

if TYPE_CHECKING:
    from kg.answers.find import FoundItem


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("find")(find)


def find(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="words, in any order")],
    metric: MetricOption = None,
    phase: PhaseOption = None,
    model: ModelOption = None,
    source: OfSourceOption = None,
    since: SinceOption = None,
    published: PublishedOption = False,
    form: FormatOption = Format.table,
    limit: LimitOption = None,
    store: StoreOption = None,
    content: ContentOption = None,
    timeout: TimeoutOption = 60.0,
    explain: ExplainOption = False,
    quiet: QuietOption = False,
) -> None:
    """Things, metrics, sources, questions and claims that fit the words, best first: in any order, also mistyped.

    Example: kg find "memory bandwidth"
    """
    from kg.cli.render import write_rows
    from kg.errors import UsageError
    from kg.render.cells import visible
    from kg.render.find_text import MOST, find_lines

    text = " ".join(words)
    if not text.strip():
        raise UsageError(given=text, expected="words to look for")
    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    within = graph.restriction(
        metrics=metric or (), phases=phase or (), models=model or (), sources=source or (), since=since
    )
    found = graph.find(text, within=within, published=published)
    tell = talker(quiet)
    if form is Format.table:
        sys.stdout.write("".join(f"{visible(line)}\n" for line in find_lines(found, most=limit or MOST)))
    else:
        items = found.items[:limit] if limit else found.items
        columns = ("kind", "id", "label", "value", "unit", "subject", "verdict", "matched", "score")
        write_rows(columns, [_row(item) for item in items], form)
        if len(items) < len(found.items):
            tell(f"the best {len(items)} of {len(found.items)} (--limit shows more)")
    if not found.items:
        tell(f"nothing matches {text}" + (f"; near: {', '.join(found.near)}" if found.near else ""))
    if found.left_out and not any(item.kind == "claim" for item in found.items):
        tell(f"rows of published files were not looked through: kg find {text} --published does that too")
    if explain:
        tell("questions: " + ", ".join(found.questions))


def _row(item: "FoundItem") -> tuple[object, ...]:
    subject = None if item.subject is None else item.subject.id
    return item.kind, item.id, item.label, item.value, item.unit, subject, item.verdict, item.matched, item.score
