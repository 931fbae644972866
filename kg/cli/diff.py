"""`kg diff`: what changed between two states."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.options import (
    Format,
    FormatOption,
    LimitOption,
    StoreOptions,
)

if TYPE_CHECKING:
    from kg.export.state_difference import FieldChange, StateDifference, VerdictChange

LISTS = ("new", "corrected", "withdrawn", "flipped")
"""What a limit cuts, each of them."""
SHOWN = 5
"""Of each list, where no limit is given and a person reads."""
SHOWN_FIELDS = 3
"""Of a corrected claim, where lists are cut."""
SAID_FIRST = (
    "quantity",
    "term",
    "statement",
    "subject",
    "baseline",
    "metric",
    "level",
    "normaliser",
    "modality",
    "conditions",
)
"""The fields of a claim in the order of their weight; others, such as places and grounds, follow."""


def diff(
    a: Annotated[
        str, typer.Argument(metavar="A", help="a store folder, a file of kg export jsonl, or edition:DATE of the store")
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="the later one")],
    *,
    options: StoreOptions,
    form: FormatOption = Format.table,
    limit: LimitOption = None,
) -> None:
    """Claims new, corrected (field by field) and withdrawn, and verdicts that flipped, from A to B.

    Example: kg diff claims.jsonl claims.jsonl
    """
    from kg.cli.render import write_json, write_rows
    from kg.export.state_difference import compare_states
    from kg.render.cut import cut_object
    from kg.sync.locate import store_folder

    found, tell = (
        compare_states(a, b, folder=store_folder(options.store, content=options.content), content=options.content),
        options.tell,
    )
    if form is Format.json:
        write_json(cut_object(found.to_json(), limit, *LISTS))
        _tell_cut(found, limit, tell)
    elif form in (Format.csv, Format.jsonl):
        rows = list(_flat(found))
        write_rows(("what", "claim", "field", "before", "after"), rows[:limit], form)
        if limit and limit < len(rows):
            tell(f"cut at {limit} of {len(rows)} rows")
    else:
        from kg.render.lines import fenced

        most = limit or (SHOWN if form is Format.table else None)
        sys.stdout.write(fenced(list(_text(found, most)), markdown=form is Format.markdown))
        _tell_cut(found, most, tell)
    tell(f"verdicts: {found.verdicts}")


def _tell_cut(found: "StateDifference", limit: int | None, tell: Callable[[str], None]) -> None:
    for name in LISTS:
        if limit and limit < len(getattr(found, name)):
            tell(f"cut at {limit} of {len(getattr(found, name))} {name}; --limit N shows more, --format jsonl all")


def _flat(found: "StateDifference") -> Iterator[tuple[object, ...]]:
    yield from (("new", one["id"], None, None, _printed(one)) for one in found.new)
    yield from (
        ("corrected", one.claim, each.field, each.before, each.after) for one in found.corrected for each in one.changes
    )
    yield from (("withdrawn", one["id"], None, _printed(one), None) for one in found.withdrawn)
    yield from (("flipped", one.claim, one.area, _verdicts(one.before), _verdicts(one.after)) for one in found.flipped)


def _printed(record: dict[str, Any]) -> str:
    return str((record.get("quantity") or {}).get("printed") or record.get("cue") or "")


def _verdicts(some: "tuple[VerdictChange, ...]") -> str:
    return (
        ", ".join(f"{one.code}" if one.code.endswith(one.verdict) else f"{one.code} ({one.verdict})" for one in some)
        or "nothing found"
    )


def _text(found: "StateDifference", limit: int | None) -> Iterator[str]:
    """What was judged otherwise first, then what reads otherwise, then what is gone, then what is new; `limit` of each."""
    from kg.render.lines import table, wrapped

    yield from wrapped(
        f"{len(found.new):,} new, {len(found.corrected):,} corrected, {len(found.withdrawn):,} withdrawn claims; "
        f"{len(found.flipped):,} verdicts flipped"
    )
    if found.moved:
        subject = "1 claim says" if found.moved == 1 else f"{found.moved:,} claims say"
        yield from wrapped(f"{subject} the same at another place or on another day")
    if any(found.things):
        yield from wrapped(
            f"entities and sources: {found.things[0]:,} new, {found.things[1]:,} changed, {found.things[2]:,} gone"
        )
    flipped = [(one.claim, f"{_verdicts(one.before)} → {_verdicts(one.after)}") for one in found.flipped]
    yield from _entries("flipped", flipped, limit)
    fields = None if limit is None else SHOWN_FIELDS
    yield from _entries("corrected", [(one.claim, _fields(one.changes, fields)) for one in found.corrected], limit)
    yield from _entries("withdrawn", list(map(_claim, found.withdrawn)), limit)
    if limit is None or len(found.new) <= limit:
        yield from _entries("new", list(map(_claim, found.new)), limit)
        return
    counts = Counter((one["source"], one["metric"]) for one in found.new).most_common()
    yield from ("", f"new, by source and metric{_part(len(counts), limit)}")
    yield from table(("source", "metric", "claims"), [(*names, f"{count:,}") for names, count in counts[:limit]])


def _entries(title: str, entries: Sequence[tuple[str, str]], limit: int | None) -> Iterator[str]:
    """A heading, then an id a line with what is said of it below; ids are never folded."""
    from kg.render.lines import wrapped

    if entries:
        yield from ("", f"{title}{_part(len(entries), limit)}")
    for name, said in entries[:limit]:
        yield from (f"  {name}", *wrapped(said, "    ", first="    "))


def _fields(changes: "Sequence[FieldChange]", most: int | None) -> str:
    """What a claim says now and said before, its figure first; how that is founded last."""
    ranked = sorted(changes, key=lambda one: (_rank(one.field), one.field))
    shown = [f"{each.field}: {_value(each.before)} → {_value(each.after)}" for each in ranked[:most]]
    left = len(ranked) - len(shown)
    return "; ".join((*shown, f"other fields: {left}") if left else shown)


def _rank(field: str) -> int:
    first = field.partition(".")[0]
    return SAID_FIRST.index(first) if first in SAID_FIRST else len(SAID_FIRST)


def _part(number: int, limit: int | None) -> str:
    return f", {limit:,} of {number:,}" if limit is not None and number > limit else ""


def _claim(record: "dict[str, Any]") -> tuple[str, str]:
    printed = _printed(record)
    return record[
        "id"
    ], f"{record['metric']} {printed}, {record['source']}" if printed else f"{record['metric']}, {record['source']}"


def _value(value: object) -> str:
    import json

    return (
        "nothing"
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )
