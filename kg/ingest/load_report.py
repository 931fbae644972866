"""What a load did with the rows of a file: counts that add up to the rows read."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kg.ingest.cell_warnings import CellWarning
from kg.ingest.compiled_mapping import LoadedPart


@dataclass(slots=True)
class Report:
    """What a file gave. `read` is the sum of loaded, unchanged, skipped and rejected."""

    path: str
    shape: str
    edition: str
    source: str
    read: int = 0
    loaded: int = 0
    unchanged: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    rejected: int = 0
    codes: dict[str, int] = field(default_factory=dict)
    remarks: dict[str, int] = field(default_factory=dict)
    corrections: dict[str, int] = field(default_factory=dict)
    """Claims that put right what another claim of their row prints, by claim and rule."""
    unknown_columns: tuple[str, ...] = ()
    warnings: tuple[CellWarning, ...] = ()
    """Words that a column does not take, and columns that lack."""
    claims: int = 0
    entities: int = 0
    superseded: int = 0
    """Claims that say something else than before."""
    same: int = 0
    """Claims that say what was said before, if at another place of the file or on another day."""
    older: int = 0
    """Claims of which a later edition is held."""
    clashing: int = 0
    """Claims that say something else than the very edition did: what was loaded last counts."""
    closed: int = 0
    seconds: float = 0.0

    @classmethod
    def summed(cls, name: str, reports: "Sequence[Report]") -> "Report":
        """The counts of several files of one shape and edition."""
        whole = cls(name, reports[0].shape, reports[0].edition, reports[0].source)
        for one in reports:
            for key in (
                "read",
                "loaded",
                "unchanged",
                "rejected",
                "claims",
                "entities",
                "superseded",
                "same",
                "older",
                "clashing",
                "closed",
                "seconds",
            ):
                setattr(whole, key, getattr(whole, key) + getattr(one, key))
            for counted in ("skipped", "codes", "remarks", "corrections"):
                counts, own = getattr(whole, counted), getattr(one, counted)
                for rule, count in own.items():
                    counts[rule] = counts.get(rule, 0) + count
        whole.unknown_columns = tuple(sorted({column for one in reports for column in one.unknown_columns}))
        return whole

    @property
    def adds_up(self) -> bool:
        """Whether every row is accounted for."""
        return self.read == self.loaded + self.unchanged + sum(self.skipped.values()) + self.rejected


def count_part(report: Report, part: LoadedPart, *, new: bool) -> None:
    """Count a row that was read: as loaded, as unchanged, or as one without a figure."""
    for name in part.remarks:
        report.remarks[name] = report.remarks.get(name, 0) + 1
    for rule in part.corrections:
        report.corrections[rule] = report.corrections.get(rule, 0) + 1
    if not part.claims and not part.once:
        report.skipped["no_figure"] = report.skipped.get("no_figure", 0) + 1
    elif new:
        report.loaded += 1
    else:
        report.unchanged += 1
