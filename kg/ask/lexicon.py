"""Content compiled for warm starts: questions, units, words for metrics and rules on results as JSON next to the store, under a fingerprint.

A process that finds its fingerprint here reads no YAML.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.ask import cache
from kg.ask.question import Question
from kg.content.folders import Content
from kg.model.comparability import Comparability, ComparabilityTable, Rule
from kg.model.state_file import StateDamaged, read_state
from kg.model.units import UnitTable

if TYPE_CHECKING:
    from kg.content.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the reading commands need of the content."""

    questions: Mapping[str, Question]
    units: UnitTable
    comparability: Comparability
    """The published rules on which benchmark results may be compared."""
    metric_words: tuple[tuple[str, ...], ...] = ()
    """For every metric its label, then the other words for it, as keys of names."""


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The file: texts of JSON, with the digest of them all."""

    fingerprint: str
    units: str
    questions: str
    metric_words: str
    comparability: str
    digest: str


def write_lexicon(path: Path, content: Content, vocabulary: "Vocabulary", fingerprint: str) -> None:
    """Compile the content; all mistakes of the question files are reported together."""
    from kg.ask.question_files import read_questions
    from kg.content.comparability import read_comparability
    from kg.ledger import durable
    from kg.model.names import name_key

    compiled = cache.to_json(read_questions(content.queries).values())
    units = json.dumps(vocabulary.unit_mapping, ensure_ascii=False)
    named = [dict.fromkeys(map(name_key, (one.label, *one.synonyms))) for one in vocabulary.metrics.values()]
    words = json.dumps([list(one) for one in named], ensure_ascii=False)
    rules = json.dumps(asdict(read_comparability(content)), ensure_ascii=False)
    compiled_file = _Compiled(
        fingerprint=fingerprint,
        units=units,
        questions=compiled,
        metric_words=words,
        comparability=rules,
        digest=_digest(fingerprint, units, compiled, words, rules),
    )
    durable.write_whole(path, [json.dumps(asdict(compiled_file), ensure_ascii=False).encode()])


def read_lexicon(path: Path, fingerprint: str) -> Lexicon | None:
    """The compiled content, or None when it is not there or damaged, or belongs to other content."""
    try:
        whole = read_state(path, _Compiled)
    except StateDamaged:
        return None
    if whole is None or whole.fingerprint != fingerprint:
        return None
    if not _is_sound(whole):
        return None
    questions = cache.from_json(whole.questions)
    if questions is None:
        return None
    units, words = UnitTable.from_mapping(json.loads(whole.units)), json.loads(whole.metric_words)
    return Lexicon(
        questions, units, _comparability(json.loads(whole.comparability)), tuple(tuple(one) for one in words)
    )


def _comparability(given: Mapping[str, Any]) -> Comparability:
    """The rules and tables of the compiled form."""
    tables = (
        ComparabilityTable(
            one["suite"],
            one["category"],
            tuple(one["rounds"]),
            {name: tuple(map(tuple, spans)) for name, spans in one["spans"].items()},
        )
        for one in given["tables"]
    )
    return Comparability(tuple(Rule(**one) for one in given["rules"]), tuple(tables))


def check_lexicon(path: Path) -> str | None:
    """What is wrong with the file, in words."""
    whole = read_state(path, _Compiled)
    if whole is None:
        return "missing; made again at the next question"
    return None if _is_sound(whole) else "damaged; made again at the next question"


def _is_sound(whole: _Compiled) -> bool:
    texts = (whole.fingerprint, whole.units, whole.questions, whole.metric_words, whole.comparability)
    return whole.digest == _digest(*texts)


def _digest(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()
