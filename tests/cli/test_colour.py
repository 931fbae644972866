"""Verdicts have their colour on terminals that have colours, and nowhere else."""

from __future__ import annotations

import re
import sys
from shutil import which

import pexpect
import pytest

from kg.cli.colour import coloured
from tests.cli.conftest import PROGRAM, Kg

RED = "\x1b[31m"


def on_a_terminal(environment: dict[str, str], *arguments: str, lines: int = 200, **more: str) -> str:
    """What a terminal of 80 columns gets; a pager is left."""
    given = {**environment, "TERM": "xterm-256color", "PAGER": "cat", **more}
    talk = pexpect.spawn(
        sys.executable, [*PROGRAM[1:], *arguments], env=given, encoding="utf-8", timeout=60, dimensions=(lines, 80)
    )
    if talk.expect([pexpect.EOF, ":\x1b\\[K"]):
        shown = str(talk.before)
        talk.send("q")
        talk.expect(pexpect.EOF)
        return shown
    return str(talk.before)


@pytest.mark.parametrize(
    "text",
    [
        "72428 is wrong. Correct:",
        "it needs\n  caution. Use",
        "  Verdict        wrong: divided by 4",
        "8 claims (2 unverified, 6 caution)",
        "7,000 W   wrong      002/a",
        "disputed",
        "contradicted: 30x throughput",
    ],
)
def test_a_verdict_is_coloured_where_it_is_one(text: str) -> None:
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured(text)) == text != coloured(text)


@pytest.mark.parametrize(
    "text", ["What is wrong with it", "an unknown source", '"verdict": "wrong"', "wrong-divisor: x"]
)
def test_the_word_in_running_text_is_not(text: str) -> None:
    assert coloured(text) == text


def test_a_terminal_gets_colour_and_no_color_is_obeyed(environment: dict[str, str], kg: Kg) -> None:
    assert f"72428 is {RED}wrong\x1b[0m" in on_a_terminal(environment, "trace", "72428")
    assert "\x1b[" not in on_a_terminal(environment, "trace", "72428", NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(environment, "trace", "72428", TERM="dumb")
    assert "\x1b[" not in kg("trace", "72428").stdout


def test_a_verdict_in_a_table_is_coloured(environment: dict[str, str]) -> None:
    rows = on_a_terminal(environment, "ask", "comparisons/best-ratios", "--limit", "3")
    assert re.search("\x1b\\[[\\d;]+m(confirmed|unverified|caution|disputed|wrong)\x1b\\[0m", rows)


@pytest.mark.parametrize(("pager", "has_colour"), [("cat", False), ("less -R", True)])
def test_only_a_pager_that_knows_them_gets_escapes(environment: dict[str, str], pager: str, has_colour: bool) -> None:
    if which(pager.split(maxsplit=1)[0]) is None:
        pytest.skip(f"{pager} is not installed")
    shown = on_a_terminal(environment, "trace", "72428", "--wide", lines=8, PAGER=pager, LESS="-FRX")
    assert "72428" in shown and (RED in shown) is has_colour and "u001b" not in shown
