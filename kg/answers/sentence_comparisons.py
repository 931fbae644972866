"""The comparisons of two figures that a sentence states in words: how many times, how much more, which part.

Forms like those of `kg.answers.sentence_arithmetic`; how far a ratio may be rounded is in `kg.answers.ratio_print`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from kg.answers.sentence_figures import ABOUT, UNIT, SentenceFigures, SentenceReader, size_of, with_one_unit
from kg.answers.text_arithmetic import RATIOS, Recomputed, TextOperand
from kg.errors import KgError

_OF_WHAT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("memory", "hbm", "vram", "capacity"), "data-size"),
    "bandwidth": "data-rate",
    **dict.fromkeys(("power", "electricity", "tdp", "wattage"), "power"),
    **dict.fromkeys(("price", "cost", "money", "expensive"), "money-usd"),
    **dict.fromkeys(("compute", "flops"), "compute"),
    **dict.fromkeys(("throughput", "tokens"), "token-rate"),
    **dict.fromkeys(("time", "latency"), "duration"),
    "energy": "energy",
}
"""What is more or less, as a text words it, with the kind of quantity of its figures."""
_WORDS_OF_WHAT: Final = rf"(?:[A-Za-z0-9-]+\s){{0,2}}?(?P<what>{'|'.join(_OF_WHAT)})"
_WHAT: Final = rf"(?:{_WORDS_OF_WHAT}\s)?"
"""What is compared, before "than" or "as"; its last word says of which kind its figures are."""
_NAME: Final = r"(?:(?!(?:and|but|or|while|than|against|more|less)\b)[A-Za-z0-9.-]+(?:['’]s?)?,?\s)"
_GAIN: Final = r"(?:increase|gain|jump|rise|improvement|reduction|drop|cut|saving|decrease)"
_HAS: Final = r"(?:has|needs|draws|uses|offers|holds|consumes|costs|carries|provides|takes)"
_WITH: Final = rf"(?:[(\[]\s?)?(?:(?:with|at|of|having|which|that|only|just|{_HAS}|is|was|were)\s)*"
"""Between the name of what is compared with and its figure."""
# meets " tokens/s against about "; not " W. The H100 has ", where a sentence ends
_AGAINST: Final = re.compile(
    rf"[^.;]{{0,60}}?\b(?:vs\.?|versus|against|compared (?:with|to)|rather than|instead of|(?P<turned>(?:up|down) from)){ABOUT}",
    re.IGNORECASE,
)
"""What stands between two figures that are compared; "up from" names the earlier one last."""
# meets " tokens/s, or about ", " W: " and " ("; not " and ", which adds a third figure
_THEN_RATIO: Final = re.compile(
    rf"{UNIT}(?:\s(?:for|of|in|on)(?:\s[A-Za-z0-9-]+){{1,3}})?\s*[,(:–—-]\s*(?:or |i\.e\.,? |that is |which is |an? )?(?P<factor>(?:\w+ )?factor of )?{ABOUT}"
)
# meets "x faster" and "percent more"; not "x faster than H100", which is of what it names itself
_COMPARATIVE: Final = re.compile(
    r"(?:\s*(?:x|×|times|percent|per cent))?(?: as)?\s*-?\s*"
    r"(?:faster|more|higher|better|less|lower|slower|cheaper|fewer|greater|larger|smaller|longer|shorter|much|many|fast|"
    r"speed-?up|increase|improvement|reduction|saving|decrease|gain|drop)\b(?!\s+\w*\s*(?:than|over|compared|as)\b)",
    re.IGNORECASE,
)
# meets " % more bandwidth"
_MORE_OF_WHAT: Final = re.compile(
    rf"\s*(?:%|x|×|times|percent)?\s*(?:more|less|higher|lower|greater|larger|fewer)\s{_WORDS_OF_WHAT}\b", re.IGNORECASE
)
# meets "Bandwidth of the H200 is " before a ratio
_WHAT_IS: Final = re.compile(
    rf"\b(?P<what>{'|'.join(_OF_WHAT)})(?:\sof\s[^.;,\d]{{0,30}}[\w-]*)?\s(?:is|was|are)\s(?:\w+\s)?$", re.IGNORECASE
)
# meets " the memory of the H100" and "x the power"; not "x the devices", of which no figure here is
_OF_THE_WHAT: Final = re.compile(rf"\s*(?:x|×)?\s*(?:times\s+)?the\s{_WORDS_OF_WHAT}\b", re.IGNORECASE)
# meets "H100's ", "the H100 with " and "its predecessor's "; not "speed of the H100 with ", which is of something else
_OTHER: Final = (
    rf"(?:(?:the\s)?(?-i:[A-Z])[A-Za-z0-9.-]*(?:['’]s?)?,?\s{_NAME}{{0,3}}?|{_NAME}{{0,2}}?[A-Za-z0-9-]+['’]s?\s)?"
)
# meets " times the ", "x that of ", " the H100's " and " the memory of the H100 with "; not " times faster than "
_TIMES_THE: Final = re.compile(
    rf"\s*(?:x|×)?\s*(?:times\s+)?(?:(?:the|that of|those of|those|of|its|what)\s)*{_WHAT}(?:of\s(?:the\s)?)?{_OTHER}{_WITH}{ABOUT}",
    re.IGNORECASE,
)
_IS_SAID_OF: Final = re.compile(r"\s*(?:x|×)?\s*(?:times\s+)?(?:the|that|those|of|its|what|[A-Z][\w.-]*['’]s?)\b")
"""What a multiple begins with that is said of another thing: "twice the", "double AMD's"."""
# meets " more than the H200 with ", " above the " and " as much power as the H100's "; not " faster than "
_MORE_THAN: Final = re.compile(
    r"\s*(?:x|×|times|percent|per cent)?\s?"
    rf"(?:{_GAIN}\s)?"
    r"(?:(?:more|higher|larger|greater|bigger|less|lower|smaller|fewer|as (?P<multiple>much|many|high|large))\s"
    rf"{_WHAT}(?:than|as)|above|below|over)\s(?:(?:the|its|that of|those of)\s)*{_NAME}{{0,4}}?{_WITH}{ABOUT}",
    re.IGNORECASE,
)
# meets ", which is ", ", an increase of ", " of memory, " and " GB and is "; not " and the H100 has 80 GB, "
_THEN: Final = re.compile(
    rf"[^.;]{{0,60}}?(?:[,(–—:]|\b(?P<does>{_HAS}|is|are|was|has)\b)\s?"
    rf"(?:(?:or|and|so|i\.e\.,?|that is|which is|at|an?|(?:an? )?{_GAIN} of)\s)*{ABOUT}"
)
_DOES: Final[Mapping[str, str]] = {"draws": "power", "consumes": "power", "costs": "price", "takes": "time"}
"""What a verb is said of: "costs twice as much" of money."""
# meets " GB to " and " GB of the H100 to about "; not " GB and the power to "
_TO: Final = re.compile(rf"{UNIT}\s(?:of (?:the |its )?{_NAME}{{1,3}}?)?to\s{ABOUT}", re.IGNORECASE)
_CHANGED_TO: Final = re.compile(rf"\sto\s{ABOUT}", re.IGNORECASE)
# meets " GB from " and " billion, up from the "; not " GB. From "
_FROM: Final = re.compile(rf"{UNIT},?\s(?:up |down )?from(?:\sthe)?{ABOUT}", re.IGNORECASE)
_CHANGES: Final = ("doubl", "tripl", "trebl", "quadrupl", "halv")
"""How the verbs begin that change one figure to another."""
_CLOSES: Final = re.compile(r"\s*[x×%]?\s?\)")
_AGAIN: Final = re.compile(r"\s*as (?:much|many|\w+) again\b|\s*again\b", re.IGNORECASE)
"""Behind "half", which is half more then: "half as much again"."""

Form = Callable[[SentenceReader, SentenceFigures], Iterator[Recomputed | None]]


def compared(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "4x faster: 100 against 300 tokens/s", "3 GB, up from 2 GB, a third more", "2 s and 8 s, 4x slower"."""
    if len(sentence.ratios) != 1:
        return
    (ratio,) = sentence.ratios
    for first, second in _compared_pairs(sentence.amounts):
        if not _may_be_compared(text, first, second, sentence):
            continue
        done = _compared_by(text, ratio, *with_one_unit(first, second))
        if done is not None and (done.fits or not _is_of_counts(text, ratio, sentence)):
            yield done


