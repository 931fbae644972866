"""Reads a file of the ontology that is a mapping from names to entries of one shape."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from kg.content.folders import Content
from kg.content.located import read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes

Entry = TypeVar("Entry", bound=BaseModel)


def read_entries(content: Content, name: str, shape: type[Entry], *, of: str) -> dict[str, Entry]:
    """Each entry under its name, in the order of the file; `of` says what is named. All mistakes are collected before raising."""
    path = content.ontology / name
    shown = path.relative_to(content.root).as_posix()
    located = read_located(path)
    if not isinstance(located.value, dict):
        raise ContentError(
            path=shown, line=1, given=type(located.value).__name__, expected=f"a mapping from {of} to its entry"
        )
    entries: dict[str, Entry] = {}
    mistakes: list[KgError] = []
    for key, given in located.value.items():
        try:
            entries[key] = shape.model_validate(given)
        except ValidationError as cause:
            mistakes.extend(from_pydantic(cause, path=shown, located=located, key=(key,), prefix=f"{key}."))
    Mistakes.raise_any(mistakes)
    return entries
