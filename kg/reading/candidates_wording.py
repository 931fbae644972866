"""Candidates for the fields of a closed list: level, statistic, normaliser, modality; and for who says it.

Each word of the list is a candidate; what is read in the wording around the figure are its features.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, get_args

from kg.model import vocabulary as words
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.known_names import NEW
from kg.reading.metric_groups import metric_group
from kg.reading.named_thing import NamedThing
from kg.reading.passage import Passage
from kg.reading.ranker import Features
from kg.reading.speaking import speaks, unknown_speaker

NOT_STATED: Final = ""
"""A statistic that is not stated."""

CLOSED: Final[dict[str, tuple[str, ...]]] = {
    "level": get_args(words.Level),
    "statistic": (NOT_STATED, "mean", "median", "max", "min", "total", "active", "p90", "p95", "p99"),
    "normaliser": get_args(words.Normaliser),
    "modality": get_args(words.Modality),
}

_UNIT_OF_USE: Final = r"(?:per[\s-]|/\s?|an?\s(?=\w+\b)|each\s|every\s|single[\s-]|one\s)"
_CUES: Final[dict[str, dict[str, str]]] = {
    "normaliser": {
        "per-chip": rf"{_UNIT_OF_USE}(?:gpu|accelerator|chip|card|device|tpu|processor)s?\b|\bsingle[\s-](?:gpu|card|chip|accelerator)",
        "per-superchip": rf"{_UNIT_OF_USE}superchip",
        "per-node": rf"{_UNIT_OF_USE}(?:\w+\s)?nodes?\b|8-(?:gpu|card)|\b8[\s]?[x×*]\s?",
        "per-server": rf"{_UNIT_OF_USE}(?:\w+\s)?(?:server|box|host|machine)s?\b",
        "per-rack": rf"{_UNIT_OF_USE}(?:\w+\s)?rack|rack[\s-]scale",
        "per-token": rf"{_UNIT_OF_USE}(?:\w+\s)?token\b",
        "per-million-tokens": r"(?:per|/)\s?(?:1\s?M|1?\s?million|M)\s?(?:\w+\s)?tok",
        "per-watt": r"(?:per|/)\s?(?:watt|W\b|unit power)",
        "per-dollar": r"(?:per|/)\s?(?:dollar|\$|USD)",
        "per-tco": r"(?:per|/)\s?(?:TCO|total cost)",
        "per-user": rf"{_UNIT_OF_USE}user",
        "per-request": rf"{_UNIT_OF_USE}(?:request|query|prompt)",
        "per-gb": r"(?:per|/)\s?(?:GB|gigabyte|unit memory)",
        "per-gpu-hour": r"(?:GPU[\s-]?hour|/\s?GPU\s?/\s?h|/\s?hr?\s?/\s?GPU|per GPU per hour|per hour per GPU)",
        "per-month": r"(?:per|/|a)\s?month|monthly",
        "per-run": r"(?:per|a|one)\s(?:training\s)?run|\btrain(?:ed|ing)?\b",
        "total": r"\btotal\b|\baggregate|\boverall\b|\bcombined\b|\baltogether\b|\bcluster\b|\bsystem\b",
    },
    "statistic": {
        "mean": r"\b(?:avg\.?|average[sd]?|mean)\b",
        "median": r"\b(?:median|p50)\b",
        "max": r"\b(?:up to|max(?:imum)?|peak|highest|as (?:much|high|many) as|at most)\b",
        "min": r"\b(?:min(?:imum)?|lowest|at least|as (?:low|few|little) as)\b",
        "total": r"\b(?:total|overall|altogether|in all|sum)\b",
        "active": r"\b(?:active|activated)\b",
        "p90": r"\bp90\b|90th",
        "p95": r"\bp95\b|95th",
        "p99": r"\bp99\b|99th",
    },
    "modality": {
        "expected": r"\b(?:expect\w*|will|forecast\w*|predict\w*|project(?:s|ed|ion|ions)|plan(?:s|ned)|estimate[sd]?|likely|anticipat\w*|slated|upcoming|target\w*)\b",
        "assumed": r"\b(?:assum\w*|suppos\w*|if (?:one|we|you)|hypothe\w*|let['’]s say|imagine)\b",
        "required": r"\b(?:requir\w*|must|needs?|needed|mandat\w*|at least)\b",
        "recommended": r"\b(?:recommend\w*|should|advis\w*|best to|suggest\w*)\b",
        "opinion": r"\b(?:feels?|felt|believe|i think|in my|arguably|seems?|basically)\b",
    },
}
_COMPILED: Final = {
    name: [(value, re.compile(pattern, re.IGNORECASE)) for value, pattern in cues.items()]
    for name, cues in _CUES.items()
}
_NEAR: Final = 60
"""Code points on each side of a figure in which wording counts as near."""


def closed_candidates(
    name: str, passage: Passage, knowledge: ReadingKnowledge, subject: str | None, metric: str | None
) -> tuple[tuple[str, Features], ...]:
    """Each word of the closed list of a field with the features by which it is ranked."""
    group = metric_group(metric)
    seen = [
        "always",
        f"metric {metric}",
        f"group {group}",
        f"kind {knowledge.unit_kind(passage.figure.unit)}",
        *_context(passage, knowledge, subject),
    ]
    own = own_level(knowledge, subject)
    if name == "normaliser":
        seen.append(f"{metric} of {_class(knowledge, subject)}")
        seen.append(f"group {group} {passage.figure.relation == 'absolute'}")
    implied = {"level": own, "normaliser": _divisor(passage.figure.unit)}.get(name)
    cues = list(_cues(name, passage))
    if any(cue not in ("total", "max") for cue, _ in cues):  # an average total is an average
        cues = [(cue, zone) for cue, zone in cues if cue != "total" or name != "statistic"]
    whole = "whole" if passage.figure.relation == "absolute" else "compared"
    by_level = (f"own level {group}", f"own level {metric}", f"own level {group} {whole}")
    return _with_features(name, tuple(seen), tuple(cues), implied, (own, *by_level))


# figures of one table or paragraph are seen alike, and each field has a dozen words
@lru_cache(maxsize=1 << 10)
def _with_features(
    name: str,
    seen: tuple[str, ...],
    cues: tuple[tuple[str, str], ...],
    implied: str | None,
    level: tuple[str, ...],
) -> tuple[tuple[str, Features], ...]:
    """The words of a field, each with what was seen and what it is to the level of the subject, which comes before its features."""
    own, *of_level = level
    found = []
    for value in CLOSED[name]:
        features = [*(f"{value} < {one}" for one in seen), *_cue_features(value, cues)]
        if value == implied:
            features.append("implied")
        if name == "normaliser" and value == f"per-{_PER_LEVEL.get(own, own)}":
            features.extend(("own level", *of_level))
        found.append((value, tuple(features)))
    return tuple(found)


def _cue_features(value: str, cues: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What the cues around a figure say for and against one value."""
    for cue, zone in cues:
        yield f"cue {zone}" if cue == value else f"other cue {zone}"
        yield f"{value} < cue {cue}"
    if value not in {cue for cue, _ in cues}:
        yield from (f"{value} no cue", "no cue")


