"""A mapping to correct, drafted from a table: which column names the chip, which columns are figures, of which metric and unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from json import dumps
from pathlib import Path
from typing import Final, NamedTuple

from rapidfuzz import fuzz

from kg.content.vocabulary import Metric, Vocabulary
from kg.errors import UsageError
from kg.ingest.readers import open_table, reader_for
from kg.model.names import name_key
from kg.model.units import currency_of

_ROWS: Final = 50
"""Rows looked at: enough to tell a column of figures from one of words."""
# in a column of figures a few cells may say "n/a"
_MOST_FIGURES: Final = 0.8
_ALIKE: Final = 85
_PERIODS: Final = {"hour": "h", "hourly": "h", "hr": "h", "month": "month", "monthly": "month"}
"""Words of a head for the time that a price is for."""
_GUESSED: Final = "  # CORRECT: the head names no unit, this one is the usual"
# meets "$31,000" and "3.35 TB/s"; not "H100"
_BESIDE: Final = re.compile(r"(?P<sign>[$€£¥])?\s*[\d,]*\.?\d+(?P<unit>\s*[^\d\s].*)?")
# meets the "(GB)" at the end of "Memory (GB)"; not that of "Memory (GB) per chip"
_UNIT: Final = re.compile(r"[(\[]\s*([^)\]]+?)\s*[)\]]\s*$")


class DraftColumn(NamedTuple):
    """A column as far as its head and cells tell."""

    head: str
    field: str
    is_number: bool
    unit: str | None
    metric: str | None
    names: int
    """How many of its cells name a thing that is known."""
    is_guessed: bool = False
    """Whether nothing names the unit, which is then the usual one of the metric."""
    pattern: str | None = None
    """How a cell reads that has its unit with the figure: "$31,000", "3.35 TB/s"."""


def draft_mapping(path: Path, vocabulary: Vocabulary, is_name: Callable[[str], bool]) -> str:
    """The draft as YAML; a table without a column of names that are known is refused, since claims need a subject."""
    columns = _columns(path, vocabulary, is_name)
    name = max(columns, key=lambda one: one.names, default=None)
    if name is None or not name.names:
        raise UsageError(
            "has no column whose cells name a thing that is known.",
            given=path.name,
            expected="a column with names such as H100 SXM or MI300X",
            next_step="kg find NAME shows which names are known; loaders/README.md describes a mapping by hand",
        )
    figures = [one for one in columns if one.metric is not None and one is not name]
    return "\n".join(_lines(path, columns, name, figures)) + "\n"


def _columns(path: Path, vocabulary: Vocabulary, is_name: Callable[[str], bool]) -> list[DraftColumn]:
    with open_table(path, reader_for(path)) as table:
        rows = [row.cells for row in islice(table.rows, _ROWS) if row.fault is None]
        heads = list(table.columns or dict.fromkeys(key for row in rows if isinstance(row, dict) for key in row))
    taken: set[str] = set()
    found = []
    for number, head in enumerate(heads):
        cells = [row.get(head) if isinstance(row, dict) else row[number] for row in rows]
        texts = [str(cell).strip() for cell in cells if cell is not None and str(cell).strip()]
        found.append(_column(head, texts, vocabulary, is_name, taken))
    return found


def _column(
    head: str, texts: Sequence[str], vocabulary: Vocabulary, is_name: Callable[[str], bool], taken: set[str]
) -> DraftColumn:
    words, unit = _head(head, vocabulary)
    field = re.sub(r"[^a-z0-9]+", "_", head.lower()).strip("_") or "column"
    field = f"c_{field}" if field[0].isdigit() else field
    while field in taken:
        field += "_2"
    taken.add(field)
    numbers = sum(_is_number(text) for text in texts)
    if texts and numbers >= _MOST_FIGURES * len(texts):
        return _figure_column(head, field, words, unit, vocabulary)
    names = sum(is_name(text) for text in dict.fromkeys(texts))
    beside = None if names else _unit_beside(head, texts, vocabulary)
    if beside is None:
        return DraftColumn(head, field, False, unit, None, names)
    pattern, unit = beside
    return DraftColumn(head, field, False, unit, _metric(words, unit, vocabulary), 0, pattern=pattern)


def _figure_column(head: str, field: str, words: str, unit: str | None, vocabulary: Vocabulary) -> DraftColumn:
    """A column of bare figures: what its head says of metric and unit, else the usual unit of the metric that it names just so."""
    if unit is not None:
        return DraftColumn(head, field, True, unit, _metric(words, unit, vocabulary), 0)
    named = _metric_named(words, vocabulary)
    if named is None:
        return DraftColumn(head, field, True, None, None, 0)
    return DraftColumn(head, field, True, _usual_unit(named, vocabulary), named.id, 0, is_guessed=True)


def _unit_beside(head: str, texts: Sequence[str], vocabulary: Vocabulary) -> tuple[str, str] | None:
    """The pattern of cells that all have one sign of money before their figure, or one unit behind it, and the unit."""
    found = [one for one in map(_BESIDE.fullmatch, texts) if one is not None]
    signs = {(one["sign"] or "", (one["unit"] or "").strip()) for one in found}
    if not found or len(found) < len(texts) or len(signs) != 1:
        return None
    ((sign, behind),) = signs
    for_a_time = _price_for_a_time(f"{head} {sign}", vocabulary) if sign and not behind else None
    unit = for_a_time[1] if for_a_time else _unit(f"{sign}{behind}", vocabulary)
    if unit is None:
        return None
    return rf"^{re.escape(sign)}\s*(?P<value>[\d,]*\.?\d+)\s*{re.escape(behind)}$", unit


def _metric_named(words: str, vocabulary: Vocabulary) -> Metric | None:
    """The metric that a head without a unit names just so: "TDP"."""
    key = name_key(words.replace("_", " "))
    named = [
        one
        for one in vocabulary.metrics.values()
        if one.kinds and key in {name_key(each) for each in (one.label, *one.synonyms)}
    ]
    return named[0] if len(named) == 1 else None


def _usual_unit(metric: Metric, vocabulary: Vocabulary) -> str:
    return dict(vocabulary.units.canonical_ids)[metric.kinds[0]]


def _head(head: str, vocabulary: Vocabulary) -> tuple[str, str | None]:
    """The words of a head, and its unit: "Memory (GB)", "memory_gb", "TDP W"."""
    rate = _price_for_a_time(head, vocabulary)
    if rate is not None:
        return rate
    bracket = _UNIT.search(head)
    if bracket is not None:
        return head[: bracket.start()], _unit(bracket[1], vocabulary)
    parts = re.split(r"[\s_]+", head.strip())
    unit = _unit(parts[-1], vocabulary) if len(parts) > 1 else None
    return (head, None) if unit is None else (" ".join(parts[:-1]), unit)


def _price_for_a_time(head: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """The words of a price for a time, and its unit, where currency and time are words of the head: "price_per_hour_usd"."""
    parts = re.findall(r"[^\W_]+|[$€¥£]", head)
    money = next((part for part in parts if _is_money(_unit(part, vocabulary), vocabulary)), None)
    period = next((_PERIODS[part.lower()] for part in parts if part.lower() in _PERIODS), None)
    if money is None or period is None:
        return None
    unit = _unit(f"{_unit(money, vocabulary)}/{period}", vocabulary)
    return None if unit is None else (" ".join(part for part in parts if part != money), unit)


def _is_money(unit: str | None, vocabulary: Vocabulary) -> bool:
    return unit is not None and currency_of(vocabulary.units.kind(unit)) is not None


def _unit(text: str, vocabulary: Vocabulary) -> str | None:
    known = vocabulary.units
    for form in (text, text.upper(), re.sub(r"(?i)ps$", "/s", text), re.sub(r"(?i)bps$", "B/s", text.upper())):
        if (unit := known.find(form)) is not None:
            return unit.id
    return None


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?[\d,]*\.?\d+(?:[eE][+-]?\d+)?", text) is not None


def _metric(words: str, unit: str, vocabulary: Vocabulary) -> str | None:
    """The metric whose label or synonym the words are most like, among those that are measured in this kind of unit."""
    kind, key = vocabulary.units.kind(unit), name_key(words.replace("_", " "))

    def likeness(metric: Metric) -> float:
        return max(fuzz.token_sort_ratio(key, name_key(one)) for one in (metric.label, *metric.synonyms))

    measured = [metric for metric in vocabulary.metrics.values() if kind in metric.kinds]
    best = max(measured, key=likeness, default=None)
    if best is None:
        return None
    # where only one metric is measured in such a unit, its name need not be in the head
    return best.id if likeness(best) >= _ALIKE or len(measured) == 1 else None


def _lines(
    path: Path, columns: Sequence[DraftColumn], name: DraftColumn, figures: Sequence[DraftColumn]
) -> Iterator[str]:
    slug = re.sub(r"[^a-z0-9]+", "-", path.name.lower().split(".")[0]).strip("-") or "table"
    reader = reader_for(path)
    yield f"# Drafted from {path.name}: correct what is marked with CORRECT, then try it with"
    yield f"# kg load table {path.name} --mapping THIS-FILE --dry-run; loaders/README.md says what each key may hold."
    yield f"title: {dumps(f'Table {path.name}')}  # CORRECT: what it is"
    yield f"publisher: {{id: org/{slug}-publisher, label: {dumps(f'publisher of {path.name}')}}}  # CORRECT: who published it"
    yield "licence: unknown  # CORRECT"
    yield f"citation: {dumps(f'{path.name}, {{edition}}')}  # CORRECT"
    yield "url: unknown  # CORRECT: where it lies, without https://"
    yield "edition: {kind: snapshot, from: [{how: modified}]}  # CORRECT: from a date in the file name or a column, where there is one"
    yield f"source: {slug}"
    yield f"source_label: {dumps(path.name)}"
    yield "shapes:"
    yield "  table:"
    yield "    about: one row a thing"
    yield f"    detect: {{file: '*', has: [{dumps(name.head)}]}}"
    yield f"    reader: {{format: {reader.format}}}"
    yield "    columns:"
    for column in columns:
        yield f"      {dumps(column.head)}: {_column_text(column, name, figures)}"
    yield "    unknown_columns: list"
    if beside := [column for column in figures if column.pattern is not None]:
        yield "fields:"
        for column in beside:
            yield f"  {column.field}: {{how: match, of: {column.field}_text, pattern: {_quoted(column.pattern)}, type: number}}"
    yield f"key: [{name.field}]  # CORRECT: what makes a row unique, where one thing has several"
    yield "entities:"
    yield f"  chip: {{how: resolve, of: {name.field}, kind: accelerator, context: {{column: {dumps(name.head)}}}}}  # CORRECT: or a system"
    yield (
        "claims:"
        if figures
        else "claims: {}  # CORRECT: no column has a figure with a unit and a metric that are known"
    )
    for column in figures:
        yield from _claim(column, name)


def _column_text(column: DraftColumn, name: DraftColumn, figures: Sequence[DraftColumn]) -> str:
    if column is name:
        return f"{{as: {column.field}, needed: true}}"
    if column in figures and column.pattern is not None:
        return f"{{as: {column.field}_text}}"
    if column in figures:
        marked = _GUESSED if column.is_guessed else ""
        return f"{{as: {column.field}, type: number, unit: {dumps(column.unit)}}}{marked}"
    if column.is_number:
        missing = "no metric is like its head" if column.unit else "its head names no unit"
        return f"{{why: {dumps(f'not read: {missing}')}}}  # CORRECT"
    return "{why: not read}  # CORRECT: or a condition"


def _claim(column: DraftColumn, name: DraftColumn) -> Iterator[str]:
    yield f"  {column.field.replace('_', '-')}:"
    yield f"    about: {dumps(column.head)}"
    kind, other = ("price", "specification") if (column.metric or "").endswith("-price") else ("specification", "price")
    yield f"    kind: {kind}  # CORRECT: or measurement, {other}"
    yield "    subject: $chip"
    yield f"    subject_printed: ${name.field}"
    yield f"    metric: {column.metric}"
    yield "    normaliser: per-chip  # CORRECT: or total, per-node"
    yield f"    value: ${column.field}"
    yield f"    unit: {dumps(column.unit)}{_GUESSED if column.is_guessed else ''}"


def _quoted(pattern: str | None) -> str:
    """A pattern as YAML takes it literally."""
    return "'" + (pattern or "").replace("'", "''") + "'"
