"""`kg trace`: the provenance of a number."""

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kg.cli.grammar import refused
from kg.cli.options import Format, ListOptions
from kg.cli.screen import WideOption
from kg.errors import KgError, UsageError

if TYPE_CHECKING:
    from kg.answers.asking import Asker
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


_PAIR: Final = 2


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
    _tell_rest(found, number, options)
    put_trace(graph, found, options, wide=wide, positions=verbose)
    _tell_official(graph, found, options)
    options.name_questions(found.questions)


def _tell_rest(found: "Trace", number: str, options: ListOptions) -> None:
    """Say which of the words behind a number are not considered."""
    behind = number.removeprefix(found.asked).strip()
    if found.kind == "number" and behind != number and behind not in ("", *found.about):
        options.tell(f"not considered: {behind}")


def _tell_official(graph: "Graph", found: "Trace", options: ListOptions) -> None:
    if (official := _official(graph, found)) is not None:
        options.tell(official)


def _official(graph: "Graph", found: "Trace") -> str | None:
    """What official results give of the two things that a ratio was asked about; of one thing over what most compare it with."""
    from kg.answers.asking import Asker
    from kg.answers.published import published_ratios, ratio_span

    if not 0 < len(found.about) <= _PAIR or not found.asked.casefold().endswith("x"):
        return None
    asker, (first, *others) = Asker(graph.ask), found.about
    pairs = [(first, other) for other in others or _compared_with(asker, first)]
    for a, b in (pairs[0], pairs[0][::-1]) if others else pairs:
        given = published_ratios(asker, a, b)
        if given is not None and given.highest > 1:
            span = ratio_span(given.lowest, given.highest)
            return f"official results: {a} over {b} {span} in throughput per accelerator; {shlex.join(('kg', 'compare', a, b))}"
    return None


def _compared_with(asker: "Asker", thing: str) -> list[str]:
    """The things that most claims compare a thing with as their baseline."""
    from collections import Counter

    rows = (row for row in asker.rows("comparisons/of-thing", thing=thing) if row["role"] == "subject")
    counts = Counter(str(row["other_label"]) for row in rows if row["other_label"])
    return [label for label, _ in counts.most_common(_PAIR)]


def joined(words: Sequence[str]) -> str:
    """The words of a number or an id as one; unknown options are taken as words, since a number may begin with a sign."""
    if unknown := [word for word in words if word.startswith("--")]:
        raise UsageError("is no option of this command.", given=unknown[0], next_step="see kg trace --help")
    return " ".join(words)
