"""A saved question as it is bound and run. What it is read from: `kg.ask.question_files`; as it is kept: `kg.ask.cache`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from kg.errors import QueryError, UsageError
from kg.model.similar_names import similar_names

Scalar = str | int | float | bool
Value = Scalar | tuple[Scalar, ...]
ParameterType = Literal[
    "text",
    "name",
    "id",
    "claim",
    "metric",
    "number",
    "integer",
    "list-of-text",
    "list-of-name",
    "list-of-id",
    "list-of-claim",
    "list-of-metric",
    "list-of-number",
    "list-of-integer",
]
ColumnType = Literal["id", "text", "number", "integer", "boolean"]
Order = tuple[tuple[str, bool], ...]
"""Columns, each with whether it descends."""

MARKER: Final = "#VALUES"
"""The one line of a SPARQL question where its values are put."""


class ValueRefused(QueryError):
    """A value that a parameter cannot take, or a parameter that is missing or unknown."""

    code = "question.value"


class UnknownQuestion(UsageError):
    """No saved question has this name."""

    code = "question.unknown"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; without a default it must be given, with `default: null` it may be left out."""

    name: str
    type: ParameterType
    required: bool = True
    default: Value | None = None
    example: Value | None = None
    about: str = ""

    @property
    def base_type(self) -> str:
        """The type of one value.

        >>> Parameter("claims", "list-of-claim").base_type
        'claim'
        """
        return self.type.removeprefix("list-of-")

    @property
    def is_list(self) -> bool:
        """Whether several values may be given."""
        return self.type.startswith("list-of-")


@dataclass(frozen=True, slots=True)
class Column:
    """One column. A cell of any type is None where nothing is known."""

    name: str
    type: ColumnType


@dataclass(frozen=True, slots=True)
class Question:
    """A saved question, ready to be bound. Its texts are whole but for the order, which each store writes its own way."""

    name: str
    title: str
    question: str
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    order: Order
    example: Mapping[str, Value] = field(hash=False)
    sparql: str
    cypher: str | None = None
    shown: tuple[str, ...] = ()
    """The columns of a table for people; all of them where the header names none."""
    words: tuple[str, ...] = ()
    """Further words and phrases that people ask it with."""
    asked: tuple[str, ...] = ()
    """Whole wordings that people ask it with, names as slots (`THING`); without words and wordings it is asked by its name only."""
    sums_published: bool = False
    """Whether `kg ask` lists the claims of texts and sums up the rows of published files next to them."""
    heads: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What people read over a column in place of its name."""
    note: str = ""
    """What its rows are not to be taken for, said wherever they are shown."""

    @property
    def topic(self) -> str:
        """The folder the question lies in."""
        return self.name.partition("/")[0]

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns in order."""
        return tuple(column.name for column in self.columns)


def _alike(questions: Mapping[str, Question], name: str) -> list[str]:
    """The full names of questions with a name or a stem like this one."""
    by_stem: dict[str, list[str]] = {}
    for known in questions:
        by_stem.setdefault(known.partition("/")[2], []).append(known)
    alike = similar_names(name, [*questions, *by_stem], likeness=0.5)
    return list(dict.fromkeys(full for one in alike for full in by_stem.get(one, [one])))[:3]


def get_question(questions: Mapping[str, Question], name: str) -> Question:
    """The question of this name, or of this stem where only one has it."""
    if name in questions:
        return questions[name]
    same_stem = [known for known in questions if known.partition("/")[2] == name]
    if len(same_stem) == 1:
        return questions[same_stem[0]]
    near = same_stem or _alike(questions, name)
    raise UnknownQuestion(
        "is not a saved question.",
        given=name,
        expected=None if near else "a name that kg ask lists",
        next_step=f"Did you mean {' or '.join(near)}?" if near else None,
    )
