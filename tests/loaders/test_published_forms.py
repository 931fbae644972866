"""Printed forms of published claims lead back to them, the very print first: a seeded sample of everything that is shipped."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest

from kg.answers.trace import MOST_CLAIMS
from kg.build.writing import load_all_sources
from kg.errors import KgError
from kg.session import Graph, open_graph
from tests.loaders.published import DATA
from tests.small_content import ROOT

SAMPLE = 40
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not DATA.is_dir(), reason="the published files lie beside the repository in ../shared only"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """A graph of all published files."""
    store = tmp_path_factory.mktemp("all") / "store"
    load_all_sources([DATA], store=store, content=ROOT, edition="2026-05-20")
    opened = open_graph(store, content=ROOT)
    yield opened
    opened.close()


def test_a_sample_of_published_prints_is_found_and_comes_first(graph: Graph) -> None:
    forms: dict[str, set[str]] = defaultdict(set)
    for record in graph.records():
        if record["record"] == "claim" and (printed := (record["quantity"] or {}).get("printed")):
            forms[printed].add(record["id"])
    published = sorted(form for form, claims in forms.items() if any(not one[:3].isdigit() for one in claims))
    assert len(published) > 10_000
    wrong: dict[str, str] = {}
    for printed in Random(16).sample(published, SAMPLE):
        claims, most = forms[printed], min(len(forms[printed]), MOST_CLAIMS)
        try:
            found = graph.trace(printed)
        except KgError as error:
            wrong[printed] = str(error)
            continue
        first = [one.claim.id for one in found.claims[:most]]
        if not set(first) <= claims or len(first) < most:
            wrong[printed] = f"{sorted(claims)[:3]} after {first[:3]}"
    assert wrong == {}
