"""`kg push` and `kg pull` against real servers: idempotent, only differences, nothing of others touched, ledger restored."""

import random
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from kg.ledger.ledger import Ledger
from kg.model.view_stamp import made_from
from kg.session import open_graph
from kg.stores.bolt import BoltStore
from kg.sync import push as push_module
from kg.sync.bolt_target import BoltTarget
from kg.sync.pull import LocalHasMore, PulledDamaged, PushUnfinished, pull
from kg.sync.push import PIECE_BYTES, LedgerFile, PushState, push_to
from kg.sync.push_errors import PushIncomplete, PushTakenOver
from kg.sync.servers import NothingPushed, open_target
from kg.sync.sparql_target import SparqlTarget
from tests.servers.conftest import Local
from tests.servers.content import digest, endpoint_of, nodes_and_relationships, run_cypher, triples, wipe
from tests.servers.running import Server
from tests.small_content import write_small_content


def test_a_push_brings_everything_and_a_second_one_nothing(local: Local, empty_server: Server) -> None:
    first, second = local.push(empty_server), local.push(empty_server)
    assert first.added > 500 and first.removed == 0 and first.files_sent == 3
    assert second.up_to_date and (second.added, second.files_sent) == (0, 0)
    target = open_target(empty_server.address)
    state = target.state()
    target.close()
    assert state is not None and state.state == "ready" and state.stamp["head"] == local.head()


def test_what_a_sparql_server_holds_is_the_embedded_view(local: Local, sparql_server: Server) -> None:
    wipe(sparql_server)
    local.push(sparql_server)
    graph = open_graph(local.store, content=local.content)
    rows = graph.store.select("SELECT ?s ?p { ?s ?p ?o }").rows
    graph.close()
    assert len(triples(sparql_server)) == len(rows)


def test_a_later_push_sends_only_the_difference(local: Local, empty_server: Server, tmp_path: Path) -> None:
    whole = local.push(empty_server)
    local.load(tmp_path, "new.one", "new.two")
    more = local.push(empty_server)
    assert 0 < more.added < whole.added / 4
    assert more.files_sent == 3  # the new segment, the manifest, and what was concluded
    after = digest(empty_server)
    wipe(empty_server)
    local.push(empty_server)
    assert digest(empty_server) == after


def test_what_is_gone_here_goes_there(local: Local, empty_server: Server, tmp_path: Path) -> None:
    local.push(empty_server)
    before = digest(empty_server)
    local.load(tmp_path, "new.one")
    local.push(empty_server)
    assert digest(empty_server) != before
    other = Local(tmp_path / "other", local.content)
    open_graph(other.store, content=other.content).close()
    back = other.push(empty_server)
    assert back.removed > 0 and back.files_dropped > 0
    assert digest(empty_server) == before


def test_a_changed_claim_replaces_the_old_one(local: Local, empty_server: Server, tmp_path: Path) -> None:
    local.push(empty_server)
    claims = local.content / "seeds" / "claims" / "900.yaml"
    claims.write_text(claims.read_text(encoding="utf-8").replace("hedge: up-to", "hedge: about"), encoding="utf-8")
    changed = local.push(empty_server)
    assert changed.added > 0 and changed.removed > 0
    after = digest(empty_server)
    wipe(empty_server)
    local.push(empty_server)
    assert digest(empty_server) == after


def test_nodes_of_others_are_neither_counted_nor_changed(local: Local, neo4j_server: Server, tmp_path: Path) -> None:
    run_cypher(neo4j_server, "MATCH (n) DETACH DELETE n")
    run_cypher(
        neo4j_server,
        "CREATE (a:Claim {uid: '900/power.one', mine: true})-[:CITES]->(b:PushPart {number: 0}), (:LedgerFile {name: 'x'}), "
        "(:Meta {uid: 'meta', state: 'theirs'}), (:LedgerPiece {file: 'manifest.json'})",
    )
    local.push(neo4j_server)
    local.load(tmp_path, "new.one")
    local.push(neo4j_server)
    local.push(neo4j_server, anew=True)
    wipe(neo4j_server)
    target = open_target(neo4j_server.address)
    assert isinstance(target, BoltTarget)
    reader = target.reader()
    left = _every_row(reader, "MATCH (n) RETURN labels(n) AS labels ORDER BY labels")
    linked = _every_row(reader, "MATCH (:Claim)-[r:CITES]->(:PushPart) RETURN count(r) AS n")
    assert reader.select("MATCH (n) RETURN count(n) AS n").rows == ((0,),), "reading sees nothing of others"
    target.close()
    run_cypher(neo4j_server, "MATCH (n) DETACH DELETE n")
    assert left == [[["Claim"]], [["LedgerFile"]], [["LedgerPiece"]], [["Meta"]], [["PushPart"]]]
    assert linked == [[1]]


