"""Every kind of page in Chromium with the network off: what is asked for, shown, searched, filtered and said."""

from pathlib import Path

import pytest
from selenium import webdriver

from kg.render.charts import Lane, Mark, Panel, Plan, draw
from kg.render.scene import SceneTable
from tests.browser.browser import DOWN, ENTER, ESCAPE, LEFT, RIGHT, Page, open_page
from tests.browser.conftest import PAPERS, PICTURES, Opened
from tests.sampling import each_once, first

CLAIM = "002/r1.gb200.offline.per-accelerator"
ALL = (*PICTURES, *PAPERS)


def pixels(page: Page) -> int:
    """How many different colours the picture has."""
    return int(
        page.run(
            "const c = document.querySelector('#canvas canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, s = new Set();"
            "for (let i = 0; i < d.length; i += 4) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return s.size"
        )
    )


@pytest.mark.parametrize("name", ALL)
def test_page_opens_with_no_request_and_no_complaint(opened: Opened, name: str) -> None:
    page = opened(name)
    assert page.requests() == []
    assert page.complaints() == []
    if name in PICTURES:
        assert page.drawn()
        assert pixels(page) > 30, "something is drawn"
        assert len(page.shown_rows()) > 2


def test_a_request_is_seen_where_a_page_makes_one(driver: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "asks.html"
    path.write_text(
        '<img src="https://example.invalid/x.png"><link rel=stylesheet href="https://example.invalid/y.css">',
        encoding="utf-8",
    )
    assert sorted(open_page(driver, path).requests()) == [
        "https://example.invalid/x.png",
        "https://example.invalid/y.css",
    ]


def test_what_a_page_is_made_to_load_is_refused(opened: Opened) -> None:
    page = opened("trace")
    page.requests()
    page.run("const one = new Image(); one.src = 'https://example.invalid/x.png'; document.body.append(one)")
    page.run("fetch('https://example.invalid/y').catch(() => 0)")
    page.wait("true")
    page.settle()
    assert any("Content Security Policy" in one for one in page.complaints()), "refused by the policy before it is sent"


def test_hover_shows_what_is_printed_by_whom_where_and_how_it_recomputes(opened: Opened) -> None:
    page = opened("trace")
    page.hover(CLAIM)
    assert page.one("#tip").is_displayed()
    told = page.text("#tip")
    for words in (
        "72428.00 sample/s",
        "Gemini 2.5 Pro",
        "table deepseek-r1, row NVIDIA GB200 Offline",
        "undated",
        "benchmark: mlperf-inference",
        "total / accelerators with",
        "4,021 to 4,026.6 sample/s",
        "violation:",
        "arithmetic.inconsistent",
        "wrong: 289,712 was divided by 4",
    ):
        assert words in told, words
    assert page.complaints() == []


def test_click_opens_the_details_and_escape_closes_them(opened: Opened) -> None:
    page = opened("trace")
    page.click(CLAIM)
    told = page.text("#details")
    assert CLAIM in told and "source" in told
    assert "input total" in told and "289,711.995 to 289,712.005" in told
    assert page.run("return kgView.chosen()") == CLAIM
    assert page.run("return document.querySelector('tr.chosen').dataset.id") == CLAIM
    page.press(ESCAPE)
    assert not page.one("#details").is_displayed()
    assert page.run("return kgView.chosen()") is None


def test_details_lead_on_to_what_a_node_is_linked_to(opened: Opened) -> None:
    page = opened("trace")
    page.click(CLAIM)
    next(one for one in page.all("#details li button") if "total / accelerators" in one.text).click()
    page.settle()
    assert "calculation" in page.text("#details .count")
    assert "divisor.per-node" in page.text("#details")


def test_keys_step_through_nodes_and_open_them(opened: Opened) -> None:
    page = opened("compare")
    page.press(RIGHT)
    first = page.run("return kgView.chosen()")
    assert first is not None
    assert page.one("#tip").is_displayed()
    page.press(RIGHT)
    second = page.run("return kgView.chosen()")
    page.press(LEFT)
    assert page.run("return kgView.chosen()") == first != second
    seen = set()
    for _ in range(len(page.drawn())):
        page.press(DOWN)
        seen.add(page.run("return kgView.chosen()"))
    assert seen == page.drawn(), "every node is reached"
    page.press(ENTER)
    assert page.one("#details").is_displayed()
    assert page.run("return document.activeElement.id") == "details"
    assert page.text("#told")


def test_tab_reaches_the_picture_and_shows_where_it_is(opened: Opened) -> None:
    page = opened("compare")
    for _ in range(40):
        page.driver.switch_to.active_element.send_keys("\ue004")
        if page.run("return document.activeElement.id") == "canvas":
            break
    assert page.run("return document.activeElement.id") == "canvas"
    assert page.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_search_finds_lists_and_leads_to_a_claim(opened: Opened) -> None:
    page = opened("compare")
    page.one("#search").send_keys("mistral 2.5x")
    page.settle()
    rows = page.shown_rows()
    assert rows == ["000/mistral.impact.training-speed.h200", "000/mistral.training-speed.h200"] or set(rows) >= {
        "000/mistral.training-speed.h200"
    }
    assert "match the search" in page.text("#shown")
    page.one("#search").send_keys(ENTER)
    page.settle()
    assert str(page.run("return kgView.chosen()")).startswith("000/mistral")
    assert page.one("#details").is_displayed()
    page.one("#search").clear()
    page.one("#search").send_keys("qqqq")
    page.settle()
    assert "nothing matches" in page.text("#results")
    assert page.shown_rows() == []


def test_search_reaches_into_bundles(opened: Opened) -> None:
    page = opened("thing")
    assert "002/gptj.h200-sxm-141gb.offline.per-accelerator" not in page.drawn()
    page.one("#search").send_keys("002/gptj.h200-sxm-141gb.offline.per-accelerator")
    page.settle()
    page.one("#search").send_keys(ENTER)
    page.settle()
    assert "002/gptj.h200-sxm-141gb.offline.per-accelerator" in page.drawn()
    assert "2412.90" in page.text("#details")


def choose_option(page: Page, name: str, value: str) -> None:
    page.run(
        "const one = document.getElementById(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event('change'))",
        name,
        value,
    )
    page.settle()


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("source", "source/002", "one.source === 'source/002'"),
        ("finding", "s:violation", "(one.findings || []).some(f => f[0] === 'violation')"),
        ("finding", "none", "!(one.findings || []).some(f => f[0] !== 'info')"),
        ("verdict", "wrong", "one.verdict === 'wrong'"),
        ("from", "2025-08-20", "one.date && one.date >= '2025-08-20'.slice(0, one.date.length)"),
    ],
)
def test_filters_leave_only_claims_that_fit(opened: Opened, name: str, value: str, fits: str) -> None:
    page = opened("disputes")
    page.everything()
    before, rows = len(page.drawn()), len(page.shown_rows())
    choose_option(page, name, value)
    assert 0 < len(page.drawn()) < before
    assert page.run(
        "const info = JSON.parse(document.getElementById('kg-data').textContent).info, claims = new Set(JSON.parse("
        "document.getElementById('kg-data').textContent).nodes.filter(n => n.group === 'claim').map(n => n.id));"
        f"return kgView.drawn().filter(id => claims.has(id)).every(id => {{ const one = info[id]; return {fits}; }})"
    )
    assert len(page.shown_rows()) < rows
    page.one("#reset").click()
    page.settle()
    assert len(page.drawn()) == before


