"""A picture of a scene as an SVG file that needs nothing else: its style is in it, light or dark as the reader's system is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.render.drawn import drawing
from kg.render.page import asset
from kg.render.plain_style import without_variables
from kg.render.scene import narrowed
from kg.render.symbols import colours

if TYPE_CHECKING:
    from kg.render.scene import Scene

_OPEN, _CLOSE = "<svg ", "</svg>"


def svg_file(scene: Scene) -> str:
    """The picture; a scene without nodes gives a picture that says so."""
    made = drawing(narrowed(scene), has_heading=True)
    if not made:
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="60">'
            '<text x="10" y="35" font-family="sans-serif" fill="gray">Nothing to draw</text></svg>\n'
        )
    # Of the drawing only the SVG: its legend is HTML of a page.
    body = made[made.index(_OPEN) : made.index(_CLOSE) + len(_CLOSE)]
    style = without_variables(asset("common.css") + colours() + asset("paper.css"))
    opened = body.replace(_OPEN, '<svg xmlns="http://www.w3.org/2000/svg" class="drawing" ', 1)
    head, _, rest = opened.partition(">")
    return f"{head}><style>{style}</style>{rest}\n"
