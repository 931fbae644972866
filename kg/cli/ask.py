"""`kg ask`: saved questions."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

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
    from kg.ask.wording import WordReading
    from kg.session import Graph
    from kg.stores.protocol import Answer, Language


_MOST_SUMMARIES = 12


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
    helped: _HelpedOption = False,
) -> None:
    """Run a saved question with its own parameters (--PARAM VALUE), answer one in plain words, or list the questions.

    Example: kg ask "which claims compare GB200 against H200"
    """
    if helped:
        sys.stdout.write(f"{context.get_help()}\n" if name is None else _help_of(name, options.content))
        return
    if language not in (None, "sparql", "cypher"):
        raise UsageError(field="--language", given=language, expected="sparql or cypher")
    if name is not None and as_query:
        typer.echo(
            _query_of(name, options.content, context.args, options.limit, in_cypher=language == "cypher"), nl=False
        )
        return
    graph = options.open()
    questions = graph.questions()
    is_topic = name not in questions and any(one.topic == name for one in questions.values())
    # "energy per token" begins with the name of a topic and is a question in words
    if name is None or (is_topic and all(word.startswith("--") for word in context.args[:1])):
        _list_questions(questions, name, options.form, options.limit, quiet=options.quiet)
        return
    question, values, readings = _understood(graph, questions, name, context.args)
    wanted = _named_columns(question, columns)
    # published rows are summed up over all rows, so that a limit comes after
    summed = question.sums_published and not published
    limit = None if summed else options.limit
    answer = graph.ask(question.name, limit=limit, language=cast("Language | None", language), **values)
    if summed:
        answer = _texts_first(graph, answer, options)
    if readings and options.form is Format.json:
        _write_understood(answer, readings, values)
    else:
        _write_answer(answer, question, wanted, options.form, wide=wide)
    for reading, word in zip(readings, ("asked", "or", "or"), strict=False):
        options.tell(f"{word}: {reading.command}")
    for line in _remarks(graph, question, values, answer, options.limit):
        options.tell(line)
    options.name_questions([question.name])


def _remarks(
    graph: "Graph", question: "Question", values: "Mapping[str, object]", answer: "Answer", limit: int | None
) -> "Iterator[str]":
    """Why there are no rows, or that there are more."""
    if not answer.rows:
        from kg.answers.empty_answer import why_no_rows

        yield "no rows"
        yield from why_no_rows(graph, question, values)
    if not answer.complete:
        yield f"cut at {limit} rows; there are more"


def _understood(
    graph: "Graph", questions: "Mapping[str, Question]", name: str, words: list[str]
) -> "tuple[Question, dict[str, Any], Sequence[WordReading]]":
    """The question that is meant with its values; of plain words also the ways to read them, the best first."""
    from kg.ask.question import get_question
    from kg.ask.wording import understood

    text, given = _in_words(questions, name, words)
    readings = understood(graph.ask, questions.values(), text, graph.lexicon.metric_words) if text else []
    if readings and (other := _of_metric(graph, text, readings[0])) is not None:
        readings = [other, *readings]
    question = readings[0].question if readings else get_question(questions, name)
    values: dict[str, Any] = dict(readings[0].values) if readings else {}
    values |= read_parameters(given, {p.name: p.is_list for p in question.parameters})
    return question, values, readings


def _of_metric(graph: "Graph", text: str, first: "WordReading") -> "WordReading | None":
    """What to ask where the question that words mean has no rows: the claims of the thing and the metric they name."""
    from kg.ask.wording import claims_of_metric

    found = claims_of_metric(graph.ask, graph.questions().values(), text, graph.lexicon.metric_words)
    if found is None or found.question == first.question:
        return None
    values: dict[str, Any] = dict(first.values)
    return None if graph.ask(first.question.name, limit=1, **values).rows else found


def _texts_first(graph: "Graph", answer: "Answer", options: ListOptions) -> "Answer":
    """The claims of texts; what rows of published files give is told next to them."""
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
    return (text, given[behind:]) if not named and " " in text.strip() else ("", given)


def _write_understood(answer: "Answer", readings: "Sequence[WordReading]", values: "Mapping[str, object]") -> None:
    """The answer to plain words for programs: which question was taken, with which values, the next ones, and the rows."""
    from kg.cli.render import write_json

    taken, *others = readings
    asked = {
        "name": taken.question.name,
        "title": taken.question.title,
        "values": dict(values),
        "command": taken.command,
    }
    write_json({"question": {**asked, "next": [one.command for one in others]}, "rows": list(answer.dicts())})


def _write_answer(answer: "Answer", question: "Question", wanted: tuple[str, ...], form: Format, *, wide: bool) -> None:
    """The rows with the columns named, else those of the header for people, else all; people read metrics and units by name."""
    from kg.answers.claim import bare
    from kg.cli.render import write_rows

    if form is Format.table and not wanted and not wide and answer.rows:
        _write_for_people(answer, question)
        return
    people = form in (Format.table, Format.markdown)
    shown = wanted or (question.shown if people and not wide else ()) or answer.columns
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
    if topic is None and form in (Format.table, Format.markdown):
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


def _query_of(name: str, content: str | None, given: list[str], limit: int | None, *, in_cypher: bool) -> str:
    """The whole text of a question with the values that were given, or those of its example."""
    from kg.ask.bind import bind
    from kg.ask.run import cypher_with_values

    question = _question_of(name, content)
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