def test_a_class_is_hidden_by_its_legend_and_shown_again(opened: Opened) -> None:
    page = opened("compare")
    before = page.drawn()
    button = page.one(".kind[data-kind=system]")
    button.click()
    page.settle()
    assert button.get_attribute("aria-pressed") == "false"
    assert "system/nvidia-gb200-nvl72" in before - page.drawn()
    button.click()
    page.settle()
    assert page.drawn() == before


def test_a_bundle_opens_and_closes(opened: Opened) -> None:
    page = opened("all")
    page.everything()
    before = page.drawn()
    bundle = next(one for one in sorted(before) if one == "bundle/family/nvidia-h200")
    page.run("kgView.choose(arguments[0])", bundle)
    page.settle()
    next(one for one in page.all("#details button") if "Open the bundle" in one.text).click()
    page.settle()
    opened_claims = page.drawn() - before
    assert len(opened_claims) > 20
    page.press(ESCAPE)
    assert page.drawn() == before


def test_a_row_of_the_table_chooses_its_node(opened: Opened) -> None:
    page = opened("compare")
    button = page.all("#tables button.pick")[2]
    page.run("arguments[0].click()", button)
    page.settle()
    assert page.run("return kgView.chosen()") == page.run("return arguments[0].closest('tr').dataset.id", button)


