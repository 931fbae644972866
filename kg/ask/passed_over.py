"""What words say that the question they are taken for does not take up: names, figures and words of content.

Learnt wordings tell which question is likely; what is left over tells whether it answers what was asked. A word is taken up by
the values and filters that were read from it, or by what the header of the question says: title, text, words, columns,
parameters and wordings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from kg.ask.examples import SLOTS, example_stems
from kg.ask.mentions import quoted_figures
from kg.ask.plain_words import CHIPS, plain_stem, stems
from kg.ask.question_fit import PassedOver, words_of_header
from kg.model.names import name_key
from kg.model.similar_names import similar_names

if TYPE_CHECKING:
    from kg.ask.question import Question
    from kg.ask.question_fit import AskedWords, WordReading

_DENIAL: Final = plain_stem("no")
"""The stem of "not" and "never": the rows of a question that does not know it would be the opposite."""
_ORDERS: Final = frozenset(stems("highest lowest maximum minimum max min"))
"""Words that the order of the rows takes up."""
_TYPO: Final = 0.85
"""From which likeness on an unknown word is taken for one that is known."""
_SHORTEST_TYPO: Final = 5
# meets "bandwidth per dollar"; a price per hour has a name
_DIVIDED: Final = re.compile(
    r"\b\w+ (?P<by>per (?P<unit>dollar|usd|euro|watt|kilowatt|kwh|joule|transistor)s?)\b", re.IGNORECASE
)
_FILLERS: Final = frozenset(
    stems(
        "accord according actually already behind claim claims come comes currently deliver delivers date everything full general"
        " happen happened kind list look looking made make number numbers ones other please promise promised reach reaches regarding send"
        " sent show sort source sources state stated states take takes text times today total use used uses using worse x year years yet vs versus"
        " kw mw gb tb"
        " still"
    )
)
"""Words of how something is asked, or that only say that there is a claim: no question has to take them up."""


class WordsTaken:
    """The words that each question takes up."""

    def __init__(
        self,
        *,
        known: Collection[str],
        names: Collection[str],
        metric_stems: Mapping[str, frozenset[str]],
        model_stems: frozenset[str],
    ) -> None:
        """`known` are the stems of all wordings, `names` the keys of all names, `metric_stems` the words for each metric, and
        `model_stems` what names of models begin with.
        """
        self._known, self._names, self._metric_stems = known, names, metric_stems
        self._model_stems = model_stems

    def left_over(self, reading: WordReading, asked: AskedWords) -> PassedOver:
        """What a reading of the words passes over."""
        covered = self._covered(reading, asked)
        named = _names_missed(asked, covered)
        # a bound that no filter has taken narrows nothing: the rows would be of any size
        if all(one.value is None for one in reading.filters):
            named += asked.bounds
        named += _divisors_missed(reading, asked, self._metric_stems)
        taken = covered | asked.bound_words | {part for key in named for part in stems(key)}
        typed_words = ((word, asked.typed.get(word, word)) for word in asked.words if word not in taken)
        left = {word: typed for word, typed in typed_words if not _says_nothing(typed)}
        missed = self._model_stems | _quoted(asked) | {_DENIAL}
        words = [typed for word, typed in left.items() if word in self._known and word not in missed]
        named += [typed for word, typed in left.items() if word in missed or self._is_new(word, typed, covered)]
        return PassedOver(tuple(dict.fromkeys(named)), tuple(dict.fromkeys(words)))

    def _covered(self, reading: WordReading, asked: AskedWords) -> frozenset[str]:
        """The words that a reading takes up."""
        # a model of a wording is an example: the rows are not those of it
        of_question = words_of_question(reading.question) - self._model_stems
        orders = _ORDERS if any(one.order for one in reading.filters) else frozenset()
        return self._given(reading, asked) | of_question | _FILLERS | CHIPS | orders

    def _given(self, reading: WordReading, asked: AskedWords) -> frozenset[str]:
        """The words of what the reading was given."""
        given = {name_key(one) for one in reading.names}
        found = {part for one in given for part in stems(one)}
        for mention in asked.mentions:
            if mention.key in given or not reading.names.isdisjoint(mention.ids):
                found |= set(stems(mention.key))
        return frozenset(found).union(*(self._metric_stems.get(metric, frozenset()) for metric in reading.metrics))

    def _is_new(self, word: str, typed: str, covered: Collection[str]) -> bool:
        """Whether no question knows a word, and it is no slip of the keys for one that this question takes up."""
        if word in self._known:
            return False
        is_spelled = len(typed) >= _SHORTEST_TYPO and typed.isalpha() and typed not in self._names
        return not (is_spelled and similar_names(word, covered, most=1, likeness=_TYPO))


def _quoted(asked: AskedWords) -> frozenset[str]:
    """The numbers of quoted figures: wordings know some as examples of a bound, and no rows are those of a figure."""
    return frozenset(word for one in quoted_figures(asked.text) for word in stems(one) if word[0].isdigit())


def _names_missed(asked: AskedWords, covered: Collection[str]) -> list[str]:
    """The names of everyday words that are not taken up; a metric is a word of the question, or ignored by name."""
    missed = (one for one in asked.mentions if one.is_word and not set(stems(one.key)) <= set(covered))
    return [one.key for one in missed if "metric" not in one.kinds]


def _divisors_missed(reading: WordReading, asked: AskedWords, metric_stems: Mapping[str, frozenset[str]]) -> list[str]:
    """What a figure is wanted by the dollar or the watt of, where neither metric nor question is of such a quotient."""
    if any("per-" in one for one in (reading.question.name, *reading.metrics)):
        return []
    of_metrics: frozenset[str] = frozenset().union(*(metric_stems.get(one, frozenset()) for one in reading.metrics))
    texts = (reading.question.title, *reading.question.words, *reading.question.asked)
    known = [frozenset(stems(text)) for text in texts if _DIVIDED.search(text)]
    return [
        one["by"]
        for one in _DIVIDED.finditer(asked.text)
        if plain_stem(one["unit"].casefold()) not in of_metrics
        and not any(set(stems(one[0])) <= words for words in known)
    ]


def _says_nothing(word: str) -> bool:
    """Whether a word is one letter or mere signs, as in "can I use it" and markup.

    >>> _says_nothing("i"), _says_nothing("<i>"), _says_nothing("->"), _says_nothing("x2"), _says_nothing("7")
    (True, True, True, False, False)
    """
    letters = [sign for sign in word if sign.isalnum()]
    return not letters or (len(letters) == 1 and letters[0].isalpha())


@cache
def words_of_question(question: Question) -> frozenset[str]:
    """The stems of all that a question says of itself: its header, wordings, columns and parameters."""
    texts = (
        *(one.name.replace("_", " ") for one in question.columns),
        *(f"{one.name.replace('_', ' ')} {one.about}" for one in question.parameters),
    )
    taught = (word for text in question.asked for word in example_stems(text) if word not in SLOTS)
    return words_of_header(question).union((word for text in texts for word in stems(text)), taught)
