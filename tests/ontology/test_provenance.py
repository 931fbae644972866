"""A tool that knows PROV, DCAT and RDFS, and nothing of ours, finds its way from a claim to whoever stands behind it."""

from functools import cache

import pyoxigraph

from kg.build.build import content_records
from kg.content.folders import find_content
from kg.model.vocabulary import PREFIXES, claim_iri, thing_iri
from kg.projection.provenance import source_provenance
from kg.projection.triples import TripleWriter
from tests.ontology.cases import ROOT

PREFIX_LINES = "".join(f"PREFIX {name}: <{PREFIXES[name]}>\n" for name in ("prov", "dcat", "rdfs"))


@cache
def seeds() -> tuple[pyoxigraph.Store, list[str]]:
    """The triples of what the package ships, and the IRIs of its claims."""
    records, _, _ = content_records(find_content(ROOT))
    writer, store = TripleWriter(), pyoxigraph.Store()
    text = "".join(map(writer.record, records))
    store.load(input=text.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store, [claim_iri(one["id"]) for one in records if one["record"] == "claim"]


def first_column(query: str) -> set[str]:
    solutions = seeds()[0].query(PREFIX_LINES + query)
    assert isinstance(solutions, pyoxigraph.QuerySolutions)
    return {str(solution[0].value) for solution in solutions}


def test_every_claim_leads_to_a_source_and_to_who_asserts_it() -> None:
    found = first_column(
        "SELECT ?x WHERE { ?x prov:wasQuotedFrom ?source ; prov:wasAttributedTo ?who ; rdfs:label ?label }"
    )
    assert set(seeds()[1]) <= found


def test_a_chain_of_claims_ends_in_a_text_that_somebody_wrote() -> None:
    start = claim_iri("000/mistral.heading")
    path = "prov:wasDerivedFrom/prov:wasDerivedFrom"
    reached = first_column(
        f"SELECT ?x WHERE {{ <{start}> {path} ?x . ?x prov:wasAttributedTo ?who FILTER NOT EXISTS {{ ?x prov:wasQuotedFrom ?y }} }}"
    )
    own = first_column(f"SELECT ?x WHERE {{ <{start}> prov:wasQuotedFrom ?x }}")
    assert len(own) == 1 and reached and not reached & own


def test_a_computed_figure_is_derived_from_its_inputs() -> None:
    inputs = first_column(
        f"SELECT ?x WHERE {{ <{claim_iri('002/r1.gb200.offline.per-accelerator')}> prov:wasDerivedFrom ?x }}"
    )
    assert claim_iri("002/r1.gb200.offline.total") in inputs


def test_data_sets_are_those_of_dcat() -> None:
    found = first_column("SELECT ?x WHERE { ?x a dcat:Dataset }")
    assert found and all(one.startswith(thing_iri("source/")) for one in found)


def test_bytes_have_a_checksum_and_a_licence_that_tools_know() -> None:
    digest = "0" * 64
    text = source_provenance({"id": "source/x", "form": "dataset", "sha256": digest, "licence": "CC-BY-4.0"})
    assert f'"{digest}"^^<http://www.w3.org/2001/XMLSchema#hexBinary>' in text
    assert "#sha256> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://spdx.org/rdf/terms#Checksum> ." in text
    assert text.count("<https://spdx.org/licenses/CC-BY-4.0>") == 2  # of the source, and of its bytes
    assert "spdx.org/licenses" not in source_provenance({"id": "source/x", "licence": "none stated"})
