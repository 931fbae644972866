"""A directional statement against the rows it rests on: supported, weak, contradicted, or reversed by a correction."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from kg.audit.derivation import RESTS_ON
from kg.audit.finding import Finding, Severity
from kg.audit.rules.direction_rows import DirectionPair, is_about, pairs_of, side_of
from kg.audit.rules.direction_verdicts import Judged, Verdict, judge_pairs
from kg.audit.rules.facts import Facts, is_gap, is_ratio, is_single
from kg.audit.rules.part import Alone
from kg.audit.wording import corrected_in_words
from kg.model.counting import counted, first_of
from kg.model.recorded import ClaimRecord, DerivationInputRecord

JUDGED: Final[Mapping[Verdict, tuple[str, Severity]]] = {
    "supported": ("direction.supported", "info"),
    "weak": ("direction.weak", "warning"),
    "contradicted": ("direction.contradicted", "violation"),
    "reverses-after-correction": ("direction.reverses-after-correction", "violation"),
}
NAMED: Final = 3
"""This many grounds are named in a finding."""


def _grounded(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """One finding for each statement whose rows can be compared or speak against it, or that has rows of one side only."""
    # a remark of the curators that something is missing rests on nothing that could be compared
    if is_gap(claim):
        return
    for position, derivation in enumerate(claim["derivations"], 1):
        if derivation["expression"] == RESTS_ON:
            yield from _judged(facts, claim, derivation["inputs"], position)
            yield from _one_sided(facts, claim, derivation["inputs"])


def _judged(
    facts: Facts, claim: ClaimRecord, inputs: Mapping[str, DerivationInputRecord], position: int
) -> Iterator[Finding]:
    used = _grounds(facts, inputs)
    pairs = _pairs(facts, claim, used)
    doubted = [record for record, role in used if role == "contradicting"]
    judged: Judged | None = None
    if pairs:
        # figures decide before roles: who recorded a row as contradicting may have misread it
        judged = judge_pairs(facts, claim, pairs)
        # words against rows whose unit is open are about the pairs that were left out
        judged = judged if any(pair.crosses for pair in pairs) else _doubted(claim, judged, doubted)
    # without pairs the grounds of all conclusions are weighed together, and so only once
    elif position == 1:
        used = _all_grounds(facts, claim)
        judged = _by_roles(facts, used)
    if judged is None:
        return
    verdict, text, computed = judged
    code, severity = JUDGED[verdict] if pairs else _by_weight(used)
    yield Finding(
        code,
        verdict,
        severity,
        text,
        ((claim["id"], "statement"), *((record["id"], role or "input") for record, role in used)),
        key=str(position),
        derivation=position,
        computed=computed,
        unit=None if computed is None else "1",
    )


def _pairs(facts: Facts, claim: ClaimRecord, used: Sequence[tuple[ClaimRecord, str | None]]) -> list[DirectionPair]:
    """The pairs of rows among the grounds of a statement that says which side is ahead."""
    says_which = "direction" in claim or is_ratio(claim)
    return list(pairs_of(facts, claim, [record for record, _ in used])) if says_which else []


def _all_grounds(facts: Facts, claim: ClaimRecord) -> list[tuple[ClaimRecord, str | None]]:
    conclusions = (given for given in claim["derivations"] if given["expression"] == RESTS_ON)
    return [ground for given in conclusions for ground in _grounds(facts, given["inputs"])]


def _grounds(facts: Facts, inputs: Mapping[str, DerivationInputRecord]) -> list[tuple[ClaimRecord, str | None]]:
    return [
        (row, one.get("role"))
        for one in inputs.values()
        if "claim" in one and (row := facts.lookup(one["claim"])) is not None
    ]


def _one_sided(facts: Facts, claim: ClaimRecord, inputs: Mapping[str, DerivationInputRecord]) -> Iterator[Finding]:
    """A comparison that rests on rows of the one side alone: there is none of the other that it could be seen in."""
    used = [row for row, _ in _grounds(facts, inputs)]
    if (
        claim.get("relation") != "order"
        or "baseline" not in claim
        or not all(is_single(row) and is_about(claim["metric"], row["metric"]) for row in used)
    ):
        return
    sides = {side_of(facts, claim, row) for row in used}
    if used and sides == {True}:
        yield Finding(
            "direction.no-rows",
            "unsupported",
            "warning",
            f"rests on {counted(len(used), 'row')} of {facts.label(claim['subject'])} and on none of {facts.label(claim['baseline'])}",
            ((claim["id"], "statement"), *((row["id"], "input") for row in used)),
        )


def _by_roles(facts: Facts, used: Sequence[tuple[ClaimRecord, str | None]]) -> Judged | None:
    """Without rows to compare, what was recorded as speaking for and against it decides."""
    against = sum(role == "contradicting" for _, role in used)
    if not against:
        return None
    verdict: Verdict = "weak" if against < len(used) else "contradicted"
    rows = [row for row, role in used if role == "contradicting"]
    named = first_of([_in_words(facts, row) for row in rows], NAMED, joined="; ")
    others = len(used) - against
    rests = f"rests on {counted(others, 'statement')}" if others else "rests on no recorded statement"
    return verdict, f"{rests} and is contradicted by {against}: {named}", None


def _by_weight(used: Sequence[tuple[ClaimRecord, str | None]]) -> tuple[str, Severity]:
    """The code and severity of a statement that is judged by the roles of its grounds.

    Read next to their texts, statements of which a third or more of the grounds speak against them were all doubtful.
    """
    against = sum(role == "contradicting" for _, role in used)
    return ("direction.grounds-against", "warning") if against * 3 >= len(used) else ("direction.grounds", "info")


def _in_words(facts: Facts, row: ClaimRecord) -> str:
    """A ground as its text has it: the figure, with what it should be, or the words; and the claim."""
    said, right = (row.get("quantity") or {}).get("printed") or row.get("cue"), facts.corrected(row["id"])
    of = f" ({row['metric'].replace('-', ' ')})" if said and "quantity" in row else ""
    of += f", put right {_right(facts, row, right)}," if said and right is not None else ""
    return f"{said}{of} [{row['id']}]" if said else f"[{row['id']}]"


def _right(facts: Facts, row: ClaimRecord, right: Fraction) -> str:
    figure = facts.figure(row)
    return corrected_in_words(right, None if figure is None else figure.unit, row.get("relation", "absolute"))


def _doubted(claim: ClaimRecord, judged: Judged, doubted: Sequence[ClaimRecord]) -> Judged:
    """Rows that support a statement do so weakly where words about the same metric speak against using them."""
    verdict, text, computed = judged
    worded = [
        one
        for one in doubted
        if "direction" in one and "quantity" not in one and is_about(claim["metric"], one["metric"])
    ]
    if verdict == "supported" and worded:
        return "weak", f"{text}, but contradicted by {counted(len(worded), 'linked statement')}", computed
    return judged


def is_turned(facts: Facts, claim: ClaimRecord) -> bool:
    """Whether the rows of a statement say the opposite of it, as printed or once they are put right."""
    if is_gap(claim):
        return False
    for derivation in claim.get("derivations", ()):
        # only figures turn a statement round, no words that speak against it
        if derivation["expression"] == RESTS_ON:
            pairs = _pairs(facts, claim, _grounds(facts, derivation["inputs"]))
            if pairs and JUDGED[judge_pairs(facts, claim, pairs)[0]][1] == "violation":
                return True
    return False


PARTS: Final = ()
ALONE: Final = (Alone("direction/grounds", _grounded, needs="derivations"),)
