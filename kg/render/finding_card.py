"""The card of one finding: what is printed where, the calculation with its intervals, the verdict, what may explain it."""

from collections.abc import Iterator, Mapping

from kg.answers.calculation import Calculation, Operand
from kg.answers.findings import FindingCard, Involved
from kg.answers.traced_claim import NamedExplanation
from kg.render.amounts import prefixed, span
from kg.render.lines import row, wrapped

_MOST_CLAIMS = 6
_MOST_EXPLANATIONS = 3


def card_lines(one: FindingCard, calculation: Calculation | None, *, accepted: bool = False) -> Iterator[str]:
    """One finding as lines."""
    yield from wrapped(f"{one.severity}: {one.code}" + ("   (accepted in the baseline)" if accepted else ""))
    yield from row("about", one.claim + (f"   in {one.source}" if one.source != one.claim else ""))
    if calculation is not None:
        yield from calculation_lines(calculation, places={each.claim: each for each in one.claims})
        yield from row("verdict", f"{one.verdict}: {_without_causes(one)}")
    else:
        yield from row("found", one.message)
        yield from _claims(one)
        if one.computed_value is not None:
            yield from row("computed", prefixed(one.computed_value, one.computed_unit))
    if one.corrected_value is not None:
        yield from row("instead", prefixed(one.corrected_value, one.corrected_unit))
    for explanation in one.explanations[:_MOST_EXPLANATIONS]:
        yield from row("explained", f"{explanation.message}{value_of_cause(explanation, one)} ({explanation.code})")
    if one.basis == "reference":
        yield from row(
            "rests on", f"a fact from outside the loaded texts{': ' + one.reference if one.reference else ''}"
        )
    yield from row("id", one.id)


def _without_causes(one: FindingCard) -> str:
    """The message without the explanations that follow below it."""
    message = one.message
    for explanation in one.explanations:
        # The message lists the explanations; each has a row of its own below.
        message = message.replace(f"; {explanation.message}", "")
    return message


def calculation_lines(one: Calculation, *, places: Mapping[str, Involved] | None = None) -> Iterator[str]:
    """A computation: the printed result, the expression over printed inputs, and what those allow."""
    where = places or {}
    yield from row("printed", operand_words(one.result) + _place(one.result, where))
    yield from row("computed as", f"{one.expression}   ({how_computed(one)})")
    for operand in one.operands:
        because = f"   because {operand.why}" if operand.why else ""
        yield from row("", f"{operand.name} = {operand_words(operand)}{because}{_place(operand, where)}")
    yield from row("gives", one.lacks if one.computed is None else span(one.computed, one.result.unit))


def value_of_cause(cause: NamedExplanation, one: FindingCard) -> str:
    """The value that an explanation of a finding leads to, behind its words."""
    if cause.corrected_value is None:
        return ""
    return f": {prefixed(cause.corrected_value, one.corrected_unit or one.computed_unit)}"


def how_computed(one: Calculation) -> str:
    """Who says that it is computed so, and in which of several ways."""
    how = "as the text says" if one.stated_by_text else "rebuilt from other figures"
    return f"{how}, {one.variant}" if one.variant else how


def operand_words(one: Operand) -> str:
    """A figure as printed, and the values that it may mean."""
    if one.interval is None:
        return f"{one.shown} (no value to compute with)"
    if one.interval.width == 0:
        return f"{one.shown} (exact)"
    return f"{one.shown}, that is {span(one.interval, one.unit)}"


def _place(one: Operand, where: Mapping[str, Involved]) -> str:
    if one.claim is None:
        return ""
    place = where.get(one.claim)
    return f"   [{_claim_at(one.claim, place)}]"


def _claim_at(claim: str, place: Involved | None) -> str:
    """A claim with its place in the text or in the table."""
    return claim if place is None or place.position is None else f"{claim} at {place.position}"


def _claims(one: FindingCard) -> Iterator[str]:
    claims = [each for each in one.claims if each.claim != one.claim or each.role == "about"]
    for each in claims[:_MOST_CLAIMS]:
        label = "prints" if each.role == "about" else ""
        role = "" if each.role == "about" else f"{each.role.partition(':')[0]}: "
        yield from row(label, role + _says(each))
    if len(claims) > _MOST_CLAIMS:
        yield from row("", f"and {len(claims) - _MOST_CLAIMS} more claims")


def _says(one: Involved) -> str:
    speaker = one.speaker or one.asserted_by
    words = [
        one.shown or "",
        f"({one.metric} of {one.subject_label or one.subject})",
        f"by {speaker}" if speaker else "",
    ]
    return " ".join(word for word in words if word) + f"   [{_claim_at(one.claim, one)}]"
