"""One claim as a reader needs it: what it says, of what, who says it, where it stands, and whether it can be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from kg.answers.asking import Asker, Row, grouped, number, read_fields, said, text
from kg.audit.wording import WRITTEN_BY_MACHINE, long_time, text_of, with_prefix
from kg.model.inserted_scale import without_inserted_scale
from kg.model.verdict import Verdict, read_verdict

UNJUDGED: Final = "the audit has not judged it"


class Thing(NamedTuple):
    """An id with the label it is known by."""

    id: str
    label: str | None = None

    @property
    def name(self) -> str:
        """How people read it: its label, or its id where it has none."""
        return self.label or self.id


class ShownFigure(NamedTuple):
    """What is printed, and the values it means."""

    printed: str | None
    unit: str | None
    values: tuple[float, ...]
    words: tuple[str, ...]
    hedge: str | None
    shape: str | None
    exact: bool
    term: str | None
    date: str | None
    absent: bool
    canonical_value: float | None
    canonical_lower: float | None
    canonical_upper: float | None
    canonical_unit: str | None
    quantity_kind: str | None

    @property
    def single(self) -> float | None:
        """The value where it is one, not a range or a set."""
        return self.values[0] if len(self.values) == 1 else None

    @property
    def shown(self) -> str | None:
        """The printed figure, with its unit where the print has none; a figure that was computed as a number."""
        if self.printed is None and self.values:
            return " to ".join(shown_value(value, self.unit) for value in self.values)
        return shown_figure(self.printed, self.unit)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPlace:
    """Where it is printed: positions in code points of a snapshot, a cell of a table, of a sheet or of a JSON file, or a
    locator in words. The file is known by its name and SHA-256."""

    document: str | None = None
    sha256: str | None = None
    start: int | None = None
    end: int | None = None
    page: int | None = None
    box: str | None = None
    table: str | None = None
    row: str | None = None
    column: str | None = None
    pointer: str | None = None
    sheet: str | None = None
    cell: str | None = None
    locator: str | None = None

    @property
    def inside(self) -> str | None:
        """The place inside the file, in words; None where only the file is known.

        >>> PrintedPlace(row="12", column="Result").inside
        'row 12, column Result'
        >>> PrintedPlace(pointer="/3/result").inside
        'JSON pointer /3/result'
        """
        position = f"code points {self.start}-{self.end}" if self.start is not None else None
        return "; ".join(part for part in (position, self.named) if part) or None

    @property
    def named(self) -> str | None:
        """The place as the document itself names it: page, table, row, column, cell; None where there is only a position.

        >>> PrintedPlace(start=7, end=9, page=3, box="72,96,20,9", table="2", row="H200", column="Power").named
        'page 3, table 2, row H200, column Power'
        """
        printed = (("page", self.page), ("table", self.table), ("row", self.row), ("column", self.column))
        cell = [f"{name} {value}" for name, value in printed if value]
        parts = [", ".join(cell)] if cell else []
        parts += [f"JSON pointer {self.pointer}"] if self.pointer else []
        parts += [f"sheet {self.sheet}, cell {self.cell}"] if self.sheet else []
        parts += [self.locator] if self.locator else []
        return "; ".join(parts) or None


class ClaimCard(NamedTuple):
    """A claim with its figure and place."""

    id: str
    kind: str
    subjects: tuple[Thing, ...]
    subject_printed: str | None
    level: str
    baseline: Thing | None
    baseline_level: str | None
    baseline_printed: str | None
    baseline_status: str | None
    metric: str
    statistic: str | None
    normaliser: str
    relation: str
    reading: str | None
    alternatives: tuple[str, ...]
    modality: str
    polarity: str
    direction: str | None
    statement: str | None
    figure: ShownFigure
    conditions: str | None
    baseline_conditions: str | None
    asserted_by: Thing
    attributed_to: Thing | None
    path: tuple[Thing, ...]
    source: Thing
    said_on: str | None
    said_on_basis: str | None
    as_of: str | None
    place: PrintedPlace
    utterance: str | None
    same_as: str | None
    note: str | None
    verdict: Verdict
    verdict_reason: str
    value_to_use: str | None

    @property
    def subject(self) -> Thing:
        """What it is about; of several things the first, which its level is that of."""
        return self.subjects[0]

    @property
    def subject_names(self) -> tuple[str, ...]:  # named as a column in kg/render/result_tables.py
        """All that it is about, by their labels."""
        return tuple(one.name for one in self.subjects)

    @property
    def is_ours(self) -> bool:
        """Whether its figure is printed nowhere: a loader computed it, or put it right, from what a row prints."""
        return self.figure.printed is None and bool(self.figure.values)

    @property
    def worded(self) -> str | None:
        """What is printed, as its author means it. A claim without a figure prints words only, which `statement` explains."""
        figure = self.figure
        shown = figure.shown or figure.term or figure.date or ("empty cell" if figure.absent else None)
        return worded_print(shown, figure.unit, figure.hedge, self.modality)


def bare(name: str | None) -> str | None:
    """A metric or unit id without its first part.

    >>> bare("metric/throughput"), bare("unit/TB/s"), bare(None)
    ('throughput', 'TB/s', None)
    """
    return None if name is None else name.partition("/")[2] if name.startswith(("metric/", "unit/")) else name


TRAINING_TIME: Final = "training-time"
_IN_POWERS: Final = 10**18
"""Numbers of this size and above are written as powers of ten."""


def shown_value(value: float, unit: str | None, *, metric: str | None = None) -> str:
    """A computed value, which nothing prints, with its unit in the prefix that the field prints: TB/s, billion, minutes.

    >>> shown_value(39348.736, "s"), shown_value(656.0, "s"), shown_value(21.5, "s"), shown_value(4.7e6, "s")
    ('10.93 h', '10.93 min', '21.5 s', '54.4 days')
    >>> shown_value(4023.7777777777778, "token/s"), shown_value(72.0, "count:gpu"), shown_value(1042110.0, None)
    ('4,023.78 token/s', '72 gpu', '1,042,110')
    >>> shown_value(2.88e11, "byte"), shown_value(8e12, "byte/s"), shown_value(5e26, "FLOP"), shown_value(2e12, "parameter")
    ('288 GB', '8 TB/s', '5e26 FLOP', '2 trillion parameter')
    >>> shown_value(16.68, "s", metric="training-time")
    '0.278 min'
    """
    long = long_time(value, unit, of_run=metric == TRAINING_TIME)
    if long is not None:
        return f"{long[0]:,.4g} {long[1]}"
    # by the shortest decimal digits of the float: its binary fraction would show a tail of digits
    scaled, name = with_prefix(Fraction(repr(float(value))), unit)
    if abs(scaled) >= _IN_POWERS:
        return f"{text_of(scaled)} {name}".rstrip()
    digits = f"{float(scaled):,.0f}" if abs(scaled) >= 10**6 else f"{float(scaled):,.6g}"
    return f"{digits} {name}".rstrip()


def shown_figure(printed: str | None, unit: str | None) -> str | None:
    """The printed figure, with its unit where the print has none.

    >>> shown_figure("72,428", "token/s"), shown_figure("$3.1M", "USD"), shown_figure("72", "count:gpu")
    ('72,428 token/s', '$3.1M', '72 gpu')
    >>> shown_figure("512 [thousand]", "count:gpu")
    '512 [thousand] gpu'
    >>> shown_figure("287500000000.0", "byte"), shown_figure("1.5e+16", "FLOP/s"), shown_figure("1400.0", "W")
    ('287.5 GB (printed 287500000000.0)', '15 PFLOP/s (printed 1.5e+16)', '1400.0 W')
    """
    if printed is None or unit in (None, "1", "%"):
        return printed
    if WRITTEN_BY_MACHINE.fullmatch(printed):
        return f"{shown_value(float(printed), unit)} (printed {printed})"
    digits = printed
    if printed.endswith("]"):
        digits = without_inserted_scale(printed)
    # a letter or a sign of currency in the print is its unit already: "$3.1M", "288 GB"
    if any(one.isalpha() or one in "$%¥€" for one in digits):
        return printed
    assert unit is not None
    return f"{printed} {unit.removeprefix('count:')}"


def worded_figure(shown: str | None, hedge: str | None, modality: str = "stated") -> str | None:
    """A figure as its author means it: what limits it goes before it, and whether it is more than stated goes behind.

    Every place that prints a figure prints it so: without these words it says something else.

    >>> worded_figure("1.6x", "at-least", "required"), worded_figure("2x", "less-than"), worded_figure("2.5x", None)
    ('at least 1.6x [required]', 'less than 2x', '2.5x')
    >>> worded_figure("Up to 2x", "up-to")
    'Up to 2x'
    """
    if shown is None:
        return None
    before = hedge.replace("-", " ") if hedge else ""
    # the print may say it itself: "up to 2x"
    hedged = f"{before} {shown}" if before and not shown.lower().startswith(before) else shown
    return hedged if modality == "stated" else f"{hedged} [{modality}]"


def worded_print(shown: str | None, unit: str | None, hedge: str | None, modality: str) -> str | None:
    """The same of any print: without a unit it is words, and how they are meant stands with the statement they are a cue of."""
    return worded_figure(shown, hedge, modality if unit is not None else "stated")


def verdict_of(row: Row) -> tuple[Verdict, str, str | None]:
    """The verdict of a row with its reason and the value to use; unverified where nobody judged."""
    return read_verdict(said(row, "verdict")), said(row, "verdict_reason") or UNJUDGED, said(row, "value_to_use")


def read_cards(asker: Asker, claims: Iterable[str]) -> dict[str, ClaimCard]:
    """The cards of claims by id, in the order given; an unknown id is left out."""
    wanted = tuple(dict.fromkeys(claims))
    if not wanted:
        return {}
    cards = {text(row, "claim"): row for row in asker.rows("claims/card", claim=wanted)}
    if not cards:
        return {}
    figures = grouped(asker.rows("claims/figure", claim=wanted), "claim")
    values = grouped(asker.rows("claims/values", claim=wanted), "claim")
    labels = _labels(asker, cards.values())
    return {
        one: _card(cards[one], figures[one], values.get(one, []), labels)
        for one in wanted
        if one in cards and one in figures
    }


def _labels(asker: Asker, rows: Iterable[Row]) -> Mapping[str, str]:
    wanted: set[str] = set()
    for row in rows:
        wanted.update(one for column in ("asserted_by", "attributed_to", "source") if (one := said(row, column)))
        wanted.update(_path(row))
    found = asker.rows("entities/labels", thing=sorted(wanted)) if wanted else []
    return {text(row, "thing"): text(row, "label") for row in found}


def _path(row: Row) -> list[str]:
    given = said(row, "path")
    return given.split(" > ") if given else []


def _card(row: Row, figures: list[Row], values: list[Row], labels: Mapping[str, str]) -> ClaimCard:
    first = figures[0]

    def thing(identifier: str) -> Thing:
        return Thing(identifier, labels.get(identifier))

    attributed, baseline = said(row, "attributed_to"), said(first, "baseline")
    verdict, reason, value = verdict_of(row)
    return read_fields(
        ClaimCard,
        row,
        id=text(row, "claim"),
        # one row for each thing that a claim is about; all else is alike in its rows
        subjects=tuple(Thing(text(one, "subject"), said(one, "subject_label")) for one in figures),
        subject_printed=said(first, "subject_printed"),
        baseline=Thing(baseline, said(first, "baseline_label")) if baseline else None,
        baseline_level=said(first, "baseline_level"),
        baseline_printed=said(first, "baseline_printed"),
        baseline_status=said(first, "baseline_status")
        or ("unstated" if baseline or text(row, "kind") == "comparison" else None),
        metric=bare(text(row, "metric")) or "",
        alternatives=tuple(given.split(", ")) if (given := said(row, "alternatives")) else (),
        figure=_figure(first, values),
        asserted_by=thing(text(row, "asserted_by")),
        attributed_to=thing(attributed) if attributed else None,
        path=tuple(thing(one) for one in _path(row)),
        source=thing(text(row, "source")),
        place=read_place(first),
        verdict=verdict,
        verdict_reason=reason,
        value_to_use=value,
    )


def _figure(row: Row, values: list[Row]) -> ShownFigure:
    return read_fields(
        ShownFigure,
        row,
        unit=bare(said(row, "unit")),
        values=tuple(sorted({cell for value in values if (cell := number(value, "value")) is not None})),
        words=tuple(sorted({one for value in values if (one := said(value, "word"))})),
    )


def read_place(row: Row) -> PrintedPlace:
    """The place of a row that has its columns."""
    return read_fields(
        PrintedPlace,
        row,
    )


def values_to_use(asker: Asker, names: Iterable[str]) -> dict[str, str]:
    """The values to use of some claims, as `kg trace` says them."""
    wanted = sorted(set(names))
    cards = asker.rows("claims/card", claim=wanted) if wanted else ()
    return {text(row, "claim"): text(row, "value_to_use") for row in cards if said(row, "value_to_use")}
