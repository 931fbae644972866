"""Turns Pydantic's findings into errors that say file, line, field, what was given and what is accepted."""

from typing import Any

from pydantic import ValidationError

from kg.content.located import Key, Located
from kg.errors import ContentError, KgError
from kg.model.accepted import accepted


class InvalidRecord(ContentError):
    """A record does not fit the model."""

    code = "record.invalid"


_NO_SUCH_KEY = "no such key; see the list of keys in docs/curating.md"


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
        # Pydantic puts the member of a union that it tried into the place; a reader has written no
        # such key.
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
        expected = _NO_SUCH_KEY if error["type"] == "extra_forbidden" else accepted(error)
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
