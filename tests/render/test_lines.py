"""Lines for a terminal: what belongs together is not folded."""

import pytest

from kg.render.lines import table, wrapped


@pytest.mark.parametrize("columns", range(40, 60))
def test_a_figure_and_its_unit_stay_on_one_line(columns: int) -> None:
    text = "The chip has a memory bandwidth of 4.8 TB/s with 141 GB at 700 W and gives 4,023.78 token/s over all runs."
    lines = wrapped(text, columns=columns)
    assert " ".join(lines) == text
    for whole in ("4.8 TB/s", "141 GB", "700 W", "4,023.78 token/s"):
        assert any(whole in line for line in lines), lines


def test_a_cell_keeps_a_figure_with_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = table(("thing", "what is said of it"), [("H200", "a bandwidth of some 4.8 TB/s, and 141 GB beside it")])
    assert any("4.8 TB/s" in line for line in lines) and any("141 GB" in line for line in lines)