def _context(passage: Passage, knowledge: ReadingKnowledge, subject: str | None) -> Iterator[str]:
    yield f"class {_class(knowledge, subject)}"
    yield f"table {passage.figure.block.cell is not None}"
    yield f"relation {passage.figure.relation}"
    yield f"hedge {passage.figure.hedge}"


def _class(knowledge: ReadingKnowledge, subject: str | None) -> str:
    return knowledge.names.class_of(subject) if subject else "none"


_LEVEL_OF_CLASS: Final = {
    "family": "accelerator",
    "new": "accelerator",
    "accelerator": "accelerator",
    "suite": "other",
    "part": "other",
}
"""A family is spoken of by its chips; what nobody knows and looks like a product is taken for a chip."""
_PER_LEVEL: Final = {"accelerator": "chip"}
_LEVELS: Final = frozenset(get_args(words.Level))
_SYSTEM_NAME: Final = re.compile(r"^new:\d{1,2}\s?[x×*]|\b(?:server|system|node|box|machine)s?$", re.IGNORECASE)
"""A system that is called by its chips: 8*H200, H100 server."""


def own_level(knowledge: ReadingKnowledge, subject: str | None) -> str:
    """The level at which a thing is what it is: a rack for GB200 NVL72, an accelerator for a family of chips."""
    record = knowledge.names.registry.records.get(subject or "", {})
    kind = _class(knowledge, subject)
    if kind == "new" and _SYSTEM_NAME.search(subject or ""):
        return "node"
    introduced = knowledge.names.introduced.kinds.get((subject or "").removeprefix(NEW))
    for level in (introduced, record.get("level"), record.get("kind"), _LEVEL_OF_CLASS.get(kind), kind):
        if level in _LEVELS:
            return str(level)
    return "other"


