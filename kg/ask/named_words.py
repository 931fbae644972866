"""What plain words name: things, metrics, ids and figures, and the words of a question that are left.

A name is looked for from left to right, the longest first; a metric also where its words stand apart ("size of the memory").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from kg.ask.bounds import bounds_said, counts_said
from kg.ask.examples import WordingExamples, word_stem
from kg.ask.exclusions import without_excluded
from kg.ask.mentions import NameMention, dense_said, either_in, quoted_figures, with_ids_marked, without_ids
from kg.ask.plain_words import CHIPS, STOP, is_within, plain_stem, stem, stems, words_of
from kg.ask.question import Question
from kg.ask.question_fit import AskedWords, words_of_header
from kg.model.names import name_key

_LINKS: Final = frozenset(("of", "the", "a", "an", "its"))
# meets "GB200" and "v5.1", each without the mark behind it
_WORD: Final = re.compile(r"[^\s,;:?!]*[^\s,;:?!.)]")
_SEEN_SLIPS: Final = 5
LONGEST_NAME: Final = 6
"""Words of the longest name that is looked for."""


class _MetricNames(NamedTuple):
    """What a metric is called: the stems of its label, and of each name that names it alone."""

    metric: str
    label: list[str]
    names: list[tuple[str, list[str]]]
    """Each as it is said, without the s of several, and in stems."""


class NamedWords:
    """The names, metrics and words of questions by which words are read."""

    def __init__(
        self,
        questions: Sequence[Question],
        examples: WordingExamples,
        names: Mapping[str, tuple[str, ...]],
        metrics: Mapping[str, str],
        metric_words: Sequence[Sequence[str]],
    ) -> None:
        """As `kg.ask.wording.Wordings` takes them."""
        synonyms: dict[str, str] = {}
        for label, *others in metric_words:
            for word in others if label in metrics else ():
                synonyms.setdefault(word, metrics[label])
        self.names = names
        self._metric_words = metric_words
        self._questions, self._examples = questions, examples
        self._header_words = {one.name: words_of_header(one) for one in questions}
        self._title_words = frozenset(
            word for one in questions for word in stems(f"{one.title} {one.question} {one.name.replace('/', ' ')}")
        )
        # one word such as "cost" is a word of many questions, and names no one metric
        phrases = {key: name for key, name in synonyms.items() if " " in key}
        self._metrics = {_singular(key): name for key, name in (phrases | dict(metrics)).items()}
        self.synonyms = [
            (frozenset(map(plain_stem, key.split())), key, name) for key, name in (synonyms | dict(metrics)).items()
        ]

    @cached_property
    def metric_stems(self) -> Mapping[str, frozenset[str]]:
        """The stems of all words for each metric."""
        found: dict[str, frozenset[str]] = {}
        for parts, _, name in self.synonyms:
            found[name] = found.get(name, frozenset()) | parts
        return found

    @cached_property
    def model_stems(self) -> frozenset[str]:
        """The stems of what names of models begin with and no header of a question has: "mixtral", which may be any of several."""
        of_models = (key for key, ids in self.names.items() if all(one.startswith("model/") for one in ids))
        begun = {plain_stem(key.partition(" ")[0]) for key in of_models}
        return frozenset(begun).difference(*self._header_words.values())

    @cached_property
    def words_of_metrics(self) -> frozenset[str]:
        """The words of the labels of metrics and of other words for them."""
        return frozenset(
            word for called in self._metric_words for one in called for word in one.split() if word.isalpha()
        )

    @cached_property
    def metrics_of_one_word(self) -> frozenset[str]:
        """The names of metrics that are one word: "power"."""
        return frozenset(one for called in self._metric_words for one in called if one.isalpha())

    @cached_property
    def spelled_words(self) -> frozenset[str]:
        """All words of metrics and of wordings as they are written, save those of slots."""
        return self.words_of_metrics | STOP | self._examples.words

    @cached_property
    def organisations(self) -> frozenset[str]:
        """The names of organisations that are one word, long enough for a slip in them to be seen."""
        of_one_word = (key for key in self.names if key.isalpha() and len(key) >= _SEEN_SLIPS)
        return frozenset(key for key in of_one_word if any(one.startswith("org/") for one in self.names[key]))

    def is_thing(self, name: str) -> bool:
        """Whether this is the name of something, be its words those of questions too."""
        return name_key(name) in self.names

    def is_known(self, word: str) -> bool:
        """Whether a word is one of a name, a metric or a wording."""
        key = name_key(word)
        is_named = key in self._words_of_names or key in self.words_of_metrics
        return is_named or self._examples.knows(plain_stem(key))

    def is_name(self, word: str) -> bool:
        """Whether a word is one of a name."""
        return name_key(word) in self._words_of_names

    @cached_property
    def _words_of_names(self) -> frozenset[str]:
        return frozenset(word for key in self.names for word in key.split())

    def asked_words(self, text: str) -> AskedWords:
        """What is named in the words, and the words that are left; those of a metric are left too."""
        text, excluded = without_excluded(dense_said(text), self._first_name)
        marked, ids = with_ids_marked(text)
        found: list[NameMention] = []
        # the questions of a claim are taught by so few wordings that the place of its id would weigh more than their words
        in_order = ["CLAIM" for one in ids.values() if one.slot == "CLAIM"]
        left: list[str] = []
        for piece, mention, is_figure in self._pieces(words_of(marked), ids, text):
            if mention is not None:
                found.append(mention)
            if (mention is None or mention.is_word) and piece[0] not in ids:
                left += piece
            if mention is None or mention.slot != "CLAIM":
                in_order += ["FIGURE"] if is_figure else self._in_order(mention, piece)
        found += self._scattered_metric(found, left)
        said = [word for word in left if word not in STOP]
        typed = {plain_stem(word): word for word in said}
        bounds, of_bounds = _bounds_in(text)
        figures = frozenset(filter(self._is_figure, of_bounds))
        return AskedWords(
            found, list(map(plain_stem, said)), in_order, typed, bounds, of_bounds, figures, excluded, text
        )

    def _is_figure(self, word: str) -> bool:
        """Whether a word of a bound is a figure or its unit; one that wordings have ("parameters") says what is asked for."""
        return word[0].isdigit() or not self._examples.knows(word)

    def _pieces(
        self, words: list[str], ids: Mapping[str, NameMention], text: str
    ) -> Iterator[tuple[list[str], NameMention | None, bool]]:
        """The words in pieces: those of a name with what it means, those of a quoted figure, and every other word alone."""
        # the words of a unit may be others than those of the question: "tokens per second" is token/s
        figures = [words_of(form) for one in quoted_figures(text) for form in (one, one.partition(" ")[0])]
        place = 0
        while place < len(words):
            rest = words[place:]
            length, mention = (1, ids[rest[0]]) if rest[0] in ids else self._longest_name(rest[:LONGEST_NAME])
            figure = next((one for one in figures if mention is None and rest[: len(one)] == one), [])
            piece = rest[: len(figure) or length]
            yield piece, mention, bool(figure)
            place += len(piece)

    def _in_order(self, mention: NameMention | None, spoken: Sequence[str]) -> list[str]:
        """What wordings are compared by: the slot of a name, the stems of other words."""
        is_other = mention is None or (mention.slot is None and "id" not in mention.kinds)
        return list(map(word_stem, spoken)) if is_other else [(mention and mention.slot) or "THING"]

    def _longest_name(self, words: Sequence[str]) -> tuple[int, NameMention | None]:
        """The longest name that the words begin with, and of how many words; of one word where there is none."""
        for length in range(len(words), 0, -1):
            mention = self._mention(" ".join(words[:length]))
            if mention is not None:
                return length, mention
        return 1, None

    def _first_name(self, text: str) -> tuple[int, NameMention | None]:
        """The longest name that a text begins with, and of how many letters it is."""
        ends = [word.end() for word in islice(_WORD.finditer(text), LONGEST_NAME)]
        named = ((end, self._mention(" ".join(words_of(text[:end])))) for end in reversed(ends))
        return next(((end, mention) for end, mention in named if mention is not None), (0, None))

    def _scattered_metric(self, found: Sequence[NameMention], words: Sequence[str]) -> list[NameMention]:
        """Where no metric is named the one with the longest name whose words are all there, in any order: "size of the memory".

        A single word has to name it alone, so that "cost" and "GPUs" name none; the price of a card is no hardware cost.
        """
        if any("metric" in one.kinds for one in found):
            return []
        given = {plain_stem(word): place for place, word in enumerate(word for word in words if word not in STOP)}
        fitting = []
        for parts, key, name in self.synonyms:
            places = [given[part] for part in parts if part in given]
            # one more word may be between them; stop words were left out before places were counted
            near = len(places) == len(parts) and max(places) - min(places) <= len(parts)
            if near and (len(parts) > 1 or self._is_metric_alone(key)) and _are_chips_said(key, words):
                fitting.append((len(parts), key, name))
        if not fitting:
            return []
        _, key, name = max(fitting, key=lambda one: one[0])
        return [NameMention(key, frozenset({"metric"}), (name,))]

    def _names_a_metric(self, synonym: str) -> bool:
        """Whether another word for a metric names it alone: no question has it, but those that take a metric; several words do."""
        if " " in synonym:
            return True
        word = plain_stem(synonym)
        known = (one for one in self._questions if word in self._header_words[one.name])
        return all(any(parameter.base_type == "metric" for parameter in one.parameters) for one in known)

    def _is_metric_alone(self, word: str) -> bool:
        """Whether one word can only be a metric: "tdp"; what a question has for its title, such as "reductions", is its own."""
        return plain_stem(word) not in self._title_words and self._names_a_metric(word)

    def _mention(self, key: str) -> NameMention | None:
        metric = self._metrics.get(_singular(key))
        if metric is not None:
            return NameMention(key, frozenset({"metric"}), (metric,))
        ids = self.names.get(key, ())
        if not ids or key in STOP:
            return None
        mention = NameMention(key, frozenset(one.partition("/")[0] for one in ids), ids)
        return None if self._is_everyday(mention) else mention

    def _is_everyday(self, mention: NameMention) -> bool:
        """Whether a name is a word that questions are worded with: a published model called "fast", a metric's "nvlink"."""
        if mention.is_word or " " in mention.key or not mention.key.isalpha() or mention.kinds & {"family", "system"}:
            return False
        return self._examples.knows(plain_stem(mention.key))

    @cached_property
    def _names_of_metrics(self) -> list[_MetricNames]:
        found = []
        for label, *others in self._metric_words:
            metric = self._metrics.get(_singular(label))
            names = (label, *filter(self._names_a_metric, others))
            if metric is not None:
                called = [(_singular(one), _stems_in(one)) for one in names]
                found.append(_MetricNames(metric, _stems_in(label), called))
        return found

    def metrics_in(self, key: str) -> tuple[str, ...]:
        """The metrics with the longest name among the words, and those of whose label all words are there.

        Endings do not count, but for a name of one word, which is another word with another one: "rack scale" is no scaling,
        "training on" is not what a model was trained on, and dense compute is no density.
        """
        given, as_said = _stems_in(key), _singular(key).split()
        named: dict[str, list[str]] = {}
        labelled: dict[str, list[str]] = {}
        for metric, label, names in self._names_of_metrics:
            there = (parts for name, parts in names if _has_words(name) or is_within(name.split(), as_said))
            named[metric] = max((one for one in there if is_within(one, given)), key=len, default=[])
            if _are_near(label, given) and (len(label) > 1 or names[0][0] in as_said):
                labelled[metric] = label
        longest = max(map(len, named.values()), default=0)
        named = {name: words for name, words in named.items() if len(words) == longest > 0}
        # "cost" in "cost per million tokens" names no metric of its own
        apart = (name for name, words in labelled.items() if not any(set(words) < set(one) for one in named.values()))
        return tuple(sorted({*named, *apart}))

    def metrics_said(self, text: str) -> tuple[str, ...]:
        """The metrics whose label or other word, the longest, is among the words."""
        given = {plain_stem(word) for word in words_of(without_ids(text))}
        fitting = [(len(parts), name) for parts, _, name in self.synonyms if parts <= given]
        longest = max((length for length, _ in fitting), default=0)
        return tuple(sorted({name for length, name in fitting if length == longest}))


