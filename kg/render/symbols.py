"""The shapes of the classes as SVG: for the legend, and for pictures that need no script."""

from __future__ import annotations

from typing import Final

from kg.render.looks import LOOKS
from kg.render.scene import Kind

POINTS: Final = {
    "diamond": "0,-10 10,0 0,10 -10,0",
    "triangle": "0,-9 10,8 -10,8",
    "triangleDown": "0,9 10,-8 -10,-8",
    "hexagon": "-10,0 -5,-9 5,-9 10,0 5,9 -5,9",
    "star": "0,-11 3,-3.5 10.5,-3.5 4.5,1.5 6.5,9 0,4.5 -6.5,9 -4.5,1.5 -10.5,-3.5 -3,-3.5",
    "pentagon": "0,-10 9.5,-3 6,8 -6,8 -9.5,-3",
}
"""Corners around the middle of a shape that is about 20 wide."""


def shape(kind: Kind) -> str:
    """A shape around 0,0; its colours come from the class of the element."""
    form = LOOKS[kind].shape
    if form in POINTS:
        return f'<polygon points="{POINTS[form]}"/>'
    return {
        "dot": '<circle r="9"/>',
        "circle": '<circle r="10"/><circle r="7"/>',
        "square": '<rect x="-9" y="-9" width="18" height="18"/>',
        "ellipse": '<ellipse rx="12" ry="8"/>',
        "document": '<path d="M-9,-10H4L9,-5V10H-9Z M4,-10V-5H9"/>',
        "box": '<rect x="-12" y="-7" width="24" height="14" rx="3"/>',
    }[form]


def symbol(kind: Kind) -> str:
    """A small drawing of a class for the legend."""
    return (
        f'<svg class="k-{kind}" viewBox="-14 -13 28 26" width="20" height="18" aria-hidden="true">{shape(kind)}</svg>'
    )


def colours() -> str:
    """The style of the classes, for light and dark pages, from the one list of looks."""
    light = "".join(f"--f-{name}:{look.fill};--l-{name}:{look.line};" for name, look in LOOKS.items())
    dark = "".join(f"--f-{name}:{look.dark_fill};--l-{name}:{look.dark_line};" for name, look in LOOKS.items())
    # No :is(): the renderer of PNG files does not know it, and leaves the shapes black.
    shapes = ("circle", "rect", "polygon", "ellipse", "path")
    used = "".join(
        f"{','.join(f'.k-{name} {one}' for one in shapes)}{{fill:var(--f-{name});stroke:var(--l-{name});stroke-width:1.5}}\n"
        for name in LOOKS
    )
    return (
        f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n{used}"
    )
