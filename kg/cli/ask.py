"""`kg ask`: saved questions."""

import shlex
import sys
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

import typer

from kg.cli.first_answer import FirstAnswer, first_answer, put_first
from kg.cli.options import (
    Format,
    ListOptions,
    PublishedOption,
    spread,
    talker,
)
from kg.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.ask.question import Question
    from kg.ask.question_fit import WordReading
    from kg.ask.row_filters import RowFilter
    from kg.session import Graph
    from kg.stores.protocol import Answer, Language


_MOST_SUMMARIES = 12
_FOR_PEOPLE = (Format.table, Format.markdown)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "ask", add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
    )(spread(ask))


_NameArgument = Annotated[
    str | None,
    typer.Argument(
        help="name of a saved question, a question in plain words, or a topic; without it the topics are listed"
    ),
]
_LanguageOption = Annotated[
    str | None, typer.Option("--language", help="sparql or cypher (default: that of the store)")
]
_AsQueryOption = Annotated[
    bool, typer.Option("--query", help="print the whole text of the question with its values, to run elsewhere")
]
_ColumnsOption = Annotated[
    str | None, typer.Option("--columns", help="show these columns, named with commas between them")
]
_WideOption = Annotated[
    bool, typer.Option("--wide", help="show all columns, not only those that a table shows by default")
]
_OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", help="keep the rows about this thing or metric; may be given several times"),
]
_SinceOption = Annotated[
    str | None, typer.Option("--since", help="keep the rows of this date (2024, 2024-05) and later")
]
_UntilOption = Annotated[str | None, typer.Option("--until", help="keep the rows of this date and earlier")]
_HelpedOption = Annotated[
    bool,
    typer.Option("-h", "--help", help="show this message, after NAME the parameters of the question, and exit"),
]


def ask(
    context: typer.Context,
    name: _NameArgument = None,
    *,
    options: ListOptions,
    language: _LanguageOption = None,
    as_query: _AsQueryOption = False,
    columns: _ColumnsOption = None,
    wide: _WideOption = False,
    published: PublishedOption = False,
    only: _OnlyOption = None,
    since: _SinceOption = None,
    until: _UntilOption = None,
    helped: _HelpedOption = False,
) -> None:
    """Run a saved question with its own parameters (--PARAM VALUE), answer one in plain words, or list the questions.

    Example: kg ask "which claims compare GB200 against H200"
    """
    if helped:
        sys.stdout.write(f"{context.get_help()}\n" if name is None else _help_of(name, options.content))
        return
    spoken = _known_language(language)
    if name is not None and as_query:
        typer.echo(_query_of(name, options, context.args, in_cypher=spoken == "cypher"), nl=False)
        return
    graph = options.open()
    questions = graph.questions()
    if name is None or _is_topic(questions, name, context.args):
        _list_questions(questions, name, options.form, options.limit, quiet=options.quiet)
        return
    asked = _understood(graph, questions, name, context.args)
    if isinstance(asked, str):
        _put_traced(graph, asked, options, wide=wide)
        return
    filters = [*asked.filters, *_given_filters(graph, asked.question, only, since, until)]
    wanted = _named_columns(asked.question, columns)
    answer = _answered(graph, asked, filters, options, language=spoken, published=published)
    first = first_answer(graph, asked.readings, asked.values, name, context.args) if asked.readings else FirstAnswer()
    if options.form in _FOR_PEOPLE:
        put_first(first)
    _write_answer(answer, asked, wanted, options.form, wide=wide, first=first)
    for line in (*_readings_in_words(asked.readings), *_remarks(graph, asked, answer, options.limit)):
        options.tell(line)
    options.name_questions([asked.question.name])


def _put_traced(graph: "Graph", figure: str, options: ListOptions, *, wide: bool) -> None:
    """Where a figure comes from that words ask about."""
    from kg.cli.trace_forms import put_trace

    found = graph.trace(figure)
    put_trace(graph, found, options, wide=wide)
    options.tell(f"asked: {shlex.join(('kg', 'trace', figure))}")
    options.name_questions(found.questions)


