"""Amounts of money in currencies that the unit table does not have: they are said to be that, and never take a dollar from near."""

import re
from typing import Final

_CODES: Final = "AUD|BRL|CAD|CHF|EUR|GBP|HKD|INR|JPY|KRW|MXN|NZD|SGD|TWD"
_COUNTRIES: Final = "Australian|Canadian|Hong[- ]Kong|New Zealand|Singapore|Taiwan(?:ese)?"
BEFORE: Final = rf"(?:(?<![A-Za-z])(?:USD?|AU?D?|CA?D?|HKD?|NTD?|NZD?|SG?D?|R|Mex|MX)\s?\$|[$€£¥₹₩]|\b(?:USD|RMB|CNY|{_CODES})(?=[\s\d]))"
"""What stands before the digits of an amount of money."""
CURRENCY: Final = {
    "$": "USD",
    "US$": "USD",
    "USD$": "USD",
    "USD": "USD",
    "¥": "CNY",
    "RMB": "CNY",
    "CNY": "CNY",
}
"""Those of them that are a unit; of any other one there is none."""
_BEHIND: Final = re.compile(
    rf"\s?(?:(?-i:CAD(?!\s(?:tool|software|program|workload))|{_CODES.replace('CAD|', '')})\b|[€£₹₩]|(?:{_COUNTRIES})[- ]dollars?\b|(?:euros?|yen|rupees?)\b)",
    re.IGNORECASE,
)


def foreign_behind(text: str, end: int) -> re.Match[str] | None:
    """The currency that follows a figure, where it is none of the unit table: "5 AUD", "6 Canadian dollars"."""
    return _BEHIND.match(text, end)


_SIGN: Final = re.compile(BEFORE)
_CODE: Final = re.compile(rf"\b(?:{_CODES})\b")


def names_foreign(header: str) -> bool:
    """Whether a header names a currency that is none of the unit table, so that no other unit is meant.

    >>> names_foreign("Price (A$/hr)"), names_foreign("Cost, EUR"), names_foreign("US$ per hour"), names_foreign("TDP (W)")
    (True, True, False, False)
    """
    signs = ("".join(match.group().split()) for match in _SIGN.finditer(header))
    return _CODE.search(header) is not None or any(sign not in CURRENCY for sign in signs)
