"""The names of things as triples."""

from collections.abc import Iterable, Iterator

from kg.model.identifiers import short_hash
from kg.model.kinds import NAME
from kg.model.names import Name
from kg.projection.nodes import node_lines


def name_lines(names: Iterable[Name]) -> Iterator[str]:
    """The triples of name nodes: `k:nameKey`, `k:names`, `k:covers`. A key may hold any sign, so the IRI holds its hash."""
    for name in names:
        record = {"key": name.key, "names": name.names, "covers": name.covers}
        yield node_lines(NAME, record, uid=f"name/{short_hash(name.key)}")
