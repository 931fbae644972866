"""The shipped unit table, for tests that read printed numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kg.model.units import UnitTable

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def table() -> UnitTable:
    return UnitTable.from_mapping(yaml.safe_load((CHECKOUT / "ontology" / "units.yaml").read_text(encoding="utf-8")))
