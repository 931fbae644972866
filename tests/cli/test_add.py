"""`kg add`: one claim into a folder of one's own, by options and asked for on a terminal."""

import os
import sys
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pexpect
import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from kg.build.adding import ClaimAdder, add_claim, open_adder
from kg.cli.add import OPTIONS
from kg.cli.field_completion import FieldCompleter
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder
from kg.errors import KgError
from tests.cli.conftest import ROOT, Kg
from tests.own_content import copied_audit, own_claims

GIVEN = {
    "subject": "H200",
    "metric": "memory bandwidth",
    "printed": "4.8 TB/s",
    "source": "my-bench",
    "title": "My bench",
    "locator": "table 3",
}


@pytest.fixture
def own(tmp_path: Path) -> Content:
    return make_own_folder(tmp_path / "mine").content


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> ClaimAdder:
    """An adder with all that is shipped: reading it takes most of a test."""
    return open_adder(make_own_folder(tmp_path_factory.mktemp("opened") / "mine").content)


@pytest.fixture
def adder(opened: ClaimAdder, own: Content) -> ClaimAdder:
    assert own.own is not None
    audit = copied_audit(opened.audit).under(own, opened.registry, opened.vocabulary)
    return replace(opened, content=own, folder=own.own, audit=audit)


def options(given: dict[str, str]) -> list[str]:
    return [part for name, text in given.items() for part in (OPTIONS.get(name, f"--{name}"), text)]


def test_a_claim_lies_in_the_folder_in_the_curated_form_and_is_audited(adder: ClaimAdder, own: Content) -> None:
    added = adder.add(GIVEN)
    (record,) = own_claims(own, "source/my-bench").values()
    assert added.id == record["id"] == "my-bench/memory-bandwidth.nvidia-h200"
    assert record["quantity"] == {"printed": "4.8 TB/s", "value": 4.8, "unit": "TB/s"}
    assert (record["anchor"], record["asserted_by"]) == ({"locator": "table 3"}, "org/my-bench-author")
    assert any("1.4 TB/s" in one.message for one in added.difference.new)  # another source says so


def test_a_second_claim_joins_the_first_and_the_same_one_is_refused(adder: ClaimAdder, own: Content) -> None:
    adder.add(GIVEN)
    ratio = {**GIVEN, "metric": "performance", "printed": "2.5x", "baseline": "H100", "asserted_by": "NVIDIA"}
    added = adder.add(ratio)
    assert (added.record["relation"], added.record["baseline"]) == ("ratio", "family/nvidia-h100")
    with pytest.raises(KgError, match="not there yet; it is my-bench/memory-bandwidth"):
        adder.add(GIVEN)
    assert len(own_claims(own, "source/my-bench")) == 2


@pytest.mark.parametrize("name", ["subject", "metric", "printed", "source", "locator"])
def test_a_blank_is_no_value(adder: ClaimAdder, name: str) -> None:
    with pytest.raises(KgError, match=f"{name}: .nothing.") as refused:
        adder.add({**GIVEN, name: " "})
    assert refused.value.field == name


def test_claims_that_are_added_at_once_are_all_there(own: Content) -> None:
    figures = [f"4.{n} TB/s" for n in range(2)]
    with get_context("spawn").Pool(2) as pool:
        added = pool.starmap(add_claim, [(own, {**GIVEN, "printed": one}) for one in figures])
    assert len({one.id for one in added}) == 2
    assert sorted(one["quantity"]["printed"] for one in own_claims(own, "source/my-bench").values()) == figures


def test_conditions_hedge_dates_and_page_are_recorded(adder: ClaimAdder, own: Content) -> None:
    more = {
        "hedge": "up to",
        "conditions": "model=Llama 2 70B, precision=FP8, FP4, accelerators=8, workload=chat",
        "said_on": "2025-08-13",
        "as_of": "2025-Q2",
        "page": "3",
        "line": "12",
        "locator": "",
    }
    adder.add({**GIVEN, **more})
    (record,) = own_claims(own, "source/my-bench").values()
    assert record["quantity"]["hedge"] == "up-to"
    assert record["conditions"] == {
        "model": "model/llama-2-70b",
        "precision": ["precision/fp8", "precision/fp4"],
        "accelerators": 8,
        "workload": "chat",
    }
    assert (record["said_on"], record["said_on_basis"], record["as_of"]) == ("2025-08-13", "printed", "2025-Q2")
    assert record["anchor"] == {"locator": "page 3, line 12"}


