"""Reading the four formats in the isolated process: tables stay tables, and a bad file ends in a clear error or right text."""

import io
import os
import zlib
from pathlib import Path

import pypdf
import pytest

from kg.errors import KgError
from kg.reading import limits
from kg.reading.errors import ReportTooLarge, ReportUnreadable
from kg.reading.flattened import flattened_tables
from kg.reading.report import read_report
from kg.reading.text import ReportText, TextFormat


def processor_time() -> float:
    """Seconds that the processes which read have worked; others on the machine do not count."""
    times = os.times()
    return times.children_user + times.children_system


def cells(report: ReportText) -> list[tuple[int, int, str, tuple[str, ...], tuple[str, ...]]]:
    """Row, column, text, headers of the column and of the row of every cell that is no header."""
    return [
        (one.cell.row, one.cell.column, report.text[one.start : one.end], one.cell.column_headers, one.cell.row_headers)
        for one in report.blocks
        if one.cell is not None and not one.cell.is_header
    ]


PAGE = b"""<!doctype html><html><head><title>A page</title><style>p { width: 17px }</style></head><body>
<nav>1 2 3</nav><h2>Power</h2><p>Draws <b>1,</b>200&nbsp;W &amp; more.<script>var x = 99</script></p>
<table><thead><tr><th rowspan=2>Chip<th colspan=2>Memory</tr><tr><th>GB<th>TB/s</tr></thead>
<tr><td>A1<td>80<td>3.35<tr><td>B2<td>141<td>4.8</table><p hidden>77</p><p>Last<!-- 5 --> <code>x = 12</code></p></body></html>"""


def test_a_page_is_read_as_it_is_seen() -> None:
    report = read_report(PAGE)
    assert (report.format, report.title) == ("html", "A page")
    assert cells(report) == [
        (2, 0, "A1", ("Chip",), ()),
        (2, 1, "80", ("Memory", "GB"), ("A1",)),
        (2, 2, "3.35", ("Memory", "TB/s"), ("A1",)),
        (3, 0, "B2", ("Chip",), ()),
        (3, 1, "141", ("Memory", "GB"), ("B2",)),
        (3, 2, "4.8", ("Memory", "TB/s"), ("B2",)),
    ]
    assert "1,200\u00a0W & more." in report.text
    assert not any(unseen in report.text for unseen in ("17px", "99", "77", " 5 ", "1 2 3"))
    assert [report.text[mark.start : mark.end] for mark in report.marks] == ["x = 12"]
    last = next(block for block in report.blocks if report.text[block.start : block.end].startswith("Draws"))
    assert last.headings == ("Power",)


HIDING = """<table><thead><tr><th>Chip<th>Power<tr hidden><th>No<th>No</thead>
<tr style="display:none"><td>A1<td>999<tr><td>B2<td hidden>5<td>700<tr><td>C3<td style="visibility:hidden">6
<tbody style="display: none"><tr><td>D4<td>998</tbody><tr aria-hidden=true><td>E5<td>997</table><p>End</p>"""


def test_hidden_rows_and_cells_of_a_table_are_left_out_and_hidden_cells_take_no_column() -> None:
    report = read_report(HIDING.encode(), "html")
    assert cells(report) == [
        (1, 0, "B2", ("Chip",), ()),
        (1, 1, "700", ("Power",), ("B2",)),
        (2, 0, "C3", ("Chip",), ()),
    ]
    assert not any(unseen in report.text for unseen in ("No", "99", "5", "6"))


GROUPED = """<table><thead><tr><th rowspan="2">Chip</th><th>GB</th><th>W</th></tr></thead>
<tbody><tr><td>A1</td><td>80</td><td>700</td></tr><tr><td rowspan="9">B2</td><td>141</td><td>750</td></tr></tbody>
<tfoot><tr><td>C3</td><td>192</td><td>1000</td></tr></tfoot></table>
"""


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_a_cell_spans_no_rows_beyond_its_row_group(form: TextFormat) -> None:
    assert [one[1:4] for one in cells(read_report(GROUPED.encode(), form))] == [
        (0, "A1", ("Chip",)),
        (1, "80", ("GB",)),
        (2, "700", ("W",)),
        (0, "B2", ("Chip",)),
        (1, "141", ("GB",)),
        (2, "750", ("W",)),
        (0, "C3", ("Chip",)),
        (1, "192", ("GB",)),
        (2, "1000", ("W",)),
    ]