def _is_of(text: SentenceReader, ratio: TextOperand, one: TextOperand) -> bool:
    """Whether a ratio is said of figures of the kind of one: "4x faster" of any, "2x the memory" of sizes, "2x the devices" of none."""
    if ratio.relation != "ratio" or _COMPARATIVE.match(text.behind(ratio)) is not None:
        return True
    named = _OF_THE_WHAT.match(text.behind(ratio))
    return named is not None and _is_kind(text, named["what"], one)


def _is_kind(text: SentenceReader, what: str | None, one: TextOperand) -> bool:
    """Whether a figure is of what is compared, as far as that is named."""
    if what is None or one.unit is None:
        return what is None
    try:
        return text.base.units.kind(one.unit) == _OF_WHAT[what.lower()]
    except KgError:
        return False


def _may_be_compared(text: SentenceReader, first: TextOperand, second: TextOperand, sentence: SentenceFigures) -> bool:
    """Whether two figures are of one kind and no counts, and the words leave no doubt which two are meant."""
    one, other = with_one_unit(first, second)
    # with a third figure of the kind the words do not say which two are compared
    alike = text.of_kind(sentence.amounts, other)
    if not text.base.same_kind(one, other) or len(alike) > 2 or one.unit in (None, "%"):
        return False
    # two others print the unit, so that this one is of something else; of several without one none is named
    is_open = len(alike) == 2 or sum(each.unit is None for each in sentence.amounts) > 1
    if is_open and None in (first.unit, second.unit):
        return False
    # with 64 devices or with 2,408: the ratio is of something else
    return not text.base.is_number(one)


