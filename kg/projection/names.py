"""The names of things as triples."""

from collections.abc import Iterable, Iterator

from kg.model.identifiers import short_hash
from kg.model.kinds import NAME
from kg.model.names import Name
from kg.projection.record_triples import node_lines


def name_lines(names: Iterable[Name]) -> Iterator[str]:
    """The triples of name nodes: `k:nameKey`, `k:names`, `k:covers`.

    Names that name and cover the same are one node with several keys: a thing has its id, its label and its aliases, each
    also as "=name", and a node for each of them would be a tenth of all triples of the shipped content.
    """
    keys: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for name in names:
        keys.setdefault((name.names, name.covers), []).append(name.key)
    for (named, covered), some in keys.items():
        record = {"key": some, "names": named, "covers": covered}
        yield node_lines(NAME, record, uid=f"name/{short_hash([*named, '', *covered])}")
