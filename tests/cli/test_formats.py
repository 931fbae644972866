"""The shared forms: JSON sorted and stable, JSON Lines, CSV that no spreadsheet computes, Markdown, tables without colour."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kg.answers.findings import FindingCard
from kg.answers.problem_words import ToldProblem
from kg.answers.traced_claim import NamedExplanation
from kg.cli.app import run
from kg.cli.options import Format
from kg.cli.problem_forms import _section
from kg.cli.render import write_rows
from kg.export.spreadsheet_cells import original
from kg.render.audit_markdown import _finding
from kg.render.cells import csv_cell
from kg.render.lines import fenced
from tests.cli.conftest import Kg
from tests.sampling import SIGNS

QUERY = (
    "SELECT ?metric (COUNT(DISTINCT ?c) AS ?claims) { ?c k:metric ?metric } GROUP BY ?metric ORDER BY ?metric LIMIT 7"
)
COMMANDS = [
    ("query", QUERY),
    ("ask",),
    ("ask", "meta/store"),
    ("ask", "comparisons/compare", "--a", "GB200", "--b", "H200"),
    ("find", "MI325X"),
    ("explain",),
    ("documents", "list"),
    ("load", "--list"),
]


def out(arguments: tuple[str, ...], form: str, capsys: pytest.CaptureFixture[str]) -> str:
    code = run([*arguments, "--format", form])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert "\x1b" not in captured.out
    return captured.out


@pytest.fixture(autouse=True)
def used_store(store: Path, opened_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_STORE", str(store))


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda given: " ".join(given)[:30])
def test_the_forms_say_the_same(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    text = out(arguments, "json", capsys)
    value = json.loads(text)
    assert text == json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "sorted"
    assert out(arguments, "json", capsys) == text, "stable"
    assert value
    lines = out(arguments, "jsonl", capsys).splitlines()
    rows = list(csv.DictReader(io.StringIO(out(arguments, "csv", capsys))))
    markdown = out(arguments, "markdown", capsys).splitlines()
    table = out(arguments, "table", capsys)
    if isinstance(value, list):
        assert [json.loads(line) for line in lines] == value
        topics = {one["name"].partition("/")[0] for one in value} if arguments == ("ask",) else None
        assert len(rows) == len(value)
        assert len(markdown) - 2 == len(value if topics is None else topics)  # people see topics before questions
        assert set(rows[0]) == set(value[0])
        assert set(markdown[1]) == {"|", "-", " "} and all(
            line.startswith("| ") for line in (markdown[0], *markdown[2:])
        )
    assert table.strip()


def test_one_code_is_explained_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    explain = ("explain", "unit.slip")
    value = json.loads(out(explain, "json", capsys))
    assert value["code"] == "unit.slip" and value["severity"]
    assert json.loads(out(explain, "jsonl", capsys)) == value
    assert list(csv.DictReader(io.StringIO(out(explain, "csv", capsys)))) == [value]
    assert out(explain, "markdown", capsys).startswith("| code | title |")
    told = " ".join(out(explain, "table", capsys).split())  # lines end where the terminal does
    assert told.startswith(f"unit.slip: {value['title']} {value['meaning']}")


def test_json_is_the_same_in_two_processes(kg_apart: Kg) -> None:
    for arguments in (("trace", "72428"), ("compare", "GB200", "H200"), ("export", "jsonl")):
        options = [] if arguments[0] == "export" else ["--format", "json"]
        assert kg_apart(*arguments, *options).stdout == kg_apart(*arguments, *options).stdout != ""


def test_numbers_json_has_no_form_for_stay_readable(capsys: pytest.CaptureFixture[str]) -> None:
    query = 'SELECT (xsd:double("NaN") AS ?x) (xsd:double("INF") AS ?y) ("abc"^^xsd:integer AS ?z) {}'
    assert json.loads(out(("query", query), "json", capsys)) == [{"x": "nan", "y": "inf", "z": "abc"}]
    assert json.loads(out(("query", query), "jsonl", capsys)) == {"x": "nan", "y": "inf", "z": "abc"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_a_spreadsheet_would_compute_is_neutralised(start: str, capsys: pytest.CaptureFixture[str]) -> None:
    cell = f"{start}HYPERLINK(1)"
    write_rows(("=column",), [(cell,)], Format.csv)
    header, row = csv.reader(io.StringIO(capsys.readouterr().out, newline=""))
    assert (header, row) == (["'=column"], ["'" + cell.replace("\r", "\n")])


@given(text=st.text(SIGNS, max_size=8))
def test_neutral_cells_are_numbers_or_begin_with_nothing_dangerous(text: str) -> None:
    safe = csv_cell(text)
    assert original(safe) == text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    if safe[:1] in tuple("=+-@\t\r\n"):
        float(safe)


@given(
    cells=st.lists(
        st.lists(
            st.one_of(st.text(SIGNS, max_size=6), st.none(), st.integers(), st.booleans()),
            min_size=2,
            max_size=2,
        ),
        max_size=4,
    )
)
def test_rows_survive_csv_and_markdown_whatever_they_hold(cells: list[list[object]]) -> None:
    from contextlib import redirect_stdout

    made = io.StringIO(newline="")
    with redirect_stdout(made):
        write_rows(("a", "b"), cells, Format.csv)
    assert len(list(csv.reader(io.StringIO(made.getvalue(), newline="")))) == len(cells) + 1
    made = io.StringIO(newline="")
    with redirect_stdout(made):
        write_rows(("a", "b"), cells, Format.markdown)
    assert len(made.getvalue().splitlines()) == len(cells) + 2


MARKUP = "<img src=x onerror=alert(1)> [a](javascript:alert(1)) `x` *b* a|b \\"


def _told_as_markdown(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """A label that is markup, in each of the Markdown texts that commands write."""
    write_rows(("a",), [(MARKUP,)], Format.markdown)
    finding = FindingCard(
        *("finding/a", "unit.header", "warning", None, "900/a", "source/900", None, MARKUP, "text", None),
        *(None, None, None, None, (), (NamedExplanation(1, "divisor.per-node", MARKUP, None),)),
    )
    problem = ToldProblem(1, "warning", 1.0, MARKUP, MARKUP, (), MARKUP, "kg trace 900/a", (), (), (), "source/900")
    return {
        "rows": capsys.readouterr().out,
        "audit": "\n".join(_finding(finding, None, accepted=False)),
        "problems": "\n".join(_section(problem)),
        "lines": fenced(["a figure of", "```", MARKUP, "````"], markdown=True),
    }


def test_the_names_of_columns_are_text_too(capsys: pytest.CaptureFixture[str]) -> None:
    """A query or a server gives them: `values[i]` is no style, `[/x]` ends none, and an escape reaches no terminal."""
    columns, row = ("values[i]", "[/x]", "a_b|<img>", "\x1b[31mred"), (1, 2, 3, 4)
    write_rows(columns, [row], Format.table)
    assert capsys.readouterr().out.splitlines()[0].split() == ["values[i]", "[/x]", "a", "b|<img>", "\\u001b[31mred"]
    write_rows(columns[:3], [row[:3]], Format.markdown)
    assert (
        capsys.readouterr().out
        == "| values\\[i\\] | \\[/x\\] | a_b\\|\\<img\\> |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n"
    )


def test_markup_of_the_graph_is_text_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    for name, text in _told_as_markdown(capsys).items():
        shown = reader.render(text)
        assert not re.search("<(img|a|em)[ >]|<code>x", shown), (name, shown)
        assert "&lt;img src=x onerror=alert(1)&gt; [a](javascript:alert(1)) `x` *b* a|b \\" in shown, name


def test_formulas_of_the_graph_reach_csv_neutralised(capsys: pytest.CaptureFixture[str]) -> None:
    query = 'SELECT ?x ?y { VALUES (?x ?y) { ("=1+1" -3) ("+49" 2.5) } }'
    text = out(("query", query), "csv", capsys)
    assert text == "x,y\n'=1+1,-3\n'+49,2.5\n"
