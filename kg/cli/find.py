"""`kg find`: what matches a text."""

import sys
from typing import Annotated

import typer

from kg.cli.options import (
    ClaimOptions,
    Format,
    ListOptions,
    PublishedOption,
)


def find(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="words, in any order")],
    *,
    options: ListOptions,
    within: ClaimOptions,
    published: PublishedOption = False,
) -> None:
    """Things, metrics, sources, questions and claims that fit the words, best first: in any order, also mistyped.

    Example: kg find "memory bandwidth"
    """
    from kg.cli.render import write_rows
    from kg.errors import UsageError
    from kg.model.columns import read_columns
    from kg.render.cells import visible
    from kg.render.find_text import MOST, find_lines
    from kg.render.result_tables import MATCHES

    text = " ".join(words)
    if not text.strip():
        raise UsageError(given=text, expected="words to look for")
    graph = options.open()
    asked_of = within.restriction(graph)
    found = graph.find(text, within=asked_of, published=published)
    tell = options.tell
    if options.form is Format.table:
        sys.stdout.write("".join(f"{visible(line)}\n" for line in find_lines(found, most=options.limit or MOST)))
    else:
        items = found.items[: options.limit] if options.limit else found.items
        write_rows(tuple(MATCHES), read_columns(MATCHES, items), options.form)
        if len(items) < len(found.items):
            tell(f"the best {len(items)} of {len(found.items)} (--limit shows more)")
    if not found.items:
        tell(f"nothing matches {text}" + (f"; near: {', '.join(found.near)}" if found.near else ""))
    if found.left_out and not any(item.kind == "claim" for item in found.items):
        tell(f"rows of published files were not looked through: kg find {text} --published does that too")
    options.name_questions(found.questions)
