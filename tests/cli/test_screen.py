"""Answers that nobody asked to be long fit a screen of 80 columns and 40 lines; figures and ids are never folded."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from functools import partial

import pytest

from kg.cli.screen import show_text
from kg.render.lines import MOST_LINES, table, terminal_columns
from tests.cli.conftest import PROGRAM, Kg
from tests.opened_program import OpenedOnce

ID = re.compile(r"\b\d{3}/[a-z0-9][\w.-]+")
COMMANDS = (
    ("trace", "72428"),
    ("trace", "141"),
    ("trace", "4.8 TB/s"),
    ("compare", "GB200", "H200"),
    ("compare", "H200", "H100"),
    ("find", "memory"),
    ("audit",),
    ("verify",),
    ("conflicts",),
    ("conflicts", "H200"),
    ("impact",),
    ("impact", "H200"),
    ("load", "--list"),
)


@pytest.fixture
def narrow(kg: Kg) -> Kg:
    """Runs `kg` 80 columns wide."""
    return partial(kg, COLUMNS="80")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_an_answer_fits_a_screen_and_says_how_to_see_more(narrow: Kg, command: tuple[str, ...]) -> None:
    done = narrow(*command)
    lines = done.stdout.splitlines()
    assert 3 < len(lines) <= MOST_LINES and max(map(len, lines)) <= 80
    assert done.returncode == 0
    assert re.search(r"--wide|--limit|--all|kg show|kg impact CLAIM|kg load SOURCE", done.stdout + done.stderr)


@pytest.mark.parametrize("columns", ["60", "80"])
def test_the_most_damaging_problem_keeps_its_reason_on_a_screen(kg: Kg, columns: str) -> None:
    lines = kg("audit", COLUMNS=columns).stdout.splitlines()
    start, end = (next(at for at, line in enumerate(lines) if line.startswith(f"{rank}. ")) for rank in (1, 2))
    first = " ".join(line.strip() for line in lines[start:end])
    assert "but the system has 72 accelerators" in first and "…" not in first


@pytest.mark.parametrize(
    ("number", "given"),
    [("23 months", "gives 28 month:"), ("280x", "gives 286 times lower:"), ("5.65 TFLOPS/W", "gives 5.65 TFLOP/s/W:")],
)
def test_a_computed_value_is_shown_as_its_claim_prints_it(narrow: Kg, number: str, given: str) -> None:
    assert given in narrow("trace", number).stdout


@pytest.fixture(scope="module")
def known(opened_store: OpenedOnce) -> set[str]:
    """The ids of all claims."""
    return {str(row["claim"]) for row in opened_store(opened_store.folder).ask("find/claims", text="").dicts()}


@pytest.mark.parametrize("command", [("conflicts", "H200"), ("trace", "4.8 TB/s"), ("verify",)], ids=" ".join)
def test_ids_are_never_folded(narrow: Kg, known: set[str], command: tuple[str, ...]) -> None:
    shown = set(ID.findall(narrow(*command, "--wide").stdout))
    assert shown and {one.rstrip(".") for one in shown} <= known


def test_a_table_that_cannot_fit_becomes_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = table(("claim", "value"), [("002/a-long-id-of-a-claim.that-takes-room", "4,800,000,000,000 byte/s")])
    assert any("002/a-long-id-of-a-claim.that-takes-room" in line for line in lines)
    assert any("4,800,000,000,000 byte/s" in line for line in lines)


def test_a_text_is_cut_between_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n\n".join("\n".join(f"block {block} line {line}" for line in range(9)) for block in range(9))
    show_text(text, whole=False, more="--wide shows all")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= MOST_LINES and lines[-3:-1] == ["block 2 line 8", ""]
    assert lines[-1] == f"{len(text.splitlines()) - 29} more lines; --wide shows all"
    show_text(text, whole=True)
    assert capsys.readouterr().out == text + "\n"


def test_columns_of_the_environment_count_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "93")
    assert terminal_columns() == 93


@pytest.mark.parametrize("given", ["²", "0", "-1", "wide", "9" * 5_000])
def test_columns_that_are_no_number_say_nothing(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    without = terminal_columns()
    monkeypatch.setenv("COLUMNS", given)
    assert terminal_columns() == without


@pytest.mark.parametrize(
    ("apart", "quoted"),
    [
        (("show", "GB200", "NVL72"), ("show", "GB200 NVL72")),
        (("trace", "4.8", "TB/s"), ("trace", "4.8 TB/s")),
        (("conflicts", "memory", "bandwidth"), ("conflicts", "memory bandwidth")),
    ],
)
def test_names_and_numbers_of_several_words_need_no_quotes(
    narrow: Kg, apart: tuple[str, ...], quoted: tuple[str, ...]
) -> None:
    assert narrow(*apart).stdout == narrow(*quoted).stdout != ""


def test_a_mistyped_option_of_trace_is_no_word(narrow: Kg) -> None:
    done = narrow("trace", "72428", "--wid")
    assert done.returncode == 2 and "--wid" in done.stderr


def test_conditions_are_words_and_a_headline_says_its_verdict_once(kg: Kg) -> None:
    traced = " ".join(kg("trace", "72428").stdout.split())
    assert "mean number of accelerators: 72;" in traced and "accelerators_mean" not in traced
    assert " ".join(kg("trace", "2.5").stdout.split()).startswith("2.5 needs caution for NVIDIA GB200 NVL72")
    assert " ".join(kg("trace", "141").stdout.split()).startswith("141 is confirmed for NVIDIA H200 SXM 141GB")


def test_a_sheet_is_short_unless_all_of_it_is_asked_for(kg: Kg) -> None:
    for thing in ("H200", "GB200 NVL72", "memory-bandwidth"):
        short, whole = (kg("show", thing, *wide).stdout.splitlines() for wide in ((), ("--wide",)))
        assert len(short) <= MOST_LINES < len(whole) and any("--wide shows all" in line for line in short)
        assert any(line.startswith("  Next") for line in short)


def _on_a_terminal(environment: dict[str, str], *arguments: str) -> list[str]:
    """What a command writes onto a terminal of 80 columns, line by line, without colours and what was wiped."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
    with subprocess.Popen(
        [*PROGRAM, *arguments], env={**environment, "TERM": "xterm", "PAGER": "cat"}, stdout=side, stderr=side
    ) as process:
        os.close(side)
        output = b""
        try:
            while part := os.read(main, 65536):
                output += part
        except OSError:  # the end of a terminal on Linux
            pass
        process.wait(120)
    os.close(main)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.decode()).splitlines()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("compare", "GB300", "H100"), "kg compare with that name"),
        (("explain", "nonsense"), "kg show NAME"),
        (("--help",), "Usage: kg COMMAND"),
        (("load", "--list"), "kg load SOURCE --list"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_is_told_fits_the_terminal_too(environment: dict[str, str], command: tuple[str, ...], told: str) -> None:
    lines = [line.rpartition("\r")[2] for line in _on_a_terminal(environment, *command)]
    assert max(map(len, lines)) <= 80
    assert told in " ".join(" ".join(lines).split())
