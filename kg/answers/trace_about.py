"""A number that is asked of a thing: of whom it is stated where that is another product, and what is known of the thing itself.

A figure of a variant is none of its family, and what a server of eight costs is no price of one chip. Where nobody states the
number, what is stated instead answers; of a ratio official results do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kg.answers.asking import Ask, Asker, text
from kg.answers.hardware import Hardware
from kg.answers.official_ratio import official_of_pair
from kg.answers.stated_values import values_of
from kg.answers.trace import Trace, trace
from kg.model.amount import cardinal
from kg.model.counting import counted
from kg.model.vocabulary import RATIO_RELATIONS

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.answers.sheet_rows import SheetRow
    from kg.model.units import UnitTable

_HARDWARE: Final = ("accelerator/", "family/", "superchip/", "system/", "config/", "cluster/", "offer/")
_OF_ONE: Final = frozenset({"per-chip", "per-gpu", "per-superchip"})
_PAIR: Final = 2
_RATIO: Final = "1"
_SHORT_WORDS: Final = 3
_MOST_KNOWN: Final = 3
_OF_UNIT: Final[Mapping[str, str]] = {
    "byte": "memory-capacity",
    "byte/s": "memory-bandwidth",
    "W": "power",
    "FLOP/s": "peak-compute",
    "USD": "purchase-price",
    "USD/h": "rental-price",
}
"""By the canonical unit of a number the metric that a data sheet or a price list gives in it first."""


class _Named(NamedTuple):
    """A name that a number was asked of, and the things that it names itself."""

    name: str
    ids: frozenset[str]

    @property
    def is_hardware(self) -> bool:
        return any(one.startswith(_HARDWARE) for one in self.ids)

    @property
    def is_speaker(self) -> bool:
        return bool(self.ids) and all(one.startswith("org/") for one in self.ids)


def trace_about(ask: Ask, asked: str | float, units: UnitTable, about: Sequence[str] = ()) -> Trace:
    """The provenance of a number or a claim, as `kg.answers.trace.trace` gives it, and what it says of the things that were named."""
    found = trace(ask, asked, units, about)
    if not about or found.kind == "claim":
        return found
    asker = Asker(ask)
    named = [_Named(name, _ids_of(asker, name)) for name in about]
    things = [one for one in named if one.is_hardware]
    if things and not found.claims:
        found = _of_others_than(ask, found, units, [one.name for one in named if one.is_speaker])
    found = found._replace(things=tuple(one.name for one in things))
    if things and found.claims:
        found = _of_whom(asker, found, things)
    elif len(things) == 1:
        found = _with_known(found, things[0], _known_rows(ask, found, things[0]))
    return _with_official(ask, found, things)


def _with_official(ask: Ask, found: Trace, things: Sequence[_Named]) -> Trace:
    """The trace of a ratio with what official results give of the two things that were named."""
    if len(things) != _PAIR or found.reading is None or found.reading.unit != _RATIO:
        return found
    return found._replace(official=official_of_pair(ask, things[0].name, things[1].name))


def _ids_of(asker: Asker, name: str) -> frozenset[str]:
    rows = asker.rows("names/resolve", thing=[name])
    return frozenset(text(row, "entity") for row in rows if row["match"] == "named")


def _of_others_than(ask: Ask, found: Trace, units: UnitTable, speakers: Sequence[str]) -> Trace:
    """What others state of the things, where no claim has the number from the speakers that were named."""
    others = tuple(one for one in found.about if one not in speakers)
    again = trace(ask, found.asked, units, others) if speakers else found
    if not again.claims:
        return found
    return again._replace(reason=f"{again.reason.rstrip('.')}. No claim here has it from {' or '.join(speakers)}")


def _of_whom(asker: Asker, found: Trace, things: Sequence[_Named]) -> Trace:
    """Of whom the number is stated, where no claim states it of just the things that were named."""
    cards = [one.claim for one in found.claims if one.match is not None and one.match.kind != "near"]
    hardware = Hardware(asker.rows("benchmarks/lineage"))
    if not cards or any(_is_of(card, things, hardware) for card in cards):
        return found
    names = list(dict.fromkeys(_subject_words(card, hardware) for card in cards))
    value = found.value
    if value is not None and len(names) == 1 and " for " not in value:
        value = f"{value} for {names[0]}"
    more = f" and {counted(len(names) - 1, 'other')}" if len(names) > 1 else ""
    found = found._replace(stated_of=f"{names[0]}{more}", value=value)
    return found if len(things) > 1 else _of_another(asker, found, things[0], cards, hardware)


def _of_another(asker: Asker, found: Trace, thing: _Named, cards: Sequence[ClaimCard], hardware: Hardware) -> Trace:
    """The trace with what the figure is not of, and what is known of that; the sheet of a family may go by this very figure."""
    rows = _known_rows(asker.answer, found, thing, cards)
    claims = {card.id for card in cards}
    is_of_several = all(_is_of_several(card, hardware) for card in cards)
    if not is_of_several and any(not claims.isdisjoint(row.values[0].claims) for row in rows):
        return found
    if not any(card.relation in RATIO_RELATIONS for card in cards):
        which = "one" if is_of_several else "every"
        found = found._replace(stated_of=f"{found.stated_of}, not of {which} {thing.name}")
    return _with_known(found, thing, [row for row in rows if not claims.issuperset(row.values[0].claims)])


def _is_of(card: ClaimCard, things: Sequence[_Named], hardware: Hardware) -> bool:
    """Whether a claim is about just the things that were named: no variant of theirs, and no server where a chip was named."""
    ids = {one.id for one in card.subjects} | ({card.baseline.id} if card.baseline is not None else set())
    if any(one.ids.isdisjoint(ids) for one in things):
        return False
    named = {one for thing in things for one in thing.ids}
    return card.relation in RATIO_RELATIONS or any(
        one.id in named and (not _is_of_several(card, hardware) or hardware.is_whole(one.id, ""))
        for one in card.subjects
    )


def _is_of_several(card: ClaimCard, hardware: Hardware) -> bool:
    """Whether a figure is that of several accelerators together."""
    return card.normaliser not in _OF_ONE and hardware.is_whole(card.subject.id, card.level)


def _subject_words(card: ClaimCard, hardware: Hardware) -> str:
    """What a claim is about, with the number of its accelerators where it holds several, and what a ratio compares it with."""
    name, count = _short(card.subject.name), hardware.count(card.subject.id)
    if _is_of_several(card, hardware):
        if not hardware.is_whole(card.subject.id, ""):
            name = f"a {card.level} of {name}"
        elif count is not None and count not in _numbers_in(name):
            name = f"{name} ({count} accelerators)"
    return name if card.baseline is None else f"{name} against {_short(card.baseline.name)}"


def _short(label: str) -> str:
    """A label without a description in brackets; what is short there tells one thing from the next.

    >>> _short("NVIDIA GB200 GPU (one Blackwell GPU of a GB200 superchip)"), _short("H100 server (8 GPUs)")
    ('NVIDIA GB200 GPU', 'H100 server (8 GPUs)')
    """
    name, _, described = label.partition(" (")
    return name if len(described.split()) > _SHORT_WORDS else label


def _numbers_in(name: str) -> set[int]:
    """The numbers of a name, in digits or as a word: "NVL72", "eight B200 cards"."""
    words = filter(None, map(cardinal, name.split()))
    return {*map(int, re.findall(r"\d+", name)), *words}


def _known_rows(ask: Ask, found: Trace, thing: _Named, cards: Sequence[ClaimCard] = ()) -> list[SheetRow]:
    """What is known of a thing for the metrics of some claims, else for that of the number's unit, in its kind of unit."""
    unit = None if found.reading is None else found.reading.canonical_unit
    metrics = dict.fromkeys(card.metric for card in cards) or filter(None, (_OF_UNIT.get(unit or ""),))
    units = {card.figure.canonical_unit for card in cards} or {unit}
    return [row for row in values_of(ask, thing.name, tuple(metrics)) if row.value and row.unit in units]


def _with_known(found: Trace, thing: _Named, rows: Sequence[SheetRow]) -> Trace:
    """The trace with what is known of the thing itself, each value once; of many precisions none is the one."""
    known = {(row.metric, row.value): _known_words(row, thing) for row in reversed(rows)}
    if not 0 < len(known) <= _MOST_KNOWN:
        return found
    return found._replace(known=f"known of {thing.name}: {'; '.join(reversed(known.values()))}")


def _known_words(row: SheetRow, thing: _Named) -> str:
    """A value of a sheet with its metric and verdict; of whom it is where that is a part or a whole of the thing."""
    metric = ", ".join(filter(None, (row.metric.replace("-", " "), row.facets)))
    subjects = {one for value in row.values[: row.told] for one in value.subjects}
    is_of_other = len(subjects) == 1 and thing.ids.isdisjoint(one.id for one in subjects)
    of = f" of {_short(next(iter(subjects)).name)}" if is_of_other else ""
    return f"{metric} {row.value}{of} ({row.verdict})"
