"""Every page with its twins: what it says, what it leads to, and words instead of a traceback."""

import json
import re
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kg.session import open_graph
from kg.web.app import make_app
from tests.small_content import CLAIMS, ROOT, write_small_content

CLAIM = "002/r1.gb200.offline.per-accelerator"


def test_a_number_page_says_the_verdict_and_the_value_to_use(client: TestClient) -> None:
    page = client.get("/number/72428").text
    assert "<title>72428 is wrong" in page
    assert "4,023.78" in page
    assert f"/claim/{CLAIM}" in page


def test_a_number_page_leads_to_the_claims_about_one_thing(client: TestClient) -> None:
    page = client.get("/number/2.5x").text
    narrower = re.search(r'href="(/number/2\.5x\?about=[^"]+)"', page)
    assert narrower is not None
    part = client.get(narrower[1]).text
    assert "<title>2.5x about " in part and "of something else." in part
    assert part.count('class="card"') < page.count('class="card"')


def test_a_claim_page_has_its_twins_and_a_citation(client: TestClient) -> None:
    assert "72428" in client.get(f"/claim/{CLAIM}").text
    assert json.loads(client.get(f"/claim/{CLAIM}.json").text)["verdict"] == "wrong"
    assert client.get(f"/claim/{CLAIM}.csv").text.startswith("claim,")
    turtle = client.get(f"/claim/{CLAIM}.ttl")
    assert turtle.headers["content-type"].startswith("text/turtle")
    assert "k:verdict" in turtle.text
    assert turtle.text.count('k:verdict "') == 1, "this claim and no other"
    assert client.get(f"/cite/{CLAIM}").text.startswith("@misc{")
    assert client.get(f"/cite/{CLAIM}.json").json()[0]["id"].startswith("accelkg-002")


def test_an_id_that_ends_like_a_twin_has_its_page_and_its_twins(tmp_path: Path) -> None:
    """Where what is before the end is an id too, the address is that of its twin."""
    claims = (
        CLAIMS.replace("power.one,", "power.json,")
        .replace("power.two,", "power.svg,")
        .replace("speed.two-one,", "power,")
    )
    shutil.copytree(ROOT / "queries", tmp_path / "content" / "queries")
    with (
        open_graph(tmp_path / "store", content=write_small_content(tmp_path / "content", claims=claims).root) as graph,
        TestClient(make_app(graph), raise_server_exceptions=False, follow_redirects=False) as client,
    ):
        page = client.get("/claim/900/power.svg")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert 'href="/claim/900/power.svg.json"' in page.text
        assert client.get("/claim/900/power.svg.json").json()["claims"][0]["claim"]["id"] == "900/power.svg"
        assert client.get("/claim/900/power.json").json()["claims"][0]["claim"]["id"] == "900/power"
        assert client.get("/claim/900/power.json.json").json()["claims"][0]["claim"]["id"] == "900/power.json"
        assert client.get("/claim/900/nothing.json").json()["code"] == "trace.unknown-claim"


def test_a_source_without_its_text_lists_its_figures_and_says_how_to_attach_it(client: TestClient) -> None:
    page = client.get("/source/002").text
    assert "kg documents attach" in page
    counted = re.search(r"\b(\d+) wrong\b", page)
    assert counted is not None and int(counted[1]) > 10
    assert client.get("/source/002").headers["x-rows-shown"].startswith("200 of ")
    assert "x-rows-shown" not in client.get("/source/002?all=1").headers


def test_a_source_without_its_text_lists_the_worst_first(client: TestClient) -> None:
    listed = re.findall(r'data-of="Verdict"><strong class="verdict v-(\w+)', client.get("/source/002").text)
    order = ["wrong", "disputed", "caution", "unverified", "confirmed"]
    assert len(listed) == 200 and listed == sorted(listed, key=order.index)


def test_a_conclusion_rests_on_claims_and_has_no_formula(client: TestClient) -> None:
    page = client.get("/claim/002/author.nvl72-dgx-b200.r1").text
    assert "rests-on" not in page and "<h3>Rests on " in page


def test_an_answer_names_metrics_in_words(client: TestClient) -> None:
    page = client.get("/questions/comparisons/compare?a=GB200&b=H200").text
    assert '<a href="/thing/metric/inference-speed">inference speed</a>' in page


def test_results_are_charted_by_what_they_are_ranked_by_and_figures_of_one_chip_are_called_so(
    client: TestClient,
) -> None:
    address = "/questions/benchmarks/measured?ask=1&model=model/deepseek-r1&only=server&only=v6.0&highest=1"
    page = client.get(f"{address}&by=result").text
    assert "Measured results per accelerator: system result" in page and "72x NVIDIA GB300 GPU, NVIDIA" in page
    assert "<th>per accelerator" in page.replace('<th scope="col">', "<th>")
    assert "no figure of one accelerator is official" in " ".join(page.split())
    assert "Measured results per accelerator: per accelerator" in client.get(address).text


