"""What words ask for that the rows do not say: figures where only words are stated, and the link that is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kg.ask.plain_words import MARKS
from kg.model.names import name_key

if TYPE_CHECKING:
    from kg.answers.asking import Ask
    from kg.stores.protocol import Answer

_LINK: Final = "interconnect/"
_VALUE: Final = "canonical_value"


def link_not_named(ask: Ask, text: str, answer: Answer) -> str | None:
    """The link that words name and no row does: the NVLink bandwidth of a chip is not that of any link of its cluster."""
    words = name_key(MARKS.sub(" ", text)).split()
    if not words or not answer.rows:
        return None
    rows = ask("names/resolve", thing=words).dicts()
    named = (row for row in rows if str(row["entity"]).startswith(_LINK) and row["match"] == "named")
    links = {str(row["thing"]): str(row["label"]) for row in named}
    said = "\n".join(str(cell) for row in answer.rows for cell in row).casefold()
    return next(iter(links.values())) if links and not any(one in said for one in links) else None


def only_words(answer: Answer) -> bool:
    """Whether there are claims and none has a figure, nor a digit in its print, as a date has.

    >>> from kg.stores.protocol import Answer
    >>> columns = ("printed", "canonical_value")
    >>> [only_words(Answer(columns, rows)) for rows in ((("higher", None),), (("Q2", None),), (("4 W", 4.0),), ())]
    [True, False, False, False]
    """
    if _VALUE not in answer.columns or not answer.rows:
        return False
    value, printed = answer.columns.index(_VALUE), answer.columns.index("printed")
    return all(row[value] is None and not any(map(str.isdigit, str(row[printed]))) for row in answer.rows)
