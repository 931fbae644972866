"""Literals of N-Triples."""

import re
from typing import Final

from kg.model.vocabulary import expand

_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')
_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
XSD: Final = {
    name: f"^^<{expand('xsd:' + name)}>" for name in ("double", "integer", "boolean", "date", "decimal", "hexBinary")
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
    return f'"{float(value)!r}"{XSD["double"]}'
