"""What is given to `kg ask` besides the question: values of its parameters, filters of its rows, its columns, its language."""

from typing import TYPE_CHECKING, cast

from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.ask.question import Question
    from kg.ask.row_filters import RowFilter
    from kg.session import Graph
    from kg.stores.protocol import Language


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


def given_filters(
    graph: "Graph",
    question: "Question",
    *,
    only: list[str] | None,
    value: list[str] | None,
    since: str | None,
    until: str | None,
    newest: bool,
    highest: bool,
    lowest: bool,
) -> "list[RowFilter]":
    """The filters of the options; a question without a column that one looks at is refused."""
    from kg.ask.row_filters import RowFilter, date_filter, named_filter, value_filter

    filters = [named_filter(graph.ask, name) for name in only or ()]
    filters += [value_filter(given, graph.lexicon.units) for given in value or ()]
    filters += [date_filter(since, until)] if since or until else []
    filters += [RowFilter(newest=True)] if newest else []
    if highest and lowest:
        raise UsageError(field="--highest", given="--lowest too", expected="one order of the rows")
    filters += [RowFilter(order="highest" if highest else "lowest")] if highest or lowest else []
    _check_columns(question, filters)
    return filters


def _check_columns(question: "Question", filters: "list[RowFilter]") -> None:
    for one in filters:
        if not one.columns(question):
            raise UsageError(
                f"{question.name} has no column to keep rows by.",
                field=one.options[0],
                given=" ".join(one.options[1:]) or None,
                expected="a question with such a column",
                next_step=f"kg ask {question.name} --help lists its columns",
            )


def named_columns(question: "Question", given: str | None) -> tuple[str, ...]:
    """The columns that were asked for; one that the question does not have is refused."""
    named = tuple(one.strip() for one in given.split(",")) if given is not None else ()
    for one in named:
        if one not in question.column_names:
            raise UsageError(field="--columns", given=one, expected=", ".join(question.column_names))
    return named


def known_language(given: str | None) -> "Language | None":
    """The language that is asked for; another is refused."""
    if given not in (None, "sparql", "cypher"):
        raise UsageError(field="--language", given=given, expected="sparql or cypher")
    return cast("Language | None", given)
