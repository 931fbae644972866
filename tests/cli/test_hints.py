"""A question without rows says which value occurs nowhere, and what does."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Kg


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            "specifications/by-metric --metric memory-bandwith",
            ["memory-bandwith: no such metric; did you mean memory-bandwidth"],
        ),
        ("specifications/by-metric --metric zzz", ["zzz: no such metric; there are "]),
        (
            "audit/findings --severity violatio",
            ["violatio: not among the values of --severity; did you mean violation?"],
        ),
        (
            "audit/findings --severity grave",
            ["grave: not among the values of --severity; there are info, violation, warning"],
        ),
        ("audit/findings --code unit.slipp --code nor.this", ["unit.slipp: not among", "nor.this: not among"]),
        ("comparisons/compare --a GB200 --b Gaudy2", ["Gaudy2: no such name; did you mean"]),
        ("comparisons/compare --a MI355X --b MI355X", ["nothing is stated that fits all of: a MI355X, b MI355X"]),
        (
            "specifications/by-metric --metric power --only rack",
            ["rack: no row is of this level; there are accelerator, other, superchip"],
        ),
        (
            "specifications/by-metric --metric memory-bandwidth --only mixtral-8x7b",
            ["nothing is stated that fits all of: metric memory-bandwidth, only mixtral-8x7b"],
        ),
        (
            "benchmarks/best --model model/deepseek-r1 --only nvl72",
            ["nvl72: no row is of it; of what it contains there are rows: accelerator/nvidia-gb200-gpu"],
        ),
        (
            "benchmarks/rounds --thing nvl72 --model model/deepseek-r1",
            ["nvl72: no row is of it; of what it contains there are rows: accelerator/nvidia-gb200-gpu"],
        ),
        (
            "benchmarks/best --model model/stable-diffusion-xl --only nvl72",
            ["nothing is stated that fits all of: model model/stable-diffusion-xl, only nvl72"],
        ),
        (
            "audit/findings --severity violation --code gap.source",
            ["nothing is stated that fits all of: severity violation, code gap.source"],
        ),
    ],
)
def test_a_value_that_occurs_nowhere_is_told(arguments: str, told: list[str], kg: Kg) -> None:
    done = kg("ask", *arguments.split())
    lines = done.stderr.splitlines()
    assert (done.returncode, lines[0]) == (0, "no rows")
    assert len(lines) == 1 + len(told)
    assert all(line.startswith(start) for line, start in zip(lines[1:], told, strict=True)), lines


def test_results_of_the_shipped_content_alone_are_told_to_be_no_whole_round(kg: Kg) -> None:
    """Ten submitters of a round with some thirty were listed as if they were all."""
    part = "of the results that the shipped content lists"
    assert part in kg("ask", "who submitted to mlperf inference v5.1").stderr
    assert part not in kg("ask", "prices/claims", "--metric", "rental-price").stderr


def test_a_damaged_list_of_segments_ends_no_answer_on_benchmarks(kg: Kg, store: Path, tmp_path: Path) -> None:
    """The remark on what is loaded needed the list, and ended a command that had answered with an error."""
    damaged = Path(shutil.copytree(store, tmp_path / "damaged"))
    (damaged / "ledger" / "manifest.json").write_text("{")
    done = kg("ask", "benchmarks/round-submitters", "--store", str(damaged))
    assert (done.returncode, bool(done.stdout)) == (0, True), done.stderr
