"""A question in plain words: which saved question it means, and with which values.

Offline and without a model: the words are ranked against title, question and further words of each header; names, ids and
metrics found among them fill its parameters. Only questions whose header has `words` are answered so.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Final

from kg.ask.id_names import AskIds
from kg.ask.question import Parameter, Question
from kg.errors import UsageError
from kg.model.names import name_key

LEAST: Final = 0.38
"""Below this share of the words that a question explains, nothing is answered."""
AHEAD: Final = 1.12
"""How far the best question must be ahead of the next."""
FAR_AHEAD: Final = 1.3
"""The same where the next explains a word that the best does not."""
_STOP: Final = frozenset(
    [
        "a",
        "about",
        "among",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "between",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "each",
        "either",
        "every",
        "for",
        "from",
        "give",
        "gives",
        "given",
        "had",
        "has",
        "have",
        "how",
        "i",
        "in",
        "into",
        "is",
        "it",
        "its",
        "list",
        "me",
        "my",
        "of",
        "on",
        "one",
        "or",
        "out",
        "over",
        "own",
        "please",
        "say",
        "says",
        "see",
        "show",
        "some",
        "such",
        "tell",
        "than",
        "that",
        "the",
        "their",
        "them",
        "there",
        "they",
        "this",
        "those",
        "to",
        "was",
        "were",
        "what",
        "where",
        "which",
        "who",
        "whose",
        "will",
        "with",
        "would",
        "you",
        "all",
    ]
)
_FIRST: Final = re.compile(r"(?<![\w/])[A-Za-z0-9][\w.-]*/[\w./#-]*\w")
_ENDINGS: Final = (
    "isons",
    "ison",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ities",
    "ity",
    "ers",
    "er",
    "ies",
    "ed",
    "es",
    "e",
    "ly",
    "s",
)
_OF_ONE_THING: Final[Mapping[str, str]] = {"audit": "conflicts", "disputes": "conflicts", "origins": "audit"}
"""The command that answers of one thing where the questions of a topic are about all."""
_LONGEST_NAME: Final = 6
_OF_METRIC: Final = "claims/of-metric"
"""The question that is asked where words name a thing and a metric, and no question."""
_MARKS: Final = re.compile(r"[?!,;:()\[\]\"“”‘’]|\.(?=\s|$)")
_WORDS: Final = frozenset(
    {
        "benchmark",
        "division",
        "figure",
        "market",
        "model-class",
        "precision",
        "reference",
        "round",
        "scenario",
        "software",
        "task",
        "technology",
    }
)
"""Kinds whose names are words of questions too: they stay among the words, and nothing is missed where no parameter takes them."""


_ALIKE: Final[Mapping[str, str]] = {
    other: first
    for first, *others in (
        ("empt", "blank", "missing", "miss"),
        ("open", "read"),
        ("wrong", "mistak", "error", "incorrect", "false"),
        ("repeat", "echo", "reiterat"),
        ("rest", "depend", "build", "built", "rely"),
        ("count", "number", "many"),
        ("hold", "contain"),
        ("larg", "bigg", "biggest", "largest", "highest", "greatest"),
        ("machin", "ai"),
    )
    for other in others
}
"""Stems of everyday words that say the same, under one of them; words of the field are in the headers of the questions."""


class UnsureQuestion(UsageError):
    """Plain words that may mean several saved questions, or none."""

    code = "question.unsure"


@dataclass(frozen=True, slots=True)
class WordReading:
    """A saved question that may be meant, its values, and how much of the words it explains."""

    question: Question
    values: Mapping[str, object]
    score: float
    ignored: tuple[str, ...] = ()
    """Things that were named and that the question does not take: its rows would be of all things."""
    explained: frozenset[str] = frozenset()
    """The words that it knows; with none a question only takes the names that were said."""

    @property
    def command(self) -> str:
        """The command that asks it by name."""
        given = [
            word
            for name, value in self.values.items()
            for one in (value if isinstance(value, tuple) else (value,))
            for word in (f"--{name}", str(one))
        ]
        return shlex.join(["kg", "ask", self.question.name, *given])


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name, id or metric found in the words."""

    key: str
    kinds: frozenset[str]
    """`claim`, `metric`, `id`, or the kinds of the things it names by the first part of their ids."""
    ids: tuple[str, ...]

    @property
    def is_word(self) -> bool:
        """Whether it may be a word of the question as well."""
        return self.kinds <= _WORDS | {"metric"}


def stem(word: str) -> str:
    """A word without its ending.

    >>> [stem(word) for word in ("comparisons", "compare", "rented", "prices", "is")]
    ['compar', 'compar', 'rent', 'pric', 'is']
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= (4 if len(ending) < 5 else 3):
            return word.removesuffix(ending)
    return word


def stems(text: str) -> Iterator[str]:
    """The words of a text that say something, without their endings."""
    return (_plain(word) for word in name_key(_MARKS.sub(" ", text)).split() if word not in _STOP)


def _plain(word: str) -> str:
    """The stem of a word, or that of the usual word for the same."""
    found = stem(word)
    return _ALIKE.get(found, found)


def _is_within(part: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words stand among others, one behind the other.

    >>> _is_within(["memory", "size"], ["what", "memory", "size"]), _is_within(["size"], ["sizes"])
    (True, False)
    """
    return any(words[place : place + len(part)] == part for place in range(len(words)))


