"""Which saved question new words are most like: a naive Bayes classifier over the wordings that the headers give.

The features are stems and pairs of neighbouring stems, weighted by how rare they are (tf-idf, each text of length one) as
Rennie et al. propose ("Tackling the Poor Assumptions of Naive Bayes Text Classifiers", ICML 2003); names are slots, so that
what is learnt of one chip holds for all. Words that ask for nothing that is answered here are a class of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import exp, log, sqrt
from typing import Final

from kg.ask.command_wordings import COMMANDS
from kg.ask.plain_words import STOP, plain_stem, words_of
from kg.ask.question import Question

SLOTS: Final = ("THING", "MODEL", "ORGANISATION", "SOURCE", "CLAIM", "FIGURE")
"""The placeholder in a wording for the name of a thing (a chip, system or family), a model, and so on."""
NO_QUESTION: Final = ""
"""The class of words that ask for nothing that is answered here."""
_SLOT: Final = re.compile(rf"\b({'|'.join(SLOTS)})\b")
_SMOOTHED: Final = 0.05
"""What a feature counts that a class has never had."""
_STOP_WEIGHT: Final = 0.5
_PAIR_WEIGHT: Final = 0.5
_HEADER_WEIGHT: Final = 0.5
"""What title, text and further words of a header count next to a wording that people use."""
_SHARPNESS: Final = 2.5
"""By what the mean log-likelihoods are multiplied before they are made probabilities: chosen so that these are nearly true."""
_NO_QUESTIONS: Final = (
    "who will win the ai race",
    "what is the successor of the THING",
    "is the THING worth its money",
    "which chip should i buy",
    "should we use THING",
    "is ORGANISATION stock a good buy",
    "what will the next gpu be",
    "will prices fall next year",
    "how do i install cuda",
    "who is the ceo of ORGANISATION",
    "write code for a gpu kernel",
    "thanks",
    "help me",
    "can you summarise this",
    "what time is it",
    "when is the THING released",
    "how do i set up a cluster",
    "translate this to german",
    "what do you think of the THING",
    "do you like THING",
    "is ai dangerous",
    "why is the THING so good",
    "recommend a server",
    "tell me a joke",
    "how many employees has ORGANISATION",
    "what is the share price of ORGANISATION",
    "where can i order an THING",
    "what is deep learning",
    "draw a picture of a chip",
    "who invented the transistor",
    "how hot does a gpu get in summer",
    "best laptop for gaming",
    "what is new",
)

OTHERS: Final[Mapping[str, tuple[str, ...]]] = {NO_QUESTION: _NO_QUESTIONS, **COMMANDS}
"""What else words may mean: nothing that is answered here, or another command."""


def example_stems(text: str) -> list[str]:
    """The words of a wording: slots as they are, stop words as written, the others without their endings.

    >>> example_stems("which claims compare THING against THING")
    ['which', 'claim', 'compar', 'THING', 'against', 'THING']
    """
    found: list[str] = []
    for place, part in enumerate(_SLOT.split(text)):
        found += [part] if place % 2 else map(word_stem, words_of(part))
    return found


def word_stem(word: str) -> str:
    """A stop word as it is written, the stem of any other."""
    return word if word in STOP else plain_stem(word)


def wording_examples(questions: Sequence[Question]) -> WordingExamples:
    """The examples of some questions; those without a wording and without further words are asked by their names only.

    The last ones are kept: counting all wordings takes longer than finding out which is meant.
    """
    return _counted_examples(
        (
            *((one.name, text, 1.0) for one in questions for text in one.asked),
            *(
                (one.name, text, _HEADER_WEIGHT)
                for one in questions
                if one.words
                for text in (one.title, one.question, *one.words)
            ),
            *((name, text, 1.0) for name, texts in OTHERS.items() for text in texts),
        )
    )


@lru_cache(maxsize=2)
def _counted_examples(texts: tuple[tuple[str, str, float], ...]) -> WordingExamples:
    return WordingExamples(texts)


class WordingExamples:
    """The wordings of all questions, and how likely each is meant by others. Make it with `wording_examples`."""

    def __init__(self, texts: Sequence[tuple[str, str, float]]) -> None:
        """The name of a question or of one of `OTHERS`, a text that asks for it, and what that counts."""
        self._texts = texts

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all wordings as they are written."""
        return frozenset(
            word for _, text, _ in self._texts for word in words_of(_SLOT.sub(" ", text)) if word.isalpha()
        )

    @cached_property
    def _counted(self) -> list[tuple[str, Counter[str], float]]:
        return [(name, Counter(_features(example_stems(text))), weight) for name, text, weight in self._texts]

    @cached_property
    def _rarity(self) -> Mapping[str, float]:
        """How much a feature distinguishes wordings from one another."""
        counts = Counter(feature for _, features, _ in self._counted for feature in features)
        return {one: log(1 + len(self._counted) / count) * _kind_weight(one) for one, count in counts.items()}

    @cached_property
    def _totals(self) -> Mapping[str, tuple[Mapping[str, float], float]]:
        """What each class holds of each feature, and of all."""
        found: dict[str, dict[str, float]] = {}
        for name, features, weight in self._counted:
            own = found.setdefault(name, {})
            for feature, value in self._vector(features).items():
                own[feature] = own.get(feature, 0.0) + value * weight
        return {name: (own, sum(own.values()) + _SMOOTHED * len(self._rarity)) for name, own in found.items()}

    def _vector(self, features: Iterable[str]) -> dict[str, float]:
        """The weight of each feature; their squares add up to one, those never seen included."""
        rarest = log(1 + len(self._counted))
        weights = {one: self._rarity.get(one, rarest * _kind_weight(one)) for one in features}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {one: weight / length for one, weight in weights.items()}

    def likelihoods(self, stems: Sequence[str]) -> Mapping[str, float]:
        """The logarithm of how likely each question, and each of `OTHERS`, is worded so, up to a constant."""
        # unseen words count in the length of the vector and then drop out: a text of which little
        # is known speaks weakly for any class
        vector = {one: value for one, value in self._vector(_features(stems)).items() if one in self._rarity}
        return {
            name: _SHARPNESS
            * sum(value * log((own.get(one, 0.0) + _SMOOTHED) / total) for one, value in vector.items())
            for name, (own, total) in self._totals.items()
        }

    @property
    def stems(self) -> Collection[str]:
        """The stems of all wordings, among the other features."""
        return self._rarity.keys()

    def knows(self, stem: str) -> bool:
        """Whether any wording has a word of this stem."""
        return stem in self._rarity

    def unknown(self, stems: Iterable[str]) -> float:
        """The share of the words, stop words and slots aside, that no wording has."""
        said = [one for one in stems if one not in STOP and one not in SLOTS]
        return sum(one not in self._rarity for one in said) / len(said) if said else 0.0


def shares(scores: Sequence[float]) -> list[float]:
    """Logarithms of likelihoods as probabilities.

    >>> shares([0.0, 0.0])
    [0.5, 0.5]
    """
    most = max(scores, default=0.0)
    likely = [exp(one - most) for one in scores]
    return [one / sum(likely) for one in likely]


def _features(stems: Sequence[str]) -> Iterator[str]:
    """The stems, and the pairs of neighbours with the two ends."""
    yield from dict.fromkeys(stems)
    yield from dict.fromkeys(f"{one} {other}" for one, other in zip(("^", *stems), (*stems, "$"), strict=True))


def _kind_weight(feature: str) -> float:
    """What a feature counts for its kind: pairs and stop words say less."""
    parts = feature.split(" ")
    of_stops = all(one in STOP or one in "^$" for one in parts)
    return (_STOP_WEIGHT if of_stops else 1.0) * (_PAIR_WEIGHT if len(parts) == 2 else 1.0)
