"""`--limit`: it cuts in every form, standard error tells it, and a JSON object says how many there are."""

import csv
import io
import json
import re

import pytest

from tests.cli.conftest import Kg

CLAIM = "002/r1.gb200.offline.per-accelerator"
LISTS = {
    ("compare", "GB200", "H200"): "claims",
    ("conflicts", "H200"): "groups",
    ("impact", CLAIM): "affected",
    ("verify",): "claims",
    ("trace", "2.5x"): "claims",
    ("audit", "--source", "002"): "problems",
    ("audit", "--findings", "--source", "002"): "findings",
}
NAMED = {"groups": "finding", "problems": "rank", "findings": "finding"}
"""What a row of CSV calls the things that are counted."""


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
def test_a_limit_cuts_in_every_form_and_the_cut_is_told(kg: Kg, words: tuple[str, ...]) -> None:
    key = LISTS[words]
    whole = json.loads(kg(*words, "--format", "json").stdout)
    assert whole["complete"] is True and whole["found"] == len(whole[key]) > 1
    for form in ("table", "markdown", "json", "jsonl", "csv"):
        done = kg(*words, "--limit", "1", "--format", form)
        told = done.stderr if words[0] != "trace" else done.stderr + done.stdout
        assert re.search(
            r"cut at 1 of \d+|the first 1 |the 1 most severe of \d+|\d+ claims state it; the first 1", told
        ), (
            form,
            told,
        )
        if form == "json":
            cut = json.loads(done.stdout)
            assert (len(cut[key]), cut["found"], cut["complete"]) == (1, whole["found"], False)
            assert cut[key][0] in whole[key]
        elif form in ("csv", "jsonl"):
            rows = (
                list(csv.DictReader(io.StringIO(done.stdout)))
                if form == "csv"
                else [*map(json.loads, done.stdout.splitlines())]
            )
            assert len({row[NAMED.get(key, "claim")] for row in rows}) == 1


def test_a_list_of_candidates_that_was_cut_says_so(kg: Kg) -> None:
    assert "cut at 1 figures; there are more" in kg("impact", "--limit", "1").stderr


def test_triples_are_cut_and_have_one_form(kg: Kg) -> None:
    query = "CONSTRUCT { ?s k:verdict ?o } WHERE { ?s k:verdict ?o }"
    done = kg("query", query, "--limit", "2")
    assert (len(done.stdout.splitlines()), done.stderr.strip()) == (2, "cut at 2 triples; there are more")
    refused = kg("query", query, "--format", "json")
    assert (refused.returncode, refused.stdout) == (2, "") and "N-Triples" in refused.stderr
