"""The twins of every kind of page say what the command line says to the same question."""

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
import rdflib
from starlette.testclient import TestClient

from kg.cli.app import run
from tests.opened_program import OpenedOnce

CLAIM = "002/r1.gb200.offline.per-accelerator"
ROWS = "SELECT ?c ?v { ?c k:verdict ?v } ORDER BY ?c LIMIT 20"
Said = Callable[..., str]


@pytest.fixture
def said(opened_store: OpenedOnce, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """What a command writes."""
    monkeypatch.setattr("kg.session.open_graph", opened_store)
    monkeypatch.setattr("kg.isolated_query.answer_apart", opened_store.answer)

    def ask(*words: str) -> str:
        capsys.readouterr()
        status = run([*words, "--store", str(opened_store.folder)])
        found = capsys.readouterr()
        assert status == 0, found.err
        return found.out

    return ask


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    ("page", "command", "held"),
    [
        ("/number/72428", ("trace", "72428"), {"claims", "verdict", "reason", "value", "near"}),
        (f"/claim/{CLAIM}", ("trace", CLAIM), {"claims", "verdict", "reason", "value"}),
        ("/compare/GB200/H200", ("compare", "GB200", "H200"), {"claims", "verdict", "reason", "value", "a", "b"}),
        ("/thing/H200", ("show", "H200"), {"rows", "links", "compared", "published", "facts"}),
        ("/thing/metric/memory-bandwidth", ("show", "metric/memory-bandwidth"), {"rows", "facts"}),
        ("/problems", ("audit",), {"problems", "found"}),
        ("/conflicts", ("conflicts",), {"groups"}),
        ("/conflicts?about=GB200", ("conflicts", "GB200"), {"groups"}),
    ],
)
def test_the_json_of_a_page_is_that_of_the_command(
    client: TestClient, said: Said, page: str, command: tuple[str, ...], held: set[str]
) -> None:
    path, mark, query = page.partition("?")
    found: dict[str, Any] = client.get(f"{path}.json{mark}{query}").json()
    told: dict[str, Any] = json.loads(said(*command, "--format", "json"))
    assert held <= found.keys() & told.keys()
    assert {name: found[name] for name in held} == {name: told[name] for name in held}


@pytest.mark.parametrize(
    ("page", "command"),
    [
        (
            "/questions/comparisons/compare.json?ask=1&a=B200&b=H200",
            ("ask", "comparisons/compare", "--a", "B200", "--b", "H200"),
        ),
        (f"/query.json?query={quote(ROWS)}", ("query", ROWS)),
        ("/questions/benchmarks/rounds.json?ask=1&thing=GB200", ("ask", "benchmarks/rounds", "--thing", "GB200")),
    ],
)
def test_rows_of_a_page_are_those_of_the_command(
    client: TestClient, said: Said, page: str, command: tuple[str, ...]
) -> None:
    told = json.loads(said(*command, "--format", "json"))
    assert client.get(page).json() == told
    rows = table(client.get(page.replace(".json", ".csv")).text)
    assert rows == table(said(*command, "--format", "csv")) and len(rows) == len(told) > 0


@pytest.mark.parametrize(
    ("page", "command", "columns"),
    [
        ("/number/72428", ("trace", "72428"), "claim metric source verdict"),
        (f"/claim/{CLAIM}", ("trace", CLAIM), "claim metric source verdict"),
        ("/compare/GB200/H200", ("compare", "GB200", "H200"), "claim orientation level printed ratio source verdict"),
        ("/problems", ("audit",), "rank wrong right severity"),
        ("/conflicts", ("conflicts",), "finding claim severity"),
        ("/find?q=memory+bandwidth", ("find", "memory bandwidth"), "kind id label"),
        ("/thing/H200", ("show", "H200"), "metric level value verdict low high unit claims reason"),
    ],
)
def test_the_csv_of_a_page_has_the_rows_of_the_command(
    client: TestClient, said: Said, page: str, command: tuple[str, ...], columns: str
) -> None:
    """In the columns that mean the same; each has further ones of its own."""
    path, mark, query = page.partition("?")
    found, told = table(client.get(f"{path}.csv{mark}{query}").text), table(said(*command, "--format", "csv"))
    assert [[row[name] for name in columns.split()] for row in found] == [
        [row[name] for name in columns.split()] for row in told
    ]
    assert found


