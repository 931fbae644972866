"""The benchmark on a few claims: every part that needs no server runs, all peers give the same rows, and goals are judged."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import main, read_size
from benchmarks.parts.judging import Medians, disagreeing, judged
from benchmarks.parts.part import Goal, Meter, Part, Step, Unavailable, Work, compared, digest
from benchmarks.parts.registry import PARTS, SERVED, STEPS
from benchmarks.parts.running import Runner, ended
from benchmarks.parts.world import PLANTED, planted
from benchmarks.report import Result, fill, unexplained
from kg.stores.oxigraph import OxigraphStore
from kg.stores.protocol import Answer
from tests.sampling import first

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = 200
APART = ("make.arcadedb", "cypher.arcadedb")
SLOW = frozenset({*APART, "cold-start.all"})
"""Steps that start a Java machine, or every program anew: more than half of the time, and the long run has them."""
Json = dict[str, Any]


def measured_here(step: Step, work: Work) -> Json:
    """A step without a process of its own; the engine that brings a Java machine is kept out of the tests' process."""
    if step.name in APART:
        return Runner(work.folder.parent, (), (), 1, 1, 300, keep=True, tell=lambda _: None).spawned(step, work)
    meter = Meter(tries=0)
    try:
        step.run(work, meter)
    except Unavailable as why:
        return {"failed": str(why)}
    return meter.to_json()


def runner(folder: Path, *parts: Part, sizes: tuple[int, ...] = (CLAIMS,), repeats: int = 1, **further: Any) -> Runner:
    given: Json = {"measure": measured_here, "tell": lambda _: None, **further}
    return Runner(folder, parts, sizes, repeats, 1, 60, keep=True, **given)


def written_once(kept: Path) -> Callable[..., None]:
    """The lexicon is compiled by the first build, and copied by the others."""
    from kg.ask.lexicon import write_lexicon

    def write(path: Path, *given: Any) -> None:
        if not kept.exists():
            write_lexicon(kept, *given)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept, path)

    return write


