"""Reads `ontology/glossary.yaml`: the words with a fixed meaning here, and the words that are avoided for them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from kg.content.entries import read_entries
from kg.content.folders import Content


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
    entries = read_entries(content, "glossary.yaml", _WordEntry, of="word")
    return {name: Word(name, **entry.model_dump()) for name, entry in entries.items()}
