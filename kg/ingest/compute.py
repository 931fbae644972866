"""Turns the computed fields and the tests of a mapping into functions over the fields of a row."""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from kg.errors import KgError
from kg.ingest.cells import Unread, as_text, reading_of
from kg.ingest.errors import CELL, STEP, MappingError, RowFault, shown
from kg.ingest.mapping_field import (
    Calculated,
    Chosen,
    Computed,
    Constant,
    Copy,
    Decided,
    Filled,
    Looked,
    MappingStep,
    Matched,
    Replaced,
    Test,
)
from kg.ingest.mapping_part import FILLED, reference
from kg.model.expression import Expression
from kg.model.names import name_key

Fields = dict[str, Any]
Compute = Callable[[Fields], Any]
Holds = Callable[[Fields], bool]


def holds_all(tests: Sequence[Test]) -> Holds | None:
    """Whether all tests hold; None when there are none."""
    made = [_holds(one) for one in tests]
    if not made:
        return None
    if len(made) == 1:
        return made[0]

    def every(fields: Fields) -> bool:
        for one in made:  # noqa: SIM110 a generator would be made anew for every field of every row
            if not one(fields):
                return False
        return True

    return every


def _holds(test: Test) -> Holds:
    name, given = test.field, test.model_fields_set - {"field"}
    if not given:
        return lambda fields: fields.get(name) is not None
    comparison = given.pop()
    if comparison not in _COMPARISONS:
        raise MappingError(field=name, given=comparison, expected="a comparison")
    return _COMPARISONS[comparison](name, test)


def _missing(name: str, test: Test) -> Holds:
    wanted = bool(test.missing)
    return lambda fields: (fields.get(name) is None) == wanted


def _equal(name: str, test: Test) -> Holds:
    value = test.equal
    return lambda fields: _same(fields.get(name), value)


def _isnt(name: str, test: Test) -> Holds:
    value = test.isnt
    return lambda fields: not _same(fields.get(name), value)


def _within(name: str, test: Test) -> Holds:
    values = tuple(test.within or ())
    return lambda fields: any(_same(fields.get(name), one) for one in values)


def _outside(name: str, test: Test) -> Holds:
    values = tuple(test.outside or ())
    return lambda fields: not any(_same(fields.get(name), one) for one in values)


def _matches(name: str, test: Test) -> Holds:
    search = re.compile(test.matches or "").search
    return lambda fields: fields.get(name) is not None and search(as_text(fields[name])) is not None


def _above(name: str, test: Test) -> Holds:
    limit: Any = test.above
    return lambda fields: _number(fields.get(name)) is not None and fields[name] > limit


def _below(name: str, test: Test) -> Holds:
    limit: Any = test.below
    return lambda fields: _number(fields.get(name)) is not None and fields[name] < limit


def _same_as(name: str, test: Test) -> Holds:
    other = str(test.same_as)
    return lambda fields: _same(fields.get(name), fields.get(other))


_COMPARISONS: Final[Mapping[str, Callable[[str, Test], Holds]]] = {
    "missing": _missing,
    "equal": _equal,
    "isnt": _isnt,
    "within": _within,
    "outside": _outside,
    "matches": _matches,
    "above": _above,
    "below": _below,
    "same_as": _same_as,
}
"""By the key of a test. Values are taken out of the test once, because a test is asked for every row."""


def _number(value: object) -> Any:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


_key = lru_cache(maxsize=1 << 16)(name_key)


def _same(a: object, b: object) -> bool:
    if type(a) is str and type(b) is str:
        return a == b or _key(a) == _key(b)
    # True is 1 in Python, and no 1 in a table
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return bool(a == b)


def filled(text: str) -> Compute:
    """The text with its braces filled in; missing when a field is."""
    pieces = FILLED.split(text)
    if len(pieces) == 1:
        return lambda fields: text

    def fill(fields: Fields) -> str | None:
        out = []
        for position, piece in enumerate(pieces):
            if position % 2:
                value = fields.get(piece)
                if value is None:
                    return None
                out.append(value if type(value) is str else as_text(value))
            else:
                out.append(piece)
        return "".join(out)

    return fill


def taken(value: object) -> Compute:
    """A value of a mapping: `$name` is looked up, a text with braces is filled in, anything else is itself."""
    name = reference(value)
    if name is not None:
        return lambda fields: fields.get(name)
    if isinstance(value, str) and FILLED.search(value):
        return filled(value)
    return lambda fields: value


