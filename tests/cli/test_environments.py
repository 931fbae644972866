"""Where a command runs changes nothing of what it answers: locales, time zones, no home, few open files, a clock set back."""

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import NoReturn

import pytest

from kg.cli.app import run
from kg.cli.options import user_name
from kg.sync.servers import kept_folder
from tests.cli.conftest import PROGRAM, ROOT
from tests.forked_program import run_forked_text
from tests.sampling import each_once, first
from tests.small_content import claim, write_lines, write_small_content

QUESTIONS = (
    ("trace", "72428", "--format", "json"),
    ("compare", "GB200", "H200", "--format", "csv"),
    ("find", "h200 memory", "--format", "json"),
)
PLACES: dict[str, dict[str, str | None]] = {
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "TZ": "Europe/Istanbul"},
    "German": {"LC_ALL": "de_DE.ISO-8859-1", "LANG": "de_DE", "TZ": "Europe/Berlin"},
    "Japanese": {"LC_ALL": "ja_JP.EUC-JP", "TZ": "Asia/Tokyo"},
    "POSIX": {"LC_ALL": "POSIX", "TZ": "Pacific/Kiritimati"},
    "C": {"LC_ALL": "C", "TZ": "Pacific/Pago_Pago", "PYTHONUTF8": "0"},
    "no home": {"HOME": None},
    "a home that is not there": {"HOME": "/no/such/home", "XDG_CACHE_HOME": "/no/such/cache"},
    "no zone of this name": {"TZ": "Nowhere/Land"},
}


def answered(
    words: tuple[str, ...], environment: dict[str, str], folder: Path, *, most_files: int | None = None
) -> bytes:
    """The output of a command that ends well."""
    shell = [] if most_files is None else ["sh", "-c", f'ulimit -n {most_files}; exec "$@"', "sh"]
    done = subprocess.run([*shell, *PROGRAM, *words], cwd=folder, env=environment, capture_output=True, timeout=240)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert b"Traceback" not in done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def usual(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("usual")
    return [answered(words, environment, folder) for words in QUESTIONS]


@pytest.mark.parametrize(("name", "number"), each_once(PLACES, range(len(QUESTIONS))))
def test_answers_are_the_same_everywhere(
    name: str, number: int, usual: list[bytes], environment: dict[str, str], tmp_path: Path
) -> None:
    there = {key: value for key, value in {**environment, **PLACES[name]}.items() if value is not None}
    assert answered(QUESTIONS[number], there, tmp_path) == usual[number]


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user that is a number without a name or a home, as containers run programs."""

    def unknown(number: int) -> NoReturn:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr("pwd.getpwuid", unknown)
    for name in ("HOME", "XDG_DATA_HOME", "USER", "LOGNAME", "LNAME", "USERNAME", "KG_STORE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("nobody")
def test_a_user_without_a_home_is_told_how_to_name_a_store(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trace", "72428"]) == 2
    assert "KG_STORE" in capsys.readouterr().err
    assert kept_folder("neo4j://h").is_dir()
    assert user_name() == str(os.getuid())


def test_content_of_a_user_that_there_is_none_of_is_refused_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["trace", "72428", "--content", "~nobody-of-this-name/x"]) == 2
    assert "--content" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="limits of processes are those of POSIX")
def test_256_open_files_are_enough_to_build_ask_and_export(environment: dict[str, str], tmp_path: Path) -> None:
    content = write_small_content(tmp_path / "content").root
    here = {**environment, "KG_STORE": str(tmp_path / "store")}
    for words in (("build", "--content", str(content)), ("query", "ASK {}", "--content", str(content))):
        answered(words, here, tmp_path, most_files=256)
    answered(("export", "csv", "-o", "out"), environment, tmp_path, most_files=256)
    assert (tmp_path / "out").is_dir()


def test_a_store_from_the_future_is_read_and_built_as_any_other(
    environment: dict[str, str], root: Path, tmp_path: Path
) -> None:
    """As where the clock was set back after a build."""
    own = tmp_path / "store"
    here = {**environment, "KG_STORE": str(own), "KG_CONTENT": str(root)}
    shutil.copytree(ROOT / "queries", root / "queries", dirs_exist_ok=True)
    asked = ("trace", "700 W", "--format", "json")

    def kg(*words: str) -> "subprocess.CompletedProcess[str]":
        done = run_forked_text(*words, folder=tmp_path, environment=here)
        assert done.returncode == 0, done.stderr
        return done

    kg("build", "--quiet")
    usual = kg(*asked).stdout
    ahead = 4_000_000_000
    for path in (own, *own.rglob("*")):
        os.utime(path, (ahead, ahead))
    read = kg(*asked)
    assert (read.stdout, read.stderr) == (usual, "")
    kg("build", "--quiet")
    assert kg(*asked).stdout == usual and "900/power.one" in usual


@pytest.mark.long  # eight starts under faketime; test_newcomer.py has the ordinary order of loads
@pytest.mark.skipif(shutil.which("faketime") is None, reason="another time needs faketime (Debian: faketime)")
def test_a_clock_that_is_set_back_between_loads_changes_no_answer(environment: dict[str, str], tmp_path: Path) -> None:
    """Built in five years, loaded then and ten years ago, read before all of it: what was loaded last counts."""
    content = write_small_content(tmp_path / "content").root
    here = {**environment, "KG_STORE": str(tmp_path / "store"), "KG_CONTENT": str(content)}
    asked = ("query", "MATCH (:Claim {uid: '900/new'})-[:SUBJECT]->(s) RETURN s.uid AS s", "--format", "csv")

    def at(clock: str, *words: str) -> str:
        command = ["faketime", "-f", clock, *PROGRAM, *words]
        done = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, encoding="utf-8", timeout=240)
        assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
        return done.stdout

    at("+5y", "build", "--quiet")
    for number, (clock, thing) in enumerate((("+5y", "accelerator/acme-one"), ("-10y", "accelerator/acme-two")), 1):
        lines = write_lines(tmp_path / f"{number}.jsonl", claim(subject=thing))
        at(clock, "load", "claims", str(lines), "--edition", f"2026-01-0{number}", "--quiet")
        assert at("-20y", *asked).split() == ["s", thing]
    at("-20y", "status", "--verify", "--quiet")
    at("-20y", "build", "--quiet")
    assert at("-20y", *asked).split() == ["s", "accelerator/acme-two"]


@pytest.mark.parametrize("form", first(1, ["csv", "neo4j-import", "datapackage"]))
def test_no_two_files_differ_in_case_alone(form: str, store: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """On a disk that does not tell them apart one would replace the other."""
    answered(("export", form, "-o", "out"), environment, tmp_path)
    for folder in (store, tmp_path / "out"):
        names = Counter(str(path.relative_to(folder)).casefold() for path in folder.rglob("*"))
        assert max(names.values()) == 1