def _known_language(given: str | None) -> "Language | None":
    if given not in (None, "sparql", "cypher"):
        raise UsageError(field="--language", given=given, expected="sparql or cypher")
    return cast("Language | None", given)


class _AskedQuestion(NamedTuple):
    """A question with its values; of plain words also the ways to read them, the best first."""

    question: "Question"
    values: dict[str, Any]
    readings: "Sequence[WordReading]"

    @property
    def filters(self) -> "tuple[RowFilter, ...]":
        """What the words narrow its rows to."""
        return self.readings[0].filters if self.readings else ()


def _is_topic(questions: "Mapping[str, Question]", name: str, words: list[str]) -> bool:
    """Whether a topic is named; "energy per token" begins with the name of one and is a question in words."""
    is_alone = not words or words[0].startswith("--")
    return is_alone and name not in questions and any(one.topic == name for one in questions.values())


def _answered(
    graph: "Graph",
    asked: _AskedQuestion,
    filters: "Sequence[RowFilter]",
    options: ListOptions,
    *,
    language: "Language | None",
    published: bool,
) -> "Answer":
    """The rows that are kept; published rows are summed up over all of them, so that a limit comes after."""
    summed = asked.question.sums_published and not published
    limit = None if summed else options.limit
    answer = graph.ask(asked.question.name, limit=None if filters else limit, language=language, **asked.values)
    if filters:
        answer = _filtered(graph, asked.question, answer, filters, limit)
    return _texts_first(graph, answer, options) if summed else answer


def _readings_in_words(readings: "Sequence[WordReading]") -> "Iterator[str]":
    """Which question was taken for the words, and which else they may mean."""
    for reading, word in zip(readings, ("asked", "or", "or"), strict=False):
        yield f"{word}: {reading.command}"


def _given_filters(
    graph: "Graph", question: "Question", only: list[str] | None, since: str | None, until: str | None
) -> "list[RowFilter]":
    """The filters of the options; a question without a column that one looks at is refused."""
    from kg.ask.row_filters import RowFilter, named_filter

    filters = [named_filter(graph.ask, name) for name in only or ()]
    filters += [RowFilter(since=since or "", until=until or "")] if since or until else []
    for one in filters:
        if not one.columns(question):
            raise UsageError(
                f"{question.name} has no column to keep rows by.",
                field=one.options[0],
                given=one.options[1],
                expected="a question with such a column",
                next_step=f"kg ask {question.name} --help lists its columns",
            )
    return filters


def _filtered(
    graph: "Graph", question: "Question", answer: "Answer", filters: "Sequence[RowFilter]", limit: int | None
) -> "Answer":
    """The rows that the filters keep, up to the limit."""
    from dataclasses import replace

    from kg.ask.row_filters import filtered

    kept = filtered(graph.ask, question, answer, filters)
    return kept if limit is None or len(kept.rows) <= limit else replace(kept, rows=kept.rows[:limit], complete=False)


def _remarks(graph: "Graph", asked: _AskedQuestion, answer: "Answer", limit: int | None) -> "Iterator[str]":
    """Why there are no rows, or that there are more."""
    if not answer.rows:
        from kg.answers.empty_answer import why_no_rows

        yield "no rows"
        yield from why_no_rows(graph, asked.question, asked.values)
    if not answer.complete:
        yield f"cut at {limit} rows; there are more"


def _understood(
    graph: "Graph", questions: "Mapping[str, Question]", name: str, words: list[str]
) -> _AskedQuestion | str:
    """The question that is meant with its values; a figure of a claim where the words hold one and mean no question for certain."""
    from kg.ask.question import get_question
    from kg.ask.wording import UnsureQuestion, understood

    text, given = _in_words(questions, name, words)
    try:
        readings = understood(graph.ask, questions.values(), text, graph.lexicon.metric_words) if text else []
    except UnsureQuestion as unsure:
        # a unit may be another than the one that was printed
        figures = dict.fromkeys(form for one in unsure.figures for form in (one, one.partition(" ")[0]))
        figure = next((one for one in figures if graph.trace(one).claims), None)
        if figure is None:
            raise
        return figure
    if readings and (other := _of_metric(graph, text, readings[0])) is not None:
        readings = [other, *readings]
    question = readings[0].question if readings else get_question(questions, name)
    values: dict[str, Any] = dict(readings[0].values) if readings else {}
    values |= read_parameters(given, {p.name: p.is_list for p in question.parameters})
    return _AskedQuestion(question, values, readings)


