"""Pictures, charts and reports of the shipped content: the right things are in them, and every figure leads to a claim."""

import re
from collections.abc import Callable

import pytest

from kg.errors import UsageError
from kg.render.charting import plan
from kg.render.charts import NothingToChart
from kg.render.drawn import drawing
from kg.render.looks import label_lines
from kg.render.pictures import meant
from kg.render.scene import Scene, SceneNode
from kg.render.story_card import story_card
from kg.render.surroundings import UnknownPicture
from kg.session import Graph

View = Callable[..., Scene]
CLAIM = "002/r1.gb200.offline.per-accelerator"


def node(scene: Scene, name: str) -> SceneNode:
    return next(one for one in scene.nodes if one.id == name)


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ((), "all"),
        (("all",), "all"),
        (("GB200",), "thing"),
        (("=GB200",), "thing"),
        (("system/nvidia-gb200-nvl72",), "thing"),
        (("72428",), "trace"),
        (("4.8 TB/s",), "trace"),
        ((CLAIM,), "trace"),
        (("source/002",), "source"),
        (("unresolved/mlperf-results",), "source"),
        (("compare", "GB200", "H200"), "compare"),
        (("disputes",), "disputes"),
        (("disputes", "H200"), "disputes"),
        (("trace", "2.5x"), "trace"),
    ],
)
def test_words_say_which_picture_is_meant(graph: Graph, words: tuple[str, ...], form: str) -> None:
    assert meant(graph, words)[0] == form


