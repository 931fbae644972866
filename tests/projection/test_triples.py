"""What the triples of a claim say of the place where it is printed."""

from typing import Any, Literal

import pyoxigraph
import pytest

from kg.model.derived import Deriver
from kg.projection.triples import TripleWriter
from tests.audit.seeds import claim
from tests.equality.worlds import vocabulary

SNAPSHOT = {"sha256": "0" * 64, "start": 1, "end": 2}


@pytest.mark.parametrize(
    ("form", "anchor", "named"),
    [
        ("view", {"document": "a.json", "pointer": "/1"}, True),
        ("view", {"document": "a.txt", **SNAPSHOT}, False),
        ("export", {"document": "a.json", "pointer": "/1"}, True),
        ("export", {"document": "a.txt", **SNAPSHOT}, True),
    ],
)
def test_a_passage_names_its_document_where_a_view_cannot_ask_its_snapshot(
    form: Literal["view", "export"], anchor: dict[str, Any], named: bool
) -> None:
    record = claim("1/a", anchor=anchor)
    lines = TripleWriter(form).claim(record, Deriver(vocabulary().units).keys(record)).splitlines()
    passages = [line for line in lines if line.startswith("<https://w3id.org/accelkg/id/passage/")]
    assert any("#documentName" in line for line in passages) == named


@pytest.mark.parametrize("part", ["accelerator/a[1]", "accelerator/a#b", "accelerator/50%", "accelerator/\ue000"])
def test_a_part_gives_its_composition_an_iri_whatever_signs_it_has(part: str) -> None:
    lines = TripleWriter("export").record(
        {"record": "entity", "id": "system/x", "kind": "node", "label": "X", "parts": [{"part": part, "count": 8}]}
    )
    triples = list(pyoxigraph.parse(lines, format=pyoxigraph.RdfFormat.N_TRIPLES))
    assert sum("#part-" in str(one.subject) for one in triples) == 3
