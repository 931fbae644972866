"""The Cypher script and the import files make, in a real Neo4j, the property graph that is embedded."""

import csv
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kg.build.property_graph import graph_rows
from kg.export.cypher import cypher, literal
from kg.export.formats import export
from kg.export.neo4j_import import BETWEEN, neo4j_import
from kg.export.property_rows import SeenIds, property_rows
from kg.projection.graph_rows import NamedOnly
from kg.projection.graph_schema import NODE_LABEL, further_labels, graph_schema
from kg.projection.rows import EdgeRow, NodeRow, Row
from kg.session import Graph
from tests.export.conftest import HOSTILE
from tests.servers.artifacts import SHORT_LIVED, Artifact, Unavailable, java
from tests.servers.engines import start_neo4j
from tests.servers.running import Server

Nodes = dict[str, tuple[frozenset[str], dict[str, Any]]]
Edges = Counter[tuple[str, str, str, str]]


def merged(rows: Iterable[Row]) -> tuple[Nodes, Edges]:
    """Nodes by uid with labels and properties, relationships with theirs."""
    nodes: Nodes = {}
    edges: Edges = Counter()
    for row in rows:
        if isinstance(row, EdgeRow):
            edges[row.from_uid, row.type, row.to_uid, _shown(row.properties)] += 1
            continue
        properties = {
            name: list(one) if isinstance(one, tuple) else one
            for name, one in row.properties.items()
            if one is not None
        }
        labels = {NODE_LABEL, row.table, *further_labels(row.table, row.properties)}
        known = nodes.get(row.uid, (frozenset(), {}))
        nodes[row.uid] = (known[0] | labels, {**known[1], **properties})
    return nodes, edges


def _shown(properties: dict[str, Any]) -> str:
    return repr(sorted((name, one) for name, one in properties.items() if one is not None))


def read_back(address: str) -> tuple[Nodes, Edges]:
    """Everything that a server holds."""
    with neo4j.GraphDatabase.driver(address) as driver:
        found, _, _ = driver.execute_query("MATCH (n:KgNode) RETURN labels(n) AS labels, properties(n) AS properties")
        nodes: Nodes = {}
        for row in found:
            properties = dict(row["properties"])
            nodes[properties.pop("uid")] = (frozenset(row["labels"]), properties)
        found, _, _ = driver.execute_query(
            "MATCH (a:KgNode)-[r]->(b:KgNode) RETURN a.uid AS a, type(r) AS type, b.uid AS b, properties(r) AS properties"
        )
        return nodes, Counter((row["a"], row["type"], row["b"], _shown(row["properties"])) for row in found)


def as_floats(nodes: Nodes) -> Nodes:
    """Numbers of one value are one: an importer reads 350 into a double as 350.0."""
    return {
        uid: (
            labels,
            {
                name: float(one) if isinstance(one, int) and not isinstance(one, bool) else one
                for name, one in properties.items()
            },
        )
        for uid, (labels, properties) in nodes.items()
    }


def statements(path: Path) -> Iterator[str]:
    """The statements of a script: one ends with a semicolon at the end of a line, which no literal holds."""
    yield from path.read_text(encoding="utf-8").split(";\n")[:-1]


def test_rows_are_those_of_the_embedded_property_graph(graph: Graph) -> None:
    from kg.content.vocabulary import read_vocabulary

    named = NamedOnly()
    whole = list(named.watch(graph_rows(graph.folder, read_vocabulary(graph.content), graph.stamp)))
    assert merged(property_rows(graph)) == merged([*whole, *named.rows()])


