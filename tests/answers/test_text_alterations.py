"""What becomes of the arithmetic of a text when a word of it is missing: `tests/cases/whole/text-alterations.yaml`.

Each text stands there with what is recomputed in it, and with what is recomputed in it without one of its words, by the number of
the word; where nothing changes the list is that of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from kg.answers.column_sums import column_sums
from kg.answers.sentence_arithmetic import sentence_arithmetic
from kg.answers.text_arithmetic import Recomputed, recompute
from tests.answers.operands import UNITS, read_operands
from tests.whole import kept_answers

KEPT = Path(__file__).parents[1] / "cases" / "whole" / "text-alterations.yaml"


def recomputed(text: str) -> list[str]:
    """Each result with its formula, and the right value where it does not fit."""
    report, operands = read_operands(text)
    found: list[Mapping[int, Recomputed]] = [
        sentence_arithmetic(report.text, operands, UNITS),
        recompute(report.text, operands, UNITS),
        column_sums(report, operands, UNITS),
    ]
    every = {(start, one.formula): one for some in found for start, one in some.items()}
    return [f"{one.formula}: {'fits' if one.fits else one.value_to_use}" for _, one in sorted(every.items())]


def without(text: str, number: int) -> str:
    """The text without one of its words, counted from 0."""
    words = text.split(" ")
    return " ".join((*words[:number], *words[number + 1 :]))


@pytest.mark.parametrize("text", kept_answers(KEPT))
def test_a_word_decides_what_it_is_known_to_decide(text: str) -> None:
    kept = kept_answers(KEPT)[text]
    assert recomputed(text) == kept["whole"]
    assert {number: recomputed(without(text, number)) for number in kept["without"]} == kept["without"]
