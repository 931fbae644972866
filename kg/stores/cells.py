"""RDF literals as cells of an answer, the same whichever store they come from."""

from typing import Final

from kg.stores.protocol import Cell

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS: Final = frozenset(f"{_XSD}{name}" for name in ("double", "float", "decimal"))
_INTEGERS: Final = frozenset(f"{_XSD}{name}" for name in ("integer", "int", "long", "nonNegativeInteger"))
_BOOLEAN: Final = f"{_XSD}boolean"


def literal_cell(value: str, datatype: str | None) -> Cell:
    """A number, a boolean or a text; a text that only claims to be a number stays a text.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> literal_cell("7.50", f"{xsd}decimal"), literal_cell("abc", f"{xsd}integer"), literal_cell("1", f"{xsd}boolean")
    (7.5, 'abc', True)
    """
    try:
        if datatype in _NUMBERS:
            return float(value)
        if datatype in _INTEGERS:
            return int(value)
    except ValueError:
        return value
    return value in ("true", "1") if datatype == _BOOLEAN else value
