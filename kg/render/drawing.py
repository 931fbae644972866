"""A scene as a pyvis network: the nodes and lines that the vis-network script in the pyvis package draws.

Only its data and its packaged script are used. The page that pyvis writes links a remote host even in its in-line mode,
and writes headings and options as raw HTML.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from kg.errors import StoreError
from kg.model.json_types import Json
from kg.render.layout import Place
from kg.render.looks import LOOKS, font_size, label_lines, shape_size, size_of
from kg.render.scene import Scene, told_once

_SCRIPT: Final = Path("templates", "lib", "vis-9.1.2", "vis-network.min.js")
MANY: Final = 700
"""Above this many nodes lines are straight and have no words until a node is chosen."""


class ScriptMissing(StoreError):
    """The installed pyvis has no vis-network script of the version that is used here."""

    code = "view.script"


def vis_script() -> str:
    """The vis-network script that lies in the installed pyvis package, read without importing it."""
    found = find_spec("pyvis")
    for folder in (found.submodule_search_locations or []) if found is not None else []:
        for path in (Path(folder) / _SCRIPT, Path(folder, *_SCRIPT.parts[1:])):
            if path.is_file():
                return path.read_text(encoding="utf-8")
    raise ScriptMissing(
        path=_SCRIPT.as_posix(),
        given="no such file in the installed pyvis",
        expected="pyvis 0.3.2",
        next_step="install it again: pip install 'pyvis==0.3.2'",
    )


def network(scene: Scene, places: Mapping[str, Place]) -> tuple[list[Json], list[Json], Json]:
    """Nodes, lines and options as pyvis holds them: placed, with physics off."""
    from pyvis.edge import Edge
    from pyvis.network import Network
    from pyvis.node import Node

    drawn = Network(directed=True, height="100%", width="100%", cdn_resources="in_line")
    for one in scene.nodes:
        look = LOOKS[one.kind]
        x, y = places[one.id]
        # `add_node` and `add_edge` look through all that is there for each new one
        drawn.nodes.append(
            Node(
                one.id,
                look.shape,
                "\n".join(label_lines(one.label)) or one.id,
                x=x,
                y=y,
                group=one.kind,
                letters=font_size(one),
                size=shape_size(one),
                room=[round(side) for side in size_of(one)],
            ).options
        )
    told = told_once(scene.edges)
    for number, line in enumerate(scene.edges):
        drawn.edges.append(Edge(line.source, line.target, drawn.directed, id=number, label=line.label).options)
        if line.is_faint:
            drawn.edges[-1]["faint"] = True
        if number not in told:
            drawn.edges[-1]["again"] = True
    drawn.options = _options(scene)
    return drawn.nodes, drawn.edges, drawn.options


def _options(scene: Scene) -> Json:
    smooth: Any = False
    if scene.layout == "layers" and len(scene.nodes) <= MANY:
        smooth = {"enabled": True, "type": "cubicBezier", "forceDirection": "horizontal", "roundness": 0.45}
    many = len(scene.nodes) > MANY
    return {
        "autoResize": True,
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "interaction": {
            "hover": True,
            "keyboard": False,
            "navigationButtons": False,
            "tooltipDelay": 0,
            "zoomView": False,
            "hideEdgesOnDrag": many,
            "hideEdgesOnZoom": many,
            "multiselect": False,
            "dragNodes": not many,
            "selectConnectedEdges": True,
            "hoverConnectedEdges": False,
        },
        "nodes": {"chosen": False, "shadow": False, "labelHighlightBold": False},
        "edges": {
            "smooth": smooth,
            "arrows": {"to": {"enabled": True, "scaleFactor": 0.45}},
            "chosen": False,
            "width": 1,
            "selectionWidth": 1,
        },
    }
