"""JSON Schema of records, held against the records that a store exports."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import kg
from kg.__about__ import RULES_VERSION
from kg.export.exchange import exchange_records
from kg.ledger.derived import read_derived
from kg.model.kinds import DERIVED
from kg.model.record import RECORD_TYPES
from kg.projection.json_schema import json_schema

KINDS = {*RECORD_TYPES, *DERIVED}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return json_schema()


def mistakes(schema: dict[str, Any], record: Any) -> Iterator[str]:
    checker = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{record['record']}", "$defs": schema["$defs"]})
    yield from (f"{record.get('id')} {one.json_path}: {one.message[:200]}" for one in checker.iter_errors(record))


def test_the_schema_is_one_and_names_every_kind(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["$defs"]) >= KINDS
    assert {one["$ref"].rpartition("/")[2] for one in schema["anyOf"]} == KINDS


def test_what_is_exported_and_derived_fits(shipped_store: Path, schema: dict[str, Any]) -> None:
    graph = kg.open(shipped_store)
    try:
        folder = graph.ledger_folder()
        derived = read_derived(folder / "derived", graph.stamp["head"], RULES_VERSION)
        records = [*list(exchange_records(graph))[::7], *list(derived)[::7]]
    finally:
        graph.close()
    assert {str(one["record"]) for one in records} == KINDS
    assert [wrong for one in records for wrong in mistakes(schema, one)] == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("kind", "opinion"), ("said_on", "summer"), ("verdict", "perhaps"), ("colour", "blue"), ("subject", None)],
)
def test_what_is_wrong_is_refused(schema: dict[str, Any], key: str, value: object) -> None:
    claim = {
        "record": "claim",
        "id": "1/a",
        "kind": "measurement",
        "subject": "accelerator/x",
        "level": "accelerator",
        "metric": "power",
        "asserted_by": "org/x",
        "source": "source/1",
        "anchor": {"locator": "page 1"},
    }
    assert list(mistakes(schema, claim)) == []
    assert list(mistakes(schema, claim | {key: value})) != []
