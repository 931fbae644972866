"""The SPARQL endpoint as a store: the protocol, cut results, the habits of servers, and errors that can be acted on."""

import json

import pytest

from kg.stores.http_client import Login, LoginRefused, ServerRefused, ServerUnreachable
from kg.stores.oxigraph import QueryRefused
from kg.stores.places import NotAServer
from kg.stores.protocol import DeadlinePassed, JsonText
from kg.stores.sparql_endpoint import VIEW_GRAPH, Addresses, SparqlEndpoint
from tests.stores.fake_server import FakeServer, Reply, fake_server

XSD = "http://www.w3.org/2001/XMLSchema#"


def endpoint(server: FakeServer, told: list[str] | None = None) -> SparqlEndpoint:
    return SparqlEndpoint.open(f"sparql+{server.address}", tell=(told if told is not None else []).append)


def rows(count: int) -> bytes:
    bindings = [{"n": {"type": "literal", "value": str(number)}} for number in range(count)]
    return json.dumps({"head": {"vars": ["n"]}, "results": {"bindings": bindings}}).encode()


def test_a_query_is_a_form_that_names_our_graph() -> None:
    with fake_server() as server:
        assert endpoint(server).select("ASK {}").rows == ((True,),)
    asked = server.asked[0]
    assert asked.method == "POST"
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
    assert asked.headers["accept"] == "application/sparql-results+json"
    assert asked.form() == {"query": "ASK {}", "default-graph-uri": VIEW_GRAPH}


def test_terms_become_cells() -> None:
    terms = {
        "id": {"type": "uri", "value": "https://w3id.org/accelkg/id/org/acme"},
        "claim": {"type": "uri", "value": "https://w3id.org/accelkg/id/claim/900/a%20b"},
        "other": {"type": "uri", "value": "https://example.org/x"},
        "number": {"type": "literal", "value": "2.5E0", "datatype": f"{XSD}double"},
        "count": {"type": "typed-literal", "value": "72", "datatype": f"{XSD}integer"},
        "truth": {"type": "typed-literal", "value": "1", "datatype": f"{XSD}boolean"},
        "odd": {"type": "literal", "value": "n/a", "datatype": f"{XSD}integer"},
        "text": {"type": "literal", "value": "é\n"},
        "blank": {"type": "bnode", "value": "b0"},
    }
    body = json.dumps({"head": {"vars": [*terms, "missing"]}, "results": {"bindings": [terms]}}).encode()
    with fake_server(Reply(body=body)) as server:
        answer = endpoint(server).select("SELECT * {}")
    assert answer.rows == (("org/acme", "900/a b", "https://example.org/x", 2.5, 72, True, "n/a", "é\n", "_:b0", None),)


def test_a_result_that_the_server_cut_is_not_complete_and_is_said() -> None:
    told: list[str] = []
    with fake_server(Reply(body=rows(3), headers={"X-SPARQL-MaxRows": "3"})) as server:
        answer = endpoint(server, told).select("SELECT ?n {}")
    assert not answer.complete and len(answer.rows) == 3
    assert told == ["the server cut the result at 3 rows (its own limit is 3 rows): what follows is not complete"]


def test_a_result_below_the_limit_of_the_server_is_complete() -> None:
    told: list[str] = []
    with fake_server(Reply(body=rows(2), headers={"X-SPARQL-MaxRows": "3"})) as server:
        assert endpoint(server, told).select("SELECT ?n {}").complete
    assert told == []


def test_a_limit_of_more_digits_than_any_count_has_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "9" * 5_000
    monkeypatch.setenv("KG_SPARQL_MAX_ROWS", long)
    with fake_server(Reply(body=rows(2), headers={"X-SPARQL-MaxRows": long})) as server:
        assert endpoint(server).select("SELECT ?n {}").complete


def test_a_result_that_ran_out_of_time_is_not_complete() -> None:
    with fake_server(Reply(206, rows(2)), Reply(200, rows(2), {"X-SQL-State": "S1TAT"})) as server:
        store = endpoint(server)
        assert not store.select("SELECT ?n {}").complete
        assert not store.select("SELECT ?n {}").complete


def test_a_limit_that_only_the_user_knows_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_SPARQL_MAX_ROWS", "2")
    with fake_server(Reply(body=rows(2))) as server:
        assert not endpoint(server).select("SELECT ?n {}").complete


