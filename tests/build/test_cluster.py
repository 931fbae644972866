"""A build on a Spark cluster gives what a local build gives: line for line, triple for triple, whatever dies on the way."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest

from kg.build.build import StorePlace
from kg.build.partition import current_record
from kg.build.writing import load_files, rebuild
from kg.ledger.derived import derived_set
from kg.ledger.ledger import Ledger
from kg.session import open_graph
from kg.stores.protocol import Answer
from tests.build.spark_cluster import Cluster, running_cluster
from tests.small_content import ROOT, claim, write_lines, write_small_content

DATA = ROOT.parent / "shared" / "data"


def state(store: Path) -> tuple[list[bytes], set[str]]:
    """The lines of the derived set, sorted, and the triples of the view."""
    live = StorePlace(store).rdf.current()
    assert live is not None
    lines = sorted(derived_set(store / "ledger" / "derived", live[1]["head"], live[1]["rules"]))
    view = pyoxigraph.Store.read_only(str(live[0]))
    return lines, {str(one) for one in view}


def test_the_current_record_is_that_of_the_ledger(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger")
    shapes = [
        ("a", "2025-01", "full", ["1", "2"]),
        ("a", "2025-02", "full", ["2", "3"]),
        ("b", "2025-03", "partial", ["1", "3"]),
        ("b", "2024-01", "partial", ["1", "4"]),
    ]
    for number, (origin, edition, scope, names) in enumerate(shapes):
        records = [
            {
                "record": "entity",
                "id": f"org/{name}",
                "kind": "vendor",
                "label": f"{name} {number}",
                "revision": f"{number:016x}",
            }
            for name in names
        ]
        ledger.add(records, origin=origin, edition=edition, scope=scope, registry="")  # type: ignore[arg-type]
    import orjson

    from kg.ledger.ledger import retired
    from kg.ledger.segment import read_segment

    manifest = ledger.manifest()
    out = retired(manifest.segments)
    revisions: dict[str, list[dict[str, object]]] = {}
    for place, info in enumerate(manifest.segments):
        for record in read_segment(ledger.segments_folder, info):
            revisions.setdefault(record["id"], []).append(
                {"edition": info.edition, "place": place, "retired": place in out, "body": orjson.dumps(record)}
            )
    expected = {one["id"]: one for one in ledger.current()}
    for name, some in revisions.items():
        found = current_record(some)
        assert (None if found is None else orjson.loads(found)) == expected.get(name)
    assert len(expected) == 4


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def build(store: Path, cluster: Cluster, content: Path) -> None:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    rebuild(store, content=content, on=cluster.address)


@pytest.mark.long
def test_the_shipped_content_on_a_cluster(tmp_path: Path, cluster: Cluster) -> None:
    rebuild(tmp_path / "local", content=ROOT)
    build(tmp_path / "spread", cluster, ROOT)
    assert state(tmp_path / "spread") == state(tmp_path / "local")
    assert not (tmp_path / "spread.cluster").exists() or not list((tmp_path / "spread.cluster").iterdir())


@pytest.mark.long
def test_loads_with_older_and_newer_editions_on_a_cluster(tmp_path: Path, cluster: Cluster) -> None:
    content = write_small_content(tmp_path / "content").root
    store = tmp_path / "local"
    rebuild(store, content=content)
    for edition in ("2026-01-02", "2026-01-01"):
        changed = claim("900/new", note=f"as of {edition}")
        more = claim(f"900/only.{edition}", subject="accelerator/acme-two")
        file = write_lines(tmp_path / f"{edition}.jsonl", changed, more)
        load_files([file], store=store, content=content, edition=edition, dry_run=False, wait_seconds=5)
    spread = Path(shutil.copytree(store, tmp_path / "spr[ea]d?"))  # of a pattern Spark would read the files of others
    rebuild(store, content=content)
    build(spread, cluster, content)
    assert state(spread) == state(store)
    graph = open_graph(spread, content=content)
    answer = graph.query("SELECT ?c WHERE { ?c a k:Claim }")
    assert isinstance(answer, Answer)
    assert len(answer.rows) == 6
    graph.close()


@pytest.mark.long
@pytest.mark.skipif(not DATA.is_dir(), reason="the publishers' files are not beside this checkout")
def test_published_data_on_a_cluster(tmp_path: Path, cluster: Cluster) -> None:
    store = tmp_path / "local"
    rebuild(store, content=ROOT)
    for source in ("mlcommons-training", "skypilot-catalog"):
        subprocess.run(
            [sys.executable, "-m", "kg", "load", "--all", str(DATA / source), "--store", str(store), "--quiet"],
            cwd=ROOT,
            check=False,
        )
    shutil.copytree(store, tmp_path / "spread")
    rebuild(store, content=ROOT)
    build(tmp_path / "spread", cluster, ROOT)
    assert state(tmp_path / "spread") == state(store)


@pytest.mark.long
def test_a_worker_that_dies_and_a_driver_that_dies(tmp_path: Path) -> None:
    rebuild(tmp_path / "local", content=ROOT)
    with running_cluster(tmp_path / "cluster") as cluster:
        command = [
            sys.executable,
            "-m",
            "kg",
            "build",
            "--on",
            cluster.address,
            "--store",
            str(tmp_path / "spread"),
            "--quiet",
        ]
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
        driver = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
        work = tmp_path / "spread.cluster"
        until = time.monotonic() + 300
        while not list(work.glob("*/claims/_SUCCESS")):
            assert time.monotonic() < until and driver.poll() is None, "the first step never ended"
            time.sleep(0.2)
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()
        done = next(work.glob("*/claims/_SUCCESS")).stat().st_mtime_ns
        again = subprocess.Popen(command, cwd=ROOT, env=environment)
        while not list(work.glob("*/scopes")):
            assert again.poll() is None, "the job ended before a worker could be killed"
            time.sleep(0.05)
        kept = next(work.glob("*/claims/_SUCCESS")).stat().st_mtime_ns
        cluster.kill_worker(0)
        assert again.wait(timeout=600) == 0
    assert kept == done, "the step that was done was done again"
    assert state(tmp_path / "spread") == state(tmp_path / "local")
