"""The text of a comparison tells levels apart and says first what published results give."""

from kg.answers.compare import compare
from kg.render.compare_text import compare_lines
from kg.session import Graph


def lines_of(graph: Graph, a: str, b: str) -> list[str]:
    found = compare(graph.ask, a, b)
    verified = {
        result.claim: result
        for claim in found.claims
        if claim.ratio is not None
        for result in graph.verify(claim.id).claims
        if result.readings
    }
    return list(compare_lines(found, verified, found.claims))


def test_a_rack_against_a_chip_is_no_chip_against_a_chip(graph: Graph) -> None:
    lines = lines_of(graph, "GB200", "H200")
    levels = " ".join(" ".join(lines[: lines.index("")]).split())
    chip, rack = levels.index("one accelerator of GB200"), levels.index("a whole rack of GB200")
    assert chip < rack
    assert "no ratio per accelerator" not in levels[chip:rack]
    assert "no ratio per accelerator" in levels[rack:]
    assert "time per output token 5x lower" in levels[rack:]


def test_it_opens_with_how_many_say_so_and_what_published_results_support(graph: Graph) -> None:
    lines = lines_of(graph, "GB200", "H200")
    assert " ".join(lines[:2]).startswith(
        "GB200 against H200: 5 claims of 4 speakers give a ratio; published results support 1."
    )
    assert any(line.lstrip().startswith("Published") and "[002/report.llama2.gb200-h200]" in line for line in lines)
    assert not any("code points" in line or "=unstated" in line for line in lines)


def test_names_that_only_words_compare_say_so(graph: Graph) -> None:
    found = compare(graph.ask, "H200", "GB300")
    assert "no claim gives a ratio" in next(iter(compare_lines(found._replace(claims=()), {}, ())))
