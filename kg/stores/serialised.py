"""Results of a query in the exchange formats of SPARQL, written to a stream as the engine gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import pyoxigraph

from kg.stores.oxigraph import OxigraphStore, QueryRefused, refusals

_WITH_PREFIXES: Final = frozenset({"text/turtle", "application/rdf+xml"})
"""Forms of graphs that people read."""


class Sink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> int:
        """Take a piece and say how long it was."""
        ...

    def flush(self) -> None:
        """Let nothing wait."""
        ...


@dataclass(frozen=True, slots=True)
class QueriedGraphs:
    """The data set that a request asks for in place of the one of its query; both empty: that of the query."""

    default: Sequence[str] = ()
    named: Sequence[str] = ()

    def arguments(self) -> dict[str, list[pyoxigraph.NamedNode]]:
        """What the engine gets: a data set that names only graphs of one kind has none of the other."""
        if not self.default and not self.named:
            return {}
        return {"default_graph": [_graph(iri) for iri in self.default], "named_graphs": [_graph(i) for i in self.named]}


def write_result(
    store: OxigraphStore,
    text: str,
    sink: Sink,
    *,
    media_type: str,
    graphs: QueriedGraphs,
    base: str,
    prefixes: Mapping[str, str],
) -> None:
    """Evaluate a query that was checked, and write its result in a format of the kind that it gives.

    `base` resolves relative IRIs; `prefixes` are those that a query need not declare.
    """
    with refusals():
        try:
            result = store.store.query(text, base_iri=base, prefixes=dict(prefixes), **graphs.arguments())  # type: ignore[arg-type]
        except ValueError as cause:
            raise QueryRefused(given=base, expected="the address of the endpoint as an IRI") from cause
        if isinstance(result, pyoxigraph.QueryTriples):
            form = pyoxigraph.RdfFormat.from_media_type(media_type)
            if media_type in _WITH_PREFIXES:
                pyoxigraph.serialize(result, sink, format=form, prefixes=dict(prefixes))  # type: ignore[arg-type]
                return
            # The engine's type of a stream asks for everything that a file can do; it writes and flushes.
            result.serialize(sink, format=form)  # type: ignore[arg-type]
        else:
            result.serialize(sink, format=pyoxigraph.QueryResultsFormat.from_media_type(media_type))  # type: ignore[arg-type]


def _graph(iri: str) -> pyoxigraph.NamedNode:
    try:
        return pyoxigraph.NamedNode(iri)
    except ValueError as cause:
        raise QueryRefused("is not the IRI of a graph.", given=iri, expected="an absolute IRI") from cause
