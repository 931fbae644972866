"""What the system denies (files, memory, characters) and servers that never answer end in a message, not in an engine's abort."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.cli.conftest import PROGRAM, Kg
from tests.stores.fake_server import Reply, fake_server

resource = pytest.importorskip("resource", reason="limits of processes are those of POSIX")
READING = (("find", "h200"), ("query", "ASK {}"), ("trace", "72428"))


def limited(
    name: int, allowed: int, words: tuple[str, ...], environment: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(name, (allowed, allowed)),
    )


@pytest.mark.parametrize("words", [*READING, ("build",)], ids=lambda words: words[0])
def test_too_few_open_files_are_said_and_nothing_is_built_again(
    words: tuple[str, ...], environment: dict[str, str], store: Path, tmp_path: Path
) -> None:
    before = (store / "rdf" / "current").read_bytes()
    done = limited(resource.RLIMIT_NOFILE, 64, words, environment, tmp_path)
    assert done.returncode == 3 and "at most 64 open files" in done.stderr and "kg explain store.limit" in done.stderr
    assert (store / "rdf" / "current").read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [("--help",), ("find", "h200"), ("query", "ASK {}")], ids=lambda words: words[0])
def test_an_output_that_is_full_is_said(words: tuple[str, ...], environment: dict[str, str], tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words], cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, timeout=120
        )
    assert done.returncode == 3 and b"kg explain store.full" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize("megabytes", [200, 300, 400, 512, 768])
@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_too_little_memory_ends_in_a_message_or_in_an_answer(
    words: tuple[str, ...], megabytes: int, environment: dict[str, str], tmp_path: Path
) -> None:
    done = limited(resource.RLIMIT_AS, megabytes << 20, words, environment, tmp_path)
    assert done.returncode == 0 or (
        done.returncode == 3 and ("kg explain store.limit" in done.stderr or "kg explain query.memory" in done.stderr)
    ), done.stderr


@pytest.mark.parametrize("end", ["os.abort()", "os._exit(127)"], ids=["the engine's end", "the C library's"])
def test_a_process_that_got_no_memory_is_told_apart(end: str) -> None:
    text = f"import os, sys\nfrom kg.cli.process_limits import survived\nsys.exit(survived(lambda: {end}))"
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
    )
    assert done.returncode == 3 and "at most 1024 MB of memory" in done.stderr


def test_a_memory_map_that_fails_is_no_changed_ledger(environment: dict[str, str], tmp_path: Path) -> None:
    done = limited(resource.RLIMIT_AS, 4 << 30, ("ask", "counts", "--language", "cypher"), environment, tmp_path)
    assert done.returncode == 3 and "kg explain store.limit" in done.stderr and "SPARQL" in done.stderr


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp1252"])
def test_an_output_that_lacks_characters_gets_them_escaped(
    encoding: str, environment: dict[str, str], tmp_path: Path
) -> None:
    environment = {**environment, "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    for words in (("find", "h200"), ("trace", "72428"), ("compare", "GB200", "H200")):
        done = subprocess.run([*PROGRAM, *words], cwd=tmp_path, env=environment, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr
    text = ("query", 'SELECT ("→ é 漢 😀" AS ?text) {}', "--format", "json")
    done = subprocess.run([*PROGRAM, *text], cwd=tmp_path, env=environment, capture_output=True, timeout=120)
    assert json.loads(done.stdout.decode(encoding)) == [{"text": "→ é 漢 😀"}]


@pytest.mark.parametrize("function", ["<urn:x>", "k:unheard-of"])
def test_an_unknown_function_is_a_refused_query(function: str, kg: Kg) -> None:
    done = kg("query", f"SELECT ({function}(1) AS ?a) {{}}")
    assert done.returncode == 2 and "is not a function" in done.stderr and "kg explain query.refused" in done.stderr


def test_bytes_that_are_no_text_are_a_refused_query(kg: Kg) -> None:
    for text in ("SELECT ('\udcff' AS ?a) {}", "MATCH (n) WHERE n.label = '\udcff' RETURN n"):
        done = kg("query", text)
        assert done.returncode == 2 and "kg explain query.refused" in done.stderr


@pytest.mark.parametrize("question", ["find/names", "find/metrics", "find/claims"])
def test_an_empty_text_finds_everything_in_both_languages(question: str, kg: Kg) -> None:
    sparql, cypher = (
        kg("ask", question, "--text", "", "--language", one, "--format", "csv") for one in ("sparql", "cypher")
    )
    assert sparql.stdout == cypher.stdout and len(sparql.stdout.splitlines()) > 50


def test_a_server_that_never_answers_is_given_up_in_time(kg: Kg) -> None:
    gate = threading.Event()
    with fake_server(Reply(before=gate.wait)) as server:
        started = time.monotonic()
        done = kg("ask", "counts", "--store", f"sparql+{server.address}", "--timeout", "1")
        taken = time.monotonic() - started
        gate.set()
    assert done.returncode == 3 and "query.deadline" in done.stderr and taken < 20
