"""Nothing that was loaded or typed steers a terminal: such characters are shown, whichever command writes them."""

import io
import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from kg.build.writing import load_files, rebuild
from kg.cli import main
from tests.cli.conftest import PROGRAM, ROOT
from tests.forked_program import run_forked
from tests.sampling import each_once
from tests.small_content import claim, write_lines, write_small_content

ESCAPES = "\x1b[2Jgone\x1b]0;title\x07\x9b31m\x7f\u202eback\r"
STEERING = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OURS = re.compile("\x1b\\[[0-9;]*m")
"""What we style ourselves: nothing but colour and weight."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a store with labels, statements and figures that hold escapes."""
    folder = tmp_path_factory.mktemp("hostile")
    content = write_small_content(folder / "content").root
    for path in (ROOT / "queries").rglob("*"):
        if path.is_file():
            to = content / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(path.read_bytes())
    store = folder / "store"
    rebuild(store, content=content)
    vendor = {"record": "entity", "id": "org/hostile", "kind": "vendor", "label": f"Hostile {ESCAPES}"}
    thing = {
        "record": "entity",
        "id": "accelerator/hostile",
        "kind": "accelerator",
        "label": f"Chip {ESCAPES}",
        "level": "accelerator",
        "maker": "org/hostile",
    }
    said = claim(
        "900/hostile",
        subject="accelerator/hostile",
        baseline="accelerator/acme-one",
        kind="comparison",
        metric="training-speed",
        relation="ratio",
        quantity={"printed": "2.5x", "value": 2.5, "unit": "1"},
        anchor=None,
        asserted_by="org/hostile",
        statement=f"faster {ESCAPES}",
        note=f"note {ESCAPES}",
    )
    said["anchor"] = {"document": "900_small.txt", "sha256": "0" * 64, "locator": f"table {ESCAPES}"}
    load_files(
        [write_lines(folder / "hostile.jsonl", vendor, thing, said)],
        store=store,
        content=content,
        edition="2026-01-01",
        dry_run=False,
        wait_seconds=0,
    )
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **kept,
        "KG_STORE": str(store),
        "KG_CONTENT": str(content),
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "TERM": "xterm",
        "COLUMNS": "100",
    }


COMMANDS = {
    "show": ["show", "900/hostile"],
    "show an entity": ["show", "accelerator/hostile"],
    "trace": ["trace", "900/hostile"],
    "origins": ["origins", "900/hostile"],
    "verify": ["verify"],
    "compare": ["compare", "accelerator/hostile", "accelerator/acme-one"],
    "find": ["find", "Hostile"],
    "conflicts": ["conflicts"],
    "impact": ["impact", "900/hostile"],
    "cite": ["cite", "900/hostile"],
    "report": ["report", "900/hostile"],
    "query": ["query", "SELECT ?s ?o { ?s ?p ?o FILTER CONTAINS(STR(?o), 'gone') }"],
    "a graph": ["query", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER CONTAINS(STR(?o), 'gone') }"],
    "an unknown command": [ESCAPES],
    "an unknown id": ["show", ESCAPES],
    "an unknown option": ["show", f"--{ESCAPES}"],
    "an unknown question": ["ask", ESCAPES],
    "a broken query": ["query", f"SELECT {ESCAPES}"],
    "a file that is not there": ["load", "claims", f"no{ESCAPES}.jsonl"],
    "a format that is not there": ["find", "x", "--format", ESCAPES],
    "an unknown store": ["status", "--store", f"ftp://{ESCAPES}"],
    "a limit": ["find", "x", "--limit", ESCAPES],
}
QUIET = ("verify", "conflicts", "impact", "an unknown id")
"""These may have nothing to say of it."""
FORMS = ("table", "csv", "json", "jsonl", "markdown")


def content_option(words: list[str], env: dict[str, str]) -> list[str]:
    return [*words, "--content", env["KG_CONTENT"]] if words[0] != ESCAPES else words


def piped(words: list[str], env: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    """What a command says that writes into pipes or files."""
    return run_forked(*words, folder=ROOT, environment=env)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_pipe_gets_text(hostile: dict[str, str], name: str) -> None:
    done = piped(content_option(COMMANDS[name], hostile), hostile)
    said = (done.stdout + done.stderr).decode()
    assert not STEERING.search(said), said
    assert "internal" not in said
    if name not in QUIET:
        assert "gone" in said, said


@pytest.mark.parametrize(("form", "name"), each_once(FORMS, ["query", "origins", "find"]))
def test_a_terminal_gets_text(hostile: dict[str, str], name: str, form: str) -> None:
    if name == "find" and form == "markdown":
        form = "table"
    words = [*content_option(COMMANDS[name], hostile), "--format", form]
    said = on_a_terminal(words, hostile)
    assert not STEERING.search(OURS.sub("", said)), said
    assert name == "origins" or "2Jgone" in said.replace("\r\n", ""), said


def on_a_terminal(words: list[str], env: dict[str, str]) -> str:
    """What a terminal gets on standard output."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*PROGRAM, *words], env=env, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        parts: list[bytes] = []
        try:
            while part := os.read(ours, 1 << 16):
                parts.append(part)
        except OSError:  # the other side is closed
            pass
        process.wait(timeout=120)
    os.close(ours)
    return b"".join(parts).decode()


def test_data_goes_into_a_file_as_it_is(hostile: dict[str, str]) -> None:
    words = content_option(["query", "SELECT ?o { ?s ?p ?o FILTER CONTAINS(STR(?o), 'Hostile') }"], hostile)
    csv = piped([*words, "--format", "csv"], hostile)
    assert b"\x1b[2Jgone" in csv.stdout
    made = piped([*words, "--format", "json"], hostile)
    assert any(ESCAPES in row["o"] for row in json.loads(made.stdout))


def test_the_program_that_calls_has_its_streams_back(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    with pytest.raises(SystemExit):
        main(["--version"])
    import sys

    assert sys.stdout is out and not out.closed
    out.write("again")
    out.flush()
    assert out.buffer.getvalue().startswith(b"kg ")


def test_paths_are_shown(tmp_path: Path, hostile: dict[str, str]) -> None:
    (tmp_path / "a\x1b[2J.jsonl").write_text("{")
    words = content_option(["load", "claims", str(tmp_path / "a\x1b[2J.jsonl")], hostile)
    done = piped(words, hostile)
    assert done.returncode == 2 and b"\x1b" not in done.stderr and b"a\\u001b[2J.jsonl" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["report", "900/hostile", "--form", "md"],
        ["ask", "comparisons/compare", "--name", "x"],
        ["ask", "comparisons/compare", "--language", "x"],
        ["report", "comparisons/compare", "--asked", "x"],
        ["ask", "comparisons/compare", "--timeout-seconds", "x"],
    ],
)
def test_a_parameter_that_no_question_has_is_told(hostile: dict[str, str], words: list[str]) -> None:
    done = piped(content_option(words, hostile), hostile)
    assert done.returncode == 2 and b"internal" not in done.stderr, done.stderr
