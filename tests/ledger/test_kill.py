"""A writer killed with SIGKILL at any boundary: nothing that was there is lost, and nothing half-done is seen."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

import kg.ledger
from kg.ledger.ledger import Ledger
from kg.stores.oxigraph import Generations, OxigraphStore
from tests.forked_program import run_forked_text
from tests.sampling import some

FIRST = {
    "do": "add",
    "origin": "content",
    "edition": "1",
    "scope": "full",
    "replace": True,
    "records": {"a": "A", "b": "B", "c": "C"},
}
SECOND = {
    "do": "add",
    "origin": "content",
    "edition": "2",
    "scope": "full",
    "replace": True,
    "records": {"b": "B, renamed", "c": "C", "d": "D"},
}
BUILD = {"do": "build"}
BEFORE = {"org/a": "A", "org/b": "B", "org/c": "C"}
AFTER = {"org/b": "B, renamed", "org/c": "C", "org/d": "D"}


def run_writer(folder: Path, *steps: Any, die_at: int | None = None) -> subprocess.CompletedProcess[str]:
    work = json.dumps({"folder": str(folder), "steps": steps, "die_at": die_at})
    return run_forked_text(work, folder=Path.cwd(), environment=os.environ, program="tests.ledger.writer")


def boundaries_of(folder: Path, *steps: Any) -> list[str]:
    done = run_writer(folder, *steps)
    assert done.returncode == 0, done.stderr
    passed: list[str] = json.loads(done.stdout)
    return passed


def ledger_content(folder: Path) -> dict[str, str]:
    return {name: record["label"] for name, record in Ledger(folder / "ledger").things().items()}


def view_content(folder: Path) -> dict[str, str]:
    live = Generations(folder / "rdf").current()
    if live is None:
        return {}
    store = OxigraphStore.open(live[0])
    assert store.triples() == live[1]["triples"]
    answer = store.select(
        "PREFIX skos: <http://www.w3.org/2004/02/skos/core#> SELECT ?thing ?label WHERE { ?thing skos:prefLabel ?label }"
    )
    return {str(thing): str(label) for thing, label in answer.rows}


def leftovers(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.name.endswith(".tmp")]


@pytest.fixture
def started(tmp_path: Path) -> Path:
    """A store with the first edition in ledger and view."""
    boundaries_of(tmp_path, FIRST, BUILD)
    return tmp_path


def test_the_hook_passes_every_named_boundary(started: Path) -> None:
    sources = Path(kg.ledger.__path__[0]).glob("*.py")
    named = {
        name for path in sources for name in re.findall(r'boundary\("([^"]+)"\)', path.read_text(encoding="utf-8"))
    }
    passed = boundaries_of(started, SECOND, BUILD)
    assert named <= set(passed)
    assert {"view:chunk", "view:loaded"} <= set(passed)


@pytest.mark.parametrize("step", some(4))
def test_a_kill_at_any_boundary_shows_the_old_or_the_new_and_heals(tmp_path: Path, step: int) -> None:
    boundaries_of(tmp_path / "start", FIRST, BUILD)
    shutil.copytree(tmp_path / "start", tmp_path / "model")
    names = boundaries_of(tmp_path / "model", SECOND, BUILD)
    seen: dict[str, set[str]] = {"ledger": set(), "view": set()}
    for number, name in list(enumerate(names))[::step]:
        folder = tmp_path / f"{number:02d}"
        shutil.copytree(tmp_path / "start", folder)
        killed = run_writer(folder, SECOND, BUILD, die_at=number)
        assert killed.returncode == -signal.SIGKILL, f"{number} {name}: {killed.stderr}"

        ledger, view = ledger_content(folder), view_content(folder)
        assert ledger in (BEFORE, AFTER), f"half a ledger after {number} {name}"
        assert view in (BEFORE, AFTER), f"half a view after {number} {name}"
        assert not (view == AFTER and ledger == BEFORE), f"a view ahead of its ledger after {number} {name}"
        seen["ledger"].add("new" if ledger == AFTER else "old")
        seen["view"].add("new" if view == AFTER else "old")
        assert Ledger(folder / "ledger").verify() == 3

        boundaries_of(folder, SECOND, BUILD)
        assert ledger_content(folder) == view_content(folder) == AFTER
        assert leftovers(folder) == []
    assert seen == {"ledger": {"old", "new"}, "view": {"old", "new"}}


def test_a_kill_in_the_very_first_write_leaves_an_empty_store(tmp_path: Path) -> None:
    names = boundaries_of(tmp_path / "model", FIRST)
    visible = names.index("rename:after", names.index("segment:named"))
    for number in range(len(names)):
        folder = tmp_path / f"{number:02d}"
        assert run_writer(folder, FIRST, die_at=number).returncode == -signal.SIGKILL
        assert ledger_content(folder) == ({} if number < visible else BEFORE), names[number]
        assert view_content(folder) == {}


def test_what_was_said_to_be_done_survives(started: Path) -> None:
    """A finished add is there whatever happens to the next one, at whichever boundary."""
    third = {"do": "add", "origin": "other", "edition": "1", "scope": "full", "records": {"x": "X"}}
    boundaries_of(started, SECOND)
    for number in range(3):
        run_writer(started, third, die_at=number)
        assert ledger_content(started) == AFTER


def test_repeated_kills_do_not_pile_up_files(started: Path) -> None:
    for number in (1, 2, 3, 4, 5, 6):
        run_writer(started, SECOND, BUILD, die_at=number)
    boundaries_of(started, SECOND, BUILD)
    files = sorted(path.name for path in (started / "ledger" / "segments").iterdir())
    assert not [name for name in files if name.startswith(("pending", "."))]
    assert len(list((started / "rdf").glob("gen-*"))) <= 2


LARGE = """
import sys
from pathlib import Path
from benchmarks.synthetic import synthetic_claims
from kg.content.folders import find_content
from kg.build.build import StorePlace, build_view, content_records
from kg.ledger.ledger import with_revision
from kg.ledger.lock import writer_lock

