"""Texts of an index are packed by its statements, and what does not unpack is damage."""

import sqlite3
from contextlib import closing

import pytest

from kg.ledger.packed_texts import packed, packing

RECORD = b'{"id":"000/one","label":"\xc3\xa4","record":"claim","value":1}'


@pytest.mark.parametrize(
    "text", [RECORD, b"{}", b"z", b"", RECORD * 2000], ids=["record", "empty", "z", "nothing", "long"]
)
def test_a_text_comes_back_as_it_was(text: bytes) -> None:
    with closing(packing(sqlite3.connect(":memory:"))) as database:
        assert database.execute("SELECT text(packed(?))", (text,)).fetchone() == (text,)


def test_a_text_of_an_older_index_is_read_as_it_is() -> None:
    with closing(packing(sqlite3.connect(":memory:"))) as database:
        assert database.execute("SELECT text(?)", (RECORD,)).fetchone() == (RECORD,)


@pytest.mark.parametrize("body", [packed(RECORD)[:-2], b"z", b"z\xff\xff\xff"], ids=["cut off", "nothing", "changed"])
def test_what_does_not_unpack_is_damage_of_the_file(body: bytes) -> None:
    with closing(packing(sqlite3.connect(":memory:"))) as database, pytest.raises(sqlite3.DatabaseError):
        database.execute("SELECT text(?)", (body,)).fetchone()
