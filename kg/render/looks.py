"""How each class of node looks: a shape and two colours, for a light and a dark page; and how labels are set."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from math import fsum
from typing import Final

from kg.render.scene import Kind, SceneNode

FONT: Final = 14
LINE: Final = 17
SHAPE: Final = 13
"""Half the height of a shape that has its label below."""
_WIDEST: Final = 26
_MOST_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Look:
    """A class of node for the legend and the picture; `fill` and `line` are for a light page, the other two for a dark one."""

    name: str
    several: str
    shape: str
    fill: str
    line: str
    dark_fill: str
    dark_line: str

    @property
    def has_label_inside(self) -> bool:
        """Whether the label is in the shape."""
        return self.shape in ("box", "ellipse", "circle", "document")


LOOKS: Final[dict[Kind, Look]] = {
    "claim": Look("claim", "claims", "box", "#ffffff", "#5b6472", "#1d2430", "#9aa6b8"),
    "chip": Look("chip", "chips", "square", "#0072b2", "#004b76", "#56b4e9", "#a9dbf7"),
    "system": Look("system", "systems", "diamond", "#d55e00", "#8f3f00", "#f28e4b", "#ffc79c"),
    "model": Look("model", "models", "triangle", "#009e73", "#00654a", "#3fd0a6", "#a5efd9"),
    "benchmark": Look("benchmark", "benchmarks", "triangleDown", "#7a5195", "#4d3161", "#bb93d6", "#e2cbf1"),
    "who": Look(
        "speaker or organisation", "speakers and organisations", "dot", "#b23a77", "#77224d", "#ee8fbd", "#ffcde4"
    ),
    "thing": Look("other thing", "other things", "pentagon", "#6b7280", "#414854", "#a3acbb", "#d5dbe4"),
    "source": Look("source", "sources", "document", "#e9dcc0", "#6e5212", "#4d411f", "#e3c778"),
    "unopened": Look(
        "source nobody opened", "sources nobody opened", "document", "#f3f3f3", "#7a7a7a", "#2c2f36", "#a6a6a6"
    ),
    "calculation": Look("calculation", "calculations", "hexagon", "#f0c808", "#7d6700", "#f2d544", "#fff1a6"),
    "finding": Look("finding", "findings", "star", "#c1121f", "#780a13", "#ff6b6b", "#ffc2c2"),
    "measure": Look("measure", "measures", "ellipse", "#dceaf5", "#34688f", "#1f3c52", "#7db8e0"),
    "bundle": Look("bundle of claims", "bundles of claims", "circle", "#ffffff", "#1f2937", "#2a3342", "#e5e7eb"),
}


def label_lines(label: str) -> list[str]:
    r"""A label in lines that fit a node; explanations in parentheses stay in the card.

    >>> label_lines("NVIDIA GB200 NVL72 (72 GPUs in one rack)"), label_lines("a b\nc")
    (['NVIDIA GB200 NVL72'], ['a b', 'c'])
    """
    lines: list[str] = []
    for part in label.split("\n"):
        # An explanation in brackets at the end is in the card of the node.
        short = re.sub(r" \([^()]*\)$", "", part) or part
        lines.extend(textwrap.wrap(short, _WIDEST, break_on_hyphens=False) or [""])
    if len(lines) > _MOST_LINES:
        kept = lines[:_MOST_LINES]
        lines = [*kept[:-1], textwrap.shorten(kept[-1].removesuffix(" …") + " …", _WIDEST, placeholder=" …")]
    return lines


def font_size(node: SceneNode) -> int:
    """Letters grow with the weight of a node.

    >>> font_size(SceneNode("a", "thing", "A")), font_size(SceneNode("a", "thing", "A", weight=2.0))
    (14, 28)
    """
    return max(FONT, min(4 * FONT, round(FONT * node.weight)))


def shape_size(node: SceneNode) -> int:
    """Half the height of the shape of a node that has its label below."""
    return max(SHAPE, min(3 * SHAPE, round(SHAPE * node.weight * 0.8)))


def letters(line: str) -> float:
    """How wide a line is, in letters' heights; capitals and figures are wider, and names of chips have many.

    >>> round(letters("accelerator"), 2), round(letters("GB200 NVL72"), 2)
    (6.6, 7.4)
    """
    # exact, so that a picture is the same in every version of Python
    return fsum(0.7 if one.isupper() else 0.66 if one.isdigit() else 0.6 for one in line)


def size_of(node: SceneNode) -> tuple[float, float]:
    """Width and height that a node takes with its label."""
    lines, look = label_lines(node.label), LOOKS[node.kind]
    size = font_size(node)
    wide, high = max(map(letters, lines)) * size, len(lines) * (size + 3)
    if look.shape == "circle":
        return (max(wide, high) + 22,) * 2
    if look.has_label_inside:
        return wide + 26, high + 20
    half = shape_size(node)
    return max(wide, 2 * half + 6), high + 2 * half + 10