@pytest.fixture(scope="module", params=first(0, [SLOW, frozenset()]), ids=["few", "all"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """All parts but the server's, on a few claims. The shipped content is read once, not by every step."""
    from kg.build import build

    found = runner(tmp_path_factory.mktemp("bench"), *PARTS.values(), without=SERVED | request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "content_records", cache(build.content_records))
        patch.setattr(build, "write_lexicon", written_once(tmp_path_factory.mktemp("lexicon") / "lexicon.json"))
        found.run()
    return found


def test_every_step_without_a_server_measures_something(whole: Runner) -> None:
    steps = whole.found[CLAIMS]
    failed = {name: kept["failed"] for name, kept in steps.items() if "failed" in kept}
    assert failed == dict.fromkeys(whole.without & steps.keys(), "left out")
    assert set(STEPS) - steps.keys() <= whole.without
    assert all(kept["runs"] for name, kept in steps.items() if name not in failed)


@pytest.mark.parametrize("name", ["conflicts.sparql", "best.sparql"])
def test_a_list_is_asked_of_the_engine_at_each_try(whole: Runner, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    asked: list[str] = []
    select = OxigraphStore.select

    def counted(self: OxigraphStore, text: str, **given: Any) -> Answer:
        asked.append(text)
        return select(self, text, **given)

    monkeypatch.setattr(OxigraphStore, "select", counted)
    meter = Meter(tries=3)
    STEPS[name].run(Work(whole.folder / str(CLAIMS), CLAIMS), meter)
    assert max(map(asked.count, asked)) > 3


def test_all_peers_give_the_same_rows(whole: Runner) -> None:
    steps = whole.found[CLAIMS]
    assert disagreeing(steps) == {}
    asked: dict[str, set[str]] = {}
    for name, kept in steps.items():
        for answer in kept["runs"][0]["answers"] if kept["runs"] else ():
            asked.setdefault(answer, set()).add(name)
    assert asked["compare"] | whole.without >= {
        "lookup.kg",
        "lookup.rdflib",
        "lookup.sqlite",
        "lookup.duckdb",
        "cypher.ladybug",
        "cold-start.all",
    }
    assert asked["value"] >= {
        "lookup.kg",
        "lookup.filter",
        "lookup.rdflib",
        "lookup.sqlite",
        "lookup.duckdb",
        "cypher.ladybug",
    }
    assert asked["compare"] & asked["number"] | whole.without >= {"cypher.ladybug", "cypher.arcadedb"}
    assert asked["conflicts"] | {"cypher.arcadedb"} == {
        *(f"conflicts.{name}" for name in ("sparql", "cypher", "duckdb", "sqlite")),
        "cypher.arcadedb",
    }
    assert asked["figures"] == {"conflicts.sparql", "conflicts.cypher"}
    assert asked["triples"] >= {"build.kg", "build.oxigraph", "build.rdflib", "both-views.rdf", "both-views.both"}


def test_the_planted_figure_is_found_three_times(whole: Runner) -> None:
    assert whole.found[CLAIMS]["lookup.kg"]["runs"][0]["answers"]["number"].startswith("3 rows ")


def test_goals_have_a_figure_or_a_reason(whole: Runner) -> None:
    goals = judged(PARTS.values(), Medians.of(whole.found))
    assert {one["part"] for one in goals} == set(PARTS)
    assert [one["what"] for one in goals if one["verdict"] == "not measured" and not one["why"]] == []
    compare = next(one for one in goals if one["part"] == "conflicts")
    assert compare["at"] == CLAIMS and compare["figures"][str(CLAIMS)] > 0


def test_the_page_is_filled_and_asks_for_a_reason_for_every_missed_goal(whole: Runner) -> None:
    given: Json = {
        "found": {str(CLAIMS): whole.found[CLAIMS]},
        "parts": list(PARTS),
        "date": "2026-01-01",
        "repeats": 1,
        "tries": 1,
        "seed": 1,
        "load": [9.0, None],
        "machine": {"processor": "x", "cores": 2, "memory_gb": 1, "system": "y", "python": "3", "versions": {}},
    }
    result = Result([json.loads(json.dumps(given))])
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    filled = fill(page, result)
    assert "200 claims" not in page and "0.2k claims" in filled and "The machine was busy" in filled
    assert fill(filled, result) == filled
    assert unexplained("", result) != [] and unexplained(page, result) == []


def test_three_claims_print_the_planted_figure() -> None:
    plain: Json = {
        "record": "claim",
        "id": "a",
        "kind": "measurement",
        "quantity": {"value": 3, "printed": "3", "unit": "W"},
    }
    derived = {**plain, "id": "b", "derivations": [{}]}
    found = list(planted(iter([{"record": "source", "id": "s"}, derived, plain, plain])))
    assert [one["id"] for one in found] == ["s", "b", "a", "a.planted-0", "a.planted-1", "a.planted-2", "a"]
    assert [one["quantity"]["value"] for one in found[3:6]] == [PLANTED] * 3
    assert found[3]["quantity"]["unit"] == "W"


# --- judging -----------------------------------------------------------------------------------------------------------


def run_of(seconds: float, answer: str = "1 rows") -> Json:
    return {
        "seconds": {"ask": seconds},
        "cpu": {"ask": seconds},
        "answers": {"ask": answer},
        "counts": {},
        "memory": 1.0,
    }


def goal(size: int = 100) -> Goal:
    return compared("us", "them", ("a.us", "ask"), ("a.them", "ask"), goal=2, stretch=1, size=size)


def only(found: Mapping[int, Mapping[str, Any]], one: Goal) -> Json:
    part = Part("a", "", (), (one,))
    (row,) = judged([part], Medians.of(found))
    return row


def test_a_ratio_is_that_of_medians() -> None:
    found = {100: {"a.us": {"runs": [run_of(3), run_of(1), run_of(90)]}, "a.them": {"runs": [run_of(2)]}}}
    row = only(found, goal())
    assert row["figures"] == {"100": 1.5} and row["verdict"] == "met" and row["at"] == 100


def test_a_time_with_other_rows_does_not_count() -> None:
    found = {100: {"a.us": {"runs": [run_of(1)]}, "a.them": {"runs": [run_of(2, "2 rows")]}}}
    row = only(found, goal())
    assert row["verdict"] == "not measured" and "rows differ" in row["why"]


def test_most_decide_who_is_wrong() -> None:
    third = {"a.third": {"runs": [run_of(1)]}}
    found = {100: {"a.us": {"runs": [run_of(1)]}, "a.them": {"runs": [run_of(2, "2 rows")]}, **third}}
    assert list(Medians.of(found).wrong) == [(100, "a.them")]


def test_steps_of_one_code_are_one_witness() -> None:
    sql = {f"a.{name}": {"runs": [run_of(1)]} for name in ("sqlite", "duckdb")}
    ours = {f"a.{name}": {"runs": [run_of(2, "2 rows")]} for name in ("us", "rdflib", "neo4j")}
    assert {step for _, step in Medians.of({100: {**sql, **ours}}).wrong} == set(ours)


def test_a_wrong_answer_voids_its_question_and_not_the_others() -> None:
    def asked(rows: str, **further: str) -> Json:
        return {
            "runs": [
                {**run_of(1), "seconds": {"ask": 1.0, "more": 2.0}, "answers": {"ask": rows, "more": "5", **further}}
            ]
        }

    found = {100: {"a.us": asked("1"), "a.them": asked("2"), "a.third": asked("1")}}
    medians = Medians.of(found)
    assert medians.seconds(100, "a.them", "ask") is None and medians.seconds(100, "a.them", "more") == 2.0
    whole = {
        100: {"a.us": asked("1", triples="7"), "a.them": asked("1", triples="8"), "a.third": asked("1", triples="7")}
    }
    assert Medians.of(whole).seconds(100, "a.them", "more") is None


def test_what_went_wrong_at_the_size_of_a_goal_is_not_hidden_by_another_size() -> None:
    good = {"a.us": {"runs": [run_of(1)]}, "a.them": {"runs": [run_of(5)]}}
    broke = {"a.us": {"runs": [run_of(1)], "failed": "broke: x", "broke": True}, "a.them": {"runs": [run_of(5)]}}
    row = only({10: good, 100: broke}, goal())
    assert row["verdict"] == "not measured" and row["at"] is None and "broke: x" in row["why"]
    assert only({10: good}, goal())["verdict"] == "stretch met"


def test_one_that_was_ended_itself_has_not_met_its_goal() -> None:
    ended = {"a.us": {"runs": [run_of(1)], "bound": "ask", "failed": "ended"}, "a.them": {"runs": [run_of(5)]}}
    row = only({100: ended}, goal())
    assert row["verdict"] == "not measured" and row["sign"] == ">"
    other = {"a.us": {"runs": [run_of(1)]}, "a.them": {"runs": [run_of(5)], "bound": "another", "failed": "ended"}}
    assert "bound" not in only({100: other}, goal())


def test_the_spread_is_that_of_the_turns() -> None:
    found = {100: {"a.us": {"runs": [run_of(3), run_of(1), run_of(4)]}, "a.them": {"runs": [run_of(2)]}}}
    assert only(found, goal())["spread"] == {"100": [0.5, 2.0]}


def test_a_later_result_that_broke_is_not_hidden_by_an_earlier_one() -> None:
    told: Json = {
        "parts": [],
        "date": "2026-01-01",
        "repeats": 1,
        "tries": 1,
        "seed": 1,
        "load": [],
        "machine": {"versions": {}},
    }
    first = {**told, "found": {"100": {"a.us": {"runs": [run_of(1)]}}}}
    broke = {**told, "found": {"100": {"a.us": {"runs": [], "failed": "broke: x", "broke": True}}}}
    left = {**told, "found": {"100": {"a.us": {"runs": [], "failed": "left out"}}}}
    assert Result([first, left]).medians.seconds(100, "a.us", "ask") == 1
    assert Result([first, broke]).medians.seconds(100, "a.us", "ask") is None
    with pytest.raises(SystemExit, match="2 machines"):
        Result([first, {**first, "machine": {"versions": {"x": "2"}}}])


def test_a_peer_that_gives_other_rows_from_run_to_run_is_wrong() -> None:
    found = {100: {"a.us": {"runs": [run_of(1), run_of(1, "2 rows")]}, "a.them": {"runs": [run_of(2)]}}}
    assert (100, "a.us") in Medians.of(found).wrong


def test_a_goal_is_judged_at_its_size_else_at_the_largest() -> None:
    found = {size: {"a.us": {"runs": [run_of(size / 10)]}, "a.them": {"runs": [run_of(5)]}} for size in (10, 100, 1000)}
    assert only(found, goal())["at"] == 100
    row = only(found, goal(size=7))
    assert row["at"] == 1000 and row["verdict"] == "missed"


def test_rows_are_compared_whatever_their_order_and_the_type_of_a_number() -> None:
    assert digest([("x", 1), ("y", None)]) == digest([("y", None), ("x", 1.0)])
    assert digest([("x", 1)]) != digest([("x", 1), ("x", 1)])
    assert digest([("x", 1)]) != digest([("x", "y")])


def test_growth_is_judged_only_where_the_rows_are_the_same() -> None:
    def asked(seconds: float, rows: str) -> Json:
        one = run_of(seconds)
        return {"lookup.kg": {"runs": [{**one, "seconds": {"compare": seconds}, "answers": {"compare": rows}}]}}

    growth = next(one for one in PARTS["lookup"].goals if one.against == "itself")
    found = {10: asked(1, "4 rows"), 100: asked(2, "9 rows"), 1000: asked(3, "9 rows")}
    assert only(found, growth)["figures"] == {"1000": 1.5}


# --- running -----------------------------------------------------------------------------------------------------------


def test_peers_take_turns_and_a_failed_one_is_left_alone(tmp_path: Path) -> None:
    turns: list[str] = []

    def measure(step: Step, _: Work) -> Json:
        turns.append(step.name)
        return {"failed": "broke: x", "broke": True} if step.name == "p.bad" else run_of(1)

    def nothing(_work: Work, _meter: Meter) -> None: ...

    steps = (Step("p.a", nothing), Step("p.bad", nothing), Step("p.b", nothing), Step("p.once", nothing, once=True))
    many = Step("p.small", nothing, most=10, why="it is slow")
    found = runner(tmp_path, Part("p", "", (*steps, many), ()), repeats=2, measure=measure)
    found.run()
    assert turns == ["p.a", "p.bad", "p.b", "p.once", "p.a", "p.b"]
    assert found.found[CLAIMS]["p.small"]["failed"] == "not run beyond 10 claims: it is slow"


def test_a_peer_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    found = runner(tmp_path, PARTS["validate"], sizes=(50,), measure=None)
    found.run()
    answers = [found.found[50][name]["runs"][0]["answers"] for name in ("validate.kg", "validate.orjson")]
    assert answers[0] == answers[1] != {}


def test_a_peer_that_is_ended_gives_a_bound_for_what_it_was_asked_last(tmp_path: Path) -> None:
    meter = Meter(out=tmp_path / "partial.json")
    meter.ask("quick", lambda: [(1,)])
    told = ended(tmp_path / "partial.json", 100)
    assert told["failed"].startswith("ended after 100 s: quick") and told["bound"] == "quick"
    assert 99 < told["measured"]["seconds"]["quick"] <= 100 and told["measured"]["answers"] == {}
    assert ended(tmp_path / "missing.json", 5) == {"failed": "ended after 5 s"}
    found: dict[int, dict[str, Json]] = {
        100: {"a.us": {"runs": [run_of(1)]}, "a.them": {"runs": [run_of(4)], "bound": True, "failed": "ended"}}
    }
    row = only(found, goal())
    assert row["verdict"] == "stretch met" and row["bound"] == "ended"


def test_sizes_and_parts_are_checked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert [read_size(one) for one in ("10k", "1M", "250")] == [10_000, 1_000_000, 250]
    for wrong in (["--parts", "nosuch"], ["--sizes", "many"]):
        monkeypatch.setattr(sys, "argv", ["benchmarks", *wrong])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 2
        assert wrong[1] in capsys.readouterr().err


def test_the_program_starts() -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks", "--help"], cwd=ROOT, capture_output=True, text=True)
    told = "".join(done.stdout.split())  # names are broken at their hyphens
    assert done.returncode == 0 and [name for name in PARTS if name not in told] == []
