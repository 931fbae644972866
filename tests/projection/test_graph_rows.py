"""The rows of the property graph fit its schema, and say what the records and the RDF view say."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from kg.model.derived import Deriver
from kg.model.record import Claim, recorded_form
from kg.projection.graph_rows import RowWriter, claim_extras, derived_rows
from kg.projection.graph_schema import further_labels, graph_schema
from kg.projection.rows import EdgeRow, NodeRow, Row
from tests.equality.random_graphs import random_world
from tests.equality.worlds import CHECKOUT, Json, World, shipped, small, vocabulary

KINDS = {"string": str, "double": float, "integer": int, "boolean": bool}


@cache
def random() -> World:
    return random_world(range(12))


@pytest.fixture(scope="module", params=["small", "shipped", "random"])
def world(request: pytest.FixtureRequest, shipped_store: Path) -> World:
    made: dict[str, Callable[[], World]] = {
        "small": small,
        "shipped": partial(shipped, shipped_store),
        "random": random,
    }
    return made[request.param]()


@pytest.fixture(scope="module")
def rows(world: World) -> list[Row]:
    return list(world.rows())


def node_rows(rows: Iterable[Row]) -> list[NodeRow]:
    return [row for row in rows if isinstance(row, NodeRow)]


def edge_rows(rows: Iterable[Row]) -> list[EdgeRow]:
    return [row for row in rows if isinstance(row, EdgeRow)]


def test_every_property_is_declared_and_of_its_type(rows: list[Row]) -> None:
    tables = {one.name: {each.name: each for each in one.properties} for one in graph_schema().nodes}
    links = {one.type: {each.name: each for each in one.properties} for one in graph_schema().relationships}
    for row in rows:
        known = tables[row.table] if isinstance(row, NodeRow) else links[row.type]
        for name, value in row.properties.items():
            assert isinstance(value, list) == known[name].many, (row, name)
            for one in value if known[name].many else [value]:
                assert type(one) is KINDS[known[name].kind], (row, name)
                assert one != "", (row, name)


def test_nodes_have_ids_of_their_own_and_relationships_join_what_the_schema_says(rows: list[Row]) -> None:
    ids = Counter(row.uid for row in node_rows(rows))
    assert [uid for uid, count in ids.items() if count > 1] == []
    pairs = {(one.type, *pair) for one in graph_schema().relationships for pair in one.pairs}
    edges = list(edge_rows(rows))
    assert {(row.type, row.from_table, row.to_table) for row in edges} <= pairs
    told_apart = {one.type: one.key for one in graph_schema().relationships}
    keys = Counter(
        (row.type, row.from_uid, row.to_uid, *(row.properties[name] for name in told_apart[row.type])) for row in edges
    )
    assert [key for key, count in keys.items() if count > 1] == []


def test_a_link_to_one_node_says_the_same_as_the_property(rows: list[Row]) -> None:
    nodes = {(row.table, row.uid): row.properties for row in node_rows(rows)}
    single = {
        "BASELINE": "baseline",
        "MEASURES": "metric",
        "ASSERTED_BY": "asserted_by",
        "STATED_IN": "source",
        "IN_UNIT": "unit",
        "MADE_BY": "maker",
    }
    checked = 0
    for row in edge_rows(rows):
        if row.type in single:
            checked += 1
            assert nodes[row.from_table, row.from_uid][single[row.type]] == row.to_uid
    assert checked


def test_every_table_and_type_is_written_by_some_world(shipped_store: Path) -> None:
    rows: list[Row] = [row for one in (small(), shipped(shipped_store), random()) for row in one.rows()]
    tables = {row.table for row in rows if isinstance(row, NodeRow)}
    types = {row.type for row in rows if isinstance(row, EdgeRow)}
    assert {one.name for one in graph_schema().nodes} - tables == set()
    assert {one.type for one in graph_schema().relationships} - types <= {
        "POWER_CLAIM",
        "PRICE_CLAIM",
        "COUNT_CLAIMED",
        "CREDITED_TO",
        "APPEARS_IN",
    }


def test_a_claim_says_all_that_was_recorded_and_what_follows() -> None:
    claim = recorded_form(
        Claim.model_validate(
            {
                "id": "1/a",
                "kind": "comparison",
                "subject": "accelerator/x",
                "level": "accelerator",
                "baseline": "accelerator/y",
                "metric": "throughput",
                "normaliser": ["per-chip", "per-watt"],
                "relation": "ratio",
                "alternatives": ["as-share", "as-increase"],
                "path": ["source/1", "org/b"],
                "quantity": {"printed": "2 to 3x", "value": [2, 3], "shape": "span", "unit": "1"},
                "conditions": {"accelerators": 72, "model": ["model/m", "m2"]},
                "asserted_by": "org/a",
                "source": "source/1",
                "anchor": {"sha256": "0" * 64, "start": 1, "end": 2},
            }
        )
    )
    rows = list(RowWriter(Deriver(vocabulary().units)).record(claim))
    first = rows[0]
    assert isinstance(first, NodeRow) and first.table == "Claim"
    assert {
        name: first.properties[name]
        for name in (
            "normaliser",
            "normalisers",
            "alternatives",
            "alternatives_text",
            "path",
            "path_text",
            "value",
            "values",
        )
    } == {
        "normaliser": "per-chip, per-watt",
        "normalisers": ["per-chip", "per-watt"],
        "alternatives": ["as-share", "as-increase"],
        "alternatives_text": "as-share, as-increase",
        "path": ["source/1", "org/b"],
        "path_text": "source/1 > org/b",
        "value": 2.0,
        "values": [2.0, 3.0],
    }
    assert (first.properties["metric"], first.properties["unit"], first.properties["quantity_form"]) == (
        "metric/throughput",
        "unit/1",
        "value",
    )
    assert (first.properties["modality"], first.properties["canonical_value"], "exact" in first.properties) == (
        "stated",
        2.0,
        False,
    )
    conditions = next(row for row in rows if isinstance(row, NodeRow) and row.table == "Conditions")
    assert (conditions.properties["accelerators"], conditions.properties["model"]) == (["72"], ["model/m", "m2"])
    assert [row.to_uid for row in rows if isinstance(row, EdgeRow) and row.type == "CONDITION"] == ["model/m"]


def test_the_same_conditions_and_passages_come_once(world: World) -> None:
    writer = RowWriter(Deriver(vocabulary().units))
    claim = next(one for one in world.records if one["record"] == "claim" and one.get("conditions"))
    again: Any = {**claim, "id": claim["id"] + "-again"}
    first = {row.table for row in node_rows(writer.record(claim))}
    assert {"Conditions", "Passage", "Statement"} <= first
    assert {row.table for row in node_rows(writer.record(again))} & {
        "Conditions",
        "Passage",
        "Statement",
        "Bucket",
    } == set()


def test_records_of_other_kinds_have_no_rows() -> None:
    assert list(RowWriter(Deriver(vocabulary().units)).record({"record": "rejected", "id": "rejected/x"})) == []


def test_advice_and_mentions_are_properties_of_their_claims() -> None:
    derived: list[Json] = [
        {"record": "advice", "claim": "1/a", "verdict": "wrong", "reason": "r", "value": None},
        {"record": "origins", "claim": "1/a", "mentions": 3, "origins": 1, "end_states": ["primary"]},
    ]
    told = {"verdict": "wrong", "verdict_reason": "r", "mentions": 3, "origins": 1, "end_states": ["primary"]}
    assert claim_extras(derived) == {"1/a": told}
    assert [(row.table, row.uid) for row in node_rows(derived_rows(derived))] == [("Claim", "1/a")] * 2


def test_a_step_of_two_chains_comes_once() -> None:
    step: Any = {
        "record": "step",
        "claim": "1/a",
        "hop": 1,
        "reaches": "1/b",
        "is_claim": True,
        "via": "restates",
        "fidelity": "identical",
    }
    circular: Any = {**step, "end_state": "circular"}
    between: Any = {"record": "advice", "claim": "1/a", "verdict": "wrong", "reason": "r", "value": None}
    rows = [row for row in derived_rows([circular, between, circular]) if row[0] != "Claim"]
    (node,) = node_rows(rows)
    assert node.properties["end_state"] == "circular"
    assert [row.type for row in edge_rows(rows)] == ["STEP_OF", "REACHES"]


def test_labels_for_browsing_come_from_the_class() -> None:
    assert further_labels("Finding", {"kind": "arithmetic"}) == ("ArithmeticFinding",)
    assert further_labels("Source", {"kind": "source"}) == ()
    assert further_labels("Entity", {}) == ()
    assert further_labels("Restatement", {"kind": "x"}) == ()


def test_the_page_of_the_schema_names_every_table() -> None:
    path = CHECKOUT / "docs" / "property-graph.md"
    for one in graph_schema().nodes:
        assert f"`{one.name}`" in path.read_text(encoding="utf-8")
