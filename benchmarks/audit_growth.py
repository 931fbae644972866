"""How the audit grows: microseconds of processor time a claim, from 10,000 claims up, whole and part by part.

    python -m benchmarks.audit_growth [--sizes 10000 100000] [--json FILE]

`world` are new documents about known and new things, as a growing store has them; the goal is meant for these. `dense` are
copies of the curated claims that all speak of the same few hundred things with other figures, so that nothing fits and every
rule has work. `quiet` are the same copies without derivations, restatements and notes.
"""

import argparse
import gc
import json
import resource
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.synthetic import SEED, synthetic_claims, synthetic_world
from kg.audit.audit import AuditInput, audit
from kg.audit.recompute import DerivationAudit
from kg.build.build import content_records, read_background
from kg.content.folders import find_content
from kg.model.derived import Deriver

Json = Any
LIMIT = 50.0
_LINKS = ("derivations", "restates", "same_as", "note")


def consumed(work: Callable[[], Iterable[object]]) -> tuple[float, int]:
    """Seconds of processor time, and how many things came out."""
    started = process_time()
    count = sum(1 for _ in work())
    return process_time() - started, count


def measure(claims: list[Json], things: list[Json], given_units: Any, background: Any) -> dict[str, float]:
    """Microseconds a claim of the whole audit and of its parts."""
    by_id, registry = {one["id"]: one for one in claims}, {one["id"]: one for one in things}
    deriver = Deriver(given_units)
    given = AuditInput(by_id, registry, given_units, deriver, background.references, background.links)
    gc.collect()
    gc.freeze()  # the collector need not look again and again at the claims, which a build does not hold
    started = process_time()
    found = audit(given)
    whole = process_time() - started
    gc.freeze()  # nor at what the whole audit found, while its parts are measured
    auditor = given.auditor()
    parts: dict[str, Callable[[], Iterable[object]]] = {
        "recompute": lambda: DerivationAudit(given_units, by_id.get).findings(claims),
        "own": lambda: map(auditor.own, claims),
        "scopes": lambda: (scope for one in claims for scope in auditor.scopes(one)),
    }
    result = {"whole": whole * 1e6 / len(claims), "findings": len(found) / len(claims)}
    for name, work in parts.items():
        result[name] = consumed(work)[0] * 1e6 / len(claims)
    gc.unfreeze()
    return result


def main() -> int:
    """Measure, print a table and JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    content = find_content()
    records, registry, vocabulary = content_records(content)
    background = read_background(content, vocabulary, registry)
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    results: dict[str, dict[str, float]] = {}
    for size in options.sizes:
        bare = [{k: v for k, v in one.items() if k not in _LINKS} for one in real]
        for name, made in (
            ("world", list(synthetic_world(real, things, size))),
            ("dense", [*synthetic_claims(real, size), *things]),
            ("quiet", [*synthetic_claims(bare, size), *things]),
        ):
            claims = [one for one in made if one["record"] == "claim"]
            known = [one for one in made if one["record"] != "claim"]
            results[f"{name} {size}"] = measure(claims, known, vocabulary.units, background)
    columns = list(next(iter(results.values())))
    print(f"microseconds of processor time a claim (seed {SEED}; goal {LIMIT:.0f} on a world)")
    print(f"{'claims':<18}" + "".join(f"{name:>12}" for name in columns))
    for name, one in results.items():
        print(f"{name:<18}" + "".join(f"{one[column]:12.1f}" for column in columns))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
