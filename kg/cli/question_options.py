"""What is given to `kg ask` besides the question: values of its parameters, filters of its rows, its columns, its language."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, cast

import typer

from kg.cli.options import ListOptions, PublishedOption
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.ask.question import Question
    from kg.ask.row_filters import RowFilter
    from kg.session import Graph
    from kg.stores.protocol import Language


@dataclass(frozen=True, slots=True)
class AskOptions(ListOptions):
    """How a question is asked, and which of its rows and columns are shown."""

    language: Annotated[
        str | None, typer.Option("--language", help="sparql or cypher (default: that of the store)")
    ] = None
    as_query: Annotated[
        bool, typer.Option("--query", help="print the whole text of the question with its values, to run elsewhere")
    ] = False
    columns: Annotated[
        str | None, typer.Option("--columns", help="show these columns, named with commas between them")
    ] = None
    wide: Annotated[
        bool, typer.Option("--wide", help="show all columns, not only those that a table shows by default")
    ] = False
    published: PublishedOption = False
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help="keep the rows about this thing or metric; of two chips those of both; may be given several times",
        ),
    ] = None
    without: Annotated[
        list[str] | None,
        typer.Option("--without", help="leave out the rows about this thing; may be given several times"),
    ] = None
    value: Annotated[
        list[str] | None,
        typer.Option(
            "--value", help="keep the rows whose figure is above or below one, such as '>100 GB' or '<=700 W'"
        ),
    ] = None
    accelerators: Annotated[
        str | None,
        typer.Option(
            "--accelerators", help="keep the results or systems with this number of accelerators, such as 72 or '>=8'"
        ),
    ] = None
    since: Annotated[
        str | None, typer.Option("--since", help="keep the rows of this date (2024, 2024-05) and later")
    ] = None
    until: Annotated[str | None, typer.Option("--until", help="keep the rows of this date and earlier")] = None
    newest: Annotated[
        bool, typer.Option("--newest", help="keep the rows of the newest round of each benchmark, or of the newest day")
    ] = False
    highest: Annotated[bool, typer.Option("--highest", help="the rows with the highest figures first")] = False
    lowest: Annotated[bool, typer.Option("--lowest", help="the rows with the lowest figures first")] = False
    by: Annotated[
        str | None,
        typer.Option("--by", help="the column of numbers that --highest and --lowest look at, if not the value"),
    ] = None
    helped: Annotated[
        bool,
        typer.Option("-h", "--help", help="show this message, after NAME the parameters of the question, and exit"),
    ] = False

    @property
    def spoken(self) -> "Language | None":
        """The language that is asked for; raises UsageError where there is no such one."""
        if self.language not in (None, "sparql", "cypher"):
            raise UsageError(field="--language", given=self.language, expected="sparql or cypher")
        return cast("Language | None", self.language)

    def filters(self, graph: "Graph", question: "Question") -> "list[RowFilter]":
        """What the rows are narrowed to or ordered by; a question without a column that one looks at is refused."""
        from kg.ask.row_filters import RowFilter, accelerators_filter, date_filter, named_filter, value_filter

        filters = [named_filter(graph.ask, name) for name in self.only or ()]
        filters += [
            replace(named_filter(graph.ask, name, field="--without"), excluded=True) for name in self.without or ()
        ]
        filters += [value_filter(given, graph.lexicon.units) for given in self.value or ()]
        filters += [accelerators_filter(self.accelerators)] if self.accelerators is not None else []
        filters += [date_filter(self.since, self.until)] if self.since or self.until else []
        filters += [RowFilter(newest=True)] if self.newest else []
        filters += self._order(question)
        _check_columns(question, filters)
        return filters

    def _order(self, question: "Question") -> "list[RowFilter]":
        """The order of the rows, where one is asked for; a column that the question does not have is refused."""
        from kg.ask.row_filters import order_filter

        if self.highest and self.lowest:
            raise UsageError(field="--highest", given="--lowest too", expected="one order of the rows")
        if not (self.highest or self.lowest):
            if self.by is not None:
                raise UsageError(field="--by", given=self.by, expected="--highest or --lowest with it")
            return []
        return [order_filter(question, "highest" if self.highest else "lowest", self.by)]


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
