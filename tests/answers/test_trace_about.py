"""A number that is asked of a thing is judged for the product it is stated of, and what is known of the thing stands beside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.session import Graph, open_graph


@pytest.fixture
def graph(shipped_store: Path) -> Iterator[Graph]:
    with open_graph(shipped_store) as opened:
        yield opened


def test_the_correction_of_a_variant_is_no_value_of_its_family(graph: Graph) -> None:
    found = graph.trace("800 W", about=["H100"])
    assert found.sentence == (
        "800 W is stated of NVIDIA H100 NVL, not of every H100, and is wrong. 2 times the published 400 W of one card: "
        "probably the total of 2 cards. Value to use: 400 W for NVIDIA H100 NVL. Known of H100: power 700 W (confirmed)."
    )
    assert found.value == "400 W for NVIDIA H100 NVL"
    assert graph.trace("800 W", about=["H100 NVL"]).sentence.startswith("800 W about H100 NVL is wrong.")


@pytest.mark.parametrize(
    ("number", "thing", "of"),
    [
        ("$190,000", "H100", "H100 server (8 GPUs), not of one H100, and is unverified."),
        ("250k", "H100", "H100 server (8 GPUs), not of one H100, and is unverified."),
        ("$8000/month", "H100", "Omniyq rental server with 8 H100, not of one H100, and needs caution."),
        ("1.5 TB", "B200", "eight B200 cards taken together, not of one B200, and is confirmed."),
        ("350 W", "H100", "NVIDIA H100 PCIe 80GB, not of every H100, and is confirmed."),
        (
            "80 GB",
            "H100",
            "NVIDIA H100 PCIe 80GB and 1 other, and is confirmed.",
        ),  # the sheet of the H100 says the same
        ("30x", "Hopper", "NVIDIA GB200 NVL72 against NVIDIA H100 series, and is disputed."),
    ],
)
def test_a_figure_of_another_product_is_said_to_be_that(graph: Graph, number: str, thing: str, of: str) -> None:
    found = graph.trace(number, about=[thing])
    assert found.sentence.startswith(f"{number} is stated of {of}")
    assert found.judged == f"{number} is stated of {of}".rstrip(".")


@pytest.mark.parametrize(
    ("number", "thing"), [("700 W", "H100"), ("141 GB", "H200"), ("$190,000", "H100 server"), ("400 W", "H100 NVL")]
)
def test_a_figure_of_the_thing_itself_has_no_other_owner(graph: Graph, number: str, thing: str) -> None:
    found = graph.trace(number, about=[thing])
    assert (found.stated_of, found.known) == (None, None)


@pytest.mark.parametrize(
    ("number", "thing", "known"),
    [
        ("3.35 GB/s", "H100", "memory bandwidth 3.35 TB/s (confirmed)"),
        ("8 GB/s", "B200", "memory bandwidth 8000 GB/s (confirmed)"),
        ("7000 W", "H100", "power 700 W (confirmed)"),
        ("80 TB", "H100", "memory capacity 80 GB (confirmed)"),
    ],
)
def test_of_a_number_that_nobody_states_the_known_one_is_said(
    graph: Graph, number: str, thing: str, known: str
) -> None:
    found = graph.trace(number, about=[thing])
    assert found.sentence == (
        f"{number} about {thing} is unknown. No claim about {thing} states it. Known of {thing}: {known}."
    )


def test_a_ratio_is_judged_with_official_results_whoever_is_named_to_say_it(graph: Graph) -> None:
    plain = graph.trace("30x", about=["Blackwell", "Hopper"])
    said = graph.trace("30x", about=["Nvidia", "Blackwell", "Hopper"])
    official = "Computed from official results: Blackwell over Hopper 1.54x to 5.53x in throughput per accelerator."
    assert (plain.verdict, said.verdict) == ("disputed", "disputed")
    for found in (plain, said):
        assert found.sentence.startswith(
            "30x is stated of NVIDIA GB200 NVL72 against NVIDIA H100 series, and is disputed."
        )
        assert found.sentence.endswith(official) and "No better value" not in found.sentence
    nobody = graph.trace("15x", about=["NVIDIA", "B200", "H100"])
    assert nobody.sentence.endswith(
        "Computed from official results: B200 over H100 1.59x to 4.4x in throughput per accelerator."
    )
    assert "No claim here has it from Nvidia." in said.sentence and "from Nvidia" not in plain.sentence


def test_who_looked_at_a_cited_document_is_said_once(graph: Graph) -> None:
    for found in (graph.trace("700 W"), graph.trace("141 GB", about=["H200"])):
        assert "not opened here" in found.reason
        assert "not opened here" not in found.sentence and found.sentence.count("opened") == 1
        assert found.sentence.endswith(
            "Nobody opened the cited document here: look it up before you print (kg explain confirmed)."
        )
    assert "opened" not in graph.trace("72,428").sentence


def test_a_price_a_month_is_asked_for_as_it_is_typed(graph: Graph) -> None:
    assert graph.trace("$8000 a month").asked == "8000 USD/month"