def _singular(key: str) -> str:
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in key.split())


def is_sure(readings: Sequence[WordReading]) -> bool:
    """Whether the first reading may be answered without asking: it must be ahead, farther where the next knows other words."""
    if not readings or readings[0].ignored or readings[0].score < LEAST:
        return False
    first, *others = readings
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
    readings = wordings.readings(text)
    if is_sure(readings):
        return readings[:3]
    if (of_metric := wordings.of_metric(text, metric_words)) is not None:
        return [of_metric, *(one for one in readings[:2] if not one.ignored)]
    near = list(_likely_commands(readings))
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
    return _wordings(ask, questions, metric_words).of_metric(text, metric_words)


def _likely_commands(readings: Sequence[WordReading]) -> Iterator[str]:
    """What to type where nothing is meant for certain: questions that know a word that was said, and commands for what was named."""
    likely = [one for one in readings if one.score > LEAST / 2 and one.explained]
    likely = (likely or [one for one in readings if one.score > LEAST / 2 and not one.ignored])[:3]
    yield from (one.command for one in likely if not one.ignored)
    yield from (f"{one.command}   (of all things)" for one in likely[:1] if one.ignored)
    named = dict.fromkeys(name for one in (*likely, *readings[:3]) for name in one.ignored)
    commands = dict.fromkeys(_OF_ONE_THING.get(one.question.topic, "show") for one in likely if one.ignored)
    yield from (shlex.join(["kg", command, name]) for name in named for command in commands or ("show",))


def _wordings(ask: AskIds, questions: Iterable[Question], metric_words: Iterable[Sequence[str]]) -> Wordings:
    """The saved questions with all names and metrics that are known."""
    names: dict[str, tuple[str, ...]] = {}
    for key, thing in ask("names/keys").rows:
        names[str(key)] = (*names.get(str(key), ()), str(thing))
    metrics: dict[str, str] = {}
    for row in ask("find/metrics", text="").dicts():
        name = str(row["metric"]).removeprefix("metric/")
        metrics |= {name_key(name): name, name_key(str(row["label"])): name}
    for label, *others in metric_words:  # one word such as "cost" is a word of many questions, and names no one metric
        for word in others if label in metrics else ():
            if " " in word:
                metrics.setdefault(word, metrics[label])
    return Wordings(questions, names, metrics)


