"""Names of loaded records resolved again: what moves, what is told, what stays."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.build.build import StorePlace
from kg.build.name_moves import NAMES_ORIGIN
from kg.build.published import load_published
from kg.build.reresolve import Again, resolve_again, state_of
from kg.build.waiting_files import load_command
from kg.cli.app import run
from kg.content.entities import read_registry
from kg.ingest.sources import get_loader
from tests.ingest.shop import HEAD, Shop, shop, shop_content

__all__ = ["shop"]

WITH_MAKER = "Name,Chip,Count,Price,Maker\n"
PLAIN = """\
title: Powers of chips
publisher: {id: org/list, label: The List}
licence: CC0-1.0
citation: "The List, {edition}"
url: example.org
edition: {kind: snapshot, from: [{how: file, pattern: '(?P<edition>20[0-9-]{8})'}]}
source: list
source_label: The List
shapes:
  table:
    about: a table of powers
    detect: {file: "*.csv", has: [Chip, Power]}
    reader: {format: csv}
    columns: {Chip: {as: chip, needed: true}, Power: {as: power, type: number}}
key: [chip]
entities:
  chip_id: {how: resolve, of: chip, kind: accelerator}
claims:
  power: {about: the power, kind: specification, subject: $chip_id, metric: power, value: $power, unit: W}