folder, claims, edition = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
content = find_content()
records, registry, vocabulary = content_records(content)
real = [one for one in records if one["record"] == "claim"]
things = [one for one in records if one["record"] != "claim"]
place = StorePlace(folder)
with writer_lock(folder):
    print("begun", flush=True)
    made = synthetic_claims(real, claims, seed=int(edition))
    place.ledger.add(
        (with_revision(one) for one in (*made, *things)),
        origin="synthetic", edition=edition, scope="full", registry="r", replace=True,
    )
    build_view(place, content, vocabulary, registry)
"""


def large_build(folder: Path, claims: int, edition: int) -> subprocess.Popen[str]:
    """A build that has just taken the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", LARGE, str(folder), str(claims), str(edition)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


@pytest.mark.long
def test_twenty_random_kills_of_a_large_build_lose_and_show_nothing(tmp_path: Path) -> None:
    """Editions differ in every figure; a reader sees one of them whole, and the ledger always verifies."""
    size, draw = 100_000, Random(72428)
    started = perf_counter()
    assert large_build(tmp_path, size, 1).wait() == 0
    whole = perf_counter() - started

    records = Ledger(tmp_path / "ledger").verify()
    triples = live_triples(tmp_path)
    for _ in range(20):
        process = large_build(tmp_path, size, 2)
        try:
            process.wait(timeout=draw.uniform(0.0, whole))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        ledger = Ledger(tmp_path / "ledger")
        (info,) = ledger.manifest().segments
        assert info.edition in ("1", "2")
        assert ledger.verify() == records
        assert live_triples(tmp_path) > 0.99 * triples
    assert large_build(tmp_path, size, 2).wait() == 0
    (info,) = Ledger(tmp_path / "ledger").manifest().segments
    live = Generations(tmp_path / "rdf").current()
    assert live is not None
    assert live[1]["head"] == Ledger(tmp_path / "ledger").manifest().head
    assert info.edition == "2"
    assert leftovers(tmp_path) == []


def live_triples(folder: Path) -> int:
    """The triples of the live generation, after checking that they are as many as its stamp says."""
    live = Generations(folder / "rdf").current()
    assert live is not None
    found = OxigraphStore.open(live[0]).triples()
    assert found == live[1]["triples"]
    return found
