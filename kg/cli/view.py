"""`kg view`: a picture as one HTML file, or a chart."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kg.cli.grammar import meant_by
from kg.cli.options import (
    ExplainOption,
    ReadingOptions,
    output_to,
)
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.render.scene import Scene
    from kg.session import Graph

FORMS = ("compare", "trace", "disputes", "source", "thing")
"""First words that say which picture is meant."""
_MOST_CHARACTERS = 100
"""Of the words in a name that is made; a longer one ends in a digest of them."""
CARD = "card"
"""The first word that asks for a claim as one card, not for a picture of what it is linked to."""
_OPTIONS = ReadingOptions(timeout=120.0)


_WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[NAME]",
        help="a name, number, claim or source id; or: compare A B, trace NUMBER, disputes [NAME], source ID, thing NAME, card NUMBER; nothing: everything",
    ),
]
_OutputOption = Annotated[
    Path | None, output_to("file to write: .html, .svg or .png (default: a name made from the words)")
]
_ChartOption = Annotated[
    str | None,
    typer.Option("--chart", metavar="NAME", help="a chart instead: results, number-line, timeline or gain"),
]
_LimitOption = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="at most this many nodes (default 3000); a picture that was cut says so"),
]


def view(
    words: _WordsArgument = None,
    *,
    options: ReadingOptions = _OPTIONS,
    output: _OutputOption = None,
    chart: _ChartOption = None,
    limit: _LimitOption = None,
    explain: ExplainOption = False,
) -> None:
    """A self-contained picture of a thing, a comparison, a trace, the disputes, a source, or everything within a limit.

    The file needs no network and no program but a browser; .svg and .png are one drawing. card NUMBER is a claim on one card:
    what was claimed, the verdict, the value to use, the chain in three steps, the source. With --chart a static chart: results [TASK], number-line THING
    METRIC (or a claim id), timeline [THING], gain [A B].

    Example: kg view compare GB200 H200 -o compare.html
    """
    from kg.cli.output import put_bytes

    asked = words or []
    target = output if output is not None else Path(default_name(asked, chart))
    form = {".htm": "html"}.get(target.suffix.lower(), target.suffix.lower().lstrip("."))
    if form not in ("html", "svg", "png"):
        raise UsageError(field="-o", given=target.name, expected="a file that ends in .html, .svg or .png")
    if asked[:1] == [CARD] and (form == "html" or len(asked) == 1):
        raise UsageError(
            given=" ".join(["view", *asked, "-o", target.name]),
            expected="a number or a claim id, and a file that ends in .svg or .png",
            next_step="kg view card 72428 -o card.svg",
        )
    made = _drawn(options.open(), asked, form, chart=chart, limit=limit)
    put_bytes(made.file, target)
    for note in made.notes:
        options.tell(note)
    options.tell(f"written to {target}" if output is not None else f"written to {target}; -o FILE writes it elsewhere")
    if explain:
        options.tell("questions: " + ", ".join(made.questions))


class _Drawing(NamedTuple):
    """A finished file, what is to be said of it, and the questions that gave its rows."""

    file: bytes
    notes: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


def _drawn(graph: "Graph", asked: list[str], form: str, *, chart: str | None, limit: int | None) -> _Drawing:
    """A chart, the card of a claim, or a picture."""
    if chart is not None:
        made = graph.chart(chart, *asked, form=form)
        return _Drawing(made.file, made.notes, made.questions)
    if asked[:1] == [CARD]:
        return _Drawing(_card(graph, " ".join(asked[1:]), form))
    scene = graph.view(*_meant(graph, asked), limit=limit)
    return _Drawing(_picture(scene, form), scene.notes, scene.questions)


def _picture(scene: "Scene", form: str) -> bytes:
    """The file of a scene: a page to use, or one drawing."""
    if form == "html":
        return scene.to_html().encode("utf-8")
    from kg.render.png_file import png_file
    from kg.render.svg_file import svg_file

    drawing = svg_file(scene)
    return png_file(drawing) if form == "png" else drawing.encode("utf-8")


def _card(graph: "Graph", asked: str, form: str) -> bytes:
    from kg.render.png_file import png_file
    from kg.render.story_card import story_card

    drawing = story_card(graph, asked)
    return png_file(drawing) if form == "png" else drawing.encode("utf-8")


def _meant(graph: "Graph", words: list[str]) -> list[str]:
    """The words with the form of picture that they ask for, and each name as one."""
    first, rest = (words[0], words[1:]) if words else ("all", [])
    if first == "all" or (first in FORMS and len(rest) <= 1):
        return words
    if first in FORMS and first != "compare":
        return [first, " ".join(rest)]
    meant = meant_by(graph, rest if first == "compare" else words, "view")
    if meant.pair is not None:
        return ["compare", *meant.pair]
    form = {"claim": "trace", "number": "trace", "source": "source"}.get(meant.kind, "thing")
    return [form, meant.ids[0] if form == "source" else meant.text]


def default_name(words: list[str], chart: str | None) -> str:
    """A file name that says what is in it, as short as file systems want it."""
    import re
    from hashlib import sha256

    parts = [re.sub(r"[^A-Za-z0-9.]+", "-", one).strip("-.") for one in ([chart] if chart else []) + words]
    name = "-".join(["kg", *(one for one in parts if one)] if parts else ["kg-view"])
    if len(name) > _MOST_CHARACTERS:
        name = f"{name[:_MOST_CHARACTERS]}-{sha256(name.encode()).hexdigest()[:8]}"
    return f"{name}.html"
