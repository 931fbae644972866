"""`kg report`: an evidence report of a question or a claim."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import meant_by
from kg.cli.options import (
    ReadingOptions,
    output_to,
)
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.answers.referent import ReferentKind
    from kg.session import Graph

FOR_TYPER = {"context_settings": {"allow_extra_args": True, "ignore_unknown_options": True}}
"""What follows a question are its own parameters."""
_OPTIONS = ReadingOptions(timeout=120.0)
OF_NAMES: "dict[ReferentKind, tuple[str, str]]" = {
    "thing": ("specifications/of-thing", "thing"),
    "metric": ("specifications/by-metric", "metric"),
    "source": ("sources/claims", "source"),
}
"""The question that a report of a name answers, and the parameter that takes the name."""
_AskedArgument = Annotated[
    str,
    typer.Argument(
        metavar="QUESTION|CLAIM|NAME",
        help="a saved question (with --PARAM VALUE), a claim, number, thing, metric or source, or two things",
    ),
]
_OutputOption = Annotated[Path | None, output_to("file to write, .html or .md (default: Markdown on standard output)")]


def report(
    context: typer.Context,
    asked: _AskedArgument,
    *,
    options: ReadingOptions = _OPTIONS,
    output: _OutputOption = None,
) -> None:
    """Question, answer, picture, charts, calculations, conflicts and sources with positions, for somebody who has no tool.

    Example: kg report 002/r1.gb200.offline.per-accelerator -o evidence.html
    """
    from kg.cli.output import put
    from kg.cli.question_options import read_parameters
    from kg.render.reporting import report as make_report

    graph = options.open()
    question = graph.questions().get(asked)
    if question is None:
        asked, given = _meant(graph, [asked, *context.args])
    else:
        given = read_parameters(context.args, {p.name: p.is_list for p in question.parameters})
    form = (
        "md"
        if output is None
        else {".htm": "html", ".markdown": "md"}.get(output.suffix.lower(), output.suffix.lower().lstrip("."))
    )
    put(make_report(graph, asked, form=form, values=given), output, options.tell)


def _meant(graph: "Graph", words: list[str]) -> tuple[str, dict[str, object]]:
    """The claim or number, or the question with its values, that words which are no question ask for."""
    options = [word for word in words if word.startswith("--")]
    if options:
        raise UsageError(
            given=words[0],
            expected="a saved question; only questions take parameters",
            next_step="kg ask lists the questions",
        )
    meant = meant_by(graph, words, "report", number_first=True)
    if meant.pair is not None:
        return "comparisons/compare", dict(zip(("a", "b"), meant.pair, strict=True))
    if meant.kind not in OF_NAMES:
        return meant.text, {}
    question, parameter = OF_NAMES[meant.kind]
    return question, {parameter: meant.text if meant.kind == "thing" else meant.ids[0]}
