"""One HTML file with a picture that can be used: script, style and data are inside, and nothing is ever loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kg.model.json_types import Json
from kg.model.verdict import VERDICTS
from kg.render import hypertext
from kg.render.drawing import MANY, network, vis_script
from kg.render.layout import place
from kg.render.looks import LOOKS
from kg.render.scene import Fact, Scene, SceneNode
from kg.render.sheet_text import opening, others_words, row_name, value_words
from kg.render.symbols import colours, symbol
from kg.render.templating import rendered

if TYPE_CHECKING:
    from kg.answers.sheet import Sheet


@cache
def asset(name: str) -> str:
    """A file of the page that is ours."""
    return files("kg.render").joinpath("assets", name).read_text(encoding="utf-8")


def page(scene: Scene, *, drawings: Sequence[str] = ()) -> str:
    """The page of a scene. The same scene gives the same bytes.

    `drawings` are finished pieces of HTML (charts) that stand between the picture and its tables.
    """
    library, own, style = vis_script(), asset("page.js"), asset("common.css") + colours() + asset("page.css")
    return rendered(
        "picture.html",
        scene=scene,
        title=scene.title,
        policy=hypertext.policy(scripts=(library, own), styles=(style,)),
        style=style,
        library=library,
        own=own,
        kept=hypertext.data(page_data(scene)),
        sheet=None if scene.sheet is None else _spec_sheet(scene.sheet),
        selects=list(_selects(scene)),
        is_dated=any(node.date for node in scene.nodes),
        kinds=list(_kinds(scene)),
        verdicts=[one for one in VERDICTS if any(node.verdict == one for node in scene.nodes)],
        drawings=drawings,
        questions=scene.questions,
        made_from=scene.made_from,
    )


def page_data(scene: Scene) -> Json:
    """Everything the script of the page reads."""
    nodes, edges, options = network(scene, place(scene))
    kinds = {
        name: {"name": look.name, "light": [look.fill, look.line], "dark": [look.dark_fill, look.dark_line]}
        for name, look in LOOKS.items()
    }
    return {
        "nodes": nodes,
        "edges": edges,
        "options": options,
        "info": {node.id: _info(node) for node in scene.nodes},
        "kinds": kinds,
        "focus": list(scene.focus),
        "first": sorted(scene.first),
        "many": len(nodes) > MANY,
        "layout": scene.layout,
    }


def _info(node: SceneNode) -> Json:
    kept: Json = {
        "label": " ".join(node.label.split()),
        "facts": node.facts,
        "more": node.more,
        "source": node.source,
        "date": node.date,
        "findings": node.findings,
        "verdict": node.verdict,
        "bundle": node.bundle,
        "hub": node.hub,
        "column": node.column,
    }
    return {key: value for key, value in kept.items() if value}


def _spec_sheet(sheet: Sheet) -> Json:
    """What a sheet shows of each row."""
    rows = [
        {
            "name": row_name(sheet, one),
            "value": value_words(one),
            "verdict": one.verdict,
            "sources": one.sources,
            "others": "; ".join(others_words(sheet, one)),
        }
        for one in sheet.rows
    ]
    return {"sheet": sheet, "opening": opening(sheet), "rows": rows}


def _kinds(scene: Scene) -> Iterator[Json]:
    """The classes that are there, for the legend."""
    for name, look in LOOKS.items():
        if count := sum(node.kind == name for node in scene.nodes):
            yield {"name": name, "symbol": symbol(name), "several": look.several, "count": count}


def _selects(scene: Scene) -> Iterator[tuple[str, str, list[Fact]]]:
    """The filters that would leave something and not all: name, label, options."""
    sources = sorted({node.source for node in scene.nodes if node.source})
    if len(sources) > 1:
        yield "source", "Source", [(one, scene.sources.get(one, one)) for one in sources]
    if found := {one for node in scene.nodes for one in node.findings}:
        yield "finding", "Finding", list(_finding_options(found))
    judged = {node.verdict for node in scene.nodes}
    verdicts = [one for one in VERDICTS if one in judged]
    if len(verdicts) > 1:
        yield "verdict", "Verdict", [(one, one) for one in verdicts]


def _finding_options(found: Iterable[tuple[str, str]]) -> Iterator[Fact]:
    severities, codes = map(set, zip(*found, strict=True))
    yield from ((f"s:{one}", f"any {one}") for one in ("violation", "warning", "info") if one in severities)
    yield "none", "no violation or warning"
    yield from ((f"c:{one}", one) for one in sorted(codes))
