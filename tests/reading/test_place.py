"""A figure of a printed page keeps its place from the PDF through proposals and review to the claim that is recorded."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kg.build.reviewed import OwnFolderKeeper, open_keeper
from kg.cli.review_screen import ReviewScreen, fitted, folded
from kg.content.coverage import REASONS
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder
from kg.reading.proposals_file import FigurePlace, read_proposals
from kg.reading.reading_session import ReadingSession
from kg.reading.review import open_review
from kg.reading.text import Block, Box, Cell
from tests.own_content import own_claims
from tests.reading.test_readers import drawn, pdf_of

BANDWIDTH = (("Chip", "Bandwidth TB/s"), ("H100", "3.35"), ("H200", "4.8"), ("B200", "8"))
POWER = (("Chip", "Memory GB", "Power W"), ("H100", "80", "700"), ("H200", "141", "700"), ("B200", "192", "1000"))


def table(rows: tuple[tuple[str, ...], ...]) -> str:
    """The drawing of a table without lines, its first row 100 points below the upper edge."""
    return "".join(
        drawn(60 + 150 * column, 700 - 20 * row, text)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    )


def report_of_three_pages(folder: Path) -> Path:
    pages = [
        drawn(50, 750, "The power of three chips was looked at, and their bandwidth and memory as well."),
        drawn(50, 750, "The bandwidth of the three chips is listed below for everybody to see.") + table(BANDWIDTH),
        drawn(50, 750, "The memory and the power of the three chips are listed in this table.") + table(POWER),
    ]
    path = folder / "three-chips.pdf"
    path.write_bytes(pdf_of(*pages))
    return path


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The anchor of each accepted claim by its printed figure, as it is recorded."""
    folder = tmp_path_factory.mktemp("paged")
    ReadingSession().read(report_of_three_pages(folder)).write_for_review(folder / "p.yaml")
    content = make_own_folder(folder / "mine").content
    proposals = read_proposals(folder / "p.yaml")
    review = open_review(
        proposals.path, open_keeper(content, proposals), who="ada", clock=lambda: datetime(2026, 1, 2, tzinfo=UTC)
    )
    for at, one in enumerate(review.figures):
        review.position = at
        if one.printed in ("1000", "4.8"):
            review.accept()
    return recorded(content)


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, OwnFolderKeeper]:
    """Proposals and a keeper with all that is shipped, for reviews that are looked at and decide nothing."""
    folder = tmp_path_factory.mktemp("screened")
    ReadingSession().read(report_of_three_pages(folder)).write_for_review(folder / "p.yaml")
    return folder / "p.yaml", open_keeper(make_own_folder(folder / "mine").content, read_proposals(folder / "p.yaml"))


@pytest.fixture
def screen(screened: tuple[Path, OwnFolderKeeper]) -> ReviewScreen:
    path, keeper = screened
    return ReviewScreen(open_review(path, keeper, who="ada"), keeper)


def test_the_screen_of_a_review_shows_page_and_cell_and_folds_between_words(screen: ReviewScreen) -> None:
    screen.session.position = [one.printed for one in screen.session.figures].index("1000")
    lines = [line for _, line in folded(screen.lines(), 50)]
    assert "page 3, table 2, row B200, column Power W" in lines
    assert max(map(len, lines)) <= 50
    whole = " ".join(text for _, text in screen.lines()).split()
    assert " ".join(lines).split() == whole


@pytest.mark.parametrize("rows", [14, 24, 40])
def test_a_low_terminal_keeps_the_keys_and_what_may_be_answered(screen: ReviewScreen, rows: int) -> None:
    looked = [text for _, text in fitted(folded(screen.lines(), 80), rows)]
    assert len(looked) <= rows and looked[-1].endswith("q quit") and any("⟦" in text for text in looked)
    screen.press("r")
    asked = [text for _, text in fitted(folded(screen.lines(), 80), rows)]
    assert len(asked) <= rows
    said = " ".join(" ".join(asked).split())
    assert all(
        f"{letter} {reason}" in said for letter, reason in zip("abcdefghijklmnopqrstuvwxyz", REASONS, strict=False)
    )


def recorded(content: Content) -> dict[str, Any]:
    claims = own_claims(content, "source/three-chips").values()
    return {one["quantity"]["printed"]: one["anchor"] for one in claims}


def test_page_and_cell_of_a_reviewed_claim_are_those_of_the_pdf(reviewed: dict[str, Any]) -> None:
    assert {name: {key: one[key] for key in ("page", "table", "row", "column")} for name, one in reviewed.items()} == {
        "4.8": {"page": 2, "table": "1", "row": "H200", "column": "Bandwidth TB/s"},
        "1000": {"page": 3, "table": "2", "row": "B200", "column": "Power W"},
    }


def test_the_box_of_a_reviewed_claim_holds_the_cell(reviewed: dict[str, Any]) -> None:
    left, top, width, height = map(float, reviewed["1000"]["box"].split(","))
    # the letters begin 360 points from the left, and stand on a line 800 - 640 points from the top of the page
    assert left <= 362 and left + width > 378 and width < 30
    assert 150 < top < 160 < top + height + 1 and height < 10


@pytest.mark.parametrize(
    ("headers", "beside", "row", "column"),
    [
        (("Peak", "**Power** (W)"), ("H200",), "H200", "Peak Power (W)"),
        ((), (), "4", "3"),
        (("2048",), ("8",), "4", "3"),
        (("x" * 300,), ("a\nb",), "a b", "x" * 200),
    ],
)
def test_rows_and_columns_go_by_the_words_of_their_headers_else_by_number(
    headers: tuple[str, ...], beside: tuple[str, ...], row: str, column: str
) -> None:
    block = Block("cell", 0, 1, cell=Cell(1, 3, 2, headers, beside), box=Box(7, 10.04, 20, 30.5, 40))
    assert FigurePlace.of(block, block.start) == FigurePlace(7, "10,20,20.5,20", "2", row, column)