def _is_of_another_kind(text: SentenceReader, ratio: TextOperand, one: TextOperand) -> bool:
    """Whether the words next to a ratio say what it is of, and the figures are of something else: "43 % more bandwidth"."""
    named = _MORE_OF_WHAT.match(text.behind(ratio)) or _WHAT_IS.search(text.before(ratio))
    return named is not None and not _is_kind(text, named["what"], one)


def _compared_by(text: SentenceReader, ratio: TextOperand, one: TextOperand, other: TextOperand) -> Recomputed | None:
    """The ratio of two figures, where the words say that it is theirs."""
    words = _AGAINST.fullmatch(text.between(one, other))
    if _is_of_another_kind(text, ratio, one):
        return None
    if _follows(text, ratio, other):
        return _either_way(text, ratio, one, other)
    if words is None or not _is_of(text, ratio, one):
        return None
    if words["turned"]:
        return text.base.ratio(ratio, after=one, before=other)
    return _either_way(text, ratio, one, other)


def _follows(text: SentenceReader, ratio: TextOperand, other: TextOperand) -> bool:
    """Whether a ratio follows two figures at once, and says of nothing else that it is more or less."""
    joined = _THEN_RATIO.fullmatch(text.between(other, ratio)) if ratio.start > other.end else None
    if joined is None:
        return False
    is_alone = joined["factor"] is not None or (joined[0].rstrip()[-1:] == "(" and _CLOSES.match(text.behind(ratio)))
    return bool(is_alone or _COMPARATIVE.match(text.behind(ratio)))


def _is_of_counts(text: SentenceReader, ratio: TextOperand, sentence: SentenceFigures) -> bool:
    """Whether a ratio is that of two numbers of the sentence: "16 instead of 64 GPUs, 75% fewer"."""
    counts = [one for one in sentence.amounts if one.unit is None or text.base.is_number(one)]
    for first, second in pairwise(counts):
        done = _either_way(text, ratio, *with_one_unit(first, second))
        if done is not None and done.fits:
            return True
    return False


def _compared_pairs(amounts: Sequence[TextOperand]) -> Iterator[tuple[TextOperand, TextOperand]]:
    """Neighbours, and the only two of a kind with others between: "5,120 tok/s with 128 users, B 11,400 tok/s"."""
    yield from pairwise(amounts)
    for one, between, other in zip(amounts, amounts[1:], amounts[2:], strict=False):
        if one.unit is not None and one.unit == other.unit != between.unit:
            yield one, other