@pytest.mark.parametrize("words", [("compare", "GB200"), ("trace",), ("GB200", "H200"), ("disputes", "a", "b")])
def test_words_that_make_no_picture_are_refused_with_what_is_accepted(graph: Graph, words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        graph.view(*words)


def test_a_limit_outside_the_possible_is_refused(graph: Graph) -> None:
    with pytest.raises(UsageError, match="10,000"):
        graph.view("GB200", limit=20_000)


def test_an_unknown_name_is_refused_with_names_like_it(graph: Graph) -> None:
    with pytest.raises(UnknownPicture, match="gb200"):
        graph.view("GB2000")


def test_a_trace_goes_from_the_document_to_the_origin(view: View) -> None:
    scene = view("72428")
    asked, source, calculation = (
        node(scene, CLAIM),
        node(scene, "source/002"),
        node(scene, f"calculation/{CLAIM}#derivation-1"),
    )
    total, origin = node(scene, "002/r1.gb200.offline.total"), node(scene, "unresolved/mlperf-results")
    assert source.column < asked.column < calculation.column < total.column < origin.column
    said = {(one.source, one.target): one.label for one in scene.edges}
    assert said[CLAIM, "source/002"] == "source"
    assert said[CLAIM, calculation.id] == "computed as"
    assert said[calculation.id, total.id] == "total"
    assert said[total.id, origin.id] == "repeats (unverified)"
    assert "inconsistent" in calculation.label


def test_a_claim_about_several_things_is_labelled_with_all(view: View) -> None:
    several = "004/application.chips.parameters-after"
    label = node(view(several), several).label
    assert "H200" in label and "B200" in label


def test_the_card_of_a_claim_says_all_that_is_asked_for(view: View) -> None:
    facts = dict(node(view(CLAIM), CLAIM).facts)
    assert facts["as printed"] == "72428.00 sample/s"
    assert facts["asserted by"].startswith("Gemini 2.5 Pro")
    assert "row NVIDIA GB200 Offline" in facts["source"] and "code points" not in facts["source"]
    assert facts["date"] == "undated"
    assert "benchmark: mlperf-inference" in facts["conditions"]
    assert facts["calculation"].startswith("total / accelerators with total = 289712.00 sample/s")
    assert facts["finding"].startswith("violation: ")
    assert facts["verdict"].startswith("wrong: 289,712 was divided by 4, the accelerators of one node")


def test_a_comparison_holds_every_claim_of_the_answer(graph: Graph, view: View) -> None:
    scene, answer = view("compare", "GB200", "H200"), graph.compare("GB200", "H200")
    assert {one.id for one in scene.nodes if one.kind == "claim"} == {one.id for one in answer.claims}
    assert {row[0] for row in scene.tables[0].rows} == {one.id for one in answer.claims}
    left = node(scene, "system/nvidia-gb200-nvl72")
    assert left.column < node(scene, answer.claims[0].id).column < node(scene, "family/nvidia-h200").column


def test_the_rows_below_a_picture_name_title_and_place_and_nothing_that_is_not_known(view: View) -> None:
    table = view("72428").tables[0]
    rows = {name: dict(zip(table.columns, cells, strict=True)) for name, cells in table.rows}
    assert rows[CLAIM]["source"] == (
        "Blog post with a machine-written MLPerf comparison; "
        "table deepseek-r1, row NVIDIA GB200 Offline, column Result per Accelerator"
    )
    for cell in (cell for row in rows.values() for cell in row.values()):
        assert not any(words in cell for words in ("code points", ".txt", "unstated", "undated")), cell
    assert "none" not in {row["finding"] for row in rows.values()}


def test_the_label_of_a_claim_holds_its_whole_statement(view: View) -> None:
    lines = [label_lines(one.label) for one in view("72428").nodes if one.kind == "claim"]
    assert max(map(len, lines)) <= 5
    cut = [one for one in lines if any(line.endswith("…") for line in one)]
    assert len(cut) <= 1 and all("author of the blog post" not in " ".join(one) or "002" in one[-1] for one in lines)


def test_every_dispute_is_drawn_with_its_claims(graph: Graph, view: View) -> None:
    scene, found = view("disputes"), graph.conflicts()
    assert {one.id for one in scene.nodes if one.kind == "finding"} == {one.finding for one in found.groups}
    drawn = {(one.source, one.target) for one in scene.edges}
    assert all((group.finding, member.claim.claim) in drawn for group in found.groups for member in group.members)


def test_a_source_holds_all_its_claims(graph: Graph, view: View) -> None:
    scene = view("source/000")
    rows = {row["claim"] for row in graph.ask("sources/claims", source="source/000").dicts()}
    assert {one.id for one in scene.nodes if one.kind == "claim"} == rows
    assert scene.focus == ("source/000",)


def test_a_thing_holds_claims_about_against_and_under_it(graph: Graph, view: View) -> None:
    scene = view("H200")
    claims = {one.id for one in scene.nodes if one.kind == "claim"}
    assert "000/mistral.training-speed.h200" in claims, "as the baseline"
    assert {row["claim"] for row in graph.ask("specifications/all-claims", thing="H200").dicts()} <= claims
    model = {one.id for one in view("model/deepseek-r1").nodes if one.kind == "claim"}
    assert CLAIM in model, "measured with it"


def test_everything_within_a_limit_says_what_is_left_out(view: View) -> None:
    part = view(limit=200)
    assert len([one for one in part.nodes if one.kind != "bundle"]) == 200
    assert part.notes[0].startswith("This is a part: 200 of ")
    assert any("claims are read" in note for note in part.notes)
    assert part.to_html().count("This is a part:") >= 2


def test_every_line_of_every_picture_joins_two_nodes_and_every_row_has_its_node(view: View) -> None:
    for words in (("source/000",), ("disputes",), ("72428",), ("compare", "GB200", "H200")):
        scene = view(*words)
        names = {one.id for one in scene.nodes}
        assert all(one.source in names and one.target in names for one in scene.edges), words
        assert all(row[0] in names for table in scene.tables for row in table.rows), words
        assert {one.id for one in scene.nodes if one.kind == "claim"} == {row[0] for row in scene.tables[0].rows}, words


def test_pictures_name_the_questions_that_gave_their_rows(graph: Graph, view: View) -> None:
    for words in (("H200",), ("72428",), ("disputes",)):
        used = view(*words).questions
        assert used and set(used) <= set(graph.questions()), words


def test_two_openings_give_the_same_page(graph: Graph) -> None:
    assert graph.view("compare", "GB200", "H200").to_html() == graph.view("compare", "GB200", "H200").to_html()


# --- charts ----------------------------------------------------------------------------------------------------------


def test_the_number_line_holds_every_value_with_interval_and_speaker(graph: Graph) -> None:
    made = plan(graph, "number-line", ("H200", "memory-bandwidth"))
    marks = [mark for lane in made.panels[0].lanes for mark in lane.marks]
    printed = {mark.words for mark in marks}
    assert {"4.8 GB/s", "4.8 TB/s", "4800 GB/s", "9600 GB/s"} <= printed
    assert all(mark.low is not None and mark.high is not None and mark.low <= mark.value <= mark.high for mark in marks)
    assert [mark.value for mark in marks] == sorted(mark.value for mark in marks)
    wrong = next(mark for mark in marks if mark.words == "4.8 GB/s")
    assert wrong.verdict == "wrong" and wrong.value == pytest.approx(0.0048), "in the unit that is printed"
    assert made.panels[0].unit == "TB/s" and made.title.startswith("Memory bandwidth of H200: 4.8 TB/s in ")
    assert len(made.table.rows) == len(marks)


def test_results_set_the_printed_beside_the_recomputed(graph: Graph) -> None:
    made = plan(graph, "results", ("deepseek",))
    lane = next(
        one for panel in made.panels for one in panel.lanes if any(mark.words == "72428.00" for mark in one.marks)
    )
    values = {mark.series: mark.value for mark in lane.marks}
    assert lane.is_bad
    assert values["printed"] == 72428
    assert values["recomputed"] == pytest.approx(289712 / 72)
    assert all(mark.words for mark in lane.marks), "both values are told"
    assert len({panel.title for panel in made.panels}) == len(made.panels), "the unit tells panels apart"


def test_the_title_of_results_counts_the_printed_ones_alone(graph: Graph) -> None:
    made = plan(graph, "results", ("server", "deepseek"))
    assert made.title == "1 of 2 printed results per accelerator does not follow from its total (server)"
    assert plan(graph, "results", ("interactive",)).title.endswith("computed from totals (interactive)")


def test_gain_tells_system_from_accelerator_and_dense_from_experts(graph: Graph) -> None:
    made = plan(graph, "gain")
    titles = [panel.title for panel in made.panels]
    assert titles[:2] == ["dense models", "mixture of experts models"]
    lane = next(
        one
        for one in made.panels[1].lanes
        if one.name.endswith("offline: Blog post with a machine-written MLPerf comparison")
    )
    values = {mark.series: mark.value for mark in lane.marks}
    assert values["per system"] == pytest.approx(289712 / 31486.55)
    assert values["per accelerator, printed"] == pytest.approx(72428 / 3935.82)
    assert values["per accelerator, computed"] == pytest.approx(289712 / 72 / 3935.82)


def test_the_title_of_a_gain_has_its_direction(graph: Graph) -> None:
    title = plan(graph, "gain").title
    assert "% higher on dense models" in title and "% lower on mixture of experts models" in title
    assert "2.97× on dense models" in plan(graph, "gain", ("GB200", "H200")).title


def test_of_thousands_of_claims_a_number_line_reads_some_and_says_so(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = plan(graph, "number-line", ("H200", "memory-bandwidth"))
    monkeypatch.setattr("kg.render.number_line.MOST_READ", 3)
    part = plan(graph, "number-line", ("H200", "memory-bandwidth"))
    assert len(part.panels[0].lanes) <= 3 < len(whole.panels[0].lanes)
    assert not [note for note in whole.notes if "not read" in note]
    assert [note for note in part.notes if note.startswith("The first 3 of ") and note.endswith("are not read.")]


def test_the_line_of_a_claim_leaves_out_results_of_other_tasks(graph: Graph) -> None:
    made = plan(graph, "number-line", (CLAIM,))
    assert [mark.words for lane in made.panels[0].lanes for mark in lane.marks] == ["72428.00 sample/s"]
    assert "of GB200 GPU" in made.title and made.notes == ("3 claims under other conditions: not drawn.",)


def test_timeline_draws_a_year_as_long_as_it_is(graph: Graph) -> None:
    made = plan(graph, "timeline")
    year = next(mark for lane in made.panels[0].lanes if "document 003" in lane.name for mark in lane.marks)
    assert year.low is not None and year.high is not None and year.high - year.low == 364
    assert made.notes[0].startswith("Claims without a date, not drawn: ")


@pytest.mark.parametrize(
    "words", [("pie",), ("results", "nothing-such"), ("number-line",), ("number-line", "H200", "colour")]
)
def test_a_chart_of_nothing_is_refused(graph: Graph, words: tuple[str, ...]) -> None:
    with pytest.raises((UsageError, NothingToChart)):
        graph.chart(*words)


def test_lines_of_a_drawing_leave_and_reach_shapes_at_their_sides(view: View) -> None:
    drawn = drawing(view("compare", "GB200", "H200"))
    lines = re.findall(r'<path class="line" d="([^"]+)"', drawn)
    assert len(lines) == 14 and all("C" in one for one in lines), "a straight one crosses the claims above and below"


# --- a claim on a card -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "shown", "hidden"),
    [
        ("002/author.nvl72-dgx-b200.r1", ["against NVIDIA DGX B200", "2. Rests on", "1.02x to 1.21x"], ["rests-on:"]),
        ("4.8 TB/s", ["confirmed", "unnamed AI system"], ["org/", "Unverified for", "004/bandwidth.h200:"]),
        ("72428", ["wrong", "4,023.78 token/s", "column Result per Accelerator"], []),
    ],
)
def test_a_card_tells_one_claim_in_words(graph: Graph, asked: str, shown: list[str], hidden: list[str]) -> None:
    text = " ".join(re.findall(r">([^<]+)</text>", story_card(graph, asked)))
    assert [one for one in shown if one not in text] == []
    assert [one for one in hidden if one in text] == []


# --- reports ---------------------------------------------------------------------------------------------------------


def test_a_report_of_a_claim_holds_its_evidence(graph: Graph) -> None:
    for form in ("html", "md"):
        text = graph.report(CLAIM, form=form).replace("\\", "").replace("<wbr>", "")
        for words in (
            CLAIM,
            "is wrong.",
            "4,023.78 sample/s",
            "289,711.995 to 289,712.005",
            "002_22b14413d445894a.txt",
            "12427-12435",
            "unresolved/mlperf-results",
            "6cf5e7d1c32329f7e5544b869e8d9ef7a042f687a0502472186cd54c8ecd10cc",
            "divisor.per-node",
        ):
            assert words in text, (form, words)


def test_a_report_of_a_question_holds_every_claim_of_its_answer(graph: Graph) -> None:
    text = graph.report("comparisons/compare", a="GB200", b="H200")
    for row in graph.ask("comparisons/compare", a="GB200", b="H200").dicts():
        assert str(row["claim"]) in text
    assert "Which claims compare A with B" in text
    assert "time-per-output-token" not in re.findall(r"class=\"?answer[^>]*>([^<]*)<", text)[0], "names, not ids"
    assert "<svg" in text


def test_a_question_without_claims_can_be_reported_too(graph: Graph) -> None:
    assert "MLPerf DeepSeek-R1" in graph.report("benchmarks/tasks", form="md")


def test_parameters_without_a_question_are_refused(graph: Graph) -> None:
    with pytest.raises(UsageError):
        graph.report("72428", a="x")


def test_a_long_figure_ends_within_its_card(graph: Graph) -> None:
    figure = re.findall(r"<text [^>]*font-weight=\"700\">([^<]+)</text>", story_card(graph, "002/report.scope.models"))
    assert len(figure[0]) <= 72 and figure[0].startswith("GPTJ-99") and figure[0].endswith(" …")
