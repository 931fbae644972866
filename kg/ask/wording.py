"""A question in plain words: which saved question it means, and with which values.

Offline: a question is meant the more the likelier it is worded so (`kg.ask.examples`) and the better it takes the names, ids
and metrics that are found among the words (`kg.ask.question_fit`). One with neither words nor wordings in its header is asked
by its name only.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kg.ask.bounds import bounds_said, read_bound
from kg.ask.command_wordings import COMMANDS, filled
from kg.ask.examples import OTHERS, WordingExamples, shares
from kg.ask.id_names import AskIds
from kg.ask.mentions import (
    NameMention,
    dates_in,
    either_in,
    exceptions_in,
    is_small,
    newest_in,
    order_in,
    quoted_figures,
    sparsity_in,
    unbounded_figures,
    verdict_in,
)
from kg.ask.named_words import LONGEST_NAME, NamedWords
from kg.ask.passed_over import WordsTaken
from kg.ask.plain_words import CHIPS, MARKS, plain_stem, stems
from kg.ask.question import Question
from kg.ask.question_fit import TAKEN, AskedWords, PassedOver, WordReading, fit_of, narrowed, narrows, says
from kg.ask.row_filters import LEVELS, RowFilter, bound_filter
from kg.errors import UsageError
from kg.model.names import name_key
from kg.model.similar_names import similar_names

if TYPE_CHECKING:
    from kg.model.units import UnitTable

_SURE: Final = 0.6
"""From which probability on a question is answered without asking back."""
_SURE_OF_METRIC: Final = 0.35
"""The same of the claims of a thing and a metric, which hold the answer where something narrower was meant."""
_SURE_OF_COMMAND: Final = 0.5
"""From which probability of the words alone another command answers; questions of development that were rightly taken had 0.7."""
_MOST_OFFERED: Final = 3
_UNKNOWN: Final = 0.5
"""The share of words that no wording has up to which a question is answered."""
_OFFERED: Final = 0.02
"""The least probability of a question that is offered where none is meant for certain."""
_OF_ONE_THING: Final[Mapping[str, str]] = {"audit": "conflicts", "disputes": "conflicts", "origins": "audit"}
"""The command that answers of one thing where the questions of a topic are about all."""
_OF_METRIC: Final = "claims/of-metric"
"""The question of a thing and a metric: it takes all metrics whose names are among the words."""
_METRIC: Final = "entities/metric"
_MEASURED: Final = "benchmarks/measured"
_WHAT_IS: Final = re.compile(
    r"\s*(?:what(?: is(?! (?:said|known|claimed|stated))|'s| does\b.*\bmean)|define|explain)\b", re.IGNORECASE
)
_PEAK: Final = "peak-compute"
_AT_PRECISION: Final[Mapping[str, str]] = dict.fromkeys(("performance", "compute", "peak"), _PEAK)
"""The metric that a word means next to a precision: "FP8 performance"."""
_SPARSITY: Final = frozenset(("dense", "sparse", "sparsity"))
"""Words that say of which peak rate is spoken, next to a precision or to one of these."""
_WHEN_OUT: Final = re.compile(
    r"\bwhen\b.*\b(?:announc\w*|releas\w*|launch\w*|ship\w*|available|(?:come|came) out|on sale)\b", re.IGNORECASE
)
_OUT: Final = ("availability", "release-date")
"""The metrics of when a product came out."""
_COMPARED: Final = re.compile(r"\b(?:more|less|fewer|\w+er|better|worse)\b.*\b(?:than|or)\b", re.IGNORECASE)
_THAN: Final = re.compile(
    r"\b(?:(?P<less>less|fewer|lower|smaller|cheaper)|more|\w+er|better)\b(?: [\w-]+){0,3}? than\b", re.IGNORECASE
)
_IMPLIED: Final[Mapping[str, tuple[str, str]]] = {"cheaper": ("prices/claims", "purchase-price")}
"""The question and the metric of a word that compares without naming one."""
_BY_METRIC: Final = "specifications/by-metric"
_ORDERED: Final = frozenset({_BY_METRIC, *(name for name, _ in _IMPLIED.values())})
_COMPARE: Final = "comparisons/compare"
_SUPPORT: Final = frozenset(("support", "supports", "supported", "supporting"))
"""Words that ask whether a chip can compute at all at the precision that is named with it."""
_OF_SUPPORT: Final = (_PEAK, "technology-support")
"""The metrics that tell: what a text says of it, and the rate, which there is for what is supported."""
_RATES: Final = frozenset(("compute", "flops", "tflops", "pflops"))
_HOW_MANY: Final = re.compile(r"\bhow many\b", re.IGNORECASE)
_HOW_MANY_USED: Final = re.compile(
    r"\b(?:how many|number of) (.*)\b(?:used?|train(?:ed|ing)?|ran|run|took)\b", re.IGNORECASE
)
_USED: Final = re.compile(
    r"\b(?:how many|(?:the )?number of)\b.*\b(?:used?|train(?:ed|ing)?|ran|run|took)\b", re.IGNORECASE
)
_COUNT_USED: Final = "accelerators-used"
"""The metric of "how many H100 were used for ...", which has no name of it: a count of chips says what is counted."""
_SLIP: Final = 0.88
"""From which likeness on a word that nothing knows is taken for that of a metric."""
_SHORTEST_SLIP: Final = 6
_RENTED: Final = re.compile(r"\b(?:to (?:rent|lease|hire)|renting|leasing)\b", re.IGNORECASE)
_SERVERS_RENTED: Final = re.compile(r"\bservers? (?:to (?:rent|lease|hire)|for rent)\b", re.IGNORECASE)
_WHICH: Final = re.compile(r"\b(?:which|what) (\w+?)s?\b", re.IGNORECASE)
_OF_UNIT: Final[Mapping[str, str]] = {
    "byte": "memory capacity",
    "byte/s": "memory bandwidth",
    "W": "power",
    "FLOP/s": "peak compute",
    "USD/h": "rental price",
}
"""The metric of a bound whose unit alone is said, by its canonical unit: what a data sheet or a price list gives in it first."""
_OF_KIND: Final[Mapping[str, tuple[str, str]]] = {
    "claim": ("claims/card", "claim"),
    "model": ("models/claims-of-model", "model"),
    "source": ("sources/claims", "source"),
}
_OF_THING: Final = ("specifications/all-claims", "thing")
"""The question, with its parameter, that is asked where words name one thing and say no more, by the kind of thing."""
_SOURCES_OF_THING: Final = ("sources/of-thing", "thing")
"""The same where they say no more than that texts speak of it."""
_SAID: Final = frozenset(stems("claims texts"))
"""Words that say no more than that something is claimed, or by texts."""


_SAYS_MORE: Final = frozenset({"audit", "comparisons", "disputes"})
"""Topics of which no question is meant by words that say no more than that something is claimed."""


class UnsureQuestion(UsageError):
    """Plain words that may mean several saved questions, or none."""

    code = "question.unsure"
    command: str | None = None
    """The other command that answers them."""
    left_over: Sequence[str] = ()
    """What was named and that command does not take."""
    figures: Sequence[str] = ()
    """The figures among the words: where one was printed may be what is asked."""
    traced_about: Sequence[str] = ()
    """What was named with a figure: its claims are those about it."""


def understood(
    ask: AskIds,
    questions: Iterable[Question],
    text: str,
    metric_words: Sequence[Sequence[str]] = (),
    units: UnitTable | None = None,
) -> list[WordReading]:
    """The saved question that plain words mean, and the next two; words that mean none for certain are refused with these.

    Words that name a thing and a metric ask for the claims of it, where they mean no other question for certain.
    `metric_words` are the label of every metric and the other words for it, as keys of names. Without `units` no bound narrows
    the rows, and what has one is asked back.
    """
    wordings = _wordings(ask, questions, metric_words, units)
    said = wordings.with_metric_meant(text)
    readings, taken = wordings.understood(said)
    if taken is not None:
        others = [one for one in readings if one.question != taken.question]
        following = sorted(others, key=lambda one: bool(one.ignored))[:2]
        return [taken, *wordings.with_left_over(following, said)]
    command = None if exceptions_in(text) else wordings.other_command(text)
    if command is not None:
        raise _answered_elsewhere(wordings, text, command)
    raise _asked_back(wordings, text, readings)


def _names_one_chip(asked: AskedWords) -> bool:
    named = [one for one in asked.mentions if not one.is_word]
    return len(named) == 1 and named[0].is_hardware


def _answered_elsewhere(wordings: Wordings, text: str, command: str) -> UnsureQuestion:
    """Why no question is taken: another command answers the words."""
    elsewhere = UnsureQuestion("is answered by another command.", given=text, next_step=command)
    elsewhere.command, elsewhere.figures = command, wordings.figures_in(text)
    given = shlex.split(command)
    named = (one for one in wordings.asked_words(text).mentions if one.slot is not None)
    elsewhere.left_over = tuple(one.key for one in named if one.key not in given and not set(one.ids) & set(given))
    elsewhere.traced_about = _names_typed(wordings, text)
    return elsewhere


def _asked_back(wordings: Wordings, text: str, readings: Sequence[WordReading]) -> UnsureQuestion:
    """Why no question is taken: what may be meant, three commands to choose from, and what none of them takes up."""
    figures = wordings.figures_in(text)
    traced = (shlex.join(["kg", "trace", one]) for one in figures if not is_small(one))
    near = [*traced, *_likely_commands(readings)][:_MOST_OFFERED]
    left = [one.left_over for one in wordings.with_left_over(_likely(readings), text)]
    missed = [word for word in (left[0].all if left else ()) if all(word in one.all for one in left)]
    bounds = wordings.asked_words(text).bounds
    unfound = (*bounds, *exceptions_in(text))
    near += [shlex.join(["kg", "find", word]) for word in missed if word in left[0].named and word not in unfound][:1]
    message = "may mean several questions." if near else "is no question that is saved."
    if missed:
        message = f"may mean several questions, of which none takes up {', '.join(missed)}."
    unsure = UnsureQuestion(
        message,
        given=text,
        next_step="\n  ".join(("try one of these:", *near)) if near else "kg ask lists the topics of what can be asked",
    )
    unsure.figures = figures
    unsure.traced_about = _names_typed(wordings, text)
    return unsure


def _names_typed(wordings: Wordings, text: str) -> tuple[str, ...]:
    """The things, speakers and sources among the words, as they were typed; a source by its digits as its id."""
    words = [word.strip(".,;:?!()\"'") for word in text.split()]
    spans = ((start, start + length) for start in range(len(words)) for length in range(1, LONGEST_NAME + 1))
    typed = {name_key(one): one for start, end in spans for one in [" ".join(words[start:end])]}
    mentions = wordings.asked_words(text).mentions
    named = (one for one in mentions if one.slot not in (None, "CLAIM") or one.kinds == {"precision"})
    return tuple(dict.fromkeys(typed.get(one.key, one.key) for one in named))


def claims_of_metric(
    ask: AskIds,
    questions: Iterable[Question],
    text: str,
    metric_words: Sequence[Sequence[str]],
    units: UnitTable | None = None,
) -> WordReading | None:
    """The claims that words ask for which name a thing and a metric; None where they do not."""
    wordings = _wordings(ask, questions, metric_words, units)
    text = wordings.with_metric_meant(text)
    reading = wordings.of_metric(text)
    return None if reading is None else wordings.with_left_over([reading], text)[0]


def metrics_said(
    ask: AskIds, questions: Iterable[Question], text: str, metric_words: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """The metrics with the longest name among the words, be it one word that questions have too: "memory"."""
    return _wordings(ask, questions, metric_words).named.metrics_said(text)


def _likely_commands(readings: Sequence[WordReading]) -> Iterator[str]:
    """What to type where nothing is meant for certain: questions that know a word that was said, and commands for what was named."""
    likely = _likely(readings)
    yield from (one.command for one in likely if not one.ignored)
    yield from (f"{one.command}   (of all things)" for one in likely[:1] if one.ignored)
    commands = dict.fromkeys(_OF_ONE_THING.get(one.question.topic, "show") for one in likely if one.ignored)
    for name in _ignored_names((*likely, *readings[:3])):
        yield from (shlex.join(["kg", command, name]) for command in commands or ("show",))


def _likely(readings: Sequence[WordReading]) -> list[WordReading]:
    """The three to offer."""
    return [one for one in readings if one.share >= _OFFERED][:3]


def _ignored_names(readings: Iterable[WordReading]) -> list[str]:
    """What was named and no question takes, each once; a date or a bound is no name."""
    return list(
        dict.fromkeys(
            name for one in readings for name in one.ignored if not name[:4].isdigit() and name[0] not in "<>"
        )
    )


def _wordings(
    ask: AskIds, questions: Iterable[Question], metric_words: Sequence[Sequence[str]], units: UnitTable | None = None
) -> Wordings:
    """The saved questions with all names and metrics that are known."""
    names: dict[str, tuple[str, ...]] = {}
    for key, thing in ask("names/keys").rows:
        names[str(key)] = (*names.get(str(key), ()), str(thing))
    metrics: dict[str, str] = {}
    for row in ask("find/metrics", text="").dicts():
        name = str(row["metric"]).removeprefix("metric/")
        metrics |= {name_key(name): name, name_key(str(row["label"])): name}
    return Wordings(questions, names, metrics, metric_words, units)


class Wordings:
    """Ranks saved questions by plain words."""

    def __init__(
        self,
        questions: Iterable[Question],
        names: Mapping[str, tuple[str, ...]],
        metrics: Mapping[str, str],
        metric_words: Sequence[Sequence[str]],
        units: UnitTable | None = None,
    ) -> None:
        """Names are keys with the ids they mean, metrics keys with the name of the metric, then the label and synonyms of each.

        By the units bounds on figures are read.
        """
        self.units = units
        self.by_name = by_name = {one.name: one for one in questions}
        self.questions = [one for one in by_name.values() if one.words or one.asked]
        self.examples = WordingExamples(self.questions)
        self.claims_of_metric = by_name.get(_OF_METRIC)
        self.named = NamedWords(self.questions, self.examples, names, metrics, metric_words)

    def asked_words(self, text: str) -> AskedWords:
        """What is named in the words, and the words that are left."""
        return self.named.asked_words(text)

    @cached_property
    def words_taken(self) -> WordsTaken:
        """What each question takes up of words."""
        metric_stems: dict[str, frozenset[str]] = {}
        for parts, _, name in self.named.synonyms:
            metric_stems[name] = metric_stems.get(name, frozenset()) | parts
        return WordsTaken(known=self.examples.stems, names=self.named.names, metric_stems=metric_stems)

    def with_metric_meant(self, text: str) -> str:
        """The words with those of metrics as they are spelled, and with the metric of a bound of which the unit alone is said.

        GPUs with over 100 GB have it of memory; the cheapest to rent is that of the lowest rental price.
        """
        text = " ".join(self._spelled(word) for word in text.split(" "))
        if _RENTED.search(text) and order_in(text) and not self.named.metrics_in(_key_of(text)):
            return f"{text.rstrip(' ?.!')} of rental price"
        if self.units is None or self.named.metrics_in(_key_of(text)):
            return text
        if any("metric" in one.kinds for one in self.asked_words(text).mentions):
            return text
        figures = (*(given for _, given in bounds_said(text)), *(f">={one}" for one in either_in(text)))
        bounds = filter(None, (read_bound(given, self.units) for given in figures))
        meant = dict.fromkeys(_OF_UNIT[one.unit] for one in bounds if one.unit in _OF_UNIT)
        return f"{text.rstrip(' ?.!')} of {next(iter(meant))}" if len(meant) == 1 else text

    def _spelled(self, word: str) -> str:
        """A word that nothing knows as the word of a metric that it is nearly: "bandwith"."""
        bare = word.strip(".,;:?!\"'()")
        if len(bare) < _SHORTEST_SLIP or not bare.isalpha() or self.named.is_known(bare):
            return word
        near = similar_names(bare, self.named.words_of_metrics, most=1, likeness=_SLIP)
        return word.replace(bare, near[0]) if near else word

    def readings(self, text: str) -> list[WordReading]:
        """The questions that may be meant, best first."""
        return self._ranked(text, self.asked_words(text))

    def _ranked(self, text: str, asked: AskedWords) -> list[WordReading]:
        # the figure of a bound is a value, and no word of a wording
        likelihoods = self.examples.likelihoods([one for one in asked.stems if one not in asked.bound_figures])
        fits = (fit_of(one, asked) for one in self.questions if one.name != _OF_METRIC)
        read = (one.reading(likelihoods[one.question.name]) for one in fits if one is not None)
        wanted = self._narrowing(text)
        found = [narrowed(one, wanted) for one in read]
        of_metric = self.of_metric(text)
        if of_metric is not None:
            found.append(replace(of_metric, score=of_metric.score + likelihoods.get(_OF_METRIC, 0.0)))
        likely = shares([*(one.score for one in found), *(likelihoods[other] for other in OTHERS)])
        ranked = (replace(one, share=share) for one, share in zip(found, likely, strict=False))
        return sorted(ranked, key=lambda one: (-one.share, one.question.name))

    def understood(self, text: str) -> tuple[list[WordReading], WordReading | None]:
        """The questions that may be meant, best first, and the one that is answered; None where it has to be asked back.

        A question that passes over what was named, or over words that it does not know, is asked back however likely it is.
        """
        asked = self.asked_words(text)
        readings, taken = self._likeliest(text, asked)
        if taken is None:
            return readings, None
        left = self._left_over(taken, asked, text)
        # the claims of a thing and a metric, or of two and one, are taken for what they hold, not for how they are asked for
        name = taken.question.name
        is_compared = (name == _COMPARE and taken.metrics) or (name in _ORDERED and _THAN.search(text))
        holds_answer = name == _OF_METRIC or is_compared
        probability = 1.0 if holds_answer else max(taken.share, _agreed(taken, readings))
        if left.is_answered(probability):
            return readings, replace(taken, left_over=left)
        others = [one for one in readings if one.question != taken.question]
        return [replace(taken, share=max(taken.share, _OFFERED)), *others], None

    def with_left_over(self, readings: Iterable[WordReading], text: str) -> list[WordReading]:
        """Readings of the words with what each passes over."""
        asked = self.asked_words(text)
        return [replace(one, left_over=self._left_over(one, asked, text)) for one in readings]

    def _left_over(self, reading: WordReading, asked: AskedWords, text: str) -> PassedOver:
        """What a reading passes over, first of all that it is about all but what was named: its rows would be the opposite."""
        left = self.words_taken.left_over(reading, asked)
        denied = tuple(one for one in exceptions_in(text) if not says(reading.question, one))
        return replace(left, named=(*denied, *left.named))

    def _likeliest(self, text: str, asked: AskedWords) -> tuple[list[WordReading], WordReading | None]:
        """The questions that may be meant, best first, and the one that is likely enough to be answered."""
        readings = self._ranked(text, asked)
        alone = _of_one(self.by_name, asked)
        if (said := self._outright(text, asked, alone) or self._two_compared(text, asked, readings)) is not None:
            return readings, said
        is_clear = self._is_clear(asked)
        best = next((one for one in readings if not one.ignored), None)
        if best is not None:
            if best.question.topic in _SAYS_MORE and self._metric_alone(text, asked) is not None:
                return readings, alone
            if is_clear and self._is_sure(best, readings, text):
                return readings, best
        # where the likeliest ignores a name, the claims of the thing and the metric hold the answer; another command does not
        is_ignoring = is_clear and _ignoring(readings) > _SURE
        taken = self.of_metric(text) if is_ignoring else self._nothing_but_metric(text, asked)
        return readings, alone or taken

    def _outright(self, text: str, asked: AskedWords, alone: WordReading | None) -> WordReading | None:
        """What words ask for whatever their wording: an entry, one thing and no more, what a metric is, how many chips ran a model,
        which of two figures it is, a dense or sparse peak.
        """
        if (entry := _of_entry(self.by_name, asked)) is not None:
            return entry
        if alone is not None and len(asked.stems) == 1:
            return alone
        if any("model" in one.kinds for one in asked.mentions) and _counts_chips(text, asked):
            return self.of_metric(text)
        if either_in(text) and (which := self.of_metric(text)) is not None:
            return which
        words = _key_of(text).split()
        is_said = _asks_peak(asked, words) or self._metrics_asked(text, asked) in (_OF_SUPPORT, _OUT)
        if is_said and (peak := self.of_metric(text)) is not None:
            return peak
        return self._above(text, asked) or self._meaning(text, asked)

    def _above(self, text: str, asked: AskedWords) -> WordReading | None:
        """The figures of all chips in their order, where words ask which of them has more or less than one that is named."""
        than = _THAN.search(text)
        level = _level_asked(text) if than is not None and _WHICH.search(text) else None
        if than is None or level is None or not _names_one_chip(asked):
            return None
        metrics = self._metrics_asked(text, asked)
        implied = _IMPLIED.get(than[0].split()[0].casefold()) if not metrics else None
        name, metric = implied or (_BY_METRIC, metrics[0] if len(metrics) == 1 else None)
        question = self.by_name.get(name)
        if question is None or metric is None:
            return None
        order = RowFilter(order="lowest" if than["less"] else "highest")
        of_level = (level,) if level.columns(question) else ()
        return WordReading(question, {"metric": metric}, filters=(*of_level, order))

    def _two_compared(self, text: str, asked: AskedWords, readings: Sequence[WordReading]) -> WordReading | None:
        """The comparison of the two things of which words ask which has more of a metric; None where they do not."""
        if sum(one.is_hardware for one in asked.mentions) != 2 or not _COMPARED.search(text):
            return None
        compared = (one for one in readings if one.question.name == _COMPARE and not one.ignored and one.metrics)
        return next(compared, None)

    def _is_clear(self, asked: AskedWords) -> bool:
        """Whether most of the words are known, and say more than "hardware", which is all that there is."""
        return self.examples.unknown(asked.stems) <= _UNKNOWN and (not asked.words or bool(set(asked.words) - CHIPS))

    def _is_sure(self, best: WordReading, readings: Sequence[WordReading], text: str) -> bool:
        """Whether a reading is likely enough to be answered, and passes over no figure that is quoted."""
        return _agreed(best, readings) >= _least(best) and not self._passes_over_figure(best, text)

    def _meaning(self, text: str, asked: AskedWords) -> WordReading | None:
        """What a metric is, where that is all the words ask: "what is tokens per second per user"."""
        question, metrics = self.by_name.get(_METRIC), self.named.metrics_in(_key_of(text))
        exact = {name for parts, _, name in self.named.synonyms if parts == frozenset(asked.words)}
        if len(metrics) > 1 and len(exact) == 1:  # energy efficiency is no efficiency in general
            metrics = tuple(exact)
        named = {stem for parts, _, name in self.named.synonyms if (name,) == metrics for stem in parts}
        is_all = _WHAT_IS.match(text) is not None and set(asked.words) <= named
        if question is None or len(metrics) != 1 or not is_all or any(not one.is_word for one in asked.mentions):
            return None
        return WordReading(question, {"metric": metrics[0]})

    def _metric_alone(self, text: str, asked: AskedWords) -> str | None:
        """The metric of which the words ask for all claims, and say no more: "claims about training speed"."""
        metrics = self.named.metrics_in(_key_of(text))
        of_metric = {stem for parts, _, name in self.named.synonyms if (name,) == metrics for stem in parts}
        said = set(asked.words) - of_metric
        is_alone = len(metrics) == 1 and said and said <= _SAID and all(one.is_word for one in asked.mentions)
        return metrics[0] if is_alone else None

    def other_command(self, text: str) -> str | None:
        """Another command that the words ask for rather than any question."""
        asked = self.asked_words(text)
        if (metric := self._metric_alone(text, asked)) is not None:
            return f"kg show {metric}"
        likelihoods = self.examples.likelihoods(asked.stems)
        share, best = max(zip(shares(list(likelihoods.values())), likelihoods, strict=True))
        is_clear = best in COMMANDS and share >= _SURE_OF_COMMAND and self.examples.unknown(asked.stems) <= _UNKNOWN
        if best.startswith("kg audit") and verdict_in(text) is not None:  # what is confirmed is no problem
            return None
        return filled(best, asked.mentions, self.figures_in(text)) if is_clear else None

    def figures_in(self, text: str) -> list[str]:
        """The figures among the words that belong to no name: where each comes from is another command's answer."""
        mentions = self.asked_words(text).mentions
        named = {word for one in mentions for word in one.key.split()}
        if _HOW_MANY.search(text):  # the 8,000 of "how many B200 replace 8,000 H100" nobody printed
            key = f" {_key_of(text)} "
            named |= {one for one in map(name_key, unbounded_figures(text)) if _is_count_of(one, mentions, key)}
        return [one for one in unbounded_figures(text) if name_key(one) not in named]

    def _passes_over_figure(self, reading: WordReading, text: str) -> bool:
        """Whether words quote a figure, for which no saved question looks: its rows would be about all figures."""
        if reading.question.name == _OF_METRIC:  # its rows give the figures that are stated instead
            return False
        mine = set(self.figures_in(text))
        return any(one in mine for one in quoted_figures(text))

    def _narrowing(self, text: str) -> list[RowFilter]:
        """What the rows of any question are narrowed to, and their order: dates, the newest, bounds, the highest."""
        bounds = ((given, read_bound(given, self.units)) for _, given in bounds_said(text)) if self.units else ()
        values = (bound_filter(given, bound) for given, bound in bounds if bound is not None)
        order = order_in(text)
        if order is not None and not self._metrics_asked(text, self.asked_words(text)):
            order = None  # "the most" of nothing that is measured is a way to speak: "most claims"
        level = _level_asked(text) if order is not None else None
        return list(filter(None, (dates_in(text), newest_in(text), verdict_in(text), *values, level, order)))

    def of_metric(self, text: str) -> WordReading | None:
        """The claims of what is named, on the model that is named with it, for the metrics of which the words hold a name."""
        asked = self.asked_words(text)
        things, models = _things_and_models(asked)
        found = self._metrics_asked(text, asked)
        if self.claims_of_metric is None or len(things) != 1 or len(models) > 1 or not found:
            return None
        values = {"thing": things[0].key, "metric": found}
        words = (one for one in asked.mentions if narrows(one))
        peak = sparsity_in(text) if found == (_PEAK,) else None
        narrowing = [*(one.filter for one in (*models, *words)), *filter(None, (peak,)), *self._narrowing(text)]
        return narrowed(WordReading(self.claims_of_metric, values, score=2 * TAKEN), narrowing)

    def _metrics_asked(self, text: str, asked: AskedWords) -> tuple[str, ...]:
        """The metrics that the words name; next to a precision a word for performance is a peak rate, how many chips were used a count."""
        if _counts_chips(text, asked):
            return (_COUNT_USED,)
        if _WHEN_OUT.search(text):
            return _OUT
        words = [word for word in _key_of(text).split() if plain_stem(word) not in CHIPS]
        if _asks_peak(asked, words):
            return (_PEAK,)
        if any(one.kinds == {"precision"} for one in asked.mentions):
            if not _SUPPORT.isdisjoint(words):
                return _OF_SUPPORT
            peaks = ((_AT_PRECISION[word],) for word in words if word in _AT_PRECISION)
            return next(peaks, self.named.metrics_in(" ".join(words)))
        return self.named.metrics_in(" ".join(words))

    def _nothing_but_metric(self, text: str, asked: AskedWords) -> WordReading | None:
        """The claims of a thing and a metric where the words say nothing else."""
        reading = self.of_metric(text)
        if reading is None:
            return None
        named = {stem for one in asked.mentions if one.kinds & {"metric", "precision"} for stem in stems(one.key)}
        return reading if asked.words and set(asked.words) <= named else None


