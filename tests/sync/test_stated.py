"""What a server holds of a push is not always what a push of this version wrote: it is refused in words."""

from base64 import b64encode
from json import dumps
from types import SimpleNamespace
from typing import Any, cast
from zlib import compress

import pyoxigraph as ox
import pytest

from kg.stores.http_client import ServerRefused
from kg.stores.protocol import Answer
from kg.stores.sparql_endpoint import LEDGER_GRAPH
from kg.sync import buckets
from kg.sync.bolt_target import BoltTarget
from kg.sync.buckets import BucketChange
from kg.sync.push import LedgerFile, PushState
from kg.sync.push_errors import NewerForm
from kg.sync.sparql_target import TERMS, SparqlTarget
from tests.sync.test_sparql_fence import Endpoint

STAMP = {"head": "h", "fingerprint": "f", "content": "c", "version": "0", "rules": 1}
WHOLE = {"turn": 1, "state": "ready", "run": "a", "parts": 1, "stamp": STAMP, "form": 1, "counts": []}
STATED = [
    *("", "[", "[]", "{}", "3", "[" * 200_000, dumps({"turn": 1, "run": "a", "form": 2})),
    *(dumps(WHOLE | other) for other in ({"form": "x"}, {"parts": None}, {"stamp": 7}, {"counts": 1})),
    *(dumps(WHOLE | {"stamp": stamp}) for stamp in ({}, STAMP | {"head": 5}, STAMP | {"rules": "x"})),
    *(dumps(WHOLE | {"parts": parts}) for parts in (3, -16, 1 << 17, float("inf"))),
]
FILE = {"name": "manifest.json", "sha256": "", "size": 5, "pieces": 1}


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


@pytest.mark.parametrize(
    "stated",
    [
        *("", "[]", "{}", '{"name": "x", "more": 1}'),
        *(dumps(FILE | other) for other in ({"name": 5}, {"sha256": None}, {"size": "5"}, {"size": True})),
        *(dumps(FILE | other) for other in ({"pieces": 1.0}, {"pieces": -1}, {"pieces": 10**9})),
    ],
)
def test_a_file_that_does_not_read_as_one_is_refused_in_words(stated: str) -> None:
    with pytest.raises(NewerForm, match="--anew"):
        target("push", "file", stated).files()


def of_bolt(*rows: dict[str, Any]) -> BoltTarget:
    """A Bolt server that gives these rows whatever it is asked."""
    made = BoltTarget(cast(Any, SimpleNamespace(address=SimpleNamespace(uri="h"))))
    made._rows = lambda *_, **__: list(rows)  # type: ignore[method-assign]
    return made


@pytest.mark.parametrize("row", [FILE | {"name": None}, FILE | {"size": None}, FILE | {"pieces": "1"}])
def test_a_file_of_a_bolt_server_that_does_not_read_as_one_is_refused_in_words(row: dict[str, Any]) -> None:
    with pytest.raises(NewerForm, match="--anew"):
        of_bolt(row).files()


@pytest.mark.parametrize("text", [b"no zlib", None, "a text", compress(b"x" * 300_000), compress(b"whole")[:-1]])
def test_the_record_of_a_part_that_does_not_read_as_one_is_refused_in_words(
    text: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "MOST_BYTES", 100_000)
    packed = b64encode(text if isinstance(text, bytes) else b"").decode()
    for asked in (of_bolt({"number": 1, "text": text}), recorded(packed)):
        with pytest.raises(NewerForm, match="--anew"):
            asked.lines([1])
    with pytest.raises(NewerForm, match="--anew"):
        of_bolt({"number": None, "digest": "x"}).digests(16)


def recorded(text: str) -> SparqlTarget:
    """A SPARQL endpoint with the record of part 1."""
    made = target("push/part/1/x", "text", text)
    made._update(
        f"INSERT DATA {{ GRAPH <{LEDGER_GRAPH}> {{ <urn:r> <{TERMS}number> 1 ; <{TERMS}text> {dumps(text)} }} }}"
    )
    return made


SMUGGLED = "<urn:a> <urn:b> <urn:c> } } ; CLEAR ALL ; INSERT DATA { GRAPH <urn:x> { <urn:a> <urn:b> <urn:c> "


@pytest.mark.parametrize(
    "line", ["5", "no json", dumps(SMUGGLED), dumps("<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b> 1")]
)
def test_a_line_that_a_server_keeps_is_sent_back_as_a_triple_or_not_at_all(line: str) -> None:
    """Whoever may write to the graph of pushes would write what the one who pushes next runs."""
    asked = target("x", "kept", "y")
    asked.mark(PushState("pushing", "a", 1, {}))
    with pytest.raises(NewerForm, match="--anew"):
        asked.apply([BucketChange(1, (line.encode(),), ())], "a")
    assert asked._records.select(f"SELECT ?o {{ ?s <{TERMS}kept> ?o }}").rows == (("y",),)


@pytest.mark.parametrize(
    "line", [b'["OldTable", "a", {}]', b'["OLD", "a", "b", {}]', b'["Entity", "a", {"kind": "old"}]']
)
def test_what_a_version_with_other_labels_pushed_is_refused_in_words(line: bytes) -> None:
    after = (b'["Unit", "b", {}]',) if b"Old" in line else ()
    with pytest.raises(NewerForm, match="--anew"):
        of_bolt().apply([BucketChange(1, (line,), after)], "a")


def test_rows_that_a_server_cut_are_not_taken_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = target("push", "file", dumps(FILE))
    cut = lambda *_, **__: Answer(("stated",), ((dumps(FILE),),), complete=False)  # noqa: E731
    monkeypatch.setattr(asked._records, "select", cut)
    with pytest.raises(ServerRefused, match="cut"):
        asked.files()


def test_pieces_that_are_not_there_are_not_asked_for_one_by_one() -> None:
    asked: list[str] = []
    bolt = of_bolt()

    def rows(text: str, **_: object) -> list[dict[str, Any]]:
        asked.append(text)
        return []

    bolt._rows = rows  # type: ignore[method-assign]
    assert list(bolt.get_file(LedgerFile("x", "", 10**9, 4000))) == [] and len(asked) == 1
    assert list(target("x", "data", "y").get_file(LedgerFile("x", "", 10**9, 10**9))) == []


def test_files_of_one_name_are_read_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.sync.sparql_target._ROWS_AT_ONCE", 2)
    one = dumps({"name": "x", "sha256": "", "size": 0, "pieces": 1})
    pages = {0: [(one,), (one,)], 2: [(one,), (one,)], 4: [(one,)]}
    asked = target("push", "file", one)
    monkeypatch.setattr(asked, "_rows", lambda text: pages.pop(int(text.rsplit(" ", 1)[1])))
    assert list(asked.files()) == ["x"] and not pages


def test_a_piece_that_does_not_decode_is_left_to_the_digest_of_its_file() -> None:
    assert list(target("push/ledger/x#0", "data", "a").get_file(LedgerFile("x", "", 0, 1))) == [b""]
