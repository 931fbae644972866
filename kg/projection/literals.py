"""Literals of N-Triples."""

import re
from typing import Final

from kg.model.dates import is_date
from kg.model.vocabulary import expand

_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')
_DAY = re.compile(r"(?P<gYear>[0-9]{4})|(?P<gYearMonth>[0-9]{4}-[0-9]{2})|(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})")
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
XSD: Final = {
    name: f"^^<{expand('xsd:' + name)}>"
    for name in ("double", "integer", "boolean", "date", "gYearMonth", "gYear", "decimal", "hexBinary")
}
"""What follows the text of a typed literal."""


def quoted(text: str) -> str:
    r"""A plain literal in N-Triples.

    >>> print(quoted('a "b"\n'))
    "a \"b\"\n"
    """
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(lambda m: _NAMED.get(m.group()) or f"\\u{ord(m.group()):04X}", text)
    return f'"{text}"'


def number(value: float) -> str:
    """A number as an xsd:double literal in its shortest form.

    >>> number(72428)
    '"72428.0"^^<http://www.w3.org/2001/XMLSchema#double>'
    """
    # `repr` is the shortest text that reads back as the same double, so that equal values are equal literals.
    return f'"{float(value)!r}"{XSD["double"]}'


def day(text: str) -> str:
    """A day, a month or a year with the datatype of its precision; a quarter or half of a year has none and stays text.

    Engines do not order values of two precisions: queries compare the texts, which sort as dates do. A condition may hold a day
    that no calendar has, which stays text too.

    >>> print(day("2025-08-13"), day("2025"), day("2025-Q3"), day("2025-02-30"))
    "2025-08-13"^^<http://www.w3.org/2001/XMLSchema#date> "2025"^^<http://www.w3.org/2001/XMLSchema#gYear> "2025-Q3" "2025-02-30"
    """
    found = _DAY.fullmatch(text)
    return quoted(text) if found is None or not is_date(text) else f'"{text}"{XSD[str(found.lastgroup)]}'
