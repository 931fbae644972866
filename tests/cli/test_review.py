"""`kg review` on a terminal: keys alone, and nothing lost when it is killed."""

import os
import signal
import sys
from pathlib import Path
from time import monotonic, sleep

import pexpect
import pytest

from kg.cli import main
from kg.cli.review_screen import ReviewScreen
from kg.content.claims import read_claims
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder
from kg.content.vocabulary import read_vocabulary
from kg.reading.review import open_review
from kg.reading.review_log import log_of, read_log
from tests.reading.review_samples import keeper_of, sample

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def own(tmp_path: Path) -> Content:
    return make_own_folder(tmp_path / "mine").content


@pytest.fixture
def proposals(tmp_path: Path) -> Path:
    return sample(tmp_path / "in").path


@pytest.fixture
def screen(own: Content, proposals: Path) -> ReviewScreen:
    keeper = keeper_of(own, sample(proposals.parent))
    return ReviewScreen(open_review(proposals, keeper, who="ada"), keeper)


def shown(screen: ReviewScreen) -> str:
    return "\n".join(text for _, text in screen.lines())


def accepted(content: Content) -> set[str]:
    registry = read_registry(content)
    claims = read_claims(content, registry, read_vocabulary(content))
    return {one["id"] for one in claims if one["source"] == "source/look-at-h200"}


def start(own: Content, proposals: Path, tmp_path: Path) -> "pexpect.spawn[str]":
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
        "KG_STORE": str(tmp_path / "store"),
        "KG_CONTENT": str(own.place),
    }
    program = ["-c", "from kg.cli import main; main()", "review", str(proposals), "--who", "ada"]
    return pexpect.spawn(sys.executable, program, env=environment, encoding="utf-8", timeout=30, dimensions=(60, 160))


def await_decisions(proposals: Path, count: int) -> None:
    """Until the log has so many lines; a screen redraws only what differs, so it is no sign."""
    end = monotonic() + 30
    while len(read_log(log_of(proposals))) < count:
        assert monotonic() < end, "no decision in the log"
        sleep(0.05)


def test_one_key_accepts_and_the_screen_goes_on(screen: ReviewScreen, own: Content) -> None:
    assert "⟦150 GB⟧" in shown(screen) and "0 accepted, 0 rejected, 4 open" in shown(screen)
    screen.press("a")
    assert "audit: " in shown(screen) and "⟦700 W⟧" in shown(screen)
    assert accepted(own) == {"look-at-h200/memory-capacity.nvidia-h200"}
    assert screen.session.decisions[-1].keys == 1


def test_candidates_edits_conditions_rejections_and_undo_by_keys(screen: ReviewScreen, own: Content) -> None:
    screen.press("c")
    assert screen.session.values()["subject"] == "family/nvidia-h100"
    for key in ("e", *"H2O", "backspace", "backspace", *"200", "enter"):
        screen.press(key)
    assert screen.session.values()["subject"] == "family/nvidia-h200"
    for key in ("+", *"precision = precision/fp8", "enter"):
        screen.press(key)
    assert screen.session.values()["conditions.precision"] == "precision/fp8"
    screen.press("r")
    assert "version" in shown(screen)
    screen.press("z")
    assert screen.session.status() == "open"
    for key in "re":
        screen.press(key)
    assert screen.session.status(1) == "rejected" and screen.session.figure.printed == "700 W"
    screen.press("u")
    assert screen.session.figure.printed == "150 GB" and screen.session.status() == "open"
    assert accepted(own) == set()


def test_names_are_typed_and_the_conditions_of_the_claim_before_are_one_key(screen: ReviewScreen) -> None:
    for key in ("+", *"precision = FP8", "enter", "a"):
        screen.press(key)
    screen.press("s")
    assert screen.session.values()["conditions.precision"] == "precision/fp8"
    assert "as the claim before: precision" in shown(screen)
    screen.press("s")
    assert "the claim before has no other conditions" in shown(screen)
    for key in ("+", *"model = nobody knows it", "enter"):
        screen.press(key)
    assert "Did you mean" in shown(screen) or "known model" in shown(screen)
    for key in ("down", "down", "down", "e", *"Thermal design power", "enter"):
        screen.press(key)
    assert screen.session.values()["metric"] == "power"


