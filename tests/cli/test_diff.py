"""`kg diff`: claims new, corrected, withdrawn; verdicts flipped."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Kg

WRONG = "002/r1.gb200.offline.per-accelerator"


@pytest.fixture
def exported(kg: Kg, tmp_path: Path) -> list[dict[str, Any]]:
    """Half of the shipped claims as `a.jsonl`, and its lines; judging all of them anew takes twice as long."""
    kg("export", "jsonl", "--source", "002", "--source", "004", "-o", "a.jsonl", "--quiet")
    return [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")


def test_a_store_and_its_export_do_not_differ(kg: Kg, store: Path) -> None:
    kg("export", "jsonl", "-o", "a.jsonl", "--quiet")
    done = kg("diff", str(store), "a.jsonl", "--format", "json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert [found[key] for key in ("new", "corrected", "withdrawn", "flipped")] == [[], [], [], []]
    assert found["things"] == {"new": 0, "changed": 0, "gone": 0}
    assert kg("diff", "a.jsonl", str(store)).stdout.startswith(
        "0 new, 0 corrected, 0 withdrawn claims; 0 verdicts flipped"
    )


def test_a_correction_is_told_field_by_field_and_flips_its_verdict(
    kg: Kg, tmp_path: Path, exported: list[dict[str, Any]]
) -> None:
    lines = [one for one in exported if one["record"] != "finding"]  # without findings both sides are judged again
    kept = [one for one in lines if one["id"] != "004/edge.b200.efficiency-ratio"]
    for one in kept:
        if one["id"] == WRONG:
            one["quantity"] |= {"printed": "4023.78", "value": 4023.78}
            one["revision"] = None
    write(tmp_path / "b.jsonl", kept)
    found = json.loads(kg("diff", "a.jsonl", "b.jsonl", "--format", "json").stdout)
    changes = {
        one["claim"]: {each["field"]: (each["before"], each["after"]) for each in one["changes"]}
        for one in found["corrected"]
    }
    assert changes == {WRONG: {"quantity.printed": ("72428.00", "4023.78"), "quantity.value": (72428, 4023.78)}}
    assert [one["claim"] for one in found["withdrawn"]] == ["004/edge.b200.efficiency-ratio"]
    flipped = {(one["claim"], one["area"]): one for one in found["flipped"]}
    turned = flipped[WRONG, "arithmetic"]
    assert turned["before"][0]["verdict"] == "inconsistent" and turned["after"][0]["verdict"] in (
        "consistent",
        "within-rounding",
    )
    assert "b.jsonl judged now" in found["verdicts"]
    back = json.loads(kg("diff", "b.jsonl", "a.jsonl", "--format", "json").stdout)
    assert [one["claim"] for one in back["new"]] == ["004/edge.b200.efficiency-ratio"]


def test_a_claim_that_moved_is_counted_and_one_that_says_something_else_is_told(
    kg: Kg, tmp_path: Path, exported: list[dict[str, Any]]
) -> None:
    lines = [json.loads(json.dumps(one)) for one in exported]
    claims = [one for one in lines if one["record"] == "claim" and "start" in one["anchor"] and one["quantity"]]
    moved, dated, both = claims[:3]
    for one in (moved, both):
        one["anchor"] |= {"start": one["anchor"]["start"] + 7, "end": one["anchor"]["end"] + 7}
        one["said_on"], one["revision"] = "2031-01-01", None
    dated["said_on"], dated["revision"] = "2031-01-01", None
    both["modality"] = "opinion"
    write(tmp_path / "moved.jsonl", lines)
    found = json.loads(kg("diff", "a.jsonl", "moved.jsonl", "--format", "json").stdout)
    told = {one["claim"]: [each["field"] for each in one["changes"]] for one in found["corrected"]}
    assert told == {dated["id"]: ["said_on"], both["id"]: ["modality"]} and found["moved"] == 1
    shown = kg("diff", "a.jsonl", "moved.jsonl").stdout
    assert "1 claim says the same at another place or on another day" in shown and moved["id"] not in shown


def test_a_difference_that_was_cut_says_so_in_every_form(
    kg: Kg, tmp_path: Path, exported: list[dict[str, Any]]
) -> None:
    edge = [one for one in exported if one["record"] == "claim" and one["id"].startswith("004/edge.")]
    kept = [one for one in exported if one["record"] not in ("claim", "finding")] + edge
    gone = [one["id"] for one in edge[:2]]
    write(tmp_path / "a.jsonl", kept)
    write(tmp_path / "b.jsonl", [one for one in kept if one["id"] not in gone])
    cut = kg("diff", "a.jsonl", "b.jsonl", "--limit", "1", "--format", "json")
    found = json.loads(cut.stdout)
    assert (len(found["withdrawn"]), found["found"]["withdrawn"], found["complete"]) == (1, 2, False)
    assert "cut at 1 of 2 withdrawn" in cut.stderr
    assert "cut at 1 of 2 withdrawn" in kg("diff", "a.jsonl", "b.jsonl", "--limit", "1").stderr
    rows = kg("diff", "a.jsonl", "b.jsonl", "--limit", "1", "--format", "csv")
    assert len(rows.stdout.splitlines()) == 2 and "cut at 1 of" in rows.stderr


def test_an_edition_of_the_store_is_a_state(kg: Kg, store: Path) -> None:
    edition = json.loads(kg("status", "--format", "json").stdout)["segments"][0]["edition"]
    done = kg("diff", f"edition:{edition}", str(store), "--format", "json")
    found = json.loads(done.stdout)
    assert (found["new"], found["corrected"], found["flipped"]) == ([], [], [])


@pytest.mark.parametrize("given", ["edition:1999", "nowhere", "."])
def test_what_is_no_state_is_refused(kg: Kg, store: Path, given: str) -> None:
    done = kg("diff", given, str(store))
    assert (done.returncode, done.stdout) == (2, "")
    assert "kg explain diff.state" in done.stderr


def test_a_broken_line_is_named(kg: Kg, tmp_path: Path, store: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"record": "claim"}\nnot json\n', encoding="utf-8")
    done = kg("diff", "bad.jsonl", str(store))
    assert done.returncode == 2 and "bad.jsonl:1" in done.stderr and "bad.jsonl:2" in done.stderr


def test_a_line_of_another_shape_is_named(kg: Kg, tmp_path: Path, store: Path) -> None:
    path = tmp_path / "odd.jsonl"
    lines = (
        '{"record": "claim", "id": "900/a", "quantity": "700 W"}',
        '{"record": "entity", "id": "org/a"}',
        '{"record": "claim", "id": "900/b"}',
        '{"record": "finding", "id": "finding/a", "claims": [{"claim": []}], "code": {}, "verdict": 1, "severity": []}',
    )
    path.write_text("\n".join(lines))
    done = kg("diff", str(path), str(store))
    assert done.returncode == 2
    assert all(f"odd.jsonl:{number}" in done.stderr for number in range(1, 5)) and "object has no" not in done.stderr


def test_on_a_screen_what_is_judged_otherwise_comes_first_and_what_is_new_is_counted(
    kg: Kg, tmp_path: Path, exported: list[dict[str, Any]]
) -> None:
    new = {one["id"] for one in exported if one["record"] == "claim" and one["id"].startswith("004/")}
    kept = [one for one in exported if one["id"] not in new and one["record"] != "finding"]
    write(tmp_path / "fewer.jsonl", kept)
    done = kg("diff", "fewer.jsonl", "a.jsonl")
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{len(new)} new, 0 corrected, 0 withdrawn claims; ")
    assert len(lines) <= 40
    heads = [line.partition(",")[0] for line in lines if line and not line.startswith(" ")]
    assert heads[-2:] == ["flipped", "new"]
    assert not new & {line.strip() for line in lines[lines.index(next(x for x in lines if x.startswith("new,"))) :]}
    assert f"cut at 5 of {len(new)} new; --limit N shows more" in done.stderr
