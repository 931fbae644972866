"""Parts against the whole: counts that multiply, figures that add up, shares of one market."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from kg.audit.finding import Finding
from kg.audit.normalisers import same_normaliser
from kg.audit.rules.data_sheets import ADDITIVE
from kg.audit.rules.facts import Facts, each, involved, is_single, is_whole, known
from kg.audit.rules.part import SINGLE, AuditPart, Scope
from kg.audit.wording import amount_of, text_of
from kg.model.counting import counted, first_of
from kg.model.derived import CanonicalFigure
from kg.model.finding_roles import HOLDS
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord

SHARES: Final = ("market-share", "domestic-share")
SHOWN: Final = 8
"""How many products a finding names; all of them decide it."""
WHOLES: Final = ("superchip", "node", "rack", "configuration")


def _counted(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if is_whole(claim["quantity"]["value"]):
        yield "counts", claim["subject"]


def _counts(facts: Facts) -> Iterator[Finding]:
    """Trays in a rack times GPUs in a tray against GPUs in the rack, each as counted by a claim."""
    numbers: dict[tuple[str, str], dict[int, ClaimRecord]] = defaultdict(dict)
    for claim in facts.by_metric.get("component-count", ()):
        value = (claim.get("quantity") or {}).get("value")
        thing = str((claim.get("quantity") or {}).get("unit", "")).removeprefix("count:")
        if is_whole(value) and is_single(claim):
            numbers[(claim["subject"], "gpu" if thing == "chip" else thing)].setdefault(int(value), claim)
    for (whole, thing), totals in list(numbers.items()):
        for part in facts.registry.get(whole, {}).get("parts", ()):
            inner, outer = numbers.get((part["part"], thing)), numbers.get((whole, facts.kind(part["part"])))
            if inner and outer:
                yield from _product(facts, totals, outer, inner)


def _product(
    facts: Facts,
    totals: Mapping[int, ClaimRecord],
    outer: Mapping[int, ClaimRecord],
    inner: Mapping[int, ClaimRecord],
) -> Iterator[Finding]:
    # texts may count a rack in several ways: one product that gives the total is enough
    products = first_of([str(one) for one in sorted({a * b for a in outer for b in inner})], SHOWN)
    others = (*involved(outer.values(), "parts in the whole"), *involved(inner.values(), "in each part"))
    for total, claim in totals.items():
        holds = any(a and total % a == 0 and total // a in inner for a in outer)
        yield Finding(
            "whole.holds" if holds else "whole.count",
            "consistent" if holds else "inconsistent",
            "info" if holds else "warning",
            f"{text_of(Fraction(total))} in {facts.label(claim['subject'])}: the counts of its parts multiply to "
            f"{products}",
            ((claim["id"], "whole"), *others),
        )


def _sums(facts: Facts) -> Iterator[Finding]:
    """A whole may not have less of what adds up than its accelerators have together; of cards alone, exactly as much."""
    wholes = [claim for claim in facts.claims.values() if _is_of_a_whole(facts, claim)]
    singles = [claim for claim in facts.claims.values() if not _is_of_a_whole(facts, claim)]
    smallest = _smallest(facts, singles)
    same: dict[tuple[str, str], list[ClaimRecord]] = defaultdict(list)
    for claim in wholes:
        same[claim["subject"], claim["level"]].append(claim)
    for claim in wholes:
        parts = facts.registry[claim["subject"]].get("parts", ())
        # the key of the finding for the accelerators stays 1 when a processor is added to the registry
        first = next((part for part in parts if facts.kind(part["part"]) != "cpu"), None)
        for part in parts:
            if singles and singles[0]["subject"] == part["part"]:
                key = "1" if part is first else part["part"]
                for one in _sum(facts, claim, part["count"], smallest, key):
                    others = same[claim["subject"], claim["level"]]
                    yield _with_right(facts, one, claim, others) if one.code == "whole.below-parts" else one


_Smallest = Mapping[str, tuple[CanonicalFigure, ClaimRecord]]
"""The smallest figure of a part, with its claim, by the precision that it is of."""


def _smallest(facts: Facts, parts: Sequence[ClaimRecord]) -> _Smallest:
    found: dict[str, tuple[CanonicalFigure, ClaimRecord]] = {}
    for part, figure in facts.figured(sorted(parts, key=lambda one: one["id"])):
        least = found.get(_format(part))
        if least is None or figure.value < least[0].value:
            found[_format(part)] = figure, part
    return found


def _is_of_a_whole(facts: Facts, claim: ClaimRecord) -> bool:
    is_whole_thing = facts.kind(claim["subject"]) in WHOLES and claim["level"] != "accelerator"
    return is_whole_thing and claim.get("normaliser") != "per-chip"


def _with_right(facts: Facts, finding: Finding, claim: ClaimRecord, others: Sequence[ClaimRecord]) -> Finding:
    """The finding with the figure of others for the same whole, where they all give one and it holds what the parts need."""
    figures = [
        (one, figure)
        for one in others
        if one["id"] != claim["id"] and _format(claim) == _format(one) and (figure := facts.figure(one)) is not None
    ]
    above = [(one, figure) for one, figure in figures if finding.computed is None or figure.value >= finding.computed]
    values = {figure.value for _, figure in above}
    # two different figures of others would need a winner, which the audit does not choose
    if len(values) != 1:
        # rates and memory add up; a whole draws more than its accelerators, so that their power is no value to use
        alone = claim["metric"] != "power" and not values
        return replace(finding, corrected=finding.computed, approximate=True) if alone else finding
    right = values.pop()
    return replace(
        finding,
        message=f"{finding.message}; {amount_of(right, finding.unit)} is the figure of {counted(len(above), 'other claim')}",
        claims=(*finding.claims, *each((one for one, _ in above), HOLDS)),
        corrected=right,
    )


def _sum(facts: Facts, claim: ClaimRecord, count: int, parts: _Smallest, key: str) -> Iterator[Finding]:
    whole = facts.figure(claim)
    if whole is None or whole.upper is None or _format(claim) not in parts:
        return
    smallest, part = parts[_format(claim)]
    if smallest.lower is None or smallest.lower <= 0:
        return
    # the smallest figure any text gives for a part, at its lower end: what even that does not excuse is wrong
    least = count * smallest.lower
    holds = whole.upper >= least
    yield Finding(
        "whole.holds" if holds else "whole.below-parts",
        "consistent" if holds else "suspicious",
        "info" if holds else "warning",
        f"{amount_of(whole.value, whole.unit)} for {facts.label(claim['subject'])}, whose {count} accelerators have "
        f"{amount_of(count * smallest.value, whole.unit)} together"
        + ("" if holds else ": probably the figure of one of them"),
        ((claim["id"], "whole"), (part["id"], "part")),
        key=key,
        computed=count * smallest.value,
        unit=whole.unit,
    )


def _format(claim: ClaimRecord) -> str:
    """The precision that a figure is of, be it several."""
    return str(known(claim, "precision"))


def _summed(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if is_single(claim):
        if _is_of_a_whole(facts, claim):
            for part in facts.registry[claim["subject"]].get("parts", ()):
                yield f"{claim['metric']}|{part['part']}", "whole"
        elif claim["level"] == "accelerator":
            yield f"{claim['metric']}|{claim['subject']}", "part"


def _shared(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if is_single(claim):
        yield f"{claim['source']}|{claim['metric']}", claim["id"]


def _experts(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if (
        claim.get("statistic") in ("active", "total")
        and is_single(claim)
        and facts.kind(claim["subject"]) == "moe-model"
    ):
        yield claim["subject"], claim["statistic"]


def _shares(facts: Facts) -> Iterator[Finding]:
    """Shares of one whole at one time: never above all of it; two that were all of it once are expected to stay so."""
    pairs: dict[str, dict[str, dict[str, ClaimRecord]]] = defaultdict(lambda: defaultdict(dict))
    rivals: dict[tuple[str, str], dict[str, ClaimRecord]] = defaultdict(dict)
    for claim in facts.claims.values():
        when, boundary, includes = (known(claim, name) for name in ("date", "boundary", "includes"))
        if when is not None and isinstance(includes, str):
            pairs[claim["subject"]][str(when)].setdefault(includes, claim)
        if when is not None and boundary is not None:
            rivals[str(boundary), str(when)].setdefault(claim["subject"], claim)
    for group in pairs.values():
        yield from _complements(facts, group)
    for claims in rivals.values():
        lower = [
            figure.lower
            for claim in claims.values()
            if (figure := facts.figure(claim)) is not None and figure.lower is not None
        ]
        # lower ends, so that shares rounded up one by one do not accuse a market that adds up
        if len(claims) > 1 and sum(lower) > 100:
            yield Finding(
                "whole.shares",
                "suspicious",
                "warning",
                f"shares of one market at one time add up to more than {text_of(Fraction(sum(lower)))} %",
                each(claims.values(), "share"),
            )


def _complements(facts: Facts, by_date: Mapping[str, Mapping[str, ClaimRecord]]) -> Iterator[Finding]:
    sums: dict[frozenset[str], list[tuple[Interval, Fraction, str, list[ClaimRecord]]]] = defaultdict(list)
    for when, shares in by_date.items():
        figures = [figure for _, figure in facts.figured(shares.values())]
        if len(shares) == len(figures) == 2:
            # as they are rounded: 89.5 and 10.5 make the whole, printed as 90 and 11
            span = figures[0].interval + figures[1].interval
            if span.lower is not None and span.upper is not None:
                middle = figures[0].value + figures[1].value
                sums[frozenset(shares)].append((span, middle, when, list(shares.values())))
    for found in sums.values():
        # only what made up the whole at one time is known to have no third part that explains the rest
        if len(found) < 2 or not any(span.contains(100) for span, *_ in found):
            continue
        for span, middle, when, claims in found:
            holds = span.contains(100)
            yield Finding(
                "whole.holds" if holds else "whole.shares",
                "consistent" if holds else "suspicious",
                "info" if holds else "warning",
                f"the two shares of {when} add up to {text_of(middle)} %"
                + ("" if holds else ", while the same two made up the whole at another time"),
                each(claims, "share"),
            )


def _active(facts: Facts) -> Iterator[Finding]:
    """A mixture of experts uses fewer parameters for a token than it has."""
    figured = list(facts.figured(facts.claims.values()))
    totals = [one for one in figured if one[0]["statistic"] == "total"]
    for claim, figure in figured:
        for total, whole in totals if claim["statistic"] == "active" else ():
            # equal is wrong as well: a mixture of experts that uses all of them for a token is none
            if same_normaliser(claim, total) and figure.value >= whole.value:
                yield Finding(
                    "whole.active",
                    "suspicious",
                    "warning",
                    "as many active parameters as in total, or more, in a mixture of experts",
                    ((claim["id"], "active"), (total["id"], "total")),
                )
                break


PARTS: Final = (
    AuditPart("whole/counts", _counted, _counts, ("component-count",), sorts=SINGLE),
    AuditPart("whole/sums", _summed, _sums, ADDITIVE),
    AuditPart("whole/shares", _shared, _shares, SHARES),
    AuditPart("whole/active", _experts, _active, ("parameters",)),
)
ALONE: Final = ()
