"""The pages of `kg serve` in Chromium: every one wide and narrow, light and dark, by keys alone, with nothing from outside."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from kg.build.documents import attach_documents
from kg.build.reviewed import open_keeper
from kg.content.own_folder import make_own_folder
from kg.reading.review import open_review
from kg.session import Graph, open_graph
from kg.web.review_door import ReviewDesk, review_door
from tests.browser.served import ServedPage, serving
from tests.reading.review_samples import sample
from tests.sampling import each_once
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
    "/problems?source=source%2F002&severity=violation",
    "/questions",
    "/questions/comparisons/compare",
    "/questions/benchmarks/rounds",
    "/query",
    "/query?query=SELECT+%3Fc+%3Fv+%7B+%3Fc+k%3Averdict+%3Fv+%7D+LIMIT+5",
    "/query?query=DELETE+WHERE+%7B%7D",
    "/check",
    "/find?q=memory+bandwidth",
    "/nowhere",
)
Shape = tuple[int, int, str]
SHAPES: tuple[Shape, ...] = ((1400, 900, "light"), (390, 844, "dark"))
"""The width decides what fits, the scheme what can be read: each of both once."""


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


@pytest.fixture
def desk(tmp_path: Path) -> ReviewDesk:
    proposals = sample(tmp_path / "in")
    keeper = open_keeper(make_own_folder(tmp_path / "mine").content, proposals)
    return ReviewDesk(open_review(proposals.path, keeper, who="ada"), keeper)


@pytest.fixture
def reviewed(graph: Graph, driver: webdriver.Chrome, desk: ReviewDesk) -> Iterator[ServedPage]:
    """A server with a review, opened once by the address that was printed."""
    with serving(open_graph(graph.folder), lambda _: review_door(desk)) as base:
        page = ServedPage(driver, base)
        page.open(desk.start)
        yield page


def faults(page: ServedPage, path: str, shape: Shape) -> list[str]:
    """What is wrong with a page in a shape."""
    width, height, scheme = shape
    page.open(path, width=width, height=height, scheme=scheme)
    return faults_shown(page)


def faults_shown(page: ServedPage) -> list[str]:
    """What is wrong with the page that is open."""
    said = [one for one in page.complaints() if " (Not Found)" not in one and " (Bad Request)" not in one]
    wrong = [*said, *page.outside(), *page.accessibility()]
    return [*wrong, f"{page.overflow()} pixels wider than the window"] if page.overflow() > 0 else wrong


@pytest.mark.parametrize(("path", "shape"), each_once(PAGES, SHAPES))
def test_a_page_is_whole_wide_and_narrow_in_light_and_dark(served: ServedPage, path: str, shape: Shape) -> None:
    assert faults(served, path, shape) == []


@pytest.mark.parametrize("shape", SHAPES)
def test_the_page_of_a_text_is_whole_wide_and_narrow_in_light_and_dark(marked: ServedPage, shape: Shape) -> None:
    assert faults(marked, "/source/900", shape) == []


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
    assert marked.run("return document.getElementById('place').textContent") == "2 of 3"
    assert marked.run("return document.querySelector('.places a.at').getAttribute('href')") == "#f2"
    marked.press("p")
    assert marked.focused == "f1"
    marked.run("for (const box of document.querySelectorAll('.legend input')) box.checked = false")
    marked.press("n")
    assert marked.focused == "f1", "nothing else is marked"


def test_the_first_touch_of_a_figure_shows_its_card_and_the_second_leads_to_the_claim(marked: ServedPage) -> None:
    """Where nothing can hover, as on a telephone."""
    marked.open("/source/900", width=390, height=844)
    marked.run("window.matchMedia = () => ({ matches: true })")
    marked.click("#f1")
    assert marked.driver.current_url.endswith("/source/900")
    assert marked.run("return getComputedStyle(document.querySelector('#t1')).display") == "block"
    marked.click("#f1")
    marked.arrive("/claim/")


def test_a_search_a_comparison_and_a_claim_are_reached_by_keys_alone(served: ServedPage) -> None:
    served.open("/sources")
    served.press("/")
    assert served.focused == "q"
    served.press(*"GB200 vs H200", Keys.ENTER)
    served.arrive("/compare/GB200/H200")
    served.press(Keys.TAB)
    assert served.focused == "To the content"
    served.press(Keys.ENTER)
    for _ in range(12):
        served.press(Keys.TAB)
        if "/claim/" in str(served.run("return document.activeElement.href || ''")):
            break
    served.press(Keys.ENTER)
    served.arrive("/claim/")


def test_a_text_is_checked_by_keys_alone(served: ServedPage) -> None:
    served.open("/check", width=390, height=844)
    served.tab_to("#text")
    served.press("GB200 NVL72 delivers 72,428 tokens/s per GPU. The B200 draws 1,000 W.", Keys.TAB)
    assert served.focused == "Check"
    served.press(Keys.ENTER)
    served.arrive("2 figures, all known here: 1 wrong")
    served.press("w")
    assert served.run("return document.activeElement.classList.contains('m-wrong')")
    assert served.run("return getComputedStyle(document.activeElement.nextElementSibling).display") == "block"
    served.press(Keys.ENTER)
    served.arrive("#c1")  # from the figure to what is said of it
    served.tab_to("#c1 a.claim")
    served.press(Keys.ENTER)
    served.arrive("/claim/002/")


@pytest.mark.parametrize(("width", "height", "scheme"), SHAPES)
def test_the_answer_of_a_check_is_whole_in_every_shape(
    served: ServedPage, width: int, height: int, scheme: str
) -> None:
    served.open("/check", width=width, height=height, scheme=scheme)
    box = served.driver.find_element("id", "text")
    box.send_keys("GB200 NVL72 delivers 72,428 tokens/s per GPU. The B200 draws 1,000 W.")
    box.submit()
    served.arrive("2 figures, all known here: 1 wrong")
    assert faults_shown(served) == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("path", ["/review", "/review/2"])
def test_a_page_of_a_review_is_whole_wide_and_narrow_in_light_and_dark(
    reviewed: ServedPage, path: str, shape: Shape
) -> None:
    assert faults(reviewed, path, shape) == []


def test_a_review_is_done_by_keys_alone(reviewed: ServedPage, desk: ReviewDesk) -> None:
    session, wait = desk.session, reviewed.wait
    reviewed.press("n")
    wait(lambda: reviewed.driver.current_url.endswith("/review/2"))
    reviewed.press(Keys.ARROW_DOWN, Keys.ARROW_UP, "c")
    wait(lambda: session.values(1)["subject"] == "family/nvidia-h100")
    reviewed.loaded("subject: family/nvidia-h100")
    reviewed.press("e", *"H200", Keys.ENTER)
    wait(lambda: session.values(1)["subject"] == "family/nvidia-h200")
    reviewed.loaded("subject: family/nvidia-h200")
    reviewed.press("+", *"precision", Keys.TAB, *"precision/fp8", Keys.ENTER)
    wait(lambda: session.values(1).get("conditions.precision") == "precision/fp8")
    reviewed.loaded("conditions.precision: ")
    reviewed.press("a")
    wait(lambda: session.status(1) == "accepted")
    reviewed.loaded("accepted as look-at-h200/")
    reviewed.press("r")
    assert reviewed.run("return document.querySelector('.reasons').open")
    reviewed.press("a")
    wait(lambda: session.status(2) == "rejected")
    reviewed.loaded("rejected: ")
    reviewed.press("u")
    wait(lambda: session.status(2) == "open")
    reviewed.loaded("taken back")
    reviewed.press("b")
    wait(lambda: reviewed.driver.current_url.endswith("/review/2"))
    reviewed.press("n")
    wait(lambda: reviewed.driver.current_url.endswith("/review/3"))
    reviewed.tab_to("[data-key=a]")
    reviewed.press(Keys.ENTER)
    wait(lambda: session.status(2) == "accepted")


def test_a_key_that_is_held_down_decides_once(reviewed: ServedPage, desk: ReviewDesk) -> None:
    """What a keyboard repeats arrives at the next page, where it would accept the next claim."""
    reviewed.open("/review/2", width=1280, height=900)
    reviewed.run("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', repeat: true, bubbles: true}))")
    reviewed.press("n")
    reviewed.wait(lambda: reviewed.driver.current_url.endswith("/review/3"))
    assert desk.session.decisions == []


def test_a_review_is_done_by_mouse(reviewed: ServedPage, desk: ReviewDesk) -> None:
    session, wait = desk.session, reviewed.wait
    reviewed.open("/review/2", width=390, height=844)
    reviewed.click("[data-key=r]")
    reviewed.click(".reasons button")
    wait(lambda: session.status(1) == "rejected")
    reviewed.loaded("rejected: ")
    reviewed.click("[data-key=u]")
    wait(lambda: session.status(1) == "open")
    reviewed.loaded("taken back")
    reviewed.click("[data-row-key=c]")
    wait(lambda: session.values(1)["subject"] == "family/nvidia-h100")
    reviewed.loaded("subject: family/nvidia-h100")
    reviewed.click("[data-key=a]")
    wait(lambda: session.status(1) == "accepted")


def test_pages_work_without_scripts(reviewed: ServedPage, marked: ServedPage, desk: ReviewDesk) -> None:
    reviewed.without_scripts("/review/2")
    reviewed.click("[data-key=a]")
    reviewed.wait(lambda: desk.session.status(1) == "accepted")
    reviewed.without_scripts("/")
    reviewed.driver.find_element("id", "big-q").send_keys("GB200 vs H200", Keys.ENTER)
    reviewed.arrive("/compare/GB200/H200")
    reviewed.without_scripts("/check")
    reviewed.driver.find_element("id", "text").send_keys("GB200 NVL72 delivers 72,428 tokens/s per GPU.")
    reviewed.click("main form button")
    reviewed.arrive("1 figure, known here: 1 wrong")
    marked.without_scripts("/source/900")
    assert not marked.driver.find_element("css selector", "#t1").is_displayed()
    marked.click(".nojs")
    marked.hover("#f1")
    assert marked.driver.find_element("css selector", "#t1").is_displayed()


def test_a_picture_is_saved_as_png_without_asking_anybody(served: ServedPage, tmp_path: Path) -> None:
    served.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": False}
    )
    for path, name in (("/compare/GB200/H200", "chart.png"), ("/number/72428", "picture.png")):
        served.open(path)
        served.click(f"[data-png='{name}']")
        served.wait((tmp_path / name).is_file)
        data = (tmp_path / name).read_bytes()
        assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) > 600, "as wide as a drawing, twice"
        assert (served.complaints(), served.outside()) == ([], [])


def test_print_leaves_out_what_is_only_for_the_screen(served: ServedPage) -> None:
    served.open("/number/72428")
    served.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert served.run("return getComputedStyle(document.querySelector('.top')).display") == "none"
    assert served.run("return getComputedStyle(document.querySelector('h1')).display") != "none"
