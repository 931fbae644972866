"""The arithmetic of counts in groups that a sentence states: a count for each group, and a total.

Forms like those of `kg.answers.sentence_arithmetic`; the words between the figures say what is divided or multiplied.
"""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from kg.answers.sentence_figures import ABOUT, UNIT, SentenceFigures, SentenceReader, in_unit, summed
from kg.answers.text_arithmetic import Recomputed, TextOperand, counted, named
from kg.model.units import COUNT_PREFIX

_HAVE: Final = r"(?:has|have|holds?|contains?|costs?|draws?|uses?|needs?|makes?|gives?|offers?|provides?|delivers?|is|are|comes? to)"
_EACH: Final = r"(?:each|apiece)"
# meets " GPUs in " and " GPUs spread over about "; not " GPUs and "
_IN_GROUPS: Final = re.compile(rf"{UNIT}\s(?:in|on|across|over|spread over|distributed over){ABOUT}", re.IGNORECASE)
# meets " nodes, so each has about "; not " nodes. Each has "
_GROUP_HAS: Final = re.compile(
    rf"{UNIT}(?:,?\s(?:so|and|which|with|that|each|or)|\s{_HAVE}|\s(?:in|of) [a-z]+)*,?{ABOUT}", re.IGNORECASE
)
_FOR_EACH_OF: Final = re.compile(
    rf"{UNIT}\s(?:for )?each of (?:(?:the|its|their|our|these|those|all)\s+)*{ABOUT}", re.IGNORECASE
)
_OR: Final = re.compile(rf"{UNIT}\s*[,(–—]?\s*(?:or|that is|i\.e\.,?|which is|so)\s{ABOUT}", re.IGNORECASE)
# meets " per card, so " with the thing "card"; not " per card. So "
_PRICE_THEN: Final = re.compile(
    rf"{UNIT}\s?(?:per|an?|for each|for one|/)\s?(?P<thing>[A-Za-z]+)\s*[,;:]?\s(?:so|and|which means|meaning|thus)(?:\s(?:for|that))?{ABOUT}",
    re.IGNORECASE,
)
_WITH_EACH: Final = re.compile(rf"{UNIT}\s(?:with|of|at|holding|having|drawing|costing){ABOUT}", re.IGNORECASE)
_EACH_HAVE: Final = re.compile(
    rf"{UNIT}\s{_EACH},?\s{_HAVE}(?:\s(?:a total of|in total|together|in all))*{ABOUT}", re.IGNORECASE
)
_TOTAL_OF: Final = re.compile(rf"{UNIT}\s{_HAVE}(?:\s(?:a total of|in total))?{ABOUT}", re.IGNORECASE)
# meets " GB in total, or " and " GB ("; not " GB and "
_THEN_EACH: Final = re.compile(
    rf"{UNIT}(?:\s(?:in total|together|in all))?\s*[,(]\s*(?:or |that is |i\.e\.,? |which is )?{ABOUT}", re.IGNORECASE
)
TOTAL: Final = re.compile(
    rf"\b(?:in total|altogether|in all|a total of|the total is|totall?ing|adds? up to|in sum){ABOUT}:?\s*$",
    re.IGNORECASE,
)
"""Words that end just before a total."""
ALTOGETHER: Final = re.compile(rf"{UNIT}\s(?:in total|altogether|in all|combined|together)\b", re.IGNORECASE)
"""Behind a total: "8 GPUs with 80 GB each, 640 GB in total"."""
_EACH_OF_THE: Final = re.compile(rf"\beach of (?:the|its|their|our|these|those){ABOUT}$", re.IGNORECASE)
# meets " racks of ", " compute trays holds " and " NVL72 racks with "; not " racks and "
_OF_EACH_ONE: Final = re.compile(
    rf"(?:\s[A-Za-z0-9-]+){{1,4}}?\s(?:of|with|at|holding|having|carrying|{_HAVE}){ABOUT}", re.IGNORECASE
)
# meets " GPUs each, " and " GPUs, for a total of "; not " GPUs each. The "
_SO_MANY: Final = re.compile(
    rf"(?:\s?[A-Za-z/-]{{1,15}}){{0,2}}?(?:\s{_EACH})?,?\s(?:(?:or|so|for|which is|that is|that makes)\s)?(?:a total of |in total )?{ABOUT}",
    re.IGNORECASE,
)
_ONLY: Final = 3
"""The figures of a sentence of which one can be no other's total."""
_BEHIND_EACH: Final = re.compile(rf"{UNIT}\s{_EACH}\b", re.IGNORECASE)
# meets " million, assuming " and " at "; not " million and "
_GIVEN: Final = re.compile(rf"{UNIT}\s*[,(]?\s(?:assuming|given|based on|at){ABOUT}", re.IGNORECASE)
# meets " per GPU hour and " with the thing "hour"; not " and "
_TIMES_COUNT: Final = re.compile(
    rf"{UNIT}\s?(?:per|an?|/)\s?(?:[A-Za-z]+[ -])?(?P<thing>[A-Za-z]+),?\s(?:and|times|over|for){ABOUT}", re.IGNORECASE
)
# meets ": " and ", made up of "; not " and "
_SUM_OF: Final = re.compile(rf"{UNIT}\s*(?::|,? (?:made up|consisting) of|,? comprising)\s*{ABOUT}", re.IGNORECASE)
# parts that are only examples, or rates, do not add up to the total
_NOT_ALL: Final = re.compile(
    r"\b(?:of which|including|thereof|such as|e\.g\.|for example|among|per|each|an? (?:hour|month|year|day))\b",
    re.IGNORECASE,
)


