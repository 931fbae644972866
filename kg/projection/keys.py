"""The derived keys of a claim: as triples of the claim and of its figure, and as properties of its node."""

from kg.model.derived import Keys
from kg.model.derived_records import ClaimKeys, FigureKeys
from kg.model.kinds import CLAIM_KEYS, FIGURE_KEYS
from kg.model.recorded import ClaimRecord
from kg.model.terms import Form
from kg.projection.nodes import node_lines, node_properties
from kg.projection.rows import Properties


def claim_keys(keys: Keys) -> ClaimKeys:
    """The keys of the claim itself."""
    return {"statement_key": keys.statement, "status": "current", "value_buckets": list(keys.buckets)}


def figure_keys(keys: Keys) -> FigureKeys:
    """The canonical figure; empty without one."""
    if keys.canonical is None:
        return {}
    numbers = keys.numbers
    found: FigureKeys = {"canonical_unit": keys.canonical.unit, "quantity_kind": keys.canonical.kind}
    if numbers.value is not None:
        found["canonical_value"] = numbers.value
    if numbers.canonical_lower is not None:
        found["canonical_lower"] = numbers.canonical_lower
    if numbers.canonical_upper is not None:
        found["canonical_upper"] = numbers.canonical_upper
    return found


def key_lines(record: ClaimRecord, keys: Keys, form: Form = "export") -> str:
    """The triples of the derived keys."""
    name = record["id"]
    return node_lines(CLAIM_KEYS, claim_keys(keys), name, form=form) + node_lines(
        FIGURE_KEYS, figure_keys(keys), name, inner="#quantity", form=form
    )


def key_properties(keys: Keys) -> Properties:
    """The derived keys as properties of the claim."""
    return {**node_properties(CLAIM_KEYS, claim_keys(keys), ""), **node_properties(FIGURE_KEYS, figure_keys(keys), "")}
