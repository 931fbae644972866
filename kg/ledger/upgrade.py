"""Reading older segments: one pure function per schema number, applied in steps. Segments are never rewritten."""

from collections.abc import Callable
from typing import Any

from kg.model.json_types import Json
from kg.model.record import SCHEMA

STEPS: dict[int, Callable[[Json], Json]] = {}
"""From schema number to the function that turns its records into those of the next number."""


def upgraded(record: Json, schema: int) -> Any:
    """A record of an older schema in the present form.

    >>> upgraded({"record": "entity", "id": "org/x"}, SCHEMA)
    {'record': 'entity', 'id': 'org/x'}
    """
    for number in range(schema, SCHEMA):
        record = STEPS[number](record)
    return record