def _things_and_models(asked: AskedWords) -> tuple[list[NameMention], list[NameMention]]:
    """What is named, and the models among it where another thing is named too: what is said is said of that, on these."""
    named = [one for one in asked.mentions if not one.is_word and one.kinds.isdisjoint(("claim", "id"))]
    models = [one for one in named if "model" in one.kinds] if len(named) > 1 else []
    return [one for one in named if one not in models], models


def _key_of(text: str) -> str:
    """A question as names are compared, without its marks."""
    return name_key(MARKS.sub(" ", text))


def _asks_peak(asked: AskedWords, words: Sequence[str]) -> bool:
    """Whether dense or sparse compute is meant: "dense FP8 of the H100", and not "dense models"."""
    is_rate = any(one.kinds == {"precision"} for one in asked.mentions) or not _RATES.isdisjoint(words)
    of_models = any("model-class" in one.kinds and one.key != "dense" for one in asked.mentions)
    return is_rate and not of_models and not _SPARSITY.isdisjoint(words)


def _counts_chips(text: str, asked: AskedWords) -> bool:
    """Whether words ask how many chips were used: "how many H100 were used", and not "how many claims use the H100"."""
    said = _HOW_MANY_USED.search(text)
    if said is None:
        return False
    counted = name_key(said[1])
    is_named = any(one.is_hardware and counted.startswith(one.key) for one in asked.mentions)
    return is_named or next(iter(stems(counted)), "") in CHIPS


