"""The map that leaves memory when it grows."""

from kg.ingest.spill import Spilled


def test_values_are_found_in_memory_and_on_disk() -> None:
    with Spilled(memory_entries=10) as seen:
        for number in range(95):
            seen.put(f"key {number}", number - 50)
        assert [seen.get(f"key {number}") for number in range(95)] == [number - 50 for number in range(95)]
        assert seen.get("other") is None


def test_the_last_value_counts_also_after_moving() -> None:
    with Spilled(memory_entries=2) as seen:
        for number in range(9):
            seen.put("a", number)
            seen.put(f"b{number}", 0)
        assert seen.get("a") == 8


def test_memory_holds_no_more_than_its_share() -> None:
    with Spilled(memory_entries=10) as seen:
        for number in range(1000):
            seen.put(str(number), number)
            assert len(seen._memory) <= 10
