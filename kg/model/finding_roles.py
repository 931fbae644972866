"""Whether a finding speaks against a claim that it involves, or only compares with it."""

from typing import Final

ABOUT: Final = "about"
"""The role of the claim that a finding is about."""
INPUT: Final = "input"
"""How the role of an input begins, in a finding about a computation; its name in the formula comes after it."""
HOLDS: Final = "holds"
"""The role of a claim that a finding names as the one that is right about the same thing."""
OTHER_SIDE_DOUBTED: Final = "doubtful: other side"
"""The role of a claim on the other side of a jump where as much speaks for one side as for the other."""
_SHARED: Final = {
    "conflict.conflict": "value",
    "conflict.possible": "value",
    "opposition.contradiction": "opposed to it",
    "identity.entry-names-two": "same entry",
    "unit.header": "same column",
    "unit.undecided": "same column",
    "unit.mixed": "",
    "format.sparse-beside-dense": "",
    "naming.level": "as ",
    "gap.source": "leans on it",
    "whole.shares": "share",
    "plausibility.jump-rounds": "doubtful",
    "plausibility.jump-scenarios": "doubtful",
    "plausibility.far-from-submitters": "doubtful",
    "whole.active": "total",
    "chronology.interval": "",
    "chronology.elapsed": "other statement",
    "ranges.set": "announced",
    "gains.apart": "smaller",
    "identity.rent-below-cost": "cost",
    "identity.time-per-token": "speed",
}
"""Findings that cannot tell which of several claims is wrong, and how the roles begin that are as doubtful as the first.

Every other role is that of a premise, an original or a row, which a finding does not speak against.
"""


def is_doubted(code: str, role: str) -> bool:
    """Whether a claim in this role is as doubtful as the one that the finding is about.

    >>> is_doubted("conflict.conflict", "value 2"), is_doubted("unit.slip", "other"), is_doubted("unit.slip", "about")
    (True, False, True)
    """
    shared = _SHARED.get(code)
    return role == ABOUT or (shared is not None and role.startswith(shared))
