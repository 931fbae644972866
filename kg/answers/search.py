"""What a text in a search box means: a number, two names, an id, a name of one thing, or words to look for."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from kg.answers.asking import Ask, Asker
from kg.answers.show import show

SearchKind = Literal["number", "pair", "claim", "thing", "source", "words"]
# meets "H200 vs H100"; not "vs H100", which has one name
_PAIR: Final = re.compile(r"(.+?)\s+(?:vs\.?|versus|against)\s+(.+)", re.IGNORECASE)
# meets "~72,428 token/s" and "$3.1M"; not "h100", which begins with a letter
_NUMBER: Final = re.compile(
    r"[~≈<>]?\s*[$€¥]?\s*[+-]?[.,]?\d[\d.,\s]*\s*(?:[-–]\s*\d[\d.,]*)?\s*[^\s\d]?[^\s]{0,14}(?:\s[A-Za-zµ/%]{1,10})?"
)
# meets "002/r1.gb200" and "accelerator/nvidia-h200"; not "token / s"
_ID: Final = re.compile(r"[A-Za-z0-9][\w.:+-]*/[^\s]+")


class Search(NamedTuple):
    """What is meant, with the words for it: two of a pair, else one."""

    kind: SearchKind
    words: tuple[str, ...]


def read_search(ask: Ask, given: str) -> Search:
    """What a text means; an id or a name counts where something has it, a name where it names one thing."""
    text = " ".join(given.split())
    pair = _PAIR.fullmatch(text)
    if pair:
        return Search("pair", (pair[1], pair[2]))
    if _ID.fullmatch(text):
        shown = show(ask, text)
        if shown.kind in ("claim", "source", "entity", "metric"):
            kind: SearchKind = "claim" if shown.kind == "claim" else "source" if shown.kind == "source" else "thing"
            return Search(kind, (text.removeprefix("source/"),))
    named = [row for row in Asker(ask).rows("names/resolve", thing=[text]) if row["match"] == "named"]
    if len(named) == 1:
        return Search("thing", (str(named[0]["entity"]),))
    if _NUMBER.fullmatch(text):
        return Search("number", (text,))
    return Search("words", (text,))
