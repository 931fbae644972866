"""The state of a push to a Bolt server is set only where the push is still the last one; the server is one node."""

from json import loads
from types import SimpleNamespace
from typing import Any

import pytest

from kg.sync.bolt_target import BoltTarget
from kg.sync.push import LedgerFile, PushState
from kg.sync.push_errors import PushIncomplete, PushTakenOver

STAMP: Any = {"head": "h", "fingerprint": "f", "content": "c", "version": "1", "rules": 1}


class Store:
    """A store that knows the node of the state, and counts its transactions."""

    def __init__(self) -> None:
        self.address = SimpleNamespace(uri="neo4j://h")
        self.push: str | None = None
        self.transactions = 0

    def write(self, work: Any, **_: object) -> Any:
        self.transactions += 1
        return work(self)

    def run(self, _: str, **parameters: Any) -> Any:
        self.push = parameters.get("push", self.push)
        return SimpleNamespace(consume=lambda: None, single=lambda: None if self.push is None else {"push": self.push})


def test_the_state_of_a_push_that_was_taken_over_is_not_set() -> None:
    store = Store()
    target = BoltTarget(store)  # type: ignore[arg-type]
    target.mark(PushState("pushing", "a", 1, STAMP))
    target.mark(PushState("pushing", "b", 1, STAMP))
    with pytest.raises(PushTakenOver):
        target.advance(PushState("ready", "a", 1, STAMP))
    assert loads(store.push or "")["run"] == "b"
    before = store.transactions
    target.advance(PushState("ready", "b", 1, STAMP, counts=(2, 3)))
    assert store.transactions == before + 1
    assert (loads(store.push or "")["state"], loads(store.push or "")["counts"]) == ("ready", [2, 3])


def test_the_ledger_of_a_push_that_took_over_is_left_alone() -> None:
    store = Store()
    target = BoltTarget(store)  # type: ignore[arg-type]
    target.mark(PushState("pushing", "b", 1, STAMP))
    with pytest.raises(PushTakenOver):
        target.put_file(LedgerFile("manifest.json", "0", 1, 1), iter([b"x"]), "a")
    with pytest.raises(PushTakenOver):
        target.drop_files(["manifest.json"], "a")


@pytest.mark.parametrize(("deletes", "says"), [(4, 0), (4, 9), (0, 9), (0, 0)])
def test_all_of_ours_is_removed_whatever_a_server_says_that_it_deleted(deletes: int, says: int) -> None:
    left = [10]

    def run(*_: object, **__: object) -> Any:
        left[0] = max(0, left[0] - deletes)
        return SimpleNamespace(consume=lambda: SimpleNamespace(counters=SimpleNamespace(nodes_deleted=says)))

    store = Store()
    store.run = run  # type: ignore[method-assign]
    store.rows = lambda *_: [{"number": left[0]}]  # type: ignore[attr-defined]
    target = BoltTarget(store)  # type: ignore[arg-type]
    if deletes:
        target.wipe()
        assert left == [0]
    else:
        with pytest.raises(PushIncomplete, match="10 nodes, no fewer"):
            target.wipe()
