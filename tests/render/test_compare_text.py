"""The text of a comparison tells levels apart and says first what published results give."""

from kg.answers.compare import compare
from kg.render.compare_text import compare_lines
from kg.session import Graph


def lines_of(graph: Graph, a: str, b: str) -> list[str]:
    found = compare(graph.ask, a, b)
    stated = [claim.id for claim in found.claims if claim.ratio is not None]
    verified = {claim: result for claim, result in graph.verified(stated).items() if result.readings}
    return list(compare_lines(found, verified, found.claims))


def test_a_rack_against_a_chip_is_no_chip_against_a_chip(graph: Graph) -> None:
    lines = lines_of(graph, "GB200", "H200")
    levels = " ".join(" ".join(lines[: lines.index("")]).split())
    chip, rack = levels.index("one accelerator of GB200"), levels.index("a whole rack of GB200")
    assert chip < rack
    assert "no ratio per accelerator" not in levels[chip:rack]
    assert "no ratio per accelerator" in levels[rack:]
    assert "time per output token 5x lower" in levels[rack:]


def test_claims_of_one_ratio_are_one_entry_with_the_better_founded_verdict_and_their_number(graph: Graph) -> None:
    found = compare(graph.ask, "GB200", "H200")
    speeds = [claim for claim in found.claims if claim.metric == "training-speed" and claim.ratio is not None]
    assert sorted(claim.verdict for claim in speeds) == ["caution", "unverified"]
    text = " ".join(" ".join(compare_lines(found, {}, ())).split())
    assert text.count("training speed 2.5x") == 1 and "training speed 2.5x (caution, 2 claims)" in text


def test_it_opens_with_what_official_results_give_then_who_claims_what_at_which_level(graph: Graph) -> None:
    lines = lines_of(graph, "GB200", "H200")
    assert " ".join(lines[:5]).startswith(
        "GB200 against H200: 2.58x to 5.44x per accelerator, computed from 11 pairs of official results here, by task, scenario and round; "
        "use the one of your task. 5 claims of 3 sources give a ratio: 1 for one accelerator against one accelerator, "
        "4 for a whole rack against one accelerator, which is no ratio per accelerator; published results support 1; "
        "2 must not be used."
    )
    assert any(line.lstrip().startswith("Published") and "[002/report.llama2.gb200-h200]" in line for line in lines)
    assert not any("code points" in line or "=unstated" in line for line in lines)


def test_names_that_only_words_compare_say_so(graph: Graph) -> None:
    found = compare(graph.ask, "H200", "GB300")
    opening = " ".join(list(compare_lines(found._replace(claims=()), {}, ()))[:2])
    assert (
        "no claim gives a ratio. " in opening
        and "pairs of official results here" in opening
        and "0 claims" not in opening
    )


def test_without_official_results_no_ratio_is_offered_without_its_conditions(graph: Graph) -> None:
    found = compare(graph.ask, "GB200", "H200")._replace(published=None)
    assert "no official result decides; use a ratio only with its conditions." in " ".join(
        list(compare_lines(found, {}, ()))[:3]
    )
