"""What the claims that match a figure say of it, where the text has it otherwise than they do: denied, dense, per device.

`kg.answers.check` decides which claims match.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from kg.answers.checked_figures import TextFigure
from kg.answers.claim import ClaimCard, bare
from kg.answers.figure_match import devices_of, is_of_several, is_phase_open, metric_rank, same_value, values_of_number
from kg.model.condition_line import stated_conditions
from kg.model.hedges import STRICT_LOWER, STRICT_UPPER
from kg.model.reference import WITH_SPARSITY
from kg.model.verdict import Verdict
from kg.model.vocabulary import RATIO_RELATIONS

_FAMILY: Final = "family/"
"""Chips of one name: of all Hopper chips a ratio says nothing certain of the H200, while a variant goes by the name of its series."""


def without_repetitions(cards: Sequence[ClaimCard]) -> Sequence[ClaimCard]:
    """The claims without those that repeat a wrong one: who says a wrong value again is no witness for it."""
    wrong = {_statement(card) for card in cards if card.verdict == "wrong"}
    return [card for card in cards if card.verdict == "wrong" or _statement(card) not in wrong]


def _statement(card: ClaimCard) -> tuple[object, ...]:
    """What a claim says, whoever says it."""
    stated = sorted(stated_conditions(card.conditions).items())
    subjects = tuple(sorted(one.id for one in card.subjects))
    return subjects, bare(card.metric), bare(card.figure.unit), card.figure.values, card.relation, tuple(stated)


def as_the_text_has_it(
    figure: TextFigure, card: ClaimCard, verdict: Verdict, *, is_sparse: bool
) -> tuple[Verdict, str, str | None]:
    """Verdict, reason and value to use of the claim that a figure is matched with, with what the text has otherwise than it.

    `is_sparse`: the claim gives a rate with sparsity.
    """
    verdict, reason, value = _as_printed(figure, card, verdict)
    if is_sparse:
        verdict, reason, value = _as_sparse(figure, card, verdict, reason, value)
    if not figure.is_denied or card.polarity == "negated":
        return verdict, reason, value
    if verdict == "wrong":  # who denies what is refuted is right
        return "unverified", f"the sentence denies it, as does what is known: {reason}", None
    return "caution", f"the sentence denies what is stated: {reason}", None


def as_attributed(figure: TextFigure, cards: Sequence[ClaimCard], verdict: Verdict, reason: str) -> tuple[Verdict, str]:
    """Verdict and reason, where the text names somebody who says the figure: one who is not known to say so is a caution.

    A data sheet that is cited is what its maker says.
    """
    if figure.speaker is None or verdict not in ("confirmed", "unverified"):
        return verdict, reason
    said_by = [one for card in cards for one in (card.asserted_by, card.attributed_to, card.source, *card.path) if one]
    # the reason of a verdict names whom it follows: who cites a data sheet repeats its maker
    if any(one.id == figure.speaker for one in said_by) or figure.speaker_printed.casefold() in reason.casefold():
        return verdict, reason
    others = dict.fromkeys(card.asserted_by.name for card in cards)
    who = f"{next(iter(others))} does" if len(others) == 1 else f"{len(others)} others do"
    return "caution", f"{figure.speaker_printed} is not known to say so, {who}: {reason}"


def _as_printed(figure: TextFigure, card: ClaimCard, verdict: Verdict) -> tuple[Verdict, str, str | None]:
    """The same by the print alone: the value to use itself, a sum that is said of each, another bound."""
    reason, value = card.verdict_reason, card.value_to_use
    # in this order: a sum is no value of one device, even where it has a value to use
    if is_of_several(figure, card):
        return _divided(figure, card)
    if _is_put_right(figure, card):
        return "unverified", f"the value to use in place of {card.worded}, which {card.id} prints", value
    if verdict in ("confirmed", "unverified", "caution") and (stated := _stated_otherwise(figure, card)):
        return "caution", f"{card.worded} is stated {stated}: {reason}", value
    if figure.is_mean and _is_rating(card) and verdict in ("confirmed", "unverified", "caution"):
        return (
            "caution",
            f"{card.worded} is a rating, the most that it may draw, no average and nothing measured: {reason}",
            None,
        )
    if _is_other_bound(figure, card) and verdict in ("confirmed", "unverified", "caution"):
        itself = " itself" if card.figure.hedge is None else ""
        return (
            "caution",
            f"{card.worded}{itself} is stated, not {(figure.hedge or '').replace('-', ' ')} it: {reason}",
            value,
        )
    return verdict, reason, value


def _as_sparse(
    figure: TextFigure, card: ClaimCard, verdict: Verdict, reason: str, value: str | None
) -> tuple[Verdict, str, str | None]:
    """The same of a claim of a rate with sparsity, where the text says that it is the dense one, or does not say."""
    stated = figure.conditions.get("sparsity")
    if stated == "sparse" or verdict not in ("confirmed", "unverified", "caution"):
        return verdict, reason, value
    values = values_of_number(figure.number)
    half = f"{float(values[0]) / 2:,.4g} {figure.unit}" if len(values) == 1 else None
    if stated == "dense":
        return "wrong", f"a figure with sparsity, twice the dense one, and the text says without: {reason}", half
    if verdict == "caution":
        return verdict, reason, value
    without = f", {half} without" if half is not None else ""
    said = f"the rate with sparsity{without}, and the text does not say which: {reason}"
    return "caution", said, f"{card.figure.shown} {WITH_SPARSITY}"


def _stated_otherwise(figure: TextFigure, card: ClaimCard) -> str | None:
    """What a claim says of a ratio that the text leaves open or has otherwise: the phase, the metric, another family."""
    if figure.relation not in RATIO_RELATIONS:
        return None
    metric = (bare(card.metric) or "").replace("-", " ")
    if is_phase_open(figure, card):
        return f"as {metric}, which is not said here"
    # a telling print is matched with any metric: of another than reading offers it is no confirmation
    if figure.metrics and metric_rank(figure, card) is None:
        return f"as {metric}"
    named = figure.baselines[0].value if figure.baselines else None
    if card.baseline is None or named is None or named == card.baseline.id:
        return None
    are_families = card.baseline.id.startswith(_FAMILY) and named.startswith(_FAMILY)
    return f"against {card.baseline.name}" if are_families else None


def _is_rating(card: ClaimCard) -> bool:
    """Whether a claim gives the power that a thing is built for: a data sheet does, a measurement does not."""
    return bare(card.metric) == "power" and card.kind == "specification" and card.statistic != "mean"


def _is_other_bound(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether a text says "more than" of the very value of a claim, or of what the claim says "less than"."""
    bounds = (STRICT_LOWER, STRICT_UPPER)
    side = next((one for one in bounds if figure.hedge in one), None)
    return (
        side is not None
        and not figure.is_denied
        and same_value(figure, card)
        and (card.figure.hedge is None or any(card.figure.hedge in one for one in bounds if one is not side))
    )