_DIVISORS: Final = (
    ("Mtoken", "per-million-tokens"),
    ("token", "per-token"),
    ("GPU/h", "per-gpu-hour"),
    ("GB", "per-gb"),
    ("W", "per-watt"),
)


def _divisor(unit: str | None) -> str | None:
    """What a unit of cost or energy is per: USD/Mtoken is per million tokens."""
    of, _, per = (unit or "").partition("/")
    if of not in ("USD", "J", "EUR", "CNY"):
        return None
    return next((name for ending, name in _DIVISORS if per == ending), None)


def _cues(name: str, passage: Passage) -> Iterator[tuple[str, str]]:
    zones = (
        ("before near", passage.before[-_NEAR:]),
        ("after near", passage.after[:_NEAR]),
        ("column", passage.column_header),
        ("row", passage.row_header),
        ("sibling", _sibling_headers(passage) if name == "statistic" else ""),
        ("before", passage.before[:-_NEAR]),
        ("after", passage.after[_NEAR:]),
        ("above", passage.above),
    )
    for zone, text in zones:
        for value in _values(name, text) if text else ():
            yield value, zone


_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def _sibling_headers(passage: Passage) -> str:
    """Headers of the other columns that share a word with that of the figure: what a quotient of an average is, is an average."""
    own = _words(passage.column_header)
    return " ".join(cell.header for cell in passage.row if own & _words(cell.header))


def _words(header: str) -> set[str]:
    """The words of a header, singular and plural alike."""
    return {word.lower().removesuffix("s") for word in _WORD.findall(header)}


@lru_cache(maxsize=1 << 14)
def _values(name: str, text: str) -> tuple[str, ...]:
    """The words of a closed list that a text mentions; headers come again and again."""
    return tuple(value for value, pattern in _COMPILED.get(name, ()) if pattern.search(text))


def speakers(passage: Passage, knowledge: ReadingKnowledge, things: list[NamedThing]) -> list[tuple[str, str, str]]:
    """Who is said to say it, with the printed name and the reason; nobody where the report speaks for itself."""
    ids = {thing.id for thing in things if knowledge.names.class_of(thing.id) == "organisation"}
    found: list[tuple[str, str, str]] = []
    for near in passage.names:
        named = [one for one in near.mention.ids if one in ids]
        if not named or near.zone not in ("before", "after", "previous"):
            continue
        reason = speaks(*near.span, near.zone, passage)
        if reason:
            found.append((named[0], near.mention.printed, reason))
    return list(dict.fromkeys(found or _unknown_speakers(passage)))


def _unknown_speakers(passage: Passage) -> Iterator[tuple[str, str, str]]:
    """Who says the sentence by a name that nobody knows; not what is known as a product or a model."""
    sentence = passage.before + passage.figure.printed + passage.after
    who = unknown_speaker(sentence) if passage.figure.block.cell is None else None
    known = (near.mention.printed for near in passage.names if near.zone in ("before", "after"))
    if who is not None and not any(who in one or one in who for one in known):
        yield f"{NEW}{who}", who, "says so in the sentence"
