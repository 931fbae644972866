"""Results that are kept for a state of the data: made once, and nothing is kept of what could not be made."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.session import Graph, open_graph
from kg.web.kept import KeptResults


@pytest.fixture
def graph(store: Path) -> Iterator[Graph]:
    opened = open_graph(store)
    yield opened
    opened.close()


def test_a_result_is_made_once_for_a_state(graph: Graph) -> None:
    kept, numbers = KeptResults(), iter(range(9))
    assert [kept.get(graph, "one", lambda: next(numbers)) for _ in range(3)] == [0, 0, 0]
    assert len(kept) == 1


def test_nothing_is_kept_of_what_could_not_be_made(graph: Graph) -> None:
    """Anybody may ask for names of things that are not there, each of a length of his own."""
    kept = KeptResults()
    for number in range(20):
        with pytest.raises(ZeroDivisionError):
            kept.get(graph, f"source/{number}", lambda: 1 / 0)
    assert len(kept) == 0
    assert kept.get(graph, "source/3", lambda: "there now") == "there now"
