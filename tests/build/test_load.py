"""Loading claims: what is accepted, what it changes, what supersedes what, and that order does not matter."""

import gzip
from itertools import permutations
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from kg.build.build import StorePlace
from kg.build.documents import attach_documents
from kg.build.load import LoadedFile
from kg.build.writing import load_files
from kg.errors import KgError
from kg.ledger.ledger import Manifest
from kg.model.recorded import ClaimRecord
from kg.session import open_graph
from tests.build.test_build import triples_digest
from tests.small_content import TEXT, claim, write_lines, write_small_content, write_text

Json = Any


def load(
    store: Path, root: Path, *files: Path, edition: str | None = "2025-03-01", dry_run: bool = False
) -> list[LoadedFile]:
    return load_files(files, store=store, content=root, edition=edition, dry_run=dry_run, wait_seconds=5)


def records(store: Path, root: Path) -> dict[str, Json]:
    return {one["id"]: one for one in open_graph(store, content=root).records()}


def export(store: Path, root: Path, path: Path) -> Path:
    path.write_bytes(b"".join(orjson.dumps(one) + b"\n" for one in open_graph(store, content=root).records()))
    return path


def memory(gigabytes: int) -> Json:
    return claim(quantity={"printed": f"{gigabytes} GB", "value": gigabytes, "unit": "GB"})


