"""Training runs in the units of the field, where they are held against others as rates."""

from typing import Any

import pytest

from kg.answers.published_rows import RUNS
from kg.answers.verification import UsedRow
from kg.render.verify_text import result_text


def used(per_accelerator: float, total: float, unit: str) -> UsedRow:
    given: dict[str, Any] = dict.fromkeys(UsedRow._fields)
    return UsedRow(**{**given, "per_accelerator": per_accelerator, "total": total, "unit": unit, "accelerators": 512})


@pytest.mark.parametrize(
    ("basis", "shown"), [("total", "10.93 min a run"), ("per-accelerator", "3.886 days of one accelerator")]
)
def test_a_training_run_is_shown_by_its_time(basis: str, shown: str) -> None:
    assert result_text(used(1 / (655.8 * 512), 1 / 655.8, RUNS), basis) == shown


def test_a_rate_stays_a_rate() -> None:
    assert result_text(used(4023.78, 289712, "token/s"), "per-accelerator") == "4,023.78 token/s each"
