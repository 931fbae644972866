"""`kg view` and `kg report` on the command line."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from kg.cli.app import run
from kg.render.looks import LOOKS
from kg.render.png_file import plain_svg
from tests.opened_program import OpenedOnce


@pytest.fixture(autouse=True)
def used_store(opened_store: OpenedOnce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_STORE", str(opened_store.folder))
    monkeypatch.setattr("kg.session.open_graph", opened_store)
    monkeypatch.chdir(tmp_path)


def test_view_writes_one_file_and_says_where(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["view", "compare", "GB200", "H200", "-o", "a.html"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "written to a.html" in captured.err
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [one.name for one in tmp_path.iterdir()] == ["a.html"]


def test_view_without_a_file_name_makes_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["view", "trace", "4.8 TB/s"]) == 0
    assert (tmp_path / "kg-trace-4.8-TB-s.html").is_file()
    assert "written to kg-trace-4.8-TB-s.html; -o FILE writes it elsewhere" in capsys.readouterr().err


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        assert run(["view", "72428", "-o", name, "--quiet"]) == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_cut_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["view", "H200", "--limit", "20", "-o", "a.html"]) == 0
    assert "This is a part: 20 of " in capsys.readouterr().err


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<svg"), ("a.PNG", b"\x89PNG"), ("a.htm", b"<!DOCTYPE")])
def test_a_chart_has_the_form_of_its_file_name(tmp_path: Path, name: str, start: bytes) -> None:
    pytest.importorskip("matplotlib", reason="the extra charts is not installed")
    assert run(["view", "--chart", "number-line", "H200", "memory-bandwidth", "-o", name]) == 0
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    "arguments",
    [
        ["view", "no such thing"],
        ["view", "a", "b"],
        ["view", "--chart", "pie"],
        ["view", "--limit", "99999"],
        ["report", "nothing/such"],
        ["report", "72428", "--x", "1"],
        ["report", "72428", "-o", "a.pdf"],
        ["view", "72428", "-o", "a.pdf"],
        ["view", "card", "72428", "-o", "a.html"],
        ["view", "72428", "-o", "a"],
    ],
)
def test_what_cannot_be_drawn_is_refused_without_a_file(
    arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(arguments) == 2
    told = capsys.readouterr().err
    assert "Accepted" in told and "Traceback" not in told
    assert list(tmp_path.iterdir()) == []


def test_report_goes_to_standard_output_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "comparisons/compare", "--a", "GB200", "--b", "H200"]) == 0
    captured = capsys.readouterr()
    first = "# GB200 against H200: 2.58x to 5.44x per accelerator, computed from 11 pairs of official results here\n"
    assert captured.out.startswith(first)
    assert captured.err == ""


def test_report_of_a_claim_as_a_page(tmp_path: Path) -> None:
    assert run(["report", "002/r1.gb200.offline.per-accelerator", "-o", "e.html"]) == 0
    assert "4,023.78 sample/s" in (tmp_path / "e.html").read_text(encoding="utf-8")


def test_explain_names_the_questions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["view", "MI325X", "-o", "a.html", "--explain"]) == 0
    assert "view/roles" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["72428"], ["compare", "GB200", "H200"], ["MI325X"], ["card", "72428"]])
def test_a_picture_is_one_drawing_too(words: list[str], tmp_path: Path) -> None:
    assert run(["view", *words, "-o", "a.svg", "--quiet"]) == 0
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in text and "href" not in text
    assert run(["view", *words, "-o", "a.png", "--quiet"]) == 0
    image = (tmp_path / "a.png").read_bytes()
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(image[16:20]) >= 2 * float(root.get("width", "0")) - 2, "twice the pixels"


def test_a_drawing_that_stands_alone_says_what_answers_and_leaves_lines_to_things_out(tmp_path: Path) -> None:
    assert run(["view", "72428", "-o", "a.svg", "--quiet"]) == 0
    assert "72428 is wrong." in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert run(["view", "H200", "-o", "a.svg", "--quiet"]) == 0
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "that are wrong or disputed, or that compare." in text and "is measured by" not in text


def test_a_png_has_the_light_colours_and_no_black_shapes(tmp_path: Path) -> None:
    assert run(["view", "compare", "GB200", "H200", "-o", "a.svg", "--quiet"]) == 0
    plain = plain_svg((tmp_path / "a.svg").read_text(encoding="utf-8"))
    assert "var(" not in plain and "@media" not in plain and ":is(" not in plain
    assert LOOKS["claim"].fill in plain and LOOKS["claim"].dark_fill not in plain.replace(LOOKS["claim"].fill, "")


@pytest.mark.parametrize(
    "words", [("72428",), ("--chart", "number-line", "H200", "memory-bandwidth")], ids=["picture", "chart"]
)
def test_a_drawing_that_stands_alone_has_colours_for_programs_without_variables(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    """Inkscape and LibreOffice would show black boxes, their words hidden in them."""
    assert run(["view", *words, "-o", "a.svg", "--quiet"]) == 0
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "var(" not in text
    light, dark = text.split("@media screen and (prefers-color-scheme:dark)")
    assert "text{" in dark and "fill:#161b22" in light and "fill:#e8ecf2" in dark


def test_a_card_says_claim_verdict_value_chain_and_source(tmp_path: Path) -> None:
    assert run(["view", "card", "72428", "-o", "a.svg", "--quiet"]) == 0
    words = " ".join(
        "".join(one.itertext()) for one in ElementTree.parse(tmp_path / "a.svg").iter() if one.tag.endswith("text")
    )
    for told in (
        "72428.00 sample/s",
        "wrong",
        "divided by 4",
        "1. Asserted by",
        "2. Computed from",
        "3. Use instead",
        "4,023.78",
    ):
        assert told in words, told
    assert "kg trace 002/r1.gb200.offline.per-accelerator" in words


def test_the_title_of_a_report_says_what_its_number_is_of(tmp_path: Path) -> None:
    assert run(["report", "72428", "-o", str(tmp_path / "n.md"), "--quiet"]) == 0
    assert (tmp_path / "n.md").read_text().splitlines()[0].endswith("72428, throughput (mean, per chip) of GB200 GPU")
