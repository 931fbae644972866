"""`kg schema`, terms that a query names and that are not there, queries from standard input, and the words of `kg explain`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from kg.ask.schema_terms import read_terms, terms_in
from kg.content.folders import find_content
from kg.content.glossary import read_glossary
from tests.cli.conftest import PROGRAM, ROOT, Kg


def test_every_part_is_listed_with_examples(kg: Kg) -> None:
    rows = json.loads(kg("schema", "--format", "json").stdout)
    assert {row["kind"] for row in rows} == {"class", "property", "label", "relationship", "prefix"}
    assert {"k:Claim", "k:metric", "Claim", "SUBJECT", "skos:"} <= {row["name"] for row in rows}
    without = [row["name"] for row in rows if row["kind"] != "prefix" and not row["example"]]
    assert without == []


@pytest.mark.parametrize("name", ["k:Claim", "Claim", "SUBJECT", "prefixes", "skos:"])
def test_a_term_or_a_part_is_told(kg: Kg, name: str) -> None:
    done = kg("schema", name)
    assert done.returncode == 0 and done.stdout


def test_an_unknown_term_gives_terms_like_it(kg: Kg) -> None:
    done = kg("schema", "Clam")
    assert done.returncode == 2 and "Claim" in done.stderr


def test_the_examples_of_labels_and_relationships_run(kg: Kg) -> None:
    rows = json.loads(kg("schema", "--format", "json").stdout)
    for row in [row for row in rows if row["name"] in ("Claim", "SUBJECT", "Metric", "MEASURES")]:
        done = kg("query", row["example"])
        assert done.returncode == 0 and done.stdout, row["example"]


def test_a_query_says_which_of_its_terms_are_none(kg: Kg) -> None:
    done = kg("query", "SELECT ?c { ?c k:printd ?x }")
    assert done.returncode == 0 and "k:printd: no such term; like it: k:printed" in done.stderr
    assert "no such term" not in kg("query", "SELECT ?c { ?c k:printed ?x } LIMIT 1").stderr


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("MATCH (c:Clam) RETURN c.uid", '"Clam" is no label or relationship. Did you mean Claim'),
        (
            "MATCH (c:Claim)-[:STATEDIN]->(s) RETURN s.uid",
            '"STATEDIN" is no label or relationship. Did you mean STATED_IN',
        ),
        ("MATCH (c:Claim) RETURN c.verdikt", '"verdikt" is no property here. Did you mean verdict'),
        ("MATCH (c:MeasurementClaim) RETURN c.uid", "(:Claim {kind: 'measurement'})"),
        ("MATCH (f:UnitFinding) RETURN f.uid", "(:Finding {kind: 'unit'})"),
        ("MATCH (s:UnresolvedSource) RETURN s.uid", "(:Source {kind: 'unresolved-source'})"),
        ("MATCH (n:KgNode) RETURN n.uid", "leave the label out"),
        ("MATCH (c:Claim)-[r]->(x) RETURN type(r) LIMIT 1", "write label(r), which is type(r) on a server"),
        ("MATCH (c:Qqqqq) RETURN c.uid", "kg schema labels and kg schema relationships list them"),
    ],
)
def test_a_cypher_query_with_an_unknown_name_gives_names_like_it(kg: Kg, query: str, told: str) -> None:
    done = kg("query", query)
    assert done.returncode == 2 and told in done.stderr


def test_a_finer_class_is_there_and_nothing_is_said_of_it(kg: Kg) -> None:
    done = kg("query", "SELECT ?c { ?c a k:ComparisonClaim }")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) > 50


def test_a_slash_in_a_prefixed_name_is_explained(kg: Kg) -> None:
    done = kg("query", "SELECT ?p { id:claim/002/x ?p ?o }")
    assert done.returncode == 2 and "a backslash before each slash" in done.stderr
    for name in (
        "id:claim\\/002\\/r1\\.gb200\\.offline\\.per-accelerator",
        "<https://w3id.org/accelkg/id/claim/002/r1.gb200.offline.per-accelerator>",
    ):
        assert "metric" in kg("query", f"SELECT ?p {{ {name} ?p ?o }}").stdout


@pytest.mark.parametrize("arguments", [("query",), ("query", "-")], ids=" ".join)
def test_a_query_comes_from_standard_input(
    environment: dict[str, str], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [*PROGRAM, *arguments, "--format", "csv"],
        cwd=tmp_path,
        env=environment,
        input="SELECT ?c WHERE { ?c a k:ComparisonClaim } LIMIT 2",
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 3


def test_every_term_that_a_saved_question_names_is_in_the_vocabulary() -> None:
    known = set(read_terms(find_content(ROOT)))
    named = {term for path in (ROOT / "queries").rglob("*.rq") for term in terms_in(path.read_text(encoding="utf-8"))}
    assert len(named) > 50 and named - known == set()


def test_every_word_of_the_glossary_is_explained(kg: Kg) -> None:
    words = read_glossary(find_content(ROOT))
    assert len(words) > 40
    for word in ("claim", "claims", "baseline", "canonical value", "unresolved source"):
        assert kg("explain", *word.split()).stdout, word
    assert "claim (which is said here instead)" in kg("explain", "assertion").stderr


def test_a_family_lists_its_codes_and_nothing_lists_the_families(kg: Kg) -> None:
    assert "arithmetic.inconsistent" in kg("explain", "arithmetic").stdout
    listed = kg("explain").stdout
    assert "arithmetic (" in listed and len(listed.splitlines()) <= 40


def test_the_lines_of_kg_read_fit_the_schema_of_proposals(kg: Kg, tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    report.write_text("# Report\n\nThe H200 has 141 GB of HBM3e memory at 4.8 TB/s in 2024.\n", encoding="utf-8")
    given = json.loads(kg("schema", "proposal", "--format", "json-schema").stdout)
    lines = [json.loads(one) for one in kg("read", str(report), "--format", "jsonl").stdout.splitlines()]
    assert len(lines) >= 2
    assert [one.message for line in lines for one in jsonschema.Draft202012Validator(given).iter_errors(line)] == []


def test_a_code_and_its_family_are_known_in_any_case(kg: Kg) -> None:
    assert kg("explain", "Divisor.Per-Node").stdout == kg("explain", "divisor.per-node").stdout != ""
    assert kg("explain", "LOAD").stdout == kg("explain", "load").stdout != ""


def test_a_query_that_asks_a_shared_node_of_its_record_is_told_the_way(kg: Kg) -> None:
    asked = "SELECT ?f { ?f k:about ?c ; k:severity 'violation' } LIMIT 1"
    assert "?finding k:judgement/k:severity ?value" in kg("query", asked).stderr
    through = kg(
        "query", "SELECT ?f { ?f k:about ?c ; k:judgement/k:severity 'violation' } LIMIT 1", "--format", "json"
    )
    assert "records share" not in through.stderr and len(json.loads(through.stdout)) == 1


def test_a_query_can_ask_the_triples_of_an_export(kg_apart: Kg) -> None:
    asked = "SELECT (COUNT(?f) AS ?n) { ?f a k:Finding }"
    of_store, of_export = (
        kg_apart("query", asked, "--format", "csv"),
        kg_apart("query", "--exported", asked, "--format", "csv"),
    )
    assert of_store.stdout.split() == ["n", "0"] and "k:Finding is no class that a store says" in of_store.stderr
    assert "kg query --exported" in of_store.stderr
    assert int(of_export.stdout.split()[1]) > 1000 and of_export.stderr == ""
    graphs = kg_apart(
        "query", "--exported", "SELECT DISTINCT ?g { GRAPH ?g { ?c a k:Claim } }", "--format", "csv"
    ).stdout
    assert "graph/claims/001" in graphs.split()
    assert kg_apart("query", "--exported", "MATCH (c:Claim) RETURN c.uid").returncode == 2
