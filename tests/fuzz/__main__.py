"""Fuzz for a while: `python -m tests.fuzz records --seconds 3600 [--seed 7]`; what fails is kept in the corpus.

Without a target all of them take turns. The seed of each input is printed with what fails, so that it can be made again.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from hashlib import sha256
from pathlib import Path

from tests.fuzz.targets import TARGETS, Bench, again, made

CORPUS = Path(__file__).parent / "corpus"


def fuzz(names: list[str], seconds: float, seed: int) -> dict[str, int]:
    """Try inputs until the time is over; returns how many of each target were tried and failed."""
    counts = dict.fromkeys([*names, *(f"{name}: failed" for name in names)], 0)
    seen: set[str] = set()
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        while time.monotonic() < until:
            for name in names:
                seed += 1
                given = _input(name, random.Random(seed))
                counts[name] += 1
                try:
                    TARGETS[name](bench, given)
                except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
                    place = traceback.extract_tb(error.__traceback__)[-1]
                    what = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
                    counts[f"{name}: failed"] += 1
                    if what not in seen:
                        seen.add(what)
                        print(f"{name} seed {seed}: {what}: {str(error)[:200]}", flush=True)
                        keep(name, given)
    return counts


def _input(name: str, chance: random.Random) -> object:
    """A new input, or at times one of the corpus that is changed."""
    kept = sorted((CORPUS / name).glob("*.json"))
    if kept and chance.random() < 0.2:
        return again(json.loads(chance.choice(kept).read_text("ascii")), chance)
    return made(name, chance)


def keep(name: str, given: object) -> None:
    """Put an input into the corpus, where the tests find it."""
    text = json.dumps(given, indent=1, sort_keys=True) + "\n"
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{sha256(text.encode()).hexdigest()[:12]}.json").write_text(text, "ascii")


def main() -> int:
    """Read the arguments, fuzz, print the counts."""
    parser = argparse.ArgumentParser(description="Fuzz what a user can hand over.")
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    counts = fuzz(given.targets or list(TARGETS), given.seconds, given.seed * 1_000_000)
    print(json.dumps(counts, indent=1))
    return 1 if any(count for name, count in counts.items() if name.endswith("failed")) else 0


if __name__ == "__main__":
    sys.exit(main())
