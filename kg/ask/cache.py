"""Questions as JSON, so that a process that has them compiled reads no YAML. Who keeps the text keeps a fingerprint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from kg.ask.question import Column, Parameter, Question, Value

SHAPE = 2
"""Number of the compiled form; another number is read as nothing."""


def to_json(questions: Iterable[Question]) -> str:
    """The compiled form, sorted by name."""
    return json.dumps(
        {"shape": SHAPE, "questions": [_plain(q) for q in sorted(questions, key=lambda q: q.name)]}, ensure_ascii=False
    )


def from_json(text: str) -> dict[str, Question] | None:
    """The questions of a compiled form by name, or None when another version wrote it."""
    try:
        whole = json.loads(text)
    except ValueError:
        return None
    if not isinstance(whole, dict) or whole.get("shape") != SHAPE:
        return None
    return {one["name"]: _question(one) for one in whole["questions"]}


def _plain(question: Question) -> dict[str, Any]:
    return {
        "name": question.name, "title": question.title, "question": question.question, "language": question.language,
        "parameters": [[p.name, p.type, p.required, p.default, p.example, p.about] for p in question.parameters],
        "columns": [[c.name, c.type] for c in question.columns],
        "example": dict(question.example), "text": question.text, "cypher": question.cypher,
    }  # fmt: skip


def _question(one: Mapping[str, Any]) -> Question:
    parameters = tuple(
        Parameter(name, kind, required, _value(default), _value(example), about)
        for name, kind, required, default, example, about in one["parameters"]
    )
    columns = tuple(Column(name, kind) for name, kind in one["columns"])
    example = {name: _value(value) for name, value in one["example"].items()}
    return Question(
        one["name"],
        one["title"],
        one["question"],
        parameters,
        columns,
        example,
        one["text"],
        one["language"],
        one["cypher"],
    )


def _value(value: Any) -> Any:
    """A list of the JSON form is a tuple of the question."""
    given: Value | None = tuple(value) if isinstance(value, list) else value
    return given
