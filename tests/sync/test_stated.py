"""What a server holds of a push is not always what a push of this version wrote: it is refused in words."""

from json import dumps
from types import SimpleNamespace
from typing import Any, cast

import pyoxigraph as ox
import pytest

from kg.stores.sparql_endpoint import LEDGER_GRAPH
from kg.sync.bolt_target import BoltTarget
from kg.sync.push import LedgerFile, NewerForm
from kg.sync.sparql_target import TERMS, SparqlTarget
from tests.sync.test_sparql_fence import Endpoint

WHOLE = {"turn": 1, "state": "ready", "run": "a", "parts": 1, "stamp": {}, "form": 1, "counts": []}
STATED = [
    *("", "[", "[]", "{}", "3", "[" * 200_000, dumps({"turn": 1, "run": "a", "form": 2})),
    *(dumps(WHOLE | other) for other in ({"form": "x"}, {"parts": None}, {"stamp": 7}, {"counts": 1})),
]


def target(subject: str, term: str, stated: str) -> SparqlTarget:
    """A SPARQL endpoint whose graph of pushes is one triple."""
    store = ox.Store()
    node = ox.NamedNode(f"https://w3id.org/accelkg/id/{subject}")
    store.add(ox.Quad(node, ox.NamedNode(f"{TERMS}{term}"), ox.Literal(stated), ox.NamedNode(LEDGER_GRAPH)))
    return SparqlTarget(Endpoint(store))  # type: ignore[arg-type]


@pytest.mark.parametrize("stated", STATED)
def test_a_state_that_does_not_read_as_one_is_refused_in_words(stated: str) -> None:
    bolt = BoltTarget(cast(Any, SimpleNamespace(address=SimpleNamespace(uri="h"))))
    bolt._rows = lambda *_, **__: [{"push": stated}]  # type: ignore[method-assign]
    for state in (target("push", "state", stated).state, bolt.state):
        with pytest.raises(NewerForm, match="--anew"):
            state()


@pytest.mark.parametrize("stated", ["", "[]", "{}", '{"name": "x", "more": 1}'])
def test_a_file_that_does_not_read_as_one_is_refused_in_words(stated: str) -> None:
    with pytest.raises(NewerForm, match="--anew"):
        target("push", "file", stated).files()


def test_files_of_one_name_are_read_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.sync.sparql_target._ROWS_AT_ONCE", 2)
    one = dumps({"name": "x", "sha256": "", "size": 0, "pieces": 1})
    pages = {0: [(one,), (one,)], 2: [(one,), (one,)], 4: [(one,)]}
    asked = target("push", "file", one)
    monkeypatch.setattr(asked, "_rows", lambda text: pages.pop(int(text.rsplit(" ", 1)[1])))
    assert list(asked.files()) == ["x"] and not pages


def test_a_piece_that_does_not_decode_is_left_to_the_digest_of_its_file() -> None:
    assert list(target("push/ledger/x#0", "data", "a").get_file(LedgerFile("x", "", 0, 1))) == [b""]
