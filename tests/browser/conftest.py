"""One browser and one set of pages for all tests of a run."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from kg.session import Graph, open_graph
from tests.browser.browser import Page, open_page, start

PICTURES = {
    "trace": ("72428",),
    "claim": ("000/mistral.impact.training-speed.h200",),
    "compare": ("compare", "GB200", "H200"),
    "disputes": ("disputes",),
    "source": ("source/000",),
    "thing": ("H200",),
    "all": (),
}
PAPERS = ("report", "question", "chart")
Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    driver = start()
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def graph(shipped_store: Path) -> Iterator[Graph]:
    graph = open_graph(shipped_store)
    yield graph
    graph.close()


@pytest.fixture(scope="session")
def made(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of a page, written once; `part` is the whole graph within a small limit, for what looks at every element."""
    folder = tmp_path_factory.mktemp("made")

    def write(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.is_file():
            if name in PICTURES:
                text = graph.view(*PICTURES[name]).to_html()
            elif name == "part":
                text = graph.view(limit=150).to_html()
            elif name == "chart":
                text = graph.chart("number-line", "H200", "memory-bandwidth", form="html").file.decode("utf-8")
            elif name == "question":
                text = graph.report("comparisons/compare", a="GB200", b="H200")
            else:
                text = graph.report("002/r1.gb200.offline.per-accelerator")
            path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def opened(driver: webdriver.Chrome, made: Callable[[str], Path]) -> Opened:
    """Opens a page by name, with the network off."""

    def open_named(name: str, *, width: int = 1280, height: int = 900, scheme: str = "light") -> Page:
        return open_page(driver, made(name), width=width, height=height, scheme=scheme)

    return open_named