def test_every_drawn_node_and_claim_has_a_row(opened: Opened) -> None:
    page = opened("disputes")
    page.everything()
    assert page.drawn() == set(page.shown_rows())


def test_the_theme_button_turns_the_colours(opened: Opened) -> None:
    page = opened("trace")
    light = page.run("return getComputedStyle(document.body).backgroundColor")
    page.one("#theme").click()
    page.settle()
    dark = page.run("return getComputedStyle(document.body).backgroundColor")
    assert light != dark
    page.one("#theme").click()
    assert page.run("return getComputedStyle(document.body).backgroundColor") == light
    page.colours("dark")
    assert page.run("return document.documentElement.dataset.theme") == "light", "a choice stays"


# What is too wide shows on a telephone first.
@pytest.mark.parametrize("shape", first(1, [(390, "dark"), (1280, "light")]))
@pytest.mark.parametrize("name", ALL)
def test_page_fits_and_is_photographed(opened: Opened, tmp_path: Path, name: str, shape: tuple[int, str]) -> None:
    width, scheme = shape
    page = opened(name, width=width, height=900 if width > 400 else 844, scheme=scheme)
    shot = page.screenshot(tmp_path / f"{name}-{scheme}-{width}.png")
    assert shot[:8] == b"\x89PNG\r\n\x1a\n" and len(shot) > 8000
    assert page.run("return document.documentElement.scrollWidth") <= width, "nothing stands out to the right"
    background = page.run("return getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(18, 22, 29)")
    assert page.complaints() == []


def test_a_chart_is_as_wide_as_the_page_and_has_its_files(opened: Opened) -> None:
    page = opened("chart")
    for width in (1400, 390):
        page = opened("chart", width=width)
        box = page.run(
            "const b = document.querySelector('.chart .plot').getBoundingClientRect(); return [b.left, b.right]"
        )
        assert 0 <= box[0] < box[1] <= width
        assert (
            page.run(
                "return Math.min(...[...document.querySelectorAll('.chart .plot:not(.axis) text')].map(t => parseFloat(getComputedStyle(t).fontSize)))"
            )
            >= 13
        )
    titles = page.run("return [...document.querySelectorAll('.chart title')].map(t => t.textContent)")
    assert len(titles) > 4 and any("4.8" in one for one in titles), "a tooltip a mark"
    assert "TB/s" in page.text(".chart") and "claims" in page.text("h1")
    files = page.run(
        "return [...document.querySelectorAll('.downloads a')].map(a => [a.download, a.href.split(',')[0]])"
    )
    assert files == [
        ["chart.svg", "data:image/svg+xml;charset=utf-8;base64"],
        ["chart.csv", "data:text/csv;charset=utf-8;base64"],
    ]
    page.one("#png").click()
    page.wait("Boolean(document.documentElement.dataset.png)")
    assert int(page.run("return document.documentElement.dataset.png")) == 1960
    assert page.complaints() == []


