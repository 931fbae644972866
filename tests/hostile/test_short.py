"""A few of each kind of hostile run with a fixed seed; `python -m tests.hostile` makes many with any other."""

from pathlib import Path

import pytest

from tests.hostile.damage import damage
from tests.hostile.inject import inject
from tests.hostile.kill import kill
from tests.small_content import write_small_content


def test_a_few_damaged_files_are_told_and_mended(tmp_path: Path) -> None:
    counts, failed = damage(tmp_path, count=6, seed=2026)
    assert failed == []
    assert counts["tried"] == 6


@pytest.mark.long
def test_a_few_killed_builds_and_loads_leave_a_store_that_is_right(tmp_path: Path) -> None:
    counts, failed = kill(tmp_path, count=3, seed=2026)
    assert failed == []
    assert counts["tried"] == 3


def test_a_few_hostile_values_are_asked_in_both_languages_alike(tmp_path: Path) -> None:
    content = write_small_content(tmp_path / "content").root
    counts, failed = inject(tmp_path, count=12, seed=2026, servers=(), content=content)
    assert failed == []
    assert counts["asked"] == 24
