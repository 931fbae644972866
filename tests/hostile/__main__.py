"""Hostile runs with a seed: `python -m tests.hostile damage|kill|inject [--count 100] [--seed 7]`; prints counts and what failed.

`damage` changes any file of a store at random, `kill` ends builds and loads with -9 at any moment, `inject` asks every
saved question with hostile values on the embedded engines, and on the servers whose addresses are given.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.hostile.damage import damage
from tests.hostile.inject import inject
from tests.hostile.kill import kill


def main() -> int:
    """Run one kind; 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("damage", "kill", "inject"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", action="append", default=[], help="for inject: a server of the shipped content")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.kind == "inject":
            counts, failed = inject(Path(folder), count=given.count, seed=given.seed, servers=given.server)
        else:
            run = damage if given.kind == "damage" else kill
            counts, failed = run(Path(folder), count=given.count, seed=given.seed)
    for line in failed:
        print(line)
    print(json.dumps({"kind": given.kind, "seed": given.seed, **counts, "failed": len(failed)}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
