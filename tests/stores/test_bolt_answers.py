"""What a Bolt server may answer: each value becomes a cell, or is refused in words; the server is a fake."""

import os
import struct
import threading

import pytest

from kg.errors import KgError, UsageError
from kg.stores import bolt
from kg.stores.bolt import BoltAddress, BoltStore, CypherRefused
from kg.stores.http_client import AnswerTooLong, ServerRefused
from kg.stores.protocol import DeadlinePassed
from tests.stores.fake_bolt import FAILURE, SUCCESS, fake_bolt, items, mapping, structure, text, whole

NODE, DATE, DURATION, RELATIONSHIP, PATH, LINK, ZONED = 0x4E, 0x44, 0x45, 0x52, 0x50, 0x72, 0x69
_A = structure(NODE, whole(1), items(text("Claim"), text("KgNode")), mapping(uid=text("a")), text("n1"))
_B = structure(NODE, whole(2), items(text("Source")), mapping(), text("n2"))
_END = items(whole(1), whole(1))


def asked(row: bytes = b"\x91\x01", **said: bytes) -> object:
    """The first cell that a server gives."""
    with fake_bolt(row, said) as address:
        store = BoltStore.open(BoltAddress(address), timeout_seconds=10)
        try:
            return store.select("RETURN 1 AS x").rows[0][0]
        finally:
            store.close()


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (_A, '{"_LABELS": ["Claim", "KgNode"], "uid": "a"}'),
        (
            structure(
                RELATIONSHIP, *map(whole, (5, 1, 2)), text("SUBJECT"), mapping(), text("r"), text("n1"), text("n2")
            ),
            '{"_TYPE": "SUBJECT"}',
        ),
        (
            structure(PATH, items(_A, _B), items(structure(LINK, whole(5), text("BY"), mapping(), text("r"))), _END),
            '[{"_LABELS": ["Claim", "KgNode"], "uid": "a"}, {"_LABELS": ["Source"]}, {"_TYPE": "BY"}]',
        ),
        (structure(DURATION, *map(whole, (1, 2, 3, 0))), "P1M2DT3S"),
        (structure(DATE, whole(20_000)), "2024-10-04"),
    ],
)
def test_a_value_of_the_server_is_a_cell_that_says_what_it_is(value: bytes, cell: str) -> None:
    assert asked(items(value)) == cell


@pytest.mark.parametrize(
    "value",
    [
        structure(DATE, whole(10**9)),
        items(structure(DATE, whole(10**9))),
        structure(ZONED, whole(0), whole(0), text("Mars/Olympus")),
    ],
)
def test_a_value_that_python_has_none_of_is_refused_with_what_to_do(value: bytes) -> None:
    with pytest.raises(CypherRefused, match="toString"):
        asked(items(value))


@pytest.mark.parametrize("row", [b"\x91\x82\xff\xfe", b"\x91\xdf", b"\x92\x01\x02", b"\x90", b"\x91" * 3_000 + b"\x01"])
def test_a_row_that_is_not_by_the_rules_is_no_mistake_of_this_program(row: bytes) -> None:
    with pytest.raises(ServerRefused, match="rules of Bolt"):
        asked(row)


def test_an_answer_that_is_not_by_the_rules_is_no_mistake_of_this_program() -> None:
    with pytest.raises(ServerRefused, match="rules of Bolt"):
        asked(RUN=SUCCESS + mapping())


def test_a_long_word_of_the_server_is_read_once() -> None:
    words = " (resolved to (" * 100_000
    said = FAILURE + mapping(code=text("Neo.ClientError.Statement.SyntaxError"), message=text(words))
    with pytest.raises(CypherRefused, match="resolved"):
        asked(RUN=said)


def test_a_server_of_an_older_protocol_is_called_by_its_fault() -> None:
    """The driver keeps its own words apart from a general status, which says nothing."""
    old = struct.pack(">I", 0x0404)
    with fake_bolt(version=old) as address, pytest.raises(KgError, match=r"Bolt Protocol 4\.4"):
        BoltStore.open(BoltAddress(address), timeout_seconds=10)


@pytest.mark.parametrize("address", ["bolt://127.0.0.1:1?policy=x", "neo4j://127.0.0.1:1?policy", "neo4j://h?a=b&a=c"])
def test_an_address_that_the_driver_does_not_take_is_refused_in_words(address: str) -> None:
    with pytest.raises(UsageError, match="--store"):
        BoltStore.open(BoltAddress(address))


@pytest.mark.parametrize(("most", "error"), [(1 << 16, AnswerTooLong), (1 << 40, DeadlinePassed)])
def test_rows_without_end_are_ended_by_their_size_or_the_time(
    most: int, error: type[KgError], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection too: who goes on reading fills the memory behind an error that was long said."""
    monkeypatch.setattr(bolt, "_GRACE", 0.2)
    hung_up = threading.Event()
    with fake_bolt(items(text("word")), hung_up=hung_up) as address:
        store = BoltStore.open(BoltAddress(address), timeout_seconds=10)
        store.most_bytes = most
        with pytest.raises(error):
            store.select("RETURN 1 AS x", timeout_seconds=0.3 if error is DeadlinePassed else 10)
        assert hung_up.wait(5)
        store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_forked_process_has_connections_of_its_own() -> None:
    with fake_bolt() as address:
        store = BoltStore.open(BoltAddress(address), timeout_seconds=10)
        before, expected = store.driver, store.select("RETURN 1 AS x")
        child = os.fork()
        if child == 0:
            same = store.select("RETURN 1 AS x") == expected
            os._exit(0 if same and store.driver is not before else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert store.select("RETURN 1 AS x") == expected and store.driver is before
        store.close()
