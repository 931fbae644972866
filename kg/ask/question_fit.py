"""How well plain words fit a saved question: the values they give it, what narrows its rows, and a score.

The score is the share of the words that the question explains, times one factor for each further thing that speaks for it
or against it. `kg.ask.wording` finds the names in the words and decides by the scores.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Final

from kg.ask.mentions import NameMention, is_phrase_in, is_run
from kg.ask.plain_words import COUNT, DENIALS, GENERAL, NO, stem, stems
from kg.ask.question import Parameter, Question
from kg.ask.row_filters import RowFilter

_NARROWED: Final = 0.8
"""What a name counts that the rows are narrowed to, next to one that a parameter takes."""
_THING_IGNORED: Final = 0.6
_METRIC_IGNORED: Final = 0.9
"""What is left of a question that takes no such name; less is lost by a metric, whose words may be words of the question."""
_PHRASE: Final = 0.25
_MOST_PHRASES: Final = 2
_TITLE: Final = 0.3
"""What a question gains by a phrase of its header among the words, and by all words of its title."""
_VALUE_NEEDED: Final = 0.02
"""What decides between questions that are alike otherwise: one that needs what was named is about it."""
_OF_NAME: Final = 0.5
"""What a word counts that belongs to the name of a metric which the question takes."""
_OF_KIND: Final = 1.15
"""What a topic gains that is about the kind of thing that was named: "how large" of a model."""
_NEGATED: Final = 0.6
"""What is left of a question about what is not there where the words deny nothing, and of any other where they do."""
_UNCOUNTED: Final = 0.7
"""What is left of a question that counts nothing where the words ask how many."""
_LONG: Final = 3
"""From how many words on a phrase of a header counts as a phrase, and its words less."""
_GENERAL: Final = 0.4
"""The weight of "chip" and "text" relative to other words: nearly every question is about chips in texts."""
_UNKNOWN: Final = 0.8
"""What a word counts that no question knows, next to the rarest that one does."""


@dataclass(frozen=True, slots=True)
class WordReading:
    """A saved question that may be meant, its values, and how much of the words it explains."""

    question: Question
    values: Mapping[str, object]
    score: float
    ignored: tuple[str, ...] = ()
    """Things that were named and that the question does not take: its rows would be of all things."""
    filters: tuple[RowFilter, ...] = ()
    """What was named that the rows can be narrowed to."""
    explained: frozenset[str] = frozenset()
    """The words that it knows; with none a question only takes the names that were said."""
    unknown: int = 0
    """How many words no question knows."""

    @property
    def command(self) -> str:
        """The command that asks it by name."""
        given = [
            word
            for name, value in self.values.items()
            for one in (value if isinstance(value, tuple) else (value,))
            for word in (f"--{name}", str(one))
        ]
        narrowed = [word for one in self.filters for word in one.options]
        return shlex.join(["kg", "ask", self.question.name, *given, *narrowed])


@dataclass(frozen=True, slots=True)
class AskedWords:
    """What was asked in plain words: the names in it, the stems of the other words, and the whole as a key."""

    mentions: list[NameMention]
    words: list[str]
    key: str


@dataclass(frozen=True, slots=True)
class QuestionFit:
    """A question with what was asked: the names it takes as values, those its rows are narrowed to, and those it ignores."""

    question: Question
    asked: AskedWords
    values: Mapping[str, str]
    narrowing: Sequence[NameMention]
    ignored: Sequence[NameMention]

    @property
    def metric_words(self) -> frozenset[str]:
        """The words of the metrics that it takes."""
        taken = (one for one in self.asked.mentions if "metric" in one.kinds and one not in self.ignored)
        return frozenset(word for one in taken for word in stems(one.key))

    @property
    def names_factor(self) -> float:
        """The factor of the names that no parameter takes."""
        things = sum(not one.is_word for one in self.ignored)
        metrics = sum("metric" in one.kinds for one in self.ignored)
        return _NARROWED ** len(self.narrowing) * _THING_IGNORED**things * _METRIC_IGNORED**metrics

    @property
    def header_factor(self) -> float:
        """The factor of the phrases of its header, and of the words of its title."""
        asked, title = self.asked, set(stems(self.question.title))
        phrases = (one for one in self.question.words if " " in one)
        said = sum(is_phrase_in(one, asked.key) or is_run(one, asked.words) for one in phrases)
        alike = len(title & set(asked.words)) / max(len(title), 1)
        return 1 + _PHRASE * min(said, _MOST_PHRASES) + _TITLE * alike

    @property
    def needs_bonus(self) -> float:
        """What is added for each value that it needs, and twice for one whose parameter is named after the kind of thing."""
        needed = sum(one.required for one in self.question.parameters)
        named = (one.ids[0] in map(self.values.get, one.kinds) for one in self.asked.mentions)
        return _VALUE_NEEDED * (needed + 2 * sum(named))

    @property
    def kind_factor(self) -> float:
        """The factor of a topic about the kind of thing that was named."""
        kinds = {kind for one in self.asked.mentions for kind in one.kinds}
        return _OF_KIND if self.question.topic in {f"{kind}s" for kind in kinds} else 1.0

    @property
    def denial_factor(self) -> float:
        """The factor of a question about what is not there."""
        denies = not DENIALS.isdisjoint(self.asked.words)
        about_denied = DENIALS & {word for text in (self.question.title, *self.question.words) for word in stems(text)}
        return _NEGATED if (not denies and NO in stems(self.question.title)) or (denies and not about_denied) else 1.0

    @property
    def count_factor(self) -> float:
        """The factor of a question that lists where the words ask how many; one that takes a value may give the number asked for."""
        lists = COUNT not in stems(f"{self.question.title} {self.question.question}") and not self.values
        return _UNCOUNTED if COUNT in self.asked.words and lists else 1.0


def fit_of(question: Question, asked: AskedWords) -> QuestionFit | None:
    """How what was asked fits a question; None where a value is not there that it needs."""
    values, left = _filled(question, asked.mentions)
    if any(one.required and one.name not in values for one in question.parameters):
        return None
    narrowing = list(_narrowing(question, asked.mentions, left))
    ignored = [one for one in left if one not in narrowing]
    return QuestionFit(question, asked, _without_title_words(question, asked, values), narrowing, ignored)


def _narrowing(
    question: Question, mentions: Sequence[NameMention], left: Sequence[NameMention]
) -> Iterator[NameMention]:
    """The first name that is left and that a column holds; no chip where the question is about another one already."""
    first = next((one for one in left if not one.is_word and one.filter.columns(question)), None)
    takes_hardware = any(one.is_hardware for one in mentions if one not in left)
    if first is not None and not (first.is_hardware and takes_hardware):
        yield first


def _without_title_words(question: Question, asked: AskedWords, values: Mapping[str, str]) -> dict[str, str]:
    """The values, save a metric in one word next to other words of the title: "power and energy" asks for both."""
    of_title = set(stems(question.title)) & set(asked.words)
    in_one_word = {one.ids[0] for one in asked.mentions if " " not in one.key}
    with_default = {one.name for one in question.parameters if one.default is not None}
    return {
        name: value
        for name, value in values.items()
        if name not in with_default or value not in in_one_word or not of_title - {stem(value)}
    }


class QuestionScores:
    """Scores saved questions by how well plain words fit them; a word that few questions have counts more."""

    def __init__(self, questions: Sequence[Question]) -> None:
        """All questions that may be asked in plain words: how rare a word is depends on all of them."""
        self._questions = questions

    @cached_property
    def weights(self) -> Mapping[str, Mapping[str, float]]:
        """Per question how much each word says for it: one of its title or further words more than one of its text."""
        found: dict[str, dict[str, float]] = {}
        for one in self._questions:
            own: dict[str, float] = {}
            for text, weight in (
                (one.question, 0.6),
                (one.name.replace("/", " "), 0.3),
                (one.title, 1.0),
                (" ".join(word for word in one.words if len(word.split()) < _LONG), 1.0),
                (" ".join(word for word in one.words if len(word.split()) >= _LONG), 0.6),
            ):
                own |= {word: max(weight, own.get(word, 0.0)) for word in stems(text)}
            found[one.name] = own
        return found

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How much a word distinguishes questions from one another."""
        counts = Counter(word for own in self.weights.values() for word in own)
        return {
            word: log(1 + len(self._questions) / count) * (_GENERAL if word in GENERAL else 1)
            for word, count in counts.items()
        }

    def reading(self, question: Question, asked: AskedWords) -> WordReading | None:
        """The question as a reading of what was asked; None where a value is not there that it needs."""
        fit = fit_of(question, asked)
        if fit is None:
            return None
        own = self.weights[question.name]
        # the words of a metric that is a value are explained by it, unless questions have them too
        of_metrics = fit.metric_words
        words = [word for word in asked.words if word not in of_metrics or word in self.rarity]
        score = self._share_of_words(fit, words) * fit.names_factor * fit.header_factor + fit.needs_bonus
        return WordReading(
            question,
            fit.values,
            score * fit.kind_factor * fit.denial_factor * fit.count_factor,
            ignored=tuple(one.key for one in fit.ignored if not one.is_word or _is_other(one, own)),
            filters=tuple(one.filter for one in fit.narrowing),
            explained=frozenset(asked.words) & set(own),
            unknown=sum(word not in self.rarity for word in words),
        )

    def _share_of_words(self, fit: QuestionFit, words: Sequence[str]) -> float:
        """How much of what was asked a question takes up, rare words counting more.

        A value counts as much as a word: a question that takes what was named is likelier than one that does not.
        """
        own = self.weights[fit.question.name]
        most = max(self.rarity.values(), default=1.0)
        of_metrics = fit.metric_words.difference(own)
        whole = sum(self.rarity.get(word, _UNKNOWN * most) * (_OF_NAME if word in of_metrics else 1) for word in words)
        said = sum(self.rarity.get(word, 0.0) * own.get(word, 0.0) for word in words)
        values = len(fit.values) + _NARROWED * len(fit.narrowing)
        things = sum(not one.is_word for one in fit.asked.mentions)
        return (said + 0.5 * most * values) / (whole + 0.5 * most * max(things, values) or 1.0)


