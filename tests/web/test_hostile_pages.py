"""Whatever is asked for: words and a status, never a traceback, and nothing of it as markup."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.sampling import SIGNS

HOSTILE = [
    line
    for line in (Path(__file__).parents[1] / "browser" / "hostile.txt").read_text(encoding="utf-8").splitlines()
    if line.strip()
]
WORDS = (
    *HOSTILE,
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "%ff%fe",
    "a" * 5000,
    "' OR 1=1 --",
    "} UNION { ?s ?p ?o",
    "002/r1> <x",
    "\\",
    "{{7*7}}",
    "${7*7}",
    "=1+1",
    "1e400",
    "nan",
    "-inf",
    "0x1f",
    "٣٤٥",
    "½",
    "\u202e123",
    "😀",
)
PATHS = (
    "/number/{}",
    "/claim/{}",
    "/thing/{}",
    "/source/{}",
    "/compare/{}/H200",
    "/compare/H200/{}",
    "/questions/{}",
    "/cite/{}",
    "/static/{}",
    "/find?q={}",
    "/query?query={}",
    "/problems?source={}",
    "/picture.svg?of={}",
    "/questions/comparisons/compare?ask=1&a={}&b=H200",
)


class Markup(HTMLParser):
    """Collects what no page of ours has: scripts but the one, frames, attributes that run, addresses of elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("iframe", "object", "embed", "base", "style") or (
            tag == "script" and given["src"] != "/static/kg.js"
        ):
            self.strange.append(tag)
        for name, value in attrs:
            runs = name.startswith("on") or name == "style" or (value or "").lower().startswith("javascript:")
            if runs or (name in ("src", "href", "action") and not (value or "").startswith(("/", "#", "?"))):
                self.strange.append(f"{tag} {name}={value}")


def check(client: TestClient, path: str) -> None:
    found = client.get(path)
    assert found.status_code < 500, f"{found.status_code} {path}"
    assert "Traceback" not in found.text, path
    if found.headers.get("content-type", "").startswith("text/html"):
        read = Markup()
        read.feed(found.text)
        assert read.strange == [], path


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("path", PATHS)
def test_hostile_words_in_paths_and_parameters_end_in_words(client: TestClient, path: str, step: int) -> None:
    """Every word on some paths, each path with some words; the long run puts all of them everywhere."""
    for word in WORDS[PATHS.index(path) % step :: step]:
        written = path.format(word if "%" in word else quote(word))
        check(client, written)
        if "?" not in path:
            check(client, f"{written}.json")


@pytest.mark.parametrize("examples", [15, pytest.param(200, marks=pytest.mark.long)], ids=["some", "many"])
def test_any_text_ends_in_words(client: TestClient, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(path=st.sampled_from(PATHS), word=st.text(SIGNS, min_size=1, max_size=40))
    def ends_in_words(path: str, word: str) -> None:
        check(client, path.format(quote(word, safe="", errors="replace")))

    ends_in_words()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"])
def test_other_methods_are_refused_in_words(client: TestClient, method: str) -> None:
    for path in ("/", "/claim/x/y", "/query", "/static/kg.js"):
        assert client.request(method, path, content=b"\x00" * 100).status_code == 405


def test_strange_headers_change_nothing(client: TestClient) -> None:
    for name, value in (
        ("Accept", "*/*;q=nan"),
        ("Accept", "application/json"),
        ("Cookie", "a" * 4000),
        ("Range", "bytes=5-1"),
        ("If-Modified-Since", "yesterday"),
        ("X-Forwarded-Host", "<script>"),
    ):
        assert client.get("/sources", headers={name: value}).status_code == 200
        assert client.get("/static/kg.css", headers={name: value}).status_code in (200, 416, 400)
