"""Reads one cell as the type its column declares. Nothing is ever evaluated: a formula is text."""

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

from kg.ingest.errors import CELL, RowFault, shown

Reading = Callable[[Any], Any]
"""From a cell that is not missing to a value; raises `Unread`."""


NUMERIC = frozenset({"integer", "number", "quantity"})
"""Types of columns whose cells are figures."""


class Unread(ValueError):
    """A cell that is not what its column declares; the message says what was expected."""


_WHOLE = re.compile(r"[-+]?\d{1,18}")
# no figure below one thousand has groups: a comma in 0,060 is none of thousands
_NUMBER = re.compile(r"[-+−]?(?:[1-9]\d{0,2}(?:[,\u202f\u00a0\u2009]\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d{1,3})?")
# meets "2025-03-18 00:00:00" and "2024-06"; not "18.03.2025"
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ].*)?")
_QUANTITY = re.compile(rf"({_NUMBER.pattern})(?![eE][-+]?\d)\s*(?![-+−–—.,]|[x×*]\s*\d)([^\d\s].*)", re.DOTALL)
"""The longest number, then a unit that does not go on as a number, a range or a product does."""
# meets "$31,000" and "€ 2.10"; not "$31k", whose scale is no part of the figure
_MONEY = re.compile(rf"([$€£¥])\s*({_NUMBER.pattern})")
_DECIMAL_COMMA = re.compile(r"[-+−]?\d+,\d+")
_ONE_COMMA = re.compile(r"[-+−]?[1-9]\d{0,2},\d{3}(?![\d,.])")
_GROUPED = re.compile(r"[-+−]?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d|(?:,\d{3}){2,})")
_SIGNS_SWAPPED = str.maketrans(",.", ".,")
_TRUE, _FALSE = frozenset({"true", "yes", "1", "1.0"}), frozenset({"false", "no", "0", "0.0"})
_GROUPING = str.maketrans("−", "-", ",\u202f\u00a0\u2009")


