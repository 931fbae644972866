"""A page to read and print: charts, tables and cards without any script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.render import hypertext
from kg.render.page import asset, footer
from kg.render.scene import Fact
from kg.render.symbols import colours


def paper(title: str, blocks: Iterable[str], questions: Sequence[str], made_from: Sequence[Fact]) -> str:
    """One HTML file; the blocks are finished pieces."""
    style = asset("common.css") + colours() + asset("paper.css")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang=en><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{hypertext.policy(styles=(style,))}">',
            '<meta name=viewport content="width=device-width, initial-scale=1">',
            '<meta name=color-scheme content="light dark">\n<meta name=referrer content="no-referrer">\n<link rel=icon href="data:,">',
            f"<title>{hypertext.text(title)}</title>\n<style>{style}</style></head>",
            f"<body><main>\n<h1>{hypertext.text(title)}</h1>",
            *blocks,
            "</main>",
            footer(questions, made_from),
            "</body></html>\n",
        ]
    )
