"""`kg trace`: the provenance of a number."""

import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import refused
from kg.cli.options import Format, ListOptions
from kg.cli.screen import WideOption
from kg.errors import KgError, UsageError

if TYPE_CHECKING:
    from kg.answers.trace import Trace
    from kg.session import Graph

FOR_TYPER = {"context_settings": {"ignore_unknown_options": True}}
"""A number may begin with a minus."""
_WordsArgument = Annotated[
    list[str],
    typer.Argument(metavar="NUMBER|CLAIM-ID", help="such as 72428, 4.8 TB/s, 2.5x, or the id of a claim"),
]
_AboutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--about",
        metavar="NAME",
        help="only claims about this thing or metric, compared with it or said by it; again: both",
    ),
]
_VerboseOption = Annotated[
    bool, typer.Option("--verbose", help="also the position of each figure in its file, in code points")
]


def trace(
    words: _WordsArgument,
    *,
    options: ListOptions,
    about: _AboutOption = None,
    wide: WideOption = False,
    verbose: _VerboseOption = False,
) -> None:
    """Where a number was printed, who says it, what it was computed from, whether it recomputes, who disagrees.

    Example: kg trace 72428
    """
    from kg.answers.trace import UnknownClaim
    from kg.cli.show_forms import NAMES, put_referent
    from kg.cli.trace_forms import put_trace

    number = joined(words)
    graph = options.open()
    meant = graph.referent(*words, number_first=True)
    if meant.kind in NAMES:
        options.tell(f"{number} is {meant.noun}, not a number; this is what kg show tells of it")
        options.name_questions(put_referent(graph, meant, options, wide=wide))
        return
    if meant.kind == "claim":  # its printed words may have been given
        number = meant.text
    try:
        found = graph.trace(number, about=about or ())
    except UnknownClaim as error:
        if options.form is Format.json:
            sys.stdout.write("null\n")
        options.tell(str(error))
        return
    except KgError as error:
        if meant.near:
            raise refused(meant, "trace") from error
        raise
    _tell(options, _left_out(number, found))
    put_trace(graph, found, options, wide=wide, positions=verbose)
    _tell(options, _official(graph, found))
    options.name_questions(found.questions)


def _official(graph: "Graph", found: "Trace") -> Iterator[str]:
    """What official results give of the two things that a ratio is about, with the command that shows more."""
    if (official := graph.official_ratio(found)) is not None:
        command = shlex.join(("kg", "compare", official.a, official.b))
        # of what was named the first sentence says it
        yield f"by task, scenario and round: {command}" if found.official else f"{official.worded}; {command}"


def _tell(options: ListOptions, lines: Iterable[str]) -> None:
    for line in lines:
        options.tell(line)


def _left_out(number: str, found: "Trace") -> Iterator[str]:
    """What was given behind the number that was asked for, and narrows nothing."""
    behind = number.removeprefix(found.asked).strip()
    if found.kind == "number" and behind and behind not in (number, *found.about):
        yield f"not considered: {behind}"


def joined(words: Sequence[str]) -> str:
    """The words of a number or an id as one; unknown options are taken as words, since a number may begin with a sign."""
    if unknown := [word for word in words if word.startswith("--")]:
        raise UsageError("is no option of this command.", given=unknown[0], next_step="see kg trace --help")
    return " ".join(words)