def test_every_node_comes_once_and_every_edge_has_its_ends(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.export.property_rows._FRESH", 7)
    rows = list(property_rows(graph))
    uids = Counter(row.uid for row in rows if isinstance(row, NodeRow))
    assert set(uids.values()) == {1}
    ends = {uid for row in rows if isinstance(row, EdgeRow) for uid in (row.from_uid, row.to_uid)}
    assert ends <= set(uids)


@pytest.mark.long
def test_a_script_makes_the_graph_in_neo4j_and_may_run_twice(hostile: Graph, out: Path, neo4j_server: Server) -> None:
    export(hostile, "cypher", out / "x.cypher")
    with neo4j.GraphDatabase.driver(neo4j_server.address) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        driver.execute_query("CREATE (:Mine {uid: 'org/acme'})")
        for _ in range(2):
            for statement in statements(out / "x.cypher"):
                driver.execute_query(statement)
        mine, _, _ = driver.execute_query("MATCH (n:Mine) RETURN properties(n) AS p, labels(n) AS l")
        assert [(dict(row["p"]), row["l"]) for row in mine] == [({"uid": "org/acme"}, ["Mine"])]
        driver.execute_query("MATCH (n:Mine) DELETE n")
    nodes, edges = read_back(neo4j_server.address)
    expected, joined = merged(property_rows(hostile))
    assert as_floats(nodes) == as_floats(expected)
    assert edges == Counter(dict.fromkeys(joined, 1))
    assert [nodes[f"accelerator/hostile-{number:02d}"][1]["label"] for number in range(len(HOSTILE))] == list(HOSTILE)


@pytest.mark.integration
def test_import_files_make_the_graph_in_neo4j(hostile: Graph, out: Path, tmp_path: Path) -> None:
    try:
        classes, program = str(Artifact("neo4j").jars() / "*"), java()
    except Unavailable as why:
        pytest.skip(f"Neo4j is not here: {why}")
    export(hostile, "neo4j-import", out / "files")
    home = tmp_path / "neo4j"
    (home / "conf").mkdir(parents=True)
    (home / "conf" / "neo4j.conf").write_text(
        f"server.directories.data={home / 'data'}\nserver.directories.logs={home / 'logs'}\n"
        f"server.directories.transaction.logs.root={home / 'transactions'}\n",
        encoding="utf-8",
    )
    script = (out / "files" / "import.sh").read_text(encoding="utf-8")
    options = re.findall(r"--\S+", script[script.index("database import") :])
    ran = subprocess.run(
        [
            program,
            *SHORT_LIVED,
            "-Xmx512m",
            "-cp",
            classes,
            "org.neo4j.server.startup.Neo4jAdminCommand",
            "database",
            "import",
            "full",
            "neo4j",
            *options,
        ],
        cwd=out / "files",
        env={**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    server = start_neo4j(home, owner=os.getpid())
    try:
        nodes, edges = read_back(server.address)
    finally:
        server.stop()
    expected, joined = merged(property_rows(hostile))
    for _, properties in expected.values():
        properties.update({name: _imported(one) for name, one in properties.items()})
    assert as_floats(nodes) == as_floats(expected)
    assert edges == joined


def _imported(value: Any) -> Any:
    """What an import file can hold: no U+001F, which divides lists, and no NUL."""
    if isinstance(value, str):
        return value.replace(BETWEEN, "\ufffd")
    return [_imported(one) for one in value] if isinstance(value, list) else value


def test_files_have_the_columns_of_their_headers(hostile: Graph, out: Path) -> None:
    export(hostile, "neo4j-import", out / "files")
    names = sorted(one.name for one in (out / "files").glob("*-header.csv"))
    assert "node-Claim-header.csv" in names and "edge-SUBJECT-header.csv" in names
    for name in names:
        (header,) = csv.reader([(out / "files" / name).read_text(encoding="utf-8")])
        with (out / "files" / name.replace("-header", "")).open(encoding="utf-8", newline="") as file:
            assert {len(row) for row in csv.reader(file)} == {len(header)}
    command = (out / "files" / "import.sh").read_text(encoding="utf-8")
    assert all(name.removesuffix("-header.csv") + ".csv" in command for name in names)
    assert subprocess.run(["sh", "-n", str(out / "files" / "import.sh")], check=False).returncode == 0


@pytest.mark.parametrize("text", HOSTILE)
def test_a_literal_holds_no_line_end_and_no_backslash_before_u(text: str) -> None:
    shown = literal(text)
    assert "\n" not in shown
    assert "\\\\u" not in shown


def test_separators_in_a_value_do_not_divide_it() -> None:
    row = NodeRow("Entity", "org/x", {"label": "a\x1fb\x1e\nc\x1dd", "aliases": ["e\x1df", "g"]})
    text = b"".join(cypher([row])).decode()
    (line,) = re.findall(r'split\("(.*?)", "\\u001e', text, re.DOTALL)
    assert "a\ufffdb\ufffd\\nc\ufffdd" in line
    assert line.count("\x1d") == 1
    assert "\x1e" not in line


@pytest.mark.parametrize("text", ["\\u001f", "\\u001d", "\\u001e\n", "a\\", "\\\\u001f", "\\\x01", "\\u0041"])
def test_a_text_that_looks_like_a_separator_divides_nothing(text: str) -> None:
    row = NodeRow("Entity", "org/x", {"label": text, "aliases": [text, "b"]})
    script = b"".join(cypher([row])).decode()
    (line,) = re.findall(r'split\((".*"), "\\u001e', script, re.DOTALL)
    parts = [json.loads(one, strict=False) for one in re.findall(r'"(?:[^"\\]|\\.)*"', line)]
    cells = "".join(parts).split("\x1f")
    assert len(cells) == 1 + len(graph_schema().node("Entity").properties)
    assert text in cells and f"{text}\x1db" in cells


def test_a_script_names_nodes_before_relationships(hostile: Graph) -> None:
    text = b"".join(cypher(property_rows(hostile))).decode()
    assert text.index("MERGE (a)-[r:") > text.rindex("MERGE (n:KgNode")
    assert text.startswith("CREATE CONSTRAINT")


def test_a_value_cannot_break_out_of_its_list() -> None:
    row = NodeRow("Entity", "org/x", {"aliases": [f"a{BETWEEN}b", "c"]})
    data = dict(neo4j_import([row]))["node-Entity.csv"].decode()
    assert data.count(BETWEEN) == 2  # one between the names, one between the labels


def test_seen_ids_forget_nothing() -> None:
    seen = SeenIds(recent=5)
    names = [f"n{number}" for number in range(100)]
    assert all(seen.is_new(one) for one in names)
    assert not any(seen.is_new(one) for one in names)
    assert "n100" not in seen
