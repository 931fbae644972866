"""Published results of which words ask plainly: those of an entry, of an organisation, of a chip or a system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from kg.ask.mentions import NameMention
from kg.ask.outright import COMPARING
from kg.ask.plain_words import CHIPS, plain_stem, stems
from kg.ask.question import Question
from kg.ask.question_fit import AskedWords, WordReading, fit_of, narrows
from kg.ask.row_filters import RowFilter

_MEASURED: Final = "benchmarks/measured"
_RESULTS: Final = frozenset(stems("results performance throughput"))
_SUBMIT: Final = plain_stem("submit")
_SAID_OF_RESULTS: Final = _RESULTS | frozenset(
    stems("mlperf official benchmark submission entry number score show list tokens per second")
)
"""Words that say no more of results than that they are wanted."""
_PAIR: Final = 2
_TIMES: Final = "benchmarks/measured-times"
_GAINS: Final = "benchmarks/gains"
_TRAIN: Final = plain_stem("training")
_AHEAD: Final = re.compile(r"\b(?:faster|slower|quicker|ahead|gain|speed-?up|times)\b", re.IGNORECASE)
_SUBMITTERS: Final = "benchmarks/round-submitters"
_SUBMITTERS_ASKED: Final = re.compile(r"\s*(?:who|which|what|list|show|all|the)\b.*\bsubmitters?\b", re.IGNORECASE)
_SAID_OF_SUBMITTERS: Final = frozenset(
    stems("submitter submitters who list show all mlperf inference round company most results")
)
_USED: Final = frozenset(stems("use take run have"))
_OF_RUN: Final = frozenset({"scenario", "round"})
"""What only a result of a benchmark has, and no claim of a data sheet."""
# meets "how many accelerators did the GB200 NVL72 submission use"
_CHIPS_OF_RUN: Final = re.compile(
    r"\s*(?:how many|number of) (?:accelerator|gpu|chip)s?\b.*\b(?:submission|entry|entries|result|run)s?\b",
    re.IGNORECASE,
)


def results_of_several(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """The results of one chip in both scenarios of which words ask how they compare: "H200 server vs offline"."""
    question, named = questions.get(_MEASURED), [one for one in asked.mentions if not one.is_word]
    words = [one for one in asked.mentions if one.is_word]
    kinds = {kind for one in words for kind in one.kinds}
    if question is None or len(named) != 1 or not named[0].is_hardware or len(words) < _PAIR:
        return None
    if kinds != {"scenario"} or _beside(asked, words) - COMPARING - _RESULTS:
        return None
    return WordReading(question, {}, filters=tuple(one.filter for one in (*named, *words)))


def _beside(asked: AskedWords, mentions: Sequence[NameMention]) -> set[str]:
    """The words that are none of some mentions."""
    return set(asked.words).difference(*(stems(one.key) for one in mentions))


def of_submitter(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """The results that one organisation submitted, where words ask for no more: "what did Google submit in v5.1"."""
    question, named = questions.get(_MEASURED), [one for one in asked.mentions if not one.is_word]
    words = [one for one in asked.mentions if one.is_word]
    if question is None or len(named) != 1 or named[0].kinds != {"org"} or not all(map(narrows, words)):
        return None
    if _SUBMIT not in asked.words or _beside(asked, words) - _RESULTS - {_SUBMIT}:
        return None
    return WordReading(question, {}, filters=tuple(one.filter for one in (*named, *words)))


def of_entry(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """The results of an entry of a round, where its id is named and nothing else but a model: "show entry 5.1-0071"."""
    entries = [one for one in asked.mentions if one.kinds == {"entry"}]
    others = [one for one in asked.mentions if not one.is_word and one not in entries]
    question = questions.get(_MEASURED)
    if question is None or len(entries) != 1 or not all("model" in one.kinds for one in others):
        return None
    return _reading_of(question, asked)


def _reading_of(question: Question, asked: AskedWords) -> WordReading | None:
    """A question with all that is named but metrics, whose figures are columns of every result; None where it cannot take all."""
    fit = fit_of(question, replace(asked, mentions=[one for one in asked.mentions if "metric" not in one.kinds]))
    return None if fit is None or fit.ignored else fit.reading(0.0)


def results_asked(questions: Mapping[str, Question], text: str, asked: AskedWords) -> WordReading | None:
    """The published results that words ask for plainly: of one thing, of two, or who submitted them."""
    found = results_of_one(questions, text, asked) or results_of_two(questions, text, asked)
    return found or submitters_of_round(questions, text, asked)


def results_of_two(questions: Mapping[str, Question], text: str, asked: AskedWords) -> WordReading | None:
    """How far one system is ahead of another, where words name a round or a scenario of results; of training the times of both."""
    hardware = [one for one in asked.mentions if one.is_hardware]
    others = [one for one in asked.mentions if one not in hardware and not one.is_word]
    if len(hardware) != _PAIR or not all("model" in one.kinds for one in others) or not _AHEAD.search(text):
        return None
    if _TRAIN in asked.stems:
        return _times_of(questions, hardware, others)
    gains = questions.get(_GAINS)
    return _reading_of(gains, asked) if gains is not None and _names_run(asked) else None


def _names_run(asked: AskedWords) -> bool:
    return any(one.kinds <= _OF_RUN for one in asked.mentions if one.is_word)


def _times_of(
    questions: Mapping[str, Question], hardware: Sequence[NameMention], named: Sequence[NameMention]
) -> WordReading | None:
    """The times to train a model on some accelerators, the shortest first."""
    models = tuple(one for model in named for one in model.ids if one.startswith("model/"))
    times, filters = questions.get(_TIMES), (*(one.filter for one in hardware), RowFilter(order="lowest"))
    return None if times is None or not models else WordReading(times, {"model": models}, filters=filters)


def submitters_of_round(questions: Mapping[str, Question], text: str, asked: AskedWords) -> WordReading | None:
    """Who entered a round, also in one division of it, where words ask for no result: "the closed division submitters of v5.1"."""
    question, words = questions.get(_SUBMITTERS), [one for one in asked.mentions if one.is_word]
    if question is None or len(words) != len(asked.mentions) or not all(map(narrows, words)):
        return None
    rounds = [one for one in words if one.kinds == {"round"}]
    if len(rounds) != 1 or not _SUBMITTERS_ASKED.match(text) or _beside(asked, words) - _SAID_OF_SUBMITTERS:
        return None
    fit = fit_of(question, asked)
    return None if fit is None else fit.reading(0.0)


def results_of_one(questions: Mapping[str, Question], text: str, asked: AskedWords) -> WordReading | None:
    """The results of one chip or system where words name a round, a scenario or a model of them and say no more, or ask how many
    accelerators they took.
    """
    question, named = questions.get(_MEASURED), [one for one in asked.mentions if not one.is_word]
    hardware = [one for one in named if one.is_hardware]
    if question is None or len(hardware) != 1 or not all(one.is_hardware or "model" in one.kinds for one in named):
        return None
    return _reading_of(question, asked) if _asks_results(text, asked) else None


def _asks_results(text: str, asked: AskedWords) -> bool:
    """Whether words ask for results of what they name, or for the number of accelerators of these, and for nothing else."""
    words = _beside(asked, asked.mentions) - _SAID_OF_RESULTS
    if _CHIPS_OF_RUN.match(text):
        return not words - CHIPS - _USED
    return not words and _names_run(asked) and not any("metric" in one.kinds for one in asked.mentions)
