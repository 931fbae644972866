"""The RO-Crate by the validator of others: all that must hold holds, and what should but for an address we do not have."""

import json
from pathlib import Path

import pytest

from kg.export.formats import export
from kg.export.ro_crate import METADATA
from kg.session import Graph
from tests.outside.crate_validator import PACKAGE, CrateReport, judged
from tests.outside.programs import missing
from tests.servers.artifacts import Unavailable


def report(crate: Path) -> CrateReport:
    try:
        return judged(crate)
    except Unavailable as why:
        missing(PACKAGE, why)


def test_a_hostile_crate_is_valid(hostile: Graph, out: Path) -> None:
    export(hostile, "ro-crate", out / "crate")
    told = report(out / "crate")
    assert told.checks > 60
    # the project has no address yet, which an organization should have
    assert [(severity, text) for severity, _, text in told.issues] == [
        ("RECOMMENDED", "The organization SHOULD have a URL.")
    ]


@pytest.mark.long
def test_the_shipped_crate_is_valid(shipped: Graph, out: Path) -> None:
    export(shipped, "ro-crate", out / "crate")
    assert not [one for one in report(out / "crate").issues if one[0] == "REQUIRED"]


def test_a_crate_without_its_licence_or_a_file_is_not(hostile: Graph, out: Path) -> None:
    export(hostile, "ro-crate", out / "crate")
    document = json.loads((out / "crate" / METADATA).read_text())
    root = next(one for one in document["@graph"] if one["@id"] == "./")
    del root["license"]
    (out / "crate" / METADATA).write_text(json.dumps(document))
    (out / "crate" / "claims.csv").unlink()
    found = [text for severity, _, text in report(out / "crate").issues if severity == "REQUIRED"]
    assert any("claims.csv" in one for one in found) and any("license" in one.lower() for one in found), found
