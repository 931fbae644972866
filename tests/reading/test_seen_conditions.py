"""What a text states by its wording is looked for only where its letters stand, and is found all the same."""

import re

import pytest

from kg.reading import stated_conditions
from kg.reading.stated_conditions import NEEDED, PRINTED, stated

STATED = [
    ("sequence_length", "a 2,048-token sequence length", "2048"),
    ("sequence_length", "SEQ LEN = 4K", "4000"),
    ("context_length", "with a 128K Context", "128000"),
    ("batch", "at Batch size of 64", "64"),
    ("accelerators", "on 2,048 H800s", "2048"),
    ("accelerators", "on 16 TPUs", "16"),
    ("accelerators", "on 8 NVIDIA Hopper GPUs", "8"),
    ("training_tokens", "trained on 300B TOKENS", "300B"),
    ("training_tokens", "14.8 trillion training tokens", "14.8T"),
    ("training_tokens", "over 1,000 billion tokens", "1000B"),
    ("concurrency", "with 32 simultaneous users", "32"),
]


@pytest.mark.parametrize(("name", "text", "value"), STATED)
def test_a_condition_is_found_in_any_case(name: str, text: str, value: str) -> None:
    found = {one[0]: one[1] for one in stated(text)}
    whole = dict(PRINTED)[name].search(text)
    assert whole is not None
    assert found.get(name) == value


class _Counted:
    """A pattern that counts how many characters it was given."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern, self.seen = pattern, 0

    def finditer(self, text: str) -> "list[re.Match[str]]":
        self.seen += len(text)
        return list(self._pattern.finditer(text))


def test_bare_numbers_are_given_to_no_pattern_that_begins_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = [(name, _Counted(pattern)) for name, pattern in PRINTED]
    monkeypatch.setattr(stated_conditions, "PRINTED", counted)
    stated.cache_clear()
    for size in (500, 1_000):
        assert stated(" ".join(str(number) for number in range(size))) == ()
    stated.cache_clear()
    assert [name for name, pattern in counted if name in NEEDED and pattern.seen] == []
