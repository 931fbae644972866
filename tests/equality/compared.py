"""Rows of two engines side by side."""

from collections import Counter

from kg.ask.question import Question
from kg.stores.protocol import Answer, Cell
from tests.equality.engines import Engine, Values


def plain(cell: Cell) -> Cell:
    """A cell in its plainest form: a whole number is one whichever type it has, truth is not a number."""
    if isinstance(cell, bool):
        return f"{cell}"
    return float(cell) if isinstance(cell, int | float) else cell


def counted(answer: Answer) -> Counter[tuple[Cell, ...]]:
    return Counter(tuple(plain(cell) for cell in row) for row in answer.rows)


def difference(name: str, question: Question, values: Values, expected: Engine, given: Engine) -> str | None:
    """What differs, in a few lines; None when nothing does."""
    wanted, found = counted(expected.ask(question, values)), counted(given.ask(question, values))
    if wanted == found:
        return None
    shown = [f"{question.name} {values} on {name}: {wanted.total()} rows expected, {found.total()} given"]
    shown += [f"  missing: {row}" for row in sorted(map(str, (wanted - found)))[:3]]
    shown += [f"  too many: {row}" for row in sorted(map(str, (found - wanted)))[:3]]
    return "\n".join(shown)
