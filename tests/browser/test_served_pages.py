"""The pages of `kg serve` in Chromium: every one wide and narrow, light and dark, by keys alone, with nothing from outside."""

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from kg.build.documents import attach_documents
from kg.session import Graph, open_graph
from tests.browser.served import ServedPage, serving
from tests.small_content import ROOT, write_small_content, write_text

PAGES = (
    "/",
    "/number/72428",
    "/number/99887766",
    "/claim/002/r1.gb200.offline.per-accelerator",
    "/thing/H200",
    "/thing/metric/memory-bandwidth",
    "/compare/GB200/H200",
    "/compare/B200/H200",
    "/sources",
    "/source/002",
    "/problems",
    "/questions",
    "/questions/comparisons/compare",
    "/query",
    "/check",
    "/find?q=memory+bandwidth",
    "/nowhere",
)
SHAPES = ((1400, 900, "light"), (1400, 900, "dark"), (390, 844, "light"), (390, 844, "dark"))


@pytest.fixture(scope="module")
def served(graph: Graph, driver: webdriver.Chrome) -> Iterator[ServedPage]:
    with serving(open_graph(graph.folder)) as base:
        yield ServedPage(driver, base)


@pytest.fixture(scope="module")
def marked(driver: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    """A server of a small content whose text is attached."""
    folder = tmp_path_factory.mktemp("marked")
    shutil.copytree(ROOT / "queries", folder / "content" / "queries")
    content = write_small_content(folder / "content")
    graph = open_graph(folder / "store", content=str(content.root))
    attach_documents(folder / "store", write_text(folder / "texts"), content=str(content.root))
    with serving(graph) as base:
        yield ServedPage(driver, base)


def faults(page: ServedPage, path: str) -> list[str]:
    """What is wrong with a page in any shape."""
    found = []
    for width, height, scheme in SHAPES:
        page.open(path, width=width, height=height, scheme=scheme)
        said = [one for one in page.complaints() if "404 (Not Found)" not in one]
        wrong = [*said, *page.outside(), *page.accessibility()]
        if page.overflow() > 0:
            wrong.append(f"{page.overflow()} pixels wider than the window")
        found += [f"{path} at {width}, {scheme}: {one}" for one in wrong]
    return found


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_wide_and_narrow_in_light_and_dark(served: ServedPage, path: str) -> None:
    assert faults(served, path) == []


def test_the_page_of_a_text_is_whole_wide_and_narrow_in_light_and_dark(marked: ServedPage) -> None:
    assert faults(marked, "/source/900") == []


def test_the_card_of_a_figure_shows_on_focus_and_goes_with_escape(marked: ServedPage) -> None:
    marked.open("/source/900")
    shown = "return getComputedStyle(document.querySelector('#t1')).display"
    assert marked.run(shown) == "none"
    marked.press("n")
    assert marked.focused == "f1"
    assert marked.run(shown) == "block"
    marked.press(Keys.ESCAPE)
    assert marked.run(shown) == "none"


def test_keys_go_from_figure_to_figure_and_pass_over_what_is_not_marked(marked: ServedPage) -> None:
    marked.open("/source/900")
    verdicts = marked.run("return [...document.querySelectorAll('a.mark')].map(one => one.className)")
    assert isinstance(verdicts, list)
    assert len(verdicts) == 3
    marked.press("n", "n")
    assert marked.focused == "f2"
    marked.press("p")
    assert marked.focused == "f1"
    marked.run("for (const box of document.querySelectorAll('.legend input')) box.checked = false")
    marked.press("n")
    assert marked.focused == "f1", "nothing else is marked"


def test_a_search_a_comparison_and_a_claim_are_reached_by_keys_alone(served: ServedPage) -> None:
    served.open("/sources")
    served.press("/")
    assert served.focused == "q"
    served.press(*"GB200 vs H200", Keys.ENTER)
    assert "/compare/GB200/H200" in served.driver.current_url
    served.press(Keys.TAB)
    assert served.focused == "To the content"
    served.press(Keys.ENTER)
    for _ in range(12):
        served.press(Keys.TAB)
        if "/claim/" in str(served.run("return document.activeElement.href || ''")):
            break
    served.press(Keys.ENTER)
    assert "/claim/" in served.driver.current_url


def test_a_pasted_text_is_checked_and_its_worst_figure_is_reached_by_a_key(served: ServedPage) -> None:
    served.open("/check", width=390, height=844)
    box = served.driver.find_element("id", "text")
    box.send_keys("GB200 NVL72 delivers 72,428 tokens/s per GPU. The B200 draws 1,000 W.")
    box.submit()
    assert "1 of 2 figures are wrong" in served.driver.title
    served.press("w")
    assert served.run("return document.activeElement.classList.contains('m-wrong')")
    assert served.run("return getComputedStyle(document.activeElement.nextElementSibling).display") == "block"
    assert (served.overflow(), served.accessibility()) == (0, [])


def test_print_leaves_out_what_is_only_for_the_screen(served: ServedPage) -> None:
    served.open("/number/72428")
    served.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert served.run("return getComputedStyle(document.querySelector('.top')).display") == "none"
    assert served.run("return getComputedStyle(document.querySelector('h1')).display") != "none"
