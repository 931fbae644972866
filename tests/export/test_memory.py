"""Exports take memory that does not grow with the claims, and the command writes what the functions write."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.exports import large_graph, peak_megabytes
from kg.export.formats import FORMATS

SMALL, LARGE = 2_000, 12_000
ALLOWED = 48.0
"""Megabytes: sorted runs of 8 MB, what a writer remembers of the last few thousand claims, and noise."""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc, which Linux has"),
]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    made = {}
    for count in (SMALL, LARGE):
        made[count] = tmp_path_factory.mktemp("large") / str(count)
        large_graph(made[count], count)
    return made


@pytest.mark.parametrize("form", FORMATS)
def test_six_times_the_claims_take_no_more_memory(form: str, stores: dict[int, Path], tmp_path: Path) -> None:
    small = peak_megabytes(stores[SMALL], form, tmp_path / "small")
    large = peak_megabytes(stores[LARGE], form, tmp_path / "large")
    assert large - small < ALLOWED, f"{small:.0f} MB for {SMALL:,} claims, {large:.0f} MB for {LARGE:,}"


def test_the_measure_finds_a_program_that_holds_everything(stores: dict[int, Path]) -> None:
    code = (
        "import sys; from pathlib import Path; from benchmarks.exports import opened, peak\n"
        "graph = opened(Path(sys.argv[1])); before = peak(); whole = list(graph.records()); print(peak() - before)"
    )
    taken = [
        float(
            subprocess.run(
                [sys.executable, "-c", code, str(stores[count])], capture_output=True, text=True, check=True
            ).stdout
        )
        for count in (SMALL, LARGE)
    ]
    assert taken[1] - taken[0] > ALLOWED