def test_loading_the_own_export_changes_nothing(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    file = export(store, root, tmp_path / "own.jsonl")
    before = StorePlace(store).ledger.manifest(), StorePlace(store).rdf.current()
    (done,) = load(store, root, file)
    assert (done.added, done.unchanged, done.built) == ({}, 8, None)
    assert (StorePlace(store).ledger.manifest(), StorePlace(store).rdf.current()) == before


def test_findings_that_follow_from_no_record_are_counted(tmp_path: Path, root: Path) -> None:
    lists = (("900", "citation.gap"), ("900", "arithmetic.consistent"), ("901", "citation.cited-not-listed"))
    findings = [{"record": "finding", "code": code, "claims": [{"claim": f"source/{one}"}]} for one, code in lists]
    (root / "seeds" / "citations").mkdir()
    list_of_900 = {"source": "source/900", "document": "900_small.txt", "links": []}
    (root / "seeds" / "citations" / "900.yaml").write_bytes(orjson.dumps(list_of_900))
    (done,) = load(tmp_path / "store", root, write_lines(tmp_path / "one.jsonl", claim(), *findings))
    assert (done.derived_lines, done.left_out) == (3, 1)


def test_an_export_loaded_into_an_empty_store_gives_the_same(tmp_path: Path, root: Path) -> None:
    full = tmp_path / "full"
    extra = write_lines(
        tmp_path / "extra.jsonl",
        claim(derivations=[{"expression": "a / 5", "inputs": {"a": {"claim": "900/power.one"}}}]),
        {"record": "entity", "id": "org/extra", "kind": "vendor", "label": "Extra"},
    )
    load(full, root, extra)
    file = export(full, root, tmp_path / "all.jsonl")
    bare = write_small_content(tmp_path / "bare", claims=None).root
    for path in (bare / "seeds" / "entities").glob("*.yaml"):
        path.write_text("- {id: org/zzz, kind: vendor, label: Zzz}\n", encoding="utf-8")
    empty = tmp_path / "empty"
    load(empty, bare, file)
    again = {name: one for name, one in records(empty, bare).items() if name != "org/zzz"}
    assert again == records(full, root)
    assert again["900/new"]["findings"], "the wrong division is found there too"


ORDERS = list(permutations(range(3)))


@pytest.mark.parametrize(
    "orders",  # each file is the first once; the long run takes all orders
    [pytest.param(ORDERS[::2], id="some"), pytest.param(ORDERS, id="all", marks=pytest.mark.long)],
)
def test_the_order_of_files_does_not_matter(tmp_path: Path, root: Path, orders: list[tuple[int, ...]]) -> None:
    one = write_lines(
        tmp_path / "one.jsonl",
        claim("900/a"),
        memory(141),
        {"record": "entity", "id": "org/b", "kind": "vendor", "label": "B"},
    )
    two = write_lines(
        tmp_path / "two.jsonl",
        memory(142),
        claim("900/b"),
        {"record": "entity", "id": "org/b", "kind": "vendor", "label": "Bee"},
    )
    three = write_lines(tmp_path / "three.jsonl", memory(141), claim("900/a"))
    files = [(one, "2025-01-01"), (two, "2025-02-01"), (three, "2025-03-01")]
    seen = []
    for position, order in enumerate(orders):
        store = tmp_path / str(position)
        for file, edition in (files[place] for place in order):
            load(store, root, file, edition=edition)
        seen.append(
            (sorted(one["revision"] for one in StorePlace(store).ledger.current()), triples_digest(store, root))
        )
    assert all(one == seen[0] for one in seen)
    assert records(tmp_path / "0", root)["900/new"]["quantity"]["value"] == 141


def test_of_files_of_one_edition_the_one_loaded_last_counts(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    load(store, root, write_lines(tmp_path / "141.jsonl", memory(141)))
    for gigabytes in range(142, 145):
        (done,) = load(store, root, write_lines(tmp_path / f"{gigabytes}.jsonl", memory(gigabytes)))
        assert (done.superseded, done.older) == (("900/new",), ())
        assert records(store, root)["900/new"]["quantity"]["value"] == gigabytes
    ledger = StorePlace(store).ledger
    ledger.write_manifest(Manifest(ledger.manifest().segments[::-1]))
    current = {one["id"]: one for one in ledger.current()}
    assert cast(ClaimRecord, current["900/new"])["quantity"]["value"] == 144, (
        "the segments say themselves which was later"
    )


@pytest.mark.parametrize(
    ("first", "second", "current", "supersedes"),
    [("2025-01-01", "2025-02-01", 142, True), ("2025-02-01", "2025-01-01", 141, True)],
    ids=["a later edition wins", "an earlier edition loses"],
)
def test_a_later_edition_supersedes(
    tmp_path: Path, root: Path, first: str, second: str, current: int, supersedes: bool
) -> None:
    store = tmp_path / "store"
    for gigabytes, edition in ((141, first), (142, second)):
        load(store, root, write_lines(tmp_path / f"{gigabytes}.jsonl", memory(gigabytes)), edition=edition)
    found = records(store, root)["900/new"]
    assert found["quantity"]["value"] == current
    loser = {one["quantity"]["value"]: one for one in _revisions(store)}[283 - current]
    assert (found["supersedes"] == loser["revision"]) is supersedes


def test_of_files_loaded_on_one_day_the_last_counts(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    for gigabytes in (141, 142, 143, 141, 142, 144):
        (done,) = load(store, root, write_lines(tmp_path / "mine.jsonl", memory(gigabytes)), edition=None)
        assert (done.superseded, done.older) == (("900/new",) if gigabytes > 141 or done.superseded else (), ())
        assert records(store, root)["900/new"]["quantity"]["value"] == gigabytes
    again = load(store, root, tmp_path / "mine.jsonl", edition=None)
    assert [(one.added, one.unchanged) for one in again] == [({}, 1)]


def test_what_stays_behind_another_revision_is_older_and_replaces_nothing(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    load(store, root, write_lines(tmp_path / "141.jsonl", memory(141)))
    (past,) = load(store, root, write_lines(tmp_path / "past.jsonl", memory(150)), edition="2020-01-01")
    assert (past.superseded, past.older) == ((), ("900/new",))


def _revisions(store: Path) -> list[Json]:
    from kg.ledger.segment import read_segment

    ledger = StorePlace(store).ledger
    return [
        one
        for info in ledger.manifest().segments
        for one in read_segment(ledger.segments_folder, info)
        if one["id"] == "900/new"
    ]


def test_the_same_again_is_nothing_to_do(tmp_path: Path, root: Path) -> None:
    store, file = tmp_path / "store", write_lines(tmp_path / "a.jsonl", memory(141))
    load(store, root, file)
    head = StorePlace(store).ledger.manifest()
    (done,) = load(store, root, file)
    assert (done.added, done.unchanged) == ({}, 1)
    assert StorePlace(store).ledger.manifest() == head


def test_a_file_that_says_again_what_another_of_the_same_load_said_adds_nothing(tmp_path: Path, root: Path) -> None:
    files = [write_lines(tmp_path / name, memory(141)) for name in ("a.jsonl", "b.jsonl")]
    done = load(tmp_path / "store", root, *files)
    assert [(one.added, one.unchanged, one.fresh) for one in done] == [({"claim": 1}, 0, 1), ({}, 1, 0)]


def test_absent_and_null_mean_the_same(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    load(store, root, write_lines(tmp_path / "a.jsonl", claim()))
    nulls: Json = {
        "utterance": None,
        "baseline": None,
        "note": None,
        "event": None,
        "supersedes": None,
        "findings": None,
    }
    (done,) = load(store, root, write_lines(tmp_path / "b.jsonl", {**claim(), **nulls}))
    assert done.unchanged == 1


def test_a_dry_run_writes_nothing(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    head = open_graph(store, content=root).stamp["head"]
    (done,) = load(store, root, write_lines(tmp_path / "a.jsonl", claim()), dry_run=True)
    assert (done.added, StorePlace(store).ledger.manifest().head) == ({"claim": 1}, head)


def test_of_several_files_none_is_loaded_when_one_is_wrong(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    head = open_graph(store, content=root).stamp["head"]
    good, bad = (
        write_lines(tmp_path / "good.jsonl", claim()),
        write_lines(tmp_path / "bad.jsonl", claim("900/x", level="card")),
    )
    with pytest.raises(KgError):
        load(store, root, good, bad)
    assert StorePlace(store).ledger.manifest().head == head


def test_a_packed_file_is_refused_with_what_to_do(tmp_path: Path, root: Path) -> None:
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(write_lines(tmp_path / "a.jsonl", claim()).read_bytes()))
    with pytest.raises(KgError, match="gunzip") as refused:
        load(tmp_path / "store", root, packed)
    assert refused.value.given == "a file packed by gzip"


def test_a_thing_loaded_before_is_known(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    load(
        store,
        root,
        write_lines(tmp_path / "a.jsonl", {"record": "entity", "id": "org/later", "kind": "vendor", "label": "Later"}),
    )
    (done,) = load(store, root, write_lines(tmp_path / "b.jsonl", claim(asserted_by="org/later")))
    assert done.added == {"claim": 1}


def test_a_claim_takes_no_id_of_a_thing(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    with pytest.raises(KgError, match="an id that no entity has"):
        load(store, root, write_lines(tmp_path / "a.jsonl", claim("org/acme")))
    assert records(store, root)["org/acme"]["record"] == "entity"


def test_a_statement_key_is_recomputed(tmp_path: Path, root: Path) -> None:
    with pytest.raises(KgError) as raised:
        load(tmp_path / "store", root, write_lines(tmp_path / "a.jsonl", claim(statement_key="other")))
    assert (raised.value.code, raised.value.field) == ("load.derived-differs", "statement_key")


def test_positions_are_compared_with_an_attached_text(tmp_path: Path, root: Path) -> None:
    store = tmp_path / "store"
    start = TEXT.index("288 GB")
    wrong = claim(anchor={**claim()["anchor"], "start": start, "end": start + 6})
    attach_documents(store, write_text(tmp_path / "texts"), content=str(root))
    with pytest.raises(KgError, match=r'anchor\.start: "288 GB"\. Accepted: "141 GB"'):
        load(store, root, write_lines(tmp_path / "a.jsonl", wrong))
    (done,) = load(store, root, write_lines(tmp_path / "b.jsonl", claim()))
    assert done.added == {"claim": 1}
