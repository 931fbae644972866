"""What stands around a derivation and may explain a slip in it: sizes of nodes and superchips, figures printed nearby.

The registry gives the sizes (`surroundings`, for `kg.audit.auditor` and `kg.answers.impact`); a caller may add figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.subjects import Subjects
from kg.model.recorded import ThingRecord


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a derivation and may explain a slip; every part is optional.

    ``neighbours`` are figures printed next to the result, ``other_subjects`` the same figure of other subjects,
    ``input_neighbours`` pairs an input's name with a figure that may have been taken in its place.
    """

    accelerators_per_node: int | None = None
    nodes: int | None = None
    accelerators_per_superchip: int | None = None
    """0 where it is in no superchip with several; None where nothing is known of that."""
    cards: int | None = None
    may_be_sparse: bool = False
    neighbours: tuple[ExplainedQuantity, ...] = ()
    other_subjects: tuple[ExplainedQuantity, ...] = ()
    input_neighbours: tuple[tuple[str, ExplainedQuantity], ...] = ()


def surroundings(registry: Mapping[str, ThingRecord]) -> dict[str, Surroundings]:
    """What stands around a thing of the registry: the accelerators of its node, and of the superchips of its series.

    A series without a superchip has none, so that a result about it was not divided by one.

    >>> things = {"family/h": {"kind": "chip-family"}, "accelerator/h": {"kind": "accelerator", "member_of": "family/h"},
    ...           "node/h": {"kind": "node", "of": "accelerator/h", "parts": [{"part": "accelerator/h", "count": 8}]}}
    >>> around = surroundings(things)["accelerator/h"]
    >>> around.accelerators_per_node, around.accelerators_per_superchip
    (8, 0)
    """
    subjects = Subjects(registry)
    nodes: dict[str, int] = {}
    superchips: dict[str, int | None] = {}
    for name, record in sorted(registry.items()):
        counts = {p["part"]: p["count"] for p in record.get("parts") or () if subjects.kind(p["part"]) == "accelerator"}
        if record.get("kind") == "node":
            nodes.update(counts)
        elif record.get("kind") == "superchip":
            inside = sum(counts.values()) if counts else None
            # a superchip of one accelerator divides nothing: it must not be offered as a wrong divisor
            superchips.setdefault(subjects.root(name), 0 if inside == 1 else inside)
    found: dict[str, Surroundings] = {}
    for name in registry:
        root = subjects.root(name)
        if name in nodes or root in superchips or subjects.kind(root) == "chip-family":
            # in a known series the absence of a superchip is knowledge (0); of a thing
            # without series nothing is known
            known = 0 if subjects.kind(root) == "chip-family" else None
            found[name] = Surroundings(nodes.get(name), accelerators_per_superchip=superchips.get(root, known))
    return found
