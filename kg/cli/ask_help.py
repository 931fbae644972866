"""What is said of one saved question without a store: its parameters with types and examples, and its whole text."""

import shlex
from collections.abc import Iterator

from kg.ask.question import Parameter, Question, Value
from kg.cli.question_options import read_parameters
from kg.render.lines import wrapped


def question_help(question: Question) -> str:
    """How a question is asked, what it takes and what it gives; the last line runs."""
    return "\n".join(_lines(question)) + "\n"


def _lines(question: Question) -> Iterator[str]:
    yield from (f"Usage: kg ask {question.name} [--PARAM VALUE]... [OPTIONS]", "")
    yield from wrapped(f"{question.title}: {question.question}", "  ")
    yield from ("", "Parameters:" if question.parameters else "Parameters: none")
    for one in question.parameters:
        yield f"  --{one.name} <{one.type}>"
        yield from wrapped("; ".join(_told(one)), " " * 6)
    yield ""
    yield from wrapped("Columns: " + ", ".join(f"{one.name} ({one.type})" for one in question.columns), "  ", first="")
    yield from ("", "Options: those of kg ask --help", "", "  Example:", "", f"    {_example(question)}")


def _told(parameter: Parameter) -> Iterator[str]:
    if parameter.about:
        yield parameter.about
    if parameter.is_list:
        yield "may be repeated"
    if parameter.required:
        yield "needed"
    elif parameter.default is None:
        yield "may be left out"
    else:
        yield f"default: {', '.join(map(str, _each(parameter.default)))}"
    if parameter.example is not None:
        yield f"for example: {', '.join(map(str, _each(parameter.example)))}"


def _each(value: Value) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _example(question: Question) -> str:
    given = [
        word for name, value in question.example.items() for one in _each(value) for word in (f"--{name}", str(one))
    ]
    return shlex.join(["kg", "ask", question.name, *given])


def question_of(name: str, content: str | None) -> Question:
    """One question, read from its file."""
    from pathlib import Path

    from kg.ask.question import get_question
    from kg.ask.question_files import read_questions
    from kg.content.folders import find_content

    return get_question(read_questions(find_content(Path(content) if content else None).queries), name)


def question_query(question: Question, given: list[str], *, limit: int | None, in_cypher: bool) -> str:
    """The whole text of a question with the values that were given, or those of its example."""
    from kg.ask.bind import bind
    from kg.ask.run import cypher_with_values

    values = read_parameters(given, {p.name: p.is_list for p in question.parameters}) or question.example
    return cypher_with_values(question, values, limit=limit) if in_cypher else bind(question, values, limit=limit)
