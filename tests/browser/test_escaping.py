"""Labels with HTML or scripts do nothing, wherever a page shows them: executed in a browser, not only read."""

from pathlib import Path

from selenium import webdriver

from kg.render.charts import Lane, Mark, Panel, Plan, piece
from kg.render.drawn import drawing
from kg.render.report import Card, EvidenceReport, Section, html
from kg.render.scene import KINDS, Scene, SceneEdge, SceneNode, SceneTable, bundled, tidy
from tests.browser.browser import ESCAPE, RIGHT, Page, open_page

HOSTILE = (Path(__file__).parent / "hostile.txt").read_text(encoding="utf-8").splitlines()


def scene() -> Scene:
    """Every hostile text in every place that takes a text."""
    nodes, edges, rows = [], [], []
    for number, text in enumerate(HOSTILE):
        name = f"{text} {number}"
        kind = KINDS[number % len(KINDS)] if number % 2 else "claim"
        nodes.append(
            SceneNode(
                name,
                kind,
                text,
                facts=((text, text), ("verdict", text)),
                more=((text, text),),
                source=text,
                date="2025-01-01",
                findings=((text, text),),
                verdict="wrong" if kind == "claim" else None,
                column=number % 3,
                hub=f"{HOSTILE[0]} 0",
            )
        )
        edges.append(SceneEdge(name, f"{HOSTILE[0]} 0", text))
        rows.append((name, (text, text)))
    return tidy(
        Scene(
            HOSTILE[1],
            HOSTILE[0],
            tuple(nodes),
            tuple(edges),
            (SceneTable(HOSTILE[3], (HOSTILE[4], HOSTILE[5]), tuple(rows)),),
            layout="layers",
            notes=tuple(HOSTILE),
            sources={text: text for text in HOSTILE},
            questions=tuple(HOSTILE),
            made_from=((HOSTILE[1], HOSTILE[3]),),
        )
    )


def assert_harmless(page: Page) -> None:
    assert page.run("return window.pwned") is None
    assert page.run("return typeof window.alert") == "function"
    assert (
        page.run(
            "return document.querySelectorAll('iframe, a[href^=javascript], [onerror], [onload], [onmouseover], #tables img, #details img, #tip img').length"
        )
        == 0
    )
    assert page.run("return document.querySelectorAll('style').length") == 1
    assert page.run("return getComputedStyle(document.body).display") != "none"
    assert page.complaints() == []
    assert page.requests() == []


def test_hostile_words_in_a_picture_are_shown_as_they_are(driver: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(scene().to_html(), encoding="utf-8")
    page = open_page(driver, path)
    assert_harmless(page)
    assert page.run("return document.title") == HOSTILE[1]
    assert page.text("h1") == HOSTILE[1]
    assert page.run(
        "return [...document.querySelectorAll('#tables tbody td:last-child')].map(one => one.textContent)"
    ) == [text for _, text in sorted((f"{text} {number}", text) for number, text in enumerate(HOSTILE))] or set(
        page.run("return [...document.querySelectorAll('#tables tbody td:last-child')].map(one => one.textContent)")
    ) == set(HOSTILE)
    for number, text in enumerate(HOSTILE):
        page.run("kgView.choose(arguments[0])", f"{text} {number}")
        page.settle()
        assert page.run("return document.querySelector('#details dd').textContent") == text
        page.hover(f"{text} {number}")
        page.press(RIGHT)
    page.press(ESCAPE)
    page.one("#search").send_keys("script")
    page.settle()
    assert page.all("#results li")
    assert_harmless(page)


def test_hostile_words_in_bundles_are_shown_as_they_are(driver: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "bundles.html"
    path.write_text(bundled(scene(), most=1).to_html(), encoding="utf-8")
    page = open_page(driver, path)
    bundle = next(one for one in page.drawn() if one.startswith("bundle/"))
    page.run("kgView.choose(arguments[0])", bundle)
    page.run("document.querySelector('#details > button:not(.close)').click()")
    page.settle()
    assert len(page.drawn()) > 5
    assert_harmless(page)


def test_hostile_words_in_a_report_are_shown_as_they_are(driver: webdriver.Chrome, tmp_path: Path) -> None:
    lanes = tuple(
        Lane(text, (Mark(float(number + 1), words=text, verdict="wrong"),)) for number, text in enumerate(HOSTILE)
    )
    plan = Plan(
        HOSTILE[1],
        HOSTILE[0],
        (Panel(HOSTILE[3], HOSTILE[4], lanes),),
        SceneTable("t", ("a",), ()),
        notes=tuple(HOSTILE),
    )
    given = EvidenceReport(
        HOSTILE[1],
        HOSTILE[0],
        HOSTILE[3],
        HOSTILE[5],
        (
            Section(
                HOSTILE[0],
                words=tuple(HOSTILE),
                tables=(SceneTable(HOSTILE[1], tuple(HOSTILE[:2]), tuple((text, (text, text)) for text in HOSTILE)),),
                cards=(Card(HOSTILE[1], tuple((text, text) for text in HOSTILE)),),
            ),
        ),
        picture=scene(),
        charts=(plan,),
        questions=tuple(HOSTILE),
        made_from=((HOSTILE[0], HOSTILE[1]),),
    )
    path = tmp_path / "report.html"
    path.write_text(html(given), encoding="utf-8")
    page = open_page(driver, path)
    assert_harmless(page)
    assert page.text("h1") == HOSTILE[1]
    assert page.run("return document.scripts.length") == 0
    assert page.run("return document.querySelectorAll('.chart .plot').length") >= 2
    assert drawing(scene()).count("<script") == 0 and piece(plan).count("<script") == 0
