"""Reads `ontology/glossary.yaml`: the words with a fixed meaning here, and the words that are avoided for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kg.content.folders import Content
from kg.content.located import read_located
from kg.content.validation import from_pydantic
from kg.errors import ContentError, KgError, Mistakes


@dataclass(frozen=True, slots=True)
class Word:
    """One word: what it means, and what is not said for it."""

    word: str
    section: str
    means: str
    avoided: str


class _WordEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    section: str
    means: str
    avoided: str = Field(alias="not")


def read_glossary(content: Content) -> Mapping[str, Word]:
    """All words in the order of the file; all mistakes of the file are collected before raising."""
    path = content.ontology / "glossary.yaml"
    shown = path.relative_to(content.root).as_posix()
    located = read_located(path)
    if not isinstance(located.value, dict):
        raise ContentError(
            path=shown, line=1, given=type(located.value).__name__, expected="a mapping from word to its entry"
        )
    words: dict[str, Word] = {}
    mistakes: list[KgError] = []
    for word, given in located.value.items():
        try:
            words[word] = Word(word, **_WordEntry.model_validate(given).model_dump())
        except ValidationError as cause:
            mistakes.extend(from_pydantic(cause, path=shown, located=located, key=(word,), prefix=f"{word}."))
    Mistakes.raise_any(mistakes)
    return words
