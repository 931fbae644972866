"""Values reach a query as terms: whatever they hold, the text around them keeps its meaning."""

from __future__ import annotations

from math import isfinite
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.ask.bind import MOST_ROWS, bind, checked_limit, name_keys
from kg.ask.question import Parameter, Question, ValueRefused
from kg.model.names import name_key
from kg.model.vocabulary import claim_iri, thing_iri
from tests.ask.harness import ask_small, small_store
from tests.sampling import SIGNS, generated

HOSTILE = [
    '"',
    "'",
    "\\",
    "\\\\",
    '\\"',
    "\n",
    "\r\n",
    "\t",
    "}",
    "{",
    "} DROP ALL",
    '") } ; DROP ALL #',
    "#VALUES",
    "?a",
    "$a",
    "<urn:x>",
    "> <",
    "a\u2028b",
    "é😀\u202e",
    "'''",
    '"""',
    '" } UNION { ?s ?p ?o } #',
    "SERVICE <http://127.0.0.1/>",
    "%22",
    "&quot;",
    "\u00a0",
    "﷐",
]
hostile_text = st.one_of(
    st.sampled_from(HOSTILE), st.text(SIGNS, max_size=60), st.lists(st.sampled_from(HOSTILE), max_size=6).map("".join)
)


def echo(kind: str, **options: Any) -> Question:
    parameter = Parameter("x", kind, **options)  # type: ignore[arg-type]
    text = "SELECT DISTINCT ?x WHERE {\n  #VALUES\n}\n"
    return Question("test/echo", "Echo", "What was asked?", (parameter,), (), (("x", False),), {}, text)


def by_oxigraph(text: str) -> list[str]:
    result = pyoxigraph.Store().query(text)
    assert isinstance(result, pyoxigraph.QuerySolutions)
    return [row["x"].value for row in result]


def by_rdflib(text: str) -> list[str]:
    return [str(row[0]) for row in rdflib.Graph().query(text)]  # type: ignore[index]


@generated(hostile_text, few=30)
def test_a_text_comes_back_as_it_was_or_is_refused(value: str) -> None:
    try:
        text = bind(echo("text"), {"x": value})
    except ValueRefused:
        assert "\\u" in value or "\\U" in value or not value.isprintable()
        return_to = None
    else:
        return_to = by_oxigraph(text)
        assert by_rdflib(text) == return_to
    assert return_to in (None, [value])


@settings(deadline=None)
@given(hostile_text)
def test_a_name_comes_back_as_its_key(value: str) -> None:
    refused = False
    try:
        text = bind(echo("name"), {"x": value})
    except ValueRefused:
        refused = True
        text = ""
    assert refused or set(by_oxigraph(text)) == set(name_keys(value))


@settings(deadline=None)
@given(hostile_text)
def test_an_id_becomes_its_iri_or_is_refused(value: str) -> None:
    for kind, iri in (("id", thing_iri), ("claim", claim_iri), ("metric", thing_iri)):
        try:
            text = bind(echo(kind), {"x": value})
        except ValueRefused:
            continue
        wanted = f"metric/{value.removeprefix('metric/')}" if kind == "metric" else value
        assert by_oxigraph(text) == [iri(wanted)]


@settings(deadline=None)
@given(hostile_text)
def test_no_value_changes_what_a_real_question_may_reach(value: str) -> None:
    store = small_store()
    before = len(store.store)
    try:
        rows = ask_small("find/names", text=value).rows
    except ValueRefused:
        rows = ()
    every_key = ask_small("names/keys").rows
    assert all(value in str(row[1]) for row in rows)
    assert len(rows) <= len(every_key)
    assert len(store.store) == before


@pytest.mark.parametrize("value", ["\\u0022", "\\U00000022", "\x00", "\x7f", "\ud800", "\ufffe", "x" * 2001])
def test_what_engines_read_differently_is_refused(value: str) -> None:
    with pytest.raises(ValueRefused):
        bind(echo("text"), {"x": value})


@settings(deadline=None)
@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_number_is_a_double_and_finite(value: float) -> None:
    try:
        text = bind(echo("number"), {"x": value})
    except ValueRefused:
        assert not isfinite(value)
        found = None
    else:
        found = float(by_oxigraph(text)[0])
    assert found in (None, value)


@pytest.mark.parametrize("value", ["1e", "", "12 OR 1", "0x10", True, None, [1], "1.5"])
def test_what_is_no_whole_number_is_refused(value: object) -> None:
    with pytest.raises(ValueRefused):
        bind(echo("integer"), {"x": value})


def test_whole_numbers_and_lists_are_bound() -> None:
    assert by_oxigraph(bind(echo("integer"), {"x": "72,428"})) == ["72428"]
    assert by_oxigraph(bind(echo("list-of-text"), {"x": ["b", "a", "b"]})) == ["a", "b"]
    assert by_oxigraph(bind(echo("list-of-text"), {"x": []})) == []
    with pytest.raises(ValueRefused):
        bind(echo("text"), {"x": ["a"]})


def test_an_unset_parameter_leaves_its_variable_free() -> None:
    assert "VALUES" not in bind(echo("text", required=False), {})
    with pytest.raises(ValueRefused, match="is needed"):
        bind(echo("text"), {})
    with pytest.raises(ValueRefused, match="is not a parameter"):
        bind(echo("text"), {"y": "1", "x": "1"})


@pytest.mark.parametrize("limit", [0, -1, True, "5", 5.0, MOST_ROWS, None])
def test_a_limit_is_a_checked_integer(limit: object) -> None:
    with pytest.raises(ValueRefused):
        checked_limit(limit)


def test_a_limit_asks_for_one_row_more() -> None:
    assert bind(echo("text"), {"x": "a"}, limit=5).endswith("\nLIMIT 6\n")


def test_an_equals_sign_asks_for_the_thing_itself() -> None:
    assert name_keys("=GB200") == ("=gb200",)
    assert name_keys("=system/x") == ("system/x",)
    assert name_keys("GB200 NVL-72") == (name_key("gb200 nvl 72"),)
