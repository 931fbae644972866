"""What a server holds of ours and of others, read from the data itself, not from the records that a push keeps."""

import json
from hashlib import sha256
from typing import Any

import pyoxigraph

from kg.projection.graph_schema import graph_schema
from kg.stores.sparql_endpoint import VIEW_GRAPH, SparqlEndpoint
from kg.sync.bolt_target import BoltTarget
from kg.sync.push import Target
from kg.sync.servers import open_bolt, open_sparql, open_target
from tests.servers.running import Server


def digest(server: Server) -> str:
    """A digest of every triple, or of every node and relationship, that a push brought."""
    lines = triples(server) if server.address.startswith("sparql") else nodes_and_relationships(server)
    return sha256("\n".join(sorted(lines)).encode()).hexdigest()


def triples(server: Server, graph: str = VIEW_GRAPH) -> set[str]:
    """The triples of a named graph; figures with the six digits that one server prints."""
    endpoint = open_sparql(server.address)
    assert endpoint.addresses.graphs is not None
    reply = endpoint.client.send(
        "GET", f"{endpoint.addresses.graphs}?graph={graph}", headers={"Accept": "application/n-triples, text/plain"}
    )
    endpoint.close()
    if reply.status == 404:
        return set()
    assert reply.status == 200, reply.said()
    found = pyoxigraph.parse(input=reply.body, format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
    return {f"{one.subject} {one.predicate} {_object(one.object)}" for one in found}


def _object(term: Any) -> str:
    if isinstance(term, pyoxigraph.Literal) and term.datatype.value.endswith("#double"):
        return f"{float(term.value):.6g}"
    return str(term)


def nodes_and_relationships(server: Server) -> list[str]:
    """Each node with its labels and properties, and each relationship; but for the records of pushes."""
    store = open_bolt(server.address)
    tables = [one.name for one in graph_schema().nodes]
    nodes = store.select(
        "MATCH (n:KgNode) WHERE any(one IN labels(n) WHERE one IN $tables) RETURN labels(n) AS labels, properties(n) AS properties",
        parameters={"tables": tables},
    )
    between = store.select(
        "MATCH (a:KgNode)-[r]->(b:KgNode) RETURN type(r) AS kind, a.uid AS a, b.uid AS b, properties(r) AS properties"
    )
    store.close()
    found = []
    for labels, properties in nodes.rows:
        told = json.loads(str(properties))
        told.pop("push", None)
        found.append(json.dumps([sorted(json.loads(str(labels))), told], sort_keys=True))
    return [*found, *(json.dumps(row) for row in between.rows)]


def wipe(server: Server) -> None:
    """Empty a server, so that the next push is the first."""
    target: Target = open_target(server.address)
    target.wipe()
    target.close()


def endpoint_of(server: Server) -> SparqlEndpoint:
    """The endpoint, for what a stranger does on the same server."""
    return open_sparql(server.address)


def run_cypher(server: Server, text: str) -> None:
    """One statement of a stranger."""
    store = open_bolt(server.address)
    store.run(text)
    store.close()


__all__ = ["BoltTarget", "digest", "endpoint_of", "nodes_and_relationships", "run_cypher", "triples", "wipe"]
