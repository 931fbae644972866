"""Several processes on one store: first use at once, loads at once, and readers all the while."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kg.build.build import content_records
from kg.content.folders import find_content
from kg.ledger.ledger import Ledger
from tests.small_content import ROOT, write_small_content

COUNT = "SELECT (COUNT(DISTINCT ?c) AS ?n) WHERE { ?c a <https://w3id.org/accelkg/ontology#Claim> }"

OPEN = """
import sys
from kg.session import open_graph
told = []
graph = open_graph(sys.argv[1], content=sys.argv[3], tell=told.append)
print(graph.query(sys.argv[2]).rows[0][0], graph.stamp["generation"], sum("building" in one for one in told))
"""

LOAD = """
import sys
from pathlib import Path
from kg.content.folders import find_content
from kg.build.build import StorePlace
from kg.build.load import load_all
from kg.ledger.lock import writer_lock
folder = Path(sys.argv[1])
with writer_lock(folder, wait_seconds=300):
    load_all(StorePlace(folder), find_content(Path(sys.argv[3])), [Path(sys.argv[2])], edition="2026-01-01")
"""

READ = """
import sys
from kg.session import open_graph
from kg.stores.oxigraph import GenerationMissing
counts = []
while not counts or counts[-1] < int(sys.argv[4]):
    try:
        counts.append(int(open_graph(sys.argv[1], content=sys.argv[3]).query(sys.argv[2]).rows[0][0]))
    except GenerationMissing:  # two loads ended since it was opened; the error says to open it again
        continue
print(*counts)
"""


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    return out


@pytest.fixture(params=["small", pytest.param("shipped", marks=pytest.mark.long)])
def content(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What is built; the long run builds for seconds, so that all are surely at it together."""
    return write_small_content(tmp_path / "content").root if request.param == "small" else ROOT


@pytest.fixture
def real(content: Path) -> list[Any]:
    return [one for one in content_records(find_content(content))[0] if one["record"] == "claim"]


def test_four_first_uses_at_once_build_once_and_answer_alike(tmp_path: Path, content: Path, real: list[Any]) -> None:
    answers = [finished(one).split() for one in [started(OPEN, tmp_path / "store", COUNT, content) for _ in range(4)]]
    assert {(count, generation) for count, generation, _ in answers} == {(str(len(real)), "gen-000001")}
    assert sum(int(built) for *_, built in answers) == 1


def test_three_loads_at_once_are_all_there_and_readers_see_whole_steps(
    tmp_path: Path, content: Path, real: list[Any]
) -> None:
    store = tmp_path / "store"
    finished(started(OPEN, store, COUNT, content))
    plain = [one for one in real if {"derivations", "restates", "same_as"}.isdisjoint(one)][:25]
    per_file = len(plain)
    for number in range(3):
        lines = [
            json.dumps(
                {
                    **{k: v for k, v in one.items() if k != "revision"},
                    "id": one["id"].replace("/", f"/load{number}.", 1),
                }
            )
            for one in plain
        ]
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    total = len(real) + 3 * per_file
    readers = [started(READ, store, COUNT, content, total) for _ in range(2)]
    loads = [started(LOAD, store, tmp_path / f"{number}.jsonl", content) for number in range(3)]
    for load in loads:
        finished(load)
    steps = {len(real) + number * per_file for number in range(4)}
    for reader in readers:
        seen = [int(one) for one in finished(reader).split()]
        assert set(seen) <= steps, "a reader saw a part of a load"
        assert seen == sorted(seen)
        assert seen[-1] == total
    manifest = Ledger(store / "ledger").manifest()
    assert sorted(one.origin for one in manifest.segments) == [
        "claims/0",
        "claims/1",
        "claims/2",
        "content",
    ]