def _of_metric(graph: "Graph", text: str, first: "WordReading") -> "WordReading | None":
    """What to ask where the question that words mean has no rows: the claims of the thing and the metric they name."""
    from kg.ask.wording import claims_of_metric

    found = claims_of_metric(graph.ask, graph.questions().values(), text, graph.lexicon.metric_words)
    if found is None or found.question == first.question:
        return None
    values: dict[str, Any] = dict(first.values)
    answer = graph.ask(first.question.name, limit=None if first.filters else 1, **values)
    if answer.rows and first.filters:
        answer = _filtered(graph, first.question, answer, first.filters, 1)
    return None if answer.rows else found


def _texts_first(graph: "Graph", answer: "Answer", options: ListOptions) -> "Answer":
    """The claims of texts; what rows of published files give is reported next to them."""
    from dataclasses import replace

    from kg.answers.published import texts_first

    found = texts_first(graph.ask, answer)
    if found.published:
        options.tell(f"Published rows, {found.rows:,} (--published lists them)")
        for one in found.published[:_MOST_SUMMARIES]:
            options.tell(f"  {one.worded}")
        if len(found.published) > _MOST_SUMMARIES:
            options.tell(f"  and {len(found.published) - _MOST_SUMMARIES} more things and metrics")
    kept = found.answer.rows[: options.limit]
    return replace(found.answer, rows=kept, complete=answer.complete and len(kept) == len(found.answer.rows))


def _in_words(questions: "Mapping[str, Question]", name: str, given: list[str]) -> tuple[str, list[str]]:
    """A question in plain words, in quotes or not, and the options behind it; no words where a saved question is named."""
    behind = next((place for place, word in enumerate(given) if word.startswith("--")), len(given))
    text = " ".join((name, *given[:behind]))
    # "best" alone is short for benchmarks/best, "best result of the B200" is not
    named = name in questions or (behind == 0 and any(one.endswith(f"/{name}") for one in questions))
    # a single word with a digit is a name or a figure: no name of a question has one
    in_words = not named and (" " in text.strip() or any(one.isdigit() for one in name.partition("/")[0]))
    return (text, given[behind:]) if in_words else ("", given)


def _write_understood(answer: "Answer", asked: _AskedQuestion, first: FirstAnswer) -> None:
    """The answer to plain words for programs: which question was taken, with which values, the next ones, and the rows.

    Before the rows the values of what was named, where there are any.
    """
    from kg.cli.render import write_json

    taken, *others = asked.readings
    question = {
        "name": taken.question.name,
        "title": taken.question.title,
        "values": asked.values,
        "command": taken.command,
        "next": [one.command for one in others],
    }
    write_json({"question": question, **first.to_json(), "rows": list(answer.dicts())})


def _write_answer(
    answer: "Answer",
    asked: _AskedQuestion,
    wanted: tuple[str, ...],
    form: Format,
    *,
    wide: bool,
    first: FirstAnswer,
) -> None:
    """The rows with the columns named, else those of the header for people, else all; programs read what words were taken for."""
    if form is Format.json and asked.readings:
        _write_understood(answer, asked, first)
    elif form is Format.table and not wanted and not wide and answer.rows:
        _write_for_people(answer, asked.question)
    else:
        of_header = asked.question.shown if form in _FOR_PEOPLE and not wide else ()
        _write_columns(answer, wanted or of_header or answer.columns, form)


def _write_columns(answer: "Answer", shown: "Sequence[str]", form: Format) -> None:
    """Some columns of the rows; people read metrics and units by name."""
    from kg.answers.claim import bare
    from kg.cli.render import write_rows

    people = form in _FOR_PEOPLE
    places = [(answer.columns.index(name), people and name in ("metric", "unit")) for name in shown]
    rows = (tuple(bare(str(row[n])) if plain and row[n] else row[n] for n, plain in places) for row in answer.rows)
    write_rows(shown, rows, form)


