"""One HTML file with a picture that can be used: script, style and data are inside, and nothing is ever loaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from kg.model.verdict import VERDICTS
from kg.render import hypertext
from kg.render.drawing import MANY, network, vis_script
from kg.render.layout import place
from kg.render.looks import LOOKS
from kg.render.scene import Fact, Scene, SceneNode
from kg.render.symbols import colours, symbol

Json = dict[str, Any]


@cache
def asset(name: str) -> str:
    """A file of the page that is ours."""
    return files("kg.render").joinpath("assets", name).read_text(encoding="utf-8")


def page(scene: Scene, *, drawings: Sequence[str] = ()) -> str:
    """The page of a scene. The same scene gives the same bytes.

    `drawings` are finished pieces of HTML (charts) that stand between the picture and its tables.
    """
    library, own, style = vis_script(), asset("page.js"), asset("common.css") + colours() + asset("page.css")
    kept = hypertext.data(page_data(scene))
    blocks = [
        _head(scene.title, hypertext.policy(scripts=(library, own), styles=(style,)), style),
        "<body>",
        '<a class=skip href="#tables">To the table</a>',
        _header(scene),
        "<main>",
        _controls(scene),
        _picture(scene),
        *drawings,
        '<section id=tables aria-label="The same rows as tables" tabindex=-1>',
        *(hypertext.wide(one, picks=True) for one in scene.tables if one.rows),
        "</section>",
        "</main>",
        "<div id=tip role=tooltip hidden></div>",
        footer(scene.questions, scene.made_from),
        f'<script type="application/json" id=kg-data>{kept}</script>',
        f"<script>{library}</script>",
        f"<script>{own}</script>",
        "</body></html>\n",
    ]
    return "\n".join(blocks)


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
    }
    return {key: value for key, value in kept.items() if value}


def _head(title: str, policy: str, style: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang=en><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name=viewport content="width=device-width, initial-scale=1">\n'
        '<meta name=color-scheme content="light dark">\n<meta name=referrer content="no-referrer">\n<link rel=icon href="data:,">\n'
        f"<title>{hypertext.text(title)}</title>\n<style>{style}</style></head>"
    )


def _header(scene: Scene) -> str:
    notes = "".join(f"<p class=note role=note>{hypertext.text(one)}</p>" for one in scene.notes)
    return (
        f"<header><div><h1>{hypertext.text(scene.title)}</h1><p>{hypertext.text(scene.about)}</p></div>"
        '<button type=button id=theme aria-label="Light or dark colours" title="Light or dark colours">◐</button>'
        f"{notes}</header>"
    )


def _controls(scene: Scene) -> str:
    present = [name for name in LOOKS if any(node.kind == name for node in scene.nodes)]
    legend = "".join(
        f'<button type=button class=kind data-kind="{name}" aria-pressed=true>{symbol(name)}'
        f"{hypertext.text(LOOKS[name].several)} <span class=count>{sum(node.kind == name for node in scene.nodes):,}</span></button>"
        for name in present
    )
    return (
        '<section id=controls aria-label="Search and filters">'
        "<div class=search><label for=search>Search</label><input id=search type=search autocomplete=off spellcheck=false "
        'placeholder="a figure, a name, a claim id" aria-controls=results><ul id=results hidden aria-label="Matches"></ul></div>'
        f"{_selects(scene)}"
        f'<div class=legend role=group aria-label="Classes: shape and colour; press to show or hide">{legend}{_borders(scene)}</div>'
        "<p id=shown role=status></p></section>"
    )


def _borders(scene: Scene) -> str:
    """What the border of a claim says."""
    present = [one for one in VERDICTS if any(node.verdict == one for node in scene.nodes)]
    listed = "".join(f"<span><i class=b-{one}></i>{one}</span>" for one in present)
    return f"<span class=borders>Border of a claim: {listed}</span>" if present else ""


def _selects(scene: Scene) -> str:
    sources = sorted({node.source for node in scene.nodes if node.source})
    codes = sorted({code for node in scene.nodes for _, code in node.findings})
    severities = [
        one
        for one in ("violation", "warning", "info")
        if any(one == found[0] for node in scene.nodes for found in node.findings)
    ]
    dated = any(node.date for node in scene.nodes)
    verdicts = [one for one in VERDICTS if any(node.verdict == one for node in scene.nodes)]
    findings = [
        *((f"s:{one}", f"any {one}") for one in severities),
        ("none", "no violation or warning"),
        *((f"c:{one}", one) for one in codes),
    ]
    parts = []
    if len(sources) > 1:
        parts.append(_select("source", "Source", [(one, scene.sources.get(one, one)) for one in sources]))
    if codes:
        parts.append(_select("finding", "Finding", findings))
    if len(verdicts) > 1:
        parts.append(_select("verdict", "Verdict", [(one, one) for one in verdicts]))
    if dated:
        parts.append(
            "<div><label for=from>Said from</label><input id=from type=date></div>"
            "<div><label for=to>to</label><input id=to type=date></div>"
        )
    parts.append("<div><button type=button id=reset>Show all</button></div>")
    return f"<div class=filters>{''.join(parts)}</div>"


def _select(name: str, label: str, options: Sequence[Fact]) -> str:
    listed = "".join(
        f'<option value="{hypertext.text(key)}">{hypertext.text(shown)}</option>' for key, shown in options
    )
    return (
        f"<div><label for={name}>{label}</label><select id={name}><option value=''>all</option>{listed}</select></div>"
    )


def _picture(scene: Scene) -> str:
    return (
        '<section id=stage aria-label="Picture"><div id=canvas tabindex=0 role=application '
        f'aria-label="Picture of {len(scene.nodes):,} nodes. Arrow keys go from node to node, Enter opens one, Escape closes, plus and minus zoom, 0 shows all." '
        "aria-describedby=told></div><p id=told role=status class=unseen></p>"
        '<div class=zoom role=group aria-label="Zoom"><button type=button id=closer aria-label="Closer">+</button>'
        '<button type=button id=farther aria-label="Farther">−</button><button type=button id=fit>Fit</button></div>'
        '<aside id=details aria-label="Details" tabindex=-1 hidden></aside>'
        "<noscript><p class=note>The picture needs scripts; the tables below hold the same rows.</p></noscript></section>"
    )


def footer(questions: Sequence[str], made_from: Sequence[Fact]) -> str:
    """Which saved questions gave the rows, and from which state of the graph."""
    asked = ", ".join(questions)
    parts = [f"<p>Rows come from these saved questions: {hypertext.text(asked)}.</p>"] if asked else []
    if made_from:
        parts.append(
            "<p>" + "; ".join(f"{hypertext.text(name)} {hypertext.text(value)}" for name, value in made_from) + ".</p>"
        )
    parts.append(
        "<p>Figures and positions are recorded; sentences of the documents are not copied. "
        "A claim id with <code>kg trace</code> shows where a number comes from.</p>"
    )
    return f"<footer>{''.join(parts)}</footer>"
