"""Entries of result tables: an id that names two systems leaves open which of them a figure is of."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.facts import Facts, each, known
from kg.audit.rules.part import AuditPart, Scope
from kg.model.counting import first_of
from kg.model.recorded import ClaimRecord

METRICS: Final = ("accelerators-used", "throughput", "latency", "power")
_OFFICIAL: Final = re.compile(r"v?\d+\.\d+-\d+", re.IGNORECASE)
"""The ids that a suite gives; a name that a submitter gave to a platform is no id."""
_NOT_WORD: Final = re.compile(r"[\W_]+")


def _entered(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    system, entry, round_ = (known(claim, name) for name in ("tested_on", "entry", "round"))
    if isinstance(system, str) and isinstance(round_, str) and isinstance(entry, str) and _OFFICIAL.fullmatch(entry):
        # tables print one id as 5.1-0071 and as v5.1-0071
        yield f"{round_}|{entry.casefold().removeprefix('v')}", _key(system)


def _key(system: str) -> str:
    """A system name without what tables print differently: commas, spaces and case.

    >>> _key("MangoBoost: 4x node, (8x H200)") == _key("mangoboost 4x node 8x h200")
    True
    """
    return _NOT_WORD.sub("", system).casefold()


def _two_systems(facts: Facts) -> Iterator[Finding]:
    systems: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.of_metrics(*METRICS):
        systems[_key(known(claim, "tested_on"))].append(claim)
    first, *others = (systems[name] for name in sorted(systems))
    entry, names = known(first[0], "entry"), [known(one[0], "tested_on") for one in (first, *others)]
    yield Finding(
        "identity.entry-names-two",
        "suspicious",
        "warning",
        f"entry {entry} names {len(names)} systems: {first_of(names, joined='; ')}",
        (
            (first[0]["id"], "suspect"),
            *each(first[1:], "same entry"),
            *(pair for one in others for pair in each(one, "same entry")),
        ),
    )


PARTS: Final = (AuditPart("entries/systems", _entered, _two_systems, METRICS, needs="conditions"),)
ALONE: Final = ()
