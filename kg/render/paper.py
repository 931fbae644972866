"""A page to read and print: charts, tables and cards; no script unless one is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.render import hypertext
from kg.render.page import asset
from kg.render.scene import Fact
from kg.render.symbols import colours
from kg.render.templating import rendered


def paper(
    title: str, blocks: Iterable[str], questions: Sequence[str], made_from: Sequence[Fact], scripts: Sequence[str] = ()
) -> str:
    """One HTML file; the blocks are finished pieces."""
    style = asset("common.css") + colours() + asset("paper.css")
    return rendered(
        "paper.html",
        title=title,
        policy=hypertext.policy(scripts=scripts, styles=(style,)),
        style=style,
        blocks=list(blocks),
        scripts=scripts,
        questions=questions,
        made_from=made_from,
    )
