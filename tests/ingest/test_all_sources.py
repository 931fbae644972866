"""`kg load --all`: every file of folders through the source that takes it, with one view."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg.build import published, source_processes
from kg.build.build import StorePlace
from kg.build.published import PublishedLoad, load_folders
from kg.content.folders import find_content
from kg.errors import KgError
from tests.ingest.shop import HEAD, ROWS, Shop, shop
from tests.loaders.published import CASES, said
from tests.small_content import ROOT

__all__ = ["shop"]


def load(shop: Shop, *folders: Path, **options: Any) -> list[tuple[str, PublishedLoad]]:
    return load_folders(shop.place, shop.content, folders, **options)


def test_files_of_folders_go_through_the_source_that_takes_them(shop: Shop) -> None:
    shop.file(ROWS, "prices/prices-2026-01-02.csv")
    shop.file("nothing of ours", "prices/notes.txt")
    ((name, found),) = load(shop, shop.folder / "prices")
    assert (name, len(found.files), found.rejected) == ("shop", 1, 2)
    assert [Path(one).name for one in found.passed] == ["notes.txt"]


def test_loading_all_gives_what_loading_one_by_one_gives(shop: Shop, tmp_path: Path) -> None:
    shop.file(ROWS, "prices/prices-2026-01-02.csv")
    shop.file(HEAD + "z,Acme One,4,8.00\n", "more/prices-2026-01-03.csv")
    row = {"Name": "a", "Chip": "Acme One", "Count": 4, "Price": 8}
    whole = [f"whole/all-2026-01-0{day}.jsonl" for day in (2, 3)]
    for name in whole:
        shop.file(json.dumps(row) + "\n", name)
    load(shop, *(shop.folder / name for name in ("prices", "more", "whole")))
    together = shop.current()
    other = Shop(shop.content, type(shop.place)(tmp_path / "other"), shop.folder)
    for name in ("prices/prices-2026-01-02.csv", "more/prices-2026-01-03.csv", *whole):
        other.load_files(shop.folder / name)
    assert together["source/shop-all"]["published"] == "2026-01-03"
    assert said(other.current()) == said(together)


def test_one_view_is_made_for_all(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(published, "refresh_view", lambda *given, **named: made.append(named["new"]))
    shop.file(ROWS, "prices/prices-2026-01-02.csv")
    shop.file(HEAD + "z,Acme One,4,8.00\n", "prices/prices-2026-01-03.csv")
    load(shop, shop.folder / "prices")
    assert len(made) == 1 and made[0] > 0


def test_a_file_without_a_date_takes_the_given_edition_and_is_refused_without_one(shop: Shop) -> None:
    shop.file(HEAD + "z,Acme One,4,8.00\n", "prices/prices.csv")
    with pytest.raises(KgError) as refused:
        load(shop, shop.folder / "prices")
    assert "prices.csv" in str(refused.value)
    assert shop.current() == {}
    ((_, found),) = load(shop, shop.folder / "prices", edition="2026-02-03")
    assert found.files[0].edition == "2026-02-03"


def test_a_file_keeps_its_own_date_beside_a_given_edition(shop: Shop) -> None:
    shop.file(ROWS, "prices/prices-2026-01-02.csv")
    ((_, found),) = load(shop, shop.folder / "prices", edition="2026-02-03")
    assert found.files[0].edition == "2026-01-02"


def test_a_folder_that_is_not_there_is_refused(shop: Shop) -> None:
    with pytest.raises(KgError, match="no such file or folder"):
        load(shop, shop.folder / "nowhere")


def test_processes_side_by_side_give_what_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, folders = find_content(ROOT), [CASES / "full-stack", CASES / "gpu-specs"]
    monkeypatch.setattr(published, "refresh_view", lambda *given, **named: None)
    found = []
    for name, least in (("one", 1 << 40), ("two", 0)):
        monkeypatch.setattr(source_processes, "_WORTH_IT", least)
        monkeypatch.setattr(source_processes, "_processors", lambda: 2)
        if not least:  # nothing is left to be read in this process
            monkeypatch.setattr(source_processes, "take_source", None)
        place = StorePlace(tmp_path / name)
        refused = tmp_path / f"{name}.jsonl"
        loads = load_folders(place, content, folders, edition="2025-03-07", rejects=refused)
        counts = [(source, [replace(one, seconds=0.0) for one in load.files]) for source, load in loads]
        records = sorted(place.ledger.current(), key=lambda one: str(one["id"]))
        found.append((counts, records, sorted(refused.read_text().splitlines())))
    assert len(found[0][0]) == 2 and len(found[0][1]) > 10
    assert found[0] == found[1]
