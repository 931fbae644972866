"""JSON held against a dataclass by msgspec: pydantic takes a tenth of a second to import, a fifth of a short command.

For the few small files that each command reads; records and content have models.
"""

import re
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

import msgspec

Form = TypeVar("Form")

UNNAMED: Final = "unnamed"
"""The field of a class that takes what no other field names."""
_REFUSED: Final = re.compile(r"(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `(?P<type>[^`]*)`(?:, got `.*`)?")
_MISSING: Final = re.compile(r"Object missing required field `(?P<field>.*)`")
_WORDS: Final = {
    "str": "text",
    "int": "a whole number",
    "bool": "true or false",
    "object": "a mapping",
    "array": "a list",
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
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as cause:
        raise Misfit("", "JSON that is whole") from cause
    try:
        found = msgspec.convert(value, form)
    except msgspec.ValidationError as cause:
        raise _misfit(str(cause)) from cause
    names = {one.name for one in fields(form)}  # type: ignore[arg-type]
    if UNNAMED not in names:
        return found
    unnamed = {name: given for name, given in value.items() if name not in names - {UNNAMED}}
    return replace(found, unnamed=unnamed)  # type: ignore[type-var]


def plain_values(value: Any) -> dict[str, Any]:
    """The fields of such a class as they are written, with what it does not name."""
    named = {one.name: getattr(value, one.name) for one in fields(value) if one.name != UNNAMED}
    return named | getattr(value, UNNAMED, {})


def _misfit(message: str) -> Misfit:
    """What msgspec says, with the words and places of our other errors."""
    refused = _REFUSED.fullmatch(message)
    what, where = (refused["what"], refused["where"] or "") if refused else (message, "")
    where = where.replace("[", ".").replace("]", "")
    if (missing := _MISSING.fullmatch(what)) is not None:
        return Misfit(f"{where}.{missing['field']}" if where else missing["field"], "this key is needed")
    expected = _EXPECTED.fullmatch(what)
    types = expected["type"].split(" | ") if expected is not None else []
    return Misfit(where, " or ".join(_WORDS.get(one, one) for one in types if one != "null") or what)
