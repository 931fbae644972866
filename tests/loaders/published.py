"""Loads published files for tests: the reports, the live records by id, and the refused rows. No view is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kg.build.build import StorePlace
from kg.build.published import load_published
from kg.content.folders import find_content
from kg.ingest.load_report import Report
from kg.ingest.sources import get_loader
from tests.small_content import ROOT

CASES = ROOT / "tests" / "cases" / "loaders"
DATA = ROOT.parent / "shared" / "data"
Json = Any


@dataclass(frozen=True)
class Load:
    """What a load left in the ledger."""

    reports: tuple[Report, ...]
    records: dict[str, Json]
    rejected: list[Json]

    @property
    def claims(self) -> dict[str, Json]:
        """The claims alone."""
        return {name: one for name, one in self.records.items() if one["record"] == "claim"}

    def figure(self, name: str) -> tuple[Any, Any]:
        """Value and unit of a claim."""
        quantity = self.records[name]["quantity"]
        return quantity["value"], quantity["unit"]

    def entities(self, kind: str) -> list[str]:
        """Ids of the things of a kind that the load made."""
        return sorted(name for name, one in self.records.items() if one["record"] == "entity" and one["kind"] == kind)


def skip_without(folder: str) -> pytest.MarkDecorator:
    """Skip a module of tests where the published files are not there."""
    missing = not (DATA / folder).is_dir()
    return pytest.mark.skipif(missing, reason="the published files lie beside the repository in ../shared only")


def load(source: str, paths: Sequence[Path], store: Path, edition: str | None = None) -> Load:
    """Load files of one source into a store; several calls with one store add up."""
    content, place = find_content(ROOT), StorePlace(store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.build.published.refresh_view", lambda *given, **named: None)
        done = load_published(place, content, get_loader(content, source), list(paths), edition=edition)
    return Load(done.files, {one["id"]: one for one in place.ledger.current()}, list(place.ledger.rejected()))


def said(records: dict[str, Json]) -> dict[str, Json]:
    """The records without what only tells of their history."""
    return {name: {key: part for key, part in one.items() if key != "supersedes"} for name, one in records.items()}


def both_orders(source: str, first: Path, second: Path, store: Path) -> Load:
    """Load two snapshots in both orders, check that both say the same, and give what they say."""
    forward, backward = store / "forward", store / "backward"
    load(source, [first], forward)
    one = load(source, [second], forward)
    load(source, [second], backward)
    other = load(source, [first], backward)
    assert said(one.records) == said(other.records)
    return one
