"""The names of things as triples."""

from collections.abc import Iterable, Iterator

from kg.model.identifiers import short_hash
from kg.model.kinds import NAME
from kg.model.names import Name
from kg.model.terms import Form
from kg.projection.record_triples import node_lines


def name_lines(names: Iterable[Name], form: Form = "export") -> Iterator[str]:
    """The triples of name nodes: `k:nameKey`, `k:names`, `k:covers`.

    Names that name and cover the same are one node with several keys: a thing has its id, its label and its aliases, and a
    node for each of them would be a tenth of all triples of the shipped content. An export has each also as "=name", which
    covers what the name names; in a view that is read there, at `k:names`.
    """
    keys: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for name in names:
        if form == "export" or not name.key.startswith("="):
            keys.setdefault((name.names, name.covers), []).append(name.key)
    for (named, covered), some in keys.items():
        record = {"key": some, "names": named, "covers": covered}
        yield node_lines(NAME, record, uid=f"name/{short_hash([*named, '', *covered])}")
