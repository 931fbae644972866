"""Checks records of claims against the model, whole only where no record of the same form was checked before."""

from typing import Any

from pydantic import ValidationError

from kg.ingest.entities import Things
from kg.ingest.errors import RECORD, RowFault, shown
from kg.model.accepted import accepted
from kg.model.json_types import Json
from kg.model.record import Claim

_WORDS = frozenset(
    {"kind", "modality", "polarity", "level", "metric", "normaliser", "relation", "direction", "said_on", "as_of"}
)
"""Keys whose values are from closed lists or have a form of their own."""

_ORDINARY = 190
"""Texts shorter than this fit every field."""

# forms that are remembered: rows that are all different would fill the memory
_MOST_ALIKE = 50_000

# the compiled validator itself, as it is called for each row
_CHECK = Claim.__pydantic_validator__.validate_python


class RecordCheck:
    """Refuses records that break the model.

    The rows of a file are alike: a record whose like was checked whole is not checked whole again.
    """

    def __init__(self, things: Things) -> None:
        self._things = things
        self._alike: set[Any] = set()

    def check(self, record: Json) -> None:
        """Raises RowFault where the record breaks the model or names an entity that nobody knows."""
        knows = self._things.knows
        for key in ("subject", "asserted_by", "baseline"):
            thing = record.get(key)
            if thing is not None and not knows(thing):
                raise RowFault(RECORD, key, shown(thing), "the id of a known entity")
        like = _likeness(record)
        if like is not None and like in self._alike:
            return
        try:
            _CHECK(record, strict=True)
        except ValidationError as cause:
            raise _unsound(cause) from None
        if like is not None and len(self._alike) < _MOST_ALIKE:
            self._alike.add(like)


def _likeness(record: Json) -> Any:
    """What decides whether a record is sound, in addition to texts of ordinary length and figures; None where anything may.

    Two records with the same keys, the same kinds of values in them and the same words are sound together.
    """
    if "baseline" in record or "event" in record or len(record["id"]) > _ORDINARY:
        return None
    parts: list[Any] = []
    for key, value in record.items():
        kind = type(value)
        if kind is str:
            if not 0 < len(value) < _ORDINARY:
                return None
            parts.append((key, value) if key in _WORDS else key)
        elif kind is dict:
            inner = _likeness_of(value)
            if inner is None:
                return None
            parts.append(key)
            parts.extend(inner)
        elif key == "path":
            parts.append(len(value))
        elif key == "derivations":
            parts.append(
                tuple(
                    (one["expression"], tuple((name, *given) for name, given in one["inputs"].items())) for one in value
                )
            )
        else:
            return None
    return tuple(parts)


def _likeness_of(value: Json) -> list[Any] | None:
    """The same of a quantity, an anchor or conditions; a list or mapping in them may hold anything."""
    parts: list[Any] = []
    for name, one in value.items():
        kind = type(one)
        if kind is str:
            if not 0 < len(one) < _ORDINARY:
                return None
            parts.append((name, one) if name == "hedge" else name)
        elif kind is list or kind is dict:
            return None
        else:
            parts.append((name, kind))
    return parts


def _unsound(cause: ValidationError) -> RowFault:
    first = cause.errors(include_url=False)[0]
    return RowFault(
        RECORD,
        ".".join(map(str, first["loc"])) or None,
        shown(first.get("input")),
        accepted(first),
    )