def speaking_of(figure: TextFigure, same: list[ClaimCard]) -> list[ClaimCard]:
    """Without claims of several devices, or that are put right to this very figure, where another says just what the text says."""
    plain = [card for card in same if not is_of_several(figure, card) and not _is_put_right(figure, card)]
    return plain or same


def _is_put_right(figure: TextFigure, card: ClaimCard) -> bool:
    """Whether the value to use in place of a claim is the figure itself."""
    number, _, unit = (card.value_to_use or "").partition(" ")
    if unit.endswith(WITH_SPARSITY) and figure.conditions.get("sparsity") == "sparse":
        unit = unit.removesuffix(WITH_SPARSITY).rstrip()
    plain = number.replace(",", "")
    is_number = plain.replace(".", "", 1).isdecimal()
    return unit == figure.unit and is_number and (Fraction(plain),) == values_of_number(figure.number)


def _divided(figure: TextFigure, card: ClaimCard) -> tuple[Verdict, str, str | None]:
    """The same of a figure that the text says of each device, and the claim of several together."""
    count = devices_of(card)
    # without a number of devices there is nothing to divide by: only that the basis is another is known
    if count is None:
        of = card.level if card.normaliser == "unstated" else card.normaliser.replace("-", " ").removeprefix("per ")
        return "caution", f"{card.figure.shown} is stated of one {of}, not per {figure.per} [{card.id}]", None
    # a superchip has one accelerator or two
    is_known = len(card.figure.values) == 1 and figure.per != "superchip"
    value = f"{card.figure.values[0] / count:,.6g} {figure.unit}" if is_known else None
    reason = f"{card.figure.shown} is the sum of {count:g} accelerators, not the figure per {figure.per} [{card.id}]"
    return "wrong", reason, value
