"""Runs a saved question on a store, in the language of the store; its rows have the types of its header."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import NoneType
from typing import Final

from kg.ask.assembly import is_union
from kg.ask.bind import bind, checked_limit, driver_parameters, given_values
from kg.ask.question import Column, ColumnType, Question
from kg.errors import QueryError
from kg.stores.cells import ordered
from kg.stores.protocol import Answer, Cell, Store

_PLAIN_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


class ColumnsDiffer(QueryError):
    """A store gave other columns, or cells of another type, than the question promises."""

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
    return typed(answer, question)


def _ask_sparql(
    store: Store, question: Question, values: Mapping[str, object], *, limit: int | None, timeout_seconds: float | None
) -> Answer:
    """All rows are sorted here: engines look each of them up again whenever they compare two. A LIMIT leaves it to them."""
    if limit is not None:
        return store.select(bind(question, values, limit=limit), limit=limit, timeout_seconds=timeout_seconds)
    answer = store.select(bind(question, values, unsorted=True), timeout_seconds=timeout_seconds)
    return Answer(answer.columns, ordered(answer, question.order), answer.complete)


def _ask_cypher(
    store: Store, question: Question, values: Mapping[str, object], *, limit: int | None, timeout_seconds: float | None
) -> Answer:
    """Cypher has driver parameters. It orders no UNION as a whole, and puts nulls last: such rows are sorted here."""
    parameters = driver_parameters(question, values)  # first, since it refuses what no engine is asked for
    # an empty list fits no row in SPARQL; to the Cypher texts it means that the parameter is left
    # out
    if not all(given_values(question, values).values()):
        return Answer(question.column_names, ())
    by_engine = limit if limit is not None and not is_union(cypher_of(question)) else None
    answer = store.select(
        cypher_text(question, limit=by_engine, unsorted=by_engine is None),
        parameters=parameters,
        limit=by_engine,
        timeout_seconds=timeout_seconds,
    )
    if not answer.columns and not answer.rows:  # some servers name no columns when there are no rows
        answer = Answer(question.column_names, (), answer.complete)
    if by_engine is not None:
        return answer
    rows = ordered(answer, question.order)
    most = len(rows) if limit is None else checked_limit(limit)
    return Answer(answer.columns, rows[:most], answer.complete and len(rows) <= most)


_TEXT: Final[frozenset[type]] = frozenset({str, NoneType})
_NUMBER: Final[frozenset[type]] = frozenset({int, float, NoneType})
_KINDS: Final[Mapping[ColumnType, frozenset[type]]] = {
    "id": _TEXT,
    "text": _TEXT,
    "number": _NUMBER,
    "integer": _NUMBER,
    "boolean": frozenset({bool, NoneType}),
}
"""What the cells of a column may be."""


def typed(answer: Answer, question: Question) -> Answer:
    """The rows read by the types of the header; None is what is not known.

    >>> asked = Question("a/b", "", "", (), (Column("n", "number"), Column("t", "text")), (), {}, "")
    >>> typed(Answer(("n", "t"), (("72.0", "72.0"), ("some", None))), asked).rows
    ((72.0, '72.0'), ('some', None))
    """
    # column by column: what is in order, nearly everything, is seen without a step for each cell
    cells = list(zip(*answer.rows, strict=True))
    is_changed = False
    for place, column in enumerate(question.columns if cells else ()):
        if not _KINDS[column.type].issuperset(map(type, cells[place])):
            cells[place] = tuple(_read_cell(cell, column, question) for cell in cells[place])
            is_changed = True
    return Answer(answer.columns, tuple(zip(*cells, strict=True)), answer.complete) if is_changed else answer


def _read_cell(cell: Cell, column: Column, question: Question) -> Cell:
    """A cell of another type than its column promises. A condition may be recorded as a text that is a number, or as one that
    is not and then stays what it is."""
    kinds = _KINDS[column.type]
    if type(cell) in kinds:
        return cell
    if isinstance(cell, str) and column.type != "boolean":
        return float(cell) if kinds is _NUMBER and _PLAIN_NUMBER.fullmatch(cell) else str(cell)
    raise ColumnsDiffer(
        "came back.", field=f"{question.name}.{column.name}", given=repr(cell)[:80], expected=column.type
    )


def cypher_of(question: Question) -> str:
    """The Cypher of a question."""
    if question.cypher is None:
        raise NoCypher(
            "has no Cypher text.",
            given=question.name,
            expected=f"queries/{question.name}.cypher",
            next_step="ask it in SPARQL",
        )
    return question.cypher


def cypher_text(question: Question, *, limit: int | None = None, unsorted: bool = False) -> str:
    """The Cypher of a question, with a LIMIT one above the limit, so that a cut is seen; with one, nulls come first, as in
    SPARQL."""
    text = cypher_of(question)
    if not unsorted and not is_union(text):
        nulls = [(f"`{name}` IS NOT NULL", down) for name, down in question.order] if limit is not None else []
        plain = [(f"`{name}`", down) for name, down in question.order]
        keys = [key for pair in zip(nulls, plain, strict=True) for key in pair] if nulls else plain
        text += f"ORDER BY {', '.join(f'{key} DESC' if down else key for key, down in keys)}\n"
    return text if limit is None else f"{text}LIMIT {checked_limit(limit) + 1}\n"


def cypher_with_values(question: Question, values: Mapping[str, object], *, limit: int | None = None) -> str:
    """The Cypher of a question with its parameters as literals, so that it runs where none can be given."""
    text = cypher_text(question, limit=limit)
    for name, given in driver_parameters(question, values).items():
        literal = json.dumps(given, ensure_ascii=False)
        text = re.sub(rf"\$`?{name}\b`?", lambda _, literal=literal: literal, text)  # type: ignore[misc]
    return text
