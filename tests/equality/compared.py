"""Rows of two engines side by side."""

from collections import Counter
from collections.abc import Iterator

from kg.ask.question import Question
from kg.stores.protocol import Answer, Cell
from tests.equality.engines import Engine, Values

Rows = Counter[tuple[Cell, ...]]


def plain(cell: Cell) -> Cell:
    """A cell in its plainest form: a whole number is one whichever type it has, truth is not a number."""
    if isinstance(cell, bool):
        return f"{cell}"
    return float(cell) if isinstance(cell, int | float) else cell


def counted(answer: Answer) -> Rows:
    return Counter(tuple(plain(cell) for cell in row) for row in answer.rows)


def differences(question: Question, values: Values, expected: Engine, engines: dict[str, Engine]) -> Iterator[str]:
    """What differs, in a few lines for each engine; nothing when nothing does. Who is right is asked once."""
    wanted = counted(expected.ask(question, values))
    for name, engine in engines.items():
        found = counted(engine.ask(question, values))
        if wanted != found:
            yield told(name, question, values, wanted, found)


def told(name: str, question: Question, values: Values, wanted: Rows, found: Rows) -> str:
    """A difference in a few lines."""
    shown = [f"{question.name} {values} on {name}: {wanted.total()} rows expected, {found.total()} given"]
    shown += [f"  missing: {row}" for row in sorted(map(str, (wanted - found)))[:3]]
    shown += [f"  too many: {row}" for row in sorted(map(str, (found - wanted)))[:3]]
    return "\n".join(shown)
