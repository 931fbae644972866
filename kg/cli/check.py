"""`kg check`: every figure of a text compared with what is known."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kg.cli.options import (
    ReadingOptions,
    output_to,
)
from kg.cli.text_source import TextKindOption, text_source

if TYPE_CHECKING:
    from kg.answers.checked_figures import CheckedText


class CheckFormat(StrEnum):
    """The forms in which the result can be written."""

    text = "text"
    json = "json"
    markdown = "markdown"
    html = "html"


class FailOnVerdict(StrEnum):
    """The verdicts that a run can fail on."""

    wrong = "wrong"
    disputed = "disputed"
    caution = "caution"


_OPTIONS: Final = ReadingOptions(timeout=300.0)
_OF_TIMEOUT: Final = 0.9
"""The part of the time-out after which no more figures are checked; the rest is for writing down those that were."""
_LEAST: Final = 0.1
"""Seconds for a text whose turn comes when the time is over: an error, or its first figures, and never a wait without end."""
_BY_SUFFIX = {
    ".html": CheckFormat.html,
    ".htm": CheckFormat.html,
    ".md": CheckFormat.markdown,
    ".json": CheckFormat.json,
}


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="texts; - for standard input")],
    *,
    options: ReadingOptions = _OPTIONS,
    output: Annotated[Path | None, output_to("file to write: .html, .md, .json or text")] = None,
    form: Annotated[CheckFormat | None, typer.Option("--format", help="text, json, markdown or html")] = None,
    fail_on: Annotated[
        FailOnVerdict | None,
        typer.Option("--fail-on", help="exit 1 where a figure is wrong, disputed or worse, or caution or worse"),
    ] = None,
    kind: TextKindOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="also figures that nothing speaks against")] = False,
) -> None:
    """Every figure of a text compared with what is known, the worst first: wrong (and what is right), disputed, caution, unknown.

    The arithmetic that the text itself shows is computed again. With --fail-on it ends with exit code 1, also where
    --timeout left figures unchecked.

    Example: kg check draft.md
    """
    from kg.answers.checked_text import TextChecker
    from kg.cli.output import put
    from kg.reading.deadline import Deadline

    graph = options.open()
    checker, deadline = TextChecker(graph.ask, graph.content), Deadline(_OF_TIMEOUT * options.timeout)
    checked = [
        checker.check(text_source(name), form=None if kind is None else kind.value, seconds=deadline.left() or _LEAST)
        for name in files
    ]
    chosen = form or (_BY_SUFFIX.get(output.suffix.lower(), CheckFormat.text) if output else CheckFormat.text)
    put(_written(checked, chosen, verbose=verbose), output, options.tell)
    if fail_on is not None and any(one.fails(fail_on.value) for one in checked):
        raise typer.Exit(1)


def _written(checked: "Sequence[CheckedText]", form: CheckFormat, *, verbose: bool) -> str:
    if form is CheckFormat.html:
        from kg.render.check_page import check_page

        return check_page(checked)
    if form is CheckFormat.json:
        from json import dumps

        return f"{dumps([one.to_json() for one in checked], ensure_ascii=False, indent=2, sort_keys=True)}\n"
    return "".join(f"{line}\n" for line in _lines(checked, form, verbose=verbose))


def _lines(checked: "Sequence[CheckedText]", form: CheckFormat, *, verbose: bool) -> Iterator[str]:
    from kg.render.check_words import markdown, terminal

    for number, one in enumerate(checked):
        if number:
            yield ""
        yield from markdown(one, verbose=verbose) if form is CheckFormat.markdown else terminal(one, verbose=verbose)
