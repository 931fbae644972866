"""What a finding says against a claim: refuted, impossible, disputed or doubtful, and whether something decides for the claim.

The tables below sort findings by their codes; `kg.audit.advice` makes one verdict of them, and a build asks `refutes`.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from kg.audit.finding import Finding
from kg.audit.rules.data_sheets import AGREES
from kg.model.finding_roles import HOLDS, OTHER_SIDE_DOUBTED, is_doubted
from kg.model.recorded import ClaimRecord

_HEADED: Final = re.compile(
    r"^printed as (?P<printed>\w+) per second in .*, but the official result of .* (?:a rate of|in) (?P<counted>\w+)"
)
"""What a column is headed with, and what its results count, in the message of the rule."""
# A whole code is looked up before its first part, so that "conflict.possible" has a sentence of
# its own; the place of the key found is the gravity (`gravity`).
DOUBTFUL = {
    "arithmetic.not-supported": "other figures of the same text do not give it",
    "arithmetic.aggregation-ambiguous": "an average whose columns may have been averaged separately",
    "gap": "announced, but not there",
    "conflict": "claims about the same thing differ",
    "conflict.possible": "another claim gives another figure, under conditions that are left open",
    "unit.header": "printed as samples a second, where the official result counts tokens",
    "unit": "its unit is doubtful",
    "format": "its number format or sparsity is doubtful",
    "plausibility.jump-rounds": "more than five times away from the results of another round",
    "plausibility.jump-scenarios": "more than five times away from the results of another scenario",
    "plausibility": "its figure is implausible",
    "chronology": "its dates do not fit",
    "scope": "its scope is doubtful",
    "citation": "relayed with changes or without a source",
    "naming": "what it is about is named doubtfully",
    "opposition": "another claim says the opposite",
    "direction.ground-implausible": "what it rests on is implausible",
    "direction": "its own rows do not carry it",
    "identity": "does not fit other figures",
    "gains.no-baseline": "what it is compared with is not said",
    "gains.product": "the gains of its parts make another figure",
    "gains.apart": "the text gives another multiple of the same two",
    "gains": "far above what was measured of the same two",
    "whole": "parts and whole do not fit",
    "ranges": "announced and used do not fit",
    "gap.source": "leans on a source that cannot be found",
}
"""Kinds of findings that make a reader careful with the claim they are about, the most severe first, and how that is said."""
_GROUNDS: Final = "direction.grounds-against"
_DISPUTED = frozenset(
    {
        "conflict.conflict",
        "opposition.contradiction",
        "arithmetic.not-supported",
        _GROUNDS,
        "gains.above-measured",
        "gains.product",
        "identity.ratio",
        "identity.time-per-token",
        "whole.shares",
        "ranges.outside",
        "chronology.interval",
        "chronology.elapsed",
    }
)
"""Findings by which others, or other figures of the same thing, say otherwise under the same conditions, and nothing decides."""
_DECIDED_BY_MAKER = ("conflict.conflict", "conflict.possible", "gap.source", "citation.")
"""Findings that others give another figure, or that nothing leads to its origin: the data sheet of the maker answers both."""
_HARMLESS = frozenset({"citation.address-differs", "citation.listed-not-cited", "citation.cited-not-listed"})
REFUTED = frozenset(
    {
        "arithmetic.inconsistent",
        "unit.slip",
        "identity.compute-per-power",
        "direction.contradicted",
        "direction.reverses-after-correction",
    }
)
"""Violations after which a figure should not be used; each says in its message what refutes it."""
_ACCUSING: Final = ("plausibility.", "whole.below-parts")
"""Codes, or how they begin, of findings by which a figure cannot be."""
REFUTING: Final = (*sorted(REFUTED), *_ACCUSING)
"""Codes, or how they begin, of findings that may refute a claim (`refutes`)."""


def doubt_in_words(finding: Finding, claim: str) -> str | None:
    """How the doubt about a claim is said; None for findings that do not touch its figure, such as the address of a link."""
    if finding.code in _HARMLESS or not _is_against(finding, claim):
        return None
    if finding.code == "unit.header" and (units := _HEADED.search(finding.message)) is not None:
        return f"printed as {units['printed']} a second, where the official result counts {units['counted']}"
    return DOUBTFUL.get(finding.code) or DOUBTFUL.get(finding.code.partition(".")[0])


def _is_against(finding: Finding, claim: str) -> bool:
    """Whether a finding speaks against a claim, and not only against another one for which this is a premise."""
    return claim == finding.claim or any(
        name == claim and is_doubted(finding.code, role) for name, role in finding.claims[1:]
    )


def gravity(finding: Finding) -> int:
    """The place in the list of doubts, which begins with what bears most on the figure."""
    kinds = list(DOUBTFUL)
    return kinds.index(finding.code if finding.code in DOUBTFUL else finding.code.partition(".")[0])


def is_excused(finding: Finding, broken: Collection[str]) -> bool:
    """Whether a claim is not to blame for not recomputing: another computation gives it, or an input does not hold."""
    if finding.code != "arithmetic.inconsistent":
        return False
    return finding.is_excused or any(name in broken for name, _ in finding.claims[1:])


def refutes(finding: Finding) -> bool:
    """Whether a finding leaves the claim that it is about refuted, so that nothing rests on it any longer.

    >>> from dataclasses import replace
    >>> wrong = Finding("plausibility.multi-card", "suspicious", "warning", "the total of 8 cards", (("a/1", "about"),))
    >>> refutes(wrong), refutes(replace(wrong, severity="info")), refutes(replace(wrong, code="conflict.possible"))
    (True, False, False)
    """
    if finding.severity == "info":
        return False
    is_refuting = finding.severity == "violation" and finding.code in REFUTED and not finding.is_excused
    return is_refuting or accuses(finding)


def accuses(finding: Finding) -> bool:
    """Whether a finding says of the figure it is about that it cannot be.

    A jump with as much support on either side says it of none.
    """
    if any(role == OTHER_SIDE_DOUBTED for _, role in finding.claims):
        return False
    return finding.code.startswith(_ACCUSING)


def is_of_one_text(finding: Finding) -> bool:
    """Whether figures at odds all appear in one text, so that one of them is a misprint and none is better founded."""
    return len({name.partition("/")[0] for name, _ in finding.claims}) == 1


def is_decided_for(finding: Finding, claim: str, found: Iterable[Finding] = ()) -> bool:
    """Whether a conflict is decided for a claim: several texts say the same, and whoever says otherwise says it as well.

    4.8 TB/s in two texts is not disputed by the one of them that prints 5.3 TB/s in another place. Nor is a figure disputed
    by one that cannot be, where the finding which says so names the figure as the one that holds.
    """
    if finding.code.startswith(_DECIDED_BY_MAKER) and _is_in_data_sheet(claim, found):
        return True
    if finding.code not in ("conflict.conflict", "conflict.restated-differently"):
        return False
    # claims that a finding calls wrong while it names this one as the figure that holds
    beaten = {one.claim for one in found if (claim, HOLDS) in one.claims}
    # the role of a side begins with the number of its value: "value 2: 5.3 TB/s"
    sides = [(name, role.partition(":")[0]) for name, role in finding.claims]
    own = [side for name, side in sides if name == claim]
    if beaten and all(name in beaten or side in own for name, side in sides):
        return True
    return bool(own) and _only_ours_is_in_two_texts(sides, own[-1])


def _is_in_data_sheet(claim: str, found: Iterable[Finding]) -> bool:
    """Whether the maker of a thing prints what the claim says of it."""
    return any(one.code == AGREES and one.claim == claim for one in found)


def _only_ours_is_in_two_texts(sides: Iterable[tuple[str, str]], own: str) -> bool:
    """Whether two texts print the value `own` of a conflict, and each other value is in one of these texts only."""
    if not all(side.startswith("value ") for _, side in sides):
        return False
    texts: dict[str, set[str]] = {}
    for name, side in sides:
        texts.setdefault(side, set()).add(name.partition("/")[0])
    ours = texts.pop(own)
    # one text on the other side that also says ours is a misprint of its own; a second one would be a dispute
    return len(ours) > 1 and all(len(other) == 1 and other <= ours for other in texts.values())


def doubts_of(name: str, found: Sequence[Finding]) -> list[Finding]:
    """The findings that speak against a claim and are not decided for it."""
    against = [one for one in found if one.severity != "info" and doubt_in_words(one, name) is not None]
    return [one for one in against if not is_decided_for(one, name, found)]


def disputes(finding: Finding, record: ClaimRecord) -> bool:
    """Whether others say otherwise; grounds dispute the figure that they do not give, and words only to some degree."""
    return finding.code in _DISPUTED and (finding.code != _GROUNDS or "quantity" in record)
