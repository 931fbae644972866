"""What the endpoint says of itself (https://www.w3.org/TR/sparql11-service-description/) and of its data (VoID)."""

from __future__ import annotations

from typing import Final

import pyoxigraph
from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.model.vocabulary import PREFIXES
from kg.web.negotiation import GRAPHS, ROWS

_SD: Final = "http://www.w3.org/ns/sparql-service-description#"
VOID: Final = "http://rdfs.org/ns/void#"
_FORMATS: Final = "http://www.w3.org/ns/formats/"
_NAMES: Final = {
    "application/sparql-results+json": "SPARQL_Results_JSON",
    "application/sparql-results+xml": "SPARQL_Results_XML",
    "text/csv": "SPARQL_Results_CSV",
    "text/tab-separated-values": "SPARQL_Results_TSV",
    "text/turtle": "Turtle",
    "application/n-triples": "N-Triples",
    "application/ld+json": "JSON-LD",
    "application/rdf+xml": "RDF_XML",
}
_TYPE: Final = NamedNode(f"{PREFIXES['rdf']}type")


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)


def service_description(endpoint: str, *, triples: int | None) -> list[Triple]:
    """The description of an endpoint at an address; the size of its data where it is known."""
    service, data, graph = BlankNode(), BlankNode(), BlankNode()
    forms = dict.fromkeys((*ROWS.values(), *GRAPHS.values()))
    description = [
        Triple(service, _TYPE, _sd("Service")),
        Triple(service, _sd("endpoint"), NamedNode(endpoint)),
        Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query")),
        *(Triple(service, _sd("resultFormat"), NamedNode(_FORMATS + _NAMES[form])) for form in forms),
        Triple(service, _sd("defaultDataset"), data),
        Triple(data, _TYPE, _sd("Dataset")),
        Triple(data, _sd("defaultGraph"), graph),
        Triple(graph, _TYPE, _sd("Graph")),
    ]
    if triples is not None:
        count = Literal(str(triples), datatype=NamedNode(f"{PREFIXES['xsd']}integer"))
        description.append(Triple(graph, NamedNode(f"{VOID}triples"), count))
    return description


def written(triples: list[Triple], media_type: str) -> bytes:
    """Triples in one of the media types of graphs."""
    form = pyoxigraph.RdfFormat.from_media_type(GRAPHS[media_type])
    prefixes = {**PREFIXES, "sd": _SD, "void": VOID, "formats": _FORMATS}
    # Only prefixes that are used: the header would be longer than the description.
    used = {name: iri for name, iri in prefixes.items() if any(iri in str(triple) for triple in triples)}
    made = pyoxigraph.serialize(triples, format=form, prefixes=used)
    assert made is not None
    return made
