"""JSON held against a dataclass without a library: pydantic takes a tenth of a second to import, a fifth of a short command.

For the few small files that each command reads; records and content have models.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Form = TypeVar("Form")

_FURTHER = object()
Further = Annotated[dict[str, Any], _FURTHER]
"""The type of a field that takes what a class does not name; elsewhere that is passed over."""

_WORDS: dict[object, str] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    dict: "a mapping",
    type(None): "nothing",
}


class Misfit(ValueError):
    """A value is not what its class declares."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(f"{field}: {expected}" if field else expected)
        self.field, self.expected = field, expected


def read_plain(text: bytes | str, form: type[Form]) -> Form:
    """A dataclass from the text of an object in JSON; a value of another type is refused, not turned into the right one.

    Raises Misfit.
    """
    try:
        value = json.loads(text.decode() if isinstance(text, bytes) else text)
    except (ValueError, RecursionError) as cause:
        raise Misfit("", "JSON that is whole") from cause
    return cast(Form, _fitted(value, form, ""))


def plain_values(value: Any) -> dict[str, Any]:
    """The fields of such a class as they are written, with what it does not name."""
    kind: Any = type(value)
    further = _further(kind)
    named = {one.name: getattr(value, one.name) for one in fields(value) if one.name != further}
    return named | (getattr(value, further) if further else {})


def _fitted(value: Any, kind: Any, where: str) -> Any:
    origin, given = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _matching(_fitted(value, given[0], where), given[1], where)
    if origin is Literal:
        return _required(value in given, value, where, " or ".join(map(repr, given)))
    if origin in (Union, UnionType):  # of one type and None
        return None if value is None else _fitted(value, given[0], where)
    if origin is dict or kind is dict:
        return _required(type(value) is dict, value, where, "a mapping")
    if origin in (tuple, list):
        _required(type(value) is list, value, where, "a list")
        return origin(_fitted(one, given[0], _below(where, n)) for n, one in enumerate(value))
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _row(value, kind, where)
    if is_dataclass(kind):
        return _object(value, kind, where)
    _required(type(value) is kind, value, where, _WORDS[kind])
    return _matching(value, "", where) if kind is str and not value.isascii() else value


def _required(fits: bool, value: Any, where: str, expected: str) -> Any:
    if not fits:
        raise Misfit(where, expected)
    return value


def _below(where: str, part: object) -> str:
    return f"{where}.{part}" if where else str(part)


def _matching(value: Any, pattern: object, where: str) -> Any:
    if not isinstance(pattern, str):
        return value
    try:
        value.encode()
    except UnicodeEncodeError as cause:  # half a surrogate pair, which JSON can spell and no file can hold
        raise Misfit(where, "text in UTF-8") from cause
    return _required(re.search(pattern, value) is not None, value, where, f"String should match pattern {pattern!r}")


def _object(value: Any, kind: Any, where: str) -> Any:
    _required(type(value) is dict, value, where, "a mapping")
    further, taken = _further(kind), {}
    for one, hint in _declared(kind):
        if one.name == further:
            continue
        if one.name in value:
            taken[one.name] = _fitted(value[one.name], hint, _below(where, one.name))
        elif one.default is MISSING and one.default_factory is MISSING:
            raise Misfit(_below(where, one.name), "this key is needed")
    if further:
        taken[further] = {name: found for name, found in value.items() if name not in taken}
    return kind(**taken)


def _row(value: Any, kind: Any, where: str) -> Any:
    hints = get_type_hints(kind)
    _required(type(value) is list and len(value) == len(hints), value, where, f"a list of {len(hints)}")
    return kind(
        *(_fitted(one, hint, _below(where, name)) for one, (name, hint) in zip(value, hints.items(), strict=True))
    )


@cache
def _declared(kind: type) -> tuple[tuple[Field[Any], Any], ...]:
    hints: Mapping[str, Any] = get_type_hints(kind, include_extras=True)
    return tuple((one, hints[one.name]) for one in fields(cast(Any, kind)))


@cache
def _further(kind: type) -> str:
    return next((one.name for one, hint in _declared(kind) if hint == Further), "")
