"""A graph in parts: every line is in one part, equal graphs have equal parts, and changes lead from one to the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sync.buckets import BUCKETS, BucketChange, Buckets, bucket, pack, parts_for, unpack, value
from tests.sampling import SIGNS

OWNERS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
LINES = st.lists(st.tuples(OWNERS, st.integers(0, 1), st.text(SIGNS, max_size=8)), max_size=60)
NUMBERS = st.sampled_from([16, 64, 1024, BUCKETS])


def parts_of(lines: list[tuple[str, int, str]], number: int) -> dict[int, tuple[bytes, ...]]:
    with Buckets() as parts:
        for owner, layer, text in lines:
            parts.add(owner, [owner, text], layer=layer)
        return {part.number: part.lines for part in parts.parts(number)}


@given(LINES, NUMBERS)
def test_every_line_is_in_one_part_once(lines: list[tuple[str, int, str]], number: int) -> None:
    found = [
        (number_of // number, *value(line)) for number_of, part in parts_of(lines, number).items() for line in part
    ]
    assert sorted(found) == sorted({(layer, owner, text) for owner, layer, text in lines})


@given(LINES.flatmap(lambda lines: st.tuples(st.just(lines), st.permutations(lines))), NUMBERS)
def test_parts_do_not_depend_on_the_order_of_lines(
    both: tuple[list[tuple[str, int, str]], list[tuple[str, int, str]]], number: int
) -> None:
    assert parts_of(both[0], number) == parts_of(both[1], number)


@given(LINES, LINES)
def test_a_change_leads_from_one_state_to_the_other(
    before: list[tuple[str, int, str]], after: list[tuple[str, int, str]]
) -> None:
    old, new = parts_of(before, 16), parts_of(after, 16)
    for number in {*old, *new}:
        change = BucketChange(number, old.get(number, ()), new.get(number, ()))
        assert (set(change.before) - set(change.removed)) | set(change.added) == set(change.after)
        assert not set(change.removed) & set(change.after)
        unsure = BucketChange(number, change.before, change.after, is_certain=False)
        assert unsure.added == list(change.after) and unsure.removed == change.removed


@given(st.lists(st.binary(min_size=1).filter(lambda one: b"\n" not in one)))
def test_packed_lines_come_back(lines: list[bytes]) -> None:
    assert unpack(pack(lines)) == tuple(lines)


def test_the_place_of_an_owner_is_the_same_on_every_machine() -> None:
    assert [bucket(one) for one in ("", "org/acme", "é")] == [45566, 31235, 10112]


@pytest.mark.parametrize(("lines", "number"), [(0, 16), (31_999, 16), (32_000, 32), (10**7, 8192), (10**12, BUCKETS)])
def test_parts_are_about_a_thousand_lines(lines: int, number: int) -> None:
    assert parts_for(lines) == number


def test_layers_come_one_after_the_other() -> None:
    numbers = list(parts_of([("a", 1, ""), ("b", 0, ""), ("c", 1, ""), ("d", 0, "")], 16))
    assert numbers == sorted(numbers) and sum(number >= 16 for number in numbers) in (1, 2)
