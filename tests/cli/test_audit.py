"""`kg audit`: exit codes, baselines, forms, what it says about itself, and that it fits the terminal."""

import csv
import io
import json
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Kg

WRONG = "finding/002/r1.gb200.offline.per-accelerator/arithmetic.inconsistent-1"
ARITHMETIC = ("audit", "--findings", "--rule", "arithmetic", "--source", "002")


def test_only_fail_on_gives_exit_code_one(kg: Kg) -> None:
    rule = ("audit", "--rule", "arithmetic.inconsistent")
    assert kg(*rule).returncode == 0
    assert kg(*rule, "--fail-on", "violation").returncode == 1
    warned = ("audit", "--rule", "chronology")
    assert [kg(*warned, "--fail-on", one).returncode for one in ("violation", "warning")] == [0, 1]
    clean = kg("audit", "--rule", "naming", "--source", "003", "--fail-on", "warning")
    assert clean.returncode == 0 and "0 violations" in clean.stdout


@pytest.mark.parametrize("words", [("--source", "001"), ("001",), ("SemiAnalysis",)])
def test_the_audit_of_a_text_begins_with_its_record(kg: Kg, words: tuple[str, ...]) -> None:
    first = " ".join(kg("audit", *words).stdout.partition("\n\n")[0].split())
    assert "[001] makes 2" in first and "25 confirmed" in first and "29 of 32 recomputed figures hold" in first
    assert first.endswith("002, 003 and 006 state otherwise in 2 groups of claims.")


def test_the_problems_open_the_audit_most_damaging_first(kg: Kg) -> None:
    done = kg("audit")
    text = " ".join(done.stdout.split())
    assert "1. 72428.00 sample/s" in text and "right: 4,023.78 token/s; 3 fall" in text
    assert "kg trace 002/r1.gb200.offline.per-accelerator" in text
    lines = done.stdout.splitlines()
    ranks = [line.partition(".")[0] for line in lines if line[:1].isdigit() and line.partition(".")[2].startswith(" ")]
    assert ranks == [str(number) for number in range(1, 11)]
    assert sum(line.startswith("   right: ") for line in lines) == 10 <= sum("kg " in line for line in lines)
    assert len(lines) <= 40 and "--all" in done.stderr
    report = json.loads(kg("audit", "--all", "--published", "--format", "json").stdout)
    damages = [one["damage"] for one in report["problems"]]
    assert damages == sorted(damages, reverse=True) and len(damages) == report["found"] > 40
    findings = [name for one in report["problems"] for name in one["findings"]]
    assert len(findings) == len(set(findings)) == report["severities"]["violation"] + report["severities"]["warning"]


def test_the_headline_counts_the_findings_behind_the_problems_that_are_shown(kg: Kg) -> None:
    shown, every = (
        json.loads(kg("audit", "--all", *more, "--format", "json").stdout) for more in ((), ("--published",))
    )
    assert sum(shown["behind"].values()) == len({name for one in shown["problems"] for name in one["findings"]})
    assert shown["published_behind"] == sum(every["behind"].values()) - sum(shown["behind"].values()) > 0
    headline = f"{shown['behind']['violation']} violations and {shown['behind']['warning']} warnings"
    rest = f"{headline}, and {shown['published_behind']} in published rows (--published)"
    assert rest in " ".join(kg("audit").stdout.split())
    whole = " ".join(kg("audit", "--published").stdout.split())
    assert f"{every['behind']['warning']} warnings; the 10 most damaging" in whole and "in published rows" not in whole


def test_few_problems_are_written_in_full_and_all_of_them_too(kg: Kg) -> None:
    for asked in (("--limit", "3"), ("--all",)):
        lines = kg("audit", *asked).stdout.splitlines()
        assert sum(line.startswith("  falls  ") for line in lines) == sum(line.startswith("  more  ") for line in lines)
        assert sum(line.startswith("  falls  ") for line in lines) >= 3 and not any(
            line.endswith("…") for line in lines
        )


