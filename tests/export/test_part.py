"""A part of the graph: only what was asked for and what it needs, in every format, and it loads like any other file."""

import csv
import io
import json
import re
import zipfile
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import frictionless
import pytest

from kg.errors import KgError
from kg.export.exchange import exchange_records
from kg.export.formats import FORMATS, export
from kg.export.part import EVERYTHING, Selection, part_of
from kg.session import Graph, open_graph
from tests.sampling import FURTHER
from tests.small_content import write_small_content


def records(graph: Graph, part: Selection = EVERYTHING) -> dict[str, Any]:
    return {one["id"]: one for one in exchange_records(graph, part=part)}


@pytest.fixture(scope="module")
def part(shipped: Graph) -> Selection:
    return part_of(shipped, sources=["000"], things=["GB200"])


def test_what_was_chosen_is_all_there_and_the_rest_is_needed_by_it(shipped: Graph, part: Selection) -> None:
    whole, some = records(shipped), records(shipped, part)
    chosen = {name for name, one in whole.items() if one["record"] == "claim" and part.chooses(one)}
    claims = {name for name, one in some.items() if one["record"] == "claim"}
    assert chosen and chosen <= claims
    assert len(claims) < sum(one["record"] == "claim" for one in whole.values()) / 4
    assert all(whole[name]["source"] == "source/000" for name in chosen)
    assert "000/mistral.training-speed.h200" in chosen


def test_a_part_refers_to_nothing_that_is_not_in_it(shipped: Graph, part: Selection) -> None:
    some = records(shipped, part)
    for one in some.values():
        if one["record"] == "claim":
            named = [one["source"], one["subject"], one["asserted_by"]]
            named += [each["claim"] for each in one.get("restates") or () if each.get("claim")]
            for each in one.get("derivations") or ():
                named += [used["claim"] for used in each["inputs"].values() if used.get("claim")]
            assert set(named) <= set(some), one["id"]
        if one["record"] == "finding":
            assert {each["claim"] for each in one["claims"]} <= set(some), one["id"]


def test_a_thing_and_a_source_narrow_each_other(shipped: Graph) -> None:
    sizes = {
        name: sum(one["record"] == "claim" and one_part.chooses(one) for one in records(shipped, one_part).values())
        for name, one_part in (
            ("source", part_of(shipped, sources=["source/002"])),
            ("thing", part_of(shipped, things=["H200"])),
            ("both", part_of(shipped, sources=["002"], things=["H200"])),
        )
    }
    assert 0 < sizes["both"] < min(sizes["source"], sizes["thing"])


USUAL = ("cypher", "cytoscape", "datapackage", "jsonl", "turtle")
"""A form of each way to write: statements, one file, tables in a folder, records, triples."""


@pytest.mark.parametrize("form", [pytest.param(one, marks=() if one in USUAL else FURTHER) for one in FORMATS])
def test_every_format_writes_the_part_and_less_than_all(form: str, shipped: Graph, part: Selection, out: Path) -> None:
    is_folder = FORMATS[form].folder is not None
    small, large = out / ("small.zip" if is_folder else "small"), out / ("large.zip" if is_folder else "large")
    export(shipped, form, small, part=part)
    export(shipped, form, large)
    assert 0 < small.stat().st_size < large.stat().st_size * 0.75
    if is_folder:
        with zipfile.ZipFile(small) as one, zipfile.ZipFile(large) as other:
            assert Counter(one.namelist()) == Counter(other.namelist()) or form == "neo4j-import"


def claims_in(form: str, path: Path) -> set[str]:
    """The ids of the claims that an export holds, read as a reader of that format would."""
    if form == "duckdb":
        with duckdb.connect(str(path), read_only=True) as connection:
            return {one for (one,) in connection.execute("SELECT id FROM claims").fetchall()}
    if form == "parquet":
        with duckdb.connect() as connection:
            return {one for (one,) in connection.read_parquet(str(path / "claims.parquet")).project("id").fetchall()}
    if form == "cypher":
        batches = re.split(r'^UNWIND split\("', path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        claims = [one for one in batches if "MERGE (n:KgNode {uid: c[0]}) SET n:Claim" in one]
        rows = [row for one in claims for row in one.partition('", "\\u001e')[0].split("\x1e\n")]
        return {row.partition("\x1f")[0] for row in rows}
    if form == "neo4j-import":
        with (path / "node-Claim.csv").open(encoding="utf-8", newline="") as file:
            return {row[0] for row in csv.reader(file)}  # the header has a file of its own
    with (path / "claims.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"] for row in csv.DictReader(file)}