def _is_count(one: TextOperand) -> bool:
    return one.unit is not None and one.unit.startswith(COUNT_PREFIX) and one.relation == "absolute"


def _all_absolute(*figures: TextOperand) -> bool:
    return all(one.relation == "absolute" for one in figures)


def _threes(sentence: SentenceFigures) -> Iterator[tuple[TextOperand, TextOperand, TextOperand]]:
    figures = sentence.figures
    return zip(figures, figures[1:], figures[2:], strict=False)


def _same_noun(words: str, thing: str) -> bool:
    """Whether words begin with a noun, in the singular or the plural.

    >>> _same_noun(" cards cost", "card"), _same_noun(" racks", "card")
    (True, False)
    """
    return re.match(rf"\s?(?:[A-Za-z0-9-]+[ -])?{re.escape(thing.rstrip('s'))}s?\b", words, re.IGNORECASE) is not None


def _quotient(text: SentenceReader, whole: TextOperand, count: TextOperand, each: TextOperand) -> Recomputed | None:
    shown = f"{named(whole)} over {named(count)}"
    return text.base.judged("a / b", each, {"a": whole, "b": counted(in_unit(count, None))}, shown=shown)


def _multiple(text: SentenceReader, count: TextOperand, each: TextOperand, total: TextOperand) -> Recomputed | None:
    shown = f"{count.printed} times {named(each)}"
    bare = in_unit(count, None)
    is_exact = text.base.are_counts(bare, each, total)
    inputs = {"a": counted(bare), "b": counted(each) if is_exact else each}
    return text.base.judged("a * b", total, inputs, shown=shown, is_exact=is_exact)


