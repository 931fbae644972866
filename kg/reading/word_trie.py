"""A trie of words: finds the longest of many phrases at a word of a text, in any case and with or without a plural."""

import re
from dataclasses import dataclass, field
from typing import Final

Word = tuple[str, int, int]
"""A word as it is compared, with where it stands."""

# meets "H200", "3.1", "HBM3e+" and the sign of "$/hr"; not the "$" of "$5"
_WORD: Final = re.compile(r"[^\W_]+(?:\.\d+)*\+?|[$#](?=/|\s?[^\W\d_]|\s?[.,;:)]|\s*$)")
_GAP: Final = re.compile(r"[\s_\-‐‑–—/®™©*×()&.'’,:]{0,3}")
# a full stop, a comma or a bracket between two words parts them; within "v5.1" none does
_BREAK: Final = re.compile(r"\n\s*\n|[.,:]\s|[()]")
_PLURAL_CODE: Final = re.compile(r"([a-z]+\d+[a-z]*)s")


@dataclass(frozen=True, slots=True)
class PhraseMention:
    """A phrase in a text: where it stands, and what it may be."""

    start: int
    end: int
    ids: tuple[str, ...]
    printed: str


@dataclass(slots=True)
class TrieNode:
    """What follows a word, and what the phrase that ends here means."""

    below: dict[str, "TrieNode"] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    spelt: tuple[str, ...] = ()


@dataclass(slots=True)
class WordTrie:
    """Phrases by their words; a phrase may mean several things."""

    root: TrieNode = field(default_factory=TrieNode)

    def add(self, phrase: str, identifier: str) -> None:
        """Add one phrase for one thing."""
        words = words_in(phrase)
        if not words:
            return
        node = self.root
        for word, _, _ in words:
            node = node.below.setdefault(word, TrieNode())
        if identifier not in node.ids:
            node.ids = tuple(sorted((*node.ids, identifier)))
        node.spelt = (*node.spelt, phrase)

    def longest(self, text: str, words: list[Word], at: int) -> tuple[TrieNode, int] | None:
        """The longest phrase that begins at a word, and how many words it has."""
        node, best = self.root, None
        for index in range(at, len(words)):
            if index > at and not joined(text, words, index - 1, index):
                break
            below = _below(node, text, words[index])
            if below is None:
                break
            node = below
            if node.ids:
                best = (node, index - at + 1)
        return best


def _below(node: TrieNode, text: str, word: Word) -> TrieNode | None:
    """What follows a word: as it is, else without or with the s of a plural. A capital S is part of a name (L40S)."""
    key, _, end = word
    exact = node.below.get(key)
    if exact is not None:
        return exact
    # looked up in the text, since the key has no case any more
    if text[end - 1] == "s":
        return node.below.get(singular(key))
    return node.below.get(f"{key}s") if len(key) > 3 and key.isalpha() else None


def words_in(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of a text as phrases are compared, with where they stand.

    >>> [word for word, _, _ in words_in("NVIDIA H200-SXM (141GB), Llama 3.1's $/hr")]
    ['nvidia', 'h200', 'sxm', '141gb', 'llama', '3.1', 's', '$', 'hr']
    >>> [word for word, _, _ in words_in("performance per $")]
    ['performance', 'per', '$']
    """
    stop = len(text) if end is None else end
    return [(match[0].casefold(), match.start(), match.end()) for match in _WORD.finditer(text, start, stop)]


def joined(text: str, words: list[Word], first: int, last: int) -> bool:
    """Whether words can belong to one phrase: nothing but joiners stands between them."""
    for index in range(first, last):
        gap = text[words[index][2] : words[index + 1][1]]
        if _GAP.fullmatch(gap) is None or _BREAK.search(gap):
            return False
    return True


def singular(word: str) -> str:
    """The word without the s of a plural.

    >>> [singular(word) for word in ("h100s", "gpus", "stacks", "loss", "gb200", "tps")]
    ['h100', 'gpu', 'stack', 'loss', 'gb200', 'tps']
    """
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word[:-1].isalpha():
        return word[:-1]
    if word == "gpus" or word == "tpus" or word == "cpus":
        return word[:-1]
    plural = _PLURAL_CODE.fullmatch(word)
    return plural[1] if plural else word
