"""A release is the same bytes twice, and everything it needs has a licence that fits."""

import json
import zipfile
from pathlib import Path

import pytest

from deploy.release import COMPATIBLE, build_twice, licences, without_places
from tests.sampling import first


@pytest.mark.parametrize("times", first(1, [1, 2]))  # once: what it does is to build twice and to compare
def test_wheel_and_source_archive_are_the_same_twice(tmp_path: Path, times: int) -> None:
    built = build_twice(tmp_path, "1760000000")
    assert sorted(path.suffix for path in built) == [".gz", ".whl"]
    for _ in range(1, times):
        again = build_twice(tmp_path / "again", "1760000000")
        assert [path.read_bytes() for path in built] == [path.read_bytes() for path in again]
    with zipfile.ZipFile(next(path for path in built if path.suffix == ".whl")) as wheel:
        assert {info.date_time[:3] for info in wheel.infolist()} == {(2025, 10, 9)}


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
