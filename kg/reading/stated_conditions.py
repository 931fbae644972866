"""Conditions that a text states by its wording: lengths, batches, counts, dates, phases. Named things are found elsewhere."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from kg.model.amount import cardinal
from kg.model.dates import MONTHS, SHORT_MONTHS

_MONTHS: Final = "|".join((*MONTHS, *SHORT_MONTHS))
_MONTH: Final = rf"(?:{_MONTHS})\.?"
_NUMBER: Final = r"(?<![\w.,])(?P<value>\d+(?:,\d{3})*(?:\.\d+)?[kKM]?)"
_OTHER: Final = _NUMBER.replace("value", "value2")
_COUNTS: Final = ("two", "four", "eight", "sixteen", "thirty-two", "sixty-four")
_COUNT: Final = rf"(?:(?<![\w.,])(?P<value>\d+(?:,\d{{3}})*[kK]?)(?![\d.])|\b(?P<value2>{'|'.join(_COUNTS)}))"
_CODE: Final = r"(?-i:(?!FP|BF|TF|INT|HBM)[A-Z]{1,3}\d{2,4}[A-Z]{0,2})s?"
"""A chip by its number: H100, MI300X, L40S."""
_DATE: Final = (
    rf"\b(?:in|by|until|since|of|before|from|as of|during)\s(?:early\s|mid-?|late\s)?(?P<value>{_MONTH}\s\d{{4}}|Q[1-4]\s(?:FY)?\d{{4}}|20\d\d)\b"
    rf"|\bH[12]\s(?P<value2>20\d\d)\b|(?<![\w-])(?P<value3>(?:{_MONTHS})\s20\d\d)\b"
)
PRINTED: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "sequence_length",
            rf"{_NUMBER}[\s-](?:tokens?\s)?seq(?:uence)?\.?\s?len(?:gth)?|seq(?:uence)?\.?\s?len(?:gth)?\s(?:of|is|=|:)?\s?{_OTHER}",
        ),
        (
            "context_length",
            rf"{_NUMBER}[\s-]?(?:token\s)?context|context\s(?:length|window)\s(?:of|=|:)?\s?{_OTHER}",
        ),
        ("batch", rf"batch(?:\ssize)?(?:\sof|\s?=|:|-)?\s?{_NUMBER}|{_OTHER}[\s-]batch"),
        (
            "accelerators",
            rf"{_COUNT}[\s-]?(?:[x×]\s?)?(?!per\s|an?\s|the\s)(?:[A-Z][\w-]*\s){{0,2}}(?:GPUs?|accelerators?|chips|cards|TPUs?|[A-Z]+\d+\w*s|{_CODE})\b",
        ),
        ("training_tokens", r"\b(?P<value>\d[\d,]*(?:\.\d+)?[\s-]?(?:T|B|trillion|billion))\s(?:training\s)?tokens"),
        (
            "latency_limit",
            r"(?:under|within|at)\sa?\s?(?P<value>\d+\s?m?s)\slatency|latency\s(?:limit|constraint|bound)\sof\s(?P<value2>\d+\s?m?s)",
        ),
        ("concurrency", rf"concurrency(?:\sof|\s?=|:)?\s{_NUMBER}|{_OTHER}\s(?:concurrent|simultaneous)"),
        (
            "date",
            _DATE,
        ),
        ("period", r"\b(?P<value>Q[1-4]\sFY\d{4})\b"),
        (
            "term",
            r"\b(?P<value>(?:\d|one|two|three|five)[\s-]years?)[\s-](?:commit|term|contract|reserv|lease|plan|agree)",
        ),
    )
)
NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "sequence_length": ("seq",),
    "context_length": ("context",),
    "batch": ("batch",),
    "accelerators": ("gpu", "accelerator", "chip", "card", "tpu", *"shablmx"),
    "training_tokens": ("tokens",),
    "concurrency": ("concurren", "simultaneous"),
    "term": ("year",),
}
"""Letters without which a pattern that begins with a number finds nothing: looked for first, they cost a hundredth of it."""
_INFERENCE: Final = (
    r"\binferenc\w*|\bserv(?:e|es|ed|ing)\b|\bgenerat(?:es?|ion|ing)\b|\blatency\b"
    r"|\b(?:input|output|prompt)\stokens?\b|\btime to first token\b|\bTTFT\b|\bTPOT\b"
)
_WORDS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (name, value, re.compile(pattern, re.IGNORECASE))
    for name, value, pattern in (
        ("phase", "training", r"\b(?:pre-?)?train(?:ed|ing|s)?\b|\bfine-?tun\w*"),
        ("phase", "prefill", r"\bpre-?fill\w*"),
        ("phase", "decode", r"\bdecod(?:es?|ing|ed)\b"),
        (
            "phase",
            "inference",
            _INFERENCE,
        ),
        ("sparsity", "dense", r"\b(?:dense(?! models?)|without sparsity|w/o sparsity|no sparsity)"),
        ("sparsity", "sparse", r"\bsparse\b|(?<!without )(?<!w/o )(?<!no )\bsparsity\b"),
        ("aggregation", "mean", r"\bavg\.?|\baverage\b|\bmean\b"),
        ("parallelism", "tensor parallel", r"\btensor[\s-]parallel\w*|\bTP\b"),
        ("parallelism", "pipeline parallel", r"\bpipeline[\s-]parallel\w*|\bPP\b"),
        ("parallelism", "data parallel", r"\bdata[\s-]parallel\w*|\bDP\b"),
        ("parallelism", "expert parallel", r"\bexpert[\s-]parallel\w*|\bEP\b"),
        ("parallelism", "context parallel", r"\bcontext[\s-]parallel\w*"),
        ("term", "long-term", r"\blong-term\b"),
        ("offer", "on-demand", r"\bon[\s-]demand\b"),
        ("offer", "spot", r"\bspot\s(?:price|instance|market|rate)s?\b"),
        ("includes", "output tokens", r"\b(?:million|thousand|M|per)\s(?:output|generated)\s?tokens?\b"),
        ("includes", "input tokens", r"\b(?:million|thousand|M|per)\s(?:input|prompt)\s?tokens?\b"),
        ("framework", "vllm", r"\bvLLM\b"),
        ("framework", "sglang", r"\bSGLang\b"),
    )
)
_IN: Final = r"(?:input|prompt|prefill|in\b|ISL)"
_OUT: Final = r"(?:output|generat\w+|completion|out\b|OSL)"
_SIZE: Final = r"(?<![\w.,$])\d[\d,]*(?:\.\d+)?[kK]?"
_RATE: Final = r"(?!\s?(?:/|per\b))"
_LENGTHS: Final = (
    re.compile(
        rf"(?P<input>{_SIZE})[\s-](?:tokens?\s)?{_IN}(?:[\s-]tokens?\b{_RATE})?(?:,?\s(?:and|with)\s|\s?[,/+]\s?)(?:\w+\s){{0,2}}?"
        rf"(?P<output>{_SIZE})[\s-](?:tokens?\s)?{_OUT}(?:[\s-]tokens?\b{_RATE}|\b)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:input\s?/\s?output|ISL\s?/\s?OSL|in\s?/\s?out)\b[^.\d;]{{0,25}}(?P<input>{_SIZE})\s?/\s?(?P<output>{_SIZE})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:input|prompt|ISL)\b[^.\d;]{{0,25}}?(?P<input>{_SIZE})[^.\d;]{{0,12}}?\b{_OUT}[^.\d;]{{0,25}}?(?P<output>{_SIZE})",
        re.IGNORECASE,
    ),
)
"""Lengths of what is read and written in one run: 1,024 input and 256 output tokens, ISL/OSL 1024/256."""


class StatedCondition(NamedTuple):
    """A condition, its value, the words and the place that state it, and whether its value is printed or a word means it."""

    name: str
    value: str
    label: str
    start: int
    end: int
    how: str


@lru_cache(maxsize=1 << 14)
def stated(text: str) -> tuple[StatedCondition, ...]:
    """All that a text states by its wording; headers come again and again.

    >>> [one[:2] for one in stated("In FP8 with 1,024 input and 256 output tokens, at a batch size of 8")]
    [('sequence_length', '1024 in, 256 out'), ('batch', '8'), ('phase', 'inference')]
    """
    found = list(_lengths(text))
    taken = [(one.start, one.end) for one in found]
    lower = text.casefold()
    for name, pattern in PRINTED:
        if not any(letters in lower for letters in NEEDED.get(name, ("",))):
            continue
        for match in pattern.finditer(text):
            value = next((one for one in match.groups() if one), "")
            is_free = not any(left < match.end() and match.start() < right for left, right in taken)
            if value and is_free:
                held = iso_date(value) if name == "date" else plain(value)
                found.append(StatedCondition(name, held, value, match.start(), match.end(), "printed"))
    for name, value, pattern in _WORDS:
        if (first := pattern.search(text)) is not None:
            found.append(StatedCondition(name, value, first[0], first.start(), first.end(), "word"))
    return tuple(found)


def _lengths(text: str) -> Iterator[StatedCondition]:
    if not any(letters in text for letters in ("put", "SL", "prompt", " out")):
        return
    for pattern in _LENGTHS:
        for match in pattern.finditer(text):
            yield StatedCondition(
                "sequence_length", of_lengths(match["input"], match["output"]), match[0], *match.span(), "printed"
            )
            return


def of_lengths(read: str, written: str) -> str:
    """The lengths of input and output as published results hold them.

    >>> of_lengths("1,024", "8k")
    '1024 in, 8000 out'
    """
    return f"{plain(read)} in, {plain(written)} out"


_MONTH_OF: Final = re.compile(r"(?P<month>[A-Za-z]{3})[a-z]*\.?\s(?P<year>\d{4})")
_QUARTER_OF: Final = re.compile(r"(?P<quarter>Q[1-4])\s(?P<year>\d{4})", re.IGNORECASE)


def iso_date(printed: str) -> str:
    """A printed month or quarter as dates are held; anything else as it stands.

    >>> iso_date("May 2025"), iso_date("Q3 2025"), iso_date("2025"), iso_date("Q2 FY2026")
    ('2025-05', '2025-Q3', '2025', 'Q2 FY2026')
    """
    if (quarter := _QUARTER_OF.fullmatch(printed)) is not None:
        return f"{quarter['year']}-{quarter['quarter'].upper()}"
    month = _MONTH_OF.fullmatch(printed)
    number = (
        SHORT_MONTHS.index(month["month"].lower()) + 1 if month and month["month"].lower() in SHORT_MONTHS else None
    )
    return printed if month is None or number is None else f"{month['year']}-{number:02}"


_LARGE: Final = re.compile(r"(\d+(?:\.\d+)?)[\s-]?(T|B|trillion|billion)", re.IGNORECASE)
"""A number of tokens, which conditions hold as 14.8T and 300B."""
_YEARS: Final = re.compile(r"(\w+)[\s-]years?", re.IGNORECASE)


def plain(printed: str) -> str:
    """A printed number as a condition holds it: 2,048 is 2048, 128K is 128000; anything else as it stands.

    >>> plain("2,048"), plain("128K"), plain("May 2025"), plain("2.5"), plain("14.8 trillion"), plain("eight")
    ('2048', '128000', 'May 2025', '2.5', '14.8T', '8')
    >>> plain("one-year"), plain("3 years")
    ('1 year', '3 years')
    """
    number = printed.replace(",", "").strip()
    if number.lower() in _COUNTS:
        return str(cardinal(number))
    if (years := _YEARS.fullmatch(number)) is not None:
        count = str(cardinal(years[1]) or years[1])
        return f"{count} year{'s' * (count != '1')}"
    large = _LARGE.fullmatch(number)
    if large is not None:
        return large[1] + large[2][0].upper()
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s?([kKM]?)", number)
    if match is None:
        return printed.strip()
    size = float(match[1]) * {"": 1, "k": 1000, "K": 1000, "M": 1_000_000}[match[2]]
    return str(int(size)) if size.is_integer() else str(size)