def test_results_of_the_shipped_content_alone_are_told_to_be_no_whole_round(client: TestClient) -> None:
    told = "of the results that the shipped content lists"
    assert told in client.get("/questions/benchmarks/best").text
    assert told not in client.get("/questions/prices/claims").text


def test_a_thing_page_opens_with_its_main_values(client: TestClient) -> None:
    page = client.get("/thing/H200").text
    assert re.search(r'<p class="lead">[^<]*memory bandwidth 4.8 TB/s \(confirmed\)', page)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("72,428", "/number/72%2C428"),
        ("GB200 vs H200", "/compare/GB200/H200"),
        ("GB200 versus H200", "/compare/GB200/H200"),
        (CLAIM, f"/claim/{CLAIM}"),
        ("source/002", "/source/002"),
        ("H200", "/thing/family/nvidia-h200"),
        ("", "/"),
    ],
)
def test_the_search_box_leads_straight_to_what_is_meant(client: TestClient, given: str, address: str) -> None:
    found = client.get("/find", params={"q": given})
    assert (found.status_code, found.headers["location"]) == (303, address)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("which claims compare GB200 against H200", "/compare/gb200/h200"),
        ("who makes the MI300X?", "/questions/entities/card?ask=1&thing=accelerator%2Famd-mi300x&"),
        (
            "rental prices of H100 since 2024",
            "/questions/prices/claims?ask=1&metric=rental-price&only=h100&since=2024&",
        ),
        ("Is 700 W right for the H200?", "/number/700%20W?about=H200"),
        ("who cites SemiAnalysis", "/questions/sources/citing?ask=1&only=semianalysis&"),
        ("what's wrong with report 002", "/problems?source=source%2F002"),
        ("how reliable is SemiAnalysis", "/problems?source=source%2F001"),
        ("who disagrees with 004", "/problems?source=source%2F004#conflicts"),
        ("best price performance", "/questions/prices/per-million-tokens?ask=1&"),
        ("who claims 40 PFLOPS", "/number/40%20PFLOPS"),
        ("latest mlperf results of the B200", "/questions/benchmarks/measured?ask=1&only=b200&newest=1&"),
        (
            "which chip has the most memory",
            "/questions/specifications/by-metric?ask=1&metric=memory-capacity&only=accelerator&highest=1&",
        ),
    ],
)
def test_a_question_in_plain_words_leads_to_the_page_that_answers_it(
    client: TestClient, given: str, address: str
) -> None:
    found = client.get("/find", params={"q": given})
    assert found.status_code == 303 and found.headers["location"].startswith(address)
    assert client.get(found.headers["location"]).status_code == 200
    assert client.get("/find", params={"q": given, "words": "1"}).headers.get("location") != found.headers["location"]


def test_the_page_of_a_question_in_words_begins_with_the_value_to_use_and_says_what_was_asked(
    client: TestClient,
) -> None:
    page = client.get("/find", params={"q": "How much memory bandwidth does an H200 have <i>?"}, follow_redirects=True)
    assert (
        "memory bandwidth: NVIDIA H200 series 4.8 TB/s (confirmed)" in page.text
        and "was taken for this question" in page.text
    )
    assert "&lt;i&gt;" in page.text and "have <i>" not in page.text


def test_rows_of_a_question_are_narrowed_by_the_address(client: TestClient) -> None:
    whole, narrowed = (client.get(f"/questions/energy/claims.json?ask=1{more}").json() for more in ("", "&only=b200"))
    assert 0 < len(narrowed) < len(whole)


