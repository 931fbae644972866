"""A small registry and the compact claims of `tests/cases/conflicts`."""

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from kg.audit.comparable import ComparableFigure, read_comparable
from kg.audit.pair import Judgement, judge
from kg.audit.subjects import Subjects
from kg.model.derived import Deriver
from kg.model.units import UnitTable
from tests.audit.seeds import CHECKOUT

Json = Any
CASES = sorted((CHECKOUT / "tests" / "cases" / "conflicts").glob("*.yaml"))
FOLDER = CHECKOUT / "tests" / "cases" / "pairs"

_THINGS: list[tuple[str, str, Json]] = [
    ("family/arch", "architecture", {}),
    ("family/h", "chip-family", {"member_of": "family/arch", "maker": "org/n"}),
    ("family/g", "chip-family", {"member_of": "family/arch", "maker": "org/n"}),
    ("accelerator/h-sxm", "accelerator", {"member_of": "family/h", "maker": "org/n"}),
    ("accelerator/h-pcie", "accelerator", {"member_of": "family/h", "maker": "org/n"}),
    ("accelerator/g-gpu", "accelerator", {"member_of": "family/g"}),
    ("superchip/g", "superchip", {"member_of": "family/g", "parts": [{"part": "accelerator/g-gpu", "count": 2}]}),
    ("system/rack", "rack", {"member_of": "family/g", "parts": [{"part": "superchip/g", "count": 36}]}),
    ("system/tray", "node", {"member_of": "family/g"}),
    ("model/m", "dense-model", {}),
    ("benchmark/mlperf-x", "benchmark-suite", {}),
    ("task/t", "benchmark-task", {"model": "model/m", "suite": "benchmark/mlperf-x"}),
    ("task/u", "benchmark-task", {"model": "model/m", "suite": "benchmark/mlperf-x"}),
    ("scenario/offline", "scenario", {}),
    ("scenario/server", "scenario", {}),
]
REGISTRY: Mapping[str, Json] = {
    name: {"id": name, "record": "entity", "label": name, "kind": kind, **more} for name, kind, more in _THINGS
}
SUBJECTS = Subjects(REGISTRY)
DERIVER = Deriver(
    UnitTable.from_mapping(yaml.safe_load((CHECKOUT / "ontology" / "units.yaml").read_text(encoding="utf-8")))
)


def claim(name: str, *parts: Mapping[str, Any]) -> Json:
    """A whole claim from a few fields."""
    record: Json = {
        "id": name,
        "record": "claim",
        "kind": "specification",
        "subject": "family/h",
        "level": "accelerator",
        "asserted_by": f"org/{name.partition('/')[0]}",
        "source": f"source/{name.partition('/')[0]}",
        "anchor": {"start": 0, "end": 1, "sha256": "0" * 64},
    }
    for part in parts:
        record |= part
    return record


def sides(records: Iterable[Json]) -> list[ComparableFigure]:
    """Claims made ready; all of them must have a figure."""
    known = {record["id"]: record for record in records}
    found = [read_comparable(record, deriver=DERIVER, subjects=SUBJECTS, lookup=known.get) for record in known.values()]
    return [side for side in found if side is not None]


def judged(one: Json, other: Json) -> Judgement:
    """The verdict of two records."""
    left, right = sides([one, other])
    return judge(left, right, SUBJECTS)
