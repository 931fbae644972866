"""The saved questions by topic; one of them as a form, its answer as table and chart, and its texts to see, edit and run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args
from urllib.parse import urlencode

from kg.answers.first_answer import AskedRows, not_considered, said_with, why_empty
from kg.answers.listed_rounds import part_of_results
from kg.answers.worded_question import QuestionRows
from kg.ask.kept_rows import FigureOrder
from kg.ask.question import Parameter, Question, get_question
from kg.ask.row_filters import (
    RowFilter,
    accelerators_filter,
    date_filter,
    named_filter,
    order_filter,
    value_filter,
)
from kg.errors import KgError, UsageError
from kg.model.counting import counted
from kg.model.result import Table
from kg.render.cells import text_of
from kg.render.claim_words import cell_in_words
from kg.render.first_lines import first_lines, multiplied_lines
from kg.render.row_chart import row_chart
from kg.stores.protocol import Answer
from kg.web.kept import KEPT
from kg.web.pages.front import overview_kept
from kg.web.told import sentence
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from kg.answers.first_answer import FirstAnswer
    from kg.render.dot_plot import DotPlot
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN: Final = 100
_MOST: Final = 20_000
"""Rows that are read of an answer at most."""


class Choice(NamedTuple):
    """One value to choose, with its name."""

    value: str
    label: str


class FormField(NamedTuple):
    """A parameter as a field of a form: what is typed in it now, and what there is to choose from."""

    parameter: Parameter
    label: str
    value: str
    choices: tuple[Choice, ...]
    is_closed: bool
    """Whether nothing else than the choices can be given."""
    form: str


class LinkedCell(NamedTuple):
    """A cell with the page it leads to."""

    text: str
    address: str | None
    is_number: bool


def show_questions(graph: Graph, _: Asked) -> View:
    """All of them, by topic."""
    topics: dict[str, list[Question]] = {}
    for name in sorted(graph.questions()):
        question = graph.questions()[name]
        topics.setdefault(question.topic, []).append(question)
    rows = tuple((one.name, one.title, one.question) for found in topics.values() for one in found)
    return View(
        "questions.html",
        f"{len(rows)} saved questions on {len(topics)} topics",
        {"topics": topics},
        data=lambda: [{"name": name, "title": title, "question": question} for name, title, question in rows],
        rows=lambda: Table(("name", "title", "question"), rows),
    )


def show_question(graph: Graph, asked: Asked) -> View:
    """One question, with the values of the address or else those of its example."""
    question = get_question(graph.questions(), asked.word("question"))
    given = {one.name: asked.many(one.name) for one in question.parameters if asked.many(one.name)}
    values: dict[str, Any] = dict(_values(question, given) if asked.one("ask") else question.example)
    answer, filters, mistake = _answered(graph, question, values, asked)
    rows = answer.rows if asked.wants_all else answer.rows[:_SHOWN]
    chart = _chart(question, answer, filters)
    total = counted(len(answer.rows), "row", more="" if answer.complete else "or more ")
    return View(
        "question.html",
        question.title if mistake else f"{question.title}: {total}",
        {
            "question": question,
            "fields": [_field(graph, one, values.get(one.name)) for one in question.parameters],
            "mistake": mistake,
            "said": asked.one("said"),
            **(
                _NOTHING_SAID
                if mistake
                else _said_of_rows(graph, answer, _asked_rows(graph, question, values, filters, asked))
            ),
            "columns": _headings(_shown_columns(question, asked), question.heads),
            "lines": _lines(question, rows, asked),
            "wide": asked.one("wide") is not None,
            "chart": chart,
            "texts": {} if mistake else _texts(graph, question, values),
            "wide_address": _wide(asked),
        },
        data=lambda: {"error": mistake} if mistake else list(answer.dicts()),
        rows=lambda: Table(question.column_names, answer.rows),
        cut=Cut(len(rows), len(answer.rows), "rows"),
        twin_cut=None if answer.complete else Cut(len(answer.rows), len(answer.rows) + 1, "rows or more"),
        status=200 if mistake is None else 400,
        plots=() if chart is None else (chart,),
        picture=_picture(values) if answer.rows else None,
    )


_NOTHING_SAID: Final = {"first": (), "said_with": (), "left_over": (), "part": None, "why": ()}


def _chart(question: Question, answer: Answer, filters: Sequence[RowFilter]) -> DotPlot | None:
    """The rows as a chart, of the column that they are put in order by."""
    ranked = next((one.columns(question)[0] for one in filters if one.order is not None), None)
    return row_chart(answer, question.title, heads=question.heads, ranked=ranked)


def _said_of_rows(graph: Graph, answer: Answer, asked: AskedRows) -> dict[str, Any]:
    """What is said before the rows: the answer, what it does not consider, of which results they are, and why there are none."""
    found = graph.first_answer(asked, answer)
    return {
        "first": first_lines(found),
        "said_with": said_with(asked, answer),
        "left_over": not_considered(asked, multiplied_lines(found)),
        "part": part_of_results(asked.question, graph.folder, graph.server) if answer.rows else None,
        "why": _why_empty(graph, asked, answer, found),
    }


def _why_empty(graph: Graph, asked: AskedRows, answer: Answer, found: FirstAnswer) -> list[str]:
    """Why there are no rows, be it that a value cannot be looked up."""
    try:
        return why_empty(graph, asked, answer, found)
    except KgError as error:
        return [sentence(error, graph)]


def _asked_rows(
    graph: Graph, question: Question, values: Mapping[str, object], filters: list[RowFilter], asked: Asked
) -> AskedRows:
    """What was asked; of plain words that led here also how they were read."""
    said, taken = asked.one("said"), None
    if said is not None:
        # a link that was made by hand may name other words than those that mean this question
        with suppress(UsageError):
            taken = graph.readings(said, QuestionRows(graph.ask, limit=1))[0]
    if said is None or taken is None or taken.question != question:
        return AskedRows(question, values, filters)
    return AskedRows(question, values, filters, said, taken)


def _answered(
    graph: Graph, question: Question, values: Mapping[str, object], asked: Asked
) -> tuple[Answer, list[RowFilter], str | None]:
    """The rows, what they were narrowed to, and what was wrong with the values that somebody gave."""
    try:
        filters = _filters(graph, question, asked)
        return QuestionRows(graph.ask, limit=_MOST).of(question, values, filters), filters, None
    except KgError as error:
        if not asked.one("ask"):
            raise
        return Answer(question.column_names, ()), [], sentence(error, graph)


def _filters(graph: Graph, question: Question, asked: Asked) -> list[RowFilter]:
    """What the rows are narrowed to and ordered by, as the options of `kg ask` take it."""
    since, until = asked.one("since"), asked.one("until")
    found = [named_filter(graph.ask, one) for one in asked.many("only")]
    found += [replace(named_filter(graph.ask, one), excluded=True) for one in asked.many("without")]
    found += [value_filter(one, graph.lexicon.units) for one in asked.many("value")]
    found += [accelerators_filter(one) for one in asked.many("accelerators")]
    found += [date_filter(since, until)] if since or until else []
    found += [RowFilter(newest=True)] if asked.one("newest") else []
    # The address has a parameter for each order, `highest` or `lowest`, as the command has options.
    found += [order_filter(question, one, asked.one("by")) for one in get_args(FigureOrder) if asked.one(one)]
    # A filter for which this question has no column says nothing of its rows.
    return [one for one in found if one.columns(question)]


def _picture(values: dict[str, object]) -> str | None:
    """The picture of what is asked about: two things compared, or one thing, claim or source."""
    if {"a", "b"} <= values.keys():
        return "/picture.svg?" + urlencode([("of", "compare"), ("of", values["a"]), ("of", values["b"])])
    for name in ("thing", "claim", "source"):
        given = values.get(name)
        one = given[0] if isinstance(given, list | tuple) and given else given
        if isinstance(one, str):
            form = [("of", "trace" if name == "claim" else name)]
            return "/picture.svg?" + urlencode([*form, ("of", one)])
    return None


def _wide(asked: Asked) -> str:
    """The same page with all columns."""
    kept = [(name, value) for name, values in asked.parameters.items() for value in values if name != "wide"]
    return "?" + urlencode([*kept, ("wide", "1")])


def _values(question: Question, given: dict[str, tuple[str, ...]]) -> dict[str, object]:
    """What was typed, each by its type; a list is typed in one field with commas, or in several."""
    values: dict[str, object] = {}
    for one in question.parameters:
        if one.name not in given:
            continue
        typed = given[one.name]
        if one.is_list:
            values[one.name] = tuple(part.strip() for text in typed for part in text.split(",") if part.strip())
        else:
            values[one.name] = typed[0]
    return values


def _texts(graph: Graph, question: Question, values: dict[str, object]) -> dict[str, str]:
    sparql = graph.question_text(question.name, language="sparql", **values)
    cypher = graph.question_text(question.name, language="cypher", **values)
    return {"SPARQL": sparql or ""} | ({"Cypher": cypher} if cypher else {})


def _field(graph: Graph, one: Parameter, value: object) -> FormField:
    typed = ", ".join(map(text_of, value)) if isinstance(value, tuple | list) else text_of(value)
    choices, is_closed = _choices(graph, one)
    form = "number" if one.type in ("number", "integer") else "text"
    return FormField(one, one.name.replace("_", " "), typed, choices, is_closed and not one.is_list, form)


def _choices(graph: Graph, one: Parameter) -> tuple[tuple[Choice, ...], bool]:
    """What there is to choose: metrics, sources, names of things. Texts and numbers are typed."""
    if one.base_type == "metric":
        return KEPT.get(graph, "choices metric", lambda: _metrics(graph)), True
    if one.base_type == "id" and one.name == "source":
        return tuple(Choice(source.id, source.label) for source in overview_kept(graph).sources), True
    if one.base_type in ("name", "id"):
        every = KEPT.get(graph, "choices name", lambda: _things(graph))
        own = tuple(choice for choice in every if choice.value.startswith(f"{one.name}/"))
        return own or tuple(choice for choice in every if choice.value.startswith(_CHOSEN)), False
    return (), False


def _metrics(graph: Graph) -> tuple[Choice, ...]:
    found = graph.ask("find/metrics", text="")
    columns = found.columns.index("metric"), found.columns.index("label")
    return tuple(
        sorted({Choice(str(row[columns[0]]).removeprefix("metric/"), str(row[columns[1]])) for row in found.rows})
    )


def _things(graph: Graph) -> tuple[Choice, ...]:
    found = {str(row["entity"]): str(row["label"]) for row in graph.ask("find/names", text="").dicts()}
    return tuple(sorted((Choice(name, label) for name, label in found.items()), key=lambda one: one.label))


_CHOSEN: Final = ("accelerator/", "system/", "family/", "model/", "benchmark/", "org/")


def _shown_columns(question: Question, asked: Asked) -> tuple[str, ...]:
    return question.column_names if asked.one("wide") or not question.shown else question.shown


def _headings(columns: Sequence[str], heads: Mapping[str, str]) -> tuple[str, ...]:
    """Columns as people read them: a label is the thing itself, unless its id has a column too.

    >>> _headings(["claim", "subject_label", "model", "model_label", "value"], {"value": "per accelerator"})
    ('claim', 'subject', 'model', 'model_label', 'per accelerator')
    """
    plain = (short if (short := one.removesuffix("_label")) not in columns else one for one in columns)
    return tuple(heads.get(one, name) for one, name in zip(columns, plain, strict=True))


def _lines(question: Question, rows: Any, asked: Asked) -> list[tuple[LinkedCell, ...]]:
    names = question.column_names
    places = [names.index(name) for name in _shown_columns(question, asked)]
    ids = {column.name for column in question.columns if column.type == "id"}
    return [tuple(_cell(cell_in_words(names, row, place), names[place] in ids) for place in places) for row in rows]


def _cell(cell: object, is_id: bool) -> LinkedCell:
    is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
    shown = text_of(cell)
    if is_id and shown.startswith("metric/"):
        shown = shown.removeprefix("metric/").replace("-", " ")
    return LinkedCell(shown, address_of(cell) if is_id and isinstance(cell, str) else None, is_number)


def address_of(identifier: str) -> str | None:
    """The page of an id; None where it has none of its own.

    >>> address_of("source/002"), address_of("accelerator/x"), address_of("002/r1.a"), address_of("plain")
    ('/source/002', '/thing/accelerator/x', '/claim/002/r1.a', None)
    """
    from urllib.parse import quote

    first, slash, _ = identifier.partition("/")
    if not slash or "://" in identifier or first in ("unit", "finding", "conditions", "passage", "snapshot"):
        return None
    if first in ("source", "unresolved"):
        return f"/source/{quote(identifier.removeprefix('source/'))}"
    is_thing = first.replace("-", "").isalpha() and first.islower()
    return f"/{'thing' if is_thing else 'claim'}/{quote(identifier)}"
