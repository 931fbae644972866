"""Neo4j's own parser has nothing to say against our Cypher: no deprecation, and no name that our schema does not have.

Saved questions are explained in the three forms in which they are sent or shown; what writes is run. Names of our schema
are made known to the server first, so that one it does not know is a name that nothing of ours bears.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from kg.ask.bind import driver_parameters
from kg.ask.question import Question
from kg.ask.question_files import read_questions
from kg.ask.run import cypher_text, cypher_with_values
from kg.export.formats import export
from kg.projection.graph_schema import NODE_LABEL, graph_schema
from kg.session import open_graph
from kg.stores.own_nodes import own_nodes_only
from kg.sync.bolt_changes import LABELS
from tests.export.test_property_graph import statements
from tests.servers.conftest import Local
from tests.servers.content import wipe
from tests.servers.fixtures import Servers, reserved
from tests.servers.running import Server
from tests.small_content import ROOT

pytestmark = pytest.mark.xdist_group("neo4j")

QUESTIONS = {name: one for name, one in read_questions(ROOT / "queries").items() if one.cypher is not None}
NO_FAULTS = frozenset({"PERFORMANCE", "SCHEMA"})
"""How fast a text may be, which is counted, and that an index which is made where there is none was there."""
Told = tuple[str, str, str]
"""The category, the code and the words of a notification."""


class TalkingServer:
    """A server whose driver hands on everything that the parser says."""

    def __init__(self, server: Server) -> None:
        import neo4j

        self.server = server
        address = server.address.replace("neo4j://", "bolt://")
        self._driver = neo4j.GraphDatabase.driver(address, notifications_min_severity="INFORMATION")

    def run(self, text: str, parameters: Mapping[str, object] | None = None) -> list[Told]:
        """What is said of a statement."""
        with self._driver.session(database="neo4j") as session:
            summary = session.run(text, dict(parameters or {})).consume()
        return remarks(summary)

    def close(self) -> None:
        self._driver.close()


def remarks(summary: Any) -> list[Told]:
    """What is said in a summary, but for how it ended."""
    said = (one for one in summary.gql_status_objects if one.is_notification)
    return [(one.raw_classification or "", one.gql_status, " ".join(one.status_description.split())) for one in said]


def faults(told: list[Told]) -> list[Told]:
    return [one for one in told if one[0] not in NO_FAULTS]


@pytest.fixture(scope="module")
def talking(servers: Servers) -> Iterator[TalkingServer]:
    with reserved(servers, "neo4j") as server:
        wipe(server)
        made = TalkingServer(server)
        schema = graph_schema()
        labels = {NODE_LABEL, *LABELS, *(one.name for one in schema.nodes)}
        tables = [one.properties for one in schema.nodes] + [one.properties for one in schema.relationships]
        properties = {"uid", *(each.name for table in tables for each in table)}
        for procedure, names in (
            ("db.createLabel", labels),
            ("db.createRelationshipType", {one.type for one in schema.relationships}),
            ("db.createProperty", properties),
        ):
            for name in sorted(names):
                made.run(f"CALL {procedure}($name)", {"name": name})
        yield made
        made.close()


def forms(question: Question) -> Iterator[tuple[str, Mapping[str, object]]]:
    """A question as it is sent without a limit and with one, and as it is shown to be pasted elsewhere."""
    values = driver_parameters(question, question.example)
    yield own_nodes_only(cypher_text(question, unsorted=True)), values
    yield own_nodes_only(cypher_text(question, limit=10)), values
    yield cypher_with_values(question, question.example), {}


def said_of_questions(talking: TalkingServer, names: list[str], counted: Counter[str]) -> list[tuple[str, Told]]:
    found = []
    for name in names:
        for text, values in forms(QUESTIONS[name]):
            told = talking.run(f"EXPLAIN {text}", values)
            counted.update(code for _, code, _ in told)
            found += [(name, one) for one in faults(told)]
    return found


@pytest.mark.parametrize("each", [12, pytest.param(1, marks=pytest.mark.long)], ids=["few", "all"])
def test_saved_questions_say_nothing_that_the_parser_remarks_on(talking: TalkingServer, each: int) -> None:
    """The planner takes up to a second a text, so that all of them are tried under the long mark."""
    counted: Counter[str] = Counter()
    names = sorted(QUESTIONS)[::each]
    assert said_of_questions(talking, names, counted) == []
    print(f"{len(names)} questions in three forms; remarks on speed: {dict(counted)}")


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("MATCH (c:Claim) WHERE c.metrik = 'x' RETURN c", "UNRECOGNIZED"),
        ("MATCH (c:Klaim) RETURN c", "UNRECOGNIZED"),
        ("MATCH (c:Claim)-[:SUBJEKT]->() RETURN c", "UNRECOGNIZED"),
        ("MATCH (c:Claim) RETURN id(c)", "DEPRECATION"),
    ],
)
def test_the_parser_remarks_on_what_is_wrong(talking: TalkingServer, text: str, category: str) -> None:
    assert [one[0] for one in faults(talking.run(f"EXPLAIN {text}"))] == [category]


@pytest.mark.parametrize("path", ["kg/cli/schema.py", "kg/cli/query.py", "kg/web/pages/query.py"])
def test_examples_shown_by_the_program_say_nothing_either(talking: TalkingServer, path: str) -> None:
    source = (ROOT / path).read_text("utf-8")
    texts = re.findall(r'"(MATCH (?:[^"\\{]|\\n)+?)"', source)
    if path == "kg/cli/schema.py":
        schema = graph_schema()
        texts += [f"MATCH (n:{one.name}) RETURN n.uid LIMIT 5" for one in schema.nodes]
        texts += [
            f"MATCH (a:{one.pairs[0][0]})-[:{one.type}]->(b) RETURN a.uid, b.uid LIMIT 5"
            for one in schema.relationships
        ]
    assert texts
    for text in texts:
        assert faults(talking.run("EXPLAIN " + own_nodes_only(text.replace("\\n", "\n")))) == [], text


def test_a_push_says_nothing_that_the_parser_remarks_on(
    talking: TalkingServer, local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first push, one of a difference, and one that takes back; with the reading of its state and the ledger."""
    from neo4j import GraphDatabase, ManagedTransaction, Result, Session

    whole, told = GraphDatabase.driver, list[Told]()
    monkeypatch.setattr(
        GraphDatabase,
        "driver",
        lambda uri, **options: whole(uri, **{**options, "notifications_min_severity": "INFORMATION"}),
    )
    consume: Callable[[Any], Any] = Result.consume

    def heard(result: Any) -> Any:
        summary = consume(result)
        told.extend((kind, code, f"{text} {summary.query}") for kind, code, text in remarks(summary))
        return summary

    ran = 0

    def counted(original: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            nonlocal ran
            ran += 1
            return original(*arguments, **options)

        return run

    monkeypatch.setattr(Result, "consume", heard)
    for kind in (Session, ManagedTransaction):
        monkeypatch.setattr(kind, "run", counted(kind.run))
    local.push(talking.server)
    local.load(tmp_path, "new.one")
    local.push(talking.server)
    other = Local(tmp_path / "other", local.content)
    open_graph(other.store, content=other.content).close()
    other.push(talking.server)
    assert faults(told) == [] and ran > 50


def test_an_exported_script_says_nothing_that_the_parser_remarks_on(
    talking: TalkingServer, local: Local, tmp_path: Path
) -> None:
    graph = open_graph(local.store, content=local.content)
    export(graph, "cypher", tmp_path / "x.cypher")
    graph.close()
    wipe(talking.server)
    texts = [*statements(tmp_path / "x.cypher")]
    assert len(texts) > 10
    assert [one for text in texts for one in faults(talking.run(text))] == []
    wipe(talking.server)