def _every_row(store: BoltStore, text: str) -> list[list[object]]:
    """Rows over the nodes of everybody, which reading for questions does not see."""
    return store.read(lambda transaction: [record.values() for record in transaction.run(text)])


def test_triples_of_others_are_neither_counted_nor_changed(local: Local, sparql_server: Server, tmp_path: Path) -> None:
    wipe(sparql_server)
    stranger = endpoint_of(sparql_server)
    stranger.update("CLEAR SILENT GRAPH <urn:theirs>")
    stranger.update('INSERT DATA { GRAPH <urn:theirs> { <urn:a> <urn:b> "theirs", 1 } }')
    local.push(sparql_server)
    local.load(tmp_path, "new.one")
    local.push(sparql_server)
    wipe(sparql_server)
    assert len(triples(sparql_server, "urn:theirs")) == 2
    stranger.update("CLEAR GRAPH <urn:theirs>")
    stranger.close()


def test_questions_see_nothing_of_others(local: Local, fuseki_server: Server) -> None:
    wipe(fuseki_server)
    local.push(fuseki_server)
    stranger = endpoint_of(fuseki_server)
    stranger.update(
        "PREFIX k: <https://w3id.org/accelkg/ontology#> INSERT DATA { GRAPH <urn:theirs> { <urn:meta> a k:Meta } }"
    )
    graph = open_graph(fuseki_server.address, content=local.content)
    rows = graph.ask("meta/store").rows
    graph.close()
    stranger.update("CLEAR GRAPH <urn:theirs>")
    stranger.close()
    assert [row[0] for row in rows] == ["meta"]


def test_a_pull_restores_the_ledger_byte_for_byte(local: Local, empty_server: Server, tmp_path: Path) -> None:
    local.load(tmp_path, "new.one")
    local.push(empty_server)
    pulled = pull(empty_server.address, tmp_path / "restored")
    here, there = local.store / "ledger", tmp_path / "restored" / "ledger"
    names = ["manifest.json", *(f"segments/{one.name}" for one in Ledger(here).manifest().segments)]
    assert [(there / name).read_bytes() for name in names] == [(here / name).read_bytes() for name in names]
    assert pulled.head == local.head() and pulled.fetched.records == Ledger(here).verify()
    graph = open_graph(tmp_path / "restored", content=local.content)
    again = pull(empty_server.address, tmp_path / "restored")
    assert graph.stamp["head"] == local.head() and again.fetched.fetched == 0
    graph.close()


def test_a_pull_that_would_lose_local_segments_is_refused(local: Local, fuseki_server: Server, tmp_path: Path) -> None:
    wipe(fuseki_server)
    local.push(fuseki_server)
    local.load(tmp_path, "new.one")
    with pytest.raises(LocalHasMore, match="--replace"):
        pull(fuseki_server.address, local.store)
    assert len(Ledger(local.store / "ledger").manifest().segments) == 2
    given_up = pull(fuseki_server.address, local.store, replace=True).given_up
    assert len(given_up) == 1 and len(Ledger(local.store / "ledger").manifest().segments) == 1


def test_a_pull_from_an_empty_or_unfinished_server_is_refused(
    local: Local, empty_server: Server, tmp_path: Path
) -> None:
    with pytest.raises(NothingPushed):
        pull(empty_server.address, tmp_path / "new")
    local.push(empty_server)
    target = open_target(empty_server.address)
    state = target.state()
    assert state is not None
    target.mark(PushState("pushing", "other", state.parts, state.stamp))
    target.close()
    with pytest.raises(PushUnfinished):
        pull(empty_server.address, tmp_path / "new")
    assert not (tmp_path / "new" / "ledger" / "manifest.json").exists()


def test_a_piece_that_was_changed_on_the_server_is_noticed(local: Local, neo4j_server: Server, tmp_path: Path) -> None:
    wipe(neo4j_server)
    local.push(neo4j_server)
    run_cypher(neo4j_server, "MATCH (p:KgNode:LedgerPiece) WHERE p.file STARTS WITH 'segments/' SET p.data = null")
    with pytest.raises(PulledDamaged, match="segments/"):
        pull(neo4j_server.address, tmp_path / "new")
    assert not (tmp_path / "new" / "ledger" / "manifest.json").exists()


def test_a_name_that_leads_out_of_the_ledger_is_refused(local: Local, neo4j_server: Server, tmp_path: Path) -> None:
    wipe(neo4j_server)
    local.push(neo4j_server)
    run_cypher(
        neo4j_server, "MATCH (f:KgNode:LedgerFile) WHERE f.name STARTS WITH 'segments/' SET f.name = '../../evil'"
    )
    with pytest.raises(PulledDamaged, match="evil"):
        pull(neo4j_server.address, tmp_path / "new")
    assert not (tmp_path / "evil").exists()


