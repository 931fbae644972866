"""Loading published rows: quarantine, counts, resuming, editions, atomicity."""

import csv
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from kg.build.writing import load_source
from kg.content.folders import find_content
from kg.errors import KgError
from kg.ingest import intake
from kg.ingest.errors import FileDamaged, NoEdition, NoShape, WrongColumns
from kg.ingest.planned_file import plan_file
from kg.ingest.sources import get_loader
from kg.ledger import durable
from kg.model.record import Claim, Entity, Source, recorded_form
from kg.session import open_graph
from kg.stores.protocol import Answer
from tests.ingest.shop import HEAD, ROWS, Shop, shop, shop_content

__all__ = ["shop"]


def test_counts_add_up_and_every_rejection_has_its_reason(shop: Shop) -> None:
    report = shop.load(ROWS).files[0]
    assert (report.read, report.loaded, report.unchanged, report.skipped, report.rejected) == (
        5,
        2,
        0,
        {"no_chip": 1},
        2,
    )
    assert report.adds_up and report.codes == {"names.unresolved": 1, "load.cell": 1}
    by_line = {one["line"]: one for one in shop.rejected()}
    assert (by_line[5]["code"], by_line[5]["field"], by_line[5]["given"], by_line[5]["kind"]) == (
        "names.unresolved",
        "chip",
        "Acme Nine",
        "accelerator",
    )
    assert (by_line[6]["code"], by_line[6]["field"], by_line[6]["given"], by_line[6]["expected"]) == (
        "load.cell",
        "Count",
        "two",
        "a whole number",
    )
    assert by_line[5]["row"] == {"Name": "d", "Chip": "Acme Nine", "Count": "1", "Price": "3.00"}
    assert re.fullmatch(r"rejected/shop/prices-2026-01-02-[0-9a-f]{6}/5-names\.unresolved", by_line[5]["id"])


def test_every_record_is_in_recorded_form(shop: Shop) -> None:
    shop.load(ROWS)
    kinds: dict[str, type[Claim | Entity | Source]] = {"claim": Claim, "entity": Entity, "source": Source}
    records = shop.current()
    assert {"shop/a.price", "shop/a.price-per-chip", "offer/shop-a", "source/shop", "org/shop"} <= set(records)
    for record in records.values():
        plain = {key: value for key, value in record.items() if key != "revision"}
        assert recorded_form(kinds[record["record"]].model_validate(plain, strict=True)) == plain


def test_a_claim_says_where_it_stands_and_how_it_was_computed(shop: Shop) -> None:
    shop.load(ROWS)
    price, chip = shop.current()["shop/a.price"], shop.current()["shop/a.price-per-chip"]
    assert (price["quantity"], price["anchor"]["row"], price["anchor"]["column"]) == (
        {"printed": "8.00", "value": 8, "unit": "USD/h"},
        2,
        "Price",
    )
    assert (price["said_on"], price["asserted_by"], price["source"], price["path"]) == (
        "2026-01-02",
        "org/shop",
        "source/shop",
        ["source/shop"],
    )
    assert chip["quantity"] == {"value": 2, "unit": "USD/h"}
    assert chip["derivations"][0]["inputs"] == {
        "price": {"claim": "shop/a.price"},
        "count": {"constant": 4, "unit": "count:gpu", "why": "the column Count"},
    }


def test_loading_again_changes_nothing(shop: Shop) -> None:
    shop.load(ROWS)
    before = shop.place.ledger.manifest()
    again = shop.load(ROWS)
    assert (again.files[0].unchanged, again.files[0].loaded, again.records) == (2, 0, 0)
    assert shop.place.ledger.manifest() == before


def test_a_file_of_the_same_name_in_another_folder_closes_nothing_and_a_corrected_one_does(shop: Shop) -> None:
    shop.load(ROWS)
    good = ROWS.replace("Acme Nine", "Acme One").replace("two", "2")
    assert good != ROWS
    other = shop.load(good, "other/prices-2026-01-02.csv").files[0]
    assert (other.rejected, other.closed) == (0, 0) and len(shop.rejected()) == 2
    assert shop.load(good).files[0].closed == 2 and shop.rejected() == []


