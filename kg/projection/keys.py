"""The derived keys of a claim: as triples of the claim and of its figure, and as properties of its node."""

from kg.model.derived import Keys
from kg.model.derived_records import ClaimKeys, FigureKeys
from kg.model.kinds import CLAIM_KEYS, FIGURE_KEYS
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import claim_iri
from kg.projection.node_rows import node_properties
from kg.projection.record_triples import said_of
from kg.projection.rows import Properties


def claim_keys(keys: Keys) -> ClaimKeys:
    """The keys of the claim itself."""
    return {"statement_key": keys.statement, "status": "current"}


def figure_keys(keys: Keys) -> FigureKeys:
    """What a figure is found by, and its canonical form where it has one."""
    found: FigureKeys = {"value_buckets": list(keys.buckets)}
    if keys.canonical is None:
        return found
    numbers = keys.numbers
    found["canonical_unit"], found["quantity_kind"] = keys.canonical.unit, keys.canonical.kind
    if numbers.value is not None:
        found["canonical_value"] = numbers.value
    if numbers.canonical_lower is not None:
        found["canonical_lower"] = numbers.canonical_lower
    if numbers.canonical_upper is not None:
        found["canonical_upper"] = numbers.canonical_upper
    return found


def key_lines(record: ClaimRecord, keys: Keys) -> str:
    """The triples of the derived keys next to those of their claim, as an export has them."""
    node = f"<{claim_iri(record['id'])}"
    lines = [f"{node}>{one}" for one in said_of(ClaimKeys, claim_keys(keys), "export")]
    return "".join((*lines, *(f"{node}#quantity>{one}" for one in said_of(FigureKeys, figure_keys(keys), "export"))))


def key_properties(keys: Keys) -> Properties:
    """The derived keys as properties of the claim."""
    return {**node_properties(CLAIM_KEYS, claim_keys(keys), ""), **node_properties(FIGURE_KEYS, figure_keys(keys), "")}
