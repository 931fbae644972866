"""Curated patterns over names: the words a name must have, may have and must not have, and what must be known next to it.

A name is read as a bag of words. A word that no list mentions means no match: a pattern never guesses what it means.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

Context = Mapping[str, Any]
"""What is known next to a name: `form`, `memory_gb`, `per_node`, `nodes`, `total`, `system`, `publisher`, `column`, …"""

# Meets "(R)", "(TM)" and "®", which some data sets print in every name.
_REGISTERED = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
# Meets "llama3", "405b" and "v5.1": a point inside of a word belongs to it, a joiner does not.
_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")
_NUMBER, _UNIT = re.compile(r"\d+(?:\.\d+)?"), frozenset({"gb", "gib", "mb", "mib", "tb", "tib", "g", "w"})
_PLAIN = re.compile(r"[\w.]+")


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a name as patterns see them: small letters, numbers joined with their unit, marks dropped.

    >>> words_of("NVIDIA A100 - PCIe - 80 GB"), words_of("Intel(R) Arc(TM) 140T GPU"), words_of("llama3_1-405b")
    (('nvidia', 'a100', 'pcie', '80gb'), ('intel', 'arc', '140t', 'gpu'), ('llama3', '1', '405b'))
    """
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", _REGISTERED.sub(" ", text)).casefold()):
        if word in _UNIT and found and _NUMBER.fullmatch(found[-1]):
            found[-1] += word
        else:
            found.append(word)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Condition:
    """What one part of the context must say: one of the words, one of the numbers, a range, or a pattern of the whole."""

    key: str
    words: tuple[tuple[str, ...], ...] = ()
    numbers: tuple[float, ...] = ()
    least: float | None = None
    most: float | None = None
    match: str | None = None

    def holds(self, context: Context) -> bool:
        """False where the context says nothing: a condition is never assumed.

        >>> Condition("system", words=(("nvl72",),)).holds({"system": "NVIDIA GB200 NVL72"})
        True
        >>> Condition("memory_gb", least=75, most=90).holds({}), Condition("total", numbers=(72,)).holds({"total": 72.0})
        (False, True)
        """
        given = context.get(self.key)
        if isinstance(given, bool) or given is None:
            return False
        if isinstance(given, int | float):
            if self.least is not None or self.most is not None:
                return (self.least is None or given >= self.least) and (self.most is None or given <= self.most)
            return given in self.numbers
        if not isinstance(given, str):
            return False
        said = words_of(given)
        if self.match is not None:
            return _pattern(self.match).fullmatch(" ".join(said)) is not None
        return any(_within(phrase, said) for phrase in self.words)


def _within(phrase: Sequence[str], said: Sequence[str]) -> bool:
    return any(
        tuple(said[start : start + len(phrase)]) == tuple(phrase) for start in range(len(said) - len(phrase) + 1)
    )


@dataclass(frozen=True, slots=True)
class NamePattern:
    """One rule: names of this form are the thing `id`, where the conditions hold."""

    id: str
    kind: str
    rule: str
    needed: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    match: str | None = None
    when: tuple[Condition, ...] = ()
    unless: tuple[Condition, ...] = ()

    @property
    def conditional(self) -> bool:
        """Whether the context decides."""
        return bool(self.when or self.unless)

    @property
    def plain_word(self) -> str | None:
        """A word that every name of this form has, if one can be said without an expression."""
        return next((one for one in self.needed if _PLAIN.fullmatch(one) and "." not in one), None)

    def fits(self, words: tuple[str, ...], *, joined: str) -> bool:
        """Whether the form of the name is right, regardless of the context.

        >>> h100 = NamePattern("accelerator/h100-sxm", "accelerator", "1", ("h100", "sxm5?"), ("nvidia", "80gb"))
        >>> [h100.fits(words_of(name), joined="") for name in ("NVIDIA H100-SXM5-80GB", "H100", "H100 SXM 96GB")]
        [True, False, False]
        """
        if self.match is not None:
            return _pattern(self.match).fullmatch(joined) is not None and not _any(self.forbidden, words)
        # In turn: each word of the name is used for one needed word only.
        used = [False] * len(words)
        for needed in self.needed:
            at = next((i for i, word in enumerate(words) if not used[i] and _is(needed, word)), None)
            if at is None:
                return False
            used[at] = True
        return all(
            is_used or any(_is(one, word) for one in (*self.needed, *self.allowed))
            for word, is_used in zip(words, used, strict=True)
        ) and not _any(self.forbidden, words)

    def holds(self, context: Context) -> bool:
        """Whether the context is as asked."""
        return all(one.holds(context) for one in self.when) and not any(one.holds(context) for one in self.unless)


def _is(pattern: str, word: str) -> bool:
    if _PLAIN.fullmatch(pattern):
        return pattern == word
    return _pattern(pattern).fullmatch(word) is not None


def _any(patterns: Sequence[str], words: Sequence[str]) -> bool:
    return any(_is(one, word) for one in patterns for word in words)
