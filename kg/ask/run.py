"""Runs a saved question on a store, in the language of the store."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kg.ask.bind import bind, checked_limit, driver_parameters, given_values
from kg.ask.question import ORDER, Question
from kg.errors import QueryError
from kg.stores.cells import ordered, without_order
from kg.stores.protocol import Answer, Cell, Store

_PLAIN_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


class ColumnsDiffer(QueryError):
    """A store gave other columns than the question promises."""

    code = "question.columns"


class NoCypher(QueryError):
    """A question that has no Cypher file yet."""

    code = "question.language"


def ask(
    store: Store,
    question: Question,
    values: Mapping[str, object] | None = None,
    *,
    limit: int | None = None,
    timeout_seconds: float | None = None,
) -> Answer:
    """The rows of a question; at most `limit` of them, and then the answer says that it was cut."""
    given = values or {}
    if store.language == "cypher":
        answer = _ask_cypher(store, question, given, limit=limit, timeout_seconds=timeout_seconds)
    else:
        answer = _ask_sparql(store, question, given, limit=limit, timeout_seconds=timeout_seconds)
    if answer.columns != question.column_names:
        raise ColumnsDiffer(
            "came back.",
            given=", ".join(answer.columns),
            expected=", ".join(question.column_names),
            field=question.name,
        )
    return numbered(answer, question)


def _ask_sparql(
    store: Store, question: Question, values: Mapping[str, object], *, limit: int | None, timeout_seconds: float | None
) -> Answer:
    """All rows are sorted here: engines look each of them up again whenever they compare two. A LIMIT leaves it to them."""
    text = bind(question, values, limit=limit)
    unsorted, order = without_order(text)
    if limit is not None or not set(dict(order)) <= set(question.column_names):
        return store.select(text, limit=limit, timeout_seconds=timeout_seconds)
    answer = store.select(unsorted, timeout_seconds=timeout_seconds)
    return Answer(answer.columns, ordered(answer, order), answer.complete)


def _ask_cypher(
    store: Store, question: Question, values: Mapping[str, object], *, limit: int | None, timeout_seconds: float | None
) -> Answer:
    """Cypher has driver parameters. It orders no UNION as a whole: such a text names its order, and is sorted here."""
    if not all(given_values(question, values).values()):
        return Answer(question.column_names, ())
    order = union_order(question)
    text = cypher_text(question, limit=None if order else limit)
    answer = store.select(
        text,
        parameters=driver_parameters(question, values),
        limit=None if order else limit,
        timeout_seconds=timeout_seconds,
    )
    if not answer.columns and not answer.rows:  # some servers name no columns when there are no rows
        answer = Answer(question.column_names, (), answer.complete)
    if not order:
        return answer
    rows = ordered(answer, order)
    most = len(rows) if limit is None else checked_limit(limit)
    return Answer(answer.columns, rows[:most], answer.complete and len(rows) <= most)


def numbered(answer: Answer, question: Question) -> Answer:
    """Numbers in the columns of numbers: a condition may be recorded as a text that is one, and then stays what it is elsewhere.

    >>> from kg.ask.question import Column
    >>> asked = Question("a/b", "", "", (), (Column("n", "number"), Column("t", "text")), {}, "")
    >>> numbered(Answer(("n", "t"), (("72.0", "72.0"), ("some", "x"))), asked).rows
    ((72.0, '72.0'), ('some', 'x'))
    """
    places = [place for place, column in enumerate(question.columns) if column.type in ("number", "integer")]
    if not any(isinstance(row[place], str) for row in answer.rows for place in places):
        return answer
    rows = (tuple(_number(cell) if place in places else cell for place, cell in enumerate(row)) for row in answer.rows)
    return Answer(answer.columns, tuple(rows), answer.complete)


def _number(cell: Cell) -> Cell:
    return float(cell) if isinstance(cell, str) and _PLAIN_NUMBER.fullmatch(cell) else cell


def cypher_text(question: Question, *, limit: int | None = None) -> str:
    """The Cypher of a question, with a LIMIT one above the limit, so that a cut is seen."""
    if question.cypher is None:
        raise NoCypher(
            "has no Cypher text.", given=question.name, expected=f"queries/{question.name}.cypher",
            next_step="ask it in SPARQL",
        )  # fmt: skip
    text = question.cypher.rstrip()
    return f"{text}\n" if limit is None else f"{text}\nLIMIT {checked_limit(limit) + 1}\n"


def union_order(question: Question) -> tuple[tuple[str, bool], ...]:
    """The columns by which a UNION is to be sorted, each with whether it descends; nothing for other texts."""
    for line in reversed((question.cypher or "").splitlines()):
        if line.startswith(ORDER):
            parts = [part.split() for part in line.removeprefix(ORDER).split(",")]
            return tuple((part[0], part[1:] == ["DESC"]) for part in parts)
    return ()
