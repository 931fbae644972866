"""A few of each kind of hostile run with a fixed seed; `python -m tests.hostile` makes many with any other."""

import random
import re
from pathlib import Path

import pytest

from kg.build.writing import load_files, rebuild
from kg.session import open_graph
from kg.stores.oxigraph import GenerationMissing, OxigraphStore
from tests.hostile.damage import CLAIMS, damage
from tests.hostile.inject import inject
from tests.hostile.kill import kill
from tests.small_content import claim, write_lines, write_small_content


@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.long)])
def test_a_few_damaged_files_are_told_and_mended(count: int, tmp_path: Path) -> None:
    """`tests/ledger/test_store_damage.py` damages every file in an ordinary run; here is that the random one works."""
    counts, failed = damage(tmp_path, count=count, seed=2026)
    assert failed == []
    assert counts["tried"] == count


def rows(store: Path, content: Path) -> object:
    with open_graph(store, content=content) as graph:
        return graph.query(CLAIMS), [one["id"] for one in graph.records()]


def _flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for at in chance.sample(range(len(data)), 50):
        changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed)


def test_flipped_triples_are_found_before_the_engine_reads_them(tmp_path: Path) -> None:
    """Of 400 damages with seed 77 two let the engine go round in a block without an end; what is damaged is not asked."""
    content = write_small_content(tmp_path / "content").root
    store = tmp_path / "store"
    rebuild(store, content=content)
    new = write_lines(tmp_path / "one.jsonl", *(claim(f"900/one-{n}") for n in range(40)))
    load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False, wait_seconds=0)
    right = rows(store, content)
    chance = random.Random(77)
    files = sorted(store.glob("rdf/gen-*/*.sst"))
    for sealed in files:
        whole = sealed.read_bytes()
        sealed.write_bytes(_flipped(whole, chance))
        with pytest.raises(GenerationMissing, match=re.escape(sealed.name)):
            OxigraphStore.open(sealed.parent)
        sealed.write_bytes(whole)
    last = files[-1]
    last.write_bytes(_flipped(last.read_bytes(), chance))
    told: list[str] = []
    open_graph(store, content=content, tell=told.append).close()
    assert any(last.name in line for line in told), told
    assert rows(store, content) == right


@pytest.mark.long
def test_a_few_killed_builds_and_loads_leave_a_store_that_is_right(tmp_path: Path) -> None:
    counts, failed = kill(tmp_path, count=3, seed=2026)
    assert failed == []
    assert counts["tried"] == 3


def test_a_few_hostile_values_are_asked_in_both_languages_alike(tmp_path: Path) -> None:
    content = write_small_content(tmp_path / "content").root
    counts, failed = inject(tmp_path, count=12, seed=2026, servers=(), content=content)
    assert failed == []
    assert counts["asked"] == 24
