"""The level and the modality that a sentence states outright, where those decide and not what is usual."""

import re
from typing import Final

from kg.reading.clause import VERBS
from kg.reading.passage import Passage
from kg.reading.topic import clause_end, clause_start

_LEVEL_OF: Final = {
    **dict.fromkeys(("gpu", "card", "chip", "accelerator"), "accelerator"),
    **dict.fromkeys(("node", "server", "box", "machine"), "node"),
    "rack": "rack",
}
_LEVEL_OF_MANY: Final = {"nodes": "node", "servers": "node", "instances": "node", "racks": "rack", "pods": "pod"}
_MANY: Final = re.compile(
    rf"\w\s(?P<what>{'|'.join(_LEVEL_OF_MANY)})\s(?:\([^()]{{1,40}}\)\s)?(?:now\s|can\s|each\s|also\s)?"
    r"(?:scale|reach|link|hold|deliver|draw|pack|contain|rent|cost|sell|offer|have|use|run|connect|house|consume)s?\b"
)
"""Several of a kind, of each of which the clause speaks: Ironwood pods scale to."""
_CLUSTER_OF: Final = re.compile(r"\bcluster\sof\s(?:(?:about|over|nearly|some|up\sto)\s)?(?=\d|$|[A-Z])")
_NOUNS: Final = "|".join(_LEVEL_OF)
_ONE_OF: Final = re.compile(
    rf"(?<!\bin\s)(?<!\bof\s)(?<!\bwithin\s)(?<!\binside\s)\b(?:an?|one|each|every|per|whole|entire|single)\s(?:[\w-]+\s){{0,2}}?"
    rf"(?P<what>{_NOUNS})\b(?!\s(?:{_NOUNS}|clusters?))",
    re.IGNORECASE,
)
_OF_THE: Final = re.compile(
    rf"\bthe\s(?P<what>node|server|box|machine|rack)\s(?:{VERBS}|sustained|managed|averaged|pulled|posted|peaked)\b",
    re.IGNORECASE,
)
"""Before a figure of the whole system: the price for the server is, the box drew."""
_LEVEL_PER: Final = {
    "per-chip": "accelerator",
    "per-gpu-hour": "accelerator",
    "per-superchip": "superchip",
    "per-node": "node",
    "per-server": "node",
    "per-rack": "rack",
}


def stated_level(passage: Passage, own: str, normaliser: str | None) -> str | None:
    """The level that the sentence says of a chip's figure: by what it is per, or by the one thing that has it.

    None where it says none, and for what is no chip, whose level is its own.
    """
    if own != "accelerator":
        return None
    if normaliser in _LEVEL_PER:
        return _LEVEL_PER[normaliser]
    if passage.figure.block.cell is not None:
        return None
    clause = passage.before[clause_start(passage.before) :]
    if _CLUSTER_OF.search(clause):
        return "cluster"
    if (many := _MANY.search(clause)) is not None:
        return _LEVEL_OF_MANY[many["what"]]
    named = list(_ONE_OF.finditer(clause)) + list(_OF_THE.finditer(clause))
    return _LEVEL_OF[named[-1]["what"].lower()] if named else None


_MIDDLE: Final = re.compile(
    r"\b(?P<which>median|p50|p90|p95|p99|9[059]th[\s-]percentile)\b(?:[^.;:\d]|(?<=[A-Z\d])\d){0,60}(?:from\s[\d.,]+\s?\w+\sto\s)?$",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"\s?[\w/%]{0,12}\s(?P<which>on average|at (?:the\s)?most|at (?:the\s)?least)\b", re.IGNORECASE
)
_STATISTICS: Final = {
    **{f"{n}th percentile": f"p{n}" for n in (90, 95, 99)},
    "p50": "median",
    "on average": "mean",
    "at most": "max",
    "at least": "min",
}


def stated_statistic(passage: Passage) -> str | None:
    """The statistic that the words before or right behind a figure name; None where they name none."""
    parameters = _WHICH_PARAMETERS.match(passage.after) if passage.figure.unit == "parameter" else None
    if parameters is not None:
        return "total" if parameters[1] == "total" else "active"
    if passage.figure.block.cell is None and _AVERAGED.search(passage.before):
        return "mean"
    found = _MIDDLE.search(passage.before) or _BEHIND.match(passage.after)
    if found is None or passage.figure.block.cell is not None:
        return None
    which = found["which"].lower().replace("the ", "").replace("-", " ")
    return _STATISTICS.get(which, which)


_AVERAGED: Final = re.compile(r"\baverag(?:es|ed|ing)\s(?:about\s|around\s|only\s|just\s|nearly\s|over\s)?[$€£¥~]?$")
_WHICH_PARAMETERS: Final = re.compile(r"\s(total|active|activated)\b", re.IGNORECASE)
_EXPECTED: Final = re.compile(
    r"\b(?:will|(?:is|are|was|were)\s(?:expected|forecast|predicted|projected|planned|estimated|set|slated|likely)\sto|expects?|forecasts?|predicts?|projects"
    r"|plans?\s(?:to|for)|anticipates?|estimated\sto)\b(?!\snot\b)",
    re.IGNORECASE,
)
_ASSUMED: Final = re.compile(
    r"\b(?:assum(?:e|es|ing)|suppose|if\s(?:an?|one|we|you|the)\b)[^.;:]{0,60}$", re.IGNORECASE
)
_FROM: Final = re.compile(r"\b(?:from|than)\s(?:about\s|the\s)?[$€£¥~≈]*$", re.IGNORECASE)
"""Before what was so: up from $165 billion."""
_REPORTS: Final = re.compile(
    r"\bwill\s(?:discuss|show|see|look|present|examine|analy[sz]e|also|be\sable)\b", re.IGNORECASE
)
"""What a text says that it will do itself."""


def stated_modality(passage: Passage) -> str | None:
    """Whether the clause of a figure says that it is expected or assumed; None where it says neither."""
    if passage.figure.block.cell is not None:
        return None
    clause = passage.before[clause_start(passage.before) :]
    rest = passage.after[: clause_end(passage.after)]
    if _ASSUMED.search(clause):
        return "assumed"
    found = _EXPECTED.search(clause) or re.match(rf"[^,]{{0,40}}?{_EXPECTED.pattern}", rest, re.IGNORECASE)
    if found is None:
        return None
    if _FROM.search(passage.before):
        return "stated"  # what is to change was so: up from $165 billion
    return None if _REPORTS.search(clause) else "expected"
