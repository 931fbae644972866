"""A build of 100,000 synthetic claims against its two unavoidable parts: validating the records, loading the triples.

    python -m benchmarks.build_100k [--claims N] [--rounds N] [--json FILE]

The build takes raw records, validates them, writes the segment durably, reads it back, writes triples with derived keys
and loads them into a new generation. The parts alone are: validating the same records, and one bulk load of the finished
N-Triples file. The audit is in neither figure and stands on its own line. Exit 1 when the ratio is over the limit.
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pyoxigraph
from pydantic import TypeAdapter

from benchmarks.synthetic import SEED, synthetic_claims
from kg.build.build import StorePlace, build_view, content_records
from kg.content.folders import find_content
from kg.ledger.ledger import with_revision
from kg.ledger.lock import writer_lock
from kg.model.record import Claim

LIMIT = 1.5
Json = Any


def timed(work: Callable[[], Any]) -> float:
    started = perf_counter()
    work()
    return perf_counter() - started


def validate(claims: list[Json]) -> None:
    adapter = TypeAdapter(Claim)
    for claim in claims:
        adapter.validate_python(claim)


def build(folder: Path, claims: list[Json], things: list[Json]) -> dict[str, float]:
    """Everything from raw records to a live view; seconds of each part."""
    content = find_content()
    _, registry, vocabulary = content_records(content)
    place = StorePlace(folder)
    with writer_lock(folder):
        validating = timed(lambda: validate(claims))
        started = perf_counter()
        records = (with_revision(one) for one in (*claims, *things))
        place.ledger.add(records, origin="synthetic", edition="1", scope="full", registry="bench")
        ledger = perf_counter() - started
        built = build_view(place, content, vocabulary, registry)
    audit = built.seconds["audit"]
    return {
        "validate": validating,
        "ledger": ledger,
        "view": built.seconds["view"] - audit,
        "audit": audit,
        "triples": built.triples,
    }


def dump(folder: Path, target: Path) -> None:
    live = StorePlace(folder).rdf.current()
    assert live is not None
    with open(target, "wb") as file:
        pyoxigraph.Store.read_only(str(live[0])).dump(
            output=file, format=pyoxigraph.RdfFormat.N_TRIPLES, from_graph=pyoxigraph.DefaultGraph()
        )


def bulk_load(folder: Path, text: Path) -> None:
    store = pyoxigraph.Store(str(folder))
    store.bulk_load(path=str(text), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
    store.flush()


def measure(claims: list[Json], things: list[Json]) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name:
        folder = Path(name)
        found = build(folder / "store", claims, things)
        dump(folder / "store", folder / "finished.nt")
        shutil.rmtree(folder / "store")
        found["validate alone"] = timed(lambda: validate(claims))
        found["load alone"] = timed(lambda: bulk_load(folder / "alone", folder / "finished.nt"))
    found["build"] = found["validate"] + found["ledger"] + found["view"]
    found["parts alone"] = found["validate alone"] + found["load alone"]
    found["ratio"] = found["build"] / found["parts alone"]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    records, *_ = content_records(find_content())
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    claims = list(synthetic_claims(real, options.claims))
    rounds = [measure(claims, things) for _ in range(options.rounds)]
    result = {name: median(one[name] for one in rounds) for name in rounds[0]}
    result |= {"claims": len(claims), "seed": SEED, "rounds": options.rounds, "limit": LIMIT}

    print(
        f"{len(claims):,} synthetic claims (seed {SEED}), {result['triples']:,.0f} triples, median of {options.rounds}"
    )
    for name in ("validate", "ledger", "view", "build", "validate alone", "load alone", "parts alone", "audit"):
        print(f"  {name:<16}{result[name]:8.2f} s")
    print(f"  {'ratio':<16}{result['ratio']:8.2f}   (build / parts alone; at most {LIMIT})")
    text = json.dumps(result, indent=1, sort_keys=True)
    if options.json:
        options.json.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    return int(result["ratio"] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
