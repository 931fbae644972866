"""Whatever questions find by its id, a server finds by an index."""

import re

from kg.sync.bolt_target import _INDEXED
from tests.equality.test_equality import questions


def test_every_class_that_questions_find_by_id_has_an_index() -> None:
    asked = {
        name
        for question in questions().values()
        for names in re.findall(r":([A-Z]\w*(?:\|[A-Z]\w*)*) \{uid:", question.cypher or "")
        for name in names.split("|")
    }
    assert {"Claim", "Name", "Entity"} <= asked
    assert {(name, "uid") for name in asked} <= set(_INDEXED)
