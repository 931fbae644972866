"""Segments are JSON Lines that other engines read in place: files made from them in parts are those of the export."""

from collections import defaultdict
from pathlib import Path

import pytest

from kg.build.property_graph import graph_rows
from kg.build.writing import load_files
from kg.content.vocabulary import read_vocabulary
from kg.export.neo4j_import import COMMAND_FILE, neo4j_import
from kg.export.property_rows import property_rows
from kg.ledger.derived import derived_set
from kg.projection.rows import EdgeRow, Row
from kg.session import open_graph
from tests.build.parallel_parts import make_all, parsed
from tests.small_content import ROOT, claim, write_lines

WHOLE = ("Name", "Metric", "Unit", "QuantityKind", "Meta")
"""Tables that are made in one place: they follow from the registry and the content, not from single records."""


def of_the_whole(row: Row) -> bool:
    return (row.from_table if isinstance(row, EdgeRow) else row.table) in WHOLE


@pytest.mark.parametrize("parts", [1, 3])
def test_parts_made_with_duckdb_equal_the_export_of_one_process(root: Path, tmp_path: Path, parts: int) -> None:
    store = tmp_path / "store"
    open_graph(store, content=root).close()
    for edition, printed in (
        ("2026-01-02", 141),
        ("2026-01-01", 140),
    ):  # the older edition comes later and must not win
        changed = claim("900/new", note=f"as of {edition}", quantity={"printed": "141 GB", "value": 141, "unit": "GB"})
        load_files(
            [
                write_lines(
                    tmp_path / f"{printed}.jsonl", changed, claim(f"900/only.{printed}", subject="accelerator/acme-two")
                )
            ],
            store=store,
            content=root,
            edition=edition,
            dry_run=False,
            wait_seconds=5,
        )
    graph = open_graph(store, content=root)
    expected: dict[str, bytes] = defaultdict(bytes)
    for name, piece in neo4j_import(property_rows(graph)):
        expected[name] += piece
    rest = [row for row in graph_rows(store, read_vocabulary(graph.content), graph.stamp) if of_the_whole(row)]
    derived = tmp_path / "derived.jsonl"  # what differs from earlier states, joined
    derived.write_bytes(b"".join(derived_set(store / "ledger" / "derived", graph.stamp["head"], graph.stamp["rules"])))
    graph.close()
    (tmp_path / "work").mkdir()
    made = make_all(store / "ledger", derived, ROOT / "ontology" / "units.yaml", rest, tmp_path / "work", parts=parts)
    data = {
        name: parsed(text)
        for name, text in expected.items()
        if name != COMMAND_FILE and not name.endswith("-header.csv")
    }
    assert sum(map(len, data.values())) > 300
    assert {name: lines for name, lines in made.items() if lines} == data
    assert any("as of 2026-01-02" in line for line in data["node-Claim.csv"])
