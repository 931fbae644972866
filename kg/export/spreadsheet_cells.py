"""Texts in CSV that no spreadsheet takes for a formula, by one rule for every file and every output."""

import re
from typing import Final

# What spreadsheets take for the start of a formula (OWASP, "CSV injection"), the wide forms of the
# signs among it, and the apostrophe itself, so that taking one away is always right.
_STEERING: Final = frozenset("=+-@\t\r\n'＝＋－＠")
_NEGATIVE: Final = re.compile(r"-(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def neutral(text: str) -> str:
    r"""A text cell that no spreadsheet takes for a formula: an apostrophe goes before the signs that start one.

    An apostrophe at the start gets another one, so that taking one away always gives the text back. A negative number
    is none: a spreadsheet shows it as it is, and a program reads it.

    >>> neutral("=1+1"), neutral("-3"), neutral("-3 %"), neutral("'a"), neutral("a=b")
    ("'=1+1", '-3', "'-3 %", "''a", 'a=b')
    """
    # no form of CSV holds it
    text = text.replace("\x00", "\ufffd")
    return "'" + text if text[:1] in _STEERING and text and not _NEGATIVE.fullmatch(text) else text


def original(text: str) -> str:
    """What a text cell was before it was made neutral.

    >>> original(neutral("=1+1")), original(neutral("'a")), original("b")
    ('=1+1', "'a", 'b')
    """
    return text.removeprefix("'")