examples:
- {shape: table, row: {Chip: Acme One, Power: "700"}, gives: {power: {value: 700, unit: W, printed: "700"}}}
"""


def again(shop: Shop) -> Again:
    return resolve_again(shop.place.ledger, shop.content, read_registry(shop.content))


def registry(shop: Shop) -> Path:
    return shop.content.seeds / "entities" / "things.yaml"


def add(shop: Shop, *lines: str) -> None:
    registry(shop).write_text(registry(shop).read_text() + "".join(f"- {{{one}}}\n" for one in lines))


def alias(shop: Shop, thing: str, *names: str) -> None:
    """Give a thing exactly these aliases."""
    given = yaml.safe_load(registry(shop).read_text())
    for one in given:
        if one["id"] == thing:
            one["aliases"] = list(names)
    registry(shop).write_text(yaml.safe_dump(given, sort_keys=False))


def names_segments(shop: Shop) -> list[str]:
    return [one.edition for one in shop.place.ledger.manifest().segments if one.origin == NAMES_ORIGIN]


def load_list(shop: Shop, text: str, name: str = "powers-2026-01-02.csv") -> Any:
    folder = shop.content.loaders / "list"
    folder.mkdir(exist_ok=True)
    (folder / "mapping.yaml").write_text(PLAIN)
    return load_published(shop.place, shop.content, get_loader(shop.content, "list"), [shop.file(text, name)])


def test_nothing_is_done_where_the_registry_is_the_one_of_the_load(shop: Shop) -> None:
    shop.load(WITH_MAKER + "a,Acme One,4,8.00,Foo\n")
    before = shop.place.ledger.manifest()
    assert again(shop) == Again() and shop.place.ledger.manifest() == before
    assert not (shop.place.ledger.folder / "names.json").exists()


def test_claims_under_a_thing_that_a_load_made_move_to_the_thing_that_has_the_name_now(shop: Shop) -> None:
    shop.load(WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\nb,Acme Two,8,9.00,Bar\n")
    add(shop, "id: org/foo, kind: organisation, label: Foo, aliases: [Foo Cloud]")
    found = again(shop)
    assert [(one.source, one.name, one.before, one.after) for one in found.moved] == [
        ("shop", "Foo Cloud", "org/shop-foo-cloud", "org/foo")
    ]
    current = shop.current()
    assert current["shop/a.price"]["conditions"]["provider"] == "org/foo" and current["shop/a.price"]["supersedes"]
    assert current["shop/b.price"]["conditions"]["provider"] == "org/shop-bar"
    assert current["org/shop-foo-cloud"]["label"] == "Foo Cloud (now org/foo)"
    assert names_segments(shop) == ["-+names", "2026-01-02+names"]
    assert found.moved[0].records == 1


@pytest.mark.parametrize(
    ("label", "provider"),
    [
        ("{maker}", "org/foo"),
        ("seller {maker}", "org/list-foo-cloud"),
    ],  # what of a longer label was the name nobody knows
)
def test_a_thing_that_a_mapping_has_made_moves_where_its_label_is_the_name(
    label: str, provider: str, shop: Shop
) -> None:
    mapping, rule = shop.content.loaders / "shop" / "mapping.yaml", "unknown: create"
    made = f"{rule}, create: {{id: 'org/list-{{maker}}', kind: vendor, label: '{label}'}}"
    mapping.write_text(mapping.read_text().replace(rule, made))
    shop.load(WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\n")
    add(shop, "id: org/foo, kind: organisation, label: Foo, aliases: [Foo Cloud]")
    again(shop)
    assert shop.current()["shop/a.price"]["conditions"]["provider"] == provider


def test_resolving_twice_is_resolving_once_and_the_state_is_kept(shop: Shop) -> None:
    shop.load(WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\n")
    add(shop, "id: org/foo, kind: organisation, label: Foo, aliases: [Foo Cloud]")
    first, manifest = again(shop), shop.place.ledger.manifest()
    assert again(shop) == first == state_of(shop.place.ledger)
    assert shop.place.ledger.manifest() == manifest
    (shop.place.ledger.folder / "names.json").unlink()
    assert again(shop) == first and shop.place.ledger.manifest() == manifest


def test_another_mapping_has_names_resolved_again(shop: Shop) -> None:
    def stamp() -> list[str]:
        found: list[str] = json.loads((shop.place.ledger.folder / "names.json").read_text())["stamp"]
        return found

    shop.load(WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\n")
    add(shop, "id: org/foo, kind: organisation, label: Foo, aliases: [Foo Cloud]")
    again(shop)
    before, mapping = stamp(), shop.content.loaders / "shop" / "mapping.yaml"
    mapping.write_text(mapping.read_text() + "# another one\n")
    again(shop)
    changed = [old != new for old, new in zip(before, stamp(), strict=True)]
    assert changed == [False, True, *changed[2:]] and not any(changed[2:])


def test_a_registry_put_back_takes_the_revisions_out_again(shop: Shop) -> None:
    shop.load(WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\n")
    text, before = registry(shop).read_text(), shop.place.ledger.manifest()
    add(shop, "id: org/foo, kind: organisation, label: Foo, aliases: [Foo Cloud]")
    again(shop)
    registry(shop).write_text(text)
    assert again(shop) == Again()
    assert shop.place.ledger.manifest() == before


def test_loading_the_file_again_changes_nothing_that_moved(shop: Shop) -> None:
    rows = WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\n"
    shop.load(rows)
    add(shop, "id: org/foo, kind: organisation, label: Foo, aliases: [Foo Cloud]")
    again(shop)
    moved = shop.current()["shop/a.price"]
    shop.load(rows)
    now = shop.current()["shop/a.price"]
    assert now["revision"] == moved["revision"] and now["conditions"]["provider"] == "org/foo"
    shop.load(WITH_MAKER + "a,Acme One,4,6.00,Foo Cloud\n", "prices-2026-02-03.csv")
    later = shop.current()["shop/a.price"]
    assert (later["quantity"]["value"], later["conditions"]["provider"]) == (6, "org/foo")


def test_a_subject_moves_when_its_printed_name_is_the_name_of_another_thing(shop: Shop) -> None:
    add(shop, "id: accelerator/acme-three, kind: accelerator, label: Acme Three, level: accelerator, maker: org/acme")
    alias(shop, "accelerator/acme-two", "Acme II")
    load_list(shop, "Chip,Power\nAcme II,900\nAcme One,700\n")
    alias(shop, "accelerator/acme-two", "Acme 2")
    alias(shop, "accelerator/acme-three", "Acme II")
    found = again(shop)
    assert [(one.name, one.before, one.after, one.records) for one in found.moved] == [
        ("Acme II", "accelerator/acme-two", "accelerator/acme-three", 1)
    ]
    current = shop.current()
    assert current["list/acme-ii.power"]["subject"] == "accelerator/acme-three"
    assert current["list/acme-one.power"]["subject"] == "accelerator/acme-one"


def test_a_name_that_nothing_has_any_more_leaves_its_claims_where_they_are(shop: Shop) -> None:
    alias(shop, "accelerator/acme-two", "Acme II")
    load_list(shop, "Chip,Power\nAcme II,900\n")
    alias(shop, "accelerator/acme-two", "Acme 2")
    assert again(shop).moved == ()
    assert shop.current()["list/acme-ii.power"]["subject"] == "accelerator/acme-two"


def test_a_subject_on_which_a_made_thing_hangs_is_told_with_its_file_and_not_moved(shop: Shop) -> None:
    add(shop, "id: accelerator/acme-three, kind: accelerator, label: Acme Three, level: accelerator, maker: org/acme")
    alias(shop, "accelerator/acme-two", "Acme II")
    rows = HEAD + "a,Acme II,4,8.00\n"
    shop.load(rows)
    alias(shop, "accelerator/acme-two", "Acme 2")
    alias(shop, "accelerator/acme-three", "Acme II")
    found = again(shop)
    assert found.moved == ()
    assert [(one.file, one.names, one.rows, one.command) for one in found.waiting] == [
        ("prices-2026-01-02.csv", ("Acme II",), 1, "kg load shop prices-2026-01-02.csv")
    ]
    shop.load(rows)
    assert shop.current()["shop/a.price-per-chip"]["subject"] == "accelerator/acme-three"
    assert state_of(shop.place.ledger).waiting == ()


@pytest.mark.parametrize("price", range(8))
def test_what_a_second_load_of_an_edition_says_wins_whatever_the_hashes(shop: Shop, price: int) -> None:
    add(shop, "id: accelerator/acme-three, kind: accelerator, label: Acme Three, level: accelerator, maker: org/acme")
    alias(shop, "accelerator/acme-two", "Acme II")
    rows = HEAD + f"a,Acme II,4,{price + 1}.00\n"
    shop.load(rows)
    alias(shop, "accelerator/acme-two", "Acme 2")
    alias(shop, "accelerator/acme-three", "Acme II")
    shop.load(rows)
    assert shop.current()["shop/a.price-per-chip"]["subject"] == "accelerator/acme-three"


def test_an_id_that_was_given_up_is_replaced_by_the_one_that_stands_for_it(shop: Shop) -> None:
    load_list(shop, "Chip,Power\nAcme Two,900\n")
    text = registry(shop).read_text()
    registry(shop).write_text(text.replace("accelerator/acme-two", "accelerator/acme-2"))
    (shop.content.seeds / "entities" / "redirects.yaml").write_text("accelerator/acme-two: accelerator/acme-2\n")
    claims = shop.content.seeds / "claims" / "900.yaml"
    claims.write_text(claims.read_text().replace("accelerator/acme-two", "accelerator/acme-2"))
    assert [(one.before, one.after) for one in again(shop).moved] == [("accelerator/acme-two", "accelerator/acme-2")]
    assert shop.current()["list/acme-two.power"]["subject"] == "accelerator/acme-2"


def test_refused_rows_that_resolve_by_now_are_told_with_file_and_command(shop: Shop) -> None:
    shop.load(HEAD + "a,Acme One,4,8.00\nd,Acme Nine,1,3.00\ne,Acme Ten,1,3.00\n")
    add(shop, "id: accelerator/acme-nine, kind: accelerator, label: Acme Nine, level: accelerator")
    found = again(shop)
    assert [(one.source, one.file, one.names, one.rows) for one in found.waiting] == [
        ("shop", "prices-2026-01-02.csv", ("Acme Nine",), 1)
    ]
    assert (
        '1 row of prices-2026-01-02.csv to be read again for "Acme Nine": kg load shop prices-2026-01-02.csv'
        in " ".join(found.lines())
    )


def test_a_name_that_only_the_row_could_decide_is_not_decided_here(shop: Shop) -> None:
    mapping = PLAIN.replace("kind: accelerator}", "kind: accelerator, context: {maker: $maker}}").replace(
        "Power: {as", "Maker: {as: maker}, Power: {as"
    )
    add(shop, "id: accelerator/acme-three, kind: accelerator, label: Acme Three, level: accelerator, maker: org/acme")
    alias(shop, "accelerator/acme-two", "Acme II")
    load_list(shop, "Chip,Power\nAcme II,900\n")
    (shop.content.loaders / "list" / "mapping.yaml").write_text(mapping)
    alias(shop, "accelerator/acme-two", "Acme 2")
    alias(shop, "accelerator/acme-three", "Acme II")
    found = again(shop)
    assert (found.moved, [one.names for one in found.waiting]) == ((), [("Acme II",)])


def test_the_day_is_part_of_the_command_where_the_file_does_not_tell_it() -> None:
    assert load_command("shop", "prices.csv", "2026-01-02") == "kg load shop prices.csv --edition 2026-01-02"
    assert load_command("mlperf-inference", "mlperf-5.1.csv", "v5.1") == "kg load mlperf-inference mlperf-5.1.csv"


def test_accept_build_status_and_load_tell_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = shop_content(tmp_path / "content").root
    file = tmp_path / "prices-2026-01-02.csv"
    file.write_text(WITH_MAKER + "a,Acme One,4,8.00,Foo Cloud\nd,Acme Nine,1,3.00,Foo Cloud\n")
    options = ["--content", str(root), "--store", str(tmp_path / "store")]
    assert run(["build", *options]) == 0
    assert run(["load", "shop", str(file), *options]) == 1
    nine = ["accept", "Acme Nine", "--new", "accelerator/acme-nine", "--kind", "accelerator"]
    foo = ["accept", "Foo Cloud", "--new", "org/foo", "--label", "Foo", "--kind", "organisation"]
    capsys.readouterr()
    assert run(["names", *nine, *options]) == 0
    told = capsys.readouterr().err
    assert "prices-2026-01-02.csv: 1 row read again, 2 new claims" in told and "load it again" not in told
    assert run(["names", *foo, *options]) == 0
    assert "no row of the store stands refused for it" in capsys.readouterr().err
    assert run(["build", *options]) == 0
    assert "2 records of shop moved from org/shop-foo-cloud to org/foo (Foo Cloud)" in capsys.readouterr().err
    assert run(["build", *options]) == 0
    assert "moved" not in capsys.readouterr().err, "what was told once is left to kg status"
    assert run(["status", *options, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["before"], one["after"]) for one in found["names moved"]] == [("org/shop-foo-cloud", "org/foo")]
    assert not found.get("load again")
    assert run(["load", "shop", str(file), *options]) == 0
    assert run(["status", *options]) == 0
    assert "load again" not in capsys.readouterr().out


def test_a_store_without_loads_needs_no_registry(tmp_path: Path) -> None:
    assert state_of(StorePlace(tmp_path).ledger) == Again()
