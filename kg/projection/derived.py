"""The derived set as N-Triples, from the records it is kept in: the same triples that a build writes."""

from collections.abc import Iterable, Iterator

from kg.model.json_types import JsonMapping
from kg.model.kinds import DERIVED, META
from kg.model.terms import Form
from kg.model.view_stamp import ViewStamp
from kg.projection.record_triples import node_lines
from kg.projection.shared import SharedNodes


def derived_lines(
    records: Iterable[JsonMapping], form: Form = "export", shared: SharedNodes | None = None
) -> Iterator[str]:
    """The triples of findings, steps, clusters, counts, advice and measured rows, a text a record."""
    nodes = shared or SharedNodes()
    return (node_lines(DERIVED[record["record"]], record, form=form, shared=nodes) for record in records)


def meta_lines(stamp: ViewStamp, claims: int) -> str:
    """The triples of the node that says what the view was made from."""
    return node_lines(META, {**stamp, "claims": claims})