def _write_for_people(answer: "Answer", question: "Question") -> None:
    """A table that fits a screen, under what is alike in all its rows."""
    from kg.cli.render import write_rows
    from kg.render.answer_table import answer_table
    from kg.render.lines import wrapped

    table = answer_table(answer, question.shown)
    if table.alike:
        sys.stdout.write("\n".join(wrapped("; ".join(f"{name}: {value}" for name, value in table.alike))) + "\n\n")
    write_rows(table.columns, table.rows, Format.table, spare=table.spare)


def _list_questions(
    questions: "Mapping[str, Question]", topic: str | None, form: Format, limit: int | None, *, quiet: bool
) -> None:
    """The topics for people, the questions of a topic, and for programs all questions."""
    from kg.cli.render import write_rows

    rows: list[tuple[str, ...]]
    if topic is None and form in _FOR_PEOPLE:
        stems: dict[str, list[str]] = {}
        for one in questions.values():
            stems.setdefault(one.topic, []).append(one.name.partition("/")[2])
        columns: tuple[str, ...] = ("topic", "questions")
        rows = [(name, ", ".join(sorted(held))) for name, held in stems.items()]
    else:
        columns = ("name", "question", "parameters")
        rows = [
            (one.name, one.question, " ".join(f"--{p.name}" if p.required else f"[--{p.name}]" for p in one.parameters))
            for one in questions.values()
            if topic in (None, one.topic)
        ]
    write_rows(columns, sorted(rows)[:limit], form)
    tell = talker(quiet)
    if limit and limit < len(rows):
        tell(
            f"cut at {limit} of {len(rows)} {columns[0]}s"
            if columns[0] == "topic"
            else f"cut at {limit} of {len(rows)} questions"
        )
    if columns[0] == "topic" and sys.stdout.isatty():
        tell("kg ask TOPIC lists the questions of a topic, kg ask NAME --help the parameters of one")


def _named_columns(question: "Question", given: str | None) -> tuple[str, ...]:
    """The columns that were asked for; one that the question does not have is refused."""
    named = tuple(one.strip() for one in given.split(",")) if given is not None else ()
    for one in named:
        if one not in question.column_names:
            raise UsageError(field="--columns", given=one, expected=", ".join(question.column_names))
    return named


def _question_of(name: str, content: str | None) -> "Question":
    """One question, read from its file: no store is needed to say what can be asked."""
    from pathlib import Path

    from kg.ask.question import get_question
    from kg.ask.question_files import read_questions
    from kg.content.folders import find_content

    return get_question(read_questions(find_content(Path(content) if content else None).queries), name)


def _help_of(name: str, content: str | None) -> str:
    """The help of one question."""
    from kg.cli.ask_help import question_help

    return question_help(_question_of(name, content))


def _query_of(name: str, options: ListOptions, given: list[str], *, in_cypher: bool) -> str:
    """The whole text of a question with the values that were given, or those of its example."""
    from kg.ask.bind import bind
    from kg.ask.run import cypher_with_values

    question, limit = _question_of(name, options.content), options.limit
    values = read_parameters(given, {p.name: p.is_list for p in question.parameters}) or question.example
    return cypher_with_values(question, values, limit=limit) if in_cypher else bind(question, values, limit=limit)


def read_parameters(given: list[str], known: dict[str, bool]) -> dict[str, object]:
    """`--name value` and `--name=value` pairs; a list parameter may be given several times."""
    values: dict[str, object] = {}
    rest = list(given)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise UsageError(
                given=word, expected=f"--PARAM VALUE with {', '.join('--' + one for one in known) or 'no parameters'}"
            )
        key, _, value = word[2:].partition("=")
        key = key.replace("-", "_")
        if "=" not in word:
            if not rest:
                raise UsageError(given=word, expected="a value after it")
            value = rest.pop(0)
        if known.get(key):
            values[key] = (*(values.get(key) or ()), value)  # type: ignore[misc]
        else:
            values[key] = value
    return values
