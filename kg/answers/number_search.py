"""The claims that print a number: how it is read, which figures fit it, and which print its digits in another unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from kg.answers.asking import Asker, number, said, text
from kg.answers.claim import bare
from kg.errors import KgError

if TYPE_CHECKING:
    from kg.answers.number import AskedNumber, Match
    from kg.model.units import UnitTable


class NearClaim(NamedTuple):
    """A claim that prints the same digits in another unit, or nearly the same where none has the same."""

    claim: str
    printed: str
    unit: str | None
    is_same: bool = True


def read_and_matched(
    asker: Asker, asked: str, units: UnitTable
) -> tuple[AskedNumber, dict[str, Match], dict[str, NearClaim]]:
    """How a number is read, the claims that fit, and those of its digits in another unit; raises where it cannot be read."""
    from kg.answers.number import as_printed, read_asked

    unreadable: KgError | None = None
    try:
        reading = read_asked(asked, units)
    except KgError as error:
        reading, unreadable = as_printed(asked), error
    matches, others = _matched(asker, reading)
    # only what no claim prints word for word is taken apart: "two years" is a print
    if unreadable is not None and not matches:
        reading, matches, others = _of_words_behind(asker, asked, units)
        if not matches and not others:
            raise unreadable
    # a unit that is begun ("8.8 J" of joules a token) is completed only where nothing fits as it
    # stands
    if not matches and (whole := _completed(reading, others, units)) is not None:
        reading = whole
        matches, others = _matched(asker, reading)
    return reading, matches, others


def _of_words_behind(
    asker: Asker, asked: str, units: UnitTable
) -> tuple[AskedNumber, dict[str, Match], dict[str, NearClaim]]:
    """The claims that give this count of the things named; else those with the very digits in a unit that begins as asked."""
    from kg.answers.number import as_count, as_printed, with_cut_unit

    if (counted := as_count(asked, units)) is not None:
        matches, others = _matched(asker, counted)
        if matches:
            return counted, matches, others
    cut = with_cut_unit(asked, units)
    if cut is None:
        return as_printed(asked), {}, {}
    reading, whole = cut
    _, others = _matched(asker, reading)
    return reading, {}, {name: one for name, one in others.items() if one.unit in whole and one.is_same}


def _completed(reading: AskedNumber, others: Mapping[str, NearClaim], units: UnitTable) -> AskedNumber | None:
    """The number in the unit that its own begins, where the claims of its very digits have one such unit ("8.8 J" a token)."""
    from kg.answers.number import read_asked, units_begun_by

    begun = units_begun_by(reading.unit or "", units)
    whole = sorted({one.unit for one in others.values() if one.is_same and one.unit in begun})
    return (
        read_asked(f"{reading.values[0]:.15g} {whole[0]}", units)
        if len(whole) == 1 and len(reading.values) == 1
        else None
    )


def _matched(asker: Asker, reading: AskedNumber) -> tuple[dict[str, Match], dict[str, NearClaim]]:
    """The claims that fit, each with how well, and those that print the same digits in another unit."""
    from kg.answers.number import Match, digits_differ, match_figure

    matches: dict[str, Match] = {}
    others: dict[str, NearClaim] = {}
    for row in asker.rows("trace/number", bucket=reading.buckets()):
        claim, value, printed = text(row, "claim"), number(row, "value"), said(row, "printed")
        unit = bare(said(row, "unit"))
        match: Match | None = None
        if reading.is_print(printed):
            match = Match("exact", 0.0 if value is None else value, 0.0, is_print=printed == reading.text)
        elif value is not None:
            match = match_figure(
                reading,
                value=value,
                unit=unit,
                canonical_value=number(row, "canonical_value"),
                quantity_kind=said(row, "quantity_kind"),
            )
        if match is None:
            if value is not None and (apart := digits_differ(reading, value)) is not None:
                # the same digits in another unit are no match, but the likeliest slip of who asks
                others[claim] = NearClaim(claim, printed or "", unit, apart == 0)
        elif claim not in matches or match.rank < matches[claim].rank:
            matches[claim] = match
    return matches, others
