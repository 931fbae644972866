"""A segment of every schema number that was ever written can still be read; frozen files are never made again."""

import json
from pathlib import Path

import pytest

from kg.ledger.segment import SegmentInfo, read_segment, revision_of
from kg.model.record import RECORD_TYPES, SCHEMA

FROZEN = Path(__file__).with_name("frozen")


def test_there_is_one_frozen_segment_for_each_schema_number() -> None:
    assert sorted(path.name for path in FROZEN.glob("*.json")) == [f"schema-{n}.json" for n in range(1, SCHEMA + 1)]


@pytest.mark.parametrize("number", range(1, SCHEMA + 1))
def test_a_frozen_segment_reads_as_valid_records_of_today(number: int) -> None:
    info = SegmentInfo.from_json(json.loads((FROZEN / f"schema-{number}.json").read_text(encoding="utf-8")))
    assert info.schema == number
    records = list(read_segment(FROZEN, info))
    assert [one["record"] for one in records] == ["claim", "claim", "entity", "source"]
    for record in records:
        RECORD_TYPES[record["record"]].model_validate(
            {key: value for key, value in record.items() if key != "revision"}
        )
        if number == SCHEMA:
            assert record["revision"] == revision_of(record)
