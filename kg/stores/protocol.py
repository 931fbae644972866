"""What every store can do for the reading commands: run one read-only query and give rows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, Self

from kg.errors import QueryError, StoreError
from kg.model.result import Displayed, Net, Table, rows_net

Cell = str | float | int | bool | None
Row = tuple[Cell, ...]
Language = Literal["sparql", "cypher"]
QueryLanguage = Literal["sparql", "cypher", "sql"]
"""Saved questions are in the first two; the tables of a store are asked in SQL too."""


class JsonText(str):
    """The cell of a node, a relationship, a list or a map: a text everywhere but in JSON, which holds what it says."""

    __slots__ = ()


class DeadlinePassed(QueryError):
    """A query that did not end within its time."""

    code = "query.deadline"
    exit_code = 3

    @classmethod
    def after(cls, seconds: float) -> Self:
        """The error of a query that ran longer than its deadline, in seconds."""
        return cls(
            f"no answer after {seconds:g} s.",
            expected="a query that ends within its deadline",
            next_step="Ask for less, or give more time with --timeout",
        )


class LimitReached(StoreError):
    """The system allows this process less memory or fewer open files than an engine needs."""

    code = "store.limit"


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Displayed):
    """Rows under their column names, and whether that is all; a store that cannot know says it is."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    complete: bool = True

    def dicts(self) -> Iterator[dict[str, Cell]]:
        """Each row as a mapping."""
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))

    def headline(self) -> tuple[str, str | None, str | None]:
        """How many rows there are."""
        return f"{len(self.rows):,} rows", None, None if self.complete else "cut: there are more"

    def tables(self) -> Mapping[str, Table]:
        """The rows."""
        return {"rows": Table(self.columns, self.rows)}

    def net(self) -> Net:
        """Cells that are ids: the first of each row leads to the others."""
        return rows_net(self.columns, self.rows)


class Store(Protocol):
    """A place that answers SPARQL or Cypher; saved questions are asked in its language."""

    @property
    def language(self) -> Language:
        """The language of the texts it takes."""
        ...

    def select(
        self,
        text: str,
        *,
        parameters: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Answer:
        """Run a query that gives rows; at most `limit` of them are read.

        Parameters are those of the driver and for Cypher only: SPARQL has its values in the text.
        """
        ...

    def graph(self, text: str, *, timeout_seconds: float | None = None) -> bytes:
        """Run a query that gives a graph (CONSTRUCT or DESCRIBE); N-Triples come back."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
