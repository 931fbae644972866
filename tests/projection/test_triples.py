"""What the triples of a claim say of the place where it is printed."""

from typing import Any, Literal

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
