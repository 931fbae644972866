"""Content compiled for warm starts: questions, units, metrics and codes as JSON beside the store, under a fingerprint.

A process that finds its fingerprint here reads no YAML.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.ask import cache
from kg.ask.question import Question
from kg.content.folders import Content
from kg.model.units import UnitTable


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the reading commands need of the content."""

    questions: Mapping[str, Question]
    units: UnitTable


def write_lexicon(path: Path, content: Content, unit_mapping: Mapping[str, Any], fingerprint: str) -> None:
    """Compile the content; all mistakes of the question files are told together."""
    from kg.ask.question_files import read_questions
    from kg.ledger import durable

    compiled = cache.to_json(read_questions(content.queries).values())
    text = json.dumps({"fingerprint": fingerprint, "units": unit_mapping, "questions": compiled}, ensure_ascii=False)
    durable.write_whole(path, [text.encode("utf-8")])


def read_lexicon(path: Path, fingerprint: str) -> Lexicon | None:
    """The compiled content, or None when it is not there or belongs to other content."""
    try:
        whole = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    if whole.get("fingerprint") != fingerprint:
        return None
    questions = cache.from_json(whole["questions"])
    return None if questions is None else Lexicon(questions, UnitTable.from_mapping(whole["units"]))