def test_two_pushes_at_once_do_not_mix(local: Local, empty_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one stops as soon as a second one has begun; done again it finds its work and ends it."""
    monkeypatch.setattr(push_module, "CHANGED_AT_ONCE", 300)
    graph = open_graph(local.store, content=local.content)
    target, other = open_target(empty_server.address), open_target(empty_server.address)
    began = {"at": 0}

    def progress(what: str, _done: int, _total: int) -> None:
        if what == "sending the graph" and not began["at"]:
            began["at"] = 1
            state = other.state()
            assert state is not None
            other.mark(PushState("pushing", "another", state.parts, state.stamp))

    with pytest.raises(PushTakenOver):
        push_to(target, graph, progress=progress)
    resumed = push_to(target, graph)
    for one in (target, other):
        one.close()
    graph.close()
    assert began["at"] == 1 and resumed.resumed
    after = digest(empty_server)
    wipe(empty_server)
    local.push(empty_server)
    assert digest(empty_server) == after


def test_a_piece_of_a_file_arrives_whole_whatever_its_size(local: Local, empty_server: Server) -> None:
    graph = open_graph(local.store, content=local.content)
    data = random.Random(7).randbytes(PIECE_BYTES + 1)
    file = LedgerFile("segments/long", sha256(data).hexdigest(), len(data), 2)
    with closing(open_target(empty_server.address)) as target:
        target.prepare()
        target.mark(PushState("pushing", "a", 16, made_from(graph.stamp)))
        target.put_file(file, iter([data[:PIECE_BYTES], data[PIECE_BYTES:]]), "a")
        assert target.files() == {file.name: file} and b"".join(target.get_file(file)) == data
        target.drop_files([file.name], "a")
        assert target.files() == {} and b"".join(target.get_file(file)) == b""
    graph.close()


def test_a_graph_that_somebody_changed_by_hand_is_not_called_ready(
    local: Local, empty_server: Server, tmp_path: Path
) -> None:
    local.push(empty_server)
    if empty_server.engine == "neo4j":
        run_cypher(empty_server, "MATCH (n:KgNode {uid: 'accelerator/acme-one'}) DETACH DELETE n")
    else:
        stranger = endpoint_of(empty_server)
        stranger.update(
            "DELETE WHERE { GRAPH <https://w3id.org/accelkg/id/graph/view> { <https://w3id.org/accelkg/id/org/acme> ?p ?o } }"
        )
        stranger.close()
    local.load(tmp_path, "new.one")
    with pytest.raises(PushIncomplete, match="--anew"):
        local.push(empty_server)
    local.push(empty_server, anew=True)
    after = digest(empty_server)
    wipe(empty_server)
    local.push(empty_server)
    assert digest(empty_server) == after


def test_a_thing_that_changes_its_kind_loses_the_old_label(local: Local, neo4j_server: Server) -> None:
    wipe(neo4j_server)
    local.push(neo4j_server)
    things = local.content / "seeds" / "entities" / "things.yaml"
    text = things.read_text(encoding="utf-8")
    things.write_text(text.replace("id: org/acme, kind: vendor", "id: org/acme, kind: organisation"), encoding="utf-8")
    local.push(neo4j_server)
    labels = [
        one for one in nodes_and_relationships(neo4j_server) if '"uid": "org/acme"' in one and one.startswith('[["')
    ]
    assert len(labels) == 1 and '"Organisation"' in labels[0] and '"Vendor"' not in labels[0]


def test_without_a_graph_store_address_updates_are_used(
    local: Local, sparql_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    wipe(sparql_server)
    local.push(sparql_server)
    before = digest(sparql_server)
    wipe(sparql_server)
    monkeypatch.setenv("KG_SPARQL_GRAPH_STORE_URL", "")
    target = open_target(sparql_server.address)
    assert isinstance(target, SparqlTarget) and target.reader().addresses.graphs is None
    target.close()
    local.push(sparql_server)
    monkeypatch.delenv("KG_SPARQL_GRAPH_STORE_URL")
    assert digest(sparql_server) == before


def test_a_store_made_from_another_content_follows(local: Local, asked_server: Server, tmp_path: Path) -> None:
    local.push(asked_server)
    other = Local(tmp_path / "other", write_small_content(tmp_path / "without", claims=None).root)
    open_graph(other.store, content=other.content).close()
    other.push(asked_server)
    graph = open_graph(asked_server.address, content=other.content)
    try:
        assert graph.is_whole() and graph.stamp["head"] == other.head()
    finally:
        graph.close()
