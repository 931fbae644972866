"""The answer of `kg ask`: rows as a table for people or as data, and what is said below them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from kg.cli.options import Format, ListOptions
from kg.cli.render import table_lines, write_shown
from kg.render.cells import visible
from kg.render.lines import MOST_LINES, wrapped

if TYPE_CHECKING:
    from kg.answers.first_answer import AskedRows, FirstAnswer
    from kg.ask.question import Question
    from kg.ask.question_fit import WordReading
    from kg.ask.row_filters import RowFilter
    from kg.render.answer_table import AnswerTable
    from kg.session import Graph
    from kg.stores.protocol import Answer

_MOST_SUMMARIES = 12
_MOST_SOURCES = 8
_FEWEST_ROWS = 3
"""Rows of a first screen, however long each is."""
FOR_PEOPLE = (Format.table, Format.markdown)


class AskedQuestion(NamedTuple):
    """A question with its values; of plain words also the ways to read them, the best first."""

    question: "Question"
    values: dict[str, Any]
    readings: "Sequence[WordReading]"

    @property
    def filters(self) -> "tuple[RowFilter, ...]":
        """What the words narrow its rows to."""
        return self.readings[0].filters if self.readings else ()

    def rows(self, filters: "Sequence[RowFilter]", text: str) -> "AskedRows":
        """What was asked, with all that narrows its rows."""
        from kg.answers.first_answer import AskedRows

        taken = self.readings[0] if self.readings else None
        return AskedRows(self.question, self.values, filters, text, taken)


def put_first(found: "FirstAnswer") -> None:
    """A line a value, before what texts say of it."""
    from kg.render.first_lines import first_lines

    for line in first_lines(found):
        typer.echo(visible(line))


def texts_first(graph: "Graph", answer: "Answer", options: ListOptions) -> "Answer":
    """The claims of texts; what rows of published files give is reported next to them."""
    from dataclasses import replace

    from kg.answers import published

    found = published.texts_first(graph.ask, answer)
    if found.published:
        of = f", of {found.results:,} results" if found.results < found.rows else ""
        options.tell(f"Published rows, {found.rows:,}{of} (--published lists them)")
        for one in found.published[:_MOST_SUMMARIES]:
            options.tell(f"  {one.worded}")
        if len(found.published) > _MOST_SUMMARIES:
            options.tell(f"  and {len(found.published) - _MOST_SUMMARIES} more things and metrics")
    kept = found.answer.rows[: options.limit]
    return replace(found.answer, rows=kept, complete=answer.complete and len(kept) == len(found.answer.rows))


def write_answer(
    graph: "Graph",
    answer: "Answer",
    asked: AskedQuestion,
    wanted: tuple[str, ...],
    form: Format,
    *,
    wide: bool,
    whole: "Answer | None",
    first: "FirstAnswer",
) -> None:
    """The rows with the columns named, else those of the header for people, else all; programs read what words were taken for.

    People get a first screen of them, unless they were cut to what is wanted from the `whole`.
    """
    if form is Format.json and asked.readings:
        _write_understood(answer, asked, first)
    elif form is Format.table and not wanted and not wide and answer.rows:
        _write_for_people(graph, answer, asked.question, whole)
    else:
        of_header = asked.question.shown if form in FOR_PEOPLE and not wide else ()
        _write_columns(answer, wanted or of_header or answer.columns, form)


def _write_understood(answer: "Answer", asked: AskedQuestion, first: "FirstAnswer") -> None:
    """The answer to plain words for programs: which question was taken, with which values, the next ones, and the rows.

    Before the rows the values of what was named, where there are any.
    """
    from kg.cli.render import write_json
    from kg.render.first_lines import first_json

    taken, *others = asked.readings
    question = {
        "name": taken.question.name,
        "title": taken.question.title,
        "values": asked.values,
        "command": taken.command,
        "next": [one.command for one in others],
    }
    write_json({"question": question, **first_json(first), "rows": list(answer.dicts())})


def _write_columns(answer: "Answer", shown: "Sequence[str]", form: Format) -> None:
    """Some columns of the rows; people read metrics and units by name."""
    from kg.answers.claim import bare
    from kg.cli.render import write_rows

    people = form in FOR_PEOPLE
    places = [(answer.columns.index(name), people and name in ("metric", "unit")) for name in shown]
    rows = (tuple(bare(str(row[n])) if plain and row[n] else row[n] for n, plain in places) for row in answer.rows)
    write_rows(shown, rows, form)


def _write_for_people(graph: "Graph", answer: "Answer", question: "Question", whole: "Answer | None") -> None:
    """A table that fits a screen, under what is alike in all its rows, over the names of its sources.

    Unless it was cut from a `whole` it has the first rows, and says how to see the others.
    """
    from kg.render.answer_table import answer_table, ids_to_name

    ids = ids_to_name(answer, question.shown)
    rows = graph.ask("entities/labels", thing=ids).dicts() if ids else ()
    labels = {str(row["thing"]): str(row["label"]) for row in rows}
    table = answer_table(answer, question.shown, labels, heads=question.heads, whole=whole)
    is_cut = whole is not None
    count = len(table.rows) if is_cut else min(len(table.rows), MOST_LINES)
    while len(lines := _table_lines(table, count)) > MOST_LINES and not is_cut and count > _FEWEST_ROWS:
        # A row may take several lines: rows are left out in the proportion in which the lines are
        # too many.
        count = max(_FEWEST_ROWS, min(count - 1, count * MOST_LINES // len(lines)))
    write_shown(lines)


def _table_lines(table: "AnswerTable", count: int) -> list[str]:
    """The first rows of a table as lines, with what goes above and below them."""
    rows, total = table.rows[:count], len(table.rows)
    lines: list[str] = []
    if table.alike:
        lines += [*wrapped(visible("; ".join(f"{name}: {value}" for name, value in table.alike))), ""]
    lines += table_lines(table.columns, rows, spare=table.spare)
    cells = {str(cell) for row in rows for cell in row} | {value for _, value in table.alike}
    named = [f"{one} {label}" for one, label in table.sources if one in cells]
    if len(named) > _MOST_SOURCES:
        named[_MOST_SOURCES:] = [f"{len(named) - _MOST_SOURCES} more (kg ask sources/all)"]
    if named:
        lines += ["", *wrapped(visible(f"Sources: {'; '.join(named)}"), "  ", first="")]
    if table.repeated:
        from kg.model.counting import counted

        lines += ["", f"{counted(table.repeated, 'row')} of other files of the round left out, which say the same"]
    return lines if count == total else [*lines, "", f"{count} of {total:,} rows; --limit {total} shows all"]


def remarks(
    graph: "Graph", readings: "Sequence[WordReading]", asked: "AskedRows", answer: "Answer", first: "FirstAnswer"
) -> "Iterator[str]":
    """Which question was taken for plain words, why there are no rows (unless the first line answers), or of which results they are."""
    from kg.answers.first_answer import not_considered, said_with, why_empty
    from kg.answers.listed_rounds import part_of_results
    from kg.render.first_lines import multiplied_lines

    is_answered = first.is_answer_without(answer)
    if not answer.rows and not is_answered:  # that nothing is stated is the answer, which comes first
        yield "no rows"
        yield from why_empty(graph, asked, answer, first)
    yield from _readings_in_words(readings)
    if left_over := not_considered(asked, multiplied_lines(first)):
        yield f"not considered: {', '.join(left_over)}"
    yield from said_with(asked, answer)
    if answer.rows and (part := part_of_results(asked.question, graph.folder, graph.server)):
        yield part
    if is_answered:
        yield from why_empty(graph, asked, answer, first)


def _readings_in_words(readings: "Sequence[WordReading]") -> "Iterator[str]":
    """Which question was taken for the words, and which else they may mean."""
    for reading, word in zip(readings, ("asked", "or", "or"), strict=False):
        yield f"{word}: {reading.command}"
    for taken in readings[:1]:
        if taken.question.name == "entities/metric":
            yield f"values by chip: kg ask specifications/by-metric --metric {taken.values['metric']}"