@pytest.mark.parametrize("label", ["iso-8859-1", "ISO8859-1", "latin1", "l1", "ascii", "us-ascii", "windows-1252"])
def test_the_labels_of_western_pages_mean_windows_1252(label: str) -> None:
    page = f'<html><head><meta charset="{label}"></head><body><p>It takes 350'.encode()
    page += b"\x96700 W for \x8050, caf\xe9.</p></body></html>"
    assert read_report(page, "html").text.strip() == "It takes 350–700 W for €50, café."


@pytest.mark.parametrize("label", ["undefined", "rot13", "no-such-encoding"])
def test_a_page_that_names_no_encoding_of_text_is_refused_with_its_line(label: str) -> None:
    with pytest.raises(ReportUnreadable, match="byte 0x96") as refused:
        read_report(f'<meta charset="{label}">\n<p>350'.encode() + b"\x96700 W", "html")
    assert refused.value.line == 2


def test_the_text_of_a_page_holds_no_control_characters_and_can_be_read_again_as_text() -> None:
    text = read_report(b"<html><p>It draws&#1; 700 W.&#27;[31m</p></html>").text
    assert text.strip() == "It draws\ufffd 700 W.\ufffd[31m"
    assert read_report(text.encode(), "text").text == text


def test_signs_of_a_font_without_characters_can_be_read_again_as_text() -> None:
    text = read_report(pdf_of(drawn(50, 700, "The H200 draws 700 W \\001\\037 in this test of its power."))).text
    assert "\ufffd" in text and read_report(text.encode(), "text").text == text


def test_markdown_keeps_the_file_as_it_stands() -> None:
    text = "# T\r\n\r\n> *a* **2.2x**\r\n\r\n| A | B \\| C |\r\n|--|--|\r\n| x | `1` |\r\n\r\n[^1]: note 5\r\n"
    report = read_report(text.encode(), "markdown")
    assert report.text == text
    assert cells(report) == [(1, 0, "x", ("A",), ()), (1, 1, "`1`", ("B | C",), ("x",))]
    assert [block.kind for block in report.blocks if block.cell is None] == ["heading", "paragraph", "footnote"]


def test_a_table_that_lost_its_lines_is_found_again() -> None:
    text = "The table shows it:\n\nChip Kind Peak (TFLOPS) Memory Type Memory (GB) TDP (W)\nAlpha One Big 989 HBM3 80 700\nBeta Two Big 2500 HBM3e 192 1000\nGamma Small 60 - 24 Unknown\n\nIt ends here with 5 words.\n"
    ((_, _, found),) = flattened_tables(text)
    headers = {
        text[one.start : one.end]: one.cell.column_headers for one in found if one.cell and not one.cell.is_header
    }
    assert headers["989"] == ("Peak (TFLOPS)",)
    assert headers["HBM3e"] == ("Memory Type",)
    assert headers["24"] == ("Memory (GB)",)
    assert headers["1000"] == ("TDP (W)",)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Chip;RAM (GB);TDP (W)\nA1;80;700\nB2;;750", [("A1", "RAM (GB)", "80"), ("A1", "TDP (W)", "700"), ("B2", "TDP (W)", "750")]),
        ("Here it is:\nChip,RAM,TDP\nA1,80,700\nB2,\"1,410\",750\nSo far.", [("A1", "RAM", "80"), ("A1", "TDP", "700"), ("B2", "RAM", "1,410"), ("B2", "TDP", "750")]),
        ("Chip\tRAM\nA1\t80 GB\nB2\t141 GB", [("A1", "RAM", "80 GB"), ("B2", "RAM", "141 GB")]),
        ("The A1 has 80 GB; it draws 700 W.\nThe B2 has 141 GB; it draws 750 W.\nThe C3 has 90 GB; it draws 7 W.", []),
        ("Memory, power, and price:\n80 GB, 700 W, and $3\n90 GB, 800 W, and $4", []),
        ("We bought these,\nA1, 80 GB,\nB2, 90 GB,", []),
    ],
    ids=["semicolons", "commas", "tabs", "sentences", "lists", "lines"],
)  # fmt: skip
def test_a_table_whose_cells_are_parted_by_signs_is_read(text: str, read: list[tuple[str, str, str]]) -> None:
    report = read_report(text.encode(), "text")
    found = [(row[0], column[0], cell) for _, place, cell, column, row in cells(report) if place and row]
    assert found == read


