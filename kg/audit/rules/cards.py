"""Counts of cards: a total of several cards under the name of one, and counts that do not divide as they must."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Final

from kg.audit.finding import Finding, Reason
from kg.audit.normalisers import normalisers
from kg.audit.rules.data_sheets import ADDITIVE, is_of_one_card, may_be, published_of_one_card
from kg.audit.rules.facts import Facts, compatible, each, is_whole, known
from kg.audit.rules.part import ALWAYS, SINGLE, Alone, AuditPart, Scope
from kg.audit.wording import amount_of
from kg.model.finding_roles import HOLDS
from kg.model.recorded import ClaimRecord
from kg.model.reference import Figure as PublishedFigure

# Sizes of usual machines: of all whole numbers one would always fit a figure of two digits.
CARDS: Final = (2, 4, 8, 16, 36, 72)
SURE_DIGITS: Final = 4
"""Digits of a figure that two things do not have in common by chance."""
SPLIT: Final = re.compile(r"\b[TPCE]P\s*=\s*(\d+)")


def _total(facts: Facts, claim: ClaimRecord) -> tuple[int, PublishedFigure] | None:
    """Of how many cards a figure is the total, and the published figure of one; None where it may well be of one."""
    published = published_of_one_card(facts, claim) if is_of_one_card(claim) else []
    figure = facts.figure(claim) if published else None
    # it is the published figure: that a multiple fits as well is chance
    if figure is None or figure.lower is None or figure.upper is None:
        return None
    if any(may_be(figure, one.value) for one in published):
        return None
    for one in (one for one in published if one.value):
        least, most = -(-figure.lower // one.value), figure.upper // one.value
        for n in CARDS:
            if least <= n <= most:
                return n, one
    return None


def is_total(facts: Facts, claim: ClaimRecord) -> bool:
    """Whether a figure under the name of one card is the total of several, so that it is no figure of that card."""
    return claim["metric"] in ADDITIVE and _total(facts, claim) is not None


def _carded(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    if is_of_one_card(claim) and facts.published(claim["subject"], claim["metric"]):
        yield f"{claim['metric']}|{facts.root(claim['subject'])}", ALWAYS if _total(facts, claim) else "one card"


def _totals(facts: Facts) -> Iterator[Finding]:
    for claim in facts.claims.values():
        yield from totals(facts, claim)


def totals(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A figure that is the published figure of one card times a usual number of cards; whoever says that figure is right."""
    found = _total(facts, claim)
    if found is None or (figure := facts.figure(claim)) is None:
        return
    cards, one = found
    right = (
        other
        for other in facts.claims.values()
        if facts.related(other["subject"], claim["subject"])
        and may_be(facts.figure(other), one.value)
        and compatible(claim, other)
    )
    yield Finding(
        "plausibility.multi-card",
        "suspicious",
        "warning",
        f"{cards} times the published {amount_of(one.value, figure.unit)}{one.under} of one card: probably the total of {cards} cards",
        ((claim["id"], "suspect"), *each(right, HOLDS)),
        corrected=one.value,
        unit=figure.unit,
        reasons=(Reason("multi-card-total", f"total of {cards} cards", one.value),),
        basis="reference",
        reference=one.citation.text,
    )