def in_groups(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "1,024 GPUs in 128 nodes, 8 GPUs per node"."""
    for whole, groups, each in _threes(sentence):
        if not (_is_count(whole) and _is_count(groups)) or each.unit != whole.unit or groups.unit == whole.unit:
            continue
        group = str(groups.unit).removeprefix(COUNT_PREFIX)
        is_each = re.match(rf"{UNIT}\s?(?:per|in each|in every|/|for each|a)\s?{re.escape(group)}\b", text.behind(each))
        is_divided = _IN_GROUPS.fullmatch(text.between(whole, groups)) and _GROUP_HAS.fullmatch(
            text.between(groups, each)
        )
        if is_each and is_divided:
            yield _quotient(text, whole, groups, each)


def for_each_of(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "120 kW, or 1.67 kW for each of its 72 GPUs"."""
    for whole, each, count in _threes(sentence):
        if not _is_count(count) or not _all_absolute(whole, each) or not text.base.same_kind(whole, each):
            continue
        if _OR.fullmatch(text.between(whole, each)) and _FOR_EACH_OF.fullmatch(text.between(each, count)):
            yield _quotient(text, whole, count, each)


def price_of_many(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "$30,000 per card, so eight cards cost $240,000"."""
    for each, count, total in _threes(sentence):
        if not _is_count(count) or not _all_absolute(each, total) or not text.base.same_kind(each, total):
            continue
        words = _PRICE_THEN.fullmatch(text.between(each, count))
        is_total = _TOTAL_OF.fullmatch(text.between(count, total))
        if words is not None and is_total and _same_noun(text.behind(count), words["thing"]):
            yield _multiple(text, count, each, total)


def with_each(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "two racks with 72 GPUs each have 144 GPUs"."""
    for count, each, total in _threes(sentence):
        if not _is_count(count) or each.unit != total.unit or count.unit == each.unit or not _all_absolute(each, total):
            continue
        if text.is_nested(sentence, count):
            continue
        if _WITH_EACH.fullmatch(text.between(count, each)) and _EACH_HAVE.fullmatch(text.between(each, total)):
            yield _multiple(text, count, each, total)


def each_then_total(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "8 racks of 9 GPUs each, 72 GPUs in total", "each of the 18 trays holds 4 GPUs, for a total of 72"."""
    for count, each, total in _threes(sentence):
        like = in_unit(total, each.unit) if total.unit is None and _is_count(each) else total
        if not _is_count(count) or count.unit == each.unit or not _all_absolute(each, like):
            continue
        if each.unit is None or not text.base.same_kind(each, like) or text.is_nested(sentence, count):
            continue
        if len(sentence.amounts) == _ONLY and _is_total_of_each(text, count, each, total):
            yield _multiple(text, count, each, like)


def _is_total_of_each(text: SentenceReader, count: TextOperand, each: TextOperand, total: TextOperand) -> bool:
    """Whether the words around three figures say that the second is that of each of the first, and the third all of them."""
    is_each = _BEHIND_EACH.match(text.behind(each)) or _EACH_OF_THE.search(text.before(count))
    is_total = TOTAL.search(text.before(total)) or ALTOGETHER.match(text.behind(total))
    is_joined = _OF_EACH_ONE.fullmatch(text.between(count, each)) and _SO_MANY.fullmatch(text.between(each, total))
    return bool(is_each and is_total and is_joined)


def total_then_each(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "a board with 8 GPUs holds 1,128 GB, 141 GB each"."""
    for count, total, each in _threes(sentence):
        if not _is_count(count) or not _all_absolute(total, each) or not text.base.same_kind(total, each):
            continue
        if text.is_nested(sentence, count):
            continue
        is_each = _BEHIND_EACH.match(text.behind(each)) and _THEN_EACH.fullmatch(text.between(total, each))
        if is_each and _TOTAL_OF.fullmatch(text.between(count, total)) and count.unit != total.unit:
            yield _quotient(text, total, count, each)


def price_then_count(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "$5.576 million, assuming $2 per GPU hour and 2.788 million GPU hours"."""
    for total, each, count in _threes(sentence):
        # the unit of a price, USD/h, begins with that of what is paid, USD
        is_priced = str(each.unit).partition("/")[0] == total.unit and _all_absolute(total, each, count)
        words = _TIMES_COUNT.fullmatch(text.between(each, count))
        if words is None or not is_priced or _GIVEN.fullmatch(text.between(total, each)) is None:
            continue
        if _same_noun(text.behind(count), words["thing"]):
            yield _multiple(text, count, in_unit(each, total.unit), total)


def sum_of_parts(text: SentenceReader, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
    """As in "$2.5 million: $2 million for GPUs and $0.5 million for power"."""
    if len(sentence.figures) < 3 or len(sentence.amounts) != len(sentence.figures):
        return
    total, *parts = sentence.figures
    joined = all(re.search(r"[,;]|\b(?:and|plus)\b", text.between(one, other)) for one, other in pairwise(parts))
    if total.unit in (None, "%") or not joined or len(text.of_kind(parts, total)) != len(parts):
        return
    words = text.text[total.end : parts[-1].end] + text.behind(parts[-1]).partition(".")[0]
    if _SUM_OF.fullmatch(text.between(total, parts[0])) and _NOT_ALL.search(words) is None:
        yield summed(text.base, parts, total, f"the sum of the {len(parts)} parts named")


GROUP_FORMS: Final[tuple[Callable[[SentenceReader, SentenceFigures], Iterator[Recomputed | None]], ...]] = (
    in_groups,
    for_each_of,
    price_of_many,
    with_each,
    each_then_total,
    total_then_each,
    price_then_count,
    sum_of_parts,
)
