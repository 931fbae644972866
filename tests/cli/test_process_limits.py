"""What the system denies (files, memory, characters) and servers that never answer end in a message, not in an engine's abort."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.cli import main
from kg.stores import worker
from kg.stores.memory_limit import container_limit
from tests.cli.conftest import PROGRAM, Kg
from tests.ports import silent_port
from tests.sampling import each_once, first
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


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_was_closed_is_no_file_and_an_answer_without_a_place_an_error(
    closed: str, environment: dict[str, str], store: Path, tmp_path: Path
) -> None:
    """Left closed, its number would be that of the next file, and what is written to the stream would go there."""
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *PROGRAM, "trace", "72428"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    is_lost = ">&-" in closed.replace("2>&-", "")
    assert done.returncode == (3 if is_lost else 0)
    assert done.stderr.startswith('standard output: "closed". Accepted: a place for the answer.') == (closed == ">&-")
    assert done.stdout.startswith("72428 is wrong") != is_lost


@pytest.mark.parametrize("words", [*READING, ("build",)], ids=lambda words: words[0])
def test_too_few_open_files_are_said_and_nothing_is_built_again(
    words: tuple[str, ...], environment: dict[str, str], store: Path, tmp_path: Path
) -> None:
    before = (store / "rdf" / "current").read_bytes()
    done = limited(resource.RLIMIT_NOFILE, 64, words, environment, tmp_path)
    assert done.returncode == 3 and "at most 64 open files" in done.stderr and "kg explain store.limit" in done.stderr
    assert (store / "rdf" / "current").read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(("words", "code"), [(("trace", "72428"), 0), (("explain", "nothing-of-the-kind"), 2)])
def test_a_message_that_cannot_be_written_changes_no_exit_code(
    words: tuple[str, ...], code: int, environment: dict[str, str], store: Path, tmp_path: Path
) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=full, timeout=120
        )
    assert done.returncode == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [("--help",), ("find", "h200"), ("query", "ASK {}")], ids=lambda words: words[0])
def test_an_output_that_is_full_is_said(words: tuple[str, ...], environment: dict[str, str], tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words], cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, timeout=120
        )
    assert done.returncode == 3 and b"kg explain store.full" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.parametrize(("megabytes", "words"), each_once([200, 300, 400, 512, 768], READING))
def test_too_little_memory_ends_in_a_message_or_in_an_answer(
    words: tuple[str, ...], megabytes: int, environment: dict[str, str], tmp_path: Path
) -> None:
    done = limited(resource.RLIMIT_AS, megabytes << 20, words, environment, tmp_path)
    assert done.returncode == 0 or (
        done.returncode == 3 and ("kg explain store.limit" in done.stderr or "kg explain query.memory" in done.stderr)
    ), done.stderr


@pytest.mark.parametrize(("megabytes", "words"), each_once([300, 400], READING))
def test_the_last_words_of_an_engine_do_not_stand_before_ours(
    words: tuple[str, ...], megabytes: int, environment: dict[str, str], tmp_path: Path
) -> None:
    done = limited(resource.RLIMIT_AS, megabytes << 20, words, environment, tmp_path)
    assert "terminate called" not in done.stderr and "mmap" not in done.stderr, done.stderr
    assert done.returncode == 0 or "kg explain" in done.stderr


def test_a_program_whose_libraries_find_no_room_under_a_limit_had_too_little_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "memory_limit", lambda: 300 << 20)
    assert worker.process_ended(127, worker.MEMORY).code == "query.memory"
    monkeypatch.setattr(worker, "memory_limit", lambda: None)
    assert worker.process_ended(127, worker.MEMORY).code != "query.memory"


def test_what_else_is_said_under_a_limit_is_passed_on_and_our_own_words_at_once() -> None:
    """The words of a library go past Python; those of ours do not wait for the end."""
    text = (
        "import os, sys\nfrom kg.cli.process_limits import survived\n"
        "def work():\n"
        "    os.write(2, b'of a library\\nterminate called x\\n')\n"
        "    print('ours', file=sys.stderr, flush=True)\n"
        "    os.abort()\n"
        "sys.exit(survived(work))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
    )
    ours, library, why, _ = done.stderr.splitlines()
    assert (ours, library) == ("ours", "of a library") and why.startswith('"at most 1024 MB')


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


@pytest.mark.parametrize(("command", "package"), [("export", "pyarrow"), ("export", "duckdb"), ("view", "resvg_py")])
def test_a_library_that_gets_no_memory_is_not_called_missing(
    command: str, package: str, environment: dict[str, str], tmp_path: Path
) -> None:
    """What the system says where there is no room to map one is an ImportError, as that of a package that is not there."""
    text = "raise ImportError('libx.so.1: failed to map segment from shared object')"
    (tmp_path / f"{package}.py").write_text(text, encoding="utf-8")
    words = ("export", "parquet", "-o", "out") if command == "export" else ("view", "MI325X", "-o", "out.png")
    path = f"{tmp_path}{os.pathsep}{environment.get('PYTHONPATH', '')}"
    done = limited(resource.RLIMIT_AS, 4 << 30, words, {**environment, "PYTHONPATH": path}, tmp_path)
    assert done.returncode == 3 and "kg explain store.limit" in done.stderr and "pip install" not in done.stderr


@pytest.mark.parametrize(
    ("own", "file", "text", "limit"),
    [
        ("4:cpu:/\n7:cpu,memory:/kg/a\n", "memory/kg/a/memory.limit_in_bytes", "536870912\n", 512 << 20),
        ("7:memory:/docker/0f\n", "memory/memory.limit_in_bytes", "536870912\n", 512 << 20),
        ("7:memory:/\n", "memory/memory.limit_in_bytes", "9223372036854771712\n", None),
        ("0::/system.slice/kg.service\n", "system.slice/kg.service/memory.max", "805306368\n", 768 << 20),
        ("0::/\n", "memory.max", "805306368\n", 768 << 20),
        ("0::/\n", "memory.max", "max\n", None),
        ("0::/\n", "memory.max", f"{2 << 30}\n", None),
        ("0::/../../x\n", "nothing", "1\n", None),
        ("nonsense\n", "memory.max", "1\n", None),
    ],
)
def test_the_limit_of_a_container_is_known(own: str, file: str, text: str, limit: int | None, tmp_path: Path) -> None:
    path = tmp_path / "groups" / file
    path.parent.mkdir(parents=True)
    path.write_text(text, "ascii")
    (tmp_path / "own").write_text(own, "ascii")
    assert container_limit(tmp_path / "own", tmp_path / "groups") == limit


@pytest.fixture
def small_group() -> Iterator[Path]:
    """A control group of 512 MB, as a small container is."""
    group = Path("/sys/fs/cgroup/memory/accelkg-test")
    try:
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text(str(512 << 20), "ascii")
    except OSError:
        pytest.skip("no control group of memory can be made here (Linux, version 1, root)")
    yield group
    group.rmdir()


def in_group(
    group: Path, command: tuple[str, ...], environment: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f'echo $$ > {group / "cgroup.procs"}; exec "$@"', "sh", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_a_command_that_its_container_kills_says_why(
    small_group: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """What the system kills says nothing; who started it does."""
    text = "import sys\nfrom kg.cli.process_limits import survived\nsys.exit(survived(lambda: len(b'x' * (1 << 30)) and 0))"
    done = in_group(small_group, (sys.executable, "-c", text), environment, tmp_path)
    assert done.returncode == 3 and "at most 512 MB of memory" in done.stderr, done


def test_a_query_that_its_container_kills_names_the_limit_of_the_container(
    small_group: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """The process of the query has a limit of its own, which is larger."""
    text = (
        "import os, sys\n"
        "from kg.stores.worker import MEMORY, process_ended\n"
        "child = os.fork()\n"
        "if child == 0:\n    len(b'x' * (1 << 30))\n    os._exit(0)\n"
        "print(process_ended(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), MEMORY))"
    )
    done = in_group(small_group, (sys.executable, "-c", text), environment, tmp_path)
    assert "more than 512 MB" in done.stdout and "settings of the container" in done.stdout, done


def test_a_memory_map_that_fails_is_no_changed_ledger(environment: dict[str, str], tmp_path: Path) -> None:
    done = limited(resource.RLIMIT_AS, 4 << 30, ("ask", "counts", "--language", "cypher"), environment, tmp_path)
    assert done.returncode == 3 and "kg explain store.limit" in done.stderr and "SPARQL" in done.stderr


@pytest.mark.parametrize("encoding", first(1, ["ascii", "latin-1", "cp1252"]))  # the first lacks what the others lack
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
def test_an_unknown_function_is_a_refused_query(function: str, kg_apart: Kg) -> None:
    done = kg_apart("query", f"SELECT ({function}(1) AS ?a) {{}}")
    assert done.returncode == 2 and "is not a function" in done.stderr and "kg explain query.refused" in done.stderr


def test_bytes_that_are_no_text_are_a_refused_query(kg_apart: Kg) -> None:
    for text in ("SELECT ('\udcff' AS ?a) {}", "MATCH (n) WHERE n.label = '\udcff' RETURN n"):
        done = kg_apart("query", text)
        assert done.returncode == 2 and "kg explain query.refused" in done.stderr


@pytest.mark.parametrize("question", ["find/names", "find/metrics", "find/claims"])
def test_an_empty_text_finds_everything_in_both_languages(question: str, kg: Kg) -> None:
    sparql, cypher = (
        kg("ask", question, "--text", "", "--language", one, "--format", "csv") for one in ("sparql", "cypher")
    )
    assert sparql.stdout == cypher.stdout and len(sparql.stdout.splitlines()) > 50


@pytest.mark.parametrize("words", [("ask", "counts"), ("status",)], ids=lambda words: words[0])
def test_a_server_that_never_answers_is_given_up_in_time(words: tuple[str, ...], kg_apart: Kg) -> None:
    gate = threading.Event()
    with fake_server(Reply(before=gate.wait)) as server:
        started = time.monotonic()
        done = kg_apart(*words, "--store", f"sparql+{server.address}", "--timeout", "0.3")
        taken = time.monotonic() - started
        gate.set()
    assert done.returncode == 3 and "query.deadline" in done.stderr and taken < 20


@pytest.mark.parametrize("command", ["push", "pull"])
@pytest.mark.parametrize("kind", ["sparql", "bolt"])
def test_a_server_that_never_answers_a_push_or_pull_is_given_up_when_asked(
    command: str, kind: str, kg_apart: Kg, store: Path
) -> None:
    gate = threading.Event()
    with fake_server(Reply(before=gate.wait)) as server, silent_port() as port:
        address = f"sparql+{server.address}" if kind == "sparql" else f"bolt://127.0.0.1:{port}"
        started = time.monotonic()
        done = kg_apart(command, address, "--store", str(store), "--timeout", "0.3")
        taken = time.monotonic() - started
        gate.set()
    code = "query.deadline" if kind == "sparql" else "store.unreachable"
    assert done.returncode == 3 and f"kg explain {code}" in done.stderr and taken < 12, done.stderr


@pytest.mark.parametrize("seconds", ["3000000", "inf", "nan"])
def test_a_time_that_no_clock_counts_is_refused_in_words(kg_apart: Kg, seconds: str) -> None:
    for words in (("query", "ASK {}"), ("push", "neo4j://127.0.0.1:1")):
        done = kg_apart(*words, "--timeout", seconds)
        assert done.returncode == 2 and "'--timeout'" in done.stderr
        assert "604800" in done.stderr or seconds == "nan"
        assert "Traceback" not in done.stderr and "kg explain internal" not in done.stderr


def test_a_program_that_is_stopped_while_it_is_read_in_says_so_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("kg.cli._main", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["trace", "72428"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "stopped\n"
