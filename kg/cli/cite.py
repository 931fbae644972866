"""`kg cite`: how to cite a claim, a source or the graph."""

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.grammar import one_claim, refused
from kg.cli.options import StoreOptions, open_for_reading

if TYPE_CHECKING:
    from kg.session import Graph


class CitationForm(StrEnum):
    """The forms of a citation."""

    bibtex = "bibtex"
    csl = "csl"


def cite(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID|NAME]", help="a claim, source or thing, or a number that one claim states; nothing: the graph"
        ),
    ] = None,
    *,
    options: StoreOptions,
    form: Annotated[CitationForm, typer.Option("--format", help="bibtex, or csl for CSL JSON")] = CitationForm.bibtex,
) -> None:
    """Write a citation with the version of the content, so that others find the same state again.

    Example: kg cite 002/r1.gb200.offline.per-accelerator
    """
    from kg.answers.cite import citation_text

    graph = open_for_reading(options.store, options.content, quiet=options.quiet)
    sys.stdout.write(citation_text(graph.cite(_cited(graph, words, options.tell)), form.value))


def _cited(graph: "Graph", words: Sequence[str] | None, tell: Callable[[str], None]) -> str | None:
    """What is to be cited, by its id or its name; unknown names are refused by the citation itself."""
    if not words:
        return None
    meant = graph.referent(*words)
    if meant.kind == "number":
        return one_claim(graph, meant, "cite", tell)
    if meant.kind == "pair":
        raise refused(meant, "cite")
    return meant.ids[0] if len(meant.ids) == 1 else meant.text
