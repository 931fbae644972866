"""What a store of some sizes takes: the measured rows of the capacity plan in docs/scale.md.

    python -m benchmarks.capacity --machine "2 cores, 24 GB" [--sizes 10000 30000 100000] [--out docs/capacity.json]

Each size is built once in a process of its own, from finished records: segment, audit and RDF view, then the property graph.
The claims are those of the other benchmarks (`synthetic_world`). Afterwards `python docs/make_capacity.py` writes the table.
Seconds are those of the processor, of all threads and child processes, so that other work on the machine counts less.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import orjson

from benchmarks.parts.part import consumed
from benchmarks.synthetic import synthetic_world
from kg.build.build import StorePlace, build_view, content_records
from kg.content.folders import find_content
from kg.ledger.ledger import with_revision
from kg.ledger.lock import writer_lock
from kg.session import open_graph


def measure(claims: int) -> Any:
    """One row."""
    with tempfile.TemporaryDirectory(prefix="accelkg-capacity-") as folder:
        place, seconds = make_store(Path(folder) / "store", claims)
        graph = open_graph(place.folder)
        held = graph.ask("meta/store").rows[0][-1]
        triples, started = graph.stamp["triples"], consumed()
        graph.in_language("cypher")
        both = consumed()
        graph.close()
        return {
            "claims": held,
            "triples": triples,
            "ledger_mb": _mb(place.folder / "ledger"),
            "rdf_view_mb": _mb(place.folder / "rdf"),
            "whole_store_mb": _mb(place.folder),
            "build_processor_seconds": round(seconds, 1),
            "property_graph_processor_seconds": round(both - started, 1),
            "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        }


def make_store(folder: Path, claims: int) -> tuple[StorePlace, float]:
    """A store of synthetic claims about things that grow with them, and the processor seconds of its one build."""
    content = find_content()
    records, registry, vocabulary = content_records(content)
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    place, made = StorePlace(folder), folder.with_name("records.jsonl")
    with open(made, "wb") as file:
        for one in synthetic_world(real, things, claims):
            file.write(orjson.dumps(with_revision(one)) + b"\n")
    with writer_lock(folder), open(made, "rb") as file:
        started = consumed()
        place.ledger.add(
            map(orjson.loads, file), origin="synthetic", edition="1", scope="full", registry=registry.digest
        )
        build_view(place, content, vocabulary, registry)
        return place, consumed() - started


def _mb(folder: Path) -> float:
    """Size on disk; files that generations share count once."""
    seen = {
        (one.st_dev, one.st_ino): one.st_size for one in (path.stat() for path in folder.rglob("*") if path.is_file())
    }
    return round(sum(seen.values()) / 1e6, 1)


def main() -> int:
    """Measure each size, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--machine", default=f"{os.cpu_count()} cores")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(json.dumps(measure(given.one)))
        return 0
    rows = []
    for size in given.sizes:
        asked = [sys.executable, "-m", "benchmarks.capacity", "--one", str(size)]
        rows.append(json.loads(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1]))
        print(json.dumps(rows[-1]), file=sys.stderr)
    text = json.dumps({"measured": rows, "machine": given.machine, "on": str(date.today())}, indent=1) + "\n"
    if given.out is None:
        sys.stdout.write(text)
    else:
        given.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