def test_a_limit_of_the_caller_cuts_without_a_word() -> None:
    told: list[str] = []
    with fake_server(Reply(body=rows(5))) as server:
        answer = endpoint(server, told).select("SELECT ?n {}", limit=2)
    assert (len(answer.rows), answer.complete, told) == (2, False, [])


def test_a_query_that_does_not_parse_shows_what_the_server_says() -> None:
    page = Reply(400, b"<html><body>Parse error: line 1, column 3\n\n</body></html>")
    with fake_server(page) as server, pytest.raises(QueryRefused, match="Parse error: line 1, column 3"):
        endpoint(server).select("SELECT")


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_login_says_which_variables_to_set(status: int) -> None:
    with fake_server(Reply(status, b"who are you")) as server, pytest.raises(LoginRefused, match="KG_SPARQL_USER"):
        endpoint(server).select("ASK {}")


@pytest.mark.parametrize(
    ("status", "body"), [(503, b"Query timed out"), (500, b"Virtuoso S1T00 Error SR171: Transaction timed out")]
)
def test_a_query_that_took_too_long_there_is_a_deadline(status: int, body: bytes) -> None:
    with fake_server(Reply(status, body)) as server, pytest.raises(DeadlinePassed):
        endpoint(server).select("ASK {}")


def _ask(store: SparqlEndpoint, asked: str) -> object:
    return store.select("SELECT ?n {}") if asked == "rows" else store.graph("CONSTRUCT {} {}")


@pytest.mark.parametrize("asked", ["rows", "graph"])
def test_an_answer_that_the_server_gave_up_is_neither_short_nor_called_no_answer(asked: str) -> None:
    """Fuseki has sent status 200 by then; seen with all names of the shipped content on a busy machine."""
    end = b"\n##  Query cancelled due to timeout during execution   ##\n##  ****          Incomplete results   ****   ##\n"
    body = rows(2)[:-9] + end if asked == "rows" else b"<urn:a> <urn:b> <urn:c> ." + end
    told = Reply(200, body, {"Content-Type": "application/n-triples"} if asked == "graph" else {})
    with (
        fake_server(told) as server,
        pytest.raises(DeadlinePassed, match="Query cancelled due to timeout during execution"),
    ):
        _ask(endpoint(server), asked)


def bound(term: str) -> bytes:
    return f'{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{{"x": {term}}}]}}}}'.encode()


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"<html>Welcome</html>", b"[1, 2]", b'{"head": {}}', b"[" * 200_000),
        *(b'{"boolean": "false"}', b'{"boolean": null}', b'["boolean"]'),
        *map(bound, ('{"type": "literal", "value": [1]}', '{"type": "literal", "value": {}}')),
        *map(bound, ('{"type": "literal", "value": "\\ud800"}', '{"type": "bnode", "value": 7}')),
    ],
)
def test_an_answer_of_another_kind_is_no_empty_result(body: bytes) -> None:
    with fake_server(Reply(body=body)) as server, pytest.raises(ServerRefused, match="SPARQL"):
        endpoint(server).select("ASK {}")


def test_a_triple_as_a_term_is_a_cell_of_json() -> None:
    term = '{"type": "triple", "value": {"subject": {"type": "uri", "value": "urn:a"}}}'
    with fake_server(Reply(body=bound(term))) as server:
        cell = endpoint(server).select("SELECT ?x {}").rows[0][0]
    assert isinstance(cell, JsonText) and json.loads(cell)["subject"]["value"] == "urn:a"


def test_triples_go_to_the_graph_store_and_else_into_updates() -> None:
    lines = [f'<urn:a> <urn:b> "{number}" .\n'.encode() for number in range(1201)]
    with fake_server(Reply(405), Reply(204, b"")) as server:
        store = endpoint(server)
        store.add(lines, "urn:g")
        store.add(lines[:1], "urn:g")
    first, *updates = server.asked
    assert first.path == "/kg?graph=urn%3Ag" and first.headers["content-type"] == "application/n-triples"
    texts = [one.form()["update"] for one in updates]
    assert [text.count("<urn:b>") for text in texts] == [500, 500, 201, 1]
    assert all(text.startswith("INSERT DATA { GRAPH <urn:g> {") for text in texts)


def test_a_graph_store_that_takes_the_triples_sees_no_update() -> None:
    with fake_server(Reply(204, b"")) as server:
        endpoint(server).add([b"<urn:a> <urn:b> <urn:c> .\n"], "urn:g")
    assert len(server.asked) == 1


