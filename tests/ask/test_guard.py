"""Free queries: what only reads passes, everything else is refused with its place."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ask.guard import FORMS, check_read_only, projection, tokens
from kg.stores.oxigraph import QueryRefused
from tests.sampling import SIGNS

HERE = Path(__file__).parent
READING = (HERE / "reading.txt").read_text(encoding="utf-8").splitlines()
NOISE = [
    "#",
    "\n",
    "\\",
    '"',
    "'",
    '"""',
    "'''",
    "<",
    ">",
    "{",
    "}",
    "?x",
    ":",
    "_:",
    "@",
    "%",
    "OPTIONAL",
    "BIND(1 AS ?z)",
    "FILTER(?s<?s",
    ")",
    "?s ?s true",
    "SERVICE",
    "SILENT",
    "<urn:nowhere>{}",
]
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


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param("FILTER(?s<?t)SERVICE?u#>\n{ ?a ?b ?c }", id="in what looks like an IRI"),
        pytest.param('FILTER(?s<?t)#>"""\nSERVICE <urn:nowhere> { ?a ?b ?c } #"""', id="in what looks like a text"),
        pytest.param("FILTER(?s<2)#>'''\n ?s ?s trueSERVICE\n:x{ ?a ?b ?c } #'''", id="behind a word"),
        pytest.param(f"FILTER(?s<e:x)#>'''\nSERVICE {'e' * 300}:x{{ ?a ?b ?c }} #'''", id="with a long prefix"),
    ],
)
def test_a_service_behind_a_comparison_without_spaces_is_seen(hidden: str) -> None:
    with pytest.raises(QueryRefused):
        check_read_only(f"SELECT * {{ VALUES (?s ?t ?u) {{ (1 2 <urn:nowhere>) }} {hidden} }}")


def test_a_query_that_is_too_long_is_refused() -> None:
    with pytest.raises(QueryRefused, match="at most"):
        check_read_only("SELECT * { }" + " " * 200_001)


@pytest.mark.parametrize(
    "text", ["a." * 20_000, "VALUES (?a ?b) {" + "(1<x>)" * 5_000 + '} "a services"', "1e" * 20_000]
)
def test_a_long_text_is_read_in_a_moment(text: str) -> None:
    began = process_time()
    check_read_only(f"ASK {{ {text} }}")
    assert process_time() - began < 5


def reaches_a_service(text: str) -> bool:
    """Whether the engine itself would call one; what does not parse calls nothing."""
    try:
        list(pyoxigraph.Store().query(text))  # type: ignore[arg-type]
    except SyntaxError:
        return False
    except (OSError, RuntimeError):
        return True
    return False


def test_the_oracle_sees_a_service() -> None:
    assert reaches_a_service("SELECT * { VALUES ?s { 1 } SERVICE <urn:nowhere> { ?a ?b ?c } }")


@settings(deadline=None, max_examples=300)
@given(st.lists(st.one_of(st.sampled_from(NOISE), st.text(SIGNS, max_size=8)), max_size=5).map("".join))
def test_a_service_that_the_engine_would_call_never_passes(noise: str) -> None:
    text = f"SELECT * {{ VALUES ?s {{ 1 }} {noise} SERVICE <urn:nowhere> {{ ?a ?b ?c }} }}"
    passed = True
    try:
        check_read_only(text)
    except QueryRefused:
        passed = False
    assert not (passed and reaches_a_service(text))


def test_tokens_carry_their_lines() -> None:
    assert [(token.text, token.line) for token in tokens("ASK {\n'''a\nb''' # x\n?x\n}")] == [
        ("ASK", 1),
        ("{", 1),
        ("'''a\nb'''", 2),
        ("?x", 4),
        ("}", 5),
    ]


def test_the_projection_is_read_with_expressions() -> None:
    assert projection("SELECT DISTINCT ?a (COUNT(DISTINCT ?b) AS ?n) ?c { ?a ?b ?c }") == ("a", "n", "c")
