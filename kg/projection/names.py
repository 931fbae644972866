"""The names of things as triples."""

from collections.abc import Iterable, Iterator

from kg.model.identifiers import short_hash
from kg.model.names import Name
from kg.model.vocabulary import expand, thing_iri
from kg.projection.literals import quoted


def name_lines(names: Iterable[Name]) -> Iterator[str]:
    """The triples of name nodes: `k:nameKey`, `k:names`, `k:covers`."""
    kind, key, direct, covers = (f"<{expand(c)}>" for c in ("rdf:type", "k:nameKey", "k:names", "k:covers"))
    cls = f"<{expand('k:Name')}>"
    for name in names:
        node = f"<{thing_iri('name/' + short_hash(name.key))}>"
        out = [f"{node} {kind} {cls} .\n{node} {key} {quoted(name.key)} .\n"]
        out.extend(f"{node} {direct} <{thing_iri(one)}> .\n" for one in name.names)
        out.extend(f"{node} {covers} <{thing_iri(one)}> .\n" for one in name.covers)
        yield "".join(out)