def pdf_of(*pages: str, more: str = "") -> bytes:
    """A PDF drawn by hand: each page is its content stream; `more` is what else its pages state."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, page in enumerate(pages):
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]{more}/Resources<</Font<</F 3 0 R/C<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>/Contents {5 + 2 * number} 0 R>>"
        )
        objects.append(f"<</Length {len(page)}>>stream\n{page}\nendstream")
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, 2)
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(out.tell())
        out.write(f"{number} 0 obj{one}endobj\n".encode())
    at = out.tell()
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{rows}".encode())
    out.write(f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{at}\n%%EOF".encode())
    return out.getvalue()


def drawn(x: float, y: float, text: str, size: int = 10) -> str:
    return f"BT /F {size} Tf {x} {y} Td ({text}) Tj ET\n"


TURNED = {
    "": "1 0 0 1 {x} {y}",
    "/CropBox[100 50 600 700]": "1 0 0 1 {x} {y}",
    "/Rotate 90/CropBox[100 50 600 700]": "0 1 -1 0 {x} {y}",
    "/Rotate 180/CropBox[100 50 600 700]": "-1 0 0 -1 {x} {y}",
    "/Rotate -90/CropBox[100 50 600 700]": "0 -1 1 0 {x} {y}",
}
"""What a page states, and the matrix of text that is upright on it as it is seen."""
AT = {
    "": (72, 700),
    "/CropBox[100 50 600 700]": (172, 600),
    "/Rotate 90/CropBox[100 50 600 700]": (200, 122),
    "/Rotate 180/CropBox[100 50 600 700]": (528, 150),
    "/Rotate -90/CropBox[100 50 600 700]": (500, 628),
}
"""Where on it text begins that stands 72 points from the left and 100 from the top of what is seen."""


@pytest.mark.parametrize("more", list(TURNED))
def test_a_page_that_is_turned_or_cropped_is_read_in_its_lines(more: str) -> None:
    x, y = AT[more]
    matrix = TURNED[more].format(x=x, y=y)
    page = f"BT /F 12 Tf {matrix} Tm (It draws 700 W and has a memory of 141 GB,) Tj 0 -14 Td (as the second line of the page says.) Tj ET"
    report = read_report(pdf_of(page, more=more))
    assert report.text.strip() == "It draws 700 W and has a memory of 141 GB,\nas the second line of the page says."
    box = report.blocks[0].box_at(0)
    assert box is not None and abs(box.left - 72) < 3 and 85 < box.top < 100 and 68 < box.right < 400


def test_text_outside_of_what_a_pdf_shows_of_a_page_is_not_read() -> None:
    page = drawn(172, 600, "It draws 700 W and has a memory of 141 GB,") + drawn(172, 586, "as the second line says.")
    page += drawn(172, 720, "A slug line of 999 W above the page.") + drawn(2, 600, "888 W") + drawn(172, 30, "777 W")
    report = read_report(pdf_of(page, more="/CropBox[100 50 600 700]"))
    assert report.text.strip() == "It draws 700 W and has a memory of 141 GB,\nas the second line says."


def test_the_mark_of_a_note_in_a_pdf_is_no_part_of_the_unit_before_it() -> None:
    raised = "BT /F 10 Tf 50 700 Td (It draws 700 W) Tj /F 6 Tf 4 Ts (12) Tj /F 10 Tf 0 Ts ( and computes 5 x 10) Tj"
    raised += " /F 6 Tf 4 Ts (24) Tj /F 10 Tf 0 Ts ( FLOP for the whole run of H) Tj /F 6 Tf -2 Ts (2) Tj ET\n"
    assert "It draws 700 W^12 and computes 5 x 10^24 FLOP for the whole run of H2" in read_report(pdf_of(raised)).text


def placed(size: int, x: float, y: float, text: str) -> str:
    """A word that a file draws apart from those beside it, in letters of size 1 that a matrix enlarges."""
    return f"BT /F 1 Tf {size} 0 0 {size} {x} {y} Tm ({text}) Tj ET\n"


def test_marks_and_signs_that_a_pdf_draws_apart_belong_to_their_words() -> None:
    page = placed(10, 50, 700, "It moves 4.8 TB/s") + placed(6, 128, 704, "1") + placed(10, 131.4, 700, ", and")
    page += (
        placed(10, 50, 688, "the setting batch") + placed(10, 124.6, 686, "_") + placed(10, 130.2, 688, "size is 5.")
    )
    said = " ".join(read_report(pdf_of(page)).text.split())
    assert said == "It moves 4.8 TB/s^1, and the setting batch_size is 5."


def test_a_sentence_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    first = drawn(50, 700, "The rack of that maker draws 120 kW in") + drawn(320, 712, "total. The next one draws")
    report = read_report(pdf_of(first, drawn(50, 700, "140 W or less, and never more than that of the others.")))
    assert [report.text[one.start : one.end] for one in report.blocks] == [
        "The rack of that maker draws 120 kW in\ntotal. The next one draws",
        "140 W or less, and never more than that of the others.",
    ]
    report = read_report(pdf_of(first, drawn(50, 700, "as much as 140 W or less, and never more than that.")))
    (block,) = report.blocks
    pages = [one.page for figure in ("120", "next", "140") if (one := block.box_at(report.text.index(figure)))]
    lefts = [round(one.left) for figure in ("120", "next", "140") if (one := block.box_at(report.text.index(figure)))]
    assert (pages, lefts) == ([1, 1, 2], [50, 320, 50])


def test_the_hyphen_of_a_word_that_a_line_cut_goes_and_that_of_a_compound_stays() -> None:
    lines = [
        "It needs communication and computa-",
        "tion of trillion-",
        "parameter models on H100-",
        "SXM cards of communica-",
        "tion.",
    ]
    page = "".join(drawn(50, 700 - 12 * row, line) for row, line in enumerate(lines))
    assert "".join(read_report(pdf_of(page)).text.split("\n")).strip() == (
        "It needs communication and computation of trillion-parameter models on H100-SXM cards of communication."
    )


ROWS = (("Chip", "Memory GB", "Power W"), ("Alpha", "80", "700"), ("Beta", "141", "750"), ("Gamma", "192", "1000"))


@pytest.mark.parametrize("ruled", [True, False])
def test_a_table_of_a_pdf_keeps_its_cells(ruled: bool) -> None:
    page = drawn(50, 750, "The memory of three chips is listed below, with the power that each of them draws.")
    for row, texts in enumerate(ROWS):
        for column, text in enumerate(texts):
            page += drawn(60 + 150 * column, 700 - 20 * row, text)
    if ruled:
        page += "".join(f"50 {714 - 20 * row} 450 0.5 re f\n" for row in range(5))
        page += "".join(f"{50 + 150 * column} 634 0.5 80 re f\n" for column in range(4))
    page += drawn(50, 560, "Beta needs 750 W in every test that was run for this report.")
    report = read_report(pdf_of(page))
    assert [(row, column, text) for row, column, text, _, _ in cells(report)] == [
        (row, column, text) for row, texts in enumerate(ROWS) for column, text in enumerate(texts) if row
    ]
    value = next(block for block in report.blocks if report.text[block.start : block.end] == "1000")
    assert value.cell is not None
    assert value.cell.column_headers == ("Power W",)
    assert value.cell.row_headers == ("Gamma",)
    assert value.box is not None
    assert (value.box.page, round(value.box.left)) == (1, 361)


def test_code_in_a_pdf_is_told_by_its_letters_of_one_width_where_the_rest_is_not_set_so() -> None:
    said = "".join(drawn(50, 700 - 40 * n, f"The chip number {n} draws {n}00 W under load.") for n in (1, 2, 3))
    code = drawn(50, 500, "batch = 512").replace("/F ", "/C ")
    mixed, typed = read_report(pdf_of(said + code)), read_report(pdf_of(said.replace("/F ", "/C ") + code))
    assert [mixed.text[one.start : one.end] for one in mixed.blocks if one.kind == "code"] == ["batch = 512"]
    assert "code" not in {one.kind for one in typed.blocks}


def test_two_columns_of_a_pdf_are_read_one_after_the_other() -> None:
    left = [f"left line {number} of the text" for number in range(6)]
    right = [f"right line {number} of the text" for number in range(6)]
    page = "".join(drawn(50, 700 - 12 * row, text) for row, text in enumerate(left))
    page += "".join(drawn(320, 700 - 12 * row, text) for row, text in enumerate(right))
    words = " ".join(read_report(pdf_of(page)).text.split())
    assert words == " ".join([*left, *right])


def test_a_scanned_pdf_is_refused_with_what_to_do() -> None:
    with pytest.raises(ReportUnreadable, match="ocrmypdf"):
        read_report(pdf_of("0 0 m", "0 0 m"))


def test_a_broken_pdf_is_refused() -> None:
    with pytest.raises(ReportUnreadable, match="broken PDF"):
        read_report(b"%PDF-1.4\n" + b"x" * 500)


def test_a_pdf_without_pages_is_refused_as_such() -> None:
    with pytest.raises(ReportUnreadable, match="PDF without pages"):
        read_report(pdf_of())


def test_a_pdf_with_a_page_that_cannot_be_loaded_is_refused_with_its_number() -> None:
    broken = (
        pdf_of(drawn(50, 700, "It draws 700 W."))
        .replace(b"/Type/Page/", b"/Type/Pagf/")
        .replace(b"[4 0 R]", b"[9 0 R]")
    )
    with pytest.raises(ReportUnreadable, match="page 1"):
        read_report(broken)


def test_an_encrypted_pdf_is_refused_with_what_to_do(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf_of(drawn(50, 700, "Power 700 W"))))
    writer.encrypt("secret", algorithm="RC4-128")
    path = tmp_path / "a.pdf"
    writer.write(path)
    with pytest.raises(ReportUnreadable, match="qpdf --decrypt") as refused:
        read_report(path)
    assert refused.value.path == str(path)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"PK\x03\x04" + bytes(50), "ZIP"),
        (b"\x7fELF" + bytes(50), "a program"),
        (b"\x89PNG\r\n", "PNG"),
        (b"text \x00 with a zero", "U+0000"),
        ("caf\u00e9 1 GB\n".encode() + "caf\u00e9".encode("latin-1"), "byte 0xe9 at 14"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(ReportUnreadable) as refused:
        read_report(data)
    assert told in str(refused.value)
    assert refused.value.code == "report.format"


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(ReportTooLarge, match="200 MB"):
        read_report(path)


def test_a_line_of_ten_megabytes_is_refused() -> None:
    with pytest.raises(ReportTooLarge, match="a line of more than") as refused:
        read_report(b"short\n" + b"12 GB " * 1_800_000)
    assert refused.value.line == 2


def test_elements_without_end_are_refused() -> None:
    with pytest.raises(ReportTooLarge, match="in one another"):
        read_report(b"<html>" + b"<div>" * 100_000 + b"5 GB")


def test_a_page_whose_text_the_parser_gives_up_on_is_refused_and_not_cut_off_without_a_word() -> None:
    page = b"<p>It draws 700 W.</p><p>" + b"The H200 has 141 GB. " * 520_000 + b"</p><p>It draws 900 W.</p>"
    with pytest.raises(ReportTooLarge, match="10 MB"):
        read_report(page, "html")


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_lists_in_one_another_without_end_are_refused_at_once(form: TextFormat) -> None:
    deep = "".join("  " * n + "- 5 GB\n" for n in range(3000)) if form == "markdown" else "<ul><li>5 GB" * 3000
    began = processor_time()
    with pytest.raises(ReportTooLarge, match="in one another"):
        read_report(deep.encode(), form)
    assert processor_time() - began < limits.SECONDS / 4
    flat = "- 5 GB\n  - 6 GB\n" * 3000
    assert read_report(flat.encode(), "markdown").text == flat


def test_lines_below_the_limit_take_no_time_and_the_first_over_it_is_named() -> None:
    line = b"It draws 700 W. " * (limits.LINE // 32)
    began = processor_time()
    assert len(read_report(line + b"\n" + line, "text").text) == 2 * len(line) + 1
    with pytest.raises(ReportTooLarge, match="line of more than") as refused:
        read_report(b"\n" + line + b"\n" + line + line + b"5", "text")
    assert refused.value.line == 3
    assert processor_time() - began < limits.SECONDS / 4


def test_spans_without_end_are_refused_at_once_by_their_count() -> None:
    began = processor_time()
    with pytest.raises(ReportTooLarge, match="spans cover"):
        read_report(b"<html><table>" + b"<tr><td rowspan=65000 colspan=1000>5 GB</tr>" * 1000 + b"</table></html>")
    report = read_report(b"<html><table><tr><td rowspan=65000>A<td>1 GB</tr><tr><td>2 GB</tr></table></html>")
    assert cells(report)[-1][:3] == (1, 1, "2 GB")
    assert processor_time() - began < limits.SECONDS / 4


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("span", ["9" * 5000, "0", "-1", "two", " 1 "])
def test_a_span_that_is_no_number_of_places_ends_no_reading(form: TextFormat, span: str) -> None:
    page = f'<table><tr><td rowspan="{span}">A<td>1 GB</tr><tr><td>B<td>2 GB</tr></table>\n'
    assert "2 GB" in [text for _, _, text, *_ in cells(read_report(page.encode(), form))]


@pytest.mark.parametrize("layers", [1, 2])
def test_a_pdf_that_unfolds_without_end_is_refused_for_that(layers: int) -> None:
    folded = zlib.compress(b" " * (limits.PDF_STREAM + (2 << 20)), 9)
    folded = zlib.compress(folded, 9) if layers == 2 else folded
    filters = b"/FlateDecode " * layers
    bomb = b"%%PDF-1.4\n4 0 obj\n<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream\n" % (
        len(folded),
        filters,
        folded,
    )
    began = processor_time()
    with pytest.raises(ReportTooLarge, match="unfolds to more than"):
        read_report(bomb)
    assert processor_time() - began < limits.SECONDS / 4


def test_a_caption_is_a_block_of_its_own() -> None:
    page = b"<html><table><caption>Chips, 2025</caption><tr><th>Chip<th>GB<tr><td>H200<td>141</table></html>"
    assert [one.kind for one in read_report(page).blocks][:2] == ["caption", "cell"]


def test_of_very_many_attributes_only_those_that_hide_or_span_are_read() -> None:
    many = " ".join(f"a{n}=1" for n in range(60_000))  # half a minute, were each compared with all
    page = f"<p {many}>It draws 700 W.</p><p {many} hidden {many}>900 W</p><p style='display: none' {many}>800 W</p>"
    assert read_report(f"<html>{page}</html>".encode()).text.strip() == "It draws 700 W."


def test_a_tag_without_end_takes_no_time() -> None:
    before = processor_time()
    assert read_report(f"<html><p>It draws 700 W.</p><{'a' * 200_000}".encode()).text.strip() == "It draws 700 W."
    assert processor_time() - before < 20


def test_entities_that_unfold_are_not_followed() -> None:
    bomb = (
        b'<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><html><body><p>5 GB &b;</p></body></html>'
    )
    assert "aaaaaaaaaa" not in read_report(bomb).text.replace("&a", "")


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_table_of_ten_thousand_rows_is_read_in_time(form: str) -> None:
    began = processor_time()
    if form == "markdown":
        text = "| a | b |\n|---|---|\n" + "".join(f"| r{n} | {n} |\n" for n in range(10_000))
    else:
        text = "<html><table>" + "".join(f"<tr><td>r{n}<td>{n}" for n in range(10_000)) + "</table></html>"
    report = read_report(text.encode())
    assert report.format == form
    assert cells(report)[-1][:3] == (10_000 if form == "markdown" else 9_999, 1, "9999")
    assert processor_time() - began < limits.SECONDS / 4


def test_every_refusal_names_the_file_and_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xff\x00\xff")
    with pytest.raises(KgError) as refused:
        read_report(path)
    assert str(refused.value).startswith(str(path))
    assert "kg explain report.format" in str(refused.value)


@pytest.mark.parametrize(
    ("form", "before", "again", "after"),
    [
        ("markdown", "", "<!-- ", ""),
        ("markdown", "", "a <!-- ", "\n\n-->"),
        ("markdown", "# ", "<!-- ", ""),
        ("markdown", "<div>\n", "<a ", ""),
        ("markdown", "<div>\n", "<!-- > ", ""),
        ("markdown", "", "[a\n", ""),
        ("markdown", "", "`a` *b* <i>c</i> [d](e) ", ""),
        ("html", "<p>", "<code>a</code> ", ""),
    ],
)
def test_what_is_begun_and_never_ended_is_read_in_the_time_of_its_length(
    form: TextFormat, before: str, again: str, after: str
) -> None:
    began = processor_time()
    read_report((before + 20_000 * again + after).encode(), form)
    assert processor_time() - began < 6  # some took minutes, none takes 3 s


def test_a_comment_hides_what_is_in_it_and_one_that_nothing_ends_hides_nothing() -> None:
    text = "The H200 <!-- of 80 GB --> has 141 GB <!-- or `192 GB`.\n\nThe end -->"
    report = read_report(text.encode(), "markdown")
    seen = [text[one.start : one.end] for one in report.marks if one.kind in ("hidden", "code")]
    assert seen == ["<!-- of 80 GB -->", "192 GB"] and report.text == text
