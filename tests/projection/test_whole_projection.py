"""Records with every optional field, and with none, as triples and as rows, whole: `tests/cases/whole/projection-*.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from kg.model.derived import Deriver
from kg.model.record import Claim, Entity, Source, recorded_form
from kg.model.vocabulary import PREFIXES
from kg.projection.derived import derived_lines
from kg.projection.graph_rows import RowWriter, derived_rows, quantity_form
from kg.projection.keys import key_lines
from kg.projection.rows import NodeRow, Row
from kg.projection.triples import TripleWriter
from tests.equality.worlds import vocabulary
from tests.whole import assert_read

Json = Any
WHOLE = Path(__file__).parents[1] / "cases" / "whole"
DIGEST = "0" * 64
PLACE = {"document": "a.txt", "sha256": DIGEST, "start": 1, "end": 3}
BARE: Json = {
    "id": "1/bare",
    "kind": "specification",
    "subject": "accelerator/x",
    "level": "accelerator",
    "metric": "power",
    "asserted_by": "org/a",
    "source": "source/1",
    "quantity": {"printed": "7 W", "value": 7, "unit": "W"},
    "anchor": PLACE,
}
FULL: Json = {
    **BARE,
    "id": "1/full-100%",
    "utterance": "one",
    "kind": "comparison",
    "modality": "expected",
    "polarity": "affirmed",
    "subject_printed": 'the "X"\n',
    "subjects": ["accelerator/x", "accelerator/x2"],
    "baseline": "accelerator/y",
    "baseline_level": "node",
    "baseline_printed": "Y",
    "baseline_status": "named",
    "metric": "throughput",
    "statistic": "mean",
    "normaliser": ["per-chip", "per-watt"],
    "relation": "ratio",
    "reading": "as-ratio",
    "alternatives": ["as-share", "as-increase"],
    "quantity": {"printed": "2 to 3x", "value": [2, 3], "shape": "span", "unit": "1", "hedge": "about"},
    "statement": "naïve",
    "direction": "higher",
    "conditions": {
        "accelerators": 72,
        "model": ["model/m", "m2"],
        "date": "2025-01",
        "phase": {"value": "training", "status": "inferred", "from": "the title"},
        "batch": {"status": "unstated"},
    },
    "baseline_conditions": {"accelerators": 8},
    "attributed_to": "org/b",
    "path": ["source/1", "org/b"],
    "said_on": "2025-02-03",
    "said_on_basis": "printed",
    "as_of": "2025-Q1",
    "as_of_basis": "a guess",
    "anchor": {**PLACE, "page": 4, "table": "t", "row": 2, "column": "Result"},
    "cue": "so it is",
    "same_as": "1/bare",
    "restates": [{"claim": "2/a", "fidelity": "rounded"}, {"source": "unresolved/u"}],
    "derivations": [
        {
            "expression": "a / b",
            "variant": "per-chip",
            "stated_by_text": False,
            "note": "n",
            "inputs": {"a": {"claim": "1/bare"}, "b": {"constant": 8, "unit": "count:gpu", "why": "printed"}},
        },
        {"expression": "rests-on", "inputs": {"a": {"claim": "2/a", "role": "contradicting"}}},
    ],
    "secondary": True,
    "note": "a note",
}
CLAIMS: dict[str, Json] = {
    "bare": BARE,
    "full": FULL,
    "term": {**BARE, "id": "1/term", "metric": "memory-type", "quantity": {"printed": "HBM", "term": "technology/hbm"}},
    "dated": {**BARE, "id": "1/dated", "quantity": {"printed": "in May", "date": "2025-05"}},
    "set": {**BARE, "id": "1/set", "quantity": {"printed": "A, B", "set": ["A", "B"]}},
    "absent": {**BARE, "id": "1/absent", "quantity": {"absent": True}},
    "words": {
        **{name: value for name, value in BARE.items() if name != "quantity"},
        "id": "1/words",
        "kind": "event",
        "statement": "it shipped",
        "direction": "present",
        "event": {"type": "shipment", "actor": "org/a", "operator": "org/b", "customer": "org/c", "date": "2025-06-01"},
        "anchor": {"document": "a.json", "sha256": DIGEST, "pointer": "/1"},
    },
    "exact": {
        **BARE,
        "id": "1/exact",
        "quantity": {"value": 72, "unit": "count:gpu", "exact": True},
        "anchor": {"document": "a.xlsx", "sha256": DIGEST, "sheet": "S", "cell": "B2"},
    },
    "located": {**BARE, "id": "1/located", "anchor": {"locator": "page 1"}},
}
THINGS: dict[str, Json] = {
    "bare": {"id": "accelerator/x", "kind": "accelerator", "label": "X"},
    "full": {
        "id": "config/full",
        "kind": "configuration",
        "label": "Full",
        "aliases": ["F", "f 1"],
        "level": "node",
        "maker": "org/a",
        "member_of": "family/f",
        "variant_of": "config/other",
        "accelerator_inside": "accelerator/x",
        "parts": [{"part": "accelerator/x", "count": 8, "claim": "1/bare"}, {"part": "cpu/c", "count": 2}],
        "not_to_be_confused_with": ["config/other"],
        "of": "accelerator/x",
        "count": 8,
        "form": "rented",
        "virtualised": False,
        "operator": "org/b",
        "suite": "benchmark/b",
        "model": "model/m",
        "released": "2025",
        "note": "n",
    },
}
SOURCES: dict[str, Json] = {
    "bare": {"id": "source/1", "kind": "source", "label": "S"},
    "full": {
        "id": "source/2",
        "kind": "source",
        "label": "Full",
        "aliases": ["two"],
        "form": "report",
        "document": "b.txt",
        "sha256": "1" * 64,
        "bytes": 9,
        "code_points": 8,
        "publisher": "org/a",
        "published": "2025-01-02",
        "published_basis": "printed",
        "machine_written": "partly",
        "written_by": "org/w",
        "cites": ["source/1", "unresolved/u"],
        "licence": "CC0-1.0",
        "note": "n",
    },
    "unresolved": {"id": "unresolved/u", "kind": "unresolved-source", "label": "U", "resolved_to": "source/1"},
}
FINDING: Json = {
    "record": "finding",
    "id": "finding/1/full-100%/arithmetic.inconsistent-1",
    "code": "arithmetic.inconsistent",
    "rule_version": 1,
    "severity": "violation",
    "verdict": "inconsistent",
    "message": "m",
    "derivation": 1,
    "claims": [{"claim": "1/full-100%", "role": "result"}, {"claim": "1/bare", "role": "input a"}],
    "computed": {"value": 2.5, "unit": "1"},
    "corrected": {"value": 2.25, "unit": "1", "approximate": True},
    "explanations": [
        {"code": "factor.1000", "text": "t", "corrected": 2.0},
        {"code": "other", "text": "u", "corrected": None},
    ],
    "missing": ["b"],
    "basis": "reference",
    "reference": "a sheet",
}
PLAIN: Json = {
    **dict.fromkeys(("derivation", "computed", "corrected", "reference")),
    **{name: FINDING[name] for name in ("record", "rule_version", "message")},
    "id": "finding/source/2/citation.gap-1",
    "code": "citation.gap",
    "severity": "info",
    "verdict": "gap",
    "claims": [{"claim": "source/2", "role": "text"}],
    "explanations": [],
    "missing": [],
    "basis": "document",
}
STEP: Json = {"record": "step", "claim": "1/full-100%", "hop": 1, "reaches": "2/a", "is_claim": True, "via": "restates"}
DERIVED: list[Json] = [
    FINDING,
    PLAIN,
    {**STEP, "fidelity": "rounded", "end_state": None},
    {
        **STEP,
        "hop": 2,
        "reaches": "source/1",
        "is_claim": False,
        "via": "path",
        "fidelity": None,
        "end_state": "primary",
    },
    {"record": "echo", "id": "echo/1/a", "echo_of": "1/a", "mentions": 2, "origins": 1, "members": ["1/a", "2/a"]},
    {"record": "origins", "claim": "1/a", "mentions": 2, "origins": 0, "end_states": ["primary", "unopened"]},
    {"record": "advice", "claim": "1/a", "verdict": "wrong", "reason": "r", "value": "2x"},
    {"record": "advice", "claim": "2/a", "verdict": "confirmed", "reason": "r", "value": None},
]
MODELS: Json = {"claims": Claim, "things": Entity, "sources": Source}
GIVEN: Json = {"claims": CLAIMS, "things": THINGS, "sources": SOURCES}


def shown(lines: str) -> list[str]:
    """Triples with short names, sorted: their order says nothing."""
    for short, name in sorted(PREFIXES.items(), key=lambda one: -len(one[1])):
        lines = lines.replace(name, f"{short}:")
    return sorted(lines.splitlines())


def told(row: Row) -> str:
    """A row of the property graph in one line."""
    if isinstance(row, NodeRow):
        return f"({row.table} {row.uid}) {row.properties}"
    return f"({row.from_table} {row.from_uid})-[{row.type} {row.properties}]->({row.to_table} {row.to_uid})"


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("form", ["view", "export"])
def test_triples(kind: str, form: Literal["view", "export"], request: pytest.FixtureRequest) -> None:
    deriver, found = Deriver(vocabulary().units), {}
    for name, given in GIVEN[kind].items():
        record: Json = recorded_form(MODELS[kind].model_validate(given))
        keys = deriver.keys(record) if kind == "claims" else None
        lines = TripleWriter(form).record(record, keys if form == "view" else None)
        if keys is not None and form == "export":
            lines += key_lines(record, keys)
        found[name] = shown(lines)
    assert_read(found, WHOLE / f"projection-{kind}-{form}.yaml", request, in_lines=True)


@pytest.mark.parametrize("kind", MODELS)
def test_rows(kind: str, request: pytest.FixtureRequest) -> None:
    found = {}
    for name, given in GIVEN[kind].items():
        record: Json = recorded_form(MODELS[kind].model_validate(given))
        found[name] = list(map(told, RowWriter(Deriver(vocabulary().units)).record(record)))
    assert_read(found, WHOLE / f"projection-{kind}-rows.yaml", request, in_lines=True)


def test_what_is_derived(request: pytest.FixtureRequest) -> None:
    forms: tuple[Literal["view", "export"], ...] = ("view", "export")
    found: Json = {form: [shown(one) for one in derived_lines(DERIVED, form)] for form in forms}
    found["rows"] = list(map(told, derived_rows(DERIVED)))
    assert_read(found, WHOLE / "projection-derived.yaml", request, in_lines=True)


def test_what_a_figure_is() -> None:
    assert {name: quantity_form(given["quantity"]) for name, given in CLAIMS.items() if "quantity" in given} == {
        "bare": "value",
        "full": "value",
        "term": "term",
        "dated": "date",
        "set": "set",
        "absent": "absent",
        "exact": "value",
        "located": "value",
    }