def _tabled(facts: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    table = claim["anchor"].get("table")
    if table is not None and is_of_one_card(claim) and (root := facts.root(claim["subject"])) != claim["subject"]:
        yield f"{claim['source']}|{table}|{root}", claim["subject"]


def _doubled(facts: Facts) -> Iterator[Finding]:
    """A card whose bandwidth and compute are both exactly twice those of a sibling in the same table.

    One doubled figure alone proves nothing: forms of one chip differ by a factor of two in power.
    """
    rows: dict[str, dict[str, ClaimRecord | None]] = defaultdict(dict)
    for claim in facts.of_metrics("memory-bandwidth", "peak-compute"):
        row = rows[claim["subject"]]
        # a card with two bandwidths in one table: which of them a
        # sibling has half of would be a guess
        row[claim["metric"]] = None if claim["metric"] in row else claim
    for name, row in rows.items():
        found = (list(_twice(facts, row, other)) for sibling, other in rows.items() if sibling != name)
        for one in next((some for some in found if some), []):
            # what is a multiple of the published figure is reported by `totals`, with the better reason
            if _total(facts, facts.claims[one.claim]) is None:
                yield one


def _twice(
    facts: Facts, row: Mapping[str, ClaimRecord | None], other: Mapping[str, ClaimRecord | None]
) -> Iterator[Finding]:
    pairs = [
        (claim, twin) for metric, claim in row.items() if claim is not None and (twin := other.get(metric)) is not None
    ]
    figures = [(claim, twin, facts.figure(claim), facts.figure(twin)) for claim, twin in pairs]
    # bandwidth and compute together: one chip sold in two forms may differ by two in one of them
    if len(figures) < 2 or not all(
        a is not None and b is not None and a.value == 2 * b.value for _, _, a, b in figures
    ):
        return
    for claim, twin, _, _ in figures:
        yield Finding(
            "plausibility.multi-card",
            "suspicious",
            "warning",
            f"bandwidth and compute are both exactly twice those of {facts.label(twin['subject'])} in the same table: probably of two cards",
            ((claim["id"], "suspect"), (twin["id"], "half of it")),
            corrected=None if (right := next(iter(published_of_one_card(facts, claim)), None)) is None else right.value,
            unit=None if (figure := facts.figure(claim)) is None else figure.unit,
            reasons=(Reason("multi-card-total", "total of 2 cards"),),
            basis="document" if right is None else "reference",
            reference=None if right is None else right.citation.text,
        )


def _printed_rate(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    # only words give one figure to two things; rows of published files would each be a scope of their own
    if "start" not in claim["anchor"]:
        return
    printed = claim["quantity"].get("printed") or ""
    digits = re.sub(r"\D", "", printed).strip("0")
    if len(digits) >= SURE_DIGITS:
        yield f"{claim['source']}|{printed}", is_of_one_card(claim)


def _given_to_both(facts: Facts) -> Iterator[Finding]:
    """A rate under the name of one card, of which the same text says elsewhere that several of them have it together."""
    rates = facts.of_metrics("throughput")
    totals = [(one, n) for one in rates if normalisers(one) == {"total"} and (n := _cards_of(facts, one)) > 1]
    for claim in filter(is_of_one_card, rates):
        figure = facts.figure(claim)
        found = next(((one, n) for one, n in totals if facts.related(one["subject"], claim["subject"])), None)
        if found is None or figure is None:
            continue
        total, cards = found
        right = figure.value / cards
        yield Finding(
            "plausibility.multi-card",
            "suspicious",
            "warning",
            f"the same text gives this figure to {cards} cards together: {amount_of(right, figure.unit)} for each",
            ((claim["id"], "suspect"), (total["id"], HOLDS)),
            corrected=right,
            approximate=True,
            unit=figure.unit,
            reasons=(Reason("multi-card-total", f"total of {cards} cards", right),),
        )


def _cards_of(facts: Facts, claim: ClaimRecord) -> int:
    """How many cards a total is of; 0 where that is not said."""
    count = known(claim, "accelerators")
    return int(count) if is_whole(count) else facts.accelerators_in(claim["subject"])


def _counted(_: Facts, claim: ClaimRecord) -> Iterator[Scope]:
    split = SPLIT.search(str(known(claim, "parallelism") or ""))
    if is_whole((claim.get("quantity") or {}).get("value")):
        yield f"{claim['source']}|{claim['subject']}|{known(claim, 'model')}", ALWAYS if split else None


def _multiples(facts: Facts) -> Iterator[Finding]:
    """A number of accelerators that the parallel split of the model does not divide."""
    counts: dict[int, list[ClaimRecord]] = defaultdict(list)
    suspects: list[tuple[ClaimRecord, int, int]] = []
    for claim in facts.claims.values():
        count = claim["quantity"]["value"]
        if not is_whole(count) or count < 0 or claim.get("statistic") == "mean":
            continue
        # every count of the text, since the right one may be among those without a parallel split
        counts[int(count)].append(claim)
        split = prod(int(n) for n in SPLIT.findall(str(known(claim, "parallelism") or "")))
        # one copy of the model takes a fixed number of accelerators; a remainder could not run
        if split > 1 and int(count) % split:
            suspects.append((claim, int(count), split))
    for claim, count, split in suspects:
        yield _no_multiple(claim, count, split, counts)


def _no_multiple(claim: ClaimRecord, count: int, split: int, siblings: Mapping[int, Sequence[ClaimRecord]]) -> Finding:
    """The finding on a number that a split does not divide, with one of the same text and digits that it does."""
    # only a number that the same text prints elsewhere is offered: some permutation always divides
    other = next((n for n in _permutations(count) if n % split == 0 and n in siblings), None)
    twins, right = (siblings[other], Fraction(other)) if other is not None else ((), None)
    reasons: tuple[Reason, ...] = ()
    if right:
        why = f"{int(right):,} elsewhere in the text has the same digits and divides"
        reasons = (Reason("digits.transposed", why, right),)
    return Finding(
        "plausibility.not-a-multiple",
        "suspicious",
        "warning",
        f"{count:,} accelerators are no multiple of the {split} that one copy of the model takes ({known(claim, 'parallelism')})",
        ((claim["id"], "suspect"), *each(twins, HOLDS)),
        corrected=right,
        unit="count",
        reasons=reasons,
    )


def _permutations(count: int) -> Iterator[int]:
    """The numbers that arise when two digits change places."""
    digits = str(count)
    for a, b in combinations(range(len(digits)), 2):
        if digits[a] != digits[b]:
            swapped = list(digits)
            swapped[a], swapped[b] = digits[b], digits[a]
            yield int("".join(swapped))


def _racks(facts: Facts, claim: ClaimRecord) -> Iterator[Finding]:
    """A run on racks whose number of accelerators is no multiple of those in a rack."""
    record = facts.registry.get(claim["subject"], {})
    count = (claim.get("quantity") or {}).get("value")
    if record.get("kind") != "rack" or not is_whole(count) or claim.get("statistic") == "mean":
        return
    inside = facts.accelerators_in(claim["subject"])
    # below one rack the count is of a part of it, which nothing speaks against
    if inside and count > inside and int(count) % inside:
        yield Finding(
            "plausibility.partial-racks",
            "ambiguous",
            "info",
            f"{int(count):,} is no multiple of the {inside} accelerators of a rack: a part of each rack was used, or racks were shared",
            ((claim["id"], "subject"),),
        )


PARTS: Final = (
    AuditPart("cards/totals", _carded, _totals, ADDITIVE, sorts=SINGLE),
    AuditPart("cards/doubled", _tabled, _doubled, ("memory-bandwidth", "peak-compute"), sorts=SINGLE),
    AuditPart("cards/given-to-both", _printed_rate, _given_to_both, ("throughput",), sorts=SINGLE),
    AuditPart("cards/multiples", _counted, _multiples, ("accelerators-used",)),
)
ALONE: Final = (Alone("cards/racks", _racks, ("accelerators-used",)),)
