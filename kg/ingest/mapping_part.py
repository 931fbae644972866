"""What all pieces of a mapping are made of: names, texts, references, and a model that refuses unknown keys."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""A field, entity, claim or rule of a mapping."""
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=80)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Pattern = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Scalar = str | int | float | bool
REFERENCE = re.compile(r"^\$([a-z][a-z0-9_]*)$")
CORRECTION = "correction"
"""The variant of a derivation that puts right what another claim of the row prints."""
FILLED = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def reference(value: object) -> str | None:
    """The name that `$name` refers to.

    >>> reference("$total"), reference("total")
    ('total', None)
    """
    found = REFERENCE.match(value) if isinstance(value, str) else None
    return found.group(1) if found else None


class MappedPart(BaseModel):
    """A piece of a mapping: frozen, and no key that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def is_expression(value: str) -> str:
    """A text that is a regular expression, as it is; raises ValueError for any other."""
    try:
        re.compile(value)
    except re.error as cause:
        raise ValueError(f"not a regular expression: {cause}") from cause
    return value
