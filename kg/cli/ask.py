"""`kg ask`: saved questions."""

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kg.cli.options import ListOptions
from kg.cli.question_answer import FOR_PEOPLE, AskedQuestion, put_first, remarks, texts_first, write_answer
from kg.cli.question_list import list_questions
from kg.cli.question_options import AskOptions, named_columns, read_parameters
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.answers.worded_question import QuestionRows
    from kg.ask.question import Question
    from kg.session import Graph

_EXPLAINED: Final = frozenset({"--content", "--format"})
FOR_TYPER = {
    "add_help_option": False,
    "context_settings": {"allow_extra_args": True, "ignore_unknown_options": True},
}
"""The parameters of a question are its own, and so is its help."""
_NameArgument = Annotated[
    str | None,
    typer.Argument(
        help="name of a saved question, a question in plain words, or a topic; without it the topics are listed"
    ),
]


def ask(context: typer.Context, name: _NameArgument = None, *, options: AskOptions) -> None:
    """Run a saved question with its own parameters (--PARAM VALUE), answer one in plain words, or list the questions.

    Example: kg ask "which claims compare GB200 against H200"
    """
    if options.helped:
        sys.stdout.write(f"{context.get_help()}\n" if name is None else _help_of(name, options.content))
        return
    spoken = options.spoken  # a language that is not known is refused before the graph is opened
    if name is not None and options.as_query:
        typer.echo(_query_of(name, options, context.args, in_cypher=spoken == "cypher"), nl=False)
        return
    _explain_instead(context, name, options)
    graph = options.open()
    questions = graph.questions()
    if name is None or _is_topic(questions, name, context.args):
        list_questions(questions, name, options.form, options.limit, quiet=options.quiet)
        return
    from kg.answers.worded_question import QuestionRows

    rows = QuestionRows(graph.ask, limit=options.limit, sums_published=not options.published, language=spoken)
    text, given = _in_words(questions, name, context.args)
    text = text or _name_alone(graph, name, given)
    try:
        asked = _understood(graph, rows, text, given) if text else _named(questions, name, given)
    except UsageError as unsure:
        if (words := _other_command(graph, unsure, options)) is None:
            raise
        passed_over = getattr(unsure, "left_over", ())
        raise typer.Exit(_run_instead([*words, *_options_given(context), *given], options, passed_over)) from None
    _answer(graph, rows, asked, text, options)


def _name_alone(graph: "Graph", name: str, given: Sequence[str]) -> str:
    """The name of a thing that is given in place of a question's; empty for any other."""
    return name if name not in graph.questions() and not given and _is_name(graph, name) else ""


def _answer(graph: "Graph", rows: "QuestionRows", asked: AskedQuestion, text: str, options: AskOptions) -> None:
    """Run a question that is understood, and show its rows; `text` are the plain words it was asked in, if it was."""
    from kg.answers.first_answer import sums_up
    from kg.answers.worded_question import within

    filters = [*asked.filters, *options.filters(graph, asked.question)]
    wanted = named_columns(asked.question, options.columns)
    meant = asked.rows(filters, text)
    # a line on all rows is of all rows, not of those that a limit leaves
    whole = rows.whole(asked.question, asked.values, filters) if sums_up(meant) else None
    answer = rows.of(asked.question, asked.values, filters) if whole is None else whole
    if asked.question.sums_published and not options.published:
        answer = texts_first(graph, answer, options)  # sums up all rows, and cuts those of texts
    answer = within(answer, options.limit)
    first = graph.first_answer(meant, answer if whole is None else whole)
    if options.form in FOR_PEOPLE:
        put_first(first)
    cut_from = None if options.limit is None else whole or answer
    write_answer(graph, answer, asked, wanted, options.form, wide=options.wide, whole=cut_from, first=first)
    for line in remarks(graph, asked.readings, meant, answer, first):
        options.tell(line)
    if not answer.complete:
        options.tell(f"cut at {options.limit} rows; there are more")
    options.name_questions([asked.question.name])


def _explain_instead(context: typer.Context, name: str | None, options: AskOptions) -> None:
    """Answer what a word of the glossary means by `kg explain`, and end; nothing for other words."""
    if name is not None and (word := _word_asked(context, name, options)) is not None:
        raise typer.Exit(_run_instead(["explain", *shlex.split(word), *_of_explain(context)], options, ()))


def _word_asked(context: typer.Context, name: str, options: AskOptions) -> str | None:
    """The word of the glossary of which people ask what it means."""
    from kg.ask.outright import word_meant
    from kg.cli.explain import is_explained

    spoken = " ".join((name, *context.args))
    word = word_meant(spoken) if " " in spoken and options.form in FOR_PEOPLE else None
    return word if word is not None and is_explained(word, options.content) else None


