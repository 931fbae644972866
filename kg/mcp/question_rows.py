"""What the tool `ask` answers: the line that answers, and the rows of a saved question, be it asked by its name or in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kg.answers.first_answer import AskedRows, not_considered, said_with, why_empty
from kg.answers.listed_rounds import part_of_results
from kg.answers.worded_question import QuestionRows
from kg.ask.question import ValueRefused, get_question
from kg.mcp.answers import in_few_words
from kg.mcp.shapes import RowsAnswer
from kg.render.claim_words import hedged
from kg.render.first_lines import first_lines, multiplied_lines

if TYPE_CHECKING:
    from kg.session import Graph
    from kg.stores.protocol import Answer, Cell


def rows_answer(
    graph: Graph, question: str, parameters: Mapping[str, object], most: int, *, all_columns: bool = False
) -> RowsAnswer:
    """The rows of a saved question, by its name or in plain words, with the columns that people are shown.

    Raises UnknownQuestion, UnsureQuestion, ValueRefused.
    """
    asked = _asked(graph, question, parameters)
    header = asked.question
    answer = QuestionRows(graph.ask).of(header, asked.values, asked.filters)
    names = answer.columns if all_columns else header.shown or answer.columns
    places = [answer.columns.index(name) for name in names]
    shown = answer.rows[:most]
    part = part_of_results(header, graph.folder, graph.server) if shown else None
    found = graph.first_answer(asked, answer)
    first = first_lines(found)
    left_over = ", ".join(not_considered(asked, multiplied_lines(found)))
    rows = f"{header.question} {len(answer.rows):,} rows{f', {part}' if part else ''}."
    return RowsAnswer(
        sentence=" ".join((*map(_as_sentence, first[:1]), rows)),
        left_out=len(answer.rows) - len(shown),
        next=["trace_number with the id of a claim"] if shown else ["find"],
        question=header.name,
        further=[
            *first[1:],
            *said_with(asked, answer),
            *([f"not considered: {left_over}"] if left_over else []),
            *why_empty(graph, asked, answer, found),
        ],
        columns=list(names),
        rows=[[_cell(_as_printed(answer, row, place)) for place in places] for row in shown],
    )


def _as_sentence(line: str) -> str:
    return line if line.endswith((".", ":")) else f"{line}."


def _asked(graph: Graph, question: str, parameters: Mapping[str, object]) -> AskedRows:
    """What is asked: a saved question by its name, else the one that plain words mean, with the values that were given."""
    # a query of any text is no question in words: rows of one would come without verdicts (decision 29)
    in_words = question not in graph.questions() and " " in question.strip() and "{" not in question
    taken = graph.readings(question, QuestionRows(graph.ask))[0] if in_words else None
    header = get_question(graph.questions(), question) if taken is None else taken.question
    known = {parameter.name for parameter in header.parameters}
    for name in parameters:
        if name not in known:
            raise ValueRefused(
                "is not a parameter of the question.", field=header.name, given=name, expected=", ".join(sorted(known))
            )
    values = {name: _value(given) for name, given in parameters.items()}
    if taken is None:
        return AskedRows(header, values)
    return AskedRows(header, {**taken.values, **values}, taken.filters, question, taken)


def _as_printed(answer: Answer, row: Sequence[Cell], place: int) -> Cell:
    """A cell; of a print with the word that limits it."""
    cell = row[place]
    return hedged(answer.columns, row, cell) if answer.columns[place] == "printed" and isinstance(cell, str) else cell


def _cell(cell: Cell) -> Cell:
    return in_few_words(cell, 40) if isinstance(cell, str) else cell


def _value(given: object) -> object:
    return tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) else given
