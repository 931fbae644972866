"""Published results of benchmarks as rows that can be held against claims."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from kg.answers.asking import Asker, Row, number, said, text, whole
from kg.audit.comparability import ComparableResult
from kg.audit.measured import Measured
from kg.audit.result_conditions import is_limited, one_category
from kg.model.comparability import base_division, measures_power


def measured_rows(
    asker: Asker, question: str, models: Sequence[str], chips: Sequence[str] | None
) -> list[tuple[Row, Measured]]:
    """The published rows of some models, of some chips only; open division and lowered power limits represent no accelerator."""
    if not models or (chips is not None and not chips):
        return []
    within: dict[str, object] = {} if chips is None else {"accelerator": chips}
    found: dict[str, tuple[Row, Measured]] = {}
    for row in asker.rows(question, model=models, **within):
        made = measured_row(row)
        if made is None or made.result.limited or made.result.division == "open":
            continue
        # a system has a row for each of its categories: one row is taken for it, that of the data
        # centre where there is one
        if made.claim not in found or made.result.category == "datacenter":  # one row for each category of a system
            found[made.claim] = (row, made)
    return list(found.values())


RUNS: Final = "run/s"
"""The unit of a training run that is held against others as a rate."""


def measured_row(row: Row) -> Measured | None:
    """A row of `benchmarks/measured` or `benchmarks/measured-times`; None where the number of accelerators is not known.

    A time to train counts as the rate of one accelerator: one run over time and count.
    """
    count, value = whole(row, "accelerators"), number(row, "canonical_value")
    if not count or not value:
        return None
    # by way of decimal digits, as everywhere: rates are compared exactly
    exact = Fraction(repr(float(value)))
    unit = said(row, "canonical_unit")
    if unit == "s":
        exact, unit = 1 / exact / count, RUNS
    limited = is_limited(text(row, "boundary"), text(row, "system"))
    result = ComparableResult(
        suite=said(row, "benchmark"),
        task=said(row, "task"),
        round=said(row, "round"),
        scenario=said(row, "scenario") if "scenario" in row else None,
        division=base_division(said(row, "division")),
        category=one_category(said(row, "category")) or None,
        availability=_plain(said(row, "availability")),
        unit=unit,
        accelerators=count,
        power=text(row, "includes") == "power" or measures_power(said(row, "division")),
        limited=limited,
    )
    submitter = said(row, "submitter_label") or said(row, "submitter") or ""
    return Measured(
        text(row, "claim"), text(row, "accelerator"), exact, count, result, said(row, "entry") or "", submitter
    )


def _plain(word: str | None) -> str | None:
    """One spelling of a word that is printed in several ways.

    >>> _plain("Available "), _plain(None)
    ('available', None)
    """
    return None if word is None else word.rpartition("/")[2].strip().casefold()
