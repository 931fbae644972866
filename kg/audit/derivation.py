"""Whether a printed result follows from its inputs: a formula and quantities in canonical units in, one verdict out.

`kg.audit.recompute` calls it for every derivation of a claim, `kg.answers` for arithmetic in a text. Printed numbers are
intervals, a stated computation is judged, a reconstructed one is at most unsupported, and a mean of ratios is not a ratio
of means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.explanation import BUDGET, SlipExplanation, explain
from kg.audit.hypotheses import whole_numbers
from kg.audit.surroundings import Surroundings
from kg.audit.wording import text_of
from kg.errors import ModelError
from kg.model.expression import DivisionByZero, Expression, ExpressionName, Node, Operation
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord, DerivationRecord

RESTS_ON = "rests-on"
VerdictCode = Literal[
    "consistent",
    "within-rounding",
    "inconsistent",
    "aggregation-ambiguous",
    "not-checkable",
    "not-supported",
    "input-refuted",
]
Reason = Literal[
    "as-printed",
    "rounding-of-inputs",
    "touching-edge",
    "truncation",
    "disjoint",
    "missing",
    "division",
    "unlike-counts",
    "dimensions",
    "binary-count",
    "denied",
]
FITTING: Final = ("consistent", "within-rounding")
"""The verdicts of a result that its inputs give."""


@dataclass(frozen=True, slots=True)
class CheckedDerivation:
    """How a result is computed; ``stated_by_text`` tells a computation the text shows from one we reconstruct."""

    expression: str
    stated_by_text: bool = True
    surroundings: Surroundings | None = None
    factor: Fraction = Fraction(1)
    """Leads from what the expression gives in canonical units to the canonical unit of the result: 1/3600 for USD/h
    over token/s."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one derivation; figures in canonical units.

    ``computed`` uses the inputs exactly as printed, ``interval`` lets them vary. ``corrected`` is there only where the
    result is inconsistent. ``wide_fits`` says that reading trailing zeros as rounded would acquit the result; it never
    changes the verdict.
    """

    verdict: VerdictCode
    reason: Reason
    text: str
    computed: Fraction | None = None
    interval: Interval | None = None
    corrected: Fraction | None = None
    approximate: bool = False
    explanations: tuple[SlipExplanation, ...] = ()
    missing: tuple[str, ...] = ()
    wide_fits: bool = False


NO_FIT = "no inputs that print like these give the printed result"
NOT_GIVEN = "the rows used do not give the printed result"
_WIDE_FITS = "; reading its trailing zeros as rounded would make it fit"


def computations(record: ClaimRecord) -> Iterator[tuple[int, DerivationRecord]]:
    """The derivations of a claim that compute it, each with its position, counted from 1; a conclusion computes nothing."""
    for position, given in enumerate(record.get("derivations") or (), 1):
        if given["expression"] != RESTS_ON:
            yield position, given


def blaming(verdict: Verdict, cause: str) -> Verdict:
    """An inconsistent verdict whose result is not to blame: neither a corrected value nor a slip of the result follows."""
    wide = _WIDE_FITS if verdict.wide_fits else ""
    return replace(verdict, text=f"{NO_FIT}; {cause}{wide}", corrected=None, explanations=())


def judge(
    derivation: CheckedDerivation,
    result: ExplainedQuantity | None,
    inputs: Mapping[str, ExplainedQuantity | None],
    *,
    is_explained: bool = True,
) -> Verdict:
    """Compare a printed result with what its inputs give.

    Without `is_explained` nothing is looked for that would explain a result which does not fit, and the text names no cause:
    the search takes longer than all the rest, and who asks whether a result fits needs none.

    >>> def printed(label: str, text: str, *, mean: bool = False, unit: str | None = None) -> ExplainedQuantity:
    ...     value, half = Fraction(text), Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    ...     return ExplainedQuantity(label, value, value - half, value + half, is_mean=mean, unit=unit)
    >>> verdict = judge(CheckedDerivation("total / accelerators"), printed("per accelerator", "72428.00"),
    ...                 {"total": printed("total", "289712.00"),
    ...                  "accelerators": printed("accelerators", "72.0", mean=True, unit="count")})
    >>> verdict.verdict, round(verdict.computed, 2) == Fraction("4023.78"), verdict.explanations[0].code
    ('inconsistent', True, 'divisor.per-node')
    """
    if derivation.expression == RESTS_ON:
        raise ModelError("is a conclusion, not a computation.", field="expression", given=RESTS_ON)
    expression = Expression.parse(derivation.expression)
    known = {name: q for name in expression.names if (q := inputs.get(name)) is not None and _has_number(q)}
    missing = tuple(name for name in expression.names if name not in known)
    if result is None or not _has_number(result):
        missing = (*missing, "result")
    if missing or result is None:
        return Verdict("not-checkable", "missing", f"missing: {', '.join(missing)}", missing=missing)
    return _judge_complete(derivation, expression, result, known, is_explained=is_explained)


def _judge_complete(
    derivation: CheckedDerivation,
    expression: Expression,
    result: ExplainedQuantity,
    known: dict[str, ExplainedQuantity],
    *,
    is_explained: bool,
) -> Verdict:
    """The verdict where the result and every input have a number."""
    try:
        computed = _compute(expression, known, derivation.factor)
    except DivisionByZero:
        return Verdict("not-checkable", "division", "a divisor is zero as printed")
    # All that inputs which print like these can give. Where an input occurs twice the interval may
    # come out too wide, never too narrow: a wrong result may pass, a right one is not convicted.
    interval = expression.evaluate_intervals({name: q.interval for name, q in known.items()}).scaled(derivation.factor)
    fit = _fit(computed, interval, result)
    if fit is not None:
        verdict: VerdictCode = "consistent" if fit == "as-printed" else "within-rounding"
        return Verdict(verdict, fit, _FITS[fit], computed, interval)
    disjoint = _Disjoint(derivation, expression, result, known, computed, interval)
    return disjoint.verdict(is_explained=is_explained)


_FITS: dict[Reason, str] = {
    "as-printed": "the inputs as printed give the printed result",
    "rounding-of-inputs": "the result fits once the inputs vary within their own rounding",
    "touching-edge": "the result and what the inputs allow share one edge",
    "truncation": "the result is cut off after its last digit, not rounded",
}


@dataclass(frozen=True, slots=True)
class _Disjoint:
    """A result that shares no value with what its inputs give."""

    derivation: CheckedDerivation
    expression: Expression
    result: ExplainedQuantity
    inputs: dict[str, ExplainedQuantity]
    computed: Fraction | None
    interval: Interval

    def verdict(self, *, is_explained: bool) -> Verdict:
        """Tell a wrong result from averages that do not divide, and from a reconstruction that uses other rows."""
        result, computed, interval = self.result, self.computed, self.interval
        wide_fits = _has_wide(result) and interval.overlaps(Interval(result.wide_lower, result.wide_upper))
        wide = _WIDE_FITS if wide_fits else ""
        # the mean of quotients is not the quotient of means: no printed digit is wrong, unless one exact divisor explains
        # all
        means = self.expression, result, self.inputs
        if _mixes_means(*means) and not _has_other_divisor(*means):
            text = f"a mean of ratios may have been compared with a ratio of means: the columns may be averaged separately{wide}"
            return Verdict("aggregation-ambiguous", "disjoint", text, computed, interval, wide_fits=wide_fits)
        is_stated = self.derivation.stated_by_text
        # whether a round count means a power of two decides the verdict itself
        explanations = self.explanations() if is_explained or (wide_fits and is_stated) else ()
        cause = f"; {explanations[0].text}" if explanations and is_explained else ""
        # a computation that curators reconstructed may be the wrong one: it cannot convict the text
        if not is_stated:
            text = f"{self.given}{cause}{wide}"
            return Verdict(
                "not-supported", "disjoint", text, computed, interval, explanations=explanations, wide_fits=wide_fits
            )
        # "128k" tokens are 131,072: round in binary, so that the trailing zeros are rounding after all
        if wide_fits and explanations and explanations[0].code == "factor.1024":
            text = "a round decimal count means a power of two"
            return Verdict("within-rounding", "binary-count", text, computed, interval, wide_fits=wide_fits)
        approximate = any(not q.exact for q in self.inputs.values())
        text = f"{NO_FIT}{cause}{wide}"
        return Verdict(
            "inconsistent",
            "disjoint",
            text,
            computed,
            interval,
            computed,
            approximate,
            explanations,
            wide_fits=wide_fits,
        )

    @property
    def given(self) -> str:
        """What the rows of a reconstructed computation give, in words."""
        if self.result.relation == "absolute" or self.computed is None:
            return NOT_GIVEN
        return f"the rows used give {text_of(self.computed)}, not the printed result"

    def explanations(self) -> tuple[SlipExplanation, ...]:
        """The slips that would print the result."""
        around, factor = self.derivation.surroundings, self.derivation.factor
        return explain(self.expression, self.result, self.inputs, surroundings=around, factor=factor)


def _has_number(quantity: ExplainedQuantity) -> bool:
    return quantity.value is not None or quantity.lower is not None or quantity.upper is not None


def _has_wide(quantity: ExplainedQuantity) -> bool:
    return (quantity.wide_lower, quantity.wide_upper) != (quantity.lower, quantity.upper) and (
        quantity.wide_lower is not None or quantity.wide_upper is not None
    )


def _compute(expression: Expression, inputs: dict[str, ExplainedQuantity], factor: Fraction) -> Fraction | None:
    """The result for the inputs exactly as printed; None where an input is a range."""
    values = {name: q.value for name, q in inputs.items() if q.value is not None}
    if len(values) < len(inputs):
        return None
    computed = expression.evaluate(values)
    return computed if factor == 1 else computed * factor


def _fit(computed: Fraction | None, interval: Interval, result: ExplainedQuantity) -> Reason | None:
    """How the result fits, the plainest way first, or None if it does not."""
    printed = result.interval
    # without a single value (an input is a range) the result fits only if all
    # that is possible prints like it
    if printed.contains(computed) if computed is not None else printed.includes(interval):
        return "as-printed"
    # before edge and rounding of inputs: a figure that is cut off needs neither to be explained
    if computed is not None and not result.exact and _truncates_to(computed, result):
        return "truncation"
    if interval.touches(printed):
        return "touching-edge"
    return "rounding-of-inputs" if interval.overlaps(printed) else None


def _truncates_to(computed: Fraction, result: ExplainedQuantity) -> bool:
    """Whether cutting the computed value off after the last printed digit gives the printed one."""
    if result.value is None or not result.place or not result.interval.is_bounded:
        return False
    if result.printed is not None and result.printed.hedge == "nearly":
        return False  # what was cut off would lie above a figure that is said not to be reached
    shown, value = (result.as_printed(Interval.exactly(v)).lower for v in (computed, result.value))
    # in the printed form: of an increase the digits of the change are
    # cut off, not those of the ratio
    if shown is None or value is None or shown * value < 0:
        return False
    return abs(value) <= abs(shown) < abs(value) + result.place


def _mixes_means(expression: Expression, result: ExplainedQuantity, inputs: dict[str, ExplainedQuantity]) -> bool:
    """Whether averages are multiplied or divided with one another, so that the order of averaging matters.

    Only an average can have been averaged in another order: a result that a text forms from averages is formed once.
    Exact numbers are the same in every averaged row, counts among them.
    """
    if not result.is_mean:
        return False
    return _joins(expression.root, {name for name, q in inputs.items() if q.is_mean or not q.exact})


def _joins(node: Node, varying: set[str]) -> bool:
    """Whether what varies from row to row is multiplied, divided, or divided by.

    >>> [_joins(Expression.parse(text).root, {"a", "b"}) for text in ("a * b", "a / b", "n / a", "a / n", "n * a", "n + 1 / a")]
    [True, True, True, False, False, True]
    """
    if not isinstance(node, Operation):
        return False
    sides = [set(Expression("", side).names) & varying for side in (node.left, node.right)]
    # the mean of x * y or of x / y is not that of x times or over that of y
    if node.operator in "*/" and all(sides):
        return True
    # nor is the mean of 1 / y one over the mean of y: a varying divisor alone is enough
    if node.operator == "/" and sides[1]:
        return True
    return _joins(node.left, varying) or _joins(node.right, varying)


def _has_other_divisor(expression: Expression, result: ExplainedQuantity, inputs: dict[str, ExplainedQuantity]) -> bool:
    """Whether total over result is a whole number, and too narrow to be one by chance.

    It is another number than the stated count, for with that one the result would fit.
    """
    quotient = expression.as_quotient()
    if quotient is None or not isinstance(quotient[1], ExpressionName) or not inputs[quotient[1].name].is_count:
        return False
    total = Expression("", quotient[0]).evaluate_intervals({name: q.interval for name, q in inputs.items()})
    # a column divided by the 4 accelerators of a node gives exactly 4 here, however it was averaged
    divisor = total / result.interval
    # an interval of width w holds a whole number by chance with probability w: the budget of all explanations
    narrow = divisor.width is not None and divisor.width < BUDGET
    return narrow and any(n >= 1 for n in whole_numbers(divisor))
