"""Claims in the form in which two are compared: figure in canonical units, what it is about, what is said of conditions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from kg.audit.claim_links import Lookup, repeated
from kg.audit.conditions import said
from kg.audit.normalisers import normalisers
from kg.audit.subjects import Subjects
from kg.model.derived import Deriver
from kg.model.interval import Interval
from kg.model.recorded import ClaimRecord, QuantityRecord
from kg.model.vocabulary import RATIO_RELATIONS

RATES: Final = frozenset({"throughput", "training-throughput"})
"""Metrics of which a system has as much more as it has accelerators."""
_COUNT = re.compile(r"[0-9]+(?:[.][0-9]+)?")
# Texts count accelerators under all of these words; nodes and trays are another kind of count.
_CHIPS: Final = frozenset({"gpu", "chip", "accelerator", "card"})


@dataclass(frozen=True, slots=True)
class ComparableFigure:
    """What comparing two claims needs of one, read from its record once."""

    id: str
    origin: str
    subjects: frozenset[str]
    level: str
    metric: str
    kind: str
    relation: str
    figure: Interval | None
    terms: frozenset[str]
    normaliser: frozenset[str]
    statistic: str
    modality: str
    negated: bool
    baseline: str
    values: tuple[tuple[str, frozenset[str]], ...]
    baseline_values: tuple[tuple[str, frozenset[str]], ...]
    count: Fraction | None = None
    """Of how many accelerators a rate is the total; None where it is no total of a known count."""

    @property
    def each(self) -> "ComparableFigure":
        """The same per accelerator, where it is a total of a known count."""
        if self.count is None or self.figure is None:
            return self
        return replace(self, figure=self.figure.scaled(1 / self.count), normaliser=frozenset({"per-chip"}), count=None)

    @property
    def stated(self) -> list[str]:
        """The names of the conditions that it states, in order."""
        return [name for name, _ in self.values]

    @property
    def frame(self) -> tuple[Any, ...]:
        """Everything but the figure: claims of one frame that do not fit all have one verdict."""
        return (
            self.subjects,
            self.level,
            self.metric,
            self.kind,
            self.relation,
            self.normaliser,
            self.statistic,
            self.modality,
            self.negated,
            self.baseline,
            self.values,
            self.baseline_values,
        )

    @property
    def content(self) -> tuple[Any, ...]:
        """The frame and the figure: claims of one content are one statement, whoever makes it."""
        low, high = (None, None) if self.figure is None else (self.figure.lower, self.figure.upper)
        # as whole numbers: a fraction is slow to hash
        ends = (low is not None and low.as_integer_ratio(), high is not None and high.as_integer_ratio())
        return self.frame, self.terms, ends

    def overlaps(self, other: "ComparableFigure", subjects: Subjects) -> bool:
        """Whether some value fits both figures."""
        if self.figure is not None and other.figure is not None:
            return _share(self.figure, other.figure)
        return bool(self.terms & other.terms) or any(subjects.broader(a, b) for a in self.terms for b in other.terms)


def _share(one: Interval, other: Interval) -> bool:
    """Whether two figures have a value in common; printed 4.8 and 4.9 share an edge, 4.85, that rounds to one of them only."""
    if one.disjoint(other):
        return False
    return not one.touches(other) or one.width == 0 or other.width == 0


def origin_of(record: ClaimRecord, lookup: Lookup) -> str:
    """The claim that a claim repeats, at the end of the chain; one that repeats several is its own."""
    name, seen = record["id"], {record["id"]}
    while len(targets := _repeated(record)) == 1:
        if targets[0] in seen:
            # a circle has no first claim; the smallest id is the same from whichever member one starts
            return str(min(seen))
        name = targets[0]
        seen.add(name)
        above = lookup(name)
        if above is None:
            return str(name)
        record = above
    return str(min(seen)) if targets and targets[0] in seen else str(name)


def _repeated(record: ClaimRecord) -> list[str]:
    return [record["same_as"]] if record.get("same_as") else list(repeated(record))


def read_comparable(
    record: ClaimRecord, *, deriver: Deriver, subjects: Subjects, lookup: Lookup
) -> ComparableFigure | None:
    """A claim made ready for comparison; None where it has no figure, term or date."""
    quantity = record.get("quantity") or {}
    figure, terms, kind = _figure(record, quantity, deriver)
    if figure is None and not terms:
        return None
    relation = record.get("relation", "absolute")
    full = _completed(record, lookup)
    # a repetition leaves out that its figure is a mean; compared as a single result it
    # would be at odds with the original
    statistic = full.get("statistic") or _repeated_statistic(record, lookup)
    divisor = normalisers(full)
    stated = said(full.get("conditions"), subjects, as_of=record.get("as_of"))
    # only an absolute rate of a whole system can be divided by its accelerators; a ratio of two systems cannot
    count = _count(stated) if divisor == {"total"} and record["metric"] in RATES and relation == "absolute" else None
    return ComparableFigure(
        id=record["id"],
        origin=origin_of(record, lookup),
        level=record["level"],
        metric=record["metric"],
        kind=kind,
        subjects=frozenset(record.get("subjects") or (record["subject"],)),
        # 1.5x and +50 % are one statement: the deriver gives both as a ratio
        relation="ratio" if relation in RATIO_RELATIONS else relation,
        figure=figure,
        terms=terms,
        normaliser=divisor,
        # vendors print a peak without the word, so that "peak" and nothing at all must not look like a difference
        statistic="" if statistic == "peak" else statistic,
        modality=record.get("modality", "stated"),
        negated=record.get("polarity") == "negated",
        baseline=record.get("baseline") or "",
        values=tuple(sorted(stated.items())),
        baseline_values=tuple(sorted(said(record.get("baseline_conditions"), subjects).items())),
        count=count,
    )


def _completed(record: ClaimRecord, lookup: Lookup) -> ClaimRecord:
    """A claim with what its twin in the same text says and it does not.

    A figure repeated in a summary leaves out the conditions of the table; without them it would seem to disagree with
    its own document. A twin of another metric (a ratio of the two figures) lends nothing.
    """
    twin = lookup(record["same_as"]) if record.get("same_as") else None
    if twin is None or twin["metric"] != record["metric"]:
        return record
    # what the claim says itself comes last: the twin only fills gaps
    return {**twin, **record, "conditions": {**(twin.get("conditions") or {}), **(record.get("conditions") or {})}}


def _repeated_statistic(record: ClaimRecord, lookup: Lookup) -> str:
    """The statistic of the first repeated claim that names one, else nothing."""
    found = map(lookup, repeated(record))
    return next((str(above["statistic"]) for above in found if above and above.get("statistic")), "")


def _count(stated: Mapping[str, frozenset[str]]) -> Fraction | None:
    """How many accelerators a figure is of, a mean of several where it is one."""
    for name in ("accelerators", "accelerators_mean"):
        texts = stated.get(name, frozenset())
        if len(texts) == 1 and (number := _COUNT.fullmatch(min(texts))) is not None:
            # a count of zero divides nothing
            return Fraction(number.group()) or None
    return None


def _figure(
    record: ClaimRecord, quantity: QuantityRecord, deriver: Deriver
) -> tuple[Interval | None, frozenset[str], str]:
    if quantity.get("value") is not None:
        canonical = deriver.canonical(record)
        if canonical is None:
            return None, frozenset(), ""
        unit, kind = quantity.get("unit") or "", canonical.kind
        # counts share one canonical unit: without the noun, 72 GPUs and 18
        # trays of a rack would be at odds
        if unit.startswith("count:"):
            thing = unit.removeprefix("count:")
            kind = f"count of {'chip' if thing in _CHIPS else thing}s"
        return canonical.interval, frozenset(), kind
    if quantity.get("date"):
        return _months(quantity["date"]), frozenset(), "date"
    terms = frozenset(quantity.get("set") or ([quantity["term"]] if quantity.get("term") else ()))
    return None, terms, "term"


def _months(day: str) -> Interval:
    """A date as the months it may lie in, counted from the year 0.

    >>> _months("2025-Q2"), _months("2025-H2")
    (Interval('24303', '24305'), Interval('24306', '24311'))
    >>> _months("2025-04-30"), _months("2025")
    (Interval('24303', '24303'), Interval('24300', '24311'))
    """
    year, _, rest = day.partition("-")
    first, months = int(year) * 12, 12
    if rest[:1] in ("Q", "H"):
        months = 3 if rest[0] == "Q" else 6
        first += (int(rest[1]) - 1) * months
    elif rest:
        first, months = first + int(rest[:2]) - 1, 1
    return Interval(Fraction(first), Fraction(first + months - 1))
