"""The page that checks a text: what it says, how much it takes, and words instead of a traceback."""

import csv
import io
import re

import pytest
from starlette.testclient import TestClient

from kg.answers.checked_figures import MOST_TEXT
from kg.answers.checked_text import TextChecker
from kg.session import Graph
from tests.web.test_hostile_pages import WORDS, Markup

TEXT = (
    "# Draft\n\nThe H200 has 141 GB of HBM3e and reads 4.8 TB/s.\n"
    "GB200 NVL72 delivers 72,428 tokens/s per GPU. The B200 draws 1,000 W.\n"
)
JSON = {"Accept": "application/json"}


def test_the_form_is_a_page_that_runs_nothing_but_our_script(client: TestClient) -> None:
    page = client.get("/check")
    assert page.status_code == 200 and '<form method="post" action="/check"' in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert 'href="/check"' in client.get("/").text


def test_a_text_is_marked_and_its_figures_are_listed_the_worst_first(client: TestClient) -> None:
    page = client.post("/check", data={"text": TEXT}).text
    assert "<h1>4 figures, all known here: 1 wrong, 3 confirmed</h1>" in page
    assert '<a class="mark m-wrong"' in page and 'id="show-wrong"' in page
    listed = page[page.index('id="figures"') :]
    assert listed.index("72,428") < listed.index("4.8") < listed.index("<textarea")
    assert 'href="/claim/002/r1.gb200.offline.per-accelerator"' in listed


def test_json_is_what_the_session_answers(client: TestClient) -> None:
    told = client.post("/check", data={"text": TEXT}, headers=JSON).json()
    assert told["answer"] == "4 figures, all known here: 1 wrong, 3 confirmed"
    (wrong,) = [one for one in told["checked"] if one["verdict"] == "wrong"]
    assert wrong["printed"].startswith("72,428") and wrong["value_to_use"]
    assert TEXT[wrong["start"] : wrong["end"]] == wrong["printed"]
    plain = client.post("/check", content=TEXT, headers={**JSON, "Content-Type": "text/markdown; charset=utf-8"})
    assert plain.json() == told


def test_the_answer_is_had_as_json_csv_and_markdown_by_its_address(client: TestClient) -> None:
    page = client.post("/check", data={"text": TEXT}).text
    assert re.findall(r'formaction="([^"]+)"', page) == ["/check.json", "/check.csv", "/check.md"]
    told = client.post("/check", data={"text": TEXT}, headers=JSON).json()
    assert client.post("/check.json", data={"text": TEXT}).json() == told
    rows = list(csv.DictReader(io.StringIO(client.post("/check.csv", data={"text": TEXT}).text)))
    assert [(row["figure"], row["verdict"]) for row in rows] == [
        (one["printed"], one["verdict"]) for one in told["checked"]
    ]
    assert "002/r1.gb200.offline.per-accelerator" in next(row["claims"] for row in rows if row["verdict"] == "wrong")
    written = client.post("/check.md", data={"text": TEXT})
    assert written.headers["content-type"].startswith("text/markdown") and written.text.count("\n| ") == len(rows) + 1
    assert client.post("/check.pdf", data={"text": TEXT}).status_code == 404
    assert client.get("/check.json").status_code == 405


def test_line_ends_of_a_browser_move_no_position(client: TestClient) -> None:
    sent = client.post("/check", data={"text": TEXT.replace("\n", "\r\n")}, headers=JSON).json()
    assert sent == client.post("/check", data={"text": TEXT}, headers=JSON).json()


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"", {"Content-Type": "application/x-www-form-urlencoded"}, 400),
        (b"text=", {"Content-Type": "application/x-www-form-urlencoded"}, 400),
        (b"text=1&text=2", {"Content-Type": "application/x-www-form-urlencoded"}, 400),
        (b"text=%ff%fe", {"Content-Type": "application/x-www-form-urlencoded"}, 400),
        (b"\xff\xfe", {"Content-Type": "text/plain"}, 400),
        (b"%PDF-1.7 5 GB \x00\x01", {"Content-Type": "text/plain"}, 400),
        (b"{}", {"Content-Type": "application/json"}, 415),
        (b"--x\r\n", {"Content-Type": "multipart/form-data; boundary=x"}, 415),
        (b"1 GB", {}, 415),
        (b"1 GB", {"Content-Type": "text/plain", "Accept": "image/png"}, 406),
        (b"1" * (MOST_TEXT + 1), {"Content-Type": "text/plain"}, 413),
        (b"1" * (2 << 20), {"Content-Type": "text/plain"}, 413),
    ],
)
def test_what_is_no_text_is_refused_in_words(
    client: TestClient, body: bytes, headers: dict[str, str], status: int
) -> None:
    found = client.post("/check", content=body, headers=headers)
    assert found.status_code == status, found.text
    assert "<h1" in found.text and "Traceback" not in found.text


@pytest.mark.parametrize("words", [WORDS[at : at + 6] for at in range(0, len(WORDS), 6)])
def test_hostile_texts_are_shown_as_text(client: TestClient, words: list[str]) -> None:
    text = "\n\n".join(f"{word} has 141 GB, {word}72,428 tokens/s {word}" for word in words)
    found = client.post("/check", data={"text": text})
    assert found.status_code in (200, 400) and "Traceback" not in found.text
    markup = Markup()
    markup.feed(found.text)
    assert markup.strange == []


def test_the_registry_is_read_once_for_a_graph(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    first = TextChecker.__init__

    def counted(self: TextChecker, *given: object) -> None:
        made.append(self)
        first(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(TextChecker, "__init__", counted)
    site = client.app.state.site  # type: ignore[attr-defined]

    def twice(graph: Graph) -> None:
        graph._checker = None
        graph.check("5 GB")
        graph.check("6 GB")

    with site.current.reading() as graph:
        twice(graph)
    assert len(made) == 1


def test_a_browser_says_with_a_form_which_page_it_comes_from(client: TestClient) -> None:
    """Under `no-referrer` a browser sends `Origin: null` with a form, which the server turns away as a stranger's."""
    assert client.get("/check").headers["referrer-policy"] == "same-origin"
