"""Exact figures from an engine that prints six digits, and its cut results."""

import pytest

from kg.stores.protocol import Answer
from kg.stores.virtuoso import exact, right, with_digits
from kg.sync.servers import open_sparql
from tests.servers.running import Server

DOUBLE = "http://www.w3.org/2001/XMLSchema#double"
FIGURES = (0.30000000000000004, 4023.7777777777778, 7242812.0, 123456.789012345, 1e-300, -2.5, 1234567.0, 1234568.0)
GRAPH = "urn:test-figures"


@pytest.fixture
def figures(virtuoso_server: Server) -> Server:
    endpoint = open_sparql(virtuoso_server.address)
    values = " ".join(f'<urn:{place}> <urn:is> "{one!r}"^^<{DOUBLE}> .' for place, one in enumerate(FIGURES))
    endpoint.update(f"CLEAR SILENT GRAPH <{GRAPH}>")
    endpoint.update(f'INSERT DATA {{ GRAPH <{GRAPH}> {{ {values} <urn:t> <urn:is> "a text", 5, <urn:x> }} }}')
    endpoint.close()
    return virtuoso_server


def test_figures_come_back_as_they_are_stored(figures: Server) -> None:
    endpoint = open_sparql(figures.address).on(GRAPH)
    answer = endpoint.select(
        "PREFIX x: <urn:>\nSELECT DISTINCT ?s ?n # why not\nWHERE { ?s x:is ?n } ORDER BY ?s # end"
    )
    endpoint.close()
    assert {row[0]: row[1] for row in answer.rows if row[0] != "urn:t"} == {
        f"urn:{place}": one for place, one in enumerate(FIGURES)
    }
    assert {row[1] for row in answer.rows if row[0] == "urn:t"} == {"a text", 5, "urn:x"}
    assert [row[0] for row in answer.rows] == sorted(str(row[0]) for row in answer.rows)


def test_rows_that_differ_only_behind_the_sixth_digit_stay_two(figures: Server) -> None:
    endpoint = open_sparql(figures.address).on(GRAPH)
    rows = endpoint.select("SELECT ?n { ?s <urn:is> ?n FILTER(isNumeric(?n) && ?n > 1e6 && ?n < 2e6) }").rows
    endpoint.close()
    assert sorted(rows) == [(1234567.0,), (1234568.0,)]


def test_a_limit_keeps_its_rows(figures: Server) -> None:
    endpoint = open_sparql(figures.address).on(GRAPH)
    answer = endpoint.select("SELECT ?s ?n { ?s <urn:is> ?n } ORDER BY ?s LIMIT 2", limit=1)
    endpoint.close()
    assert (answer.rows, answer.complete) == ((("urn:0", FIGURES[0]),), False)


def test_a_limit_larger_than_virtuoso_sorts_is_kept_here(figures: Server) -> None:
    endpoint = open_sparql(figures.address).on(GRAPH)
    rows = endpoint.select("SELECT ?s ?n { ?s <urn:is> ?n } ORDER BY ?s LIMIT 15001", limit=15_000).rows
    endpoint.close()
    assert len(rows) == len(FIGURES) + 3
    asked: list[str] = []

    def ask(text: str) -> Answer:
        asked.append(text)
        return Answer(("s",), tuple((number,) for number in range(12_000)))

    answer = right("SELECT ?s { ?s ?p ?o } ORDER BY ?s LIMIT 11000", ask, None)
    assert (len(answer.rows), asked) == (11_000, ["SELECT ?s { ?s ?p ?o } ORDER BY ?s "])


def test_a_result_that_virtuoso_cuts_is_said(virtuoso_server: Server) -> None:
    told: list[str] = []
    endpoint = open_sparql(virtuoso_server.address, tell=told.append).on("urn:test-many")
    endpoint.update("CLEAR SILENT GRAPH <urn:test-many>")
    endpoint.add((f"<urn:{number}> <urn:is> {number} .\n".encode() for number in range(10_050)), "urn:test-many")
    answer = endpoint.select("SELECT ?s { ?s ?p ?o }")
    endpoint.update("CLEAR GRAPH <urn:test-many>")
    endpoint.close()
    assert (len(answer.rows), answer.complete) == (10_000, False)
    assert told == [
        "the server cut the result at 10,000 rows (its own limit is 10,000 rows): what follows is not complete"
    ]


def test_only_what_shows_figures_is_asked_again() -> None:
    asked: list[str] = []

    def ask(text: str) -> Answer:
        asked.append(text)
        return Answer((), ())

    plain = Answer(("a",), (("x",), (5,)))
    assert exact(plain, "SELECT ?a {}", ask) == plain and asked == []
    assert exact(Answer(("answer",), ((True,),)), "ASK {}", ask).rows == ((True,),)
    assert with_digits("ASK {}", ["a"], ["a"]) is None


def test_a_row_that_cannot_be_found_again_stays_as_it_was() -> None:
    given = Answer(("a", "n"), (("x", 2.5), ("y", 0.3)))
    again = Answer(("a", "n", "n_digits"), (("y", 0.3, "0.30000000000000004"),))
    assert exact(given, "SELECT ?a ?n {}", lambda _: again).rows == (("x", 2.5), ("y", 0.30000000000000004))
