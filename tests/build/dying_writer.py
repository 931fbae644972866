"""A process that makes the property graph of a store and kills itself at one of its boundaries; the argument is JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kg.build import property_graph
from kg.content.folders import Content
from kg.ledger import durable
from kg.stores import ladybug
from tests.ledger.writer import Clock


def _told(name: str, step: Callable[..., Any], boundary: Callable[[str], None]) -> Callable[..., Any]:
    """A step with a boundary before and after it."""

    def run(*given: Any) -> Any:
        boundary(f"{name}:before")
        made = step(*given)
        boundary(f"{name}:after")
        return made

    return run


def main() -> None:
    """Make the graph; without a boundary to die at, say how many were passed."""
    folder, root, stamp, die_at = json.loads(sys.argv[1])
    clock = Clock(die_at)
    durable.boundary = clock.tick
    for name in ("write_load_files", "load_database"):
        setattr(ladybug, name, _told(name, getattr(ladybug, name), clock.tick))
    property_graph.build_graph_view(Path(folder), Content(Path(root)), stamp)
    print(len(clock.passed))


if __name__ == "__main__":
    main()
