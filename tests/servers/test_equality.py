"""Every saved question gives the same rows on the servers as embedded, in the language of each."""

from collections.abc import Iterator

import pytest

from kg.sync import push as push_module
from kg.sync.bolt_target import BoltTarget
from kg.sync.buckets import BucketChange, Buckets, parts_for
from kg.sync.push import PushState, Target
from kg.sync.servers import open_target
from kg.sync.sparql_target import SparqlTarget, TripleSink
from tests.equality.engines import Engine, oxigraph
from tests.equality.random_graphs import random_world
from tests.equality.test_equality import RANDOM_WORLDS, asked
from tests.equality.worlds import World, seeds, small
from tests.sampling import first
from tests.servers.fixtures import Servers, reserved


@pytest.fixture(scope="module", params=first(2, ["neo4j", "fuseki", "arcadedb"]))
def target(request: pytest.FixtureRequest, servers: Servers) -> Iterator[Target]:
    with reserved(servers, request.param) as server, pytest.MonkeyPatch.context() as patched:
        for name, value in server.environment().items():
            patched.setenv(name, value)
        opened = open_target(server.address)
        yield opened
        opened.wipe()
        opened.close()


def load(world: World, target: Target) -> Engine:
    """A world on a server, as a push brings it."""
    if isinstance(target, BoltTarget):
        parts = target.parts_of(world.rows())
    else:
        parts = Buckets()
        TripleSink(parts).write(world.triples.encode())
    target.wipe()
    target.prepare()
    number = parts_for(parts.count)
    target.mark(PushState("pushing", world.name, number, {}))
    with parts:
        group: list[BucketChange] = []
        for part in parts.parts(number):
            group.append(BucketChange(part.number, (), part.lines))
            if sum(len(one.after) for one in group) >= push_module.CHANGED_AT_ONCE:
                target.apply(group, world.name)
                group = []
        if group:
            target.apply(group, world.name)
    target.settle(world.name)
    target.mark(PushState("ready", world.name, number, {}))
    assert isinstance(target, BoltTarget | SparqlTarget)
    return Engine(target.reader())


def differing(
    world: World, oracle: Engine, target: Target, *, case: bool, times: int = 1, most: int | None = None
) -> list[str]:
    return asked(
        {target.shown.partition(":")[0]: load(world, target)}, oracle, world, case=case, times=times, most=most
    )


@pytest.mark.parametrize("most", [2, pytest.param(None, marks=pytest.mark.long)])  # an example, and one of every value
def test_the_small_graph_gives_the_rows_of_the_embedded_store(
    target: Target, most: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Which gives those of rdflib: `tests/equality` holds the embedded stores against it, random graphs too."""
    oracle = oxigraph(small(), tmp_path_factory.mktemp("oracle"))
    assert differing(small(), oracle, target, case=True, most=most) == []


@pytest.mark.long
def test_the_shipped_seeds_give_the_rows_of_the_embedded_store(
    target: Target, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    """Many values for each parameter; `test_reading` asks each question's example in every run."""
    if "arcadedb" in request.node.name:
        pytest.skip("takes minutes on this engine: it looks ids up in one index for each combination of labels")
    oracle = oxigraph(seeds(), tmp_path_factory.mktemp("oracle"))
    assert differing(seeds(), oracle, target, case=True) == []


@pytest.mark.long
@pytest.mark.parametrize("graphs", RANDOM_WORLDS, ids=lambda graphs: str(graphs.start))
def test_random_claim_graphs_give_the_rows_of_the_embedded_store(
    target: Target, graphs: range, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    if "arcadedb" in request.node.name:
        pytest.skip("takes minutes on this engine: it looks ids up in one index for each combination of labels")
    world = random_world(graphs)
    oracle = oxigraph(world, tmp_path_factory.mktemp("oracle"))
    assert differing(world, oracle, target, case=False) == []
