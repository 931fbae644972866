"""The arithmetic that a sentence states in words, recomputed: products, totals, shares, results per device, and all other forms.

Each form is a pair of a formula and the words between the figures. A sentence is left alone where more figures of the
kind could be meant; the comparison with what is printed is that of `kg.answers.text_arithmetic`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from kg.answers.sentence_comparisons import COMPARISON_FORMS
from kg.answers.sentence_figures import (
    ABOUT,
    UNIT,
    SentenceFigures,
    SentenceReader,
    exactly,
    in_unit,
    summed,
    with_one_unit,
)
from kg.answers.sentence_groups import ALTOGETHER, GROUP_FORMS, TOTAL
from kg.answers.text_arithmetic import RATIOS, Recomputed, TextArithmetic, TextOperand, counted, named
from kg.model.printed import read_printed
from kg.model.units import COUNT_PREFIX, UnitTable

# meets " of the " and " of a total of about "; not " of which "
_OF_ALL: Final = re.compile(rf"\s+of\s+(?:(?:the|its|their|our|all|a total of)\s+)*{ABOUT}", re.IGNORECASE)
# meets " GPUs, or " and " (about "; not " GPUs and "
_WHICH_IS: Final = re.compile(
    rf"{UNIT}\s*(?:,\s*)?(?:or|that is|i\.e\.,?|which is|is|are|=|\(|makes){ABOUT}", re.IGNORECASE
)
# meets " nodes at " and " GPUs of "; not " nodes and "
_AT: Final = re.compile(
    rf"(?P<things>(?:\s[A-Za-z0-9-]+){{0,4}}?)[;,]?\s(?:at|of|with|costing|drawing|×|x){ABOUT}", re.IGNORECASE
)
# meets " kW each are " and " per GPU hour cost "; not " kW and "
_COMES_TO: Final = re.compile(
    rf"{UNIT}(?P<each>\s(?:each|apiece|(?:per|an?) [A-Za-z]+(?:[ -]hours?)?))?,?\s*(?:this |that |they |which |so )?"
    r"(?:so|is|are|comes? to|costs?|makes?|totals?|totall?ing|gives?|or|=|draws?|needs?)"
    rf"(?:\s(?:a total of|in total))?{ABOUT}",
    re.IGNORECASE,
)
_EACH: Final = re.compile(
    rf"{UNIT}(?P<each>\s(?:each|apiece|per [A-Za-z]+)),?\s*(?:and |or |so |for |that is )?(?:a total of )?{ABOUT}",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(
    r"\b(?:and|but|while|whereas|though|although|the)\s(?!so\b|that\b|this\b|they\b)", re.IGNORECASE
)
"""Between an amount and a verb where the verb is said of another thing: "at 1.2 kW each and needs 120 kW"."""
_OF_ONE: Final = re.compile(
    rf"{UNIT}\s?(?:(?P<each>each|apiece)\b|(?:per|/|for each|for one|an?)\s?(?P<thing>[A-Za-z]+))"
)
"""Behind an amount of one of the things that are counted."""
_NOT_ADDED: Final = re.compile(rf"{UNIT}\s(?:each|apiece|per|a piece)\b|\s?/", re.IGNORECASE)
_NESTED: Final = re.compile(r"\b(?:of which|including|thereof|included)\b", re.IGNORECASE)
# before the figure of what is left: "others about", "the rest"
_REST: Final = re.compile(
    rf"\b(?:others?|all others|the rest|the remaining|the remainder|everyone else)(?:\s\w+){{0,2}}?{ABOUT}$",
    re.IGNORECASE,
)
# behind the figure of what is left: "% for the rest", "percent are others"
_THE_REST: Final = re.compile(
    r"\s*(?:%|percent)?\s*(?:(?:are|is|go|goes|for|to)\s+)*(?:the )?(?:others?|all others|rest|remaining|everyone else)\b",
    re.IGNORECASE,
)
# meets "out of" and "of the" just before a figure
_BASE: Final = re.compile(rf"\b(?:out )?of (?:the |its |all |a total of )*{ABOUT}$", re.IGNORECASE)
_TIMES: Final = frozenset({"h", "day", "month", "year"})
_SHARE_OF_BASE: Final = re.compile(rf"(?:\s[A-Za-z-]+){{0,4}}\s*(?:\(|,\s*(?:or |that is |i\.e\.,? )?{ABOUT})\s*")
# meets " tokens/s per GPU"; not " $ per GPU-hour", the unit of a rental price
_DEVICE: Final = r"(?:gpu|accelerator|chip|card|tpu|device|processor)"
_PER_DEVICE: Final = re.compile(rf"{UNIT}\s*(?:per|/|for each|a)\s?{_DEVICE}s?\b(?!\s*(?:-|hour))", re.IGNORECASE)
_SO: Final = re.compile(
    rf"(?:,|\bor|\bthat is|\bi\.e\.,?|\bwhich is|=|\(|\bso)(?:\s(?:that is|or|i\.e\.,?))?{ABOUT}$", re.IGNORECASE
)
_DEVICES: Final = frozenset(f"{COUNT_PREFIX}{one}" for one in ("gpu", "accelerator", "chip", "card", "tpu", "device"))


@dataclass(frozen=True, slots=True)
class SentenceArithmetic(SentenceReader):
    """Recomputes what the sentences of one text say of their own figures."""

    def found(self, operands: Sequence[TextOperand]) -> dict[int, Recomputed]:
        """The computations by the start of their result; the first form that finds one counts."""
        made: dict[int, Recomputed] = {}
        for sentence in self.sentences(operands):
            stated = (form(self, sentence) for form in (*COMPARISON_FORMS, *FORMS, *GROUP_FORMS))
            for one in filter(None, chain.from_iterable(stated)):
                made.setdefault(one.start, one)
        return made

    # --- the forms

    def part_of(self, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
        """As in "half of the 12,000 GPUs, or 6,000"."""
        for part, whole, result in zip(sentence.figures, sentence.figures[1:], sentence.figures[2:], strict=False):
            is_share = part.relation in ("ratio", "share-of") or part.unit == "%"
            if not is_share or not self.base.same_kind(*with_one_unit(whole, result)):
                continue
            if _OF_ALL.fullmatch(self.between(part, whole)) and _WHICH_IS.fullmatch(self.between(whole, result)):
                shown = f"{part.printed} of {named(whole)}"
                formula = "a * b / 100" if part.unit == "%" else "a * b"
                yield self.base.judged(formula, exactly(result), {"a": part, "b": exactly(whole)}, shown=shown)

    def product(self, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
        """As in "32 nodes at 14.3 kW are 458 kW", "1,000 GPU hours at $2 per GPU hour cost $2,000"."""
        # the count may close the sentence before: "It has 72 GPUs. At 1.2 kW each ..."
        figures = (*sentence.earlier[-1:], *sentence.figures)
        for count, each, result in zip(figures, figures[1:], figures[2:], strict=False):
            things = _AT.fullmatch(self.between(count, each))
            words = self._words_of_result(each, result)
            if things is None or words is None or {count.relation, each.relation, result.relation} != {"absolute"}:
                continue
            if self.is_nested(sentence, count):
                continue
            if self._is_of_one(result, f"{things['things']} {count.unit}"):
                continue  # "72 GPUs at $3.9M cost $54,167 per GPU" divides
            if not _are_of_each(words["each"], things["things"]):
                continue  # "2,000 GPUs at $2 an hour" says nothing of how many hours
            is_time = count.unit in _TIMES  # 1,000 GPU hours at a price per hour
            number, price = (in_unit(count, None), in_unit(each, result.unit)) if is_time else (counted(count), each)
            if self.base.is_number(number) and not self.base.is_number(price) and self.base.same_kind(price, result):
                shown = f"{count.printed} times {named(each)}"
                done = self.base.judged("a * b", result, {"a": number, "b": price}, shown=shown)
                if done is None or done.fits or not self._has_factor_behind(result, sentence):
                    yield done

    def _has_factor_behind(self, result: TextOperand, sentence: SentenceFigures) -> bool:
        """Whether a sentence goes on with what may be one more factor: "with a PUE of 1.25", "at 80% load"."""
        behind = (one for one in sentence.figures if one.start > result.end)
        return any(one.unit in (None, "%") or one.relation in RATIOS for one in behind)

    def _words_of_result(self, each: TextOperand, result: TextOperand) -> re.Match[str] | None:
        """The words between the figure of each and that of all which say that the one comes to the other."""
        between = self.between(each, result)
        words = _COMES_TO.fullmatch(between)
        if words is not None and _ANOTHER.search(between):
            words = None
        if words is None and ALTOGETHER.match(self.behind(result)):
            words = _EACH.fullmatch(between)
        return words

    def _is_of_one(self, result: TextOperand, things: str) -> bool:
        """Whether a figure is said of one of the things that are counted."""
        said = _OF_ONE.match(self.behind(result))
        if said is None:
            return False
        return said["each"] is not None or said["thing"].lower().rstrip("s") in things.lower()

    def total(self, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
        """As in "$12.8 million for nodes and $1.9 million for networks, in total $14.7 million"."""
        if len(sentence.amounts) < 3:
            return
        *others, last = sentence.amounts
        is_total = TOTAL.search(self.before(last)) or ALTOGETHER.match(self.behind(last))
        if not is_total or sentence.ratios:
            return
        if any(self._is_each(count, one) for count, one in pairwise(sentence.amounts)):
            return  # "72 GPUs at 1.2 kW and 36 CPUs at 0.3 kW": of one each
        added = [one for one in self.of_kind(others, last) if _NOT_ADDED.match(self.behind(one)) is None]
        if len(added) < 2 or last.unit in (None, "%") or _NESTED.search(self.text[added[0].start : last.end]):
            return
        done = summed(self.base, added, last, f"the sum of {len(added)} figures before it")
        # "8 trays of 9 GPUs, 72 GPUs in all" is a product: counts of other things say how often something is there
        if done is not None and (done.fits or not self._counts_others(others, last)):
            yield done

    def _counts_others(self, others: Sequence[TextOperand], last: TextOperand) -> bool:
        """Whether one of some figures counts something else than the last, which is a count."""
        return self.base.is_number(last) and any(one.unit != last.unit and self.base.is_number(one) for one in others)

    def _is_each(self, count: TextOperand, one: TextOperand) -> bool:
        """Whether a count stands before an amount that may be that of each."""
        is_counted = str(count.unit).startswith(COUNT_PREFIX) and not self.base.is_number(one)
        return is_counted and _AT.fullmatch(self.between(count, one)) is not None

    def rest(self, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
        """As in "A has 80%, B 15%, others 5%": together a hundred."""
        shares = [one for one in sentence.figures if one.unit == "%" and one.relation in ("absolute", "share-of")]
        if len(shares) < 3 or len(shares) != len(sentence.figures):
            return
        if _REST.search(self.before(shares[-1])) is None and _THE_REST.match(self.behind(shares[-1])) is None:
            return
        whole = replace(shares[-1], printed="100%", number=read_printed("100%", unit="%", table=self.base.units))
        shares = [exactly(replace(one, relation="absolute")) for one in shares]
        inputs = {f"a{number}": one for number, one in enumerate(shares[:-1])}
        formula = " - ".join(("w", *inputs))
        yield self.base.judged(formula, shares[-1], {"w": whole, **inputs}, shown="100 % without the shares before it")

    def shares_of_base(self, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
        """As in "of 1,000 requests 950 were in time (95%), 50 late (5%)"."""
        whole = next((one for one in sentence.amounts if one.unit != "%" and _BASE.search(self.before(one))), None)
        # the base opens the sentence; behind it stands each part with its share
        if whole is None or len({whole.start, sentence.figures[0].start}) > 1:
            return
        for part, share in pairwise(sentence.figures[1:]):
            if share.unit == "%" and _SHARE_OF_BASE.fullmatch(self.between(part, share)):
                of, _ = with_one_unit(part, whole)
                if self.base.is_number(of) == self.base.is_number(whole):
                    shown = f"{of.printed} of {named(whole)}"
                    yield self.base.judged("a / b", share, {"a": of, "b": whole}, shown=shown, relation="share-of")

    def per_device(self, sentence: SentenceFigures) -> Iterator[Recomputed | None]:
        """As in "34,864 tokens/s with eight GPUs, 4,358 per GPU"."""
        quotients = {one.start for one in sentence.figures if _PER_DEVICE.match(self.behind(one))}
        others = [one for one in sentence.figures if one.start not in quotients]
        devices = _one_count(_devices(others) or _devices(sentence.earlier))
        if devices is None or self.is_nested(sentence, devices):
            return
        for whole, last in self._with_quotients(sentence.amounts, quotients):
            each = _in_unit_of(last, whole)
            if self._is_per_device(whole, each):
                shown = f"{named(whole)} over {devices.printed} devices"
                yield self.base.judged("a / b", each, {"a": whole, "b": devices}, shown=shown)

    def _with_quotients(
        self, amounts: Sequence[TextOperand], quotients: Collection[int]
    ) -> Iterator[tuple[TextOperand, TextOperand]]:
        """The figures that one of the `quotients`, by their places, follows; none of which there are several of its kind."""
        amounts = [one for one in amounts if one.start in quotients or one.unit not in _DEVICES]
        for whole, last in pairwise(amounts):
            if last.start in quotients and whole.start not in quotients and len(self.of_kind(amounts, whole)) <= 2:
                yield whole, last

    def _is_per_device(self, whole: TextOperand, each: TextOperand) -> bool:
        """Whether a figure is stated as the quotient of another one of its kind."""
        is_meant = _SO.search(self.between(whole, each)) is not None
        return is_meant and self.base.same_kind(whole, each) and not self.base.is_number(whole)


FORMS: Final[tuple[Callable[[SentenceArithmetic, SentenceFigures], Iterator[Recomputed | None]], ...]] = (
    SentenceArithmetic.part_of,
    SentenceArithmetic.product,
    SentenceArithmetic.total,
    SentenceArithmetic.rest,
    SentenceArithmetic.shares_of_base,
    SentenceArithmetic.per_device,
)


def _are_of_each(unit: str | None, things: str) -> bool:
    """Whether a unit such as "per GPU", or none, is that of each of the things that are counted."""
    words = (unit or "each").split()
    return words[0] in ("each", "apiece") or words[-1].rstrip("s") in things


def _devices(figures: Iterable[TextOperand]) -> list[TextOperand]:
    return [one for one in figures if one.unit in _DEVICES]


def _one_count(devices: Sequence[TextOperand]) -> TextOperand | None:
    """The count that is stated once, or twice alike; None where another one may be meant."""
    values = {one.number.value for one in devices if one.number is not None}
    return devices[0] if len(values) == 1 and len(devices) <= 2 else None


def _in_unit_of(each: TextOperand, whole: TextOperand) -> TextOperand:
    """A quotient in the unit of what is divided: "4,358 per GPU" alone reads as a count of GPUs."""
    return in_unit(each, whole.unit) if each.unit is None or each.unit in _DEVICES else each


def sentence_arithmetic(text: str, operands: Sequence[TextOperand], units: UnitTable) -> dict[int, Recomputed]:
    """The computations that sentences tell in words, by the start of their result."""
    return SentenceArithmetic(TextArithmetic(text, units)).found(operands)