def test_problems_of_a_thing_are_those_whose_figures_are_about_it(kg: Kg) -> None:
    some = [json.loads(line) for line in kg("audit", "MI300X", "--all", "--format", "jsonl").stdout.splitlines()]
    every = [json.loads(line) for line in kg("audit", "--all", "--format", "jsonl").stdout.splitlines()]
    assert 3 < len(some) < len(every)
    assert {tuple(one["claims"]) for one in some} < {tuple(one["claims"]) for one in every}
    assert all("MI300X" in one["wrong"] or "mi300x" in one["claims"][0] for one in some[:3])
    again = kg("audit", "--thing", "MI300X", "--all", "--format", "jsonl")
    assert [json.loads(line) for line in again.stdout.splitlines()] == some
    refused = kg("audit", "no-such-thing")
    assert refused.returncode == 2 and "kg find no-such-thing" in refused.stderr


def test_problems_are_handed_on_as_markdown_and_csv(kg: Kg) -> None:
    markdown = kg("audit", "--limit", "3", "--format", "markdown").stdout
    assert markdown.startswith("# Problems\n") and markdown.count("\n## ") == 3
    rows = list(csv.DictReader(io.StringIO(kg("audit", "--all", "--format", "csv").stdout)))
    assert [row["rank"] for row in rows[:2]] == ["1", "2"]


def test_severity_chooses_what_is_shown_but_not_the_exit_code(kg: Kg) -> None:
    done = kg(*ARITHMETIC, "--severity", "warning", "--fail-on", "violation")
    assert done.returncode == 1
    assert "warning: arithmetic" in done.stdout and "violation: arithmetic" not in done.stdout
    assert "info: arithmetic.consistent" in kg(*ARITHMETIC, "--all").stdout


def test_a_card_shows_inputs_intervals_verdict_and_explanation(kg: Kg) -> None:
    text = " ".join(kg("show", WRONG).stdout.split())
    for part in (
        "violation: arithmetic.inconsistent",
        "that is 72,427.995 to 72,428.005 sample/s",
        "total / accelerators (as the text says)",
        "accelerators = 72.0 gpu, that is 71.95 to 72.05",
        "gives 4,021 to 4,026.6",
        "instead 4,023.78 sample/s",
        "(divisor.per-node)",
    ):
        assert part in text


def test_a_card_gives_amounts_in_the_prefix_that_people_use(kg: Kg) -> None:
    cards = " ".join(
        kg("audit", "--findings", "--source", "004", "--rule", "identity", "--rule", "plausibility").stdout.split()
    )
    assert "computed 20 TFLOP/s/W" in cards and "instead 20 TFLOP/s/W" in cards
    assert "computed 405 billion parameter" in cards or "computed 202.5 GB" in cards
    assert ",000,000,000" not in cards and "e+" not in cards


def test_trace_of_a_claim_ends_with_its_card(kg: Kg) -> None:
    done = kg("trace", "002/r1.gb200.offline.per-accelerator", "--wide")
    assert done.stdout.rstrip().endswith(WRONG)


