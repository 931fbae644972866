"""Right answers from Virtuoso 7.2.5, which has two habits that others do not have.

It prints every double with six digits in every result format: the query is asked once more as an inner query, with the
digits of its figures beside them as text, and the rows are put together by everything else they say. And it loses values of
OPTIONAL parts inside OPTIONAL parts and behind a UNION, in plans it makes in some states of a server: such a text is asked
in plainer words instead. Other engines are asked once, in the words they were given.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from kg.stores.paraphrase import LIMIT, paraphrase
from kg.stores.protocol import Answer, Cell, Row

_PROLOGUE: Final = re.compile(r"(?:\s+|#[^\n]*\n|(?:PREFIX\s+[^\s<]*\s*|BASE\s*)<[^>]*>)*", re.IGNORECASE)
_DOUBLE: Final = "<http://www.w3.org/2001/XMLSchema#double>"
_NAME: Final = "{}_digits"
_MOST_SORTED: Final = 9_999


def with_digits(text: str, columns: Sequence[str], figures: Sequence[str]) -> str | None:
    r"""The query around a query that gives figures with all their digits; None for what is no SELECT.

    >>> print(with_digits("PREFIX k: <urn:k>\nSELECT ?a ?n { ?a k:hop ?n }", ["a", "n"], ["n"]))
    PREFIX k: <urn:k>
    SELECT ?a ?n (IF(DATATYPE(?n) = <http://www.w3.org/2001/XMLSchema#double>, bif:sprintf("%.17g", ?n), "") AS ?n_digits)
    WHERE { { SELECT ?a ?n { ?a k:hop ?n }
    } }
    """
    start = _PROLOGUE.match(text)
    begin = start.end() if start is not None else 0
    if text[begin : begin + 6].upper() != "SELECT":
        return None
    shown = " ".join(f"?{name}" for name in columns)
    digits = " ".join(
        f'(IF(DATATYPE(?{name}) = {_DOUBLE}, bif:sprintf("%.17g", ?{name}), "") AS ?{_NAME.format(name)})'
        for name in figures
    )
    return f"{text[:begin]}SELECT {shown} {digits}\nWHERE {{ {{ {text[begin:].strip()}\n}} }}"


def exact(answer: Answer, text: str, ask: Callable[[str], Answer]) -> Answer:
    """The same rows in the same order, with figures as they are stored."""
    figures = [
        name for place, name in enumerate(answer.columns) if any(isinstance(row[place], float) for row in answer.rows)
    ]
    again = with_digits(text, answer.columns, figures) if figures else None
    if again is None:
        return answer
    width = len(answer.columns)
    places = [answer.columns.index(name) for name in figures]
    found: dict[Row, list[Row]] = defaultdict(list)
    for row in ask(again).rows:
        whole: list[Cell] = list(row[:width])
        for place, digits in zip(places, row[width:], strict=True):
            if isinstance(digits, str) and digits:
                whole[place] = float(digits)
        found[row[:width]].append(tuple(whole))
    for rows in found.values():
        rows.sort(key=repr, reverse=True)
    return Answer(
        answer.columns, tuple(found[row].pop() if found.get(row) else row for row in answer.rows), answer.complete
    )


def refused_limit(text: str) -> int | None:
    """The LIMIT of a query where it is more rows than the server sorts.

    >>> refused_limit("SELECT ?a { ?a ?b ?c } LIMIT 15001"), refused_limit("SELECT ?a { ?a ?b ?c } LIMIT 9999")
    (15001, None)
    """
    found = LIMIT.search(text)
    return int(found[1]) if found is not None and int(found[1]) > _MOST_SORTED else None


def right(text: str, ask: Callable[[str], Answer], given: Answer | None) -> Answer:
    """The rows of a query as they are stored; `given` is what the server said to it, where it was asked already.

    A LIMIT that the server would refuse (it sorts 10,000 rows at most, unless it is told otherwise) is kept here.
    """
    limit = refused_limit(text)
    if limit is not None:
        answer = right(LIMIT.sub("", text), ask, None)
        return Answer(answer.columns, answer.rows[:limit], answer.complete)
    plain = paraphrase(text)
    if plain.texts == (text,):
        return exact(ask(text) if given is None else given, text, ask)
    return plain.together([exact(ask(one), one, ask) for one in plain.texts])
