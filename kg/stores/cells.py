"""RDF literals as cells of an answer, and rows in order, the same whichever store they come from."""

from collections.abc import Callable
from math import inf
from operator import itemgetter
from typing import Final

from kg.stores.protocol import Answer, Cell, Row

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS: Final = frozenset(f"{_XSD}{name}" for name in ("double", "float", "decimal"))
_INTEGERS: Final = frozenset(f"{_XSD}{name}" for name in ("integer", "int", "long", "nonNegativeInteger"))
_BOOLEAN: Final = f"{_XSD}boolean"
_MOST_DIGITS: Final = 300
BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
"""The forms of an `xsd:boolean` and their values."""


def literal_cell(value: str, datatype: str | None) -> Cell:
    """A number, a boolean or a text; a text that only claims to be a number stays a text.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> literal_cell("7.50", f"{xsd}decimal"), literal_cell("abc", f"{xsd}integer"), literal_cell("1", f"{xsd}boolean")
    (7.5, 'abc', True)
    >>> literal_cell("1_000", f"{xsd}integer"), literal_cell("maybe", f"{xsd}boolean"), literal_cell(" false", f"{xsd}boolean")
    ('1_000', 'maybe', False)
    >>> isinstance(literal_cell("9" * 400, f"{xsd}integer"), str)
    True
    """
    if datatype == _BOOLEAN:
        return BOOLEANS.get(value.strip(), value)
    # Python reads digits with underscores between them; RDF has none.
    kind = None if "_" in value else float if datatype in _NUMBERS else int if datatype in _INTEGERS else None
    try:
        # Nothing is computed with a whole number that no double holds.
        return value if kind is None or (kind is int and len(value) > _MOST_DIGITS) else kind(value)
    except ValueError:
        return value


def ordered(answer: Answer, order: tuple[tuple[str, bool], ...]) -> tuple[Row, ...]:
    """The rows in an order; what is not known comes first, numbers before texts.

    >>> ordered(Answer(("a", "b"), ((2, "x"), (None, "y"), (1, "z"))), (("a", False),))
    ((None, 'y'), (1, 'z'), (2, 'x'))
    >>> ordered(Answer(("a",), ((10**400,), (1,))), (("a", False),))[0]
    (1,)
    """
    rows = list(answer.rows)
    # Sorts are stable: by the last key first, so that the first one decides.
    for name, descends in reversed(order):
        cell = itemgetter(answer.columns.index(name))
        # texts alone are in the order of their ranks, which are made one by one
        has_only_texts = {str}.issuperset(map(type, map(cell, rows)))
        rows.sort(key=cell if has_only_texts else _by(cell), reverse=descends)
    return tuple(rows)


def _by(cell: Callable[[Row], Cell]) -> Callable[[Row], tuple[int, float, str]]:
    return lambda row: _rank(cell(row))


def _rank(cell: Cell) -> tuple[int, float, str]:
    if cell is None:
        return 0, 0.0, ""
    if isinstance(cell, str):
        return 2, 0.0, cell
    try:
        return 1, float(cell), ""
    except OverflowError:  # a server may answer with whole numbers that no float holds
        return 1, inf if cell > 0 else -inf, ""
