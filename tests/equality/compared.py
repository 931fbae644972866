"""Rows of two engines side by side."""

from collections import Counter
from collections.abc import Iterator
from math import isclose

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


def differences(
    question: Question, values: Values, expected: Engine, engines: dict[str, Engine], *, lost: list[str] | None = None
) -> Iterator[str]:
    """What differs, in a few lines for each engine; nothing when nothing does. Who is right is asked once.

    Where `lost` is given, an engine may leave single cells empty; each such row is told there.
    """
    wanted = counted(expected.ask(question, values))
    for name, engine in engines.items():
        found = counted(engine.ask(question, values))
        if wanted == found:
            continue
        if lost is not None and only_lost(wanted - found, found - wanted):
            lost.append(told(name, question, values, wanted, found))
        else:
            yield told(name, question, values, wanted, found)


def only_lost(wanted: Rows, found: Rows) -> bool:
    """Whether rows are those that were wanted but for cells that are empty, and figures that were printed with six digits.

    >>> only_lost(Counter([(1, 2)]), Counter([(1, None)])), only_lost(Counter([(1, 2)]), Counter([(1, 3)]))
    (True, False)
    """
    rest = list(wanted.elements())
    for row in sorted(found.elements(), key=lambda one: one.count(None)):
        whole = next((one for one in rest if all(map(_may_be, one, row))), None)
        if whole is None:
            return False
        rest.remove(whole)
    return not rest


def _may_be(wanted: Cell, found: Cell) -> bool:
    if isinstance(wanted, float) and isinstance(found, float):
        return isclose(wanted, found, rel_tol=1e-5)
    return found is None or wanted == found


def told(name: str, question: Question, values: Values, wanted: Rows, found: Rows) -> str:
    """A difference in a few lines."""
    shown = [f"{question.name} {values} on {name}: {wanted.total()} rows expected, {found.total()} given"]
    shown += [f"  missing: {row}" for row in sorted(map(str, (wanted - found)))[:3]]
    shown += [f"  too many: {row}" for row in sorted(map(str, (found - wanted)))[:3]]
    return "\n".join(shown)
