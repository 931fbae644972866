"""Findings in full: the claims they involve, and where each is printed."""

import pytest

from kg.answers.asking import Asker
from kg.answers.claim import read_cards
from kg.answers.findings import FindingCard, find_findings
from kg.render.finding_card import card_lines
from kg.render.picture_cards import place_of
from tests.ask.harness import ask_small

MIXED = "finding/100/mixed.cost/arithmetic.consistent-1"


@pytest.fixture
def card() -> FindingCard:
    """A finding with claims in a text, in a JSON file and at a locator."""
    (found,) = find_findings(Asker(ask_small), finding=[MIXED])
    return found


def test_each_claim_of_a_finding_says_its_place_whatever_kind_of_file_it_lies_in(card: FindingCard) -> None:
    assert {one.claim: (one.position, one.place) for one in card.claims} == {
        "100/mixed.cost": ("190-193", "100.txt:190-193"),
        "100/run.new.server": ("entry 1-01, server", "source/100; entry 1-01, server"),
        "100/wait.mid": ("JSON pointer /waits/0", "waits.json; JSON pointer /waits/0"),
    }


def test_the_card_of_a_finding_shows_cells_as_it_shows_positions(card: FindingCard) -> None:
    told = " ".join("\n".join(card_lines(card, None)).split())
    for words in ("100/mixed.cost at 190-193]", "100/wait.mid at JSON pointer /waits/0]", "at entry 1-01, server]"):
        assert words in told


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("100/row.each", "source/100; 100.txt; code points 210-216"),
        ("100/memory.empty", "source/100; 100.txt; code points 95-96; table 1, row new, column memory"),
        ("100/run.new.solid", "source/100; runs.csv; row 12, column Result"),
        ("100/run.mid.solid", "source/100; runs.json; JSON pointer /1/Result"),
        ("100/run.mid.watts", "source/100; runs.xlsx; sheet Runs, cell D7"),
    ],
)
def test_pictures_and_reports_show_the_place_whatever_kind_of_file_it_lies_in(claim: str, place: str) -> None:
    assert place_of(read_cards(Asker(ask_small), [claim])[claim]) == place
