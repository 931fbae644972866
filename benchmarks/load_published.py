"""Rows to the RDF view against the engine's own bulk load of the finished file, in one run; and peak memory.

    python benchmarks/load_published.py [ROWS ...]      (default: 10000 100000)

Each size runs in a process of its own, so that the peak is that of this size. The rows are made up, in the shape of a
summary file of MLPerf: three claims each, with derivations and a dozen conditions.
"""

import json
import multiprocessing
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import pyoxigraph

from kg.build.build import StorePlace, build_content
from kg.build.published import load_published
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.ingest.sources import get_loader

TASKS = ("llama2-70b-99", "llama2-70b-99.9", "deepseek-r1", "llama3.1-405b")
TARGET = 1.5


def write_rows(path: Path, rows: int) -> None:
    """A summary file of made-up entries."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("[")
        for number in range(rows):
            row = {
                "ID": f"9.0-{number // 8:07d}",
                "Submitter": "NVIDIA",
                "Availability": "available",
                "Category": "closed",
                "Suite": "datacenter",
                "System": f"made up (8x B200-SXM-180GB) {number // 8}",
                "Platform": f"p{number // 8}",
                "Model": TASKS[number % 4],
                "UsedModel": TASKS[number % 4],
                "Scenario": ("Offline", "Server")[number // 4 % 2],
                "Accuracy": "none",
                "Nodes": 1,
                "Processor": "none",
                "Accelerator": "NVIDIA B200-SXM-180GB",
                "a#": 8,
                "Location": f"closed/made-up/{number}",
                "Software": "none",
                "Notes": "",
                "compliance": 1,
                "errors": 0,
                "version": "v9.0",
                "inferred": 0,
                "has_power": False,
                "weight_data_types": "fp8",
                "Performance_Result": round(1000 + number * 0.37, 2),
                "Performance_Units": "Tokens/s",
            }
            file.write(("," if number else "") + json.dumps(row))
        file.write("]")


def peak_megabytes() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(rows: int, answers: Any) -> None:
    """One size: load, then the bulk load of what came out."""
    content = find_content()
    with tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name:
        folder = Path(name)
        place = StorePlace(folder / "store")
        build_content(place, content)
        before = peak_megabytes()
        file = folder / "summary_results.json"
        write_rows(file, rows)
        loader = get_loader(content, "mlperf-inference")
        read_registry(content), read_vocabulary(content)
        started = perf_counter()
        dry = load_published(place, content, loader, [file], dry_run=True)
        intake, intake_peak = perf_counter() - started, peak_megabytes()
        started = perf_counter()
        loaded = load_published(place, content, loader, [file])
        seconds, peak = perf_counter() - started, peak_megabytes()
        assert loaded.built is not None and loaded.rejected == dry.rejected == 0
        live = place.rdf.current()
        assert live is not None
        dumped = folder / "view.nt"
        pyoxigraph.Store.read_only(str(live[0])).dump(
            str(dumped), format=pyoxigraph.RdfFormat.N_TRIPLES, from_graph=pyoxigraph.DefaultGraph()
        )
        started = perf_counter()
        store = pyoxigraph.Store(str(folder / "again"))
        store.bulk_load(path=str(dumped), format=pyoxigraph.RdfFormat.N_TRIPLES)
        store.flush()
        bulk = perf_counter() - started
        answers.put(
            {
                "rows": rows,
                "claims": loaded.files[0].claims,
                "triples": loaded.built.triples,
                "rows_to_records": intake,
                "rows_to_view": seconds,
                "of_which_view": loaded.built.seconds["view"],
                "of_which_audit": loaded.built.seconds.get("audit", 0.0),
                "bulk_load": bulk,
                "ratio": seconds / bulk,
                "peak_before": before,
                "peak_rows_to_records": intake_peak,
                "peak": peak,
            }
        )


def main(sizes: list[int]) -> None:
    """Measure every size and print one line each."""
    context = multiprocessing.get_context("spawn")
    for rows in sizes:
        answers = context.Queue()
        process = context.Process(target=measure, args=(rows, answers))
        process.start()
        found = answers.get()
        process.join()
        print(json.dumps({key: round(value, 2) if isinstance(value, float) else value for key, value in found.items()}))


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [10_000, 100_000])