def exact(value: object) -> Fraction:
    """A number as an exact fraction of its shortest print."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def plain(value: Fraction) -> int | float:
    """A fraction as a number; whole numbers beyond 64 bits are floats, as in any file of ours."""
    return int(value) if value.denominator == 1 and abs(value) < 1 << 63 else float(value)


def arithmetic(expression: str, names: Mapping[str, str] | None = None) -> Compute:
    """The value of an expression over fields; missing when an input is no number or a divisor is zero."""
    parsed = Expression.parse(expression)
    wanted = tuple((name, (names or {}).get(name, name)) for name in parsed.names)

    def calculate(fields: Fields) -> int | float | None:
        values = {}
        for name, field in wanted:
            value = fields.get(field)
            if not isinstance(value, int | float) or isinstance(value, bool):
                return None
            values[name] = exact(value)
        try:
            return plain(parsed.evaluate(values))
        except (KgError, OverflowError):
            return None

    return calculate


def computed(name: str, rule: Computed, steps: Mapping[str, Callable[..., object]]) -> Compute:
    """The function of one computed field."""
    inner = _plain_rule(name, rule, steps)
    when = holds_all(rule.when)
    if when is None:
        return inner
    return lambda fields: inner(fields) if when(fields) else None


def _plain_rule(name: str, rule: Computed, steps: Mapping[str, Callable[..., object]]) -> Compute:
    match rule:
        case Constant():
            return lambda fields: rule.value
        case Copy():
            return _first_of(rule.of)
        case Filled():
            return filled(rule.text)
        case Matched():
            return _matched(name, rule)
        case Replaced():
            return _replaced(rule)
        case Looked():
            return _looked(rule)
        case Calculated():
            return arithmetic(rule.expression)
        case Decided():
            decide = holds_all(rule.tests)
            return lambda fields: decide is None or decide(fields)
        case Chosen():
            return _chosen(rule)
        case MappingStep():
            return _step(name, rule, steps)


def _first_of(names: Sequence[str]) -> Compute:
    """The first of some fields that is there."""

    def first(fields: Fields) -> Any:
        for one in names:
            value = fields.get(one)
            if value is not None:
                return value
        return None

    return first


def _replaced(rule: Replaced) -> Compute:
    substitute = re.compile(rule.pattern).sub
    return lambda fields: (
        None if fields.get(rule.of) is None else substitute(rule.by, as_text(fields[rule.of])).strip() or None
    )


def _chosen(rule: Chosen) -> Compute:
    """The value of the first case that holds."""
    cases = tuple((holds_all(one.when) or (lambda fields: True), taken(one.value)) for one in rule.cases)
    otherwise = taken(rule.otherwise)

    def choose(fields: Fields) -> Any:
        for when, value in cases:
            if when(fields):
                return value(fields)
        return otherwise(fields)

    return choose


def _matched(name: str, rule: Matched) -> Compute:
    pattern, read = re.compile(rule.pattern), reading_of(rule.type)
    group: str | int = "value" if "value" in pattern.groupindex else min(1, pattern.groups)

    def match(fields: Fields) -> Any:
        value = fields.get(rule.of)
        found = pattern.search(as_text(value)) if value is not None else None
        text = found.group(group) if found else None
        if text is None:
            if value is not None and rule.otherwise == "refuse":
                raise RowFault(CELL, rule.of, shown(value), f"a text of the form {rule.pattern}")
            return None
        try:
            return read(text)
        except Unread as cause:
            raise RowFault(CELL, name, shown(text), str(cause)) from None

    return match


def _looked(rule: Looked) -> Compute:
    table = {name_key(key): value for key, value in rule.table.items()}
    most = ", ".join(sorted(rule.table)[:12])

    def look(fields: Fields) -> Any:
        value = fields.get(rule.of)
        if value is None:
            return None
        key = _key(as_text(value))
        if key in table:
            return table[key]
        if rule.otherwise == "refuse":
            raise RowFault(CELL, rule.of, shown(value), f"one of {most}")
        return value if rule.otherwise == "keep" else None

    return look


def _step(name: str, rule: MappingStep, steps: Mapping[str, Callable[..., object]]) -> Compute:
    function = steps.get(rule.step)
    if function is None:
        raise MappingError(field=f"fields.{name}.step", given=rule.step, expected="a function of steps.py")

    def step(fields: Fields) -> Any:
        try:
            return function(*(fields.get(one) for one in rule.of))
        except (ValueError, TypeError, KeyError, IndexError, ArithmeticError, AttributeError) as cause:
            raise RowFault(STEP, name, shown(cause), f"values that {rule.step} understands") from cause

    return step
