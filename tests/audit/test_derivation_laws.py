"""Laws of the audit over generated triples: nothing rounded correctly is accused, slips are found and named.

All draws come from one seeded generator, so that a failure repeats. Figures are printed as text and read back, so that
the reader of printed numbers is part of what is tested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

from kg.audit.derivation import CheckedDerivation, Verdict, judge
from kg.audit.explained_quantity import ExplainedQuantity
from kg.audit.surroundings import Surroundings
from kg.model.printed import Relation, read_printed
from kg.model.units import UnitTable
from tests.sampling import FURTHER

DIGITS = range(2, 7)
Slip = Callable[["Draw"], "tuple[Fraction, Fraction] | None"]


def draw_number(random: Random, digits: int) -> Fraction:
    """Twelve digits, with fewer of them before the point than will be printed."""
    return Fraction(random.randrange(10**11, 10**12) * 10 ** random.randrange(digits), 10**11)


def magnitude(value: Fraction) -> int:
    power = 0
    while value >= 10**power * 10:
        power += 1
    while value < Fraction(10) ** power:
        power -= 1
    return power


def show(value: Fraction, digits: int, *, cut: bool = False) -> str:
    """Print with so many significant digits, rounded half up or cut off; whole numbers are never shortened."""
    decimals = max(0, digits - 1 - magnitude(abs(value)))
    units = int(abs(value) * 10**decimals + (0 if cut else Fraction(1, 2)))
    text = str(units).rjust(decimals + 1, "0")
    sign = "-" if value < 0 and units else ""
    return f"{sign}{text[:-decimals]}.{text[-decimals:]}" if decimals else f"{sign}{text}"


@dataclass(frozen=True)
class Figures:
    """Makes quantities out of printed text."""

    table: UnitTable

    def __call__(self, text: str, unit: str | None = None, relation: Relation = "absolute") -> ExplainedQuantity:
        number = read_printed(text, unit=unit, table=self.table)
        return ExplainedQuantity.from_printed(text, number, table=self.table, relation=relation)


@pytest.fixture(scope="module")
def figures(table: UnitTable) -> Figures:
    return Figures(table)


def draws(few: int, many: int) -> pytest.MarkDecorator:
    """How often is drawn: few times in an ordinary run, many in the long one."""
    return pytest.mark.parametrize("times", [few, pytest.param(many, marks=FURTHER)], ids=["few", "many"])


@draws(1000, 10_000)
def test_correctly_rounded_results_are_never_inconsistent(figures: Figures, times: int) -> None:
    random, verdicts = Random(20250820), Counter[str]()
    while verdicts.total() < times:
        verdict = judge_correct(random, figures)
        if verdict is not None:
            verdicts[verdict.verdict] += 1
    assert set(verdicts) == {"consistent", "within-rounding"}, verdicts
    assert verdicts["consistent"] > verdicts["within-rounding"] > times / 10


def judge_correct(random: Random, figures: Figures) -> Verdict | None:
    """One triple whose result is computed before or after rounding the inputs, and then rounded or cut off."""
    digits = [random.randrange(2, 7) for _ in range(3)]
    a, b = (draw_number(random, d) for d in digits[:2])
    printed_a, printed_b = show(a, digits[0]), show(b, digits[1])
    mode = random.choice(["before", "after", "cut"])
    if mode != "before":
        a, b = Fraction(printed_a), Fraction(printed_b)
    forms: dict[str, tuple[str, Fraction, Relation, str | None]] = {
        "quotient": ("a / b", a / b, "absolute", None),
        "product": ("a * b", a * b, "absolute", None),
        "sum": ("a + b", a + b, "absolute", None),
        "difference": ("a - b", a - b, "absolute", None),
        "twice": ("(a - b) / b", a / b - 1, "absolute", None),
        "ratio": ("a / b", a / b, "ratio", "1"),
        "increase": ("a / b", (a / b - 1) * 100, "increase", "%"),
        "decrease": ("a / b", (1 - a / b) * 100, "decrease", "%"),
        "times-less": ("a / b", b / a, "times-less", "1"),
        "share-of": ("a / b", a / b * 100, "share-of", "%"),
    }
    expression, value, relation, unit = random.choice(list(forms.values()))
    text = show(value, digits[2], cut=mode == "cut") if value else "0"
    if not Fraction(text):
        return None
    inputs = {"a": figures(printed_a), "b": figures(printed_b)}
    return judge(CheckedDerivation(expression), figures(text, unit, relation), inputs)


@dataclass(frozen=True)
class Draw:
    """What a slip may use: exact inputs, and choices of its own."""

    random: Random
    a: Fraction
    b: Fraction
    digits: int
    per_node: int
    nodes: int


@dataclass(frozen=True)
class Cause:
    """A slip to inject: it gives the right and the wrong number in the form that is printed."""

    slip: Slip
    relation: Relation = "absolute"
    unit: str | None = None
    inputs_unit: str | None = None
    counts: bool = False
    surroundings: Callable[[Draw, ExplainedQuantity], Surroundings] | None = None


def transpose(draw: Draw) -> tuple[Fraction, Fraction] | None:
    text = show(draw.a / draw.b, draw.digits)
    pairs = [i for i in range(len(text) - 1) if text[i] != text[i + 1] and (text[i] + text[i + 1]).isdigit()]
    if not pairs:
        return None
    i = draw.random.choice(pairs)
    return draw.a / draw.b, Fraction(text[:i] + text[i + 1] + text[i] + text[i + 2 :])


def other_row(draw: Draw) -> tuple[Fraction, Fraction]:
    return draw.a / draw.b, draw_number(draw.random, draw.digits)


def known_node(draw: Draw, _result: ExplainedQuantity) -> Surroundings:
    return Surroundings(accelerators_per_node=draw.per_node, nodes=draw.nodes, accelerators_per_superchip=2)


CAUSES: dict[str, Cause] = {
    "divisor.per-node": Cause(lambda d: (d.a / d.b, d.a / d.per_node), counts=True, surroundings=known_node),
    "divisor.nodes": Cause(lambda d: (d.a / d.b, d.a / d.nodes), counts=True, surroundings=known_node),
    "divisor.per-superchip": Cause(lambda d: (d.a / d.b, d.a / d.b * 2), counts=True, surroundings=known_node),
    "divisor.other": Cause(lambda d: (d.a / d.b, d.a / d.random.randrange(9, 60)), counts=True),
    "factor.1000": Cause(lambda d: (d.a / d.b, d.a / d.b * d.random.choice((1000, Fraction(1, 1000))))),
    "factor.1024": Cause(
        lambda d: (d.a / d.b, d.a / d.b * d.random.choice((1024, Fraction(1024, 1000), Fraction(1024, 1000) ** 3))),
        unit="byte",
    ),
    "operands.swapped": Cause(lambda d: (d.a / d.b, d.b / d.a), "ratio", "1"),
    "percent.of-ratio": Cause(lambda d: ((d.a / d.b - 1) * 100, d.a / d.b * 100), "increase", "%"),
    "percent.other-base": Cause(lambda d: ((d.a / d.b - 1) * 100, (1 - d.b / d.a) * 100), "increase", "%"),
    "percentage-points": Cause(lambda d: ((d.a / d.b - 1) * 100, d.a - d.b), "increase", "%", inputs_unit="%"),
    "increment.as-ratio": Cause(lambda d: (d.a / d.b, d.a / d.b - 1), "ratio", "1"),
    "ratio.as-increment": Cause(lambda d: (d.a / d.b - 1, d.a / d.b), "increase", "1"),
    "digits.transposed": Cause(transpose),
    "baseline.missing": Cause(lambda d: (d.a / d.b, d.a)),
    "sparse.dense": Cause(
        lambda d: (d.a / d.b, d.a / d.b * 2), surroundings=lambda _d, _r: Surroundings(may_be_sparse=True)
    ),
    "multi-card-total": Cause(lambda d: (d.a / d.b, d.a / d.b * 8), surroundings=lambda _d, _r: Surroundings(cards=8)),
    "neighbour.value": Cause(other_row, surroundings=lambda _d, r: Surroundings(neighbours=(r,))),
    "other.subject": Cause(other_row, surroundings=lambda _d, r: Surroundings(other_subjects=(r,))),
}


def inject(random: Random, cause: Cause, digits: int, figures: Figures) -> Verdict | None:
    """A triple with this slip, if it changes the result by more than 1 %."""
    a, b = draw_number(random, digits), draw_number(random, digits)
    per_node, nodes = random.choice((4, 8)), random.randrange(2, 40)
    if cause.counts:
        b = Fraction(per_node * nodes)
    printed_a, printed_b = show(a, digits), show(b, digits)
    if random.random() < 0.5:
        a, b = Fraction(printed_a), Fraction(printed_b)
    draw = Draw(random, a, b, digits, per_node, nodes)
    values = cause.slip(draw)
    if values is None or min(values) <= 0 or abs(values[1] / values[0] - 1) <= Fraction(1, 100) or per_node == nodes:
        return None
    text = show(values[1], digits)
    result = figures(text, cause.unit, cause.relation)
    if not result.value:
        return None
    around = cause.surroundings(draw, result) if cause.surroundings else None
    divisor = ExplainedQuantity.constant("n", b, "count:gpu") if cause.counts else figures(printed_b, cause.inputs_unit)
    inputs = {"a": figures(printed_a, cause.inputs_unit), "b": divisor}
    return judge(CheckedDerivation("a / b", surroundings=around), result, inputs)


def injected(figures: Figures, digits: int, times: int) -> Iterator[tuple[str, Verdict]]:
    random = Random(digits)
    for name, cause in CAUSES.items():
        made = 0
        while made < times:
            verdict = inject(random, cause, digits, figures)
            if verdict is not None:
                made += 1
                yield name, verdict


@draws(12, 40)
def test_injected_slips_are_found_and_their_cause_comes_first(figures: Figures, times: int) -> None:
    """Two-digit figures prove less: a slip of a few per cent drowns in rounding, and many causes fit by chance."""
    found: dict[int, float] = {}
    first: dict[int, float] = {}
    for digits in DIGITS:
        drawn = list(injected(figures, digits, times))
        wrong = [(name, verdict) for name, verdict in drawn if verdict.verdict == "inconsistent"]
        named = [name for name, verdict in wrong if verdict.explanations and verdict.explanations[0].code == name]
        found[digits], first[digits] = len(wrong) / len(drawn), len(named) / len(wrong)
    print(f"\nfound by digits {found}\nnamed first by digits {first}")
    assert sum(found.values()) / len(found) >= 0.99
    assert all(found[digits] >= 0.99 for digits in DIGITS if digits > 2)
    assert found[2] >= 0.94
    assert sum(first.values()) / len(first) >= 0.90
    assert all(first[digits] >= 0.98 for digits in DIGITS if digits > 3)
    assert first[3] >= 0.90
    assert first[2] >= 0.70


def test_every_slip_missed_could_have_been_rounding(figures: Figures) -> None:
    for digits in (2, 3):
        for name, verdict in injected(figures, digits, 10):
            assert verdict.verdict in ("inconsistent", "within-rounding", "consistent"), name
            if verdict.verdict != "inconsistent":
                assert verdict.reason != "disjoint"


@pytest.mark.parametrize("digits", DIGITS)
@draws(160, 800)
def test_chance_fits_an_explanation_in_under_five_percent(digits: int, figures: Figures, times: int) -> None:
    """Three figures drawn apart from one another, the result in the decade of the computed one or near it."""
    random, disjoint, explained = Random(100 + digits), 0, Counter[str]()
    while disjoint < times:
        verdict = judge_random(random, digits, figures)
        if verdict is not None and verdict.verdict == "inconsistent":
            disjoint += 1
            explained.update(explanation.code for explanation in verdict.explanations[:1])
    print(f"\nchance explains {explained.total() / disjoint:.4f} of {digits} digits: {explained}")
    assert explained.total() / disjoint < 0.05


def judge_random(random: Random, digits: int, figures: Figures) -> Verdict | None:
    a, b, mantissa = (draw_number(random, digits) for _ in range(3))
    shift = random.choice((0, 0, 0, 0, 1, -1, 2, -2, 3, -3))
    value = mantissa / Fraction(10) ** magnitude(mantissa) * Fraction(10) ** (magnitude(a / b) + shift)
    forms: list[tuple[Relation, str | None]] = [
        ("absolute", None),
        ("ratio", "1"),
        ("increase", "%"),
        ("decrease", "%"),
    ]
    relation, unit = random.choice(forms)
    result = figures(show(value, digits), unit, relation)
    counts = relation == "absolute" and random.random() < 0.5
    beside = tuple(figures(show(draw_number(random, digits), digits)) for _ in range(3))
    around = Surroundings(may_be_sparse=True, cards=4, neighbours=beside) if random.random() < 0.3 else None
    divisor = ExplainedQuantity.constant("n", random.randrange(2, 200), "count") if counts else figures(show(b, digits))
    if not result.value or not divisor.value:
        return None
    return judge(CheckedDerivation("a / b", surroundings=around), result, {"a": figures(show(a, digits)), "b": divisor})


def test_the_same_input_gives_the_same_verdict(figures: Figures) -> None:
    first, second = (list(injected(figures, 4, 2)) for _ in range(2))
    assert first == second
