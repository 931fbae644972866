"""Names in a text: the longest wins, variants stay apart, what nobody knows is a candidate."""

import time

import pytest

from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import NameScanner, Withheld


def ids(knowledge: ReadingKnowledge, text: str) -> list[str]:
    return [mention.ids[0] for mention in knowledge.names.scan(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H100 against H200", ["family/nvidia-h100", "family/nvidia-h200"]),
        ("eight H100s", ["family/nvidia-h100"]),
        ("an L40S, not an L40", ["accelerator/nvidia-l40s", "accelerator/nvidia-l40"]),
        ("NVIDIA H100-SXM-80GB", ["accelerator/nvidia-h100-sxm-80gb"]),
        ("H100 PCIe 80GB", ["accelerator/nvidia-h100-pcie-80gb"]),
        ("GB200 NVL72", ["system/nvidia-gb200-nvl72"]),
        ("Llama 3.1 405B", ["model/llama-3-1-405b"]),
    ],
)
def test_the_longest_name_wins_and_variants_stay_apart(
    knowledge: ReadingKnowledge, text: str, expected: list[str]
) -> None:
    assert ids(knowledge, text) == expected


def test_a_word_in_another_case_is_no_name(knowledge: ReadingKnowledge) -> None:
    assert "division/open" not in ids(knowledge, "the door is open")


def test_a_name_does_not_cross_a_paragraph(knowledge: ReadingKnowledge) -> None:
    assert ids(knowledge, "GB200\n\nNVL72")[0] == "family/nvidia-gb200"


def test_what_looks_like_a_product_is_a_new_name(knowledge: ReadingKnowledge) -> None:
    found = knowledge.names.scan_all("The Zeta Z900 beats the H100 in Q3")
    assert [mention.ids[0] for mention in found] == ["new:Zeta Z900", "family/nvidia-h100"]


def test_what_is_withheld_is_not_known(knowledge: ReadingKnowledge) -> None:
    without = NameScanner(knowledge.names.registry, Withheld(frozenset({"system/nvidia-gb200-nvl72"})))
    assert "system/nvidia-gb200-nvl72" not in [mention.ids[0] for mention in without.scan("GB200 NVL72")]


def test_a_long_report_of_many_names_is_scanned_in_time_that_grows_with_it(knowledge: ReadingKnowledge) -> None:
    text = "The Zeta Z900 beats the H100 in speed.\n\n"
    knowledge.names.scan_all(text)
    spent = []
    for count in (500, 4000):
        start = time.process_time()
        assert len(knowledge.names.scan_all(text * count)) == 2 * count
        spent.append(time.process_time() - start)
    assert spent[1] < 30 * spent[0]
