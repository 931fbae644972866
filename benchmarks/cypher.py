"""How long a trace takes in Cypher against SPARQL on the same claims, and both views against the slower of the two alone.

    python benchmarks/cypher.py [FOLDER]

FOLDER is a store whose ledger is measured; without it, the shipped content is. Nothing in it is changed: it is copied.
"""

import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import kg
from kg.build.build import StorePlace, build_view
from kg.build.property_graph import FOLDER, build_graph_view
from kg.content.entities import read_registry
from kg.content.vocabulary import read_vocabulary
from kg.session import Graph

TRACED = ("002/r1.gb200.offline.per-accelerator", "72428", "2.5x", "4.8 TB/s", "1,960 TFLOPS")


def best(run: Callable[[], object], times: int = 5) -> float:
    """The shortest of some runs, in seconds, after one that warms up."""
    run()
    taken = []
    for _ in range(times):
        started = perf_counter()
        run()
        taken.append(perf_counter() - started)
    return min(taken)


def traces(graph: Graph) -> list[float]:
    """Trace in Cypher over trace in SPARQL, for some numbers."""
    cypher = replace(graph, store=graph.in_language("cypher"))
    ratios = []
    for text in TRACED:
        assert graph.trace(text).to_json() == cypher.trace(text).to_json()
        sparql, other = best(lambda text=text: graph.trace(text)), best(lambda text=text: cypher.trace(text))  # type: ignore[misc]
        ratios.append(other / sparql)
        print(
            f"trace {text:<38} SPARQL {sparql * 1000:7.1f} ms   Cypher {other * 1000:7.1f} ms   {other / sparql:5.2f}"
        )
    return ratios


def views(store: Path, graph: Graph) -> float:
    """Both views over the slower of the two alone, each made from the same ledger."""
    content = graph.content
    vocabulary, registry = read_vocabulary(content), read_registry(content)

    def rdf_alone() -> object:
        shutil.rmtree(store / FOLDER, ignore_errors=True)
        return build_view(StorePlace(store), content, vocabulary, registry)

    def property_graph_alone() -> object:
        return build_graph_view(store, content, graph.stamp)

    def both() -> object:
        return build_view(StorePlace(store), content, vocabulary, registry)

    rdf = best(rdf_alone, 2)
    other = best(property_graph_alone, 2)
    together = best(both, 2)
    print(
        f"RDF alone {rdf:.2f} s   property graph alone {other:.2f} s   both {together:.2f} s   {together / max(rdf, other):.2f}"
    )
    return together / max(rdf, other)


def main() -> None:
    """Measure and print; exits with 1 where a limit is broken."""
    with tempfile.TemporaryDirectory(prefix="kg-bench-") as folder:
        store = Path(folder) / "store"
        if len(sys.argv) > 1:
            shutil.copytree(sys.argv[1], store)
        graph = kg.open(store)
        claims = graph.ask("meta/store").rows[0][-1]
        print(f"{claims} claims, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        ratios = traces(graph)
        share = views(store, graph)
        graph.close()
    print(
        f"trace in Cypher: {statistics.median(ratios):.2f} times SPARQL in the middle, {max(ratios):.2f} at most (limit 3)"
    )
    print(f"both views: {share:.2f} times the slower alone (limit 1.25)")
    sys.exit(1 if statistics.median(ratios) > 3 or share > 1.25 else 0)


if __name__ == "__main__":
    main()
