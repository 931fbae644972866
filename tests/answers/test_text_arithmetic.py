"""The arithmetic that a text shows: found where it is spelled out, left alone where it would have to be guessed."""

import pytest

from kg.answers.text_arithmetic import Recomputed, recompute
from tests.answers.operands import UNITS, read_operands


def computed(text: str) -> list[Recomputed]:
    report, operands = read_operands(text)
    return list(recompute(report.text, operands, UNITS).values())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Memory went from 80 GB to 141 GB, a 2.5x increase.", "1.762x"),
        ("Power rose from 700 W to 1000 W, which is 30 % more.", "42.86 %"),
        ("Power nearly doubled from 700 W to 1,500 W.", "2.143x"),
        ("Power almost doubled from 700 W to 1,000 W.", "1.429x"),
        ("The rack needs 120 kW / 72 = 2.67 kW each.", "1.667 kW"),
        # whole numbers are counted, and nothing in them is rounded
        ("The cluster has 64 nodes x 8 GPUs = 521 GPUs.", "512 gpu"),
        ("That is 12 × 12 = 145.", "144"),
        ("Together 40 + 33 = 72.", "73"),
        ("Each card has 141 GB x 8 = 1,228 GB.", "1,128 GB"),
        ("The bus moves 4.8 TB/s (480 GB/s) of data.", "4,800 GB/s"),
        ("Idle and load give 300 W + 400 W = 800 W together.", "700 W"),
        ("- 300 W + 400 W = 800 W together.", "700 W"),
        ("At max 300 W + 400 W = 800 W together.", "700 W"),
        ("Revenue grew from 10 to 14 billion dollars, a rise of 80 %.", "40 %"),
        ("The node has 8 x 80 GB = 620 GB.", "640 GB"),
        ("Power was halved from 1,000 W to 700 W.", "0.7x"),
        ("Memory tripled from 80 GB to 192 GB.", "2.4x"),
        ("Memory went from 80 GB to 192 GB, a 3-fold increase.", "2.4x"),
        ("Speed rose from 100 to 107 tokens/s, 5 % more.", "7 %"),
        ("Revenue grew from $10 to $14 billion, a rise of 80 %.", "40 %"),
    ],
)
def test_what_does_not_recompute_is_found_with_the_right_value(text: str, value: str) -> None:
    (found,) = computed(text)
    assert not found.fits and found.value_to_use == value and found.formula


@pytest.mark.parametrize(
    "text",
    [
        "Memory went from 80 GB to 141 GB, a 1.76x increase.",
        "The cluster has 64 nodes x 8 GPUs = 512 GPUs.",
        "That is 1,979 × 72 = 142,500.",
        "Power rose from 700 W to 1000 W, which is 43 % more.",
        "The rack needs 120 kW / 72 = 1.67 kW each.",
        "The node has 8 x 80 GB = 640 GB.",
        "A rack has 72 x 1.2 kW = 86 kW.",
        "The node has 8 × 141 GB = 1,130 GB.",
        "The node has 8 × 141 GB = 1,100 GB.",
        "2,048 x 8.9 J = 18.2 kJ.",
        "The bus moves 4.8 TB/s (4800 GB/s) of data.",
        "Memory went from 40 GB to 80 GB, about 2x.",
        "Revenue grew from 10 to 14 billion dollars, a rise of 40 %.",
        "Users grew from 500 to 2 million, a 4000x increase.",
    ],
)
def test_what_recomputes_fits(text: str) -> None:
    assert [one.fits for one in computed(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "It has 141 GB and 4.8 TB/s, 1.4x more bandwidth.",
        "The parts need 2 GB + 3 GB + 4 GB = 9 GB.",
        "They draw 8 GPUs x 2 nodes x 700 W = 11.2 kW.",
        "They draw 2 x (8 x 700 W) = 11.2 kW.",
        "Each has 100 GB / 5 / 2 = 10 GB.",
        "That leaves 3 GB + 4 GB = 9 GB - 2 GB.",
        "H100 draws 700 W; B200 draws 1000 W. A rack is 3x larger.",
        "A mix of 700 W (80 GB) cards.",
        "From 8 to 16 cards the speed grows by 1.9x.",
        "From 700 W to 1000 W.",
        "Power nearly doubled from 700 W to 1,200 W.",
        "The rack holds 36 superchips (72 GPUs) in 18 trays.",
        "They have 1,250 nodes (10,000 GPUs).",
        "Training time went from 100 h to 30 h with 4x the GPUs.",
        "It went from 100 h to 30 h on 4x more GPUs.",
        "Power rose from 100 W to 150 W at 3x the speed.",
        "At 3x the speed power rose from 100 W to 150 W.",
    ],
)
def test_what_would_have_to_be_guessed_is_left_alone(text: str) -> None:
    assert not [one for one in computed(text) if not one.fits]
