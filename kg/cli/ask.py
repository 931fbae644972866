"""`kg ask`: saved questions."""

import sys
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from kg.cli.options import (
    ContentOption,
    ExplainOption,
    Format,
    FormatOption,
    LimitOption,
    QuietOption,
    StoreOption,
    TimeoutOption,
    open_for_reading,
    talker,
)  # fmt: skip
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.ask.question import Question
    from kg.stores.protocol import Language


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "ask", add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
    )(ask)


def ask(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="name of a saved question; without it they are listed")] = None,
    form: FormatOption = Format.table, limit: LimitOption = None, store: StoreOption = None, content: ContentOption = None,
    language: Annotated[
        str | None, typer.Option("--language", help="sparql or cypher (default: that of the store)")
    ] = None,
    as_query: Annotated[bool, typer.Option("--query", help="print the whole text of the question with its values, to run elsewhere")] = False,
    timeout: TimeoutOption = 60.0, explain: ExplainOption = False, quiet: QuietOption = False,
    helped: Annotated[bool, typer.Option("-h", "--help", help="show this message, after NAME the parameters of the question, and exit")] = False,
) -> None:  # fmt: skip
    """Run a saved question with its own parameters (--PARAM VALUE), or list the questions.

    Example: kg ask comparisons/compare --a GB200 --b H200
    """
    from kg.ask.question import get_question
    from kg.cli.render import write_rows

    if helped:
        sys.stdout.write(f"{context.get_help()}\n" if name is None else _help_of(name, content))
        return
    if language not in (None, "sparql", "cypher"):
        raise UsageError(field="--language", given=language, expected="sparql or cypher")
    if name is not None and as_query:
        typer.echo(_query_of(name, content, context.args, limit, in_cypher=language == "cypher"), nl=False)
        return
    graph = open_for_reading(store, content, quiet=quiet, timeout=timeout)
    questions = graph.questions()
    if name is None:
        rows = [
            (one.name, one.question, " ".join(f"--{p.name}" if p.required else f"[--{p.name}]" for p in one.parameters))
            for one in questions.values()
        ]
        write_rows(("name", "question", "parameters"), sorted(rows)[:limit], form)
        if limit and limit < len(rows):
            talker(quiet)(f"cut at {limit} of {len(rows)} questions")
        return
    question = get_question(questions, name)
    values: dict[str, Any] = read_parameters(context.args, {p.name: p.is_list for p in question.parameters})
    answer = graph.ask(question.name, limit=limit, language=cast("Language | None", language), **values)
    write_rows(answer.columns, answer.rows, form)
    tell = talker(quiet)
    if not answer.rows:
        from kg.answers.empty_answer import why_no_rows

        tell("no rows")
        for line in why_no_rows(graph, question, values):
            tell(line)
    if not answer.complete:
        tell(f"cut at {limit} rows; there are more")
    if explain:
        tell(f"question: {question.name}")


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
