"""A release is the same bytes twice, and everything it needs has a licence that fits."""

import zipfile
from pathlib import Path

from deploy.release import COMPATIBLE, build_twice, licences


def test_wheel_and_source_archive_are_the_same_twice(tmp_path: Path) -> None:
    built = build_twice(tmp_path, "1760000000")
    assert sorted(path.suffix for path in built) == [".gz", ".whl"]
    again = build_twice(tmp_path / "again", "1760000000")
    assert [path.read_bytes() for path in built] == [path.read_bytes() for path in again]
    with zipfile.ZipFile(next(path for path in built if path.suffix == ".whl")) as wheel:
        assert {info.date_time[:3] for info in wheel.infolist()} == {(2025, 10, 9)}


def test_every_library_has_a_licence_that_fits() -> None:
    rows = licences()
    assert {"pydantic", "pyoxigraph", "rdflib", "pydantic-core"} <= {name for name, _, _ in rows}
    assert [f"{name}: {licence}" for name, _, licence in rows if not COMPATIBLE.search(licence)] == []
    assert not COMPATIBLE.search("GNU General Public License v3 (GPLv3)")
