"""A trouble that one text first calls gone and later calls lasting: fault search falls away, fault search stays."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, involved, is_gap, known
from kg.audit.rules.part import AuditPart, Scope
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import SENSE

BURDENS: Final = {"work-time": -1, "latency": -1, "reliability": 1, "software-maturity": 1, "downtime": -1}
"""Metrics of what people suffer from, with the direction in which they suffer less."""
_PARTS: Final = ("software", "framework", "includes")
"""Conditions that name what the trouble is with."""
_THOUGHT: Final = ("recommended", "required")


def _burdened(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    eased = _is_eased(claim)
    if eased is not None:
        for part in _troubled(claim):
            yield f"{claim['source']}|{facts.root(claim['subject'])}|{part}", eased


def _is_eased(claim: ClaimRecord) -> bool | None:
    """Whether a statement says that a trouble falls away; None where it names none, or asks for it."""
    sense, better = SENSE.get(str(claim.get("direction"))), BURDENS.get(claim["metric"])
    if sense is None or better is None or is_gap(claim) or "quantity" in claim or "same_as" in claim:
        return None
    return None if claim.get("modality") in _THOUGHT else sense == better


def _troubled(claim: ClaimRecord) -> list[str]:
    """What the trouble is with, where that is named."""
    given = [value for name in _PARTS if (value := known(claim, name)) is not None]
    return sorted({str(one) for value in given for one in (value if isinstance(value, list) else [value])})


def _lasting(facts: Facts) -> Iterator[Finding]:
    gone: dict[str, list[ClaimRecord]] = defaultdict(list)
    stays: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.of_metrics(*BURDENS):
        for part in _troubled(claim):
            (gone if _is_eased(claim) else stays)[part].append(claim)
    for part in sorted(gone.keys() & stays.keys()):
        for claim in gone[part]:
            # further on only: a trouble that is named first and then solved is what a text is for
            later = [one for one in stays[part] if _start(one) > _start(claim) and _apart(claim, one) is None]
            if later:
                yield Finding(
                    "opposition.trouble-remains",
                    "tension",
                    "warning",
                    f"says that trouble with {facts.label(part)} falls away ({claim.get('cue') or claim['metric']}), and further on that it stays "
                    f"({later[0].get('cue') or later[0]['metric']})",
                    ((claim["id"], "gone"), *involved(later, "stays")),
                    key=part.rpartition("/")[2] or "1",
                )


def _start(claim: ClaimRecord) -> int:
    return int(claim["anchor"].get("start") or 0)


def _apart(one: ClaimRecord, other: ClaimRecord) -> str | None:
    """The condition that tells the two places apart, such as inside one rack and across several."""
    for name in ("boundary", "phase", "accelerators"):
        a, b = known(one, name), known(other, name)
        if a is not None and b is not None and a != b:
            return name
    return None


PARTS: Final = (
    # A trouble may be with several things, so that a claim lies in several scopes: each
    # keeps the finding on its own thing.
    AuditPart(
        "opposition/relief",
        _burdened,
        _lasting,
        tuple(BURDENS),
        owns=lambda finding, scope: finding.key == (scope.rpartition("|")[2].rpartition("/")[2] or "1"),
    ),
)
ALONE: Final = ()