def test_a_figure_further_up_is_opened_again_by_a_key(screen: ReviewScreen, own: Content) -> None:
    for key in "aabbo":
        screen.press(key)
    assert screen.session.figure.printed == "150 GB" and "open again: 150 GB" in shown(screen)
    assert len(accepted(own)) == 1
    screen.press("o")
    assert "it is open" in shown(screen)


def test_a_new_thing_is_made_and_a_wrong_claim_is_told(screen: ReviewScreen, own: Content) -> None:
    for key in ("e", *"accelerator/acme-9 = Acme 9", "enter", "a"):
        screen.press(key)
    assert accepted(own) == {"look-at-h200/memory-capacity.acme-9"}
    for key in ("e", *"accelerator/zork", "enter", "a"):
        screen.press(key)
    assert "known entity" in shown(screen) and screen.session.status() == "open"
    before = screen.session.values()["subject"]
    for key in ("e", *"Zork Two", "enter"):
        screen.press(key)
    assert "accelerator/zork-two = Zork Two" in shown(screen) and screen.session.values()["subject"] == before


def test_what_the_figure_before_was_taken_for_is_one_key_away(screen: ReviewScreen) -> None:
    for key in ("e", *"accelerator/acme-9 = Acme 9", "enter", "a"):
        screen.press(key)
    assert screen.session.figure.printed == "700 W"
    assert "accelerator/acme-9" in shown(screen) and "taken for the figure before" in shown(screen)
    screen.press("c")
    assert screen.session.values()["subject"] == "accelerator/acme-9"
    screen.press("b")
    screen.press("b")
    assert "taken for the figure before" not in shown(screen)


def test_next_begins_at_the_first_field_as_back_and_accept_do(screen: ReviewScreen) -> None:
    for key in ("down", "down", "n"):
        screen.press(key)
    assert screen.session.figure.printed == "700 W" and screen.field == "subject"


def test_the_end_is_said(screen: ReviewScreen) -> None:
    for _ in range(4):
        screen.press("a")
    assert "every proposed claim is decided" in shown(screen)
    screen.press("q")
    assert screen.is_over


def test_nothing_is_lost_when_it_is_killed_and_it_goes_on(own: Content, proposals: Path, tmp_path: Path) -> None:
    child = start(own, proposals, tmp_path)
    child.expect("150 GB")
    child.send("a")
    await_decisions(proposals, 1)
    child.send("re")
    await_decisions(proposals, 2)
    child.kill(signal.SIGKILL)
    child.wait()
    assert [one.action for one in read_log(log_of(proposals))] == ["accept", "reject"]
    assert accepted(own) == {"look-at-h200/memory-capacity.nvidia-h200"}
    again = start(own, proposals, tmp_path)
    again.expect("1 accepted, 1 rejected, 2 open")
    again.send("u")
    await_decisions(proposals, 3)
    again.send("q")
    again.expect("holds what was accepted")
    again.expect(pexpect.EOF)
    again.close()
    assert again.exitstatus == 0
    assert [one.action for one in read_log(log_of(proposals))] == ["accept", "reject", "undo"]


def test_what_a_review_took_is_printed_without_a_terminal(
    screen: ReviewScreen, proposals: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    screen.press("a")
    screen.press("r")
    screen.press("a")
    with pytest.raises(SystemExit, match="0"):
        main(["review", str(proposals), "--effort"])
    said = capsys.readouterr().out
    assert said.startswith("0.0 minutes for 1 accepted and 1 rejected; 1 keys an accepted claim (median)"), said
    with pytest.raises(SystemExit, match="2"):
        main(["review", str(proposals.with_name("none.yaml")), "--effort"])
