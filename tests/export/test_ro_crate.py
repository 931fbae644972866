"""The RO-Crate, read by the reference library and held against the rules of the specification and its own digests."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from pyld import jsonld
from rocrate.rocrate import ROCrate

from kg.export.formats import export
from kg.export.ro_crate import METADATA
from kg.session import Graph


@pytest.fixture
def crate(graph: Graph, out: Path) -> Path:
    export(graph, "ro-crate", out / "crate")
    return out / "crate"


def test_the_reference_library_reads_every_file(crate: Path) -> None:
    read = ROCrate(str(crate))
    files = {one.id for one in read.data_entities}
    assert files == {path.name for path in crate.iterdir()} - {METADATA}
    assert str(read.root_dataset["license"].id).startswith("https://")
    assert read.datePublished and read.name and read.description


def test_sizes_and_digests_are_those_of_the_files(crate: Path) -> None:
    graph = json.loads((crate / METADATA).read_text())["@graph"]
    files = [one for one in graph if one["@type"] == "File"]
    assert len(files) > 10
    for one in files:
        data = (crate / one["@id"]).read_bytes()
        assert (int(one["contentSize"]), one["sha256"]) == (len(data), sha256(data).hexdigest())


def test_the_musts_of_the_specification_hold(crate: Path) -> None:
    """RO-Crate 1.1, root data entity and data entities: descriptor, context, flat and linked entities."""
    document = json.loads((crate / METADATA).read_text())
    by_id = {one["@id"]: one for one in document["@graph"]}
    assert len(by_id) == len(document["@graph"]), "one entity an id"
    descriptor = by_id[METADATA]
    assert (descriptor["@type"], descriptor["about"]) == ("CreativeWork", {"@id": "./"})
    assert descriptor["conformsTo"]["@id"].startswith("https://w3id.org/ro/crate/1.1")
    assert document["@context"] == "https://w3id.org/ro/crate/1.1/context"
    root = by_id["./"]
    assert root["@type"] == "Dataset" and {"name", "description", "datePublished", "license"} <= set(root)
    linked = {one["@id"] for one in root["hasPart"]}
    assert linked == {name for name, one in by_id.items() if one["@type"] == "File"}
    for one in document["@graph"]:
        for value in one.values():
            for each in value if isinstance(value, list) else [value]:
                assert not isinstance(each, dict) or set(each) == {"@id"}, "entities are flat"
                if isinstance(each, dict) and not each["@id"].startswith("https://w3id.org/ro/crate"):
                    assert each["@id"] in by_id


def test_it_is_json_ld_with_a_context_at_hand(crate: Path) -> None:
    """The remote context is replaced: a JSON-LD processor without a network reads the rest."""
    document = json.loads((crate / METADATA).read_text())
    document["@context"] = {"@vocab": "http://schema.org/", "File": "http://schema.org/MediaObject"}
    expanded = jsonld.expand(document, {"base": "https://example.org/"})
    kinds = [kind for one in expanded for kind in one["@type"]]
    assert kinds.count("http://schema.org/MediaObject") > 10 and "http://schema.org/Dataset" in kinds
