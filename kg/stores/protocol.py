"""What every store can do for the reading commands: run one read-only query and give rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

Cell = str | float | int | bool | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows under their column names, whether anything was cut, and the language used."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    complete: bool = True

    def dicts(self) -> Iterator[dict[str, Cell]]:
        """Each row as a mapping."""
        for row in self.rows:
            yield dict(zip(self.columns, row, strict=True))


class Store(Protocol):
    """A place that answers SPARQL."""

    def select(self, text: str, *, limit: int | None = None) -> Answer:
        """Run a SELECT (or ASK) query; at most `limit` rows are read."""
        ...

    def graph(self, text: str) -> bytes:
        """Run a CONSTRUCT or DESCRIBE query; N-Triples come back."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
