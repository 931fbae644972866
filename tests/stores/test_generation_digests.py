"""The digests of sealed files: kept when a generation is made live, carried with a linked file, compared when asked for."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from kg.errors import StoreError
from kg.stores.generations import DIGESTS, GenerationFolder, file_digest
from kg.stores.oxigraph import Generations


def switch(path: Path, chunks: Iterable[bytes]) -> None:
    path.write_bytes(b"".join(chunks))


def made(generations: Generations, name: str, text: bytes, linked: Path | None = None) -> Path:
    path = generations.begin()
    (path / name).write_bytes(text)
    if linked is not None:
        os.link(linked, path / linked.name)
    generations.make_live(path, {}, switch)
    return path


def test_what_was_written_is_whole_and_a_flipped_bit_is_not(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    path = made(generations, "000001.sst", b"table")
    assert generations.first_damage(path) is None
    (path / "LOG").write_bytes(b"the engine writes here as it likes")
    assert generations.first_damage(path) is None
    (path / "000001.sst").write_bytes(b"tablf")
    assert generations.first_damage(path) == "000001.sst is damaged"
    (path / "000001.sst").unlink()
    assert generations.first_damage(path) == "000001.sst is missing"


def test_a_file_that_was_damaged_before_it_was_linked_is_still_found(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    first = made(generations, "000001.sst", b"table")
    with open(first / "000001.sst", "r+b") as file:
        file.write(b"X")
    second = made(generations, "000002.sst", b"more", linked=first / "000001.sst")
    assert generations.first_damage(second) == "000001.sst is damaged"


def test_the_digests_of_a_view_of_an_earlier_version_are_compared_too(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    path = made(generations, "000001.sst", b"table")
    kept = json.loads((path / DIGESTS).read_text())
    kept["000001.sst"][2] = file_digest(path / "000001.sst")
    (path / DIGESTS).write_text(json.dumps(kept))
    assert generations.first_damage(path) is None
    (path / "000001.sst").write_bytes(b"tablf")
    assert generations.damage_at_opening(path) == "000001.sst is damaged"


def test_a_list_of_digests_that_is_lost_is_damage_too(tmp_path: Path) -> None:
    generations = Generations(tmp_path)
    path = made(generations, "000001.sst", b"table")
    for text in ("[]", "{", '{"000001.sst": 3}', '{"000001.sst": [1e999, 1, "a"]}', "[" * 50_000):
        (path / DIGESTS).write_text(text)
        assert generations.first_damage(path) == f"{DIGESTS} is missing or damaged"


def test_a_folder_of_generations_that_is_a_link_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "rdf").symlink_to(tmp_path / "disk", target_is_directory=True)
    with pytest.raises(StoreError, match=r"rdf.*link.*--store"):
        GenerationFolder(tmp_path / "rdf").begin()
    assert list((tmp_path / "disk").iterdir()) == []
