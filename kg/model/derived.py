"""What follows from one claim alone: canonical value and bounds, statement key, value buckets.

Derived, never recorded: a new unit table or rule gives new keys without touching the ledger.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from kg.errors import KgError
from kg.model.buckets import bucket, print_bucket
from kg.model.hedges import hedge_of
from kg.model.interval import Interval
from kg.model.printed import PrintedNumber, Relation, Value, printed_with_value
from kg.model.recorded import ClaimRecord, QuantityRecord
from kg.model.units import UnitTable
from kg.model.vocabulary import RATIO_RELATIONS


@dataclass(frozen=True, slots=True)
class CanonicalFigure:
    """A figure in the canonical unit of its kind (or as metric(subject) / metric(baseline)), with exact bounds."""

    value: Fraction
    high: Fraction | None
    """The upper end of a pair, else None."""
    lower: Fraction | None
    upper: Fraction | None
    unit: str
    kind: str
    interval: Interval = field(init=False, repr=False, compare=False)
    """All values the figure may be; a hedge leaves an end open. Made once: rules ask for it again and again."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "interval", Interval(self.lower, self.upper))


class Numbers(NamedTuple):
    """The bounds of a figure in its own unit, and its canonical value and bounds: the numbers that are written down."""

    lower: float | None
    upper: float | None
    value: float | None
    high: float | None
    """The upper end of a pair, else None."""
    canonical_lower: float | None
    canonical_upper: float | None


NO_NUMBERS: Final = Numbers(None, None, None, None, None, None)


@dataclass(frozen=True, slots=True)
class Keys:
    """The derived keys of one claim."""

    statement: str
    buckets: tuple[str, ...]
    canonical: CanonicalFigure | None
    numbers: Numbers = NO_NUMBERS


class _Figured(NamedTuple):
    """What follows from the figure of a claim alone; many claims share it."""

    canonical: CanonicalFigure | None
    numbers: Numbers
    buckets: tuple[str, ...]


_NO_FIGURE: Final = _Figured(None, NO_NUMBERS, ())


def printed_number(quantity: QuantityRecord) -> PrintedNumber | None:
    """The figure of a recorded quantity, with its bounds; None when it has no number."""
    value = quantity.get("value")
    if value is None:
        return None
    return _printed_number(
        _PrintKey(
            quantity.get("printed"),
            (*map(str, value), "") if isinstance(value, list) else (str(value),),
            quantity.get("unit"),
            quantity.get("hedge"),
            quantity.get("exact", False),
            quantity.get("shape"),
        )
    )


class _PrintKey(NamedTuple):
    """What the reading of a figure follows from.

    `values` is one value, or a pair followed by an empty text; texts, since 1 and 1.0 are one key and print as two.
    """

    printed: str | None
    values: tuple[str, ...]
    unit: str | None
    hedge: str | None
    exact: bool
    shape: Any


@lru_cache(maxsize=1 << 15)
def _printed_number(key: _PrintKey) -> PrintedNumber:
    values = key.values
    pair = tuple(map(Fraction, values[:2])) if values[-1] == "" else None
    if pair is not None and key.shape != "span":
        pair = tuple(sorted(pair))
    # A pair of equal ends is one value; a range with no width would be refused.
    if pair is not None and pair[0] == pair[1]:
        pair = None
    text = key.printed or (values[0] if pair is None else f"[{values[0]}, {values[1]}]")
    return printed_with_value(
        text,
        cast(tuple[Fraction, Fraction], pair) if pair is not None else Fraction(values[0]),
        unit=key.unit,
        # A claim that was loaded may hold "up to 700 W" as its print, and no hedge.
        hedge=key.hedge or hedge_of(text),
        exact=key.exact,
        shape=key.shape,
    )


def _one(value: Value) -> tuple[Fraction, Fraction | None]:
    return value if isinstance(value, tuple) else (value, None)


class _FigureKey(NamedTuple):
    """What the canonical figure follows from.

    `text` is the print, else the value as text: 7 and 7.0 are one key and allow different intervals.
    """

    text: str
    value: Any
    unit: str | None
    hedge: str | None
    exact: bool
    shape: str | None
    relation: Relation
    is_printed: bool


