"""`kg query` and `kg ask` in both languages."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Kg

CLAIM = "002/r1.gb200.offline.total"


def test_the_text_says_its_language(kg: Kg) -> None:
    cypher = kg(
        "query",
        f"MATCH (c:Claim {{uid: '{CLAIM}'}})-[:SUBJECT]->(s) RETURN c.uid AS claim, s.uid AS subject",
        "--format",
        "json",
    )
    sparql = kg(
        "query",
        f"SELECT ?claim ?subject {{ VALUES ?claim {{ <https://w3id.org/accelkg/id/claim/{CLAIM}> }} ?claim k:subject ?subject }}",
        "--format",
        "json",
    )
    assert (cypher.returncode, sparql.returncode) == (0, 0), cypher.stderr + sparql.stderr
    assert (
        json.loads(cypher.stdout)
        == json.loads(sparql.stdout)
        == [{"claim": CLAIM, "subject": "accelerator/nvidia-gb200-gpu"}]
    )


def test_nodes_lists_and_maps_are_objects_in_json_and_text_elsewhere(kg: Kg) -> None:
    asked = (
        "query",
        f"MATCH (c:Claim {{uid: '{CLAIM}'}})-[r:SUBJECT]->(s) RETURN s, r, [c.uid, 'x'] AS l, {{a: c.uid}} AS m, '[1]' AS t",
    )
    (row,) = json.loads(kg(*asked, "--format", "json").stdout)
    assert row["s"]["uid"] == "accelerator/nvidia-gb200-gpu" and row["r"]["_LABEL"] == "SUBJECT"
    assert (row["m"], row["t"]) == ({"a": CLAIM}, "[1]")
    assert row["l"] == [CLAIM, "x"]
    assert json.loads(kg(*asked, "--format", "jsonl").stdout) == row
    (flat,) = csv.DictReader(io.StringIO(kg(*asked, "--format", "csv").stdout))
    assert json.loads(flat["s"]) == row["s"] and flat["t"] == "[1]"


def test_the_file_name_says_the_language(kg: Kg, tmp_path: Path) -> None:
    (tmp_path / "count.cypher").write_text("// all of them\nMATCH (c:Claim)\nRETURN count(*) AS n", encoding="utf-8")
    done = kg("query", "-f", str(tmp_path / "count.cypher"), "--format", "jsonl")
    assert (done.returncode, json.loads(done.stdout)["n"] > 1000) == (0, True)
    (tmp_path / "count.rq").write_text("MATCH (c:Claim) RETURN count(*) AS n", encoding="utf-8")
    assert kg("query", "-f", str(tmp_path / "count.rq")).returncode == 2


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (c:Claim) DETACH DELETE c",
        "MATCH (c:Claim) CALL db.labels() YIELD label RETURN label",
        "LOAD CSV FROM 'x' AS l RETURN l",
    ],
)
def test_a_cypher_text_that_does_more_than_read_is_refused(kg: Kg, text: str) -> None:
    done = kg("query", "--language", "cypher", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert "kg explain query.refused" in done.stderr and "Traceback" not in done.stderr


def test_a_cypher_text_that_does_not_parse_is_told_its_place(kg: Kg) -> None:
    done = kg("query", "MATCH (c:Claim)\nRETRN c")
    assert done.returncode == 2 and "2:1" in done.stderr


def test_another_language_is_refused(kg: Kg) -> None:
    for words in (("query", "x"), ("ask", "names/keys")):
        done = kg(*words, "--language", "gremlin")
        assert done.returncode == 2 and "Accepted: sparql" in done.stderr


def test_a_cut_answer_says_so(kg: Kg) -> None:
    done = kg("query", "MATCH (c:Claim) RETURN c.uid", "--limit", "2", "--format", "csv")
    assert done.stdout.splitlines()[0] == "c.uid" and len(done.stdout.splitlines()) == 3
    assert "cut at 2 rows" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("names/resolve", "--thing", "GB200"),
        ("comparisons/compare", "--a", "GB200", "--b", "H200"),
        ("claims/findings", "--claim", CLAIM),
        ("audit/better",),
    ],
)
def test_a_question_gives_the_same_rows_in_both_languages(kg: Kg, words: tuple[str, ...]) -> None:
    given = [kg("ask", *words, "--language", language, "--format", "jsonl") for language in ("sparql", "cypher")]
    assert [done.returncode for done in given] == [0, 0], given[1].stderr
    assert sorted(given[0].stdout.splitlines()) == sorted(given[1].stdout.splitlines()) != []


def test_a_question_with_union_is_ordered_and_cut_as_a_whole(kg: Kg) -> None:
    whole = kg(
        "ask", "claims/findings", "--claim", CLAIM, "--language", "cypher", "--format", "jsonl"
    ).stdout.splitlines()
    cut = kg("ask", "claims/findings", "--claim", CLAIM, "--language", "cypher", "--format", "jsonl", "--limit", "1")
    assert cut.stdout.splitlines() == whole[:1] and "cut at 1 rows" in cut.stderr
    assert [json.loads(line)["role"] for line in whole] == sorted(json.loads(line)["role"] for line in whole)


def test_a_cypher_query_past_its_deadline_ends_with_exit_3(kg: Kg) -> None:
    done = kg(
        "query", "MATCH (a:Claim), (b:Claim), (c:Claim) RETURN count(a.note + b.note + c.note) AS n", "--timeout", "0.5"
    )
    assert (done.returncode, "query.deadline" in done.stderr) == (3, True)


@pytest.mark.parametrize("language", ["sparql", "cypher"])
def test_an_announcement_of_what_is_not_there_opposes_no_statement(kg: Kg, language: str) -> None:
    done = kg("ask", "disputes/opposite-words", "--language", language, "--format", "json")
    sides = {row[side] for row in json.loads(done.stdout) for side in ("claim", "other")}
    assert {"004/process.strategies", "004/gap.process-list"}.isdisjoint(sides)
    assert "002/author.blackwell.multimodal-limited" in sides