class Wordings:
    """Ranks saved questions by plain words."""

    def __init__(
        self, questions: Iterable[Question], names: Mapping[str, tuple[str, ...]], metrics: Mapping[str, str]
    ) -> None:
        """Names are keys with the ids they mean, metrics keys with the name of the metric."""
        by_name = {one.name: one for one in questions}
        self.questions = [one for one in by_name.values() if one.words]
        self.claims_of_metric = by_name.get(_OF_METRIC)
        self.names = names
        self.metrics = {_singular(key): name for key, name in metrics.items()}

    @cached_property
    def weights(self) -> Mapping[str, Mapping[str, float]]:
        """Per question how much each word says for it: one of its title or further words more than one of its text."""
        found: dict[str, dict[str, float]] = {}
        for one in self.questions:
            own: dict[str, float] = {}
            for text, weight in (
                (one.question, 0.6),
                (one.name.replace("/", " "), 0.8),
                (one.title, 1.0),
                (" ".join(one.words), 1.0),
            ):
                own |= {word: max(weight, own.get(word, 0.0)) for word in stems(text)}
            found[one.name] = own
        return found

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """How much a word tells questions from one another."""
        counts = Counter(word for own in self.weights.values() for word in own)
        return {word: log(1 + len(self.questions) / count) for word, count in counts.items()}

    def readings(self, text: str) -> list[WordReading]:
        """The questions that may be meant, best first."""
        mentions, words = self._mentions(text)
        found = (self._reading(one, mentions, words, name_key(text)) for one in self.questions)
        return sorted((one for one in found if one is not None), key=lambda one: (-one.score, one.question.name))

    def of_metric(self, text: str, metric_words: Sequence[Sequence[str]]) -> WordReading | None:
        """The claims of what is named, for the metrics of which the words hold a name; None where either is not there."""
        mentions, _ = self._mentions(text)
        things = [one for one in mentions if not one.is_word and one.kinds.isdisjoint(("claim", "id"))]
        found = self._metrics_in(name_key(_MARKS.sub(" ", text)), metric_words)
        if self.claims_of_metric is None or len(things) != 1 or not found:
            return None
        return WordReading(self.claims_of_metric, {"thing": things[0].key, "metric": found}, LEAST)

    def _metrics_in(self, key: str, metric_words: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """The metrics with the longest name among the words, and those of whose label all words are there; endings do not count."""
        given = [stem(word) for word in key.split()]
        lengths: dict[str, int] = {}
        labelled: set[str] = set()
        for label, *others in metric_words:
            name = self.metrics.get(_singular(label))
            names = [[stem(word) for word in one.split()] for one in (label, *others)]
            fitting = [len(one) for one in names if _is_within(one, given)]
            if name is not None and fitting:
                lengths[name] = max(fitting)
            if name is not None and set(names[0]) <= set(given):
                labelled.add(name)
        longest = max(lengths.values(), default=0)
        return tuple(sorted({name for name, length in lengths.items() if length == longest} | labelled))

    def _mentions(self, text: str) -> tuple[list[NameMention], list[str]]:
        """What is named in the words, in their order, and the words that are left; those of a metric are left too."""
        found: list[NameMention] = []
        for given in _FIRST.findall(text):
            kind = "claim" if given[0].isdigit() else "id"
            found.append(NameMention(given, frozenset({kind}), (given,)))
        words = name_key(_MARKS.sub(" ", _FIRST.sub(" ", text))).split()
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
        return found, [_plain(word) for word in left if word not in _STOP]

    def _mention(self, key: str) -> NameMention | None:
        metric = self.metrics.get(_singular(key))
        if metric is not None:
            return NameMention(key, frozenset({"metric"}), (metric,))
        ids = self.names.get(key, ())
        return (
            NameMention(key, frozenset(one.partition("/")[0] for one in ids), ids) if ids and key not in _STOP else None
        )

    def _reading(
        self, question: Question, mentions: list[NameMention], words: list[str], key: str
    ) -> WordReading | None:
        values, left = _filled(question, mentions)
        if any(one.required and one.name not in values for one in question.parameters):
            return None
        titled = set(stems(question.title))
        # "power and energy" asks for more than the one metric that is a word of it
        for parameter in question.parameters:
            named = str(values.get(parameter.name, ""))
            if parameter.default is not None and "-" not in named and (titled - {stem(named)}) & set(words):
                values.pop(parameter.name, None)
        things = sum(not one.is_word for one in mentions)
        score = self._share_of_words(question, words, len(values), things)
        score *= 0.6 ** sum(not one.is_word for one in left) * 0.9 ** sum("metric" in one.kinds for one in left)
        phrases = sum(name_key(one) in key for one in question.words if " " in one)
        alike = len(titled & set(words)) / len(titled)
        needed = sum(one.required for one in question.parameters)
        score = score * (1 + 0.25 * min(phrases, 2) + 0.1 * alike) + 0.02 * needed
        own = self.weights[question.name]
        ignored = tuple(one.key for one in left if not one.is_word or _is_other(one, own))
        return WordReading(question, values, score, ignored, frozenset(words) & set(own))

    def _share_of_words(self, question: Question, words: list[str], values: int, things: int) -> float:
        """How much of what was asked a question takes up, rare words counting more.

        A value counts as much as a word: a question that takes what was named is likelier than one that does not.
        """
        own = self.weights[question.name]
        most = max(self.rarity.values(), default=1.0)
        whole = sum(self.rarity.get(word, 0.6 * most) for word in words)
        said = sum(self.rarity.get(word, 0.0) * own.get(word, 0.0) for word in words)
        return (said + 0.5 * most * values) / (whole + 0.5 * most * max(things, values) or 1.0)


def _is_other(mention: NameMention, own: Mapping[str, float]) -> bool:
    """Whether a metric named in several words is none of the question's: "memory size" is no size of a model."""
    return "metric" in mention.kinds and " " in mention.key and not set(stems(mention.key)) <= set(own)


def _filled(question: Question, mentions: list[NameMention]) -> tuple[dict[str, object], list[NameMention]]:
    """The values that the mentions give the parameters, and the mentions that none takes."""
    values: dict[str, object] = {}
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
    return _id_of_kind(parameter, mention) if wanted == "id" else None


def _fits_name(parameter: Parameter, mention: NameMention) -> bool:
    """A model goes to the parameter of that name only: hardware and model may be in one sentence."""
    if parameter.name == "model":
        return "model" in mention.kinds
    return not mention.kinds & {"model", "id"} and not mention.is_word


def _id_of_kind(parameter: Parameter, mention: NameMention) -> str | None:
    """The one id of a mention that has the kind of the parameter; of several none is chosen."""
    kind = {"origin": "source", "thing": ""}.get(parameter.name, parameter.name)
    if kind and kind != "model" and "model" in mention.kinds:
        return None
    fitting = [one for one in mention.ids if one.startswith(f"{kind}/") or not kind and "id" in mention.kinds]
    return fitting[0] if len(fitting) == 1 else None
