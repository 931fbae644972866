"""An SVG of ours as PNG, for where a picture has to be an image. Needs the extra `charts`.

The renderer knows no style variables and asks nobody whether the page is dark: the light colours are put in beforehand.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from kg.errors import UsageError
from kg.render.plain_style import MEDIA, light_values, with_values

_SCALE: Final = 2
"""Twice the pixels of the drawing: letters stay sharp on screens of today."""


class ImagesMissing(UsageError):
    """PNG files need a renderer that is not a base dependency."""

    code = "view.charts-extra"


def png_file(svg: str) -> bytes:
    """The drawing as PNG, light, on white."""
    try:
        renderer = import_module("resvg_py")
    except ModuleNotFoundError as cause:
        raise ImagesMissing(
            given="resvg_py is not installed",
            expected="the extra charts, for PNG",
            next_step="pip install 'accelkg[charts]', or write .svg",
        ) from cause
    made = renderer.svg_to_bytes(svg_string=plain_svg(svg), zoom=_SCALE, background="white")
    return bytes(made)


def plain_svg(svg: str) -> str:
    """The drawing with its light colours in place of variables, and without rules for other media.

    >>> plain_svg("<style>:root{--a:red}@media print{x{fill:blue}}text{fill:var(--a)}</style>")
    '<style>:root{--a:red}text{fill:red}</style>'
    """
    return with_values(MEDIA.sub("", svg), light_values(svg))
