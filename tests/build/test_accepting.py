"""Rows refused for a name are read again without their file when the name is accepted, and refused again when it goes."""

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from kg.build.accepted_names import note_segments
from kg.build.accepting import give_back, has_kept_rows, resolve_rows
from kg.build.naming import accept_name, take_back_name
from kg.build.writing import refuse_again, resolve_refused
from kg.errors import UsageError
from kg.ledger import durable
from tests.ingest.shop import HEAD, ROWS, Shop, shop, shop_content
from tests.sampling import some

__all__ = ["shop"]


def accepted(shop: Shop, name: str = "Acme Nine") -> None:
    accept_name(name, None, content=str(shop.content.root), new="accelerator/acme-nine", kind="accelerator")


def nobody(_: Sequence[str]) -> None:
    """Does not note the segments."""


def said(shop: Shop) -> dict[str, str]:
    return {name: one["revision"] for name, one in shop.current().items() if one["record"] != "source"}


def test_rows_read_again_say_what_a_second_load_of_the_file_would_say(shop: Shop) -> None:
    shop.load(ROWS)
    (shop.folder / "prices-2026-01-02.csv").unlink()
    assert [one["given"] for one in shop.rejected() if one["code"] == "names.unresolved"] == ["Acme Nine"]
    accepted(shop)
    found = resolve_rows(shop.place, shop.content, "acme NINE", note=nobody)
    assert [(one.read, one.closed, one.rejected) for one in found.reports] == [(1, 1, 0)]
    assert "names.unresolved" not in {one["code"] for one in shop.rejected()}
    again = said(shop)
    assert any(name.startswith("shop/d.") for name in again)
    shop.load(ROWS)
    assert said(shop) == again


def test_json_rows_of_a_whole_edition_are_read_again_and_stand_until_the_next(shop: Shop) -> None:
    row = '{"Name": "%s", "Chip": "%s", "Count": 2, "Price": 4.5}\n'
    shop.load(row % ("a", "Acme One") + row % ("n", "Acme Nine"), "all-2026-01-02.jsonl")
    accepted(shop)
    resolve_rows(shop.place, shop.content, "Acme Nine", note=nobody)
    claim = next(one for name, one in shop.current().items() if name.endswith("/n.price"))
    assert claim["anchor"]["pointer"].endswith("/Price") and claim["quantity"]["value"] == 4.5
    shop.load(row % ("a", "Acme One"), "all-2026-01-03.jsonl")
    assert not any(name.endswith("/n.price") for name in shop.current())


def test_a_row_whose_key_is_taken_or_that_has_another_unknown_name_stays_refused(shop: Shop) -> None:
    shop.load(f"{HEAD}a,Acme One,4,8.00\na,Acme Nine,4,9.00\n")
    before = said(shop)
    accepted(shop)
    (report,) = resolve_rows(shop.place, shop.content, "Acme Nine", note=nobody).reports
    assert (report.read, report.rejected, report.closed) == (1, 1, 0)
    assert said(shop) == before and len(shop.rejected()) == 1


def test_what_was_read_again_goes_with_its_name(shop: Shop) -> None:
    shop.load(ROWS)
    before, refused = said(shop), {one["id"] for one in shop.rejected()}
    accepted(shop)
    note = partial(note_segments, "Acme Nine", content=str(shop.content.root))
    found = resolve_rows(shop.place, shop.content, "Acme Nine", note=note)
    assert said(shop) != before
    back = take_back_name("Acme Nine", content=str(shop.content.root))
    assert back.segments == tuple(sorted(found.segments))
    assert give_back(shop.place, shop.content, back.segments) > 0
    assert said(shop) == before and {one["id"] for one in shop.rejected()} == refused
    assert give_back(shop.place, shop.content, back.segments) == 0


def test_only_rows_refused_for_names_alone_are_kept(shop: Shop) -> None:
    shop.load(ROWS)
    assert {one["code"]: "kept" in one for one in shop.rejected()} == {"names.unresolved": True, "load.cell": False}
    assert has_kept_rows(shop.place.ledger.folder, "acme nine") and not has_kept_rows(shop.place.ledger.folder, "two")


def test_a_store_answers_with_the_rows_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.build.writing import load_source
    from kg.session import open_graph

    content, store = shop_content(tmp_path / "content"), tmp_path / "store"
    file = tmp_path / "prices-2026-01-02.csv"
    file.write_text(ROWS)
    load_source("shop", [file], store=store, content=content.root)
    file.unlink()
    accept_name("Acme Nine", None, content=str(content.root), new="accelerator/acme-nine", kind="accelerator")
    found = resolve_refused("Acme Nine", store=store, content=content.root)
    with open_graph(store, content=content.root) as graph:
        assert "shop/d.price" in {one["id"] for one in graph.records()}
    back = take_back_name("Acme Nine", content=str(content.root))
    assert back.segments == tuple(sorted(found.segments))
    refuse_again(back, store=store, content=content.root)
    with open_graph(store, content=content.root) as graph:
        assert not [one for one in graph.records() if one["id"].startswith("shop/d.")]


class Killed(BaseException):
    """The process ends here."""


def accept(shop: Shop) -> None:
    accepted(shop)
    resolve_refused("Acme Nine", store=shop.place.folder, content=shop.content.root)


def take_back(shop: Shop) -> None:
    back = take_back_name("Acme Nine", content=str(shop.content.root))
    refuse_again(back, store=shop.place.folder, content=shop.content.root)


def state_of(shop: Shop) -> tuple[object, ...]:
    entities = sorted((shop.content.seeds / "entities").iterdir())
    refused = sorted(one["id"] for one in shop.rejected())
    return said(shop), refused, {path.name: path.read_bytes() for path in entities}


@pytest.mark.parametrize("step", some(3))
@pytest.mark.parametrize("begun", [accept, take_back])
def test_a_name_whose_command_was_killed_anywhere_is_accepted_or_taken_back_whole_by_the_next(
    begun: Callable[[Shop], None], step: int, shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.load(ROWS)
    resolve_refused("nobody", store=shop.place.folder, content=shop.content.root)  # the content into the ledger
    wanted = {take_back: state_of(shop)}
    accept(shop)
    wanted[accept] = state_of(shop)
    if begun is accept:
        take_back(shop)
    kept = {name: shutil.copytree(tmp_path / name, tmp_path / f"{name} before") for name in ("store", "content")}
    boundaries_left = [0]

    def die(boundary: str) -> None:
        boundaries_left[0] -= boundary in ("write:before", "rename:after", "manifest:before")  # else no file changes
        if boundaries_left[0] == 0:
            boundaries_left[0] = -1
            raise Killed

    monkeypatch.setattr(durable, "boundary", die)
    for number, after in enumerate((accept, take_back)):
        for killed_at in count(1 + number % step, step):
            for name, folder in kept.items():
                shutil.rmtree(tmp_path / name)
                shutil.copytree(folder, tmp_path / name)
            boundaries_left[0] = killed_at
            try:
                begun(shop)
                break
            except Killed:
                with suppress(UsageError):  # nothing was done, or everything: then there is nothing to take back
                    after(shop)
                assert state_of(shop) == wanted[after], (after.__name__, killed_at)
        assert killed_at > 4
