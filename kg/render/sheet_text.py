"""A spec sheet as text: a sentence, a table of metrics (or of things), family and parts, comparisons, results, what to type next."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from math import isclose

from kg.answers.sheet import PublishedResults, Sheet, count_verdicts, unit_of_most
from kg.answers.sheet_rows import SheetRow, SheetValue
from kg.model.counting import counted
from kg.model.verdict import NOT_TO_USE, VERDICTS
from kg.render.amounts import amount
from kg.render.lines import MOST_LINES, folded, row, rows, width, wrapped

SHOWN_ROWS = 25
"""Rows of the table on a terminal."""
SHOWN_RESULTS = 2
_LEAST_ROWS = 8
_SHORT_NEXT = 3
_MAIN_FIGURES = 4
_MOST_OTHERS = 3
_MOST_LINKS = 4
_LINKS = {
    "member of": "Family",
    "variant of": "Variant of",
    "configuration of": "Consists of",
    "has member": "Members",
    "has variant": "Variants",
    "contains": "Contains",
    "has configuration": "Systems",
    "part of": "Part of",
    "maker of": "Makes",
    "publisher of": "Publishes",
    "not to be confused with": "Not the same",
}
"""The links that a sheet shows, in this order; `kg show --wide` has all of them."""


def sheet_lines(sheet: Sheet, *, wide: bool = False) -> Iterator[str]:
    """The whole sheet; not `wide`, long lists are cut and a line says how to see the rest."""
    head, below = wrapped(opening(sheet)), list(_below(sheet, wide=wide))
    shown = sheet.rows if wide else _fitting(sheet, MOST_LINES - len(head) - len(below) - 3)
    yield from head
    if shown:
        yield ""
        yield from _table(sheet, shown)
    if len(shown) < len(sheet.rows):
        yield f"  {len(shown)} of {len(sheet.rows)} rows; --wide shows all"
    yield ""
    yield from below


def _below(sheet: Sheet, *, wide: bool) -> Iterator[str]:
    """What stands below the table: links, comparisons, results, what to type next."""
    yield from _links(sheet, wide=wide)
    yield from _compared(sheet, wide=wide)
    yield from _published(sheet, wide=wide)
    yield from rows("Next", sheet.next if wide else sheet.next[:_SHORT_NEXT])


def _fitting(sheet: Sheet, room: int) -> Sequence[SheetRow]:
    """The first rows, as many as a table of this many lines holds, and a few where it holds hardly any."""
    for count in range(min(SHOWN_ROWS, len(sheet.rows)), _LEAST_ROWS, -1):
        if len(list(_table(sheet, sheet.rows[:count]))) <= room:
            return sheet.rows[:count]
    return sheet.rows[:_LEAST_ROWS]


def opening(sheet: Sheet) -> str:
    """What the sheet is of, its main figures with their verdicts, and how much it holds."""
    if sheet.kind == "metric":
        things = len({one.of.id for one in sheet.rows})
        holds = f"{count_verdicts(sheet)}, of {counted(things, 'thing')}."
        return " ".join(
            filter(None, (f"{sheet.label} [{sheet.id}]{extremes(sheet)}.", sheet.facts.get("definition"), holds))
        )
    maker = next((link.other.label for link in sheet.links if link.link == "made by"), None)
    words = [str(sheet.facts.get("kind", "thing")).replace("-", " "), *([f"by {maker}"] if maker else [])]
    released = sheet.facts.get("released")
    if released:
        words.append(f"released {released}")
    sources = len({source for one in sheet.rows for value in one.values for source in value.sources})
    named = f"{sheet.label} [{sheet.id}], {', '.join(words)}"
    if not sheet.rows:
        return f"{named}: no specification is stated."
    figures = "; ".join(_main_figures(sheet))
    holds = f"{count_verdicts(sheet)}, from {counted(sources, 'source')}."
    return f"{named}: {figures}. {holds}" if figures else f"{named}: {holds}"


def extremes(sheet: Sheet) -> str:
    """The lowest and the highest value that can be used, of things of the level that most are of; what is only expected is none."""
    unit = unit_of_most(sheet.rows)
    usable = [one for one in sheet.rows if one.level == sheet.level and one.unit == unit and _is_observed_figure(one)]
    if len(usable) < 2:
        return ""
    sizes = [one.low or 0 for one in usable]
    ends = (_end(sheet, [one for one in usable if isclose(one.low or 0, end)]) for end in (min(sizes), max(sizes)))
    return f" is stated from {' to '.join(ends)}"


def _end(sheet: Sheet, rows: Sequence[SheetRow]) -> str:
    """The value that some things share, with the best founded of them and how many others have it."""
    first = min(rows, key=lambda one: VERDICTS.index(one.verdict))
    others = {one.of.id for one in rows} - {first.of.id}
    same = f", and {len(others)} more with the same" if others else ""
    return f"{first.value} ({row_name(sheet, first)}, {first.verdict}{same})"


def _is_observed_figure(row: SheetRow) -> bool:
    """Whether its value is a figure, and one that is not only expected."""
    value = row.value or ""
    # A value that ends in `[expected]` or the like was not observed.
    return row.low is not None and any(sign.isdigit() for sign in value) and "[" not in value


def _main_figures(sheet: Sheet) -> Iterator[str]:
    """The figures that lead the table, as far as one can be used."""
    usable = [one for one in sheet.rows if one.value is not None and one.low is not None]
    for one in usable[:_MAIN_FIGURES]:
        yield f"{row_name(sheet, one)} {one.value} ({one.verdict})"


def _table(sheet: Sheet, rows: Sequence[SheetRow]) -> Iterator[str]:
    """A line a row; other values stand below it, so that neither figures nor names are folded."""
    heads = ("thing" if sheet.kind == "metric" else "metric", "value", "verdict", "sources")
    cells = [(row_name(sheet, one), value_words(one), one.verdict, str(one.sources)) for one in rows]
    room = (
        width()
        - 2
        - sum(2 + max(map(len, column)) for column in zip(heads[2:], *(one[2:] for one in cells), strict=True))
    )
    wide = min(
        max(len(one[0]) for one in (heads, *cells)), max(room // 2 + 2, room - 2 - max(len(one[1]) for one in cells))
    )
    named = (
        wide,
        room - wide - 2,
        *(max(map(len, column)) for column in zip(heads[2:], *(one[2:] for one in cells), strict=True)),
    )
    yield _line(heads, named)
    yield "  " + "  ".join("─" * one for one in named)
    for one, cell in zip(rows, cells, strict=True):
        yield from _folded(cell, named)
        if others := "; ".join(others_words(sheet, one)):
            yield from wrapped(f"also {others}", "      ", first="    ")


def _folded(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """A row whose first two cells may take several lines, folded between words."""
    names, values = (folded(cell, one) for cell, one in zip(cells[:2], widths[:2], strict=True))
    for number, (name, value) in enumerate(zip_longest(names, values, fillvalue="")):
        yield _line((name, value, *(cells[2:] if number == 0 else ("", ""))), widths)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  " + "  ".join(cell.ljust(one) for cell, one in zip(cells, widths, strict=True)).rstrip()


def value_words(one: SheetRow) -> str:
    """The value to use; for a corrected one also the value that it replaces."""
    if one.verdict in NOT_TO_USE and one.verdict != "disputed":
        return f"{one.value or 'none usable'}, not {one.values[0].shown}"
    return one.value or "none usable"


def row_name(sheet: Sheet, one: SheetRow) -> str:
    """The metric or the thing, with what makes the value one of its own, and the level where it is not that of the thing."""
    name = one.of.name if sheet.kind == "metric" else one.metric.replace("-", " ")
    level = one.level if sheet.kind == "entity" and one.level != sheet.level else None
    return ", ".join(filter(None, (name, one.facets, level)))


def others_words(sheet: Sheet, one: SheetRow) -> Iterator[str]:
    """The other values with their verdicts; whose they are, where that is a part of what the sheet is of."""
    for value in one.others[:_MOST_OTHERS]:
        related = ["other conditions"] if value.differs else []
        yield f"{value.shown} ({', '.join((*whose(sheet, value), value.verdict, *related))})"
    if len(one.others) > _MOST_OTHERS:
        yield f"{len(one.others) - _MOST_OTHERS} more"


def whose(sheet: Sheet, value: SheetValue) -> list[str]:
    """The variant or part that a value is stated of; nothing where it is of the thing itself, or of several."""
    parts = [thing.name for thing in value.subjects if thing.id != sheet.id]
    return parts if sheet.kind == "entity" and len(parts) == len(value.subjects) == 1 else []


def _links(sheet: Sheet, *, wide: bool) -> Iterator[str]:
    shown = {link: link.capitalize() for link in dict.fromkeys(one.link for one in sheet.links)} if wide else _LINKS
    if not wide and "accelerator" in (sheet.facts.get("kind"), sheet.facts.get("level")):
        shown = {**shown, "configuration of": "Form of"}  # a share of a card does not consist of cards
    listed: set[str] = set()
    for link, title in shown.items():
        others = {one.other.id: one.other.name for one in sheet.links if one.link == link}
        if wide or not listed.issuperset(others):  # a system of the thing is linked in several ways
            yield from _list(title, list(told_apart(others, wide=wide)), wide=wide)
        listed.update(others)


def told_apart(labels: Mapping[str, str], *, wide: bool) -> Iterator[str]:
    """The labels of things by id; a label that several have once with their number, or each with its id."""
    for label, count in Counter(labels.values()).items():
        if count == 1:
            yield label
        elif wide:
            yield from (f"{label} [{name}]" for name, one in labels.items() if one == label)
        else:
            yield f"{label} ({count} of this name)"


def _compared(sheet: Sheet, *, wide: bool) -> Iterator[str]:
    listed = [
        f"{one.other.name} ({counted(one.claims, 'claim')}"
        + (f", {one.refused} not to be used)" if one.refused else ")")
        for one in sheet.compared
    ]
    yield from _list("Compared with", listed, wide=wide)


def _published(sheet: Sheet, *, wide: bool) -> Iterator[str]:
    shown = sheet.published if wide else sheet.published[:SHOWN_RESULTS]
    yield from rows("Published", map(_result, shown))
    if len(shown) < len(sheet.published):
        yield from row("", f"{len(sheet.published) - len(shown)} more tasks and scenarios (--wide)")
    summed = sheet.summed if wide else sheet.summed[:1]
    yield from rows("Published", (one.worded for one in summed))
    if len(summed) < len(sheet.summed):
        yield from row("", f"other units and normalisers: {len(sheet.summed) - len(summed)} (--wide)")


def _result(one: PublishedResults) -> str:
    what = ", ".join(filter(None, (one.task.name, one.scenario and (one.scenario.name))))
    span = amount(one.high, one.unit) if one.low == one.high else f"{amount(one.low)} to {amount(one.high, one.unit)}"
    by = one.best_by.name
    span += "" if one.scenario is None else " per accelerator"
    newest = "" if one.newest_round == one.best_round else f"; newest {one.newest_round.name}"
    return f"{what}: {counted(one.results, 'result')}, {span}; best by {by} in {one.best_round.name}{newest}"


def _list(title: str, entries: Sequence[str], *, wide: bool) -> Iterator[str]:
    if not entries:
        return
    shown = entries if wide else entries[:_MOST_LINKS]
    more = f"; {len(entries) - len(shown)} more" if len(shown) < len(entries) else ""
    yield from row(title, "; ".join(shown) + more)
