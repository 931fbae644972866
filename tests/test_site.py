"""The documentation site: built strictly, every link and anchor leads somewhere, and nothing is loaded from elsewhere."""

import importlib.util
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

from kg.cli.app import COMMANDS
from kg.session import Graph, open_graph
from tests.forked_program import run_forked_text
from tests.sampling import first

ROOT = Path(__file__).resolve().parents[1]


class Links(HTMLParser):
    """The ids of a page, what it links to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload", "preconnect", "dns-prefetch"):
            self.loads.append(given["href"])
        if tag in ("script", "img", "iframe", "source", "video") and given.get("src"):
            self.loads.append(given["src"])


def _forked(command: list[str], work: Path) -> str:
    """What a command of a page prints; there are a hundred of them."""
    environment = {**os.environ, "KG_STORE": str(work / "store"), "COLUMNS": "100"}
    done = run_forked_text(*command[1:], folder=work, environment=environment)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module", params=first(1, [False, True]), ids=["links", "whole"])
def site(request: pytest.FixtureRequest, shipped_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; for its links a word stands for what each command prints, and the hundred commands run in the long run."""
    spec = importlib.util.spec_from_file_location("make_site", ROOT / "docs" / "make_site.py")
    assert spec is not None and spec.loader is not None
    maker: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    run = maker._run
    if request.param:
        maker._run = lambda command, work: _forked(command, work) if command[0] == "kg" else run(command, work)
    else:
        maker._run = lambda command, work: "(printed)"
        maker.open_graph = lambda _: open_graph(shipped_store)
    built: Path = maker.main(tmp_path_factory.mktemp("docs") / "site")
    return built


def pages(site: Path) -> dict[Path, Links]:
    found = {}
    for path in sorted(site.rglob("*.html")):
        found[path] = Links()
        found[path].feed(path.read_text(encoding="utf-8"))
    return found


def test_every_link_leads_to_a_page_and_its_anchor(site: Path) -> None:
    known = pages(site)
    assert len(known) > 50
    broken = []
    for path, page in known.items():
        if path.name == "404.html":  # its links begin at the root of whatever host the site is on
            continue
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            address, anchor = urldefrag(unquote(link))
            goal = (path.parent / address).resolve() if address else path
            if not goal.is_file() or (anchor and goal in known and anchor not in known[goal].ids):
                broken.append(f"{path.relative_to(site)} -> {link}")
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = {one for page in pages(site).values() for one in page.loads}
    assert loaded
    assert [one for one in loaded if re.match(r"(https?:)?//", one)] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"url\(['\"]?(https?:)?//|@import", styles)


def test_the_reference_has_every_command_and_every_method(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert [one for one in COMMANDS if f'id="kg-{one}"' not in commands] == []
    python = (site / "reference" / "python.html").read_text(encoding="utf-8")
    public = [name for name in dir(Graph) if not name.startswith("_") and callable(getattr(Graph, name))]
    assert {"ask", "trace", "export"} < set(public) and [name for name in public if f'id="{name}"' not in python] == []


@pytest.mark.parametrize("site", first(0, [True]), indirect=True)
def test_transcripts_are_what_the_commands_print(site: Path) -> None:
    text = (site / "tutorial.html").read_text(encoding="utf-8")
    assert "kg trace 72428" in text and "4,023.78" in text
    assert "```kg" not in text and text.count("<pre") > 6