class Deriver:
    """Computes keys against one unit table; the figures seen last are remembered, at most this many."""

    def __init__(self, units: UnitTable, *, remember: int = 1 << 16) -> None:
        self._units = units
        self._cached = lru_cache(maxsize=remember)(self._compute)

    def canonical(self, record: ClaimRecord) -> CanonicalFigure | None:
        """The canonical figure of a claim; None without a number, or where the unit leaves no sound reading."""
        return self._figured(record).canonical

    def _figured(self, record: ClaimRecord) -> _Figured:
        quantity = record.get("quantity")
        if not quantity:
            return _NO_FIGURE
        printed = quantity.get("printed")
        if (value := quantity.get("value")) is None:
            return _NO_FIGURE if not printed else self._words(printed)
        # a plain tuple: every rule asks, and names are made for it only where the figure is read
        return self._cached(
            (
                printed or str(value),
                tuple(value) if isinstance(value, list) else value,
                quantity.get("unit"),
                quantity.get("hedge"),
                quantity.get("exact", False),
                quantity.get("shape"),
                record.get("relation", "absolute"),
                bool(printed),
            )
        )

    @staticmethod
    def _words(printed: str) -> _Figured:
        """A print without a value is found by its words."""
        own = print_bucket(printed)
        return _NO_FIGURE if own is None else _Figured(None, NO_NUMBERS, (own,))

    def _compute(self, given: tuple[Any, ...]) -> _Figured:
        key = _FigureKey(*given)
        value, unit = key.value, key.unit
        values = value if isinstance(value, tuple) else (value,)
        texts = (*map(str, values), "") if isinstance(value, tuple) else (str(value),)
        printed = key.text if key.is_printed else None
        try:
            figure = _printed_number(_PrintKey(printed, texts, unit, key.hedge, key.exact, key.shape))
        except KgError:
            figure = None
        canonical = None if figure is None else self._canonical(figure, unit, key.relation)
        # Found by its bare value in any case, also where the print or the unit cannot be read.
        buckets = dict.fromkeys(f"raw:{bucket(one)}" for one in values)
        if key.is_printed and (own := print_bucket(key.text, values)) is not None:
            buckets[own] = None
        lower, upper = (None, None) if figure is None else (_float(figure.lower), _float(figure.upper))
        if canonical is None:
            return _Figured(None, Numbers(lower, upper, None, None, None, None), tuple(buckets))
        low, high = float(canonical.value), _float(canonical.high)
        for end in (low, high):
            if end is not None:
                buckets[f"{canonical.kind}:{bucket(end)}"] = None
        numbers = Numbers(lower, upper, low, high, _float(canonical.lower), _float(canonical.upper))
        return _Figured(canonical, numbers, tuple(buckets))

    def _canonical(self, figure: PrintedNumber, unit: str | None, relation: Relation) -> CanonicalFigure | None:
        if unit is None:
            return None
        try:
            if relation in RATIO_RELATIONS:
                # A ratio is a bare number or a percentage: in another unit it says nothing of
                # metric(subject) / metric(baseline).
                if unit not in ("1", "%"):
                    return None
                given = figure.canonical_ratio(relation)
                kind = "ratio"
            else:
                given = figure.canonical(self._units)
                kind = self._units.get(unit).kind
        except KgError:
            return None
        low, high = _one(given.value)
        return CanonicalFigure(low, high, given.lower, given.upper, given.unit or unit, kind)

    def keys(self, record: ClaimRecord) -> Keys:
        """Statement key, buckets and canonical figure of a claim."""
        canonical, numbers, buckets = self._figured(record)
        return Keys(statement_key(record, canonical.kind if canonical else None), buckets, canonical, numbers)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


_OWN = {"accelerator": "per-chip", "superchip": "per-superchip", "node": "per-node", "rack": "per-rack"}
"""A specification that names no normaliser is that of one unit of its level."""


def statement_key(record: ClaimRecord, kind: str | None) -> str:
    """What a claim is about, without who says it, when, and under which conditions.

    >>> statement_key({"subject": "accelerator/x", "level": "accelerator", "metric": "power", "conditions": {}}, "power")
    'accelerator/x|accelerator|power||unstated|power|'
    """
    subject = "+".join(sorted(record["subjects"])) if record.get("subjects") else record["subject"]
    given = record.get("normaliser", "unstated")
    normaliser = "+".join(sorted(given)) if isinstance(given, list) else str(given)
    if normaliser == "unstated" and record.get("kind") == "specification":
        normaliser = _OWN.get(record["level"], normaliser)
    parts = (
        subject,
        record["level"],
        record["metric"],
        record.get("statistic", ""),
        normaliser,
        kind or "",
        record.get("baseline", ""),
    )
    return "|".join(parts)
