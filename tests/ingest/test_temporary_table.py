"""The map that leaves memory when it grows."""

import sqlite3

import pytest

from kg.ingest.temporary_table import TemporaryTable


def test_values_are_found_in_memory_and_on_disk() -> None:
    with TemporaryTable(memory_kibibytes=16) as numbers:
        for number in range(20_000):
            numbers.put(f"key {number}", number - 50)
        assert [numbers.get(f"key {number}") for number in range(20_000)] == [number - 50 for number in range(20_000)]
        assert numbers.get("other") is None


def test_the_last_value_counts() -> None:
    with TemporaryTable() as numbers:
        for number in range(9):
            numbers.put("a", number)
            numbers.put(f"b{number}", 0)
        assert numbers.get("a") == 8


def test_it_is_gone_when_it_is_left() -> None:
    with TemporaryTable() as numbers:
        numbers.put("a", 1)
    with pytest.raises(sqlite3.ProgrammingError):
        numbers.get("a")


def test_a_full_disk_is_told_as_one() -> None:
    with TemporaryTable(memory_kibibytes=16) as numbers:
        numbers._table.execute("PRAGMA max_page_count = 20")
        with pytest.raises(OSError, match="full"):
            _fill(numbers)


def _fill(numbers: TemporaryTable) -> None:
    for number in range(20_000):
        numbers.put(str(number), number)