def _is_other(mention: NameMention, own: Mapping[str, float]) -> bool:
    """Whether a metric named in several words is none of the question's: "memory size" is no size of a model."""
    return "metric" in mention.kinds and " " in mention.key and not set(stems(mention.key)) <= set(own)


def _filled(question: Question, mentions: Sequence[NameMention]) -> tuple[dict[str, str], list[NameMention]]:
    """The values that the mentions give the parameters, and the mentions that none takes."""
    values: dict[str, str] = {}
    left = list(mentions)
    for parameter in sorted(question.parameters, key=lambda one: not one.required):
        for mention in left:
            value = _value(parameter, mention)
            if value is not None:
                values[parameter.name] = value
                left.remove(mention)
                break
    return values, left


def _value(parameter: Parameter, mention: NameMention) -> str | None:
    """What a mention is as the value of a parameter; None where it is not one."""
    wanted, kinds = parameter.base_type, mention.kinds
    if wanted in ("claim", "metric") or kinds & {"claim", "metric"}:
        of_these = not isinstance(parameter.default, tuple) or mention.ids[0] in parameter.default
        return mention.ids[0] if wanted in kinds and of_these else None
    if wanted == "name":
        return mention.key if _fits_name(parameter, mention) else None
    return _id_kind_factor(parameter, mention) if wanted == "id" else None


def _fits_name(parameter: Parameter, mention: NameMention) -> bool:
    """A model goes to the parameter of that name only, and an organisation narrows the rows: it has no parts and no ratio."""
    if parameter.name == "model":
        return "model" in mention.kinds
    return not mention.kinds & {"model", "id"} and mention.kinds != {"org"} and not mention.is_word


def _id_kind_factor(parameter: Parameter, mention: NameMention) -> str | None:
    """The one id of a mention that has the kind of the parameter; of several none is chosen."""
    kind = {"origin": "source", "thing": ""}.get(parameter.name, parameter.name)
    if kind and kind != "model" and "model" in mention.kinds:
        return None
    fitting = [one for one in mention.ids if one.startswith(f"{kind}/") or not kind and "id" in mention.kinds]
    return fitting[0] if len(fitting) == 1 else None
