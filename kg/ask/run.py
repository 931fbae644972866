"""Runs a saved question on a store."""

from __future__ import annotations

from collections.abc import Mapping

from kg.ask.bind import bind
from kg.ask.question import Question
from kg.errors import QueryError
from kg.stores.protocol import Answer, Store


class ColumnsDiffer(QueryError):
    """A store gave other columns than the question promises."""

    code = "question.columns"


def ask(
    store: Store, question: Question, values: Mapping[str, object] | None = None, *, limit: int | None = None
) -> Answer:
    """The rows of a question; at most `limit` of them, and then the answer says that it was cut."""
    answer = store.select(bind(question, values or {}, limit=limit), limit=limit)
    if answer.columns != question.column_names:
        raise ColumnsDiffer(
            "came back.",
            given=", ".join(answer.columns),
            expected=", ".join(question.column_names),
            field=question.name,
        )
    return answer
