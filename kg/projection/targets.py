"""Where a link leads: the id, the IRI and the table of the node that a field names."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from kg.model.identifiers import is_source_id
from kg.model.json_types import JsonMapping
from kg.model.terms import Target
from kg.model.vocabulary import claim_iri, thing_iri

THINGS: Final = ("Entity", "Source")
"""Where the id of a thing may lead."""
TABLES_OF: Final[dict[Target, tuple[str, ...]]] = {
    "thing": THINGS,
    "claim": ("Claim",),
    "metric": ("Metric",),
    "unit": ("Unit",),
    "quantity-kind": ("QuantityKind",),
    "derivation": ("Derivation",),
    "subject": ("Claim", "Source"),
    "reached": ("Claim", "Source", "Entity"),
}
"""The tables that a link may lead to."""
_PREFIXED: Final = frozenset({"metric", "unit", "quantity-kind"})


def thing_table(identifier: str) -> str:
    """The table of the id of a thing.

    >>> thing_table("unresolved/some-report"), thing_table("org/nvidia")
    ('Source', 'Entity')
    """
    return "Source" if is_source_id(identifier) else "Entity"


def target_id(target: Target, value: Any, record: JsonMapping) -> str:
    """The id of the node in the property graph.

    >>> target_id("unit", "TB/s", {}), target_id("derivation", 1, {"claims": [{"claim": "002/a"}]})
    ('unit/TB/s', '002/a#derivation-1')
    """
    if target in _PREFIXED:
        return f"{target}/{value}"
    if target == "derivation":
        # The first claim of a finding is the one that it is about.
        return f"{record['claims'][0]['claim']}#derivation-{value}"
    return str(value)


def target_table(target: Target, value: str, record: Mapping[str, object]) -> str:
    """The table of the node in the property graph."""
    if target == "thing" or (target == "reached" and not record["is_claim"]):
        return thing_table(value)
    if target == "subject":
        return "Source" if thing_table(value) == "Source" else "Claim"
    return TABLES_OF[target][0]


def target_iri(target: Target, value: object, record: Mapping[str, object]) -> str:
    """The IRI of the node."""
    return iri_writer(target)(value, record)


@cache
def iri_writer(target: Target) -> Callable[[Any, JsonMapping], str]:
    """What gives the IRI of a node: a build asks for it a million times, so that the kind of target is looked at once.

    >>> iri_writer("claim")("002/a", {})
    'https://w3id.org/accelkg/id/claim/002/a'
    """
    if target == "claim":
        return lambda value, _: claim_iri(value)
    if target == "derivation":
        return lambda value, record: f"{claim_iri(record['claims'][0]['claim'])}#derivation-{value}"
    if target in ("subject", "reached"):
        return lambda value, record: (
            claim_iri(value) if target_table(target, value, record) == "Claim" else thing_iri(value)
        )
    return lambda value, record: thing_iri(target_id(target, value, record))
