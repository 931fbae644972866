"""Words as they are spelled: a slip of the keys is put right where nothing knows the word, and words joined by a stroke are two."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kg.ask.named_words import NamedWords
from kg.ask.plain_words import STOP
from kg.model.amount import NUMBER_WORDS
from kg.model.similar_names import similar_names

_SLIP: Final = 0.88
"""From which likeness on a word that nothing knows is taken for that of a metric."""
# shorter words are near to too many others
_LONG: Final = 6
_SHORTEST: Final = 4
_LEAST: Final = 3
_ASKING: Final = frozenset({"what", "when", "where", "which", "who", "whose", "why", "how"})
_JOINED: Final = re.compile(r"(?<![\w/])([A-Za-z]{3,})/([A-Za-z]{3,})(?![\w/])")
# meets "H-200", "mi 300 x" and "gb 200"; not "a 100", of which "a" is a word
_MODEL_APART: Final = re.compile(
    r"(?<![\w.$-])(?P<letters>(?!(?:a|an|or|of|in|to|is|at|by|the|top|has) )[A-Za-z]{1,4})[ -](?P<digits>\d{2,4})"
    r"(?P<behind>[ -]?[A-Za-z]{1,2}\b)?(?![\w.,%]*\w)",
    re.IGNORECASE,
)
# who made a claim is no maker
_CLAIMED: Final = re.compile(
    r"\b(?:made|makes?|making) (?:the |a |this |that )?(?:claims?|statements?|assertions?)\b(?! about)", re.IGNORECASE
)


def as_spelled(text: str, named: NamedWords) -> str:
    """The words with slips of the keys put right; a name that nobody knows, written large, stays as it is."""
    text = _CLAIMED.sub("claims", text)
    text = _JOINED.sub(lambda found: _apart(found, named), text)
    return " ".join(_spelled(word, named, is_first=place == 0) for place, word in enumerate(text.split(" ")))


def with_models_joined(text: str, named: NamedWords) -> str:
    """The words with each name of a model that is written in pieces as one, where that is a name: "mi 300 x" is the MI300X."""
    return _MODEL_APART.sub(lambda found: _joined(found, named), text)


def _joined(found: re.Match[str], named: NamedWords) -> str:
    """A name in one piece, the longer first; as it was typed where the pieces are a name, or no name however they are joined."""
    behind = found["behind"] or ""
    whole = f"{found['letters']}{found['digits']}"
    if named.is_thing(found[0]):
        return found[0]
    if behind and named.is_thing(f"{whole}{behind.strip(' -')}"):
        return f"{whole}{behind.strip(' -')}"
    return f"{whole}{behind}" if named.is_thing(whole) else found[0]


def _apart(found: re.Match[str], named: NamedWords) -> str:
    """The two words of "price/performance"; an id stays, whose words are not both known."""
    return f"{found[1]} {found[2]}" if named.is_known(found[1]) and named.is_known(found[2]) else found[0]


def _spelled(word: str, named: NamedWords, *, is_first: bool) -> str:
    bare = word.strip(".,;:?!\"'()")
    if not bare.isalpha() or bare.casefold() in STOP or NUMBER_WORDS.fullmatch(bare.casefold()):
        return word
    if len(bare) < _SHORTEST:
        return word.replace(bare, _of_three(bare, named))
    if named.is_known(bare):
        return word
    if bare.endswith("s") and named.is_thing(bare[:-1]):  # "nvidias market share"
        return word.replace(bare, bare[:-1])
    near = similar_names(bare, named.words_of_metrics, most=1, likeness=_SLIP) if len(bare) >= _LONG else []
    if not near and (is_first or bare.islower()):
        # of short words only those of any question and the names of metrics
        known = named.spelled_words if len(bare) >= _LONG else STOP | named.metrics_of_one_word
        near = _one_slip(bare.casefold(), known) or _one_slip(bare.casefold(), named.organisations)
    return word.replace(bare, near[0]) if near else word


def _of_three(word: str, named: NamedWords) -> str:
    """A word of three letters that nobody writes, as the word of any question that it is nearly: "wat" is no watt, though both have one stem."""
    if len(word) < _LEAST or not word.islower() or word in named.spelled_words or named.is_name(word):
        return word
    near = _one_slip(word, STOP)
    return next((one for one in near if one in _ASKING), near[0] if near else word)


def _one_slip(word: str, known: Iterable[str]) -> list[str]:
    """The known words that are one slip away; of a short word two letters are exchanged or one is missing, no more.

    >>> _one_slip("memroy", ["memory", "power"]), _one_slip("wich", ["which", "with"]), _one_slip("yet", ["get"])
    (['memory'], ['which'], [])
    """
    # imported here: commands without words start without it
    from rapidfuzz.distance import OSA

    near = sorted(one for one in known if OSA.distance(word, one, score_cutoff=1) <= 1)
    # another ending is another word: delivery is no slip for delivers
    near = [one for one in near if len(word) < _LONG or not one.startswith(word[:-1])]
    if len(word) >= _LONG:
        return near
    # "cars" are no cards
    return [] if word[-1] == "s" else [one for one in near if len(one) > len(word) or sorted(one) == sorted(word)]