def test_a_chart_that_is_higher_than_a_canvas_may_be_has_its_picture(driver: webdriver.Chrome, tmp_path: Path) -> None:
    lanes = tuple(Lane(f"chip {number}", (Mark(number, words=f"{number}"),)) for number in range(1, 1_201))
    plan = Plan("Many", "Many results.", (Panel("", "W", lanes),), SceneTable("The same", ("chip",), ()))
    (tmp_path / "chart.html").write_text(draw(plan, "html").file.decode("utf-8"), encoding="utf-8")
    page = open_page(driver, tmp_path / "chart.html", width=1280, height=900, scheme="light")
    page.run("HTMLAnchorElement.prototype.click = function () { window.saved = this.href.length; }")
    page.one("#png").click()
    page.wait("Boolean(document.documentElement.dataset.png)")
    assert int(page.run("return window.saved")) > 10_000  # a canvas that is too high gives `data:,`


@pytest.mark.parametrize("name", ["report", "question"])
def test_report_prints_within_the_sheet_and_light(opened: Opened, name: str) -> None:
    page = opened(name, width=1030, scheme="dark")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    page.settle()
    assert page.run("return document.documentElement.scrollWidth") <= 1030
    assert page.run("return getComputedStyle(document.body).color") == "rgb(22, 27, 34)"
    assert page.run("return [...document.querySelectorAll('table')].every(one => one.scrollWidth <= 1030)")


# All pages have their colours from one sheet.
@pytest.mark.parametrize(("name", "scheme"), each_once([*ALL, "part"], ["dark", "light"]))
def test_no_serious_finding_of_accessibility(opened: Opened, name: str, scheme: str) -> None:
    page = opened(name, scheme=scheme)
    if name in PICTURES:
        page.press(RIGHT, ENTER)
        assert page.one("#details").is_displayed()
    # One code writes every row: thirty of a table stand for all, which takes axe a second where thousands take minutes.
    page.run("for (const row of document.querySelectorAll('tbody tr:nth-child(n+31)')) row.remove()")
    assert page.accessibility() == []


@pytest.mark.parametrize("name", ["trace", "claim", "compare", "question", "report"])
def test_tables_fit_a_wide_page_with_their_last_column(opened: Opened, name: str) -> None:
    page = opened(name, width=1280)
    page.run("for (const one of document.querySelectorAll('.wide')) one.style.contentVisibility = 'visible'")
    hidden = page.run("return [...document.querySelectorAll('.wide')].map(one => one.scrollWidth - one.clientWidth)")
    assert hidden and max(hidden) <= 0


