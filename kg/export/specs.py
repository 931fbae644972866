"""One wide table of specifications: a row a thing, a column a metric, next to it the verdict and the claim it comes from.

Of several values for one cell a refuted one is never taken; one that holds without further conditions comes before one that
does not, and a confirmed one before one that nothing confirms.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kg.export.spreadsheet_cells import neutral
from kg.export.tables import Cell, TableColumn
from kg.model.json_types import JsonMapping

Measured = tuple[str, str]
"""A metric with the precision it was stated for, and the canonical unit."""
_IN_COLUMNS: Final = frozenset({"precision", "sparsity"})
"""Conditions that have columns of their own."""
_RANKS: Final = {"confirmed": 0, "unverified": 1, "caution": 2, "disputed": 3}


@dataclass(slots=True)
class SpecTable:
    """Takes claims of the exchange form one by one; holds one value a thing and metric, so the claims may be many."""

    _labels: dict[str, str] = field(default_factory=dict)
    _chosen: dict[str, dict[Measured, JsonMapping]] = field(default_factory=dict)

    def add(self, claim: JsonMapping) -> None:
        """One more claim; what is no specification with one value is passed over."""
        quantity = claim.get("quantity") or {}
        value = quantity.get("canonical_value")
        is_spec = claim.get("kind") == "specification" and claim.get("relation") == "absolute"
        if not is_spec or value is None or isinstance(value, list) or claim.get("verdict") not in _RANKS:
            return
        subject = claim["subject"]
        self._labels[subject] = claim.get("subject_label") or subject
        own = self._chosen.setdefault(subject, {})
        key = _measured(claim), quantity["canonical_unit"]
        if key not in own or _order(claim) < _order(own[key]):
            own[key] = claim

    @property
    def measured(self) -> list[Measured]:
        """The metrics that anything has, in order."""
        return sorted({one for own in self._chosen.values() for one in own})

    def columns(self) -> list[TableColumn]:
        """The columns; the unit tells two columns of one metric apart."""
        names = [metric for metric, _ in self.measured]
        made = [TableColumn("subject"), TableColumn("label")]
        for metric, unit in self.measured:
            told_apart = f" [{unit}]" if names.count(metric) > 1 else ""
            made += [
                TableColumn(f"{metric} [{unit}]", "number"),
                TableColumn(f"{metric} verdict{told_apart}"),
                TableColumn(f"{metric} claim{told_apart}", refers=("claims", "id")),
            ]
        return made

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """A row a thing, by id."""
        measured = self.measured
        for subject in sorted(self._chosen):
            row: list[Cell] = [subject, self._labels[subject]]
            for one in measured:
                claim = self._chosen[subject].get(one)
                row += (
                    [None] * 3
                    if claim is None
                    else [float(claim["quantity"]["canonical_value"]), claim["verdict"], claim["id"]]
                )
            yield tuple(row)


def spec_table(records: Iterable[Mapping[str, object]]) -> SpecTable:
    """The table of all claims among records of the exchange form, which come first."""
    made = SpecTable()
    for one in records:
        if one["record"] != "claim":
            break
        made.add(one)
    return made


def specs_csv(records: Iterable[Mapping[str, object]]) -> Iterator[bytes]:
    """The table as CSV, as spreadsheets take it."""
    table = spec_table(records)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow([neutral(one.name) for one in table.columns()])
    writer.writerows([neutral(one) if isinstance(one, str) else one for one in row] for row in table.rows())
    yield buffer.getvalue().encode()


def _measured(claim: JsonMapping) -> str:
    """The metric; figures for one precision, or with sparsity, are not those for another.

    >>> _measured({"metric": "peak-compute", "conditions": {"precision": ["precision/fp8"], "sparsity": "sparse"}})
    'peak-compute fp8 sparse'
    """
    conditions = claim.get("conditions") or {}
    precision = _first(conditions.get("precision"))
    sparse = "sparse" if _first(conditions.get("sparsity")) in ("sparse", True, "true") else ""
    return " ".join(one for one in (claim["metric"], str(precision or "").removeprefix("precision/"), sparse) if one)


def _first(given: object) -> Any:
    value = given.get("value") if isinstance(given, Mapping) else given
    return (value or [None])[0] if isinstance(value, list) else value


def _order(claim: JsonMapping) -> tuple[bool, int, bool, tuple[int, ...], str]:
    """What holds without further conditions first, then the better verdict, then the later date, an undated one last.

    The width of a model on one of four accelerators is confirmed and not the width of the model.
    """
    said_on = claim.get("said_on") or ""
    is_narrower = bool((claim.get("conditions") or {}).keys() - _IN_COLUMNS)
    # Dates sort from the latest: each sign by its negative, and the 1 at the end puts a day before
    # its month alone.
    return is_narrower, _RANKS[claim["verdict"]], not said_on, (*(-ord(one) for one in said_on), 1), claim["id"]
