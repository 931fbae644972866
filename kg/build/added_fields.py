"""The fields of a claim that a person adds: which there are, which are needed, and how the text of a plain one is read.

Names of things, metrics and sources are read by `kg.build.adding`, which knows the registry.
"""

import re
from collections.abc import Mapping
from typing import Final

from kg.errors import UsageError
from kg.model.exact import whole_number
from kg.model.hedges import HEDGE_WORDS, HEDGES

FIELDS: Final[Mapping[str, str]] = {
    "subject": "what the figure is said of, a name or an id",
    "level": "at which level it holds, where the thing is of several: accelerator, node, rack …",
    "metric": "what is measured",
    "printed": "the figure as printed, with its unit",
    "unit": "the unit, where the printed text has none",
    "hedge": "the word that loosens it: about, up-to, at-least …; empty where there is none",
    "baseline": "what it is compared with; empty where it is no comparison",
    "conditions": "under which conditions, as name=value, with commas between; empty where none are stated",
    "source": "where it is printed, an id; a new one is made",
    "title": "the title of a new source",
    "asserted_by": "who says it, a name or an id; empty: who published the source",
    "said_on": "when it was said, such as 2025-08-13 or 2025-08; empty: when the source was published",
    "as_of": "the day that the figure is true of; empty where it is not stated",
    "page": "the page, a number; empty where there are none",
    "line": "the line or the row of the table, a number; empty where it is found in another way",
    "locator": "the place in the source, in words, such as table 3; may be empty where page or line is given",
}
"""The fields in the order in which they are asked for, and what is to be given."""
REQUIRED: Final = ("subject", "metric", "printed", "source")
_PLACES: Final = ("page", "line", "locator")
_DAY: Final = re.compile(r"\d{4}(-\d{2}(-\d{2})?|-Q[1-4]|-H[12])?")
# A value may be a list with commas; only a comma before the next `name=` ends it.
NEXT_CONDITION: Final = re.compile(r",\s*(?=[a-z_]+\s*=)")
# Meets "1,024" and "0,5", also where they are more than one thing: "8,16".
_COMMA_INSIDE: Final = re.compile(r"(?<![\w.])\d+(?:,\d+)+(?![\w])")


def missing_fields(given: Mapping[str, str]) -> list[str]:
    """The fields without which nothing is a claim; one of page, line and words is place enough."""
    missing = [name for name in REQUIRED if not given.get(name, "").strip()]
    return missing if any(given.get(name, "").strip() for name in _PLACES) else [*missing, "locator"]


def place_in_words(values: Mapping[str, str]) -> str:
    """The place in one line: page 3, line 12, table 2."""
    numbered = [f"{name} {values[name]}" for name in ("page", "line") if name in values]
    return ", ".join([*numbered, *filter(None, [values.get("locator")])])


def read_hedge(name: str, given: str) -> str:
    """The hedge that a word means; raises UsageError for any other word."""
    word = given.casefold().replace(" ", "-")
    hedge = HEDGE_WORDS.get(given.casefold(), word)
    if hedge not in HEDGES:
        raise UsageError(field=name, given=given, expected=", ".join(sorted(HEDGES)))
    return hedge


def read_day(name: str, given: str) -> str:
    """A day, month, quarter, half or year as given; raises UsageError for anything else."""
    if not _DAY.fullmatch(given):
        raise UsageError(
            field=name, given=given, expected="a day, month, quarter or year: 2025-08-13, 2025-08, 2025-Q3"
        )
    return given


def read_number(name: str, given: str) -> str:
    """Decimal digits as given; raises UsageError for anything else."""
    if not given.isdecimal():
        raise UsageError(field=name, given=given, expected="a number")
    return given


def listed_values(text: str) -> list[str]:
    """The values of a condition; raises UsageError where a comma could as well be one inside of a number.

    >>> listed_values("FP8, BF16"), listed_values("FP8,BF16"), listed_values("8, 16")
    (['FP8', 'BF16'], ['FP8', 'BF16'], ['8', '16'])
    """
    if _COMMA_INSIDE.search(text):
        raise UsageError(
            field="conditions", given=text, expected="one number without a comma (1024, 0.5), or several apart (8, 16)"
        )
    return [one.strip() for one in text.split(",")]


def figure_or_text(text: str) -> int | float | str:
    """A value of a condition as it is recorded.

    >>> figure_or_text("72"), figure_or_text("0.5"), figure_or_text("FP8")
    (72, 0.5, 'FP8')
    >>> figure_or_text("9" * 5_000)  # no number that a record holds, which then says so
    inf
    """
    if (whole := whole_number(text)) is not None:
        return whole
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else text
