"""Turns Pydantic's findings into errors that say file, line, field, what was given and what is accepted."""

from typing import Any

from pydantic import ValidationError

from kg.content.located import Key, Located
from kg.errors import ContentError, KgError


class InvalidRecord(ContentError):
    """A record does not fit the model."""

    code = "record.invalid"


_EXPECTED = {
    "missing": "this key is needed",
    "extra_forbidden": "no such key; see the list of keys in docs/curating.md",
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "finite_number": "a number",
}


def from_pydantic(
    cause: ValidationError,
    *,
    path: str | None = None,
    located: Located | None = None,
    key: Key = (),
    line: int | None = None,
    prefix: str = "",
) -> list[KgError]:
    """One error per field; alternatives of a union are reported once."""
    told: dict[str, KgError] = {}
    for error in cause.errors(include_url=False):
        place = tuple(part for part in error["loc"] if not (isinstance(part, str) and _is_union_tag(part)))
        name = prefix + ".".join(str(part) for part in place)
        if name in told:
            continue
        given: Any = error.get("input")
        shown = (
            str(given)
            if not isinstance(given, dict | list)
            else f"{'mapping' if isinstance(given, dict) else 'list'} of {len(given)}"
        )
        expected = _EXPECTED.get(error["type"]) or error["msg"].removeprefix("Value error, ").removeprefix(
            "Input should be "
        )
        if error["type"] == "int_type" and error["loc"][-1] in ("int", "constrained-int"):
            expected = "a number"  # or a float, which the next error of the same union would say
        told[name] = InvalidRecord(
            path=path,
            line=located.line(*key, *place) if located else line,
            field=name.rstrip(".") or None,
            given=shown[:80] if error["type"] != "missing" else "nothing",
            expected=expected,
        )
    return list(told.values())


def _is_union_tag(part: str) -> bool:
    return "[" in part or part in (
        "int",
        "float",
        "bool",
        "str",
        "ConditionDetail",
        "constrained-str",
        "constrained-int",
        "constrained-float",
        "function-after",
    )