def _either_way(text: SentenceReader, ratio: TextOperand, one: TextOperand, other: TextOperand) -> Recomputed | None:
    """Which of two figures is the later one is not said: the larger for a gain, and either if that fits."""
    low, high = sorted((one, other), key=size_of)
    is_less = ratio.relation in ("decrease", "times-less") or (ratio.unit != "%" and size_of(ratio) < 1)
    pairs = ((low, high), (high, low)) if is_less else ((high, low), (low, high))
    tried = [text.base.ratio(ratio, after=after, before=before) for after, before in pairs]
    return next((each for each in tried if each is not None and each.fits), tried[0])


def times_the(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "$3.1 million, 16 times the $190,000", "141 GB, double the H100's 80 GB"."""
    for ratio, before in pairwise(sentence.figures):
        if ratio.relation not in ("ratio", "share-of") or before.relation in RATIOS:
            continue
        earlier = [one for one in sentence.amounts if one.end <= ratio.start]
        if before.unit is None and len(text.of_kind(earlier, earlier[0]) if earlier else ()) < len(earlier):
            continue  # which of several units it has is not said
        like = with_one_unit(before, earlier[0])[0] if earlier else before
        after = text.of_kind(earlier, like)
        between = text.between(ratio, before)
        words = _TIMES_THE.fullmatch(between) if _IS_SAID_OF.match(between) else None
        if len(after) == 1 and words is not None and _is_kind(text, words["what"], like):
            yield text.base.ratio(ratio, after=after[0], before=like, is_multiple=True)


def more_than(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "192 GB, which is 36% more than the H200 with 141 GB", "1,400 W, twice as much as the H100's 700 W"."""
    for after, ratio, before in zip(sentence.figures, sentence.figures[1:], sentence.figures[2:], strict=False):
        if ratio.relation not in RATIOS or not {after.relation, before.relation} <= {"absolute"}:
            continue
        words = _MORE_THAN.fullmatch(text.between(ratio, before))
        then = _THEN.fullmatch(text.between(after, ratio))
        if words is None or then is None or _AGAIN.match(text.behind(ratio)):
            continue
        amounts = [one for one in sentence.amounts if one.start < ratio.start]
        is_open = len(text.of_kind(amounts, before)) > 1 or before.unit in (None, "%") or text.base.is_number(before)
        is_of_them = text.base.same_kind(after, before) and _is_kind(
            text, words["what"] or _DOES.get(then["does"]), before
        )
        if not is_open and is_of_them:
            yield text.base.ratio(ratio, after=after, before=before, is_multiple=words["multiple"] is not None)


def changed_to(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "it doubles the H100's 80 GB to 141 GB", "it doubled to 160 GB from 80 GB"."""
    for ratio, one, other in zip(sentence.figures, sentence.figures[1:], sentence.figures[2:], strict=False):
        if ratio.relation != "ratio" or not {one.relation, other.relation} <= {"absolute"}:
            continue
        if not ratio.printed.lower().startswith(_CHANGES):
            continue
        first, second = with_one_unit(one, other)
        if not text.base.same_kind(first, second):
            continue
        is_back = _CHANGED_TO.fullmatch(text.between(ratio, one)) and _FROM.fullmatch(text.between(one, other))
        if is_back or _changes(text, ratio, one, other):
            after, before = (first, second) if is_back else (second, first)
            yield text.base.ratio(ratio, after=after, before=before, is_multiple=True)


def _changes(text: SentenceReader, ratio: TextOperand, before: TextOperand, after: TextOperand) -> bool:
    """Whether a verb is said of a figure of what is named and of its new value."""
    words = _TIMES_THE.fullmatch(text.between(ratio, before)) if _IS_SAID_OF.match(text.behind(ratio)) else None
    is_to = _TO.fullmatch(text.between(before, after))
    return words is not None and is_to is not None and _is_kind(text, words["what"], before)


COMPARISON_FORMS: Final[tuple[Form, ...]] = (compared, changed_to, times_the, more_than)
