"""The text of a source comes out whole, and of places inside one another the smallest marks its characters."""

import time

from kg.answers.marked_text import MarkedFigure
from kg.render.marked_lines import marked_lines


def figure(number: int, start: int, end: int) -> MarkedFigure:
    return MarkedFigure(number, start, end, "wrong", ())


def test_the_smallest_place_marks_its_characters() -> None:
    text = "up to 30x more\r\nthan 4.8 TB/s\n"
    lines = list(marked_lines(text, [figure(1, 0, 14), figure(2, 6, 9), figure(3, 21, 29)]))
    assert ["".join(piece.text for piece in line.pieces) for line in lines] == ["up to 30x more", "than 4.8 TB/s"]
    assert [(piece.text, piece.figure and piece.figure.number, piece.is_first) for piece in lines[0].pieces] == [
        ("up to ", 1, True),
        ("30x", 2, True),
        (" more", 1, False),
    ]
    assert [piece.text for piece in lines[1].pieces if piece.figure] == ["4.8 TB/s"]


def test_lines_are_told_apart_by_how_they_begin() -> None:
    unmarked: list[MarkedFigure] = []
    assert [line.kind for line in marked_lines("# A\n\n- b\n| c |\nd", unmarked)] == [
        "heading",
        "blank",
        "item",
        "row",
        "plain",
    ]


def test_a_long_text_with_a_figure_a_line_takes_time_by_its_length() -> None:
    began = time.process_time()
    count = 40_000
    lines = list(marked_lines("7 TB\n" * count, [figure(n + 1, 5 * n, 5 * n + 4) for n in range(count)]))
    assert all(line.pieces[0].figure is not None for line in lines)
    assert len(lines) == count and time.process_time() - began < 20, "by its square it took minutes"
