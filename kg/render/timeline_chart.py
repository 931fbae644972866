"""The chart of when claims were made, a lane a speaker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, Row, said, text
from kg.model.dates import is_date, span
from kg.render.charts import MOST_LANES, Lane, Mark, NothingToChart, Panel, Plan
from kg.render.picture_cards import made_from
from kg.render.scene import SceneTable
from kg.render.thing_nodes import KnownThings, short

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_EPOCH: Final = span("1970-01-01")[0]


def timeline_plan(graph: Opened, thing: str | None = None) -> Plan:
    """When what was said, by speaker; a date that is only a year or a month is drawn as long as it is."""
    asker = Asker(graph.ask)
    rows = _dated_rows(asker, thing)
    counted: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        day = said(row, "said_on")
        if day is not None and is_date(day):
            counted.setdefault((said(row, "asserted_by") or "org/unknown", day), []).append(text(row, "claim"))
    if not counted:
        raise NothingToChart(given=thing or "everything", expected="claims with a date")
    things = KnownThings(asker)
    things.read(sorted({name for name, _ in counted}))
    lanes = _speaker_lanes(counted, things)
    dated = len({claim for claims in counted.values() for claim in claims})
    undated = len({text(row, "claim") for row in rows}) - dated
    notes = [f"Claims without a date, not drawn: {undated:,}."] if undated else []
    if len(lanes) > MOST_LANES:
        notes.append(f"This is a part: {MOST_LANES} of {len(lanes)} authors are drawn.")
    table = tuple(
        (claims[0], (short(things.label(name)), date, str(len(set(claims))), min(claims)))
        for (name, date), claims in sorted(counted.items())
    )
    return Plan(
        _timeline_title(counted, things, thing),
        f"{dated:,} dated claims by {len(lanes)} authors; the number next to a mark counts the claims of that date.",
        (Panel("", "", tuple(lanes[:MOST_LANES])),),
        SceneTable("The same dates", ("asserted by", "date", "claims", "first claim"), table),
        dates=True,
        notes=tuple(notes),
        series=("claims",),
        questions=asker.used,
        made_from=made_from(graph),
    )


def _dated_rows(asker: Asker, thing: str | None) -> list[Row]:
    """The claims about a thing, or of all sources, with their dates where they have some."""
    if thing is not None:
        return list(asker.rows("specifications/all-claims", thing=thing))
    sources = sorted({text(row, "source") for row in asker.rows("coverage/claims-per-source")})
    return [row for source in sources for row in asker.rows("sources/claims", source=source)]


def _speaker_lanes(counted: Mapping[tuple[str, str], list[str]], things: KnownThings) -> list[Lane]:
    """One lane a speaker, the one who spoke first on top, with a mark for each date."""
    marks: dict[str, list[Mark]] = {}
    for (name, date), claims in sorted(counted.items()):
        low, high = _span(date)
        mark = Mark((low + high) / 2, low, high, series="claims", words=f"{len(set(claims))}")
        marks.setdefault(name, []).append(mark)
    ordered = sorted(marks, key=lambda name: (min(mark.low or 0.0 for mark in marks[name]), name))
    return [Lane(short(things.label(name)), tuple(marks[name])) for name in ordered]


def _timeline_title(counted: Mapping[tuple[str, str], list[str]], things: KnownThings, thing: str | None) -> str:
    """The finding: who said most, and when."""
    by_speaker: dict[str, set[str]] = {}
    for (name, _), claims in counted.items():
        by_speaker.setdefault(name, set()).update(claims)
    most = max(sorted(by_speaker), key=lambda name: len(by_speaker[name]))
    dated = len(set().union(*by_speaker.values()))
    of = f" about {thing}" if thing else ""
    first, last = min(date for _, date in counted), max(date for _, date in counted)
    return (
        f"{dated:,} dated claims{of} from {first} to {last}; {short(things.label(most))} made {len(by_speaker[most]):,}"
    )


def _span(date: str) -> tuple[float, float]:
    """First and last day of a date, counted in days since 1970.

    >>> [_span(one) for one in ("1970-01-02", "1970-01", "1970-Q1", "1970")]
    [(1.0, 1.0), (0.0, 30.0), (0.0, 89.0), (0.0, 364.0)]
    """
    first, last = span(date)
    return float(first - _EPOCH), float(last - _EPOCH)
