"""Free queries: what only reads passes, everything else is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.ask.guard import FORMS, QueryRefused, check_read_only, projection, tokens

HERE = Path(__file__).parent
READING = (HERE / "reading.txt").read_text(encoding="utf-8").splitlines()
REFUSED = (HERE / "refused.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("text", READING)
def test_a_query_that_reads_passes_and_parses(text: str) -> None:
    assert check_read_only(text) in FORMS
    assert pyoxigraph.Store().query(text) is not None


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(QueryRefused) as caught:
        check_read_only(text)
    assert caught.value.code == "query.refused" and caught.value.given


def test_a_refusal_says_where() -> None:
    with pytest.raises(QueryRefused) as caught:
        check_read_only("SELECT ?s {\n  ?s ?p ?o .\n  SERVICE <urn:x> { ?s ?p ?o }\n}")
    assert caught.value.line == 3
    assert "SERVICE" in str(caught.value) and "--store" in str(caught.value)


def test_a_query_that_is_too_long_is_refused() -> None:
    with pytest.raises(QueryRefused, match="at most"):
        check_read_only("SELECT * { }" + " " * 200_001)


@given(st.text(max_size=80), st.sampled_from(["SELECT ?s { ?s ?p ?o }", "ASK { }"]))
def test_a_service_is_never_overlooked(noise: str, query: str) -> None:
    """Whatever stands before it: if the engine would read a SERVICE there, the guard does not let it pass."""
    text = f"{query[:-1]} {noise} SERVICE <urn:nowhere> {{ ?a ?b ?c }} }}"
    passed = True
    try:
        check_read_only(text)
    except QueryRefused:
        passed = False
    hidden = not any(token.text.upper() == "SERVICE" for token in tokens(text)) if passed else True
    assert hidden


def test_tokens_carry_their_lines() -> None:
    assert [(token.text, token.line) for token in tokens("ASK {\n'''a\nb''' # x\n?x\n}")] == [
        ("ASK", 1), ("{", 1), ("'''a\nb'''", 2), ("?x", 4), ("}", 5),
    ]  # fmt: skip


def test_the_projection_is_read_with_expressions() -> None:
    assert projection("SELECT DISTINCT ?a (COUNT(DISTINCT ?b) AS ?n) ?c { ?a ?b ?c }") == ("a", "n", "c")
