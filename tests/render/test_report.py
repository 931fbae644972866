"""Reports as HTML and as Markdown: all parts, claim ids, and words that are only words."""

import re
from pathlib import Path

from kg.render.cells import markdown_text
from kg.render.report import Card, EvidenceReport, Section, html, markdown
from kg.render.scene import Scene, SceneEdge, SceneNode, SceneTable, tidy
from kg.session import open_graph

PICTURE = tidy(
    Scene(
        "P",
        "",
        (SceneNode("1/a", "claim", "2.5x <b>"), SceneNode("source/1", "source", "S|")),
        (SceneEdge("1/a", "source/1", "printed in"),),
        (),
        layout="layers",
    )
)
GIVEN = EvidenceReport(
    "T <i>",
    "Q?",
    "A | no",
    "no",
    (
        Section("Answer", tables=(SceneTable("Rows", ("claim", "says"), (("1/a", ("1/a", "x | y")),)),)),
        Section("Calculations", cards=(Card("1/a", (("gives", "2 * 3"),)),)),
    ),
    picture=PICTURE,
    questions=("claims/card",),
    made_from=(("from ledger state", "abc"),),
)


def test_both_forms_hold_question_answer_rows_cards_picture_and_what_it_is_made_from() -> None:
    for text in (html(GIVEN), markdown(GIVEN)):
        for words in ("Q?", "1/a", "Calculations", "gives", "printed in", "claims/card", "abc"):
            assert words in text, words


def test_words_are_escaped_in_both_forms() -> None:
    assert "<i>" not in html(GIVEN) and "2.5x &lt;b&gt;" in html(GIVEN)
    told = markdown(GIVEN)
    assert re.search(r"(?<!\\)<", told) is None
    assert "| 1/a | x \\| y |" in told
    assert "2 \\* 3" in told


def test_the_page_of_a_report_runs_nothing_and_loads_nothing() -> None:
    text = html(GIVEN)
    assert "<script" not in text
    assert "script-src 'none'" in text


def test_same_report_same_bytes() -> None:
    assert html(GIVEN) == html(GIVEN)
    assert markdown(GIVEN) == markdown(GIVEN)


def test_a_line_break_cannot_start_a_new_block() -> None:
    assert markdown_text("a\n# b") == "a \\# b"


def test_the_title_of_a_number_names_the_thing_that_most_of_its_claims_are_about(shipped_store: Path) -> None:
    with open_graph(shipped_store) as graph:
        title = graph.report("141", form="md").splitlines()[0]
    assert title == "# Evidence: 141, memory capacity (per chip) of H200 series and 2 other claims"