def as_text(value: object) -> str:
    """Text without spaces at its ends; whole numbers without a point.

    >>> as_text(" (72x GB200) "), as_text(8.0), as_text(True)
    ('(72x GB200)', '8', 'true')
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(as_text, value))
    # beyond 2^53 a float has not every whole number: its digits may be others than those that were
    # printed
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return str(value)


def as_number(value: object) -> int | float:
    """A finite number; thousands commas, thin spaces and exponents are read.

    >>> as_number("27,803.90"), as_number("1e+18"), as_number(" 8 "), as_number("30000.000000000004")
    (27803.9, 1e+18, 8, 30000.000000000004)
    """
    if isinstance(value, bool):
        raise Unread("a number")
    if isinstance(value, int):
        return _held(value)
    if isinstance(value, float):
        # true of both infinities, and of NaN
        if value - value != 0:
            raise Unread("a finite number")
        return _whole(value)
    if not isinstance(value, str):
        raise Unread("a number")
    text = value.strip()
    if _WHOLE.fullmatch(text):
        return _held(int(text))
    if not _NUMBER.fullmatch(text) or not any(one.isdigit() for one in text):
        is_comma = _DECIMAL_COMMA.fullmatch(text) is not None
        raise Unread(
            'a number; with a decimal comma only where the mapping says decimal: ","' if is_comma else "a number"
        )
    found = float(text.translate(_GROUPING))
    if found - found != 0:
        raise Unread("a finite number")
    # not int(text), which refuses thousands of digits, be they zeros in front
    is_whole = "." not in text and "e" not in text.lower()
    return _held(int(Decimal(text.translate(_GROUPING)))) if is_whole else _whole(found)


def _held(value: int) -> int | float:
    """A whole number beyond 64 bits is a float: records hold no larger integers."""
    if abs(value) < 1 << 63:
        return value
    try:
        return float(value)
    except OverflowError:
        raise Unread("a finite number") from None


def _whole(value: float) -> int | float:
    """A whole number without its point, as all records have it."""
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def as_integer(value: object) -> int:
    """A whole number of at most 64 bits, however printed.

    >>> as_integer("8"), as_integer("8.0"), as_integer(8.0), as_integer("1,024")
    (8, 8, 8, 1024)
    """
    try:
        number = as_number(value)
    except Unread:
        raise Unread("a whole number") from None
    if isinstance(number, float):
        if not number.is_integer():
            raise Unread("a whole number")
        if abs(number) >= 1 << 63:
            raise Unread("a whole number below 2^63; a larger one in a column of the type number")
        return int(number)
    return number


def as_boolean(value: object) -> bool:
    """True or false.

    >>> as_boolean("True"), as_boolean("0.0"), as_boolean(False)
    (True, False, False)
    """
    text = str(value).strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise Unread("true or false")


def as_date(value: object) -> str:
    """A year, month or day.

    >>> as_date("2025-03-18 00:00:00"), as_date("2024-06"), as_date("2023")
    ('2025-03-18', '2024-06', '2023')
    """
    found = _DATE.fullmatch(as_text(value))
    if found is None:
        raise Unread("a date such as 2025-03-18, 2025-03 or 2025")
    year, month, day = found.groups()
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        raise Unread("a date that exists") from None
    # a digit of another script is a digit, and a date is compared as text
    return "-".join(f"{int(one):0{len(one)}}" for one in (year, month, day) if one is not None)


def as_quantity(value: object) -> tuple[int | float, str]:
    r"""A number and the unit behind it, or the sign of money before it.

    >>> as_quantity("4.8 TB/s"), as_quantity("1,024 GB"), as_quantity("180\u2009GB"), as_quantity("$31,000")
    ((4.8, 'TB/s'), (1024, 'GB'), (180, 'GB'), (31000, '$'))
    """
    text = as_text(value)
    if (money := _MONEY.fullmatch(text)) is not None:
        return as_number(money[2]), money[1]
    found = _QUANTITY.fullmatch(text)
    if found is None:
        raise Unread("a number and a unit")
    try:
        return as_number(found.group(1)), found.group(2).strip()
    except Unread:
        raise Unread("a number and a unit") from None


def as_any(value: object) -> Any:
    """A value as it is; a number as records hold it, also in a list. Raises Unread where none holds it.

    >>> as_any("8"), as_any(8.0), as_any([10**20, True])
    ('8', 8, [1e+20, True])
    """
    if isinstance(value, list):
        return [as_any(one) for one in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return as_number(value) if is_number else value


def as_list(separator: str) -> Reading:
    """The parts of a cell."""

    def read(value: object) -> list[Any]:
        parts = value if isinstance(value, list) else str(value).split(separator)
        read_parts = [one.strip() if isinstance(one, str) else as_any(one) for one in parts]
        return [one for one in read_parts if one != ""]

    return read


def _with_comma(read: Reading) -> Reading:
    """The same reading of cells with a decimal comma, where a point groups thousands: 1.024,5."""

    def swapped(value: object) -> Any:
        if not isinstance(value, str):
            return read(value)
        found = read(value.translate(_SIGNS_SWAPPED))
        # of a quantity the text of the unit is as printed
        return (found[0], found[1].translate(_SIGNS_SWAPPED)) if isinstance(found, tuple) else found

    return swapped


def is_ambiguous(text: str) -> bool:
    """Whether a cell is read as thousands although its comma could as well be a decimal one.

    >>> is_ambiguous("3,060"), is_ambiguous("3,060 GB"), is_ambiguous("1,024.5"), is_ambiguous("12,345"), is_ambiguous("3,06")
    (True, True, False, True, False)
    """
    return _ONE_COMMA.match(text) is not None


def groups_thousands(text: str) -> bool:
    """Whether the commas of a cell can only group thousands.

    >>> groups_thousands("1,024.5"), groups_thousands("1,024,000"), groups_thousands("1,024")
    (True, True, False)
    """
    return _GROUPED.match(text) is not None


def reading_of(kind: str, separator: str = ",", decimal: str | None = None) -> Reading:
    """The function that reads cells of a type; `decimal` is the decimal sign, a point where none is stated."""
    if kind == "list":
        return as_list(separator)
    if decimal == "," and kind in NUMERIC:
        return _with_comma(reading_of(kind))
    return {
        "text": as_text,
        "integer": as_integer,
        "number": as_number,
        "boolean": as_boolean,
        "date": as_date,
        "quantity": as_quantity,
        "any": as_any,
    }[kind]


def cell_fault(column: str, value: object, cause: Unread) -> RowFault:
    """The rejection of a row for one cell."""
    return RowFault(CELL, column, shown(value), str(cause))
