"""How plain words fit a saved question: the values they give it, what narrows its rows, and what it would pass over.

`kg.ask.wording` finds the names in the words, and decides by how likely the question is worded so (`kg.ask.examples`) and by
how well it takes what was named.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kg.ask.exclusions import exceptions_said
from kg.ask.mentions import NameMention
from kg.ask.plain_words import plain_stem, stem, stems
from kg.ask.question import Parameter, Question
from kg.ask.row_filters import ACCELERATORS, RowFilter

TAKEN: Final = 0.7
_NARROWED: Final = -1.0
IGNORED: Final = -3.0
_METRIC_IGNORED: Final = -0.7
"""What is added to the logarithm of the likelihood for a name that a parameter takes, that the rows are narrowed to, and that
is passed over: a metric is passed over more easily, its words may be words of the question."""
_UNORDERED: Final = -1.5
"""The same for an order of figures, or a number of accelerators, that the question has not: "most" may be no more than a way to
speak, and so may be the 8 chips that a figure is stated of."""

_SURE_ALL_THE_SAME: Final = 0.9
"""From which probability on one word that is left over does not matter. Chosen by looking at the questions with which this was
developed, not by a sweep."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """What a reading passes over, each as it was typed."""

    named: tuple[str, ...] = ()
    """Names and figures, and words that no question knows: the rows would be about more than was asked for."""
    words: tuple[str, ...] = ()
    """Words that other questions know."""

    @property
    def all(self) -> tuple[str, ...]:
        """Both, each once."""
        return tuple(dict.fromkeys((*self.named, *self.words)))

    def is_answered(self, probability: float) -> bool:
        """Whether a reading of this probability answers what was asked all the same.

        >>> PassedOver().is_answered(0.6), PassedOver(words=("liquid",)).is_answered(0.6), PassedOver(named=("int4",)).is_answered(1.0)
        (True, False, False)
        """
        return not self.named and (not self.words or (len(self.words) == 1 and probability >= _SURE_ALL_THE_SAME))


@dataclass(frozen=True, slots=True)
class WordReading:
    """A saved question that may be meant, with its values, and how likely it is."""

    question: Question
    values: Mapping[str, object]
    score: float = 0.0
    """The logarithm of how likely it is, up to a constant."""
    ignored: tuple[str, ...] = ()
    """What was named and the question does not take: its rows would be of all things."""
    filters: tuple[RowFilter, ...] = ()
    """What was named that the rows can be narrowed to."""
    share: float = 0.0
    """The probability that it is meant, among all questions and none."""
    left_over: PassedOver = PassedOver()
    """What it does not take up (`kg.ask.passed_over`)."""
    count: int = 1
    """Of how many chips the metric is asked for: its rows are those of one."""
    instead: tuple[str, ...] = ()
    """What names were taken for of which there are no rows, a line each."""

    @property
    def names(self) -> frozenset[str]:
        """What it was given, be it a value or what its rows are narrowed to."""
        given = (value if isinstance(value, tuple) else (value,) for value in self.values.values())
        return frozenset(str(one) for values in given for one in values) | {
            one.name for one in self.filters if one.name
        }

    @property
    def metrics(self) -> frozenset[str]:
        """The metrics among them."""
        filtered = (one.name for one in self.filters if "metric" in one.kinds)
        value = self.values.get("metric", ())
        return frozenset((*(value if isinstance(value, tuple) else (str(value),)), *filtered))

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
    """What was asked in plain words."""

    mentions: list[NameMention]
    """What is named, in its order; a metric is among the words too."""
    words: list[str]
    """The stems of the words that name no thing, without stop words."""
    stems: list[str]
    """All words as wordings are compared: names as slots, stop words as they are, the others as stems."""
    typed: Mapping[str, str] = field(default_factory=dict)
    """The words as they were typed, by their stems."""
    bounds: tuple[str, ...] = ()
    """The bounds on figures, as they were said: "more than 100 GB"."""
    bound_words: frozenset[str] = frozenset()
    """The stems of their words, and of those that say how many rows are wanted: "top 5"."""
    bound_figures: frozenset[str] = frozenset()
    """The stems of those that no wording has: figures and units."""
    excluded: tuple[NameMention, ...] = ()
    """What is left out: "except the H100". It is none of the mentions."""
    text: str = ""
    """The words without those of what is left out."""

    @property
    def things_and_models(self) -> tuple[list[NameMention], list[NameMention]]:
        """What is named, and the models among it where another thing is named too: what is said is said of that, on these."""
        named = [one for one in self.mentions if not one.is_word and one.kinds.isdisjoint(("claim", "id"))]
        models = [one for one in named if "model" in one.kinds] if len(named) > 1 else []
        return [one for one in named if one not in models], models


@dataclass(frozen=True, slots=True)
class QuestionFit:
    """A question with what was asked: the names it takes as values, those its rows are narrowed to, and those it ignores."""

    question: Question
    values: Mapping[str, str]
    narrowing: Sequence[NameMention]
    ignored: Sequence[NameMention]
    """Of metrics only those named by words that the question does not have: "memory size" is no size of a model."""
    words: Sequence[NameMention] = ()
    """Rounds, scenarios, divisions and precisions that no parameter takes and the rows are narrowed to."""

    @property
    def score(self) -> float:
        """What the names add to the logarithm of the likelihood of its words."""
        metrics = sum("metric" in one.kinds for one in self.ignored)
        things = len(self.ignored) - metrics
        return TAKEN * len(self.values) + _NARROWED * len(self.narrowing) + IGNORED * things + _METRIC_IGNORED * metrics

    def reading(self, likelihood: float) -> WordReading:
        """The question as a reading of what was asked."""
        names, filters = (one.key for one in self.ignored), (one.filter for one in (*self.narrowing, *self.words))
        return WordReading(self.question, self.values, likelihood + self.score, tuple(names), tuple(filters))


def fit_of(question: Question, asked: AskedWords) -> QuestionFit | None:
    """How what was asked fits a question; None where a value is not there that it needs."""
    values, left = _filled(question, asked.mentions)
    if any(one.required and one.name not in values for one in question.parameters):
        return None
    narrowing = list(_narrowing(question, asked.mentions, left))
    ignored = [one for one in left if one not in narrowing and (not one.is_word or _is_other(one, question))]
    words = [one for one in left if narrows(one) and one.filter.columns(question) and not _is_sold(one, question)]
    return QuestionFit(question, _without_title_words(question, asked, values), narrowing, ignored, words)


def _is_sold(mention: NameMention, question: Question) -> bool:
    """Whether a scenario of MLPerf is a thing with a price: "the cheapest server"."""
    return question.topic == "prices" and plain_stem(mention.key) == plain_stem("server")


def narrows(mention: NameMention) -> bool:
    """Whether a word that is named narrows the rows of any question; "open" alone is no division."""
    is_division = mention.kinds == {"division"} and " " in mention.key
    return is_division or mention.kinds in ({"precision"}, {"round"}, {"scenario"})


def narrowed(reading: WordReading, wanted: Iterable[RowFilter]) -> WordReading:
    """A reading with its rows narrowed to spans of dates, the newest, a bound, or a precision, where they have such a column.

    Without one a span of dates that was asked for is passed over; a wish is not, and a precision is a word of questions too. A
    question without figures is meant less where an order of them is asked for.
    """
    for one in _of_question(reading, wanted):
        if one.columns(reading.question):
            reading = replace(reading, filters=(*reading.filters, one))
        elif one.order is not None or one.kinds == {ACCELERATORS}:
            reading = replace(reading, score=reading.score + _UNORDERED)
        elif not (one.is_wish or one.kinds) or one.excluded or one.kinds in ({"verdict"}, {"value"}):
            ignored = (*reading.ignored, one.name or one.since or one.until)
            reading = replace(reading, score=reading.score + IGNORED, ignored=ignored)
    return reading


def _of_question(reading: WordReading, wanted: Iterable[RowFilter]) -> Iterator[RowFilter]:
    """Each filter by columns that a question has; no order where the words were read for one with what the question is of."""
    has_order = any(one.order for one in reading.filters)
    for one in wanted:
        if one.order is None or not has_order:
            yield one if one.by in reading.question.column_names else replace(one, by="")


def denies(question: Question) -> bool:
    """Whether its rows are what is not there: "What was never measured"."""
    return plain_stem("no") in stems(question.title)


def says(question: Question, phrase: str, behind: frozenset[str]) -> bool:
    """Whether its header or a wording has a phrase, and one of the words behind it here: "cited but not read"."""
    texts = (question.title, question.question, *question.words, *question.asked)
    said = [words for text in texts for one, words in exceptions_said(text) if one == phrase]
    return bool(said) and (not behind or not behind.isdisjoint(words_of_header(question).union(*said)))


def words_of_header(question: Question) -> frozenset[str]:
    """The stems of title, text, name and further words."""
    texts = (question.title, question.question, question.name.replace("/", " "), *question.words)
    return frozenset(word for text in texts for word in stems(text))


def _narrowing(
    question: Question, mentions: Sequence[NameMention], left: Sequence[NameMention]
) -> Iterator[NameMention]:
    """The names that are left and that a column holds, and a metric; no chip where it is about another one already.

    Of two names the rows of both are asked for: where each row names one thing only, two of one kind are both kept.
    """
    takes_hardware = not _is_of_parts(question) and any(one.is_hardware for one in mentions if one not in left)
    named = [one for one in left if not one.is_word and not (one.is_hardware and takes_hardware)]
    seen: set[tuple[str, ...]] = set()
    for one in named:
        columns = one.filter.columns(question)
        if columns and (columns not in seen or len(columns) == 1):
            yield one
        seen.add(columns)
    yield from (one for one in left if _is_other(one, question) and one.filter.columns(question))


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


def _is_other(mention: NameMention, question: Question) -> bool:
    """Whether a metric that is named is none of the question's: "memory size" is no size of a model."""
    if "metric" not in mention.kinds:
        return False
    # in one of its wordings: "energy" in one and "tokens" in another say nothing of energy per token
    taught = (words_of_header(question), *(frozenset(stems(text)) for text in question.asked))
    return not any(set(stems(mention.key)) <= words for words in taught)


