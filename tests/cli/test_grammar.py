"""One grammar: each command with each kind of input gives an answer or says what it takes, as the table has it."""

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from kg.cli.app import run
from kg.cli.grammar import TAKES
from kg.session import Graph, open_graph

INPUTS = {
    "claim": ["002/author.nvl72-dgx-b200.r1"],
    "number": ["72428"],
    "source": ["002"],
    "thing": ["GB200", "NVL72"],
    "metric": ["memory-bandwidth"],
    "pair": ["GB200", "NVL72", "H200"],
}
REFUSED = "Accepted: "
pytestmark = pytest.mark.usefixtures("opened_once")


@pytest.fixture(scope="module")
def graph(store: Path) -> Graph:
    return open_graph(store)


def answer(store: Path, folder: Path, command: str, words: list[str]) -> tuple[int, str, str]:
    output = ["-o", str(folder / "picture.html")] if command == "view" else []
    told, shown = io.StringIO(), io.StringIO()
    with redirect_stdout(shown), redirect_stderr(told):
        code = run([command, *words, "--store", str(store), *output])
    picture = folder / "picture.html"
    return code, shown.getvalue() or (picture.read_text() if picture.exists() else ""), told.getvalue()


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("command", TAKES)
def test_a_command_answers_what_it_takes_and_refuses_the_rest_in_words(
    command: str, kind: str, store: Path, tmp_path: Path
) -> None:
    words = INPUTS[kind]
    if (command, kind) == ("compare", "number"):
        words = ["30x"]  # all claims of it compare the same two things
    if (command, kind) == ("verify", "number"):
        words = ["2.5x"]
    code, shown, told = answer(store, tmp_path, command, words)
    assert "internal" not in told and "extra argument" not in told
    if kind in TAKES[command]:
        assert (code, bool(shown.strip()) or "figures of" in told) == (0, True), told  # no wrong figures is an answer
    else:
        assert code == 2 and REFUSED in told and "kg " in told.split(REFUSED)[1], told


@pytest.mark.parametrize("command", ["audit", "conflicts", "impact", "origins", "verify"])
def test_a_number_that_nobody_states_is_refused(command: str, store: Path, tmp_path: Path) -> None:
    code, shown, told = answer(store, tmp_path, command, ["123456789"])
    assert (code, shown) == (2, "") and "stated by no claim" in told and "kg trace 123456789" in told


@pytest.mark.parametrize("command", sorted(set(TAKES) - {"show", "trace", "conflicts", "compare", "cite"}))
def test_a_name_that_nobody_knows_is_refused_with_names_like_it(command: str, store: Path, tmp_path: Path) -> None:
    code, _, told = answer(store, tmp_path, command, ["GB2000", "NVL72"])
    assert code == 2 and "gb200 nvl72" in told


@pytest.mark.parametrize(
    ("words", "kind", "pair"),
    [
        (["GB200", "NVL72"], "thing", None),
        (["GB200", "NVL72", "H200"], "pair", ("GB200 NVL72", "H200")),
        (["H200", "against", "GB200", "NVL72"], "pair", ("H200", "GB200 NVL72")),
        (["GB200 NVL72", "DGX B200"], "pair", ("GB200 NVL72", "DGX B200")),
        (["H200", "vs", "H100"], "pair", ("H200", "H100")),
        (["4.8", "TB/s"], "number", None),
        (["memory", "bandwidth"], "metric", None),
        (["metric/memory-bandwidth"], "metric", None),
        (["002"], "source", None),
        (["source/002"], "source", None),
        (["family/nvidia-h200"], "thing", None),
        (["two", "years"], "number", None),
        (["no", "such", "thing"], "nothing", None),
        (["mlcommons-inference-v5.0-page/5.0-0020.llama3.1-405b.offline.result"], "claim", None),
    ],
)
def test_words_stand_for(words: list[str], kind: str, pair: tuple[str, str] | None, graph: Graph) -> None:
    meant = graph.referent(*words)
    assert (meant.kind, meant.pair) == (kind, pair)


