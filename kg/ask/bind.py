"""Typed values become VALUES at the marker line, for SPARQL has no parameters of its own; for Cypher they are the driver's
parameters, each a list. Parameters with one value share one row, which is what engines plan best; one with several values
has a block of its own: where a block holds several variables and several rows, Virtuoso loses values of OPTIONAL parts.

Every term is written by the RDF library. Escapes that engines read at different times never reach the text, so the same
text means the same on every engine. A parameter that is left out stays a free variable.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import isfinite, prod
from operator import index
from pathlib import Path
from typing import Final, SupportsIndex

from pyoxigraph import Literal, NamedNode

from kg.ask.narrowing import narrowed
from kg.ask.question import MARKER, Parameter, Question, Scalar, ValueRefused
from kg.model.identifiers import ANY_ID, CLAIM_ID
from kg.model.names import name_key
from kg.model.vocabulary import claim_iri, expand, thing_iri
from kg.model.waiting import LONGEST_WAIT

MOST_ROWS: Final = 1_000_000
_LONGEST: Final = 2000
_MOST_VALUES: Final = 5000
REACH: Final = "Reach"
"""Behind the name of a parameter: the property that leads to what a name stands for."""
COVERS, NAMES = "k:covers", "k:names"
"""What that property is: for a name all that it covers, with `=` before it only what it names."""
KEY: Final = "Key"
"""Behind the name of a parameter: the key of the name without `=`, where the parameter itself is a column."""
_ENTITY_ID: Final = re.compile(ANY_ID)
_CLAIM_ID: Final = re.compile(CLAIM_ID)
# escapes such as \u0022, control characters but tab and line ends, and halves of surrogate pairs
_UNSAFE: Final = re.compile(r"\\[uU]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[\ud800-\udfff\ufffe\uffff]")
_HALF: Final = re.compile(r"[\ud800-\udfff]")
# up to 18 digits: each such number is one of 64 bits, which all engines have
_INTEGER: Final = re.compile(r"[+-]?\d{1,18}")


def bind(question: Question, values: Mapping[str, object], *, limit: int | None = None, unsorted: bool = False) -> str:
    """The text to run: values at the marker, the order unless the rows are sorted later, and a LIMIT one above the limit,
    so that a cut is seen."""
    given = bound_values(question, values)
    combinations = prod(len(one) for one in given.values())
    if combinations > _MOST_VALUES:
        raise ValueRefused(
            "combinations are too many for one question.", given=str(combinations), expected=f"at most {_MOST_VALUES}"
        )
    block = _all_values(list(_blocks(question, given)))
    lines = narrowed(question.sparql, given).split("\n")
    text = "\n".join(line.replace(MARKER, block).rstrip() if line.strip() == MARKER else line for line in lines)
    keys = [f"DESC(?{name})" if down else f"?{name}" for name, down in question.order if not unsorted]
    text += f"ORDER BY {' '.join(keys)}\n" if keys else ""
    return text if limit is None else f"{text}LIMIT {checked_limit(limit) + 1}\n"


def _all_values(blocks: Sequence[Mapping[str, tuple[str, ...]]]) -> str:
    """The VALUES of a question: one for all that have one value, and one for each list."""
    single = [one for one in blocks if len(next(iter(one.values()))) == 1]
    together = _values({name: some for one in single for name, some in one.items()})
    return together + "".join(_values(one) for one in blocks if one not in single)


def _blocks(question: Question, given: Mapping[str, tuple[str, ...]]) -> Iterator[dict[str, tuple[str, ...]]]:
    """The variables that get values together: a parameter, and what a text asks of a name in addition."""
    for name, some in given.items():
        if f"?{name}{REACH} " not in question.sparql:
            yield {name: some}
            continue
        # A view holds no key with "=": it would be the plain key once more, for each spelling of each thing.
        alone = [one[:2] == '"=' for one in some]
        keys = tuple(f'"{one[2:]}' if own else one for one, own in zip(some, alone, strict=True))
        reach = tuple(str(NamedNode(expand(NAMES if own else COVERS))) for own in alone)
        if f"?{name}{KEY} " in question.sparql:
            yield {name: some, name + KEY: keys, name + REACH: reach}
        elif len(set(reach)) == 1:
            yield from ({name: keys}, {name + REACH: reach[:1]})
        else:  # in a list of names each reaches as it is written
            yield {name: keys, name + REACH: reach}


def _values(given: Mapping[str, tuple[str, ...]]) -> str:
    """One block: a row of several variables, or several rows of one."""
    rows = " ".join(f"({' '.join(row)})" for row in zip(*given.values(), strict=True))
    return f"VALUES ({' '.join(f'?{name}' for name in given)}) {{ {rows} }} " if given else ""


def bound_values(question: Question, values: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """The terms of every parameter that has a value, in the order of the header."""
    known = {parameter.name: parameter for parameter in question.parameters}
    return {
        name: tuple(dict.fromkeys(term for one in given for term in terms(known[name], one)))
        for name, given in given_values(question, values).items()
    }


def driver_parameters(question: Question, values: Mapping[str, object]) -> dict[str, list[Scalar]]:
    """The parameters of the Cypher text: for each a list of values, empty where it is left out (an engine that types its
    parameters reads null as a boolean)."""
    given = given_values(question, values)
    return {
        one.name: list(dict.fromkeys(plain for value in given.get(one.name, ()) for plain in plain_values(one, value)))
        for one in question.parameters
    }


def given_values(question: Question, values: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """The values of every parameter that has some, in the order of the header; a missing or unknown one is refused."""
    known = {parameter.name: parameter for parameter in question.parameters}
    for name in values:
        if name not in known:
            raise ValueRefused(
                f"is not a parameter of {question.name}.", given=name, expected=", ".join(known) or "no parameters"
            )
    found: dict[str, tuple[object, ...]] = {}
    for name, parameter in known.items():
        value = values.get(name)
        if value is None:
            value = parameter.default
        if value is None:
            if parameter.required:
                raise ValueRefused(
                    f"is needed by {question.name}.",
                    given=name,
                    expected=f"a value of type {parameter.type}",
                    next_step=f"for example {parameter.example}" if parameter.example is not None else None,
                )
            continue
        found[name] = tuple(_each(parameter, value))
    return found


def checked_limit(limit: object, *, least: int = 1, most: int = MOST_ROWS - 1) -> int:
    """A row limit: a whole number. Raises ValueRefused.

    >>> checked_limit(50)
    50
    """
    # whole numbers of numpy and pandas, which are no int
    limit = index(limit) if isinstance(limit, SupportsIndex) and not isinstance(limit, bool) else limit
    if isinstance(limit, bool) or not isinstance(limit, int) or not least <= limit <= most:
        # Python prints no number of thousands of digits
        given = str(limit) if not isinstance(limit, int) or abs(limit) < 10**18 else "a number of more than 18 digits"
        raise ValueRefused(
            "is not a row limit.", field="limit", given=given, expected=f"a whole number from {least} to {most}"
        )
    return limit


def checked_seconds(seconds: object) -> float | None:
    """How long a question may take, more than no time; None for as long as it needs. Raises ValueRefused.

    >>> checked_seconds(2.5)
    2.5
    """
    if seconds is None:
        return None
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= LONGEST_WAIT:
        raise ValueRefused(
            "is not a time-out.",
            field="timeout_seconds",
            given=_amount(seconds),
            expected=f"seconds above 0, to {LONGEST_WAIT:,}, or None",
        )
    return float(seconds)


def _amount(given: object) -> str:
    """A number as one would type it, where it is one of a length to show; else its type."""
    if isinstance(given, float):
        return f"{given:g}"
    # Python prints no number of thousands of digits
    return str(given) if type(given) is int and abs(given) < 10**18 else type(given).__name__


def checked_path(given: object, field: str) -> Path:
    """A path of a file or folder. Raises ValueRefused.

    >>> checked_path("a/b.csv", "file").name
    'b.csv'
    """
    if not isinstance(given, str | os.PathLike) or isinstance(os.fspath(given), bytes):
        raise ValueRefused("is not a path.", field=field, given=type(given).__name__, expected="a path (str or Path)")
    return Path(os.path.expanduser(given))  # noqa: PTH111 - Path raises where there is no such user


def terms(parameter: Parameter, value: object) -> tuple[str, ...]:
    """One value as SPARQL terms; only a name that may also be an id gives two.

    >>> terms(Parameter("a", "name"), "GB200 NVL-72")
    ('"gb200 nvl 72"',)
    """
    plain = plain_values(parameter, value)
    # ids become IRIs, which no other value may: the type of the parameter decides, not the look of
    # the value
    if parameter.base_type in ("id", "metric", "claim"):
        iri = claim_iri if parameter.base_type == "claim" else thing_iri
        return tuple(_iri(parameter, iri(str(one)), str(one)) for one in plain)
    return tuple(str(Literal(one)) for one in plain)


def plain_values(parameter: Parameter, value: object) -> tuple[Scalar, ...]:
    """One value as it is compared: ids, keys of names, texts and numbers; what a parameter cannot take is refused.

    >>> plain_values(Parameter("m", "metric"), "throughput"), plain_values(Parameter("n", "integer"), "72")
    (('metric/throughput',), (72,))
    """
    kind = parameter.base_type
    if kind in ("number", "integer"):
        return (_number(parameter, value, whole=kind == "integer"),)
    text = _text(parameter, value)
    if kind == "text":
        return (text,)
    if kind == "name":
        return name_keys(text)
    if kind == "claim":
        if not _CLAIM_ID.fullmatch(text):
            raise _refused(parameter, text, "a claim id such as 002/r1.gb200.offline.total")
        return (text,)
    if kind == "metric":
        return ("metric/" + text.removeprefix("metric/"),)
    if not _ENTITY_ID.fullmatch(text):
        raise _refused(parameter, text, "an id such as accelerator/nvidia-h200-sxm-141gb")
    return (text,)


def is_entity_id(text: str) -> bool:
    """Whether a text has the form of the id of a thing.

    >>> is_entity_id("model/deepseek-r1"), is_entity_id("deepseek-r1")
    (True, False)
    """
    return _ENTITY_ID.fullmatch(text) is not None


def name_keys(text: str) -> tuple[str, ...]:
    """The keys under which a name may stand; `=` before it asks for the thing itself, without its family.

    >>> name_keys("=GB200"), name_keys("family/nvidia-gb200")
    (('=gb200',), ('family/nvidia-gb200', 'family nvidia gb200'))
    """
    if text.startswith("="):
        own = text[1:].strip()
        return (own,) if _ENTITY_ID.fullmatch(own) else ("=" + name_key(own),)
    return tuple(dict.fromkeys((text, name_key(text)))) if _ENTITY_ID.fullmatch(text) else (name_key(text),)


def _each(parameter: Parameter, value: object) -> Iterable[object]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return (value,)
    if not parameter.is_list:
        raise _refused(parameter, str(value), f"one {parameter.type}")
    return value


def checked_words(words: object, field: str) -> str:
    """The words, if they are a text of Unicode and no longer than any value: what reads them goes word by word.

    >>> checked_words("GB200 NVL72", "name")
    'GB200 NVL72'

    Raises ValueRefused.
    """
    if not isinstance(words, str):
        raise ValueRefused("is not a text.", field=field, given=type(words).__name__, expected="a text (str)")
    if found := _HALF.search(words):
        raise ValueRefused(
            "is no text of Unicode.", field=field, given=ascii(found.group())[1:-1], expected="characters"
        )
    if len(words) > _LONGEST:
        raise ValueRefused(
            "cannot be asked for.",
            field=field,
            given=f"{len(words):,} characters, {words[:20]}...",
            expected=f"at most {_LONGEST:,}",
            next_step="a text with many figures is checked with kg check",
        )
    return words


def each_text(given: Iterable[str], field: str) -> tuple[str, ...]:
    """The texts of a list. A single text is the only one of it, not a list of its letters, which it is to Python too.

    >>> each_text(["002", "004"], "source"), each_text("002", "source")
    (('002', '004'), ('002',))

    Raises ValueRefused.
    """
    return tuple(checked_words(one, field) for one in ((given,) if isinstance(given, str) else given))


def each_of(given: Iterable[str], known: Collection[str], field: str) -> tuple[str, ...]:
    """The same, each one of the words that are known. Raises ValueRefused: with a word that there is none of, nothing is found.

    >>> each_of("violation", ("violation", "warning"), "severities")
    ('violation',)
    """
    words = each_text(given, field)
    for one in words:
        if one not in known:
            raise ValueRefused("is none of them.", field=field, given=one, expected=", ".join(known))
    return words


def _text(parameter: Parameter, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _refused(parameter, str(value), f"a {parameter.base_type}")
    text = value if isinstance(value, str) else str(value)
    if len(text) > _LONGEST:
        raise _refused(parameter, f"{len(text)} characters", f"at most {_LONGEST}")
    if found := _UNSAFE.search(text):
        raise _refused(parameter, ascii(found.group())[1:-1], "a text without control characters and backslash escapes")
    return text


def _number(parameter: Parameter, value: object, *, whole: bool) -> Scalar:
    if isinstance(value, str):
        digits = value.strip().replace(",", "")
        # True is an int in Python, and would be a limit of one row
        if whole and _INTEGER.fullmatch(digits):
            return int(digits)
        try:
            value = float(digits)
        except ValueError as cause:
            raise _refused(parameter, digits, f"a {parameter.base_type}") from cause
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise _refused(parameter, str(value), f"a {parameter.base_type}")
    if whole:
        if value != int(value) or abs(value) >= 10**18:
            raise _refused(parameter, str(value), "a whole number")
        return int(value)
    return float(value)


def _iri(parameter: Parameter, iri: str, text: str) -> str:
    try:
        return str(NamedNode(iri))
    except ValueError as cause:
        raise _refused(parameter, text, "an id") from cause


def _refused(parameter: Parameter, given: str, expected: str) -> ValueRefused:
    return ValueRefused("cannot be asked for.", field=parameter.name, given=given[:80], expected=expected)
