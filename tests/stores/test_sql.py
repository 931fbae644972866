"""SQL over a file of tables: what the engine gives comes out as rows, or is refused in words."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import QueryError
from kg.stores.sql import SqlStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    duckdb = pytest.importorskip("duckdb")
    duckdb.connect(str(tmp_path / "tables.duckdb")).close()
    opened = SqlStore.open(tmp_path / "tables.duckdb")
    yield opened
    opened.close()


def test_columns_of_one_name_are_told_apart(store: SqlStore) -> None:
    """As two tables that are joined have them: rows as objects have one place for each name."""
    answer = store.select("SELECT 1 AS id, 2 AS id, 3 AS id_2", limit=5)
    assert list(answer.dicts()) == [{"id": 1, "id_3": 2, "id_2": 3}]


@pytest.mark.parametrize("text", ["SELECT INTERVAL 5000000 YEARS AS x", "SELECT [INTERVAL 100000000 MONTHS] AS x"])
def test_an_interval_of_more_days_than_python_counts_is_refused_in_words(store: SqlStore, text: str) -> None:
    with pytest.raises(QueryError, match="VARCHAR"):
        store.select(text, limit=5)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("SELECT DATE 'infinity' AS a; -- all; of it", "infinity"),
        ("SELECT DATE 'infinity' AS \"ä;\" /* ; */ ; ;", "infinity"),
        ("SELECT [DATE '2025-01-02', DATE 'infinity'] AS a", "[2025-01-02, infinity]"),
        ("SELECT {'a': [DATE '-infinity']} AS a", "{'a': [-infinity]}"),
        ("SELECT ['a', 'b'] AS a", "['a', 'b']"),
    ],
)
def test_days_are_what_they_are_to_the_engine_wherever_they_stand(store: SqlStore, text: str, cell: str) -> None:
    """In Python the infinite day is one of the year 9999."""
    assert store.select(text, limit=1).rows == ((cell,),)
