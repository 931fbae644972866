"""`kg find`: what matches a text."""

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
    app.command("find")(find)


def find(
    text: Annotated[str, typer.Argument(help="words")],
    form: FormatOption = Format.table,
    limit: LimitOption = None,
    store: StoreOption = None,
    content: ContentOption = None,
    timeout: TimeoutOption = 60.0,
    explain: ExplainOption = False,
    quiet: QuietOption = False,
) -> None:
    """Entities, aliases, claims, sources and questions that hold all the words, best first.

    Example: kg find "memory bandwidth"
    """
    from kg.cli.render import write_rows
    from kg.errors import UsageError

    if not text.strip():
        raise UsageError(given=text, expected="words to look for")
    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    found = graph.find(text)
    tell = talker(quiet)
    most = limit or (30 if form is Format.table else None)
    items = found.items[:most] if most else found.items
    rows_for_people = form is Format.table  # an id that matched need not stand there twice
    write_rows(
        ("kind", "id", "label", "matched", "score"),
        [
            (one.kind, one.id, one.label, None if rows_for_people and one.matched == one.id else one.matched, one.score)
            for one in items
        ],
        form,
    )
    if len(items) < len(found.items):
        tell(f"the best {len(items)} of {len(found.items)} (--limit shows more)")
    if not found.items:
        tell(f"nothing matches {text}" + (f"; near: {', '.join(found.near)}" if found.near else ""))
    if explain:
        tell("questions: " + ", ".join(found.questions))
