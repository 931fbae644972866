"""Export, load into an empty store: the same content digest."""

from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from kg.answers.trace import trace_claim
from kg.build.writing import load_files
from kg.export.exchange import Groups
from kg.export.formats import export
from kg.ledger.ledger import Ledger
from kg.render.trace_text import trace_text
from kg.session import Graph, open_graph
from tests.export.conftest import PAGED
from tests.small_content import write_small_content

Json = Any


def digest(records: Iterable[Json]) -> str:
    """Of the ids and revisions of all records but the one that keeps an empty content from being none."""
    lines = sorted(f"{one['id']}\t{one['revision']}" for one in records if one["id"] != "org/zzz")
    return sha256("\n".join(lines).encode()).hexdigest()


def current(graph: Graph) -> list[Json]:
    return list(Ledger(graph.folder / "ledger").current())


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A content without claims and things."""
    content = write_small_content(tmp_path / "bare", claims=None)
    for path in (content.root / "seeds" / "entities").glob("*.yaml"):
        path.write_text("- {id: org/zzz, kind: vendor, label: Zzz}\n", encoding="utf-8")
    return content.root


FORMS = ("jsonl", "turtle", "trig", "nquads", "jsonld")


@pytest.mark.parametrize(
    ("form", "name"),
    [
        *((form, "hostile") for form in FORMS),
        # much more of the same; `test_part.py` loads an export of a part of it in every run
        pytest.param("jsonl", "shipped", marks=pytest.mark.long),
        pytest.param("trig", "shipped", marks=pytest.mark.long),
    ],
)
def test_loading_an_export_into_an_empty_store_gives_the_same_content(
    form: str, name: str, request: pytest.FixtureRequest, bare: Path, tmp_path: Path
) -> None:
    graph: Graph = request.getfixturevalue(name)
    endings = {"turtle": "ttl", "nquads": "nq"}
    path = tmp_path / f"all.{endings.get(form, form)}"
    export(graph, form, path)
    kind = "claims" if form == "jsonl" else "rdf"
    load_files(
        [path], store=tmp_path / "again", content=bare, edition="2025-03-01", dry_run=False, wait_seconds=5, form=kind
    )
    again = open_graph(tmp_path / "again", content=bare)
    assert digest(current(again)) == digest(current(graph))
    export(again, "jsonl", tmp_path / "again.jsonl")
    assert len((tmp_path / "again.jsonl").read_bytes().splitlines()) > 20


def test_lines_are_sorted_and_claims_come_first(graph: Graph, out: Path) -> None:
    import orjson

    export(graph, "jsonl", out / "x.jsonl")
    found = [orjson.loads(line) for line in (out / "x.jsonl").read_bytes().split(b"\n") if line]
    kinds = [one["record"] for one in found]
    order = ["claim", "finding", "entity", "source"]
    assert kinds == sorted(kinds, key=order.index)
    for kind in order:
        ids = [one["id"] for one in found if one["record"] == kind]
        assert ids == sorted(set(ids))


def test_groups_pass_over_keys_that_nobody_asks_for() -> None:
    groups = Groups(iter([("a", {"n": 1}), ("b", {"n": 2}), ("b", {"n": 3}), ("d", {"n": 4})]))
    assert [groups.of(key) for key in ("b", "c", "d", "e")] == [[{"n": 2}, {"n": 3}], [], [{"n": 4}], []]


def test_findings_of_a_claim_are_those_that_are_about_it(shipped: Graph) -> None:
    records = list(shipped.records())
    about: dict[str, list[str]] = {}
    for one in records:
        if one["record"] == "finding":
            about.setdefault(one["claims"][0]["claim"], []).append(one["id"])
    claims = [one for one in records if one["record"] == "claim"]
    assert all(one["findings"] == sorted(about.get(one["id"], [])) for one in claims)
    assert sum(len(one["findings"]) for one in claims) > 500


def test_a_claim_says_on_which_page_and_in_which_cell_it_is_printed(hostile: Graph) -> None:
    (recorded,) = [one for one in current(hostile) if one["id"] == "900/paged"]
    assert recorded["anchor"] == PAGED["anchor"]
    (traced,) = trace_claim(hostile.ask, "900/paged").claims
    assert asdict(traced.claim.place).items() >= PAGED["anchor"].items()
    text = " ".join(trace_text(trace_claim(hostile.ask, "900/paged"), lambda *_: None, most=1).split())
    assert "[source/900]; page 3, table 2, row 4, column Power; " in text