def test_a_name_of_several_words_is_completed_whole(adder: ClaimAdder) -> None:
    def offered(field: str, typed: str) -> list[str]:
        found = FieldCompleter(adder.words(field)).get_completions(Document(typed), CompleteEvent())
        return [typed[: len(typed) + one.start_position] + one.text for one in found]

    assert "NVIDIA GB200 NVL72" in offered("subject", "gb200 nvl")
    assert offered("hedge", "up") == ["up-to"]
    assert "precision=FP8, model=Llama 2 70B" in offered("conditions", "precision=FP8, model=llama 2")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"subject": "H2000"}, "Did you mean"),
        ({"metric": "speediness"}, "a metric of ontology/metrics.yaml"),
        ({"metric": "power"}, "data-rate"),
        ({"printed": "fast"}, "a figure with its unit"),
        ({"unit": "GB"}, "not in GB"),
        ({"source": "nvidia/h200"}, "the id of a source, such as"),
        ({"title": ""}, "the title of source/my-bench, which is new"),
        ({"subject": "GB200"}, "the level of"),
        ({"locator": ""}, "the place in the source"),
        ({"hedge": "perhaps"}, "as-high-as"),
        ({"conditions": "accelerators=1,024"}, "without a comma"),
        ({"conditions": "modle=Llama 2 70B"}, "model"),
        ({"conditions": "model=Lama 2 70"}, "Did you mean"),
        ({"said_on": "August"}, "2025-08"),
        ({"page": "three"}, "a number"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(
    adder: ClaimAdder, own: Content, wrong: dict[str, str], told: str
) -> None:
    with pytest.raises(KgError) as refused:
        adder.add({**GIVEN, **wrong})
    assert told in str(refused.value)
    assert own.own is not None and [path for path in own.own.rglob("*.yaml") if path.read_text().strip()] == []


def test_by_options_it_says_where_it_is_and_what_to_type_next(kg: Kg, own: Content) -> None:
    done = kg("add", *options(GIVEN), "--content", str(own.place))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("added my-bench/memory-bandwidth.nvidia-h200: 4.8 TB/s memory bandwidth")
    assert "kg trace my-bench/memory-bandwidth.nvidia-h200" in done.stdout
    few = kg("add", "--subject", "H200", "--content", str(own.place))
    assert (few.returncode, few.stdout) == (2, "")
    assert "--metric, --printed, --source, --at" in few.stderr


def test_without_a_folder_of_ones_own_it_says_how_to_make_one(kg: Kg) -> None:
    done = kg("add", *options(GIVEN))
    assert done.returncode == 2 and "kg init DIR" in done.stderr


def test_on_a_terminal_it_asks_for_each_field_until_it_can_be_read(own: Content, tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "TERM": "dumb",
        "KG_STORE": str(tmp_path / "store"),
        "KG_CONTENT": str(own.place),
    }
    program = ["-c", "from kg.cli import main; main()", "add", "--subject", "H200"]
    talk = pexpect.spawn(sys.executable, program, env=environment, encoding="utf-8", timeout=60, dimensions=(40, 120))
    for asked, typed in [
        ("metric \\(", "speediness"),
        ("a metric of", None),
        ("metric \\(", "memory-bandwidth"),
        ("printed \\(", "4.8 TB/s"),
        ("hedge \\(", ""),
        ("baseline \\(", ""),
        ("conditions \\(", "model"),
        ("name=value, such as", None),
        ("conditions \\(", "model=Llama 2 70B"),
        ("source \\(", "my-bench"),
        ("title \\(", "My bench"),
        ("asserted by \\(", ""),
        ("said on \\(", "yesterday"),
        ("a day, month", None),
        ("said on \\(", "2025-08"),
        ("as of \\(", ""),
        ("page \\(", ""),
        ("line \\(", ""),
        ("locator \\(", ""),
        ("--at", None),
        ("locator \\(", "table 3"),
    ]:
        talk.expect(asked)
        if typed is not None:
            talk.send(f"{typed}\r")
    talk.expect("added my-bench/memory-bandwidth.nvidia-h200")
    talk.expect(pexpect.EOF)
    (record,) = own_claims(own, "source/my-bench").values()
    assert record["id"] == "my-bench/memory-bandwidth.nvidia-h200"
    assert (record["conditions"], record["said_on"]) == ({"model": "model/llama-2-70b"}, "2025-08")