def _is_count_of(figure: str, mentions: Iterable[NameMention], key: str) -> bool:
    """Whether a bare number counts the chips or systems that are named behind it."""
    return figure.replace(",", "").isdecimal() and any(
        one.is_hardware and f" {figure} {one.key} " in key for one in mentions
    )


def _level_asked(text: str) -> RowFilter | None:
    """The rows of single chips, of racks or the like, where words ask which of these has most.

    >>> [one and one.name for one in map(_level_asked, ("which GPU has", "what server draws", "the highest power"))]
    ['accelerator', 'node', None]
    """
    asked = _WHICH.search(text)
    named = None if asked is None else asked[1].casefold().replace("server", "node")
    named = "node" if _SERVERS_RENTED.search(text) else named
    level = named if named in LEVELS else "accelerator" if not CHIPS.isdisjoint(stems(text)) else None
    return None if level is None else RowFilter(level, frozenset({"level"}))


def _agreed(reading: WordReading, readings: Iterable[WordReading]) -> float:
    """The probability that it, or a question of the same topic or metric about the very same names, is meant.

    Of those that take all names: one that ignores a name is not answered, unless it is far likelier.
    """
    if not reading.names:
        return reading.share
    ignoring = _ignoring(readings) if reading.share >= _SURE_OF_METRIC else 0.0
    metrics = reading.metrics
    alike = (
        one.share
        for one in readings
        if not one.ignored
        and one.names == reading.names
        and (one.question.topic == reading.question.topic or (metrics and one.metrics == metrics))
    )
    return sum(alike) / (1 - ignoring)