BY_SOURCE, BY_THING = {"sources": ["002"]}, {"things": ["H200"]}


@pytest.mark.parametrize(
    ("form", "narrowed"),
    [  # one form of each that goes through the same tables or rows, and the others in the long run
        ("duckdb", BY_SOURCE),
        ("csv", BY_THING),
        ("cypher", BY_SOURCE),
        *(
            pytest.param(form, narrowed, marks=FURTHER)
            for form, narrowed in product(
                ["parquet", "datapackage", "ro-crate", "neo4j-import", "duckdb", "csv", "cypher"], [BY_SOURCE, BY_THING]
            )
        ),
    ],
)
def test_a_part_has_the_claims_of_the_part_in_every_format_of_tables(
    form: str, narrowed: dict[str, list[str]], shipped: Graph, out: Path
) -> None:
    part = part_of(shipped, **narrowed)
    expected = {name for name, one in records(shipped, part).items() if one["record"] == "claim"}
    export(shipped, form, out / "part", part=part)
    assert claims_in(form, out / "part") == expected


@pytest.mark.parametrize("over", ["small", pytest.param("shipped", marks=FURTHER)])
def test_a_part_loads_into_a_store_of_its_own(over: str, shipped: Graph, part: Selection, out: Path) -> None:
    from kg.build.writing import load_files

    content = write_small_content(out / "content").root if over == "small" else None
    export(shipped, "jsonl", out / "part.jsonl", part=part)
    load_files(
        [out / "part.jsonl"], store=out / "store", content=content, edition="2030-01-01", dry_run=False, wait_seconds=5
    )
    loaded = open_graph(out / "store", content=content)
    # what a list of citations says of a source follows from a content file, which the small content has not
    here = {name for name in records(shipped, part) if over == "shipped" or "/citation." not in name}
    assert here <= set(records(loaded))
    loaded.close()


def test_the_data_package_of_a_part_has_no_key_that_leads_to_nothing(
    shipped: Graph, part: Selection, out: Path
) -> None:
    export(shipped, "datapackage", out / "package", part=part)
    report = frictionless.validate(str(out / "package" / "datapackage.json"))
    assert report.valid, report.flatten(["rowNumber", "fieldName", "note"])[:5]


def test_the_store_of_a_part_says_how_many_claims_it_has(shipped: Graph, part: Selection, out: Path) -> None:
    export(shipped, "cytoscape", out / "x.cyjs", part=part)
    nodes = json.loads((out / "x.cyjs").read_text())["elements"]["nodes"]
    claims = sum(one["data"]["record"] == "claim" for one in nodes)
    export(shipped, "turtle", out / "x.ttl", part=part)
    assert (
        f"k:claimCount {claims} " in (out / "x.ttl").read_text()
        or f'k:claimCount "{claims}"' in (out / "x.ttl").read_text()
    )


@pytest.mark.parametrize(
    ("given", "code"),
    [({"sources": ["no-such"]}, "question.value"), ({"things": ["no such thing at all"]}, "export.part")],
)
def test_an_unknown_part_is_refused(shipped: Graph, given: dict[str, list[str]], code: str) -> None:
    with pytest.raises(KgError) as refused:
        part_of(shipped, **given)
    assert refused.value.code == code and refused.value.given == next(iter(given.values()))[0]


def test_the_wide_table_has_a_row_a_chip_and_no_refuted_figure(shipped: Graph, out: Path) -> None:
    export(shipped, "specs", out / "specs.csv")
    rows = list(csv.DictReader(io.StringIO((out / "specs.csv").read_text(encoding="utf-8"))))
    known = {one["id"]: one for one in exchange_records(shipped) if one["record"] == "claim"}
    assert len(rows) == len({row["subject"] for row in rows}) > 30
    h200 = next(row for row in rows if row["subject"] == "accelerator/nvidia-h200-sxm-141gb")
    assert float(h200["memory-bandwidth [byte/s]"]) == pytest.approx(4.8e12)
    for row in rows:
        for name, cell in row.items():
            if name.endswith(" claim") and cell:
                assert known[cell]["verdict"] == row[name.removesuffix(" claim") + " verdict"] != "wrong"
                assert known[cell]["subject"] == row["subject"]
