"""Text for a person: short unless more is asked for, with a line that says how; through a pager where a screen is not enough."""

import shutil
import sys
from typing import Annotated

import typer

from kg.cli.colour import coloured, takes_colour
from kg.render.lines import MOST_LINES

_LEAST_BLOCK = 20

WideOption = Annotated[bool, typer.Option("--wide", help="everything, in full; a pager shows it on a terminal")]
ExitCodeOption = Annotated[bool, typer.Option("--exit-code", help="end with exit code 1 where something is wrong")]


def show_text(text: str, *, whole: bool, more: str = "--wide shows all") -> None:
    """Write a text; unless the `whole` is wanted at most `MOST_LINES`, cut between two blocks, and `more` says how to see the rest."""
    lines = text.splitlines()
    if not whole and len(lines) > MOST_LINES:
        # The last two are a blank line and the one that says how to see the rest.
        room = MOST_LINES - 2
        gap = max((number for number, line in enumerate(lines[:room]) if not line.strip()), default=0)
        kept = lines[: gap if gap >= _LEAST_BLOCK else room]
        lines = [*kept, "", f"{len(lines) - len(kept)} more lines; {more}"]
    if len(lines) >= shutil.get_terminal_size((80, 24)).lines and sys.stdout.isatty() and sys.stdin.isatty():
        _page("\n".join(lines) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in lines))


def _page(text: str) -> None:
    """Through PAGER, else less, which leaves a text that fits a screen where it is."""
    import os
    from shutil import which

    import click

    from kg.render.cells import visible

    # F ends at once where a screen holds all, R lets colours through, X leaves the text on the
    # screen.
    os.environ.setdefault("LESS", "-FRX")
    pager = os.environ.get("PAGER") or "less"
    is_raw = "less" in pager and which(pager.split()[0]) is not None and "R" in os.environ["LESS"].upper()
    shown = visible(text)
    # a pager that would show the escapes, or none (the text then goes through our own stream), gets none
    with_colour = is_raw and takes_colour(sys.stdout)
    click.echo_via_pager(coloured(shown) if with_colour else shown, color=with_colour)