@pytest.mark.parametrize(
    ("page", "iri"),
    [
        (f"/claim/{CLAIM}", f"claim/{CLAIM}"),
        ("/source/002", "source/002"),
        ("/thing/accelerator/nvidia-h200-sxm-141gb", "accelerator/nvidia-h200-sxm-141gb"),
    ],
)
def test_the_turtle_of_a_page_is_what_the_command_describes(
    client: TestClient, said: Said, page: str, iri: str
) -> None:
    found = rdflib.Graph().parse(data=client.get(f"{page}.ttl").text, format="turtle")
    told = rdflib.Graph().parse(data=said("query", f"DESCRIBE <https://w3id.org/accelkg/id/{iri}>"), format="turtle")
    assert len(told) > 3 and set(told) <= set(found), "the page adds what belongs to it, such as its quantity"


def test_the_problems_of_a_source_are_those_of_its_audit(client: TestClient, said: Said) -> None:
    found = client.get("/problems.json?source=source/002").json()["problems"]
    told = json.loads(said("audit", "--source", "002", "--format", "json"))["problems"]
    assert {tuple(one["claims"]) for one in found} == {tuple(one["claims"]) for one in told}


def test_lists_of_sources_and_questions_are_whole(client: TestClient, said: Said) -> None:
    names = {one["name"] for one in client.get("/questions.json").json()}
    assert names == {row["name"] for row in table(client.get("/questions.csv").text)}
    assert names <= {line.split(",")[0] for line in said("ask", "--format", "csv").splitlines()}
    held = client.get("/sources.json").json()
    assert client.get("/index.json").json()["overview"] == held
    assert [one["id"] for one in held["sources"]] == [row["source"] for row in table(client.get("/sources.csv").text)]
    marked = client.get("/source/002.json").json()
    claims = json.loads(said("ask", "sources/claims", "--source", "002", "--format", "json"))
    listed = [one["claim"] for one in table(client.get("/source/002.csv").text)]
    assert set(listed) == {one["claim"] for one in claims}
    assert len(listed) == next(one["claims"] for one in held["sources"] if one["id"] == "source/002")
    assert 0 < sum(marked["counts"].values()) <= len(listed), "several claims may be printed as one figure"


@pytest.mark.parametrize(
    "page", ["/compare/GB200/H200", "/thing/H200", "/questions/benchmarks/gains", "/questions/coverage/metrics"]
)
def test_what_is_drawn_on_a_page_is_a_file_that_loads_nothing(client: TestClient, page: str) -> None:
    shown, found = client.get(page).text, client.get(f"{page}.svg")
    if '<svg class="plot"' not in shown:
        assert found.status_code == 404
        return
    assert f'href="{page}.svg"' in shown
    assert found.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in found.headers["content-security-policy"]
    drawn = found.text
    assert drawn.startswith("<svg xmlns=") and "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    assert drawn.count('class="range"') + drawn.count("<circle") == shown.count('class="range"') + shown.count(
        "<circle"
    )


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("/", "/"),
        ("/compare/GB200/H200", "/compare/GB200/H200"),
        ("/problems?source=source/002&all=1", "/problems?source=source%2F002"),
        ("/query?language=sparql", "/query?language=sparql"),
    ],
)
def test_a_permalink_leads_to_what_is_shown(client: TestClient, page: str, address: str) -> None:
    sign = "&amp;" if "?" in address else "?"
    assert f'rel="bookmark" href="{address}{sign}content=' in client.get(page).text
    assert client.get(address).status_code == 200


def test_a_permalink_of_another_version_of_the_content_says_so(client: TestClient) -> None:
    page = client.get(f"/claim/{CLAIM}").text
    (address,) = re.findall(rf'rel="bookmark" href="(/claim/{CLAIM}[?]content=[0-9a-f]+)"', page)
    assert "was made with version" not in client.get(address).text
    assert "was made with version 0000 of the content" in client.get(f"/claim/{CLAIM}?content=0000").text
