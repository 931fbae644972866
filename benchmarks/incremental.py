"""Adding one in a hundred claims to a built store, against building the whole from nothing.

    python -m benchmarks.incremental [--claims N] [--share 0.01] [--json FILE]

The claims are those of `synthetic_world`: new documents about known and new things. Both ways read finished records from a
file, write the segment, conclude what follows, and make the next generation of the view; each runs in a process of its own.
Processor seconds stand beside the wall clock. Exit 1 when the ratio is over the limit, or when the two ways do not come to the same triples.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import orjson

from benchmarks.synthetic import SEED, synthetic_world

LIMIT = 0.03
Json = Any


def step(name: str, folder: Path, claims: int, share: float) -> Json:
    """One way in this process: `base` builds all but the new claims, `add` adds them, `whole` builds all at once."""
    from kg.build.build import StorePlace, build_view, content_records, refresh_view
    from kg.content.folders import find_content
    from kg.ledger.ledger import with_revision
    from kg.ledger.lock import writer_lock

    content = find_content()
    records, registry, vocabulary = content_records(content)
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    old = int(claims * (1 - share))
    place = StorePlace(folder / ("whole" if name == "whole" else "grown"))

    first, count = (old, claims) if name == "add" else (0, old if name == "base" else claims)
    path = folder / f"{name}.jsonl"
    with open(path, "wb") as file:
        for one in synthetic_world(real, things, count, first=first):
            file.write(orjson.dumps(with_revision(one)) + b"\n")

    def finished() -> Iterator[Json]:
        with open(path, "rb") as file:
            for line in file:
                yield orjson.loads(line)

    used, started = consumed(), perf_counter()
    with writer_lock(place.folder):
        if name == "add":
            place.ledger.add(finished(), origin="new", edition="2", scope="partial", registry="bench")
            built = refresh_view(place, content, vocabulary, registry)
        else:
            place.ledger.add(finished(), origin="base", edition="1", scope="full", registry="bench")
            built = build_view(place, content, vocabulary, registry)
    wall, used = perf_counter() - started, consumed() - used
    path.unlink()
    return {
        "wall": wall,
        "cpu": used,
        "triples": built.triples,
        "claims": built.claims,
        "findings": built.findings,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **built.seconds,
    }


def consumed() -> float:
    """Processor seconds of this process with all its threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Run the ways in turn, print a table and JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--share", type=float, default=0.01)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--step", choices=("base", "add", "whole"))
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(step(options.step, options.folder, options.claims, options.share)))
        return 0
    found: dict[str, Json] = {}
    with tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name:
        for one in ("base", "add", "whole"):
            command = [
                sys.executable,
                "-m",
                "benchmarks.incremental",
                "--step",
                one,
                "--folder",
                name,
                "--claims",
                str(options.claims),
                "--share",
                str(options.share),
            ]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            found[one] = json.loads(done.stdout.splitlines()[-1])
    ratios = {kind: found["add"][kind] / found["whole"][kind] for kind in ("cpu", "wall")}
    print(
        f"{options.claims:,} synthetic claims (seed {SEED}), {found['whole']['triples']:,} triples; {options.share:.1%} of them new"
    )
    print(f"{'':<8}{'cpu s':>10}{'wall s':>10}{'audit s':>10}{'memory MB':>12}{'triples':>14}")
    for one, row in found.items():
        print(
            f"{one:<8}{row['cpu']:10.2f}{row['wall']:10.2f}{row['audit']:10.2f}{row['memory']:12.0f}{row['triples']:14,}"
        )
    print(
        f"ratio of adding to building: {ratios['cpu']:.4f} of processor time, {ratios['wall']:.4f} of the wall clock (at most {LIMIT})"
    )
    if options.json:
        result = {**found, "ratios": ratios, "claims": options.claims, "seed": SEED, "limit": LIMIT}
        options.json.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    same = (
        found["add"]["triples"] == found["whole"]["triples"] and found["add"]["findings"] == found["whole"]["findings"]
    )
    return int(ratios["cpu"] > LIMIT or not same)


if __name__ == "__main__":
    sys.exit(main())
