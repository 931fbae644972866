"""A generation of the embedded RDF store as files."""

from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest

from kg.ledger import durable
from kg.stores.oxigraph import Generations, OxigraphStore


def lines(most: int) -> Iterator[str]:
    """Texts of a thousand triples each, in no order that the engine would sort by."""
    for start in range(0, most, 1000):
        yield "".join(
            f'<https://example.org/s{number % 7919}> <https://example.org/p{number % 11}> "{number}" .\n'
            for number in range(start, start + 1000)
        )


@pytest.mark.long  # the engine divides its files at a million triples: nothing smaller shows it
def test_a_large_build_leaves_one_sorted_file_of_each_index(tmp_path: Path) -> None:
    """The engine's bulk load alone leaves one for every million triples, and searches all of them at each lookup."""
    generations, most = Generations(tmp_path), 1_100_000
    live = generations.build(lines(most), {"fingerprint": "x"}, switch=durable.write_whole)
    alone = tmp_path / "alone"
    store = pyoxigraph.Store(str(alone))
    store.bulk_load(input="".join(lines(most)).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    store.flush()
    del store
    sorted_files = [one for one in live.glob("*.sst") if one.stat().st_size > 100_000]
    assert len([one for one in alone.glob("*.sst") if one.stat().st_size > 100_000]) >= 2 * len(sorted_files)
    asked = OxigraphStore.open(live)
    rows = asked.select('SELECT ?p { <https://example.org/s5> ?p "7924" }').rows
    assert len(rows) == 1 and asked.select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").rows == ((most,),)


def test_a_small_build_answers(tmp_path: Path) -> None:
    live = Generations(tmp_path).build(lines(1000), {}, switch=durable.write_whole)
    assert OxigraphStore.open(live).select("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").rows == ((1000,),)
