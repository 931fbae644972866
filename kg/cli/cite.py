"""`kg cite`: how to cite a claim, a source or the graph."""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from kg.cli.options import StoreOptions, open_for_reading, spread


class CitationForm(StrEnum):
    """The forms of a citation."""

    bibtex = "bibtex"
    csl = "csl"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("cite")(spread(cite))


def cite(
    identifier: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="a claim, source or entity; the graph itself without one")
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
    sys.stdout.write(citation_text(graph.cite(identifier), form.value))
