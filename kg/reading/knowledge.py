"""What reading knows beforehand: names, words of metrics, units, and the weights of the ranker."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from kg.content.entities import Registry, read_registry
from kg.content.folders import Content
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.reading.known_names import NameScanner, Withheld
from kg.reading.ranker import Ranker, read_ranker, shipped_ranker
from kg.reading.word_trie import PhraseMention, WordTrie, words_in

OWN_RANKER: Final = "ranker.json"
"""The file of one's own folder that holds the weights learnt from reviews."""


@dataclass(frozen=True, slots=True)
class TermScanner:
    """Finds the words by which a text names a metric."""

    trie: WordTrie

    @classmethod
    def from_vocabulary(cls, vocabulary: Vocabulary) -> "TermScanner":
        """The labels and synonyms of all metrics."""
        trie = WordTrie()
        for metric in vocabulary.metrics.values():
            for phrase in (metric.label, *metric.synonyms):
                trie.add(phrase, metric.id)
        return cls(trie)

    def scan(self, text: str) -> list[PhraseMention]:
        """Every term of a text in order, the longest at each word; one may name several metrics."""
        words = words_in(text)
        found: list[PhraseMention] = []
        at = 0
        while at < len(words):
            longest = self.trie.longest(text, words, at)
            if longest is None:
                at += 1
                continue
            node, used = longest
            left, right = words[at][1], words[at + used - 1][2]
            found.append(PhraseMention(left, right, node.ids, text[left:right]))
            at += used
        return found


@dataclass(frozen=True, slots=True)
class ReadingKnowledge:
    """Build it once and use it for many reports."""

    vocabulary: Vocabulary
    names: NameScanner
    terms: TermScanner
    ranker: Ranker = field(default_factory=Ranker)

    @classmethod
    def from_content(
        cls,
        registry: Registry,
        vocabulary: Vocabulary,
        *,
        ranker: Ranker | None = None,
        withheld: Withheld | None = None,
    ) -> "ReadingKnowledge":
        """All that the registry and the vocabulary hold, but what is withheld; the ranker of the package unless given."""
        names = NameScanner(registry, withheld or Withheld())
        terms = TermScanner.from_vocabulary(vocabulary)
        return cls(vocabulary, names, terms, shipped_ranker() if ranker is None else ranker)

    def with_ranker(self, ranker: Ranker) -> "ReadingKnowledge":
        """The same with other weights."""
        return replace(self, ranker=ranker)

    def of_report(self, text: str) -> "ReadingKnowledge":
        """The same for one report, with what it says of the names that it brings."""
        return replace(self, names=self.names.of_report(text))

    def unit_kind(self, unit: str | None) -> str:
        """The quantity kind of a unit, `none` where it is not known."""
        found = self.vocabulary.units.find(unit) if unit else None
        return found.kind if found else "none"


def ranker_path(content: Content) -> Path | None:
    """The weights of one's own folder, where there are any."""
    path = content.own / OWN_RANKER if content.own is not None else None
    return path if path is not None and path.is_file() else None


def knowledge_of(content: Content) -> ReadingKnowledge:
    """What reports are read with: the content in use, and the weights of one's own folder where there are any."""
    own = ranker_path(content)
    ranker = read_ranker(own) if own else None
    return ReadingKnowledge.from_content(read_registry(content), read_vocabulary(content), ranker=ranker)
