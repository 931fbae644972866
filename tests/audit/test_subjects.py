"""How things stand to one another, and what conditions say of them."""

from typing import Any

import pytest

from kg.audit.conditions import compare, said
from kg.audit.subjects import Kinship, Subjects
from tests.audit.conflict_cases import REGISTRY

MORE = {
    **REGISTRY,
    "config/8x": {"kind": "configuration", "label": "8x", "of": "accelerator/h-sxm", "level": "node"},
    "config/virtual": {"kind": "configuration", "label": "v", "of": "accelerator/h-sxm", "level": "accelerator"},
    "config/8y": {"kind": "configuration", "label": "8y", "of": "accelerator/h-pcie", "level": "node"},
    "superchip/g-large": {"kind": "superchip", "label": "G large", "member_of": "superchip/g"},
    "software/s": {"kind": "software", "label": "S", "maker": "org/n"},
    "software/t": {"kind": "software", "label": "T", "maker": "org/n"},
    "model/size-unstated": {
        "kind": "dense-model",
        "label": "M (size unstated)",
        "not_to_be_confused_with": ["model/m"],
    },
    "model/like": {"kind": "dense-model", "label": "M like", "not_to_be_confused_with": ["model/m"]},
    "round/one": {"kind": "benchmark-round", "label": "1", "suite": "benchmark/mlperf-x"},
    "loop/a": {"kind": "configuration", "label": "a", "of": "loop/b"},
    "loop/b": {"kind": "configuration", "label": "b", "of": "loop/a"},
}
SUBJECTS = Subjects(MORE)


@pytest.mark.parametrize(
    ("one", "other", "kinship"),
    [
        ("family/h", "family/h", "same"),
        ("family/h", "accelerator/h-sxm", "broader"),
        ("family/arch", "accelerator/h-sxm", "broader"),
        ("config/virtual", "accelerator/h-sxm", "broader"),
        ("accelerator/h-sxm", "accelerator/h-pcie", "variants"),
        ("config/8x", "config/8y", "variants"),
        ("config/8x", "accelerator/h-sxm", "parts"),
        ("config/8x", "family/h", "parts"),
        ("superchip/g-large", "superchip/g", "broader"),
        ("superchip/g", "system/rack", "parts"),
        ("superchip/g", "accelerator/g-gpu", "parts"),
        ("family/h", "family/g", "other"),
        ("accelerator/h-sxm", "accelerator/g-gpu", "other"),
        ("software/s", "family/h", "platform"),
        ("software/s", "software/t", "other"),
        ("software/s", "accelerator/g-gpu", "other"),
        ("model/size-unstated", "model/m", "broader"),
        ("model/like", "model/m", "other"),
        ("nobody/x", "nobody/y", "other"),
    ],
)
def test_kinship_is_symmetric(one: str, other: str, kinship: Kinship) -> None:
    assert SUBJECTS.kinship(one, other) == SUBJECTS.kinship(other, one) == kinship


def test_wholes_hold_their_parts_at_any_depth() -> None:
    assert SUBJECTS.holds("accelerator/g-gpu", "system/rack")
    assert SUBJECTS.holds("config/8x", "family/h")
    assert not SUBJECTS.holds("config/8x", "accelerator/h-pcie")
    assert not SUBJECTS.holds("superchip/g", "nobody/x")


def test_root_stops_below_the_architecture_and_at_circles() -> None:
    assert SUBJECTS.root("config/8x") == "family/h"
    assert SUBJECTS.root("family/arch") == "family/arch"
    assert SUBJECTS.root("loop/a") in ("loop/a", "loop/b")


@pytest.mark.parametrize(
    ("name", "one", "other", "state"),
    [
        ("precision", "precision/fp8", ["precision/fp8", "precision/int8"], "equal"),
        ("rounds", ["round/one", "round/two"], ["round/one"], "unstated"),
        ("rounds", ["round/one"], ["round/two"], "different"),
        ("accelerators", "16k", 16000, "equal"),
        ("accelerators", "2 nodes of 8", "8 nodes of 2", "unstated"),
        ("accelerators", "576 to 2,304", 600, "unstated"),
        ("accelerators", "576 to 2,304", 128, "different"),
        ("accelerators", "576 to 2,304", 2304, "unstated"),
        ("accelerators", "about 2,000", 2304, "unstated"),
        ("accelerators", {"status": "not-applicable"}, 8, "unstated"),
        ("sparsity", {"status": "not-applicable"}, "structured", "different"),
        ("sparsity", {"value": "structured", "status": "inferred"}, "structured", "equal"),
        ("sparsity", {"value": "structured", "status": "assumed"}, "structured", "unstated"),
        ("date", "2024", "2024-12", "unstated"),
        ("date", "2024", "2025", "different"),
        ("date", "at launch", "2025", "unstated"),
        ("phase", "training", "pre-training", "unstated"),
        ("phase", "training", "inference", "different"),
        ("model", "model/m", "language model of some size", "unstated"),
        ("model", "model/m", "model/size-unstated", "unstated"),
        ("model", "model/m", "model/like", "different"),
        ("includes", "rack, storage", "storage, and rack", "equal"),
        ("includes", "rack, storage", "rack", "different"),
    ],
)
def test_conditions_compare_in_three_values(name: str, one: Any, other: Any, state: str) -> None:
    left, right = said({name: one}, SUBJECTS), said({name: other}, SUBJECTS)
    for pair in ((left, right), (right, left)):
        # what is equal is not among the differences
        assert next((c.state for c in compare(*pair, SUBJECTS) if c.name == name), "equal") == state


def test_conditions_imply_others() -> None:
    assert said({"round": "round/one"}, SUBJECTS)["benchmark"] == {"benchmark/mlperf-x"}
    assert said({"task": "task/t"}, SUBJECTS)["model"] == {"model/m"}
    assert said({"task": "task/t", "model": {"status": "unstated"}}, SUBJECTS).keys() == {"task", "benchmark"}
    assert said({}, SUBJECTS, as_of="2024") == said({"date": "2024"}, SUBJECTS)
    assert "date" not in said({"period": "now"}, SUBJECTS, as_of="2024")
    assert said({"date": {"status": "unstated"}}, SUBJECTS, as_of="2024") == {}


def test_needed_conditions_are_asked_for_once() -> None:
    needed = [("precision",), ("model", "workload")]
    assert [c.name for c in compare({}, {}, SUBJECTS, needed=needed)] == ["model", "precision"]
    assert [c.name for c in compare({"workload": frozenset({"x"})}, {}, SUBJECTS, needed=needed)] == [
        "precision",
        "workload",
    ]


def test_what_one_includes_and_the_other_excludes_differs() -> None:
    found = compare(said({"includes": "rack, storage"}, SUBJECTS), said({"excludes": "storage"}, SUBJECTS), SUBJECTS)
    assert [(c.name, c.state) for c in found] == [("excludes", "different"), ("includes", "different")]
    apart = compare(said({"includes": "rack"}, SUBJECTS), said({"excludes": "storage"}, SUBJECTS), SUBJECTS)
    assert {c.state for c in apart} == {"unstated"}
