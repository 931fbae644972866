"""What is given up for a server's ledger stays given up."""

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import Any

import pytest

from kg.build.writing import load_files, rebuild
from kg.ledger.ledger import Ledger, Manifest
from kg.sync.pull import PulledDamaged, PushUnfinished, pull_from
from kg.sync.push import FORM, LedgerFile
from kg.sync.push_errors import NewerForm
from tests.small_content import claim, write_lines, write_small_content


def server_of(ledger: Path) -> Any:
    """A server that has the files of a ledger folder."""
    files = [one for one in ledger.rglob("*") if one.suffix in (".json", ".gz")]

    def listed() -> dict[str, LedgerFile]:
        names = {str(one.relative_to(ledger)): one.read_bytes() for one in files}
        return {name: LedgerFile(name, sha256(data).hexdigest(), len(data), 1) for name, data in names.items()}

    def pieces(file: LedgerFile) -> Iterator[bytes]:
        yield (ledger / file.name).read_bytes()

    state = SimpleNamespace(state="ready", form=FORM, stamp={"head": Ledger(ledger).manifest().head})
    return SimpleNamespace(shown="here", state=lambda: state, files=listed, get_file=pieces)


def test_a_build_after_a_pull_does_not_put_back_what_was_given_up(tmp_path: Path) -> None:
    content, store = write_small_content(tmp_path / "content").root, tmp_path / "store"
    rebuild(store, content=content)
    server = server_of(copytree(store / "ledger", tmp_path / "server"))
    new = write_lines(tmp_path / "one.jsonl", claim("900/one"))
    load_files([new], store=store, content=content, edition="2026-01-01", dry_run=False)
    assert len(pull_from(server, store, replace=True).given_up) == 1
    told: list[str] = []
    rebuild(store, content=content, tell=told.append)
    assert ([one.origin for one in Ledger(store / "ledger").manifest().segments], told) == (["content"], [])


def test_a_list_of_segments_of_another_push_than_the_state_tells_is_not_pulled(tmp_path: Path) -> None:
    store = tmp_path / "store"
    rebuild(store, content=write_small_content(tmp_path / "content").root)
    server = server_of(store / "ledger")
    server.state().stamp["head"] = "0" * 64
    with pytest.raises(PushUnfinished, match="pushed last"):
        pull_from(server, tmp_path / "pulled")
    assert not (tmp_path / "pulled" / "ledger" / "manifest.json").exists()


def test_what_is_kept_of_a_server_in_a_temporary_folder_goes_with_the_process(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder", encoding="utf-8")
    code = (
        "from kg.sync.servers import kept_folder; folder = kept_folder('neo4j://h'); "
        "(folder / 'ledger').mkdir(); print(folder)"
    )
    here = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=here, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent == tmp_path
    assert [one.name for one in tmp_path.iterdir()] == ["data"]


def pushed(manifest: bytes, *more: str) -> Any:
    """A server with this manifest, and further files."""
    datas = {"manifest.json": manifest, **dict.fromkeys(more, b"x")}
    files = {name: LedgerFile(name, sha256(data).hexdigest(), len(data), 1) for name, data in datas.items()}
    state = SimpleNamespace(state="ready", form=FORM, stamp={"head": Manifest(()).head})
    return SimpleNamespace(
        shown="here", state=lambda: state, files=lambda: files, get_file=lambda file: iter([datas[file.name]])
    )


@pytest.mark.parametrize(
    "manifest",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"head": "x", "segments": [1]}',
        b'{"head": "x", "segments": [{"name": "../../x"}]}',
        b'{"manifest": 99, "head": "x", "segments": []}',
    ],
)
def test_a_manifest_of_a_server_that_cannot_be_read_is_said(tmp_path: Path, manifest: bytes) -> None:
    with pytest.raises(PulledDamaged, match=r"here: manifest\.json"):
        pull_from(pushed(manifest), tmp_path / "store")
    assert not (tmp_path / "store" / "ledger" / "manifest.json").exists()


@pytest.mark.parametrize("name", ["", ".", "segments", "a\0b", "\ud800", "x" * 300, "../x", "/x", "index.sqlite"])
def test_only_files_of_a_ledger_are_taken_from_a_server(tmp_path: Path, name: str) -> None:
    with pytest.raises(PulledDamaged, match="a file of a ledger"):
        pull_from(pushed(b'{"head": null, "segments": []}', name), tmp_path / "store")


def test_a_file_that_goes_on_and_on_is_refused_at_its_stated_size(tmp_path: Path) -> None:
    asked: list[int] = []

    def endless(_: LedgerFile) -> Iterator[bytes]:
        for number in range(1000):
            asked.append(number)
            yield b"x" * 100

    server = pushed(b"{}")
    server.get_file = endless
    with pytest.raises(PulledDamaged, match="more than 2 bytes"):
        pull_from(server, tmp_path / "store")
    assert len(asked) == 1


def test_what_a_newer_version_pushed_is_not_pulled(tmp_path: Path) -> None:
    server = pushed(b"{}")
    server.state().form = FORM + 1
    with pytest.raises(NewerForm):
        pull_from(server, tmp_path / "store")