def test_a_number_of_several_claims_is_refused_with_their_ids_where_programs_read(store: Path, tmp_path: Path) -> None:
    code, _, told = answer(store, tmp_path, "origins", ["4.8", "TB/s", "--format", "json"])
    assert code == 2 and "is stated by" in told and "002/spec.gh200.memory-bandwidth" in told


def test_problems_of_a_part_are_counted_by_themselves(store: Path, tmp_path: Path) -> None:
    _, shown, _ = answer(store, tmp_path, "audit", ["GB200", "NVL72"])
    _, whole, _ = answer(store, tmp_path, "audit", [])
    told, told_whole = (" ".join(text.split()) for text in (shown, whole))
    of_part = re.match(r"Most damaging: [^.]+\. (\d+) problems with GB200 NVL72", told)
    of_all = re.match(r"Most damaging: .+? (\d+) problems behind", told_whole)
    assert of_part is not None and of_all is not None
    assert 1 < int(of_part[1]) < int(of_all[1]) / 2


@pytest.mark.parametrize("word", ["confirmed", "unverified", "caution", "disputed", "wrong", "unknown"])
def test_every_verdict_is_explained(word: str, store: Path, tmp_path: Path) -> None:
    told = io.StringIO()
    with redirect_stdout(told):
        assert run(["explain", word]) == 0
    assert told.getvalue().startswith(f"{word}: verdict of a number.")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SELECT * WHERE {?s k:subject id:system/nvidia-gb200-nvl72} LIMIT 2", "system/nvidia-gb200-nvl72"),
        ("SELECT * WHERE { ?s ?p id:source/002 }", "source/002"),
        ("SELECT * WHERE { id:org/nvidia ?p ?o }", "org/nvidia"),
    ],
)
def test_a_slash_in_a_prefixed_name_is_told_with_what_to_write(
    text: str, name: str, store: Path, tmp_path: Path
) -> None:
    code, _, told = answer(store, tmp_path, "query", [text])
    assert code == 2 and f"write <https://w3id.org/accelkg/id/{name}>" in told


def test_a_number_without_a_ratio_is_answered_by_verify_in_words(store: Path, tmp_path: Path) -> None:
    code, shown, told = answer(store, tmp_path, "verify", ["72428"])
    assert code == 0 and "kg trace 72428" in told and shown.startswith("There is no claim of a ratio or an order")


def test_verify_of_two_things_names_the_pairs_of_results_that_compare_finds(store: Path, tmp_path: Path) -> None:
    code, _, told = answer(store, tmp_path, "verify", ["MI300X", "H200"])
    assert code == 0 and re.search(r"0\.383x to 0\.846x per accelerator in 7 pairs; kg compare MI300X H200", told)


def test_claims_without_a_figure_are_meant_by_their_printed_words(graph: Graph) -> None:
    meant = graph.referent("far", "higher", "than", "B200")
    assert (meant.kind, meant.text) == ("claim", "002/report.r1.gb200-over-b200")


def test_the_origins_of_a_number_of_several_claims_are_told_each_and_repetitions_once(
    store: Path, tmp_path: Path
) -> None:
    code, shown, _ = answer(store, tmp_path, "origins", ["141"])
    assert code == 0 and shown.startswith("141 is stated by 6 claims")
    assert shown.count(" is stated ") == 1 + 3, "four of them repeat one another"


def test_words_that_name_nothing_are_not_said_to_agree(store: Path, tmp_path: Path) -> None:
    _, shown, told = answer(store, tmp_path, "conflicts", ["H200", "memory", "bandwidth"])
    assert "No claims disagree" not in shown and "--metric" in told


@pytest.mark.parametrize("command", ["show", "trace"])
def test_words_of_a_thing_and_a_metric_lead_to_the_question_in_words(command: str, store: Path, tmp_path: Path) -> None:
    _, _, told = answer(store, tmp_path, command, ["H200", "memory", "bandwidth"])
    assert "kg ask 'H200 memory bandwidth'" in told
