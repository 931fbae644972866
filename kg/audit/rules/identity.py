"""Values bridged by an identity: rent of a server and of a card hour, compute over power, a ratio and its two sides."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Final

from kg.audit.derivation import computations
from kg.audit.finding import Finding
from kg.audit.normalisers import normalisers, same_normaliser
from kg.audit.rules.facts import PRIOR, Facts, compatible, is_gap, is_ratio, is_single, known
from kg.audit.rules.part import ALWAYS, RATIO, SINGLE, AuditPart, Scope
from kg.audit.wording import amount_of, printed_figure, text_of
from kg.model.derived import CanonicalFigure
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord

HOURS: Final = Fraction(2_629_746, 3600)
"""Hours of a month: a twelfth of the mean Gregorian year."""
IN_AN_HOUR: Final = {"money-usd-rate": Fraction(1), "money-usd-month": HOURS}
"""The hours that a price is for, by the kind of its unit."""
SIDES: Final = (
    "memory-bandwidth",
    "memory-capacity",
    "peak-compute",
    "power",
    "rental-price",
    "purchase-price",
    "transistors",
    "parameters",
    "memory-stacks",
)
SCOPE: Final = ("model", "precision", "region", "customer", "period", "date", "phase", "workload")
MANY: Final = 16
VALUES: Final = 6
"""This many different values of one thing are looked at."""
Side = tuple[CanonicalFigure, ClaimRecord]
COMPOSITE: Final = {"memory-performance": ("memory-bandwidth", "memory-capacity")}
"""Metrics that a text uses for any of several others."""
ORDERS: Final = {"higher": Interval(Fraction(1), None), "lower": Interval(None, Fraction(1))}


def _rented(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    # each rent is converted to a card and hour, also where nothing else is known of its series
    yield facts.root(claim["subject"]), ALWAYS if claim["metric"] == "rental-price" else "cost"


def _rents(facts: Facts) -> Iterator[Finding]:
    """Rent of a card in an hour, from the month of its server; set against cost of ownership and single cards."""
    rents = [
        (figure.value / cards / IN_AN_HOUR[figure.kind], claim)
        for claim, figure in facts.figured(facts.by_metric.get("rental-price", ()))
        if (cards := _cards(facts, claim)) and figure.kind in IN_AN_HOUR
    ]
    costs = [
        (figure, claim)
        for claim, figure in facts.figured(facts.by_metric.get("tco", ()))
        if "per-gpu-hour" in normalisers(claim) and figure.kind == "money-usd-rate"
    ]
    for value, claim in rents:
        yield Finding(
            "identity.card-hour",
            "derived",
            "info",
            f"comes to {text_of(value)} USD per card and hour",
            ((claim["id"], "rent"),),
            computed=value,
            unit="USD/h",
        )
        if costs:  # the lowest is the mildest objection: what is below it is below all
            cost = min(costs, key=lambda one: (one[0].value, one[1]["id"]))
            yield from _below_cost(claim, value, *cost)
    yield from _single_cards(facts, rents)


def _below_cost(rent: ClaimRecord, value: Fraction, figure: CanonicalFigure, cost: ClaimRecord) -> Iterator[Finding]:
    """A card that is let for less in an hour than owning it is said to cost."""
    if figure.lower is not None and value < figure.lower:
        yield Finding(
            "identity.rent-below-cost",
            "tension",
            "warning",
            f"{text_of(value)} USD per card and hour is less than the {text_of(figure.value)} USD that owning the same chip is said to cost",
            ((rent["id"], "rent"), (cost["id"], "cost of ownership")),
            computed=value,
            unit="USD/h",
        )


def _cards(facts: Facts, claim: ClaimRecord) -> int | None:
    count = facts.registry.get(claim["subject"], {}).get("count")
    if isinstance(count, int):
        return count
    return 1 if claim["level"] == "accelerator" and "per-chip" in normalisers(claim) else None


def _single_cards(facts: Facts, rents: Sequence[tuple[Fraction, ClaimRecord]]) -> Iterator[Finding]:
    """One card dearer than its share of a server, by the same seller."""
    servers = [one for one in rents if one[1]["level"] == "node"]
    for value, card in rents:
        if card["level"] != "accelerator":
            continue
        dearer = [
            (share, server)
            for share, server in servers
            if server["asserted_by"] == card["asserted_by"]
            and 0 < share < value
            and card["subject"] in facts.lineage(server["subject"])
        ]
        for share, server in dearer[:MANY]:
            yield Finding(
                "identity.card-against-server",
                "explained",
                "info",
                f"a single card costs {text_of(100 * (value / share - 1))} % more than its share of the server",
                ((card["id"], "single card"), (server["id"], "server")),
                computed=value / share,
                unit="1",
            )


def _powered(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if claim["metric"] != "energy-efficiency" or "derivations" not in claim:
        yield f"{claim['source']}|{claim['subject']}", claim["metric"] == "energy-efficiency"


def _per_power(facts: Facts) -> Iterator[Finding]:
    """Compute per power against the compute and the power of the same text."""
    # per chip or unsaid, which a specification of a chip means (decision 8)
    compute, power = (
        [one for one in facts.by_metric.get(metric, ()) if same_normaliser(one, {"normaliser": "per-chip"})]
        for metric in ("peak-compute", "power")
    )
    for claim in facts.by_metric.get("energy-efficiency", ()):
        yield from _efficiency(facts, claim, compute, power)


def _efficiency(
    facts: Facts, claim: ClaimRecord, compute: Sequence[ClaimRecord], power: Sequence[ClaimRecord]
) -> Iterator[Finding]:
    """One stated compute per power against all quotients of figures in the same format."""
    figure, precision = facts.figure(claim), known(claim, "precision")
    # compute differs by a factor of two per halving of the format: of another format it would prove nothing
    alike = [one for one in compute if precision is not None and known(one, "precision") == precision]
    quotients = [
        (a.value / b.value, one, two)
        for one, two in product(alike, power)
        if (a := facts.figure(one)) is not None and (b := facts.figure(two)) is not None and b.value
    ]
    if figure is None or not quotients:
        return
    # one fitting pair is enough, since a text may list several powers (default, largest) for one chip
    holds = any(figure.interval.contains(value) for value, _, _ in quotients)
    value, one, two = quotients[0]
    yield Finding(
        "identity.holds" if holds else "identity.compute-per-power",
        "consistent" if holds else "inconsistent",
        "info" if holds else "violation",
        f"compute over power of the same text gives {amount_of(value, figure.unit)}, printed is {printed_figure(claim)}",
        ((claim["id"], "quotient"), (one["id"], "compute"), (two["id"], "power")),
        computed=value,
        corrected=None if holds else value,
        unit=figure.unit,
    )


def _sided(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if _baseline(claim) is not None:
        if _is_stated(claim):
            yield claim["source"], "ratio"
    elif is_single(claim):
        yield claim["source"], "side"


def _is_stated(claim: ClaimRecord) -> bool:
    """Whether a ratio or an order is stated, and not computed from figures."""
    return (
        (is_ratio(claim) or claim.get("direction") in ORDERS)
        and not is_gap(claim)
        and next(computations(claim), None) is None
    )


def _baseline(claim: ClaimRecord) -> str | None:
    """What a claim compares with: what is called low or high of one accelerator alone is compared with the generation before."""
    if "baseline" in claim or claim.get("direction") not in ORDERS or claim["level"] != "accelerator":
        return claim.get("baseline")
    return PRIOR if claim.get("modality", "stated") in ("stated", "opinion") and "quantity" not in claim else None


def _ratios(facts: Facts) -> Iterator[Finding]:
    """A ratio or an order that nobody derived, against the absolute figures of its two sides in the same text."""
    absolute: dict[tuple[str, str, str], dict[Fraction, Side]] = defaultdict(dict)
    stated: list[ClaimRecord] = []
    for claim in facts.of_metrics(*SIDES, *COMPOSITE):
        if _baseline(claim) is not None:
            stated.append(claim)
        elif (figure := facts.figure(claim)) is not None:
            values = absolute[claim["metric"], facts.root(claim["subject"]), claim["level"]]
            # results tables have thousands of rows of one thing: all pairs of them would be millions
            if len(values) < VALUES:
                values.setdefault(figure.value, (figure, claim))
    for claim in stated:
        subject = facts.root(claim["subject"])
        other = _baseline(claim) or PRIOR
        baseline = _before(facts, subject) if other == PRIOR else facts.root(other)
        level = claim["level"] if other == PRIOR else claim.get("baseline_level", claim["level"])
        above = _sides(absolute, claim, subject, claim["level"])
        below = _sides(absolute, claim, baseline, level)
        if subject != baseline and above and below:
            yield from _ratio(facts, claim, above, below)


Absolute = Mapping[tuple[str, str, str], Mapping[Fraction, Side]]
"""Absolute figures of a text by metric, family and level."""


def _sides(absolute: Absolute, claim: ClaimRecord, thing: str, level: str) -> list[Side]:
    """The figures of one side of a ratio, in the text of the claim."""
    metrics = COMPOSITE.get(claim["metric"], (claim["metric"],))
    return [one for metric in metrics for one in absolute.get((metric, thing, level), {}).values()]


def _succession(facts: Facts, claim: ClaimRecord) -> str | None:
    """What says which generation came before, where a claim only says that there was one."""
    found = facts.references.predecessors.get(facts.root(claim["subject"])) if _baseline(claim) == PRIOR else None
    return None if found is None else found[1].text


def _before(facts: Facts, family: str) -> str:
    """The family that came before one, where that is published."""
    found = facts.references.predecessors.get(family)
    return found[0] if found is not None else PRIOR


def _ratio(facts: Facts, claim: ClaimRecord, above: Sequence[Side], below: Sequence[Side]) -> Iterator[Finding]:
    figure = facts.figure(claim)
    printed = figure.interval if figure is not None else ORDERS.get(str(claim.get("direction")))
    pairs = [
        (a, b, one, two)
        for (a, one), (b, two) in product(above, below)
        if a.kind == b.kind and a.value and b.value and _comparable(claim, one, two)
    ]
    if not pairs or printed is None:
        return
    # spans, not values: two figures rounded to two digits leave their ratio open by a percent
    fitting = next((pair for pair in pairs if (pair[0].interval / pair[1].interval).overlaps(printed)), None)
    a, b, one, two = fitting or pairs[0]
    of_prior = _baseline(claim) == PRIOR
    beside = f" beside {facts.label(two['subject'])}" if of_prior else ""
    given = f"the absolute figures of the same text give {text_of(a.value / b.value)}{beside}"
    yield replace(
        _judged(
            f"{given}, the statement is: {_stated(claim, figure)}{_of_task(claim, figure)}",
            "identity.ratio",
            is_fitting=fitting is not None,
        ),
        claims=((claim["id"], "ratio"), (one["id"], "subject"), (two["id"], "baseline")),
        computed=a.value / b.value,
        basis="reference" if of_prior else "document",
        reference=_succession(facts, claim),
    )


def _of_task(claim: ClaimRecord, figure: CanonicalFigure | None) -> str:
    """What else a figure of power may mean: a task takes energy, which falls with its duration too."""
    task = known(claim, "workload") if claim["metric"] == "power" and figure is not None else None
    return f"; said of a workload ({task}) it may be meant of energy, which these figures do not give" if task else ""


def _stated(claim: ClaimRecord, figure: CanonicalFigure | None) -> str:
    """The statement of a ratio or an order in one word or number."""
    if figure is None:
        return str(claim.get("direction"))
    return text_of(figure.value) + ("" if figure.high is None else f" to {text_of(figure.high)}")


def _judged(message: str, code: str, *, is_fitting: bool) -> Finding:
    """A ratio that its sides bear out, or that is in tension with them; the claims are still to be named."""
    if is_fitting:
        return Finding("identity.holds", "consistent", "info", message, (), unit="1")
    return Finding(code, "tension", "warning", message, (), unit="1")


def _comparable(claim: ClaimRecord, one: ClaimRecord, two: ClaimRecord) -> bool:
    # a baseline without conditions of its own is taken under those of the subject
    baseline: ClaimRecord = {"conditions": claim.get("baseline_conditions") or claim.get("conditions") or {}}
    same_kind = known(one, "precision") == known(two, "precision") or "baseline_conditions" in claim
    return same_kind and compatible(claim, one, SCOPE) and compatible(baseline, two, SCOPE)


def _reciprocal(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    is_time = claim["metric"] == "time-per-output-token"
    yield f"{claim['source']}|{claim['subject']}|{claim['baseline']}", is_time


def _per_token(facts: Facts) -> Iterator[Finding]:
    """Time per output token is one over speed per user: two ratios of one comparison must be reciprocal."""
    speeds: dict[str, list[ClaimRecord]] = defaultdict(list)
    for claim in facts.of_metrics("inference-speed", "throughput"):
        if claim["metric"] == "inference-speed" or "per-user" in normalisers(claim):
            speeds[str(known(claim, "model"))].append(claim)
    for claim, figure in facts.figured(facts.by_metric.get("time-per-output-token", ())):
        if figure.lower is None or figure.upper is None or figure.lower <= 0:
            continue
        # the ends change places in the reciprocal
        expected = Interval(1 / figure.upper, 1 / figure.lower)
        for other, speed in facts.figured(speeds.get(str(known(claim, "model")), ())):
            if compatible(claim, other):
                message = (
                    f"time per token {text_of(figure.value)} times that of the baseline means {text_of(1 / figure.value)} times its speed per user; "
                    f"{text_of(speed.value)} is printed as well"
                )
                yield replace(
                    _judged(message, "identity.time-per-token", is_fitting=expected.overlaps(speed.interval)),
                    claims=((claim["id"], "time"), (other["id"], "speed")),
                    computed=1 / figure.value,
                )


PARTS: Final = (
    AuditPart("identity/rents", _rented, _rents, ("tco", "rental-price"), sorts=SINGLE),
    AuditPart("identity/per-power", _powered, _per_power, ("energy-efficiency", "peak-compute", "power"), sorts=SINGLE),
    AuditPart("identity/ratios", _sided, _ratios, (*SIDES, *COMPOSITE)),
    AuditPart(
        "identity/per-token",
        _reciprocal,
        _per_token,
        ("inference-speed", "throughput", "time-per-output-token"),
        sorts=RATIO,
        needs="baseline",
    ),
)
ALONE: Final = ()