def test_a_rejection_of_an_earlier_version_goes_on_under_its_new_id(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(intake, "_names_in_ids", lambda *_, **__: ("prices-2026-01-02",))
        shop.load(ROWS)
    assert {one["id"].split("/")[2] for one in shop.rejected()} == {"prices-2026-01-02"}
    again = shop.load(ROWS).files[0]
    assert (again.rejected, again.closed, len(shop.rejected())) == (2, 0, 2)
    assert "prices-2026-01-02" not in {one["id"].split("/")[2] for one in shop.rejected()}


def test_a_row_that_resolves_by_now_is_added_and_its_rejection_closed(shop: Shop) -> None:
    shop.load(ROWS)
    things = shop.content.seeds / "entities" / "things.yaml"
    things.write_text(
        things.read_text() + "- {id: accelerator/acme-nine, kind: accelerator, label: Acme Nine, level: accelerator}\n"
    )
    again = shop.load(ROWS).files[0]
    assert (again.loaded, again.unchanged, again.rejected, again.closed) == (1, 2, 1, 1)
    assert "shop/d.price" in shop.current()
    assert [one["code"] for one in shop.rejected()] == ["load.cell"]


def test_a_later_snapshot_supersedes_and_doubles_no_entity(shop: Shop) -> None:
    shop.load(HEAD + "a,Acme One,4,8.00\nb,Acme Two,8,20.00\n")
    later = shop.load(HEAD + "a,Acme One,4,6.00\nb,Acme Two,8,20.00\n", "prices-2026-02-03.csv").files[0]
    assert (later.claims, later.superseded, later.same, later.older, later.entities) == (0, 2, 2, 0, 0)
    price = shop.current()["shop/a.price"]
    assert (price["quantity"]["value"], price["said_on"]) == (6, "2026-02-03")
    assert price["supersedes"]
    assert sum(name.startswith("offer/") for name in shop.current()) == 2


def test_the_order_of_loading_decides_nothing(shop: Shop) -> None:
    shop.load(HEAD + "a,Acme One,4,6.00\n", "prices-2026-02-03.csv")
    earlier = shop.load(HEAD + "a,Acme One,4,8.00\n", "prices-2026-01-02.csv").files[0]
    assert (earlier.claims, earlier.superseded, earlier.same, earlier.older, earlier.unchanged) == (0, 0, 0, 2, 1)
    assert shop.current()["shop/a.price"]["quantity"]["value"] == 6


def test_a_refused_row_is_open_again_when_the_file_with_it_is_loaded_last(shop: Shop) -> None:
    wrong, right = HEAD + "a,Acme One,four,8.00\n", HEAD + "a,Acme One,4,8.00\n"
    for text, is_open in ((wrong, True), (right, False), (wrong, True), (right, False)):
        shop.load(text)
        assert [one["code"] for one in shop.rejected()] == (["load.cell"] if is_open else [])


def test_an_alias_of_a_column_is_the_same_column(shop: Shop) -> None:
    shop.load("Chip,Name,USD per hour,Count\nAcme One,a,8.00,4\n")
    assert shop.current()["shop/a.price"]["anchor"]["column"] == "USD per hour"


def test_a_whole_edition_retires_what_it_no_longer_holds(shop: Shop) -> None:
    row = {"Name": "a", "Chip": "Acme One", "Count": 4, "Price": 8}
    shop.load(json.dumps(row) + "\n" + json.dumps(row | {"Name": "b"}) + "\n", "all-2026-01-02.jsonl")
    assert "shop-all/b.price" in shop.current()
    shop.load(json.dumps(row) + "\n", "all-2026-02-03.jsonl")
    assert "shop-all/a.price" in shop.current()
    assert "shop-all/b.price" not in shop.current()


def test_whole_editions_loaded_in_one_go_keep_their_source_with_the_day_of_the_newest(shop: Shop) -> None:
    row = json.dumps({"Name": "a", "Chip": "Acme One", "Count": 4, "Price": 8}) + "\n"
    shop.load_files(shop.file(row, "all-2026-01-02.jsonl"), shop.file(row, "all-2026-02-03.jsonl"))
    assert shop.current()["source/shop-all"]["published"] == "2026-02-03"


def test_snapshots_loaded_in_one_go_leave_the_source_the_day_of_the_newest(shop: Shop) -> None:
    text = HEAD + "a,Acme One,4,8.00\n"
    shop.load_files(shop.file(text, "prices-2026-02-03.csv"), shop.file(text, "prices-2026-01-02.csv"))
    assert shop.current()["source/shop"]["published"] == "2026-02-03"


def test_rows_of_one_key_are_numbered_by_edition(shop: Shop) -> None:
    """A later edition that was loaded along got the next numbers, so that it stood beside the earlier one."""
    mapping = shop.content.loaders / "shop" / "mapping.yaml"
    mapping.write_text(mapping.read_text().replace("{format: csv}\n", "{format: csv}\n    repeated: number\n", 1))
    rows = HEAD + "a,Acme One,4,{}.00\na,Acme One,4,{}.00\n"
    days = ("prices-2026-01-02.csv", "prices-2026-02-03.csv")
    shop.load_files(*(shop.file(rows.format(*given), day) for given, day in zip(((8, 9), (10, 11)), days, strict=True)))
    prices = {name: one["quantity"]["value"] for name, one in shop.current().items() if name.endswith(".price")}
    assert prices == {"shop/a.price": 10, "shop/a-2.price": 11}


def test_a_file_that_changes_while_it_is_read_is_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its claims would name a file that nobody has."""
    sound = HEAD + "a,Acme One,4,8.00\n"

    def change_after(*given: Any, **named: Any) -> Any:
        planned = plan_file(*given, **named)
        shop.file(sound.replace("8.00", "19.00"))
        return planned

    monkeypatch.setattr("kg.build.published.plan_file", change_after)
    with pytest.raises(FileDamaged, match="changed while it was read"):
        shop.load(sound)
    assert shop.place.ledger.manifest().segments == ()


def test_a_dry_run_tells_the_same_and_writes_nothing(shop: Shop) -> None:
    dry = shop.load(ROWS, dry_run=True)
    assert (dry.files[0].loaded, dry.rejected, dry.built) == (2, 2, None)
    assert shop.place.ledger.manifest().segments == ()
    assert shop.load(ROWS).files[0].loaded == 2


def test_rows_with_one_key_are_skipped_when_alike_and_rejected_when_not(shop: Shop) -> None:
    report = shop.load(HEAD + "a,Acme One,4,8.00\na,Acme One,4,8.00\na,Acme One,4,9.00\n").files[0]
    assert (report.loaded, report.skipped, report.codes) == (1, {"identical_row": 1}, {"load.duplicate-key": 1})
    assert shop.current()["shop/a.price"]["quantity"]["value"] == 8


def test_rules_of_the_mapping_reject_and_remark(shop: Shop) -> None:
    report = shop.load(HEAD + "a,Acme One,4,1000.01\nb,Acme One,4,0.50\nc,Acme One,4,0\n").files[0]
    assert report.codes == {"load.rule": 1}
    assert report.remarks == {"cheap": 1}
    assert report.skipped == {"no_figure": 1}
    assert shop.rejected()[0]["expected"] == "dearer than anything"


def test_names_that_may_be_made_are_made_once(shop: Shop) -> None:
    head = "Name,Chip,Count,Price,Maker\n"
    shop.load(head + "a,Acme One,4,8,Newcomer\nb,Acme One,4,8,Newcomer\n")
    made = [one for one in shop.current().values() if one["id"].startswith("org/") and one["label"] == "Newcomer"]
    assert [one["source"] for one in made] == ["source/shop"]
    assert shop.current()["shop/a.price"]["conditions"]["provider"] == made[0]["id"]


def test_a_rejected_row_makes_no_entity(shop: Shop) -> None:
    shop.load("Name,Chip,Count,Price,Maker\na,Acme Nine,4,8,Newcomer\n")
    assert not [name for name in shop.current() if name.startswith("offer/")]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD + 'a,Acme One,4,8.00\nb,"Acme One,4,8.00\n', FileDamaged),
        (HEAD.encode() + b"a,Acme \xff\xfe,4,8.00\n", FileDamaged),
        ("Name,Chip,Price,Price\na,Acme One,4,8\n", WrongColumns),
        ("Name,Chip,Count,Price,Secret\na,Acme One,4,8,1\n", WrongColumns),
        ("Chip,Price\nAcme One,8\n", NoShape),
        ("", FileDamaged),
    ],
)
def test_a_file_that_cannot_be_read_loads_nothing_of_any_file(
    shop: Shop, text: str | bytes, error: type[KgError]
) -> None:
    sound = shop.file(ROWS, "other-2026-01-02.csv")
    broken = shop.file(text, "broken-2026-01-02.csv")
    with pytest.raises(error):
        shop.load_files(sound, broken)
    assert shop.place.ledger.manifest().segments == ()


def test_a_file_without_a_day_is_refused_unless_one_is_given(shop: Shop) -> None:
    with pytest.raises(NoEdition):
        shop.load(ROWS, "prices.csv")
    shop.load(ROWS, "prices.csv", edition="2026-03-04")
    assert shop.current()["shop/a.price"]["said_on"] == "2026-03-04"


UNDATED = {
    "skypilot": ("lambda_vms.csv", "InstanceType,AcceleratorName,AcceleratorCount,Price,Region\nm,H100,8,9.0,x\n"),
    "full-stack": ("cloud-gpus.csv", "Cloud,GPU Type,GPUs,On-demand,Per-GPU\nA,H100,8,9.0,1.0\n"),
    "gpu-specs": (
        "specs.json",
        '{"h100": {"name": "H100", "fp32": 1, "gpu_memory": 1, "memory_bandwidth": 1, "power_consumption": 1}}',
    ),
    "wikipedia-gpus": ("gpu.json", '{"H100": {"Vendor": "V", "Bus interface": "B"}}'),
}


@pytest.mark.parametrize("source", sorted(UNDATED))
def test_an_undated_snapshot_is_told_with_the_option_to_type(source: str, tmp_path: Path) -> None:
    name, text = UNDATED[source]
    (tmp_path / name).write_text(text)
    os.utime(tmp_path / name, (1_766_275_200, 1_766_275_200))
    with pytest.raises(NoEdition) as refused:
        plan_file(get_loader(find_content(), source), tmp_path / name, None)
    error = refused.value
    assert (error.code, error.path, error.given) == ("load.edition", str(tmp_path / name), "no date")
    assert error.next_step is not None and error.next_step.endswith("add this to the command: --edition 2025-12-21")
    assert "(?P<" not in str(error)
    assert plan_file(get_loader(find_content(), source), tmp_path / name, "2025-12-21").rank == "2025-12-21"


def test_a_file_without_a_round_is_told_what_a_round_looks_like(tmp_path: Path) -> None:
    path = tmp_path / "mlperf.csv"
    path.write_text("Public ID,Model MLC,Scenario,Units\nx,y,Offline,Tokens/s\n")
    with pytest.raises(NoEdition) as refused:
        plan_file(get_loader(find_content(), "mlperf-inference"), path, None)
    assert refused.value.given == "no round" and "the round, such as v3.0, in column" in str(refused.value)


def test_a_folder_stands_for_the_files_that_fit(shop: Shop) -> None:
    shop.file(ROWS, "data/deep/prices-2026-01-02.csv")
    shop.file("x", "data/readme.md")
    loaded = shop.load_files(shop.folder / "data")
    assert [one.path for one in loaded.files] == [str(shop.folder / "data/deep/prices-2026-01-02.csv")]
    assert loaded.passed == (str(shop.folder / "data/readme.md"),)


def test_the_report_of_rejected_rows_is_harmless_in_a_spreadsheet(shop: Shop) -> None:
    path = shop.folder / "rejects.csv"
    shop.load(HEAD + "\"=cmd|' /c calc'!A1\",=1+1,4,8\n", rejects=path)
    with open(path, encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["line"], row["code"], row["given"]) == ("2", "names.unresolved", "'=1+1")


def test_the_report_as_json_lines_is_the_records(shop: Shop) -> None:
    path = shop.folder / "rejects.jsonl"
    shop.load(ROWS, rejects=path)
    ours = [json.loads(line) for line in path.read_text().splitlines()]
    assert [one["id"] for one in ours] == sorted(one["id"] for one in shop.rejected())


def test_a_formula_is_text_and_never_a_number(shop: Shop) -> None:
    report = shop.load(HEAD + "a,Acme One,4,=1+1\n").files[0]
    assert report.codes == {"load.cell": 1}


class Killed(BaseException):
    """A kill."""


@pytest.mark.parametrize(
    "moment", ["write:before", "write:after", "fsync:after", "rename:after", "segment:named", "manifest:before"]
)
def test_a_killed_load_shows_nothing_and_the_next_completes_it(
    shop: Shop, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killing(name: str) -> None:
        if name == moment:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(durable, "boundary", killing)
        with pytest.raises(Killed):
            shop.load(ROWS)
    if moment == "rename:after":
        assert "shop/a.price" not in shop.current()
    else:
        assert shop.current() == {}
    assert shop.load(ROWS).files[0].loaded == 2
    assert len([name for name in shop.current() if name.startswith("shop/")]) == 4


def test_claims_loaded_through_the_command_answer_questions(tmp_path: Path) -> None:
    content, store = shop_content(tmp_path / "content"), tmp_path / "store"
    file = tmp_path / "prices-2026-01-02.csv"
    file.write_text(ROWS)
    loaded = load_source("shop", [file], store=store, content=content.root)
    assert (loaded.files[0].loaded, loaded.rejected) == (2, 2)
    graph = open_graph(store, content=content.root)
    try:
        answer = graph.query(
            "SELECT ?c WHERE { ?c <https://w3id.org/accelkg/ontology#subject> <https://w3id.org/accelkg/id/offer/shop-a> }"
        )
        assert isinstance(answer, Answer)
        assert answer.rows == (("shop/a.price",),)
        assert graph.is_whole()
    finally:
        graph.close()


def test_a_mapping_anywhere_reads_any_table(tmp_path: Path) -> None:
    content = shop_content(tmp_path / "content")
    shutil.copytree(content.loaders / "shop", tmp_path / "mine")
    shutil.rmtree(content.loaders / "shop")
    file = tmp_path / "prices-2026-01-02.csv"
    file.write_text(ROWS)
    loaded = load_source(
        "table",
        [file],
        store=tmp_path / "store",
        content=content.root,
        mapping=tmp_path / "mine" / "mapping.yaml",
        dry_run=True,
    )
    assert loaded.files[0].loaded == 2


def test_a_comma_that_may_be_a_decimal_one_is_told_until_the_mapping_states_the_sign(shop: Shop) -> None:
    rows = HEAD + 'a,Acme One,4,"3,060"\nb,Acme Two,8,"4,100"\n'
    (report,) = shop.load(rows, dry_run=True).files
    (told,) = [one.told("a.csv") for one in report.warnings]
    assert told.startswith(
        "a.csv:2: Price: 3,060, in 2 rows; accepted: a comma that groups thousands, which is assumed"
    )
    (report,) = shop.load(rows + 'c,Acme One,2,"1,024.5"\n', dry_run=True).files
    assert report.warnings == ()  # one cell of the column settles it

    mapping = shop.content.loaders / "shop" / "mapping.yaml"
    mapping.write_text(mapping.read_text().replace('missing: ["", N/A]', 'missing: ["", N/A]\ndecimal: ","'))
    (report,) = shop.load(rows).files
    assert report.warnings == ()
    assert shop.current()["shop/a.price"]["quantity"] == {"printed": "3,060", "value": 3.06, "unit": "USD/h"}


def test_a_broken_first_row_and_a_number_of_many_digits_leave_the_others(shop: Shop) -> None:
    row = '{"Name": 1%030d, "Chip": "Acme One", "Count": 1, "Price": 8}\n'
    report = shop.load('{"Name":\n' + row % 1 + row % 2, name="all-2026-01-02.jsonl").files[0]
    assert (report.read, report.rejected, report.loaded) == (3, 1, 2)
