"""A Cypher text is bound to nodes of ours: every node pattern, and nothing that only looks like one."""

import pytest

from kg.stores.own_nodes import own_nodes_only
from tests.equality.test_equality import questions


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("MATCH (n) RETURN n", "MATCH (n:KgNode) RETURN n"),
        ("MATCH () RETURN 1", "MATCH (:KgNode) RETURN 1"),
        ("RETURN COUNT { (n:A) WHERE (n.x) > 1 } AS c", "RETURN COUNT { (n:KgNode&A) WHERE (n.x) > 1 } AS c"),
        (
            "RETURN exists { (n), (m) }, {count: {a: (1)}}",
            "RETURN exists { (n:KgNode), (m:KgNode) }, {count: {a: (1)}}",
        ),
        ("MATCH ({uid: 'a(b)'}) RETURN 1", "MATCH (:KgNode{uid: 'a(b)'}) RETURN 1"),
        ("MATCH (n:A:B) RETURN n", "MATCH (n:KgNode&(A&B)) RETURN n"),
        ("MATCH (n:!A {uid: 1}) RETURN n", "MATCH (n:KgNode&(!A) {uid: 1}) RETURN n"),
        ("MATCH (n IS A) RETURN n", "MATCH (n IS KgNode&A) RETURN n"),
        ("MATCH (n:A WHERE n.x = (1)) RETURN n", "MATCH (n:KgNode&A WHERE n.x = (1)) RETURN n"),
        ("MATCH (n WHERE n.x = 1) RETURN n", "MATCH (n:KgNode WHERE n.x = 1) RETURN n"),
        ("MATCH (a), (b:`A B`) RETURN (a.x), (b)", "MATCH (a:KgNode), (b:KgNode&`A B`) RETURN (a.x), (b)"),
        ("MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "MATCH p = shortestPath((a:KgNode)-[*]-(b:KgNode)) RETURN p"),
        ("MATCH (n:A {uid: toLower(x)}) RETURN n", "MATCH (n:KgNode&A {uid: toLower(x)}) RETURN n"),
        (
            "MATCH (n) WHERE EXISTS { (n)-->(:A) } RETURN n",
            "MATCH (n:KgNode) WHERE EXISTS { (n:KgNode)-->(:KgNode&A) } RETURN n",
        ),
        ("MATCH (n) RETURN [(n)<--(b) | b.x]", "MATCH (n:KgNode) RETURN [(n:KgNode)<--(b:KgNode) | b.x]"),
        (
            "MATCH (n) WHERE EXISTS { MATCH (m) } RETURN n",
            "MATCH (n:KgNode) WHERE EXISTS { MATCH (m:KgNode) } RETURN n",
        ),
        ("MATCH (n) RETURN count(n) - (2), n.list[0]-(n.x)", "MATCH (n:KgNode) RETURN count(n) - (2), n.list[0]-(n.x)"),
        (
            "WITH 1 AS x RETURN (x) < (2), size('(n)--(m)') // (a)-->(b)",
            "WITH 1 AS x RETURN (x) < (2), size('(n)--(m)') // (a)-->(b)",
        ),
        (
            "MATCH (n)-[:SUBJECT]->(m:A) RETURN n.match, {match: (1)}",
            "MATCH (n:KgNode)-[:SUBJECT]->(m:KgNode&A) RETURN n.match, {match: (1)}",
        ),
    ],
)
def test_every_node_pattern_is_bound(text: str, bound: str) -> None:
    assert own_nodes_only(text) == bound


def test_every_pattern_of_every_saved_question_is_bound() -> None:
    for question in questions().values():
        assert question.cypher is not None
        lines = [line for line in question.cypher.splitlines() if "MATCH " in line]
        bound = [line for line in own_nodes_only(question.cypher).splitlines() if "MATCH " in line]
        assert sum(line.count("KgNode") for line in bound) == sum(_nodes(line) for line in lines), question.name


def _nodes(line: str) -> int:
    """How many node patterns a line of a saved question has; they hold no brackets."""
    return line.partition(" WHERE ")[0].count("(")