def test_addresses_can_be_given_one_by_one() -> None:
    given = Addresses.from_store("sparql+http://h/kg").overridden(
        {"KG_SPARQL_QUERY_URL": "http://h/q", "KG_SPARQL_UPDATE_URL": "http://h/u", "KG_SPARQL_GRAPH_STORE_URL": ""}
    )
    assert given == Addresses("http://h/q", "http://h/u", None)


@pytest.mark.parametrize("given", ["http://me:hush@h:abc/q", "http://me:hush@[::1", "h:3030/q"])
def test_an_address_of_the_environment_that_leads_nowhere_is_refused_by_its_name(given: str) -> None:
    with pytest.raises(NotAServer) as caught:
        Addresses.from_store("sparql+http://h/kg").overridden({"KG_SPARQL_UPDATE_URL": given})
    assert caught.value.field == "KG_SPARQL_UPDATE_URL" and "hush" not in str(caught.value)


def test_a_host_that_no_name_can_be_is_said() -> None:
    with pytest.raises(ServerUnreachable, match="Invalid IDNA hostname"):
        SparqlEndpoint.open("sparql+http://ä..b/kg").select("ASK {}")


@pytest.mark.parametrize(
    ("store", "query", "update", "graphs"),
    [
        ("sparql+http://h:3030/kg", "http://h:3030/kg", "http://h:3030/kg", "http://h:3030/kg"),
        ("sparql+http://h:3030/kg/query", "http://h:3030/kg/query", "http://h:3030/kg/update", "http://h:3030/kg/data"),
        (
            "sparql+https://h:8890/sparql/",
            "https://h:8890/sparql",
            "https://h:8890/sparql",
            "https://h:8890/sparql-graph-crud",
        ),
        ("sparql+http://h:7878", "http://h:7878/query", "http://h:7878/update", "http://h:7878/store"),
    ],
)
def test_addresses_follow_the_habits_of_known_servers(store: str, query: str, update: str, graphs: str) -> None:
    assert Addresses.from_store(store) == Addresses(query, update, graphs)


@pytest.mark.parametrize("name", ["KG_SPARQL_QUERY_URL", "KG_SPARQL_UPDATE_URL", "KG_SPARQL_GRAPH_STORE_URL"])
def test_a_login_in_an_address_of_the_environment_is_refused_unseen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "https://kg:hunter2@h/kg")
    with pytest.raises(NotAServer, match="holds a login") as caught:
        SparqlEndpoint.open("sparql+https://h/kg")
    assert caught.value.field == name and "hunter2" not in str(caught.value) and "KG_SPARQL_USER" in str(caught.value)


def test_the_words_of_a_query_given_up_do_not_hold_the_password() -> None:
    with fake_server(Reply(body=b"{}\n## timeout for kg with hunter2-and-more ##")) as server:
        asked = SparqlEndpoint.open(f"sparql+{server.address}", login=Login("kg", "hunter2-and-more"))
        with pytest.raises(DeadlinePassed) as caught:
            asked.select("ASK {}")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "headers", "known", "said"),
    [
        (206, {}, None, "2 triples (it ran out of its own time)"),
        (200, {"X-SQL-State": "S1TAT"}, None, "2 triples (it ran out of its own time)"),
        (200, {"X-SPARQL-MaxRows": "2"}, None, "2 triples (its own limit is 2 rows)"),
        (200, {}, "2", "2 triples (KG_SPARQL_MAX_ROWS is 2)"),
        (200, {"X-SPARQL-MaxRows": "3"}, "3", None),
    ],
)
def test_a_graph_that_the_server_cut_is_said(
    status: int, headers: dict[str, str], known: str | None, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if known is not None:
        monkeypatch.setenv("KG_SPARQL_MAX_ROWS", known)
    told: list[str] = []
    body = b"<urn:a> <urn:b> <urn:c> .\n# a comment\n\n<urn:a> <urn:b> <urn:d> .\n"
    reply = Reply(status, body, {"Content-Type": "application/n-triples", **headers})
    with fake_server(reply) as server:
        assert endpoint(server, told).graph("CONSTRUCT WHERE { ?s ?p ?o }") == body
    assert told == ([] if said is None else [f"the server cut the graph at {said}: what follows is not complete"])
