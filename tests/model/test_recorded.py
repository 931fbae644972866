"""The typed dictionaries of records are made from the classes that declare the records."""

import subprocess
import sys
from pathlib import Path

from kg.model.ledger_records import RejectedRecord
from kg.model.recorded import ClaimRecord, ThingRecord

ROOT = Path(__file__).resolve().parents[2]


def test_the_typed_dictionaries_are_as_the_classes_are() -> None:
    done = subprocess.run(
        [sys.executable, "docs/make_recorded.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_no_record_has_a_key_that_is_required() -> None:
    for record in (ClaimRecord, ThingRecord, RejectedRecord):
        assert record.__required_keys__ == frozenset(), "a recorded form leaves out what is the default"
