"""Files of tests/cases/bad-load and what `kg load claims` says of them: NAME.jsonl beside NAME.txt.

Files that are too large or too odd for a checkout are made here. Rewrite with `--update-golden` and review the diff.
"""

import json
from pathlib import Path

import pytest

from kg.build.build import StorePlace
from kg.cli.app import run
from kg.session import open_graph
from tests.small_content import claim, write_small_content

CASES = Path(__file__).parents[1] / "cases" / "bad-load"
FILES = sorted(CASES.glob("*.jsonl"))
LINE = json.dumps(claim()).encode()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("bad-load")
    root = write_small_content(folder / "content").root
    open_graph(folder / "store", content=root)
    return folder / "store", root


def refused(store: tuple[Path, Path], file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of a file; it must be refused whole."""
    before = StorePlace(store[0]).ledger.manifest(), StorePlace(store[0]).rdf.current()
    code = run(["load", "claims", str(file), "--store", str(store[0]), "--content", str(store[1])])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert (StorePlace(store[0]).ledger.manifest(), StorePlace(store[0]).rdf.current()) == before
    return captured.err.replace(str(file), file.name)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_a_bad_file_is_refused_with_every_mistake(
    file: Path, store: tuple[Path, Path], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    told = refused(store, file, capsys)
    if request.config.getoption("--update-golden"):
        file.with_suffix(".txt").write_text(told, encoding="utf-8")
    assert told == file.with_suffix(".txt").read_text(encoding="utf-8")


ODD = {
    "empty": (b"", ":1: "),
    "only-newlines": (b"\n\n", "no record"),
    "cut": (LINE[: len(LINE) // 2], "a JSON object in UTF-8"),
    "cut-after-a-sound-line": (LINE + b"\n" + LINE[:40], ":2: "),
    "binary": (bytes(range(256)) * 4, "a JSON object in UTF-8"),
    "not-utf8": (LINE.replace(b"141 GB", b"141 \xe9B"), "a JSON object in UTF-8"),
    "nul": (LINE.replace(b"141 GB", b"141\x00GB"), "a JSON object in UTF-8"),
    "byte-order-mark": (b"\xef\xbb\xbf" + LINE, "a JSON object in UTF-8"),
    "utf16": (LINE.decode().encode("utf-16"), "a JSON object in UTF-8"),
    "five-megabyte-line": (b'{"record": "claim", "note": "' + b"x" * (5 << 20) + b'"}\n', "more than 4194304 bytes"),
    "nesting-bomb": (b"[" * 100_000 + b"]" * 100_000, "a JSON object in UTF-8"),
    "nesting-inside": (LINE.replace(b'"141 GB"', b"[" * 900 + b"]" * 900), "quantity.printed"),
    "nan": (LINE.replace(b": 141,", b": NaN,"), "a JSON object in UTF-8"),
    "infinity": (LINE.replace(b": 141,", b": -Infinity,"), "a JSON object in UTF-8"),
    "too-large-for-a-double": (LINE.replace(b": 141,", b": 1e400,"), ":1: "),
    "a-position-beyond-64-bits": (LINE.replace(b'"start": ', b'"start": 99999999999999999999999'), "anchor.start"),
    "lone-surrogate": (LINE.replace(b"141 GB", b"141 \\ud800"), "a JSON object in UTF-8"),
    "many-bad-lines": (b"{}\n" * 5000, "record"),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_refused(
    name: str, tmp_path: Path, store: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data, said = ODD[name]
    file = tmp_path / f"{name}.jsonl"
    file.write_bytes(data)
    told = refused(store, file, capsys)
    assert said in told and told.startswith(f"{name}.jsonl:") and "internal" not in told
    assert len(told) < 100_000


def test_a_missing_file_and_a_folder_are_named(
    tmp_path: Path, store: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "no such file" in refused(store, tmp_path / "nothing.jsonl", capsys)
    assert "no such file" in refused(store, tmp_path, capsys)
