"""The run that a text names for a figure: the model, the number of accelerators, who ran it; and whether a claim is of it.

Reading ranks a model or an organisation among the things that a figure may be said of: "Meta achieved an MFU of 41% training
Llama 3 405B on 16k H100s" is said of the H100, in a run of Meta with that model.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kg.answers.checked_figures import Ranked
from kg.answers.claim import ClaimCard
from kg.model.condition_line import stated_conditions
from kg.reading.candidates_subject import ZONE_REASON
from kg.reading.proposal import Candidate, ClaimProposal

_LIKELY: Final = 0.2
"""The confidence from which a model that is ranked among the subjects of a figure is that of its run."""
_ACTING: Final = 0.3
"""The same of the organisation that ran it."""
_COUNTED: Final = 0.4
"""The same of a number of accelerators, which reading is never sure of."""
_OF_RUNS: Final = frozenset(
    {
        "mfu",
        "hfu",
        "utilisation",
        "throughput",
        "training-throughput",
        "training-time",
        "accelerators-used",
        "energy-per-token",
        "energy-per-sample",
        "power",
        "latency",
    }
)
"""Metrics of what was measured in a run: an organisation that achieves one is who ran it."""
_IN_SENTENCE: Final = frozenset(ZONE_REASON[zone] for zone in ("before", "after"))
_COUNT: Final = re.compile(r"(\d+(?:\.\d+)?)(k|K)?")
_CLAUSE: Final = re.compile(r",(?!\d)|[;:]|\b(?:and|but|while|whereas|to)\b")
_NEAR: Final = 0.05
"""By how much a number of accelerators may be rounded: "16k" of 16,384."""


@dataclass(frozen=True, slots=True)
class NamedRun:
    """What a text says of a figure the words of its run kept apart from what it is said of."""

    subjects: tuple[Ranked, ...]
    conditions: Mapping[str, str]
    operator: str | None = None
    """The id of the organisation that ran it."""


def named_run(proposal: ClaimProposal, plain: NamedRun, metrics: Sequence[Ranked], clause: str) -> NamedRun:
    """The run of a figure: an organisation or a model among its subjects is a condition of what was measured.

    `plain` has what reading found; `clause` are the words around the figure that are of no other one.
    """
    if not metrics or metrics[0].value not in _OF_RUNS:
        return plain
    found = dict(plain.conditions)
    named = [one for one in proposal.fields.get("subject", ()) if one.reason in _IN_SENTENCE]
    if "model" not in found and (model := _only(named, "model/", _LIKELY)) is not None:
        found["model"] = model
    counts = [one for one in proposal.conditions.get("accelerators", ()) if one.confidence >= _COUNTED]
    # a number of accelerators is no condition of itself
    is_open = metrics[0].value != "accelerators-used" and "accelerators" not in found
    if is_open and len(counts) == 1 and counts[0].reason in _IN_SENTENCE and counts_in(clause, counts[0].value):
        found["accelerators"] = counts[0].value
    return replace(_without_operator(plain), conditions=found)


def _only(named: Sequence[Candidate], kind: str, least: float) -> str | None:
    """The one candidate of a kind; of several nobody can say which is meant."""
    of_kind = [one for one in named if one.value.startswith(kind)]
    return of_kind[0].value if len(of_kind) == 1 and of_kind[0].confidence >= least else None


def _without_operator(run: NamedRun) -> NamedRun:
    """The subjects without organisations, where hardware or a model is named too; the one of them that is likely ran it."""
    rest = [one for one in run.subjects if not one.value.startswith("org/")]
    share = sum(one.confidence for one in rest)
    likely = [one for one in run.subjects if one not in rest and one.confidence >= _ACTING]
    if not rest or not share or not likely:
        return run
    subjects = tuple(Ranked(one.value, one.confidence / share) for one in rest)
    return replace(run, subjects=subjects, operator=likely[0].value if len(likely) == 1 else None)


def is_run_by(card: ClaimCard, operator: str) -> bool:
    """Whether a claim is of a run of an organisation: it says so, or the organisation reports it."""
    stated = stated_conditions(card.conditions)
    reported = {one.id for one in (card.asserted_by, card.attributed_to) if one is not None}
    return operator in reported or operator in (stated.get("operator"), stated.get("provider"))


def counts_agree(named: str, stated: str) -> bool:
    """Whether a number of accelerators is that of a run, or lies between the least and the most of several.

    >>> counts_agree("16000", "16k"), counts_agree("16000", "576 to 2,304"), counts_agree("1,024", "576 to 2,304")
    (True, False, True)
    """
    values, ends = _counts(named), _counts(stated)
    if len(values) != 1 or not ends:
        return named == stated
    return min(ends) * (1 - _NEAR) <= values[0] <= max(ends) * (1 + _NEAR)


def counts_in(words: str, count: str) -> bool:
    """Whether a number of accelerators is printed among words: "16k" of 16000."""
    return any(value == wanted for value in _counts(words) for wanted in _counts(count))


def own_clause(before: str, after: str) -> str:
    """The words around a figure up to those that begin another clause: "38% on 64 and 35% on 2,048" has two.

    >>> own_clause("In 2024, Llama 3 reached 38% on 64 and ", " on 2,048 H100s, which is less")
    '  on 2,048 H100s'
    """
    return f"{_CLAUSE.split(before)[-1]} {_CLAUSE.split(after)[0]}"


def _counts(text: str) -> list[float]:
    return [float(digits) * (1000 if scale else 1) for digits, scale in _COUNT.findall(text.replace(",", ""))]
