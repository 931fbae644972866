"""A process that writes to a store and may be killed on the way; the tests start it with JSON as its argument.

The JSON says what to do: `folder`, `steps` (each `add` or `build`, with its arguments) and `die_at`: the number of the
boundary at which the process kills itself, or null to run to the end and print the names of all boundaries passed.
"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.ledger import durable
from kg.ledger.ledger import Ledger, with_revision
from kg.ledger.lock import writer_lock
from kg.projection.triples import TripleWriter
from kg.stores.oxigraph import Generations


class Clock:
    """Counts the boundaries and ends the process, with no chance to clean up, at one of them."""

    def __init__(self, die_at: int | None) -> None:
        self.die_at = die_at
        self.passed: list[str] = []

    def tick(self, name: str) -> None:
        self.passed.append(name)
        if self.die_at is not None and len(self.passed) > self.die_at:
            os.kill(os.getpid(), signal.SIGKILL)


def organisation(name: str, label: str) -> dict[str, Any]:
    return with_revision({"record": "entity", "id": f"org/{name}", "kind": "vendor", "label": label})


def add(folder: Path, step: dict[str, Any]) -> None:
    Ledger(folder / "ledger").add(
        [organisation(name, label) for name, label in step["records"].items()],
        origin=step["origin"],
        edition=step["edition"],
        scope=step["scope"],
        registry="r",
        replace=step.get("replace", False),
    )


def build(folder: Path, clock: Clock) -> None:
    ledger, writer = Ledger(folder / "ledger"), TripleWriter()
    manifest = ledger.manifest()

    def chunks() -> Iterator[str]:
        for record in ledger.current(manifest):
            clock.tick("view:chunk")
            yield writer.record(record)
        clock.tick("view:loaded")

    Generations(folder / "rdf").build(chunks(), {"head": manifest.head}, switch=durable.write_whole)


def main() -> None:
    work = json.loads(sys.argv[1])
    folder, clock = Path(work["folder"]), Clock(work["die_at"])
    durable.boundary = clock.tick
    with writer_lock(folder):
        for step in work["steps"]:
            if step["do"] == "add":
                add(folder, step)
            else:
                build(folder, clock)
    print(json.dumps(clock.passed))


if __name__ == "__main__":
    main()