def test_json_holds_everything_and_is_stable(kg: Kg, kg_apart: Kg) -> None:
    done, again = (one(*ARITHMETIC, "--format", "json") for one in (kg, kg_apart))
    assert done.stdout == again.stdout
    report = json.loads(done.stdout)
    assert done.stdout == json.dumps(report, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    assert report["findings_state"] == "current"
    assert sorted(report["not_checked"]) == [
        "claims_without_figure",
        "computations",
        "figures_without_canonical_value",
        "texts",
        "unopened_sources",
    ]
    assert {one["code"] for one in report["holds"]} == {"arithmetic.consistent", "arithmetic.within-rounding"}
    wrong = next(one for one in report["findings"] if one["id"] == WRONG)
    assert wrong["calculation"]["computed"] == pytest.approx([289711.995 / 72.05, 289712.005 / 71.95])
    assert wrong["corrected_value"] == pytest.approx(4023.7777777)
    assert wrong["explanations"][0]["code"] == "divisor.per-node"
    assert (
        sum(one["findings"] for one in report["summary"]["counts"] if one["severity"] == "violation")
        == report["summary"]["severities"]["violation"]
    )


def test_every_finding_names_claims_that_exist_and_their_figures(kg: Kg) -> None:
    rows = [json.loads(line) for line in kg("audit", "--findings", "--format", "jsonl").stdout.splitlines()]
    assert len(rows) > 100
    for row in rows:
        assert row["claims"] or row["claim"].startswith("source/"), row["finding"]
        assert row["message"] and row["severity"] in ("violation", "warning")


def test_csv_and_markdown_say_the_same_findings(kg: Kg) -> None:
    table = list(csv.DictReader(io.StringIO(kg(*ARITHMETIC, "--format", "csv").stdout)))
    report = kg(*ARITHMETIC, "--format", "markdown").stdout
    assert len(table) > 8
    assert all(f"`{row['finding']}`" in report for row in table)
    for heading in (
        "# Audit report",
        "## Summary",
        "## Violations",
        "## Warnings",
        "## Checked, and found to hold",
        "## Not checked, and why",
    ):
        assert f"\n{heading}\n" in f"\n{report}"
    tables = [line for line in report.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


def test_output_goes_to_a_file_when_asked(kg: Kg, tmp_path: Path) -> None:
    done = kg(*ARITHMETIC, "--format", "markdown", "-o", "report.md")
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# Audit report\n")


def test_a_baseline_accepts_what_was_written_into_it(kg: Kg, tmp_path: Path) -> None:
    written = kg(*ARITHMETIC, "--write-baseline", "base.yaml", "--reason", "known since August", "--author", "reader")
    assert written.returncode == 0
    entries = yaml.safe_load((tmp_path / "base.yaml").read_text(encoding="utf-8"))
    assert {one["reason"] for one in entries} == {"known since August"} and {one["author"] for one in entries} == {
        "reader"
    }
    assert [one["finding"] for one in entries] == sorted(one["finding"] for one in entries)
    done = kg(*ARITHMETIC, "--baseline", "base.yaml", "--fail-on", "warning")
    assert done.returncode == 0
    assert f"baseline: {len(entries)} accepted, 0 new violations, 0 entries no longer occur" in done.stdout
    assert "(accepted in the baseline)" in done.stdout


def test_only_new_violations_count_against_a_baseline_and_gone_entries_are_told(kg: Kg, tmp_path: Path) -> None:
    kg(*ARITHMETIC, "--write-baseline", "base.yaml", "--author", "reader")
    path = tmp_path / "base.yaml"
    entries = [one for one in yaml.safe_load(path.read_text(encoding="utf-8")) if one["finding"] != WRONG]
    gone = {**entries[0], "finding": "finding/002/was.there/arithmetic.inconsistent-1"}
    path.write_text("".join(yaml.safe_dump([one]) for one in (*entries, gone)), encoding="utf-8")
    done = kg(*ARITHMETIC, "--baseline", "base.yaml", "--format", "json", "--fail-on", "violation")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["failing"] == report["baseline"]["new"] == [WRONG]
    assert report["baseline"]["stale"] == [gone["finding"]]
    assert gone["finding"] in done.stderr


def test_rewriting_a_baseline_keeps_what_was_said_before(kg: Kg, tmp_path: Path) -> None:
    kg(*ARITHMETIC, "--write-baseline", "base.yaml", "--reason", "first", "--author", "one")
    kg(*ARITHMETIC, "--baseline", "base.yaml", "--write-baseline", "base.yaml", "--reason", "second", "--author", "two")
    assert {one["reason"] for one in yaml.safe_load((tmp_path / "base.yaml").read_text(encoding="utf-8"))} == {"first"}


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("- {finding: finding/a/b, reason: x, author: y, date: 2025-01-01, until: 2026}\n", 1, "until"),
        ("- finding: finding/a/b\n  reason: x\n  author: y\n", 1, "date"),
        ("- {finding: finding/a/b, reason: ' ', author: y, date: 2025-01-01}\n", 1, "reason"),
        ("finding: x\n", 1, "a list of entries"),
        (
            "- {finding: finding/a/b, reason: x, author: y, date: 2025-01-01}\n- {finding: finding/a/b, reason: x, author: y, date: 2025-01-01}\n",
            2,
            "each finding once",
        ),
    ],
)
def test_a_baseline_of_the_wrong_form_is_refused_with_its_line(
    kg: Kg, tmp_path: Path, text: str, line: int, told: str
) -> None:
    (tmp_path / "base.yaml").write_text(text, encoding="utf-8")
    done = kg("audit", "--baseline", "base.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"base.yaml:{line}:" in done.stderr and told in done.stderr and "kg explain audit.baseline" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rule", "nonsense"), "arithmetic"),
        (("--source", "999"), "source/000"),
        (("--findings", "--severity", "grave"), "violation, warning, info"),
        (("--severity", "info"), "--findings"),
        (("Kryptonit", "--findings"), "a thing"),
        (("--thing", "Kryptonit", "--findings"), "Kryptonit"),
        (("--baseline", "missing.yaml"), "--write-baseline"),
    ],
)
def test_what_is_not_known_is_refused_with_what_is_accepted(kg: Kg, arguments: tuple[str, ...], told: str) -> None:
    done = kg("audit", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


@pytest.mark.parametrize("columns", [80, 160])
@pytest.mark.parametrize(
    "arguments",
    [
        ("audit",),
        ("audit", "--findings"),
        ("conflicts",),
        ("origins", "000/mistral.impact.training-speed.h200"),
        ("impact", "--source", "002"),
        ("impact", "000/mistral.training-speed.h200"),
        ("show", WRONG),
    ],
    ids=" ".join,
)
def test_text_fits_the_terminal(kg: Kg, arguments: tuple[str, ...], columns: int) -> None:
    done = kg(*arguments, "--quiet", COLUMNS=str(columns))
    wide = [line for line in done.stdout.splitlines() if len(line) > columns and " " in line.strip()]
    assert wide == []
    assert done.stdout and done.stderr == ""


def test_texts_are_counted_once_they_are_attached(kg: Kg) -> None:
    done = kg("audit", "--findings", "--source", "000", "--format", "json")
    texts = json.loads(done.stdout)["not_checked"]["texts"]
    assert [one["source"] for one in texts] == ["source/000"]
    assert texts[0]["attached"] is False and texts[0]["numerals"] is None
    assert "source/000: not attached" in " ".join(kg("audit", "--findings", "--source", "000").stdout.split())


def test_a_limit_takes_the_most_severe_and_says_how_many_there_are(kg: Kg) -> None:
    asked = ("audit", "--findings", "--all", "--source", "003", "--format", "jsonl")
    every = [json.loads(line) for line in kg(*asked).stdout.splitlines()]
    cut = kg(*asked, "--limit", "5")
    assert [json.loads(line) for line in cut.stdout.splitlines()] == every[:5]
    assert f"the 5 most severe of {len(every)} findings" in cut.stderr
    beyond = sum(one["severity"] != "info" for one in every) + 2
    assert 5 < beyond < len(every)
    noted = kg(*asked, "--limit", str(beyond))
    assert [json.loads(line) for line in noted.stdout.splitlines()] == every[:beyond]


@pytest.mark.parametrize("named", [("H100",), ("--thing", "H100")], ids=" ".join)
@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "markdown", "table"])
def test_findings_of_a_thing_are_shown_in_every_form(kg: Kg, named: tuple[str, ...], form: str) -> None:
    done = kg("audit", "--findings", *named, "--source", "001", "--format", form)
    assert done.returncode == 0 and "001/llama3-70b.accelerators.bf16-max" in done.stdout
    assert "001/price.gb200-nvl72-rack" not in done.stdout


def test_findings_of_a_thing_name_it_in_one_of_their_claims(kg: Kg) -> None:
    of_thing = json.loads(kg("audit", "--findings", "MI300X", "--format", "json").stdout)
    every = json.loads(kg("audit", "--findings", "--format", "json").stdout)
    named = {
        finding["id"]
        for finding in every["findings"]
        if any("mi300x" in f"{one['subject']} {one['baseline']}" for one in finding["claims"])
    }
    assert {one["id"] for one in of_thing["findings"]} == named
    assert of_thing["summary"]["severities"]["violation"] < every["summary"]["severities"]["violation"]


def test_a_failure_is_one_of_what_was_asked_for(kg: Kg) -> None:
    assert kg("audit", "H200", "--fail-on", "violation").returncode == 1
    assert kg("audit", "TPU v5e", "--fail-on", "violation").returncode == 0