def test_rows_are_narrowed_before_they_are_cut(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last rows of a long answer may be the ones that are asked for."""
    address = "/questions/energy/claims.json?ask=1&only=b200"
    whole = client.get(address).json()
    monkeypatch.setattr("kg.web.pages.questions._MOST", 1)
    assert whole[:1] == client.get(f"{address}&wide=1").json()


def test_rows_stand_in_the_order_that_the_address_asks_for(client: TestClient) -> None:
    address = "/questions/specifications/by-metric.json?ask=1&metric=memory-capacity"
    sizes = [one["canonical_value"] for one in client.get(f"{address}&lowest=1").json() if one["verdict"] != "wrong"]
    assert len(sizes) > 5 and sizes == sorted(sizes)


def test_words_are_listed_with_what_they_match(client: TestClient) -> None:
    assert "metric/memory-bandwidth" in client.get("/find", params={"q": "memory bandwidth"}).text


@pytest.mark.parametrize(
    "path", ["/claim/002/nothing.of.this.name", "/source/nothing", "/number/99887766", "/nowhere", "/index.ttl"]
)
def test_what_is_not_there_is_404_in_words(client: TestClient, path: str) -> None:
    found = client.get(path)
    assert found.status_code == 404
    assert "<h1" in found.text


def test_a_picture_is_an_svg_that_loads_nothing(client: TestClient) -> None:
    found = client.get("/picture.svg", params={"of": "72428"})
    assert found.headers["content-type"] == "image/svg+xml"
    assert found.text.startswith("<svg xmlns=")
    assert "default-src 'none'" in found.headers["content-security-policy"]


def test_every_answer_forbids_what_is_not_ours(client: TestClient) -> None:
    for path in ("/", "/static/kg.js", "/nowhere", f"/claim/{CLAIM}.json"):
        assert "script-src 'self'" in client.get(path).headers["content-security-policy"], path


def test_a_comparison_says_which_ratio_at_which_level_beside_what_published_results_give(client: TestClient) -> None:
    page = client.get("/compare/GB200/H200").text
    assert "One accelerator of GB200 against one accelerator of H200" in page
    assert "A whole rack of GB200 against one accelerator of H200" in page
    levels = page.index("One accelerator of GB200")
    assert page.find("no ratio per accelerator", levels) > levels
    assert '<svg class="plot"' in page
    found = client.get("/compare/GB200/H200.json").json()
    assert {row["metric"] for row in found["matrix"]["rows"]} >= {"power"}
    assert client.get("/compare/Nothing/H200").status_code == 404


def test_a_thing_is_a_spec_sheet(client: TestClient) -> None:
    page = client.get("/thing/H200").text
    assert "4.8 TB/s" in page and "v-caution" in page
    assert "/compare/family/nvidia-h200/" in page
    assert client.get("/thing/accelerator/nvidia-h200-sxm-141gb.ttl").text.count("a k:") >= 1


def test_the_compare_links_of_a_thing_lead_to_a_comparison(client: TestClient) -> None:
    page = client.get("/thing/H200").text
    start = page.index("/compare/family/nvidia-h200/")
    assert client.get(page[start : page.index('"', start)]).status_code == 200


def test_who_asserts_a_related_claim_is_said_by_name(client: TestClient) -> None:
    page = client.get("/claim/002/report.h200.memory-bandwidth").text
    beside = re.findall(r'data-of="Asserted by">([^<]*)<', page)
    assert len(beside) > 2 and "unnamed AI system (writer of document 004)" in " ".join(beside)
    assert not [one for one in beside if one.startswith("org/")]


def test_rows_of_a_spec_sheet_lead_to_the_metric_and_those_of_a_metric_to_the_thing(client: TestClient) -> None:
    assert '<a href="/thing/metric/memory-bandwidth">memory bandwidth</a>' in client.get("/thing/H200").text
    sheet = client.get("/thing/metric/memory-bandwidth").text
    leads = re.findall(r'data-of="Thing"><a href="([^"]+)"', sheet)
    assert len(leads) > 10 and client.get(leads[0]).status_code == 200


def test_problems_are_filtered_and_numbered_by_damage(client: TestClient) -> None:
    every = client.get("/problems.json").json()
    own = client.get("/problems.json?source=source/002").json()
    assert own == client.get("/problems.json?source=002").json()
    assert 0 < own["found"] < every["found"]
    assert all(any(name.startswith("002/") for name in one["claims"]) for one in own["problems"])
    assert client.get("/problems.csv").text.startswith("rank,severity,damage")
    assert client.get("/conflicts.csv").text.startswith("finding,outcome")


def test_every_saved_question_has_a_page_that_answers_its_example(client: TestClient) -> None:
    names = [one["name"] for one in client.get("/questions.json").json()]
    assert len(names) > 60
    failed = [name for name in names if client.get(f"/questions/{name}").status_code != 200]
    assert failed == []


def test_a_question_is_a_form_with_what_there_is_to_choose_and_its_texts(client: TestClient) -> None:
    page = client.get("/questions/comparisons/compare?ask=1&a=B200&b=H200").text
    assert 'name="a" value="B200"' in page
    assert "<datalist" in page
    assert "SPARQL with these values" in page
    assert "Cypher with these values" in page
    refused = client.get("/questions/comparisons/compare?ask=1&a=B200")
    assert refused.status_code == 400
    assert 'role="alert"' in refused.text


def test_the_query_page_reads_and_refuses_what_writes(client: TestClient) -> None:
    found = client.get("/query.json", params={"query": "SELECT ?c { ?c a k:Claim } LIMIT 3"}).json()
    assert [list(row) for row in found] == [["c"]] * 3
    refused = client.get("/query", params={"query": "DELETE WHERE { ?s ?p ?o }"})
    assert refused.status_code == 400
    assert 'role="alert"' in refused.text
    made = client.get("/query", params={"query": "CONSTRUCT { ?c a k:Claim } WHERE { ?c a k:Claim } LIMIT 2"}).text
    assert made.count("&lt;https://w3id.org/accelkg/ontology#Claim&gt;") == 2


def test_the_json_of_a_query_and_a_question_says_what_the_page_says(client: TestClient) -> None:
    made = client.get(
        "/query.json", params={"query": "CONSTRUCT { ?c a k:Claim } WHERE { ?c a k:Claim } LIMIT 2"}
    ).json()
    assert made["triples"].count("<https://w3id.org/accelkg/ontology#Claim>") == 2
    refused = client.get("/questions/comparisons/compare.json?ask=1&a=B200")
    assert refused.status_code == 400 and refused.json().keys() == {"error"}


def test_the_json_of_the_problems_of_a_source_has_the_conflicts_of_the_page(client: TestClient) -> None:
    source = "source/004"
    found = client.get("/problems.json", params={"source": source}).json()["conflicts"]["groups"]
    every = client.get("/problems.json").json()["conflicts"]["groups"]
    assert 0 < len(found) < len(every)
    assert all(any(one["claim"]["source"] == source for one in group["members"]) for group in found)


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/find.json?q=72428", "/number/72428.json"),
        ("/find.csv?q=72428", "/number/72428.csv"),
        ("/find.json", "/index.json"),
        (f"/thing/{CLAIM}.json", f"/claim/{CLAIM}.json"),
    ],
)
def test_the_twin_of_a_page_that_leads_on_leads_to_a_twin(client: TestClient, asked: str, leads_to: str) -> None:
    found = client.get(asked, follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, leads_to)
    assert client.get(leads_to).status_code == 200


def test_a_query_that_was_cut_says_so_on_the_page_and_in_a_header(client: TestClient) -> None:
    found = client.get("/query", params={"query": "SELECT ?s ?p ?o { ?s ?p ?o }"})
    assert found.headers["x-rows-shown"].startswith("1000 of ")
    assert "Cut at 1,000 rows" in found.text


def test_an_infinite_number_is_shown_and_drawn_by_nobody(client: TestClient) -> None:
    query = 'SELECT ?n ?v { VALUES (?n ?v) { ("a" 1e0) ("b" "INF"^^xsd:double) } }'
    assert client.get("/query", params={"query": query}).status_code == 200
    assert [row["n"] for row in client.get("/query.json", params={"query": query}).json()] == ["a", "b"]


def test_triples_that_are_all_shown_are_not_called_cut(client: TestClient) -> None:
    made = "CONSTRUCT { ?c a k:Claim } WHERE { ?c a k:Claim }"
    assert "there are more" not in client.get("/query", params={"query": f"{made} LIMIT 2"}).text
    assert "there are more" in client.get("/query", params={"query": made}).text


def test_the_triples_of_a_query_are_cut_as_its_rows_are(client: TestClient) -> None:
    answer = client.get("/query.json", params={"query": "CONSTRUCT { ?s k:verdict ?o } WHERE { ?s k:verdict ?o }"})
    assert answer.headers["X-Rows-Shown"].startswith("1000 of ")
    assert answer.json()["triples"].count("\n") == 1000


def test_a_twin_that_holds_everything_does_not_say_that_it_was_cut(client: TestClient) -> None:
    page, twin = client.get("/problems"), client.get("/problems.csv")
    shown, of = map(int, page.headers["X-Rows-Shown"].split(" of "))
    assert "X-Rows-Shown" not in twin.headers and len(twin.text.splitlines()) == of + 1 > shown + 1


def test_conflicts_about_a_thing_lead_to_those_of_the_thing(client: TestClient) -> None:
    found = client.get("/conflicts", params={"about": "H200"}, follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, "/problems?about=H200#conflicts")
    assert client.get("/conflicts", follow_redirects=False).headers["location"] == "/problems#conflicts"


def test_all_groups_that_disagree_are_shown_with_what_was_asked_for(client: TestClient) -> None:
    page = client.get("/problems", params={"kind": "arithmetic"}).text
    assert 'href="?kind=arithmetic&amp;all=1#conflicts"' in page


def test_problems_are_filtered_further_without_losing_what_they_are_about(client: TestClient) -> None:
    page = client.get("/problems?about=H200&kind=").text
    assert '<input type="hidden" name="about" value="H200">' in page and 'href="/problems">Show all' in page
    assert 'name="about"' not in client.get("/problems").text
