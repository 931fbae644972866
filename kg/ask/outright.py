"""What words ask for however they are worded: two things compared, all chips in order, what a metric is, one thing.

Each takes what is named among the words (`kg.ask.named_words`) and gives the reading, or None; `kg.ask.wording` tries them before
it goes by likelihood, since a question that is named so plainly has few wordings to be learnt from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kg.ask.command_wordings import filled
from kg.ask.examples import SLOTS
from kg.ask.mentions import order_in
from kg.ask.metrics_asked import SAID, WHICH, key_of, level_asked, metrics_asked
from kg.ask.named_words import NamedWords
from kg.ask.plain_words import plain_stem, stems
from kg.ask.question import Question
from kg.ask.question_fit import AskedWords, WordReading
from kg.ask.row_filters import RowFilter

_METRIC: Final = "entities/metric"
_RELIABILITY: Final = "reliability"
_CARD: Final = "entities/card"
_TOKEN_PRICES: Final = "prices/per-million-tokens"
_PRICES: Final = frozenset({"prices/claims", _TOKEN_PRICES})
_PER_TOKEN: Final = "inference-cost"
_COST, _CLAIM = (plain_stem(one) for one in ("cost", "claim"))
_FORMAT: Final = frozenset(stems("format number"))
"""Words for a precision."""
# meets "what is", "what does ... mean" and "define"; not "what is known of", which asks for claims
_WHAT_IS: Final = re.compile(
    r"\s*(?:what(?: is(?! (?:said|known|claimed|stated))|'s| does\b.*\bmean)|define|explain)\b", re.IGNORECASE
)
# meets "what does unverified mean", "what is an echo" and "define caution"; the group is the word
_WORD_MEANT: Final = re.compile(
    r"\s*(?P<asks>what(?:'s| is| are| does| do)|define|explain|(?:meaning|definition) of)(?: (?:the )?(?:meaning|definition) of)?"
    r"(?P<article> an?| the)? [\"'“‘]?(?P<word>\w[\w -]*?)[\"'”’]?(?: scenario)?(?P<mean> mean| verdict)?(?: here)?\s*[?.!]?\s*",
    re.IGNORECASE,
)
# meets "inference" and "quantisation"; "incorrect" and "missing" are said of claims
_NOUN: Final = re.compile(r"\w+(?:ence|ance|tion|sion|ness|ment|ity|cy)", re.IGNORECASE)
# meets "more memory than" and "is it faster or"; not "at most"
_COMPARED: Final = re.compile(r"\b(?:more|less|fewer|\w+er|better|worse)\b.*\b(?:than|or)\b", re.IGNORECASE)
# meets "draws less power than", with the group `less`; not "at least"
THAN: Final = re.compile(
    r"\b(?:(?P<less>less|fewer|lower|smaller|cheaper)|more|\w+er|better)\b(?: [\w-]+){0,3}? than\b", re.IGNORECASE
)
_LONGEST_WORD: Final = 2
"""Words of the longest term of which the meaning is asked, where no name says that it is one."""
WITH_THE_VERDICT: Final = frozenset({"confirmed", "disputed", "unknown", "unverified", "wrong"})
"""The verdicts that are said of claims too: what is wrong asks for these."""
_IMPLIED: Final[Mapping[str, tuple[str, str]]] = {"cheaper": ("prices/claims", "purchase-price")}
"""The question and the metric of a word that compares without naming one."""
_BY_METRIC: Final = "specifications/by-metric"
_ORDERED: Final = frozenset({_BY_METRIC, *(name for name, _ in _IMPLIED.values())})
COMPARE: Final = "comparisons/compare"
COMPARED_WITH: Final = "comparisons/of-thing"
_JOINING: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "at",
        "for",
        "from",
        "has",
        "have",
        "in",
        "of",
        "on",
        "over",
        "per",
        "reaches",
        "the",
        "to",
        "with",
    ]
)
"""What joins names and figures, and asks nothing."""
_SEVERAL: Final = 3
"""From how many things on no question compares them two by two."""
_BETTER: Final = frozenset(stems("faster better slower worse quicker"))
COMPARING: Final = frozenset(stems("compare versus vs against difference better best fast together"))
"""Words that say no more of things than that they are compared."""
_OF_KIND: Final[Mapping[str, tuple[str, str]]] = {
    "claim": ("claims/card", "claim"),
    "model": ("models/claims-of-model", "model"),
    "org": ("claims/of-speaker", "organisation"),
    "source": ("sources/claims", "source"),
}
_OF_THING: Final = ("specifications/all-claims", "thing")
"""The question, with its parameter, that is asked where words name one thing and say no more, by the kind of thing."""
_SOURCES_OF_THING: Final = ("sources/of-thing", "thing")
"""The same where they ask only which texts mention it."""

_ONE_DOES: Final = r"(?:can|may|should|could|must|do) (?:i|we|you|one) (?:\w+ )?"
_TRUE_THAT: Final = r"^(?:is|was) it (?:really )?(?:right|correct|true|accurate|a fact)(?: that)?\b"
# meets "which number should I use for", "can we quote", "who said", "where does ... come from", "is it true that" and a last
# "correct?"
_WHICH_FIGURE: Final = re.compile(
    rf"\b(?:which|what) (?:number|figure|value)s?(?: {_ONE_DOES}\w+)?(?: (?:for|of|as))?\b"
    rf"|\b{_ONE_DOES}(?:use|quote|cite|trust|print|publish|believe|write)\b"
    r"|\bwho (?:says?|said|claims?|claimed|states?|stated|gives?|gave)\b"
    r"|\bwhere (?:does|do|did)\b(?=.*\bcomes? from\b)|(?<=\s)comes? from\b"
    rf"|{_TRUE_THAT}"
    r"|(?: (?:number|figure|value)s?)? (?:right|correct|true|accurate)\s*\??$",
    re.IGNORECASE,
)


_CONFLICTS: Final = r"(?:contradict|conflict|disagree|discrepanc|inconsisten|disput)\w*"
_WORST_CONFLICT: Final = re.compile(
    rf"\b(?:biggest|worst|largest|main|top|most (?:serious|severe|important|glaring)) (?:\w+ )?{_CONFLICTS}"
    rf"|\b{_CONFLICTS} (?:\w+ ){{0,3}}(?:the )?most\b",
    re.IGNORECASE,
)


def worst_conflict(text: str, asked: AskedWords) -> str | None:
    """The list of conflicts, of a thing that is named, where words ask what is disputed most: it begins with that.

    >>> nothing = AskedWords([], [], [])
    >>> worst_conflict("what is the biggest contradiction", nothing), worst_conflict("list the contradictions", nothing)
    ('kg conflicts', None)
    """
    if _WORST_CONFLICT.search(text) is None:
        return None
    slot = next((one.slot for one in asked.mentions if one.slot in ("THING", "SOURCE", "ORGANISATION")), "THING")
    return filled(f"kg conflicts {slot}", asked.mentions, ())


def word_meant(text: str) -> str | None:
    """The word of which the meaning is asked, where that may be all that is asked; of a verdict also what has it may be.

    >>> word_meant("what does unverified mean?"), word_meant("what is an echo"), word_meant("which claims are disputed")
    ('unverified', 'echo', None)
    >>> word_meant("what is disputed"), word_meant("what is caution")
    (None, 'caution')
    """
    said = _WORD_MEANT.fullmatch(text)
    if said is None or (_is_bare(said) and said["word"].casefold() in WITH_THE_VERDICT):
        return None
    return said["word"]


def _is_bare(said: re.Match[str]) -> bool:
    """Whether a word is asked for as it is: "what is power"."""
    return said["asks"].casefold().startswith("what") and not said["mean"] and not said["article"]


def asks_meaning(text: str) -> bool:
    """Whether nothing but what a word means can be asked: no wording that is like it answers that.

    >>> [asks_meaning(one) for one in ("what is a token", "what does rack mean", "what is disputed", "what is the cost of an H100")]
    [True, True, False, False]
    >>> [asks_meaning(one) for one in ("what is inference", "what is incorrect")]
    [True, False]
    """
    said = _WORD_MEANT.fullmatch(text)
    if said is None or len(said["word"].split()) > _LONGEST_WORD or said["asks"].casefold() in ("what does", "what do"):
        return said is not None and bool(said["mean"])
    if _is_bare(said):
        return _NOUN.fullmatch(said["word"]) is not None
    return (said["article"] or "").strip() != "the"


def asks_which_figure(text: str) -> bool:
    """Whether words ask for the figure to use, whether it is right, or who states it.

    >>> asks_which_figure("which number should I use for GB200 power"), asks_which_figure("which chips draw more than 700 W")
    (True, False)
    """
    return _WHICH_FIGURE.search(text) is not None


def only_states_figure(asked: AskedWords) -> bool:
    """Whether words are a statement with a figure and ask nothing: names, metrics, figures and what joins them.

    What follows from the figure, and what is wrong with it, has to be asked for.
    """
    metrics = {one for mention in asked.mentions if mention.is_word for one in stems(mention.key)}
    known = metrics.union(SLOTS, _JOINING)
    return "FIGURE" in asked.stems and all(one in known or one[:1].isdigit() for one in asked.stems)


def without_which_figure(text: str) -> str:
    """The words without these: what is left names the thing and the metric.

    >>> without_which_figure("which number should I use for GB200 power"), without_which_figure("is the H200 memory right?")
    ('GB200 power', 'is the H200 memory')
    """
    return " ".join(_WHICH_FIGURE.sub("", text).split())


def without_true_that(text: str) -> str:
    """The words without the "is it true that" before them.

    >>> without_true_that("is it true that the H200 is faster?"), without_true_that("which claims are true")
    ('the H200 is faster?', 'which claims are true')
    """
    return re.sub(_TRUE_THAT, "", text, flags=re.IGNORECASE).strip()


def asks_trust(asked: AskedWords) -> bool:
    """Whether words ask how far a text or its publisher can be relied on: of these nobody states the metric of that name."""
    metrics = {one.ids[0] for one in asked.mentions if "metric" in one.kinds}
    slots = {one.slot for one in asked.mentions if not one.is_word}
    return metrics == {_RELIABILITY} and bool(slots) and slots <= {"SOURCE", "ORGANISATION"}


def _names_one_chip(asked: AskedWords) -> bool:
    named = [one for one in asked.mentions if not one.is_word]
    return len(named) == 1 and named[0].is_hardware


def above(questions: Mapping[str, Question], text: str, asked: AskedWords, named: NamedWords) -> WordReading | None:
    """The figures of all chips in their order, where words ask which of them has more or less than one that is named."""
    than = THAN.search(text)
    level = level_asked(text) if than is not None and WHICH.search(text) else None
    if than is None or level is None or not _names_one_chip(asked):
        return None
    metrics = metrics_asked(text, asked, named)
    implied = _IMPLIED.get(than[0].split()[0].casefold()) if not metrics else None
    name, metric = implied or (_BY_METRIC, metrics[0] if len(metrics) == 1 else None)
    question = questions.get(name)
    if question is None or metric is None:
        return None
    order = RowFilter(order="lowest" if than["less"] else "highest")
    of_level = (level,) if level.columns(question) else ()
    return WordReading(question, {"metric": metric}, filters=(*of_level, order))


def _two_compared(text: str, asked: AskedWords, readings: Sequence[WordReading]) -> WordReading | None:
    """The comparison of the two things of which words ask which has more of a metric; None where they do not."""
    if sum(one.is_hardware for one in asked.mentions) != 2 or not _COMPARED.search(text):
        return None
    compared = (one for one in readings if one.question.name == COMPARE and not one.ignored and one.metrics)
    return next(compared, None)


def compared_or_priced(text: str, asked: AskedWords, readings: Sequence[WordReading]) -> WordReading | None:
    """What two chips cost, or the comparison of two things, where words ask for the one or the other."""
    return priced(asked, readings) or _two_compared(text, asked, readings)


def several_compared(
    questions: Mapping[str, Question], asked: AskedWords, metrics: Sequence[str], words: Sequence[RowFilter]
) -> WordReading | None:
    """What is stated of three things or more: of a metric the figures of each, else the claims that compare the first with the others.

    `words` narrow the figures further.
    """
    named = [one for one in asked.mentions if not one.is_word]
    if len(named) < _SEVERAL or not all(one.is_hardware for one in named):
        return None
    filters = tuple(one.filter for one in named)
    if len(metrics) == 1 and _BY_METRIC in questions:
        return WordReading(questions[_BY_METRIC], {"metric": metrics[0]}, filters=(*filters, *words))
    if metrics or words or set(asked.words) - COMPARING or COMPARED_WITH not in questions:
        return None
    return WordReading(questions[COMPARED_WITH], {"thing": named[0].key}, filters=filters[1:])


def priced(asked: AskedWords, readings: Sequence[WordReading]) -> WordReading | None:
    """What two chips cost, where that is asked of both: few claims compare prices, and those of all metrics answer something else."""
    metrics = {one.ids[0] for one in asked.mentions if "metric" in one.kinds}
    of_two = sum(one.is_hardware for one in asked.mentions) == 2
    if not of_two or _COST not in asked.words or _CLAIM in asked.words or metrics - {_PER_TOKEN}:
        return None
    topic = _TOKEN_PRICES if metrics else "prices/claims"
    return next((one for one in readings if one.question.name == topic and not one.ignored), None)


def what_it_is(questions: Mapping[str, Question], text: str, asked: AskedWords) -> WordReading | None:
    """The card of a thing of which words ask what it is: "what is an H100"."""
    question, mention = questions.get(_CARD), asked.mentions[0] if len(asked.mentions) == 1 else None
    if question is None or mention is None or mention.slot not in ("THING", "MODEL") or asked.words:
        return None
    is_one = len(mention.ids) == 1 and asks_meaning(text)
    return WordReading(question, {"thing": mention.ids[0]}) if is_one else None


def said_of_one(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """What is said of the price of one thing, or of how it compares with others, where words ask who says so."""
    named = [one for one in asked.mentions if not one.is_word]
    if len(named) != 1 or not named[0].is_hardware or len(asked.words) != 1:
        return None
    if asked.words[0] == _COST and "prices/claims" in questions:
        return WordReading(questions["prices/claims"], {}, filters=(named[0].filter,))
    is_compared = asked.words[0] in _BETTER and COMPARED_WITH in questions
    return WordReading(questions[COMPARED_WITH], {"thing": named[0].key}) if is_compared else None


def is_taken_for_rows(taken: WordReading, asked: AskedWords, readings: Sequence[WordReading], text: str) -> bool:
    """Whether a question of two things and a metric, of several things or of prices is taken for what it holds, not for how it is
    asked for.
    """
    name = taken.question.name
    things = [one for one in taken.filters if not one.is_wish]
    is_several = len(things) > 1 and all(one.is_thing for one in things)
    is_compared = (name == COMPARE and taken.metrics) or (name in _ORDERED and THAN.search(text))
    return is_several or bool(is_compared) or (name in _PRICES and priced(asked, readings) is not None)


def meaning_of_word(questions: Mapping[str, Question], text: str, asked: AskedWords) -> WordReading | None:
    """What a precision, a scenario or the like is, where that is all the words ask: they name nothing whose results are wanted."""
    question = questions.get(_CARD)
    named = [one for one in asked.mentions if one.is_word and "metric" not in one.kinds]
    if question is None or len(named) != 1 or len(asked.mentions) != 1 or len(named[0].ids) != 1:
        return None
    kinds = {word for kind in named[0].kinds for word in stems(kind)}
    if _WHAT_IS.match(text) is None or set(asked.words) - set(stems(named[0].key)) - kinds - _FORMAT:
        return None
    return WordReading(question, {"thing": named[0].ids[0]})


def meaning(questions: Mapping[str, Question], text: str, asked: AskedWords, named: NamedWords) -> WordReading | None:
    """What a metric is, where that is all the words ask: "what is tokens per second per user"."""
    question, metrics = questions.get(_METRIC), named.metrics_in(key_of(text))
    exact = {name for parts, _, name in named.synonyms if parts == frozenset(asked.words)}
    if len(metrics) > 1 and len(exact) == 1:  # energy efficiency is no efficiency in general
        metrics = tuple(exact)
    if question is None or len(metrics) != 1 or any(not one.is_word for one in asked.mentions):
        return None
    # "what is the cheapest GPU per hour" names a metric by its words, and asks for figures
    if (
        _WHAT_IS.match(text) is None
        or order_in(text) is not None
        or not set(asked.words) <= named.metric_stems[metrics[0]]
    ):
        return None
    return WordReading(question, {"metric": metrics[0]})


def of_one(questions: Mapping[str, Question], asked: AskedWords) -> WordReading | None:
    """All claims about one thing that was named, where the words say nothing else."""
    mention = asked.mentions[0] if len(asked.mentions) == 1 else None
    if mention is None or mention.is_word or asked.excluded or set(asked.words) - SAID:
        return None
    of_thing = _SOURCES_OF_THING if set(asked.words) == set(stems("texts")) else _OF_THING
    name, parameter = next((of for kind, of in _OF_KIND.items() if kind in mention.kinds), of_thing)
    question = questions.get(name)
    return None if question is None else WordReading(question, {parameter: mention.key})
