"""A question in plain words: which saved question it means, and with which values.

Offline and without a model: the words are ranked against title, question and further words of each header; names, ids and
metrics found among them fill its parameters. Only questions whose header has `words` are answered so.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kg.ask.id_names import AskIds
from kg.ask.mentions import NameMention, dates_in, figures_in, ids_in, is_within, without_ids
from kg.ask.plain_words import CHIPS, MARKS, STOP, plain_stem, stem, stems, words_of
from kg.ask.question import Question
from kg.ask.question_fit import AskedWords, QuestionScores, WordReading
from kg.ask.row_filters import RowFilter
from kg.errors import UsageError
from kg.model.names import name_key

LEAST: Final = 0.38
"""Below this share of the words that a question explains, nothing is answered."""
_SIZES: Final = frozenset(stems("how many large size best amount compare"))
AHEAD: Final = 1.12
"""How far the best question must be ahead of the next."""
FAR_AHEAD: Final = 1.3
"""The same where the next explains a word that the best does not."""
_OF_ONE_THING: Final[Mapping[str, str]] = {"audit": "conflicts", "disputes": "conflicts", "origins": "audit"}
"""The command that answers of one thing where the questions of a topic are about all."""
_LONGEST_NAME: Final = 6
_OF_TWO: Final = "comparisons/compare"
"""The question that is asked where words name two things and no question."""
_OVER_CHIPS: Final = "specifications/by-metric"
"""The question that is asked where words name a metric, chips in general and no thing."""
_OF_METRIC: Final = "claims/of-metric"
"""The question that is asked where words name a thing and a metric, and no question."""
_OF_KIND: Final[Mapping[str, tuple[str, str]]] = {
    "claim": ("claims/card", "claim"),
    "model": ("models/claims-of-model", "model"),
    "source": ("sources/claims", "source"),
}
_OF_THING: Final = ("specifications/all-claims", "thing")
"""The question, with its parameter, that is asked where words name one thing and say no more, by the kind of thing."""
_SAID: Final = frozenset(stems("claims texts"))
"""Words that say no more than that something is claimed, or by texts."""


class UnsureQuestion(UsageError):
    """Plain words that may mean several saved questions, or none."""

    code = "question.unsure"


def _singular(key: str) -> str:
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in key.split())


def _stems_in(key: str) -> list[str]:
    return [stem(word) for word in key.split()]


def is_sure(readings: Sequence[WordReading]) -> bool:
    """Whether the first reading may be answered without asking: it must be ahead, farther where the next knows other words."""
    if not readings or readings[0].ignored or readings[0].score < LEAST:
        return False
    first, *others = readings
    if first.explained and first.explained <= CHIPS:  # "hardware" alone is said of all that there is
        return False
    if first.unknown and first.unknown >= len(first.explained) + len(first.values):
        return False
    return all(
        first.score >= (AHEAD if one.explained <= first.explained else FAR_AHEAD) * one.score for one in others[:1]
    )


def understood(
    ask: AskIds, questions: Iterable[Question], text: str, metric_words: Sequence[Sequence[str]] = ()
) -> list[WordReading]:
    """The saved question that plain words mean, and the next two; words that mean none for certain are refused with these.

    Words that name a thing and a metric ask for the claims of it, where they mean no other question for certain.
    `metric_words` are the label of every metric and the other words for it, as keys of names.
    """
    wordings = _wordings(ask, questions, metric_words)
    readings, taken = wordings.understood(text)
    if taken is not None:
        others = [one for one in readings if one.question != taken.question]
        return [taken, *sorted(others, key=lambda one: bool(one.ignored))[:2]]
    near = [shlex.join(["kg", "trace", one]) for one in wordings.figures_in(text)] + list(_likely_commands(readings))
    raise UnsureQuestion(
        "may mean several questions." if near else "is no question that is saved.",
        given=text,
        expected=None,
        next_step="\n  ".join(("try one of these:", *near)) if near else "kg ask lists the topics of what can be asked",
    )


def claims_of_metric(
    ask: AskIds, questions: Iterable[Question], text: str, metric_words: Sequence[Sequence[str]]
) -> WordReading | None:
    """The claims that words ask for which name a thing and a metric; None where they do not."""
    return _wordings(ask, questions, metric_words).of_metric(text)


def metrics_said(
    ask: AskIds, questions: Iterable[Question], text: str, metric_words: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """The metrics with the longest name among the words, be it one word that questions have too: "memory"."""
    return _wordings(ask, questions, metric_words).metrics_said(text)


def _likely_commands(readings: Sequence[WordReading]) -> Iterator[str]:
    """What to type where nothing is meant for certain: questions that know a word that was said, and commands for what was named."""
    likely = _likely(readings)
    yield from (one.command for one in likely if not one.ignored)
    yield from (f"{one.command}   (of all things)" for one in likely[:1] if one.ignored)
    commands = dict.fromkeys(_OF_ONE_THING.get(one.question.topic, "show") for one in likely if one.ignored)
    for name in _ignored_names((*likely, *readings[:3])):
        yield from (shlex.join(["kg", command, name]) for command in commands or ("show",))


def _likely(readings: Sequence[WordReading]) -> list[WordReading]:
    """The three to offer: those that know a word that was said, and where there are none those that take all that was named."""
    near = [one for one in readings if one.score > LEAST / 2]
    return ([one for one in near if one.explained] or [one for one in near if not one.ignored])[:3]


def _ignored_names(readings: Iterable[WordReading]) -> list[str]:
    """What was named and no question takes, each once; a date is no name."""
    return list(dict.fromkeys(name for one in readings for name in one.ignored if not name[:4].isdigit()))


def _wordings(ask: AskIds, questions: Iterable[Question], metric_words: Sequence[Sequence[str]]) -> Wordings:
    """The saved questions with all names and metrics that are known."""
    names: dict[str, tuple[str, ...]] = {}
    for key, thing in ask("names/keys").rows:
        names[str(key)] = (*names.get(str(key), ()), str(thing))
    metrics: dict[str, str] = {}
    for row in ask("find/metrics", text="").dicts():
        name = str(row["metric"]).removeprefix("metric/")
        metrics |= {name_key(name): name, name_key(str(row["label"])): name}
    return Wordings(questions, names, metrics, metric_words)


class Wordings:
    """Ranks saved questions by plain words."""

    def __init__(
        self,
        questions: Iterable[Question],
        names: Mapping[str, tuple[str, ...]],
        metrics: Mapping[str, str],
        metric_words: Sequence[Sequence[str]],
    ) -> None:
        """Names are keys with the ids they mean, metrics keys with the name of the metric, the last the label and synonyms of each."""
        synonyms: dict[str, str] = {}
        for label, *others in metric_words:
            for word in others if label in metrics else ():
                synonyms.setdefault(word, metrics[label])
        self.metric_words = metric_words
        self.by_name = by_name = {one.name: one for one in questions}
        self.questions = [one for one in by_name.values() if one.words]
        self.scores = QuestionScores(self.questions)
        self.claims_of_metric = by_name.get(_OF_METRIC)
        self.names = names
        # one word such as "cost" is a word of many questions, and names no one metric
        phrases = {key: name for key, name in synonyms.items() if " " in key}
        self.metrics = {_singular(key): name for key, name in (phrases | dict(metrics)).items()}
        self.synonyms = [
            (frozenset(map(plain_stem, key.split())), key, name) for key, name in (synonyms | dict(metrics)).items()
        ]

    def readings(self, text: str) -> list[WordReading]:
        """The questions that may be meant, best first."""
        mentions, words = self._mentions(text)
        dates = dates_in(text)
        asked = AskedWords(mentions, words, name_key(text))
        found = (self.scores.reading(one, asked) for one in self.questions)
        found = (one if one is None or dates is None else _dated(one, dates) for one in found)
        return sorted((one for one in found if one is not None), key=lambda one: (-one.score, one.question.name))

    def understood(self, text: str) -> tuple[list[WordReading], WordReading | None]:
        """The questions that may be meant, best first, and the one that is answered; None where it has to be asked back."""
        readings = self.readings(text)
        if is_sure(readings):
            return readings, readings[0]
        known = bool(readings) and readings[0].score >= LEAST and bool(readings[0].explained)
        over_chips = self.over_chips(text) if not known or not CHIPS.isdisjoint(stems(text)) else None
        others = (self.of_two(readings), over_chips, self.of_metric(text), self.of_one(text))
        return readings, next((one for one in others if one is not None), None)

    def figures_in(self, text: str) -> list[str]:
        """The figures among the words that belong to no name: where each comes from is another command's answer."""
        named = {word for one in self._mentions(text)[0] for word in one.key.split()}
        return [one for one in figures_in(text) if name_key(one) not in named]

    def of_two(self, readings: Sequence[WordReading]) -> WordReading | None:
        """The comparison of two things that were named, where the words say no more than others do of two things."""
        compared = [one for one in readings if one.question.name == _OF_TWO and not one.ignored]
        best = max((one.score for one in readings if not one.ignored and not one.filters), default=0.0)
        return next((one for one in compared if one.score >= LEAST and one.score >= best), None)

    def of_one(self, text: str) -> WordReading | None:
        """All claims about one thing that was named, where the words say nothing else."""
        mentions, words = self._mentions(text)
        if len(mentions) != 1 or mentions[0].is_word or set(words) - _SAID:
            return None
        mention = mentions[0]
        name, parameter = next((of for kind, of in _OF_KIND.items() if kind in mention.kinds), _OF_THING)
        question = self.by_name.get(name)
        return None if question is None else WordReading(question, {parameter: mention.key}, LEAST)

    def over_chips(self, text: str) -> WordReading | None:
        """One metric over all chips, where words name a metric, hardly more, and no thing."""
        mentions, words = self._mentions(text)
        metrics = [one for one in mentions if "metric" in one.kinds]
        question = self.by_name.get(_OVER_CHIPS)
        if question is None or len(metrics) != 1 or len(mentions) > 1 or self._others(words, metrics[0].key):
            return None
        return WordReading(question, {"metric": metrics[0].ids[0]}, LEAST)

    def _others(self, words: Sequence[str], metric: str) -> list[str]:
        """The words that are neither of a metric nor of chips in general nor of a size."""
        return [word for word in words if word not in {*stems(metric), *CHIPS, *_SIZES}]

    def of_metric(self, text: str) -> WordReading | None:
        """The claims of what is named, for the metrics of which the words hold a name; None where either is not there."""
        mentions, _ = self._mentions(text)
        things = [one for one in mentions if not one.is_word and one.kinds.isdisjoint(("claim", "id"))]
        key = " ".join(word for word in name_key(MARKS.sub(" ", text)).split() if plain_stem(word) not in CHIPS)
        found = self._metrics_in(key)
        if self.claims_of_metric is None or len(things) != 1 or not found:
            return None
        return WordReading(self.claims_of_metric, {"thing": things[0].key, "metric": found}, LEAST)

    def _metrics_in(self, key: str) -> tuple[str, ...]:
        """The metrics with the longest name among the words, and those of whose label all words are there; endings do not count."""
        given = _stems_in(key)
        lengths: dict[str, int] = {}
        labelled: set[str] = set()
        for label, *others in self.metric_words:
            name = self.metrics.get(_singular(label))
            if name is None:
                continue
            names = map(_stems_in, (label, *filter(self._names_a_metric, others)))
            if fitting := [len(one) for one in names if is_within(one, given)]:
                lengths[name] = max(fitting)
            if set(_stems_in(label)) <= set(given):
                labelled.add(name)
        longest = max(lengths.values(), default=0)
        return tuple(sorted({name for name, length in lengths.items() if length == longest} | labelled))

    def metrics_said(self, text: str) -> tuple[str, ...]:
        """The metrics whose label or other word, the longest, is among the words."""
        given = {plain_stem(word) for word in words_of(without_ids(text))}
        fitting = [(len(parts), name) for parts, _, name in self.synonyms if parts <= given]
        longest = max((length for length, _ in fitting), default=0)
        return tuple(sorted({name for length, name in fitting if length == longest}))

    def _mentions(self, text: str) -> tuple[list[NameMention], list[str]]:
        """What is named in the words, in their order, and the words that are left; those of a metric are left too."""
        found = list(ids_in(text))
        words = words_of(without_ids(text))
        left: list[str] = []
        place = 0
        while place < len(words):
            for length in range(min(_LONGEST_NAME, len(words) - place), 0, -1):
                key = " ".join(words[place : place + length])
                mention = self._mention(key)
                if mention is not None:
                    found.append(mention)
                    left += words[place : place + length] if mention.is_word else []
                    place += length
                    break
            else:
                left.append(words[place])
                place += 1
        if not any("metric" in one.kinds for one in found):
            found += self._scattered_metric(left)
        return found, [plain_stem(word) for word in left if word not in STOP]

    def _scattered_metric(self, words: Sequence[str]) -> list[NameMention]:
        """The metric with the longest name whose words are all among others, in any order: "size of the memory".

        A single word has to be no word of any question, so that "cost" and "GPUs" name none.
        """
        given = {plain_stem(word): place for place, word in enumerate(word for word in words if word not in STOP)}
        fitting = []
        for parts, key, name in self.synonyms:
            places = [given[part] for part in parts if part in given]
            near = len(places) == len(parts) and max(places) - min(places) <= len(parts)
            if near and (len(parts) > 1 or plain_stem(key) not in self.scores.rarity):
                fitting.append((len(parts), key, name))
        if not fitting:
            return []
        _, key, name = max(fitting, key=lambda one: one[0])
        return [NameMention(key, frozenset({"metric"}), (name,))]

    def _names_a_metric(self, synonym: str) -> bool:
        """Whether another word for a metric names it alone: no question has it, but those that take a metric; several words do."""
        if " " in synonym:
            return True
        known = (one for one in self.questions if plain_stem(synonym) in self.scores.weights[one.name])
        return all(any(parameter.base_type == "metric" for parameter in one.parameters) for one in known)

    def _mention(self, key: str) -> NameMention | None:
        metric = self.metrics.get(_singular(key))
        if metric is not None:
            return NameMention(key, frozenset({"metric"}), (metric,))
        ids = self.names.get(key, ())
        return (
            NameMention(key, frozenset(one.partition("/")[0] for one in ids), ids) if ids and key not in STOP else None
        )


def _dated(reading: WordReading, dates: RowFilter) -> WordReading:
    """A reading with its rows narrowed to a span of dates; where they have no date, what was asked is passed over."""
    if dates.columns(reading.question):
        return replace(reading, filters=(*reading.filters, dates))
    return replace(reading, score=0.6 * reading.score, ignored=(*reading.ignored, dates.since or dates.until))
