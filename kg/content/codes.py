"""Reads `ontology/codes.yaml`: what every error and finding code means and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, model_validator

from kg.content.entries import read_entries
from kg.content.folders import Content

Severity = Literal["info", "warning", "violation"]


@dataclass(frozen=True, slots=True)
class Code:
    """One code: what it is called, what it means, what to do next."""

    code: str
    of: Literal["error", "finding", "explanation"]
    title: str
    meaning: str
    do: str
    severity: Severity | None = None


class _CodeEntry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    of: Literal["error", "finding", "explanation"]
    title: str
    meaning: str
    do: str
    severity: Severity | None = None

    @model_validator(mode="after")
    def _severity_of_findings(self) -> "_CodeEntry":
        if (self.of == "finding") != (self.severity is not None):
            raise ValueError("a finding has a severity, anything else has none")
        return self


def read_codes(content: Content) -> Mapping[str, Code]:
    """All codes by name; all mistakes of the file are collected before raising."""
    entries = read_entries(content, "codes.yaml", _CodeEntry, of="code")
    return {name: Code(name, **entry.model_dump()) for name, entry in entries.items()}
