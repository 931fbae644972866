"""Columns that say a currency: a price is taken only in the currency in which its source is read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kg.ingest.cells import as_text
from kg.ingest.errors import CELL, RowFault, shown
from kg.model.recorded import ClaimRecord
from kg.model.units import UnitTable, currency_of

# "con" before it would be the number of users that are served together
_SAYS_CURRENCY = re.compile(r"(?<!con)currenc(?:y|ies)|(?<![a-z])ccy(?![a-z])|devise|währung", re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def is_currency_column(name: str) -> bool:
    """Whether the name of a column says that its cells are currencies.

    >>> is_currency_column("priceCurrency"), is_currency_column("concurrency"), is_currency_column("Price")
    (True, False, False)
    """
    return _SAYS_CURRENCY.search(name) is not None


def refuse_other_currency(claims: Sequence[ClaimRecord], cells: Mapping[str, Any], units: UnitTable) -> None:
    """Refuse a row with a price whose currency, by the cells that say one, is unknown or another than that of its unit.

    Raises RowFault. An empty cell says no currency; a row without a price may say any.
    """
    priced = set(_currencies(claims, units))
    for column, cell in cells.items() if priced else ():
        printed = "" if cell is None else as_text(cell)
        if not priced <= {_currency_of(name, units) for name in (printed, printed.upper().replace("US$", "$"))}:
            expected = f"{', '.join(sorted(priced))}, the currency in which the prices of this source are read"
            raise RowFault(CELL, column, shown(printed) if printed else "nothing", expected)


def _currencies(claims: Iterable[ClaimRecord], units: UnitTable) -> Iterable[str]:
    for claim in claims:
        unit = (claim.get("quantity") or {}).get("unit")
        if unit is not None and (currency := _currency_of(unit, units)) is not None:
            yield currency


def _currency_of(unit: str, units: UnitTable) -> str | None:
    found = units.find(unit)
    currency = None if found is None else currency_of(found.kind)
    return None if currency is None else currency.upper()
