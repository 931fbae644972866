"""The network breaks in the middle of each request and of each answer in turn: done again, everything is there and right.

Every number of the pieces of an undisturbed conversation is tried under the long mark, a few of them in the ordinary run.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from kg.errors import KgError, QueryError, StoreError
from kg.ledger.ledger import Ledger
from kg.session import open_graph
from kg.stores.protocol import DeadlinePassed
from kg.sync.pull import pull
from tests.servers.conftest import Local
from tests.servers.content import digest, wipe
from tests.servers.cutting_proxy import WAYS, CuttingProxy, Way, cutting_proxy
from tests.servers.fixtures import Servers, reserved
from tests.servers.running import Server

EVERY = int(os.environ.get("KG_CUTS", "1"))
"""Cut in every so many-th piece only."""
CLAIMS = {
    "neo4j": "MATCH (c:Claim) RETURN c.uid AS id ORDER BY id",
    "fuseki": "SELECT ?c { ?c a k:Claim } ORDER BY ?c",
}


@dataclass(frozen=True, slots=True)
class CutNetwork:
    """A server, and the same server behind a proxy."""

    server: Server
    behind: Server
    proxy: CuttingProxy


@pytest.fixture(params=["neo4j", "fuseki"])
def cut(request: pytest.FixtureRequest, servers: Servers, local: Local) -> Iterator[CutNetwork]:
    with reserved(servers, request.param) as server:
        found = re.search(r":(\d+)", server.address.partition("//")[2])
        assert found is not None
        with cutting_proxy(int(found[1])) as proxy:
            address = server.address.replace(found[0], f":{proxy.port}")
            # a client that routes would be told the server's own address, and pass the proxy by
            behind = replace(server, address=address.replace("neo4j://", "bolt://"))
            wipe(server)
            yield CutNetwork(server, behind, proxy)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transactions of Bolt are tried again for a second instead of fifteen."""
    from neo4j import GraphDatabase

    whole = GraphDatabase.driver

    def driver(uri: str, **options: object) -> object:
        return whole(uri, **{**options, "max_transaction_retry_time": 1.0})  # type: ignore[arg-type]

    monkeypatch.setattr(GraphDatabase, "driver", driver)


def each_cut(network: CutNetwork, work: Callable[[], object], *, few: bool) -> Iterator[tuple[Way, int, bool]]:
    """Every cut that the conversation of a piece of work allows; with `few` one in the middle of each way."""
    network.proxy.restart()
    work()
    counted = dict(network.proxy.counted)
    for way in WAYS:
        last = counted[way]
        numbers = (last // 2,) if few else range(1, last + 1, EVERY)
        for number in numbers:
            yield way, number, number % 2 == 0


def tried(network: CutNetwork, work: Callable[[], object], way: Way, number: int, *, lasting: bool) -> KgError | None:
    """The work with a cut in it: the error it ended with, which must be one of ours; afterwards the network is whole."""
    network.proxy.restart(way, number, lasting=lasting)
    try:
        work()
    except (StoreError, QueryError) as error:
        return error
    finally:
        network.proxy.restart()
    return None


FEW = pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.long)], ids=["few", "every"])


@FEW
def test_a_push_that_is_cut_is_ended_by_the_next(cut: CutNetwork, local: Local, few: bool) -> None:
    local.push(cut.server)
    whole = digest(cut.server)
    count, ended = 0, 0

    def push() -> None:
        local.push(cut.behind)

    wipe(cut.server)
    for way, number, lasting in [*each_cut(cut, push, few=few)]:
        wipe(cut.server)
        error = tried(cut, push, way, number, lasting=lasting)
        local.push(cut.behind)
        assert digest(cut.server) == whole, (way, number, lasting)
        count, ended = count + 1, ended + (error is None)
    print(f"{cut.server.engine}: push cut {count} times, {ended} ended all the same, the others when done again")


@FEW
def test_a_pull_that_is_cut_leaves_what_was_and_is_ended_by_the_next(
    cut: CutNetwork, local: Local, tmp_path: Path, few: bool
) -> None:
    local.push(cut.server)
    head, target = local.head(), tmp_path / "pulled"
    count, ended = 0, 0

    def fetch() -> None:
        shutil.rmtree(target, ignore_errors=True)
        pull(cut.behind.address, target)

    for way, number, lasting in [*each_cut(cut, fetch, few=few)]:
        error = tried(cut, fetch, way, number, lasting=lasting)
        assert error is None or not (target / "ledger" / "manifest.json").exists(), "a list of what is not all here"
        pull(cut.behind.address, target)
        ledger = Ledger(target / "ledger")
        assert ledger.manifest().head == head and ledger.verify() > 0
        count, ended = count + 1, ended + (error is None)
    print(f"{cut.server.engine}: pull cut {count} times, {ended} ended all the same, the others when done again")


@FEW
def test_an_answer_that_is_cut_is_whole_or_an_error(cut: CutNetwork, local: Local, few: bool) -> None:
    local.push(cut.server)
    count, ended = 0, 0
    found: list[object] = []

    def ask() -> None:
        graph = open_graph(cut.behind.address, content=local.content)
        try:
            answer = graph.query(CLAIMS[cut.server.engine])
            compared = graph.ask("comparisons/compare", a="Acme One", b="Acme Two")
            assert not isinstance(answer, bytes)
            found[:] = [answer.rows, compared.rows, sum(1 for _ in graph.records())]
        finally:
            graph.close()

    cuts = [*each_cut(cut, ask, few=few)]
    whole = list(found)
    assert len(whole[0]) == 3  # type: ignore[arg-type]
    for way, number, lasting in cuts:
        found.clear()
        error = tried(cut, ask, way, number, lasting=lasting)
        assert found == ([] if error is not None else whole), (way, number, lasting)
        ask()
        assert found == whole
        count, ended = count + 1, ended + (error is None)
    print(f"{cut.server.engine}: questions cut {count} times, {ended} answered all the same")


def test_a_server_that_falls_silent_in_a_push_is_waited_for_no_longer_than_asked(cut: CutNetwork, local: Local) -> None:
    local.push(cut.server)
    whole = digest(cut.server)
    for way, number, _ in [*each_cut(cut, lambda: local.push(cut.behind, anew=True), few=True)]:
        cut.proxy.restart(way, number, silent=True)
        with pytest.raises(DeadlinePassed):
            local.push(cut.behind, anew=True, timeout_seconds=2)
        assert cut.proxy.has_cut
        cut.proxy.restart()
        local.push(cut.behind)
        assert digest(cut.server) == whole, (way, number)


def test_the_proxy_cuts_where_it_is_told_to(cut: CutNetwork, local: Local) -> None:
    local.push(cut.server)
    for way in WAYS:
        cut.proxy.restart(way, 1, lasting=True)
        with pytest.raises(StoreError):
            open_graph(cut.behind.address, content=local.content)
        assert cut.proxy.has_cut