def _bounds_in(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The bounds on figures as they are said, and the stems of their words, of counts of rows, and of figures to choose from."""
    bounds = tuple(dict.fromkeys(phrase for phrase, _ in bounds_said(text)))
    phrases = (*bounds, *counts_said(text), *either_in(text))
    return bounds, frozenset(plain_stem(word) for phrase in phrases for word in words_of(phrase))


def _has_words(name: str) -> bool:
    """Whether a name has several words that say something, so that its words are known with any ending.

    >>> _has_words("memory size"), _has_words("trained on")
    (True, False)
    """
    return sum(one not in STOP for one in name.split()) > 1


def _are_chips_said(name: str, words: Sequence[str]) -> bool:
    """Whether a word for chips in the name of a metric is among the words, and no other word for them.

    >>> _are_chips_said("hardware costs", ["price", "card"]), _are_chips_said("hardware costs", ["cost", "hardware"])
    (False, True)
    """
    said = _singular(" ".join(words)).split()
    return all(one in said for one in _singular(name).split() if plain_stem(one) in CHIPS)


def _are_near(part: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words are among others, in any order, with nothing but "of the" between them: "size of the memory"."""
    places = sorted(words.index(one) for one in part if one in words)
    if not part or len(places) < len(part):
        return False
    return all(one in part or one in _LINKS for one in words[places[0] : places[-1]])


def _singular(key: str) -> str:
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in key.split())


def _stems_in(key: str) -> list[str]:
    return [stem(word) for word in key.split()]
