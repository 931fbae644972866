"""An evidence report: what was asked, the answer, and everything it rests on, for somebody who has no tool."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from kg.model.verdict import VERDICTS
from kg.render.cells import markdown_row, markdown_text
from kg.render.charts import Plan, chart_svg, piece
from kg.render.drawn import drawing
from kg.render.paper import paper
from kg.render.scene import Fact, Scene, SceneTable
from kg.render.templating import rendered

Form = Literal["html", "md"]
FORMS: Final = ("html", "md")


@dataclass(frozen=True, slots=True)
class Card:
    """A calculation, finding or claim laid out in rows."""

    title: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: words, tables and cards under a heading."""

    title: str
    words: tuple[str, ...] = ()
    tables: tuple[SceneTable, ...] = ()
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """Everything that goes into a report."""

    title: str
    question: str
    answer: str
    verdict: str | None
    sections: tuple[Section, ...]
    picture: Scene | None = None
    charts: tuple[Plan, ...] = ()
    questions: tuple[str, ...] = ()
    made_from: tuple[Fact, ...] = ()


def html(given: EvidenceReport) -> str:
    """The report as one page that can be printed."""
    has_picture = given.picture is not None and bool(given.picture.nodes)
    body = rendered(
        "report.html",
        report=given,
        is_judged=given.verdict in VERDICTS,
        picture=drawing(given.picture) if given.picture is not None and has_picture else None,
        charts=[piece(one) for one in given.charts],
    )
    return paper(given.title, [body], given.questions, given.made_from)


# --- Markdown --------------------------------------------------------------------------------------------------------


def markdown(given: EvidenceReport) -> str:
    """The report as Markdown; the picture is a list of its lines, charts stand at the end of the file as data."""
    lines = [
        f"# {markdown_text(given.title)}",
        "",
        f"**Question.** {markdown_text(given.question)}",
        "",
        f"**Answer.** {markdown_text(given.answer)}",
        "",
    ]
    for one in given.sections[:1]:
        lines += _md_section(one)
    if given.picture is not None and given.picture.edges:
        lines += ["## Picture, as its lines", "", *_md_picture(given.picture), ""]
    charts = given.charts
    if charts:
        lines += ["## Charts", ""]
    for number, plan in enumerate(charts, 1):
        lines += [f"![{markdown_text(plan.title)}][chart-{number}]", "", markdown_text(plan.about), ""]
    for one in given.sections[1:]:
        lines += _md_section(one)
    if given.questions:
        lines += [f"Rows come from these saved questions: {', '.join(map(markdown_text, given.questions))}.", ""]
    if given.made_from:
        lines += [
            "; ".join(f"{markdown_text(name)} {markdown_text(value)}" for name, value in given.made_from) + ".",
            "",
        ]
    # At the end: an SVG as `data:` is one line of many thousand signs, which nobody reads in
    # between.
    for number, plan in enumerate(charts, 1):
        kept = b64encode(chart_svg(plan).encode()).decode("ascii")
        lines.append(f"[chart-{number}]: data:image/svg+xml;base64,{kept}")
    return "\n".join(lines).rstrip() + "\n"


def _md_section(one: Section) -> Iterator[str]:
    yield from (f"## {markdown_text(one.title)}", "")
    for line in one.words:
        yield from (markdown_text(line), "")
    for table in one.tables:
        if table.rows:
            yield markdown_row(table.columns)
            yield "|" + " --- |" * len(table.columns)
            yield from (markdown_row(cells) for _, cells in table.rows)
            yield ""
    for card in one.cards:
        yield from (f"### {markdown_text(card.title)}", "")
        yield from (f"- **{markdown_text(name)}:** {markdown_text(value)}" for name, value in card.facts)
        yield ""


def _md_picture(scene: Scene) -> Iterable[str]:
    labels = {node.id: " ".join(node.label.split()) for node in scene.nodes}
    for one in scene.edges:
        if not one.is_faint:
            yield f"- {markdown_text(labels[one.source])} → {markdown_text(one.label or 'linked to')} → {markdown_text(labels[one.target])}"
