"""How many there are, where plain words ask for that: the sum of a column of counts, or how many different ones rows name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kg.model.counting import counted

if TYPE_CHECKING:
    from kg.stores.protocol import Answer

_SUMMED: Final = ("claim", "result")
"""What columns count of which each row counts others; the accelerators of several systems are no sum that anybody asks for."""
_NAMED: Final = ("submitter", "source", "round", "task")
# meets "how many wrong claims" and "number of submitters"
_HOW_MANY: Final = re.compile(
    rf"\s*(?:how many|number of) (?:\w+ )?(?P<noun>{'|'.join((*_SUMMED, *_NAMED))})s?\b", re.IGNORECASE
)


def counted_rows(text: str, answer: Answer) -> str:
    """One line that answers how many there are; empty where the words do not ask for it or rows were cut.

    >>> from kg.stores.protocol import Answer
    >>> rows = Answer(("source", "claims"), (("source/001", 5), ("source/002", 20)))
    >>> counted_rows("how many claims are wrong", rows), counted_rows("how many sources are there", rows)
    ('25 claims', '2 sources')
    >>> counted_rows("which claims are wrong", rows)
    ''
    """
    asked = _HOW_MANY.match(text)
    if asked is None or not answer.complete or not answer.rows:
        return ""
    noun = asked["noun"].casefold()
    if noun in _SUMMED and f"{noun}s" in answer.columns:
        place = answer.columns.index(f"{noun}s")
        return counted(sum(int(str(row[place])) for row in answer.rows), noun)
    if noun in _NAMED and noun in answer.columns:
        place = answer.columns.index(noun)
        return counted(len({row[place] for row in answer.rows if row[place] is not None}), noun)
    return ""
