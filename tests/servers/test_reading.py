"""Every reading command works from a server alone, and says the same as on the embedded store."""

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from kg.ask.question_files import read_questions
from kg.ask.run import ask
from kg.session import Graph, open_graph, push
from tests.forked_program import run_forked_text
from tests.sampling import each_once
from tests.servers.content import endpoint_of, run_cypher, wipe
from tests.servers.fixtures import Servers
from tests.servers.running import Server
from tests.small_content import ROOT

ENGINES = ("neo4j-reading", "fuseki")
COMMANDS = (
    "trace 72428",
    "trace 4.8TB/s",
    "compare GB200 H200",
    "ask meta/store",
    "ask specifications/by-metric --metric memory-bandwidth",
    "find H200",
    "show accelerator/nvidia-h200-sxm-141gb",
    "audit --source source/002",
    "conflicts",
    "origins 002/r1.gb200.offline.total",
    "impact 002/r1.gb200.offline.total",
    "export jsonl",
    "report 002/r1.gb200.offline.total",
    "verify",
    "cite 002/r1.gb200.offline.total",
    "names unresolved",
    "export turtle",
    "export gexf",
    "compare Nothing H200",
)
PAGES = (
    "view accelerator/nvidia-h200-sxm-141gb",
    "view compare GB200 H200",
    "report comparisons/compare --a GB200 --b H200",
)


@pytest.fixture(scope="session")
def embedded(shipped_store: Path) -> Path:
    """The shipped content in an embedded store."""
    return shipped_store


@pytest.fixture(scope="module", params=ENGINES)
def pushed(request: pytest.FixtureRequest, servers: Servers, embedded: Path) -> Iterator[Server]:
    """Each server with the shipped content."""

    def fill(server: Server) -> None:
        wipe(server)
        push(server.address, store=embedded)

    with servers.shared(request.param, str(embedded), fill) as server:
        yield server


@pytest.fixture(scope="module")
def graphs(pushed: Server, embedded: Path) -> Iterator[tuple[Graph, Graph]]:
    """The same graph twice: embedded, and on a server."""
    here, there = open_graph(embedded), open_graph(pushed.address)
    yield here, there
    here.close()
    there.close()


def kg(command: str, store: str, home: Path) -> "subprocess.CompletedProcess[str]":
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    environment = {
        **kept,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "KG_STORE": store,
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
    }
    return run_forked_text(*shlex.split(command), folder=home, environment=environment)


@pytest.fixture(scope="session")
def said_here(
    embedded: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], "subprocess.CompletedProcess[str]"]:
    """What a command says of the embedded store, run once for all servers."""
    home = tmp_path_factory.mktemp("here")
    return cache(lambda command: kg(command, str(embedded), home))


@pytest.mark.parametrize(("command", "pushed"), each_once(COMMANDS, ENGINES), indirect=["pushed"])
def test_a_command_says_the_same_from_a_server_alone(
    pushed: Server, said_here: Callable[[str], "subprocess.CompletedProcess[str]"], tmp_path: Path, command: str
) -> None:
    here, there = said_here(command), kg(command, pushed.address, tmp_path)
    assert there.returncode == here.returncode, there.stderr
    assert there.stdout == here.stdout
    assert not (tmp_path / "accelkg" / "store").exists(), "no embedded store may be made"


@pytest.mark.parametrize(("command", "pushed"), each_once(PAGES, ENGINES), indirect=["pushed"])
def test_a_page_is_the_same_from_a_server_alone(
    pushed: Server,
    said_here: Callable[[str], "subprocess.CompletedProcess[str]"],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    command: str,
) -> None:
    page = tmp_path_factory.getbasetemp() / f"{command.replace('/', ' ')}.html"
    here = said_here(f"{command} -o {shlex.quote(str(page))}")
    there = kg(f"{command} -o there.html", pushed.address, tmp_path)
    assert (here.returncode, there.returncode) == (0, 0), there.stderr
    assert (tmp_path / "there.html").read_bytes() == page.read_bytes()


@pytest.mark.parametrize("name", sorted(read_questions(ROOT / "queries")))
def test_a_saved_question_gives_the_same_rows(graphs: tuple[Graph, Graph], name: str) -> None:
    here, there = graphs
    question = here.questions()[name]
    expected = ask(here.store, question, question.example)
    given = ask(there.store, question, question.example)
    assert given.columns == expected.columns and given.complete
    assert sorted(map(repr, given.rows)) == sorted(map(repr, expected.rows))


def test_status_tells_of_the_server(pushed: Server, tmp_path: Path) -> None:
    told = json.loads(kg("status --format json", pushed.address, tmp_path).stdout)
    assert told["view"] == "whole" and told["findings"] == "current"
    assert told["store"] in pushed.address and int(told["size"].split()[0].replace(",", "")) > 1000


THEIR_NODES = (
    "MATCH (c:KgNode:Claim) CREATE (f:Foreign:Claim {uid: c.uid, kind: c.kind, metric: c.metric, label: 'of others'}) "
    "CREATE (f)-[:SUBJECT]->(c), (c)-[:SUBJECT]->(f), (f)-[:BASELINE]->(c), (c)-[:BASELINE]->(f), (c)-[:STATED_IN]->(f), "
    "(c)-[:ASSERTED_BY]->(f), (c)-[:ANCHORED_AT]->(f), (f)-[:STEP_OF]->(c), (f)-[:INVOLVES]->(c), (f)-[:REACHES]->(c)"
)
"""Nodes with the labels and ids of ours, linked to ours by every relationship that a claim has."""
THEIR_TRIPLES = (
    "INSERT { GRAPH <urn:theirs> { ?s ?p ?o . ?s <http://www.w3.org/2000/01/rdf-schema#label> 'of others' } } "
    "WHERE { GRAPH <https://w3id.org/accelkg/id/graph/view> { ?s ?p ?o FILTER(isIRI(?o)) } }"
)


def test_what_others_have_on_the_server_changes_no_answer(graphs: tuple[Graph, Graph], pushed: Server) -> None:
    here, there = graphs
    change(pushed, THEIR_NODES if pushed.engine == "neo4j" else THEIR_TRIPLES)
    differing = []
    for name, question in here.questions().items():
        expected, given = (ask(graph.store, question, question.example) for graph in (here, there))
        if sorted(map(repr, given.rows)) != sorted(map(repr, expected.rows)):
            differing.append(name)
    change(pushed, "MATCH (f:Foreign) DETACH DELETE f" if pushed.engine == "neo4j" else "CLEAR GRAPH <urn:theirs>")
    assert differing == []


def change(server: Server, text: str) -> None:
    """What a stranger does on the same server."""
    if server.engine == "neo4j":
        run_cypher(server, text)
    else:
        stranger = endpoint_of(server)
        stranger.update(text)
        stranger.close()
