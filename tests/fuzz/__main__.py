"""Fuzz for a while: `python -m tests.fuzz records --seconds 3600 [--seed 7] [--most 120]`; what fails is kept in the corpus.

Without a target all of them take turns. The seed of each input is printed with what fails, so that it can be made again.
"""

import argparse
import json
import sys
import time

from tests.fuzz.targets import TARGETS
from tests.fuzz.watch import fuzz


def main() -> int:
    """Read the arguments, fuzz, print the counts."""
    parser = argparse.ArgumentParser(description="Fuzz what a user can hand over.")
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--most", type=float, default=120, help="seconds for one input")
    given = parser.parse_args()
    targets = {name: TARGETS[name] for name in given.targets or TARGETS}
    counts = fuzz(targets, given.seconds, given.seed * 1_000_000, most=given.most)
    print(json.dumps(counts, indent=1))
    return 1 if any(count for name, count in counts.items() if name.endswith("failed")) else 0


if __name__ == "__main__":
    sys.exit(main())