@pytest.mark.parametrize("name", ["question", "report", "chart"])
def test_a_report_on_a_telephone_hides_nothing_to_the_right(opened: Opened, name: str) -> None:
    page = opened(name, width=390, height=844)
    assert page.run("return [...document.querySelectorAll('.wide')].every(one => one.scrollWidth <= one.clientWidth)")
    assert page.run(
        "return [...document.querySelectorAll('.chart .plot')].every(one => one.getBoundingClientRect().right <= 390)"
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_the_buttons_of_the_picture_cover_none_of_it(opened: Opened, width: int) -> None:
    page = opened("trace", width=width)
    boxes = page.run(
        "return ['#canvas', '.zoom'].map(one => document.querySelector(one).getBoundingClientRect()).map(one => [one.top, one.bottom])"
    )
    (_, end), (start, _) = boxes
    assert end <= start


@pytest.mark.parametrize("name", ["thing", "all"])
def test_a_large_picture_opens_on_disputes_and_comparisons(opened: Opened, name: str) -> None:
    page = opened(name)
    first = page.drawn()
    claims = page.run(
        "const data = JSON.parse(document.getElementById('kg-data').textContent), claims = new Set(data.nodes.filter(n => n.group === 'claim').map(n => n.id));"
        "return kgView.drawn().filter(id => claims.has(id)).map(id => data.info[id].verdict === 'wrong' || data.info[id].verdict === 'disputed' || data.info[id].facts.some(f => f[0] === 'against'))"
    )
    assert 5 < len(claims) <= 36 and all(claims)
    page.one("#whole").click()
    page.settle()
    assert len(page.drawn()) > len(first)
    page.one("#first").click()
    page.settle()
    assert page.drawn() == first


@pytest.mark.parametrize("name", list(PICTURES))
def test_letters_are_read_at_first_sight(opened: Opened, name: str) -> None:
    page = opened(name, width=1400)
    assert page.run("return kgView.scale()") >= 1
    assert (
        page.run(
            "return Math.min(...JSON.parse(document.getElementById('kg-data').textContent).nodes.map(n => n.letters))"
        )
        >= 14
    )


def test_a_trace_that_is_a_little_too_wide_opens_whole_on_a_desk(opened: Opened) -> None:
    page = opened("trace", width=1400)
    ends = page.run(
        "const by = new Map(JSON.parse(document.getElementById('kg-data').textContent).nodes.map(n => [n.id, n]));"
        "const frame = document.getElementById('canvas').getBoundingClientRect();"
        "return kgView.drawn().map(id => [kgView.at(id).x - by.get(id).room[0] / 2 - frame.left, frame.right - kgView.at(id).x - by.get(id).room[0] / 2])"
    )
    assert len(ends) > 10 and min(left for left, _ in ends) >= 0 and min(right for _, right in ends) >= 0
    assert page.run("return kgView.scale()") >= 1


def test_nodes_do_not_cover_each_other_after_a_filter(opened: Opened) -> None:
    page = opened("all")
    choose_option(page, "verdict", "wrong")
    boxes = page.run(
        "const by = new Map(JSON.parse(document.getElementById('kg-data').textContent).nodes.map(n => [n.id, n]));"
        "return kgView.drawn().map(id => { const at = kgView.at(id), n = by.get(id); return [id, at.x / kgView.scale(), at.y / kgView.scale(), n.room[0], n.room[1], n.group]; })"
    )
    claims = [one for one in boxes if one[5] == "claim"]
    assert len(claims) > 10
    for number, (name, x, y, wide, high, _) in enumerate(claims):
        for other, to_x, to_y, to_wide, to_high, _ in claims[:number]:
            assert abs(x - to_x) * 2 >= wide + to_wide - 1 or abs(y - to_y) * 2 >= high + to_high - 1, (name, other)


def test_a_thing_opens_as_its_spec_sheet_with_the_picture_second(opened: Opened) -> None:
    page = opened("thing")
    tops = page.run(
        "return ['.sheet', '#stage', '#tables'].map(one => document.querySelector(one).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    rows = page.text(".sheet table")
    assert "memory bandwidth" in rows and "4.8 TB/s" in rows and "141 GB" in rows
    shown = len([one for one in page.all(".sheet tbody tr") if one.is_displayed()])
    page.one("#further").click()
    page.settle()
    assert len([one for one in page.all(".sheet tbody tr") if one.is_displayed()]) > shown


@pytest.mark.parametrize("name", list(PICTURES))
def test_on_a_telephone_a_list_of_cards_stands_in_place_of_the_picture(opened: Opened, name: str) -> None:
    page = opened(name, width=390, height=844)
    assert not page.one("#canvas").is_displayed()
    boxes = page.run(
        "return [...document.querySelectorAll('#tables table:first-of-type tbody tr')].filter(r => r.getBoundingClientRect().height > 0).slice(0, 12).map(r => { const b = r.getBoundingClientRect(); return [b.left, b.right, b.top]; })"
    )
    assert len(boxes) >= 4
    assert all(left >= 0 and right <= 390 for left, right, _ in boxes)
    assert [top for *_, top in boxes] == sorted(top for *_, top in boxes), "one below the other"
    page.run("document.querySelector('#tables button.pick').click()")
    page.settle()
    assert page.one("#details").is_displayed(), "a card opens what is known of it"
    page.press_on("body", ESCAPE)
    page.run("document.getElementById('draw').click()")
    page.settle()
    assert page.one("#canvas").is_displayed()
    assert page.run("return document.documentElement.scrollWidth") <= 390
    assert page.complaints() == []


def test_equal_words_at_one_end_are_told_once(opened: Opened) -> None:
    page = opened("trace")
    told = page.run(
        "const data = JSON.parse(document.getElementById('kg-data').textContent); return data.edges.filter(e => e.label === 'rests on').map(e => Boolean(e.again))"
    )
    assert len(told) > 5 and told.count(False) == 1
