"""All parts, in the order in which they are run."""

from typing import Final

from benchmarks.parts import (
    audit,
    best,
    both_views,
    build,
    cold_start,
    conflicts,
    cypher,
    incremental,
    lookup,
    push,
    validate,
)
from benchmarks.parts.part import Part, Step
from benchmarks.parts.world import MAKERS

PARTS: Final[dict[str, Part]] = {
    one.name: one
    for one in (
        validate.PART,
        build.PART,
        build.MEMORY,
        audit.PART,
        both_views.PART,
        cold_start.PART,
        lookup.PART,
        conflicts.PART,
        best.PART,
        push.PART,
        cypher.PART,
        incremental.PART,
    )
}
STEPS: Final[dict[str, Step]] = {
    step.name: step for step in (*MAKERS.values(), *(step for part in PARTS.values() for step in part.steps))
}
SERVED: Final = frozenset(("push.neo4j", "cypher.neo4j"))
"""Steps that need a server."""
