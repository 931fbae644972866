"""Questions as JSON, so that a process that has them compiled reads no YAML. Who keeps the text keeps a fingerprint."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from kg.ask.question import Column, Parameter, Question

SHAPE = 8
"""Number of the compiled form; another number is read as nothing."""


def to_json(questions: Iterable[Question]) -> str:
    """The compiled form, sorted by name."""
    return json.dumps(
        {"shape": SHAPE, "questions": [asdict(q) for q in sorted(questions, key=lambda q: q.name)]}, ensure_ascii=False
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


def _question(one: Mapping[str, Any]) -> Question:
    parameters = tuple(
        Parameter(**{name: _value(value) for name, value in given.items()}) for given in one["parameters"]
    )
    columns = tuple(Column(**given) for given in one["columns"])
    order = tuple((name, down) for name, down in one["order"])
    example = {name: _value(value) for name, value in one["example"].items()}
    texts = {name: tuple(one[name]) for name in ("shown", "words", "asked")}
    made = {
        "parameters": parameters,
        "columns": columns,
        "order": order,
        "example": example,
        **texts,
    }
    return Question(**{**one, **made})


def _value(value: object) -> Any:
    """A list of the JSON form is a tuple of the question."""
    return tuple(value) if isinstance(value, list) else value
