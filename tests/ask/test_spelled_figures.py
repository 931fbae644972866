"""Figures that are spelled out are read as their prints, and words that only look like one stay."""

from __future__ import annotations

import pytest

from kg.ask.spelled_figures import with_figures_printed
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("does the H200 have 4.8 terabytes per second", "does the H200 have 4.8 TB/s"),
        ("does the H200 have 4.8 Terabytes a second", "does the H200 have 4.8 TB/s"),
        ("does it draw 700 watts", "does it draw 700 W"),
        ("is it 700 watt or 700w", "is it 700 W or 700 W"),
        ("192 gigabytes, or 192 gb of memory", "192 GB, or 192 GB of memory"),
        ("76 percent bigger and 12 per cent cheaper", "76% bigger and 12% cheaper"),
        ("thirty times faster, a tenfold gain, 30-fold", "30 times faster, a 10 times gain, 30 times"),
        ("seven hundred watts", "700 W"),
        ("one hundred and ninety-two gigabytes", "192 GB"),
        ("four point eight terabytes per second", "4.8 TB/s"),
        ("one hundred thousand watts", "100000 W"),
        ("it costs $8000 a month and 2 dollars an hour", "it costs $8000/month and 2 USD/h"),
        ("8.8 joules per token, 20 megawatt hours", "8.8 J/token, 20 MWh"),
        ("2 petaflops of FP8", "2 PFLOP/s of FP8"),
    ],
)
def test_a_figure_that_is_spelled_out_is_read_as_its_print(text: str, printed: str) -> None:
    assert with_figures_printed(text, read_vocabulary(find_content()).units) == printed


@pytest.mark.parametrize(
    "text",
    [
        "4.8 TB/s of the 8 H200 144 GB",
        "who claims 40 PFLOPS",  # a print, whatever its unit's id is
        "72,428 tokens per second",
        "trained in 10 minutes on eight H100",  # no figure is quoted in minutes
        "chips with more than 700 watts",  # a bound is read with its words
        "which chip is twice as fast for two thirds of the price per million tokens",
        "30 times per day",
        "the top 5 chips of v5.1",
    ],
)
def test_other_words_stay(text: str) -> None:
    assert with_figures_printed(text, read_vocabulary(find_content()).units) == text
