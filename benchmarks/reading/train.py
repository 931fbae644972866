"""Learns the ranker of the package from the curated claims: the same claims and documents make the same file.

python -m benchmarks.reading.train --documents DIR [--check]
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.reading.curated import CuratedWorld
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.learn import learn_ranker, write_ranker
from kg.reading.ranker import SHIPPED, Ranker
from kg.reading.taught import taught_figures


def main() -> int:
    """Write the file, or with --check say whether it would be the same."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=Path, required=True)
    options.add_argument("--check", action="store_true")
    given = options.parse_args()
    world = CuratedWorld.read(given.documents)
    knowledge = ReadingKnowledge.from_content(world.registry, world.vocabulary, ranker=Ranker())
    taught = [one for _, one in taught_figures(world.claims, world.documents, knowledge)]
    ranker = learn_ranker(taught, knowledge)
    before = SHIPPED.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / SHIPPED.name if given.check else SHIPPED
        write_ranker(ranker, target)
        same = target.read_bytes() == before
    print(f"{len(taught)} figures of {len(world.sources)} documents; {'the same file' if same else 'another file'}")
    return 0 if same or not given.check else 1


if __name__ == "__main__":
    sys.exit(main())
