"""Content compiled for warm starts: questions, units, metrics and codes as JSON next to the store, under a fingerprint.

A process that finds its fingerprint here reads no YAML.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from kg.ask import cache
from kg.ask.question import Question
from kg.content.folders import Content
from kg.model.state_file import StateDamaged, StateFile, read_state
from kg.model.units import UnitTable


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the reading commands need of the content."""

    questions: Mapping[str, Question]
    units: UnitTable


class _Compiled(StateFile):
    """The file: texts of JSON, with the digest of them all."""

    fingerprint: str
    units: str
    questions: str
    digest: str


def write_lexicon(path: Path, content: Content, unit_mapping: Mapping[str, Any], fingerprint: str) -> None:
    """Compile the content; all mistakes of the question files are reported together."""
    from kg.ask.question_files import read_questions
    from kg.ledger import durable

    compiled = cache.to_json(read_questions(content.queries).values())
    units = json.dumps(unit_mapping, ensure_ascii=False)
    compiled_file = _Compiled(
        fingerprint=fingerprint, units=units, questions=compiled, digest=_digest(fingerprint, units, compiled)
    )
    durable.write_whole(path, [compiled_file.model_dump_json().encode()])


def read_lexicon(path: Path, fingerprint: str) -> Lexicon | None:
    """The compiled content, or None when it is not there or damaged, or belongs to other content."""
    try:
        whole = read_state(path, _Compiled)
    except StateDamaged:
        return None
    if whole is None or whole.fingerprint != fingerprint:
        return None
    if whole.digest != _digest(whole.fingerprint, whole.units, whole.questions):
        return None
    questions = cache.from_json(whole.questions)
    return None if questions is None else Lexicon(questions, UnitTable.from_mapping(json.loads(whole.units)))


def check_lexicon(path: Path) -> str | None:
    """What is wrong with the file, in words."""
    whole = read_state(path, _Compiled)
    if whole is None:
        return "missing; made again at the next question"
    sound = whole.digest == _digest(whole.fingerprint, whole.units, whole.questions)
    return None if sound else "damaged; made again at the next question"


def _digest(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()
