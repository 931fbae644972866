"""Triples that give each class of claims and things its word (`k:kindName`), which is `kind` in the property graph and tables.

Called by every build of a view.
"""

from collections.abc import Iterator

from kg.model.vocabulary import CLAIM_CLASS, ENTITY_CLASS, expand
from kg.projection.literals import quoted

_OF_EVERY_SOURCE = "source"
"""An unresolved source is of this class too, so that it says nothing of the kind: a source has its `k:kind`."""


def class_lines() -> Iterator[str]:
    """The word of each class that says of what kind a node is."""
    term = expand("k:kindName")
    for kind, cls in (*CLAIM_CLASS.items(), *ENTITY_CLASS.items()):  # "market" is a word of both
        if not kind.endswith(_OF_EVERY_SOURCE):
            yield f"<{expand(cls)}> <{term}> {quoted(kind)} .\n"