def _filled(question: Question, mentions: Sequence[NameMention]) -> tuple[dict[str, str], list[NameMention]]:
    """The values that the mentions give the parameters, and the mentions that none takes."""
    values: dict[str, str] = {}
    left = list(mentions)
    if _is_of_parts(question):  # "how many H100 are in a DGX H100" asks for the parts of the system
        whole = "family" if "member" in question.column_names else "system"
        left.sort(key=lambda one: whole not in one.kinds)
    # parameters that a question cannot do without are served first: an optional one would take
    # their names
    for parameter in sorted(question.parameters, key=lambda one: not one.required):
        fitting = [(one, value) for one in left if (value := _value(parameter, one)) is not None]
        # of two rounds the rows of both are asked for, which are narrowed to them
        if fitting and (parameter.required or len(fitting) == 1 or not all(narrows(one) for one, _ in fitting)):
            mention, values[parameter.name] = fitting[0]
            left.remove(mention)
    return values, left


def _is_of_parts(question: Question) -> bool:
    """Whether its rows are the parts of a whole, or the members of a family."""
    of_whole = "member" in question.column_names or {"whole", "part"} <= set(question.column_names)
    return of_whole and any(one.name == "thing" for one in question.parameters)


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
    """A model or an organisation goes to the parameter of that name only; it has no parts and no ratio."""
    if parameter.name == "model":
        return "model" in mention.kinds
    if parameter.name == "organisation":
        return mention.kinds == {"org"}
    return not mention.kinds & {"model", "id", "entry"} and mention.kinds != {"org"} and not mention.is_word


def _id_of_kind(parameter: Parameter, mention: NameMention) -> str | None:
    """The one id of a mention that has the kind of the parameter; of several none is chosen."""
    # parameters that are not called by the kind of thing that they take; "" is any kind
    kind = {"origin": "source", "previous_round": "round", "thing": "", "subject": ""}.get(
        parameter.name, parameter.name
    )
    if kind and kind != "model" and "model" in mention.kinds:
        return None
    of_any_kind = "id" in mention.kinds or not (mention.is_word or "entry" in mention.kinds)
    fitting = [one for one in mention.ids if one.startswith(f"{kind}/") or (not kind and of_any_kind)]
    return fitting[0] if len(fitting) == 1 else None