def _of_explain(context: typer.Context) -> list[str]:
    """The options given that `kg explain` has too."""
    given = list(_options_given(context))
    return [word for place in range(len(given) - 1) if given[place] in _EXPLAINED for word in given[place : place + 2]]


def _help_of(name: str, content: str | None) -> str:
    """The help of one question."""
    from kg.cli.ask_help import question_help, question_of

    return question_help(question_of(name, content))


def _query_of(name: str, options: ListOptions, given: list[str], *, in_cypher: bool) -> str:
    """The whole text of a question with its values."""
    from kg.cli.ask_help import question_of, question_query

    return question_query(question_of(name, options.content), given, limit=options.limit, in_cypher=in_cypher)


def _is_topic(questions: "Mapping[str, Question]", name: str, words: list[str]) -> bool:
    """Whether a topic is named; "energy per token" begins with the name of one and is a question in words."""
    is_alone = not words or words[0].startswith("--")
    return is_alone and name not in questions and any(one.topic == name for one in questions.values())


def _in_words(questions: "Mapping[str, Question]", name: str, given: list[str]) -> tuple[str, list[str]]:
    """A question in plain words, in quotes or not, and the options behind it; no words where a saved question is named."""
    behind = next((place for place, word in enumerate(given) if word.startswith("--")), len(given))
    text = " ".join((name, *given[:behind]))
    # "best" alone is short for benchmarks/best, "best result of the B200" is not
    named = name in questions or (behind == 0 and any(one.endswith(f"/{name}") for one in questions))
    # a single word with a digit is a name or a figure: no name of a question has one
    in_words = not named and (" " in text.strip() or any(one.isdigit() for one in name.partition("/")[0]))
    return (text, given[behind:]) if in_words else ("", given)


def _is_name(graph: "Graph", word: str) -> bool:
    """Whether one word is the name of something: all that is stated of it is asked for."""
    return "/" not in word and bool(graph.ask("names/resolve", thing=[word]).rows)


def _named(questions: "Mapping[str, Question]", name: str, given: list[str]) -> AskedQuestion:
    """The saved question of a name with its values."""
    from kg.ask.question import get_question

    question = get_question(questions, name)
    return AskedQuestion(question, read_parameters(given, {p.name: p.is_list for p in question.parameters}), ())


def _understood(graph: "Graph", rows: "QuestionRows", text: str, given: list[str]) -> AskedQuestion:
    """The saved question that plain words mean, with its values; raises `UnsureQuestion` where they mean none for certain."""
    readings = graph.readings(text, rows)
    question = readings[0].question
    values = {**readings[0].values, **read_parameters(given, {p.name: p.is_list for p in question.parameters})}
    return AskedQuestion(question, values, readings)


_RUN_INSTEAD: Final = frozenset({"audit", "conflicts", "impact", "origins", "show", "verify"})
"""The commands that answer words without a file to be named or written."""


def _other_command(graph: "Graph", refused: UsageError, options: ListOptions) -> list[str] | None:
    """The command that answers the words instead, with all that it needs: of a figure, where it comes from.

    Any other is for people only; programs read the rows of a question.
    """
    from kg.answers.worded_question import command_words, traced_figure
    from kg.ask.unsure_question import UnsureQuestion

    if not isinstance(refused, UnsureQuestion):
        return None

    def is_stated(figure: str) -> bool:
        return bool(graph.trace(figure).claims)

    figure = traced_figure(refused, is_stated)
    if figure is not None:
        return ["trace", figure, *(word for name in refused.traced_about for word in ("--about", name))]
    words = command_words(refused, is_stated)
    whole = bool(words) and words[0] in _RUN_INSTEAD and not any(one in ("FIGURE", "FILE") for one in words)
    return words if whole and options.form in FOR_PEOPLE else None


def _options_given(context: typer.Context) -> Iterator[str]:
    """The options of the command line, to be given to another command; one that it does not have it refuses itself."""
    for one in context.command.params:
        source = context.get_parameter_source(one.name or "")
        if one.param_type_name != "option" or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[one.name or ""]
        if isinstance(value, bool):
            yield one.opts[0]
            continue
        for each in value if isinstance(value, list | tuple) else (value,):
            yield from (one.opts[0], str(each))


def _run_instead(words: list[str], options: ListOptions, passed_over: Sequence[str]) -> int:
    """Answer by another command, with the same options; returns its exit code. What it passes over is said."""
    from kg.cli.app import run

    options.tell(f"asked: {shlex.join(('kg', *words))}")
    if passed_over and words[0] != "trace":  # a number is traced with all that was named with it
        options.tell(f"not considered: {', '.join(passed_over)}")
    return run(words)
