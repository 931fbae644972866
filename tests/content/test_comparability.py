"""Reading the comparability rules: what is in the file, and what a mistake in it says."""

from pathlib import Path

import pytest

from kg.content.comparability import read_comparability
from kg.content.folders import Content
from kg.errors import KgError, Mistakes
from kg.model.comparability import benchmark_of

CHECKOUT = Path(__file__).resolve().parents[2]


def written(folder: Path, text: str) -> Content:
    (folder / "ontology").mkdir()
    (folder / "ontology" / "comparability.yaml").write_text(text, encoding="utf-8")
    return Content(folder)


def test_every_rule_says_where_it_stands_and_whether_it_was_opened() -> None:
    rules = read_comparability(Content(CHECKOUT)).rules
    assert len(rules) >= 15
    assert all(rule.text.endswith(".") and rule.source.count(", ") >= 2 for rule in rules)
    assert all(rule.opened for rule in rules)


@pytest.mark.parametrize(
    ("benchmark", "one", "other", "unchanged"),
    [
        ("deepseek-r1", "v5.1", "v6.0", True),
        ("deepseek-r1", "v5.0", "v5.1", None),
        ("llama2-70b", "v4.0", "v6.0", True),
        ("llama3.1-405b", "v5.0", "v6.0", True),
        ("llama3_1-405b", "v5.0", "v5.1", True),
        ("gptj", "v5.0", "v5.1", None),
        ("stable-diffusion-xl", "v5.1", "v6.0", None),
        ("bert", "v4.1", "v5.0", None),
        ("resnet", "v3.1", "v5.0", True),
    ],
)
def test_the_datacenter_table_says_between_which_rounds_nothing_changed(
    benchmark: str, one: str, other: str, unchanged: bool | None
) -> None:
    rules = read_comparability(Content(CHECKOUT))
    assert rules.unchanged("benchmark/mlperf-inference", "datacenter", benchmark, one, other) is unchanged
    assert rules.unchanged("benchmark/mlperf-inference", "datacenter", benchmark, other, one) is unchanged


def test_a_change_between_two_rounds_parts_them_though_both_hold_the_benchmark() -> None:
    rules = read_comparability(Content(CHECKOUT))
    assert rules.unchanged("benchmark/mlperf-training", None, "resnet50", "v0.6", "v4.0") is True
    assert rules.unchanged("benchmark/mlperf-training", None, "resnet50", "v0.5", "v0.6") is False


def test_a_task_names_its_benchmark_and_its_target() -> None:
    assert benchmark_of("task/mlperf-llama2-70b-99") == ("llama2-70b", "99")
    assert benchmark_of("task/mlperf-llama2-70b-interactive-99.9") == ("llama2-70b", "99.9")
    assert benchmark_of("task/mlperf-training-r-gat") == ("r-gat", None)


def test_all_mistakes_of_the_file_are_told_with_their_lines(tmp_path: Path) -> None:
    text = """\
sources:
  known: {publisher: P, document: d, opened: true}
rules:
- {id: one, compares: scenario, effect: forbids, text: t., source: unknown, locator: l}
- {id: one, compares: division, effect: named, text: t., source: known, locator: l}
tables:
- suite: benchmark/b
  category: null
  source: known
  rounds: [v1, v2]
  benchmarks:
  - {name: a, spans: [v2 to v1]}
  - {name: a, spans: [v3]}
"""
    with pytest.raises(Mistakes) as caught:
        read_comparability(written(tmp_path, text))
    told = str(caught.value)
    for place, given in ((4, "unknown"), (5, "one"), (12, "v2 to v1"), (13, "a"), (13, "v3")):
        assert f"ontology/comparability.yaml:{place}: " in told
        assert f'"{given}"' in told


def test_an_effect_outside_the_list_is_refused(tmp_path: Path) -> None:
    text = "sources: {}\nrules:\n- {id: one, compares: scenario, effect: perhaps, text: t., source: s, locator: l}\ntables: []\n"
    with pytest.raises(KgError, match=r"comparability\.yaml:3: rules\.0\.effect"):
        read_comparability(written(tmp_path, text))
