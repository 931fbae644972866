"""Results that are kept for a state of the data: made once, and nothing is kept of what could not be made."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

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


def test_what_lies_on_a_server_is_kept_until_the_next_push(graph: Graph) -> None:
    """The graph stays open meanwhile; a page that was kept stood next to others with what was pushed since."""
    pushed = SimpleNamespace(state="ready", run="a")
    target = cast(Any, SimpleNamespace(shown="http://h/kg", state=lambda: pushed))
    served, kept, numbers = replace(graph, server=target), KeptResults(), iter(range(9))

    def made() -> int:
        return kept.get(served, "one", lambda: next(numbers))

    assert [made(), made()] == [0, 0]
    pushed.state = "pushing"
    assert [made(), made()] == [1, 2]
    pushed.state, pushed.run = "ready", "b"
    assert [made(), made()] == [3, 3]