def _ignoring(readings: Iterable[WordReading]) -> float:
    """The probability that a question is meant which ignores a name."""
    return sum(one.share for one in readings if one.ignored)


def _least(reading: WordReading) -> float:
    """From which probability on a reading is answered."""
    return _SURE_OF_METRIC if reading.question.name == _OF_METRIC else _SURE


def _of_entry(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """The results of an entry of a round, where its id is named and no other thing: "show entry 5.1-0071"."""
    entries = [one for one in asked.mentions if one.kinds == {"entry"}]
    question = questions.get(_MEASURED)
    if question is None or len(entries) != 1 or any(not one.is_word for one in asked.mentions if one not in entries):
        return None
    words = (one for one in asked.mentions if narrows(one))
    return WordReading(question, {}, filters=tuple(one.filter for one in (*entries, *words)))


def _of_one(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """All claims about one thing that was named, where the words say nothing else."""
    mention = asked.mentions[0] if len(asked.mentions) == 1 else None
    if mention is None or mention.is_word or set(asked.words) - _SAID:
        return None
    of_thing = _SOURCES_OF_THING if set(asked.words) == set(stems("texts")) else _OF_THING
    name, parameter = next((of for kind, of in _OF_KIND.items() if kind in mention.kinds), of_thing)
    question = questions.get(name)
    return None if question is None else WordReading(question, {parameter: mention.key})
