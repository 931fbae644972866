"""The state of a push to a Bolt server is set only where the push is still the last one; the server is one node."""

from json import loads
from types import SimpleNamespace
from typing import Any

import pytest

from kg.sync.bolt_target import BoltTarget
from kg.sync.push import LedgerFile, PushState, PushTakenOver

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
