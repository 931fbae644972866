"""Everything that a release needs has a licence that fits."""

import json

import pytest

from deploy.release import COMPATIBLE, licences, without_places


def test_every_library_of_the_program_and_its_extras_has_a_licence_that_fits() -> None:
    rows = licences()
    assert {"pydantic", "pyoxigraph", "rdflib", "pydantic-core"} <= {row[0] for row in rows if row[3] == "program"}
    assert {"matplotlib", "duckdb", "openai", "resvg-py"} <= {row[0] for row in rows if row[3] == "extra"}
    assert [row for row in rows if not COMPATIBLE.search(row[2])] == []


@pytest.mark.parametrize("text", ["GNU General Public License v3 (GPLv3)", "Limited to research", "not stated"])
def test_other_licences_are_looked_at(text: str) -> None:
    assert not COMPATIBLE.search(text)


def test_an_sbom_holds_no_place_on_this_machine() -> None:
    ours = {"name": "accelkg", "externalReferences": [{"type": "distribution", "url": "file:///here/a.whl"}]}
    other = {"name": "b", "externalReferences": [{"type": "website", "url": "https://example.org"}]}
    plain = json.loads(without_places(json.dumps({"components": [ours, other]})))
    assert plain == {"components": [{"name": "accelkg"}, other]}
