"""`kg diff`: what changed between two states."""

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.options import (
    Format,
    FormatOption,
    LimitOption,
    StoreOptions,
    spread,
)

if TYPE_CHECKING:
    from kg.export.state_difference import StateDifference, VerdictChange

LISTS = ("new", "corrected", "withdrawn", "flipped")
"""What a limit cuts, each of them."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("diff")(spread(diff))


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

        sys.stdout.write(fenced(list(_text(found, limit)), markdown=form is Format.markdown))
        _tell_cut(found, limit, tell)
    tell(f"verdicts: {found.verdicts}")


def _tell_cut(found: "StateDifference", limit: int | None, tell: Callable[[str], None]) -> None:
    for name in LISTS:
        if limit and limit < len(getattr(found, name)):
            tell(f"cut at {limit} of {len(getattr(found, name))} {name}")


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
    from kg.render.lines import row, table, wrapped

    yield from wrapped(
        f"{len(found.new)} new, {len(found.corrected)} corrected, {len(found.withdrawn)} withdrawn claims; {len(found.flipped)} verdicts flipped"
    )
    if found.moved:
        subject = "1 claim says" if found.moved == 1 else f"{found.moved:,} claims say"
        yield from wrapped(f"{subject} the same at another place or on another day")
    if any(found.things):
        yield from wrapped(
            f"entities and sources: {found.things[0]} new, {found.things[1]} changed, {found.things[2]} gone"
        )
    for title, some in (("new", found.new), ("withdrawn", found.withdrawn)):
        if some:
            yield ""
            yield from table(
                (title, "metric", "printed", "source"),
                [(one["id"], one["metric"], _printed(one), one["source"]) for one in some[:limit]],
            )
            yield from _cut(len(some), limit)
    for one in found.corrected[:limit]:
        yield ""
        yield from wrapped(f"corrected {one.claim}")
        for each in one.changes:
            yield from row("", f"{each.field}: {_value(each.before)} → {_value(each.after)}")
    yield from _cut(len(found.corrected), limit)
    if found.flipped:
        yield ""
        yield from table(
            ("flipped", "before", "after"),
            [(one.claim, _verdicts(one.before), _verdicts(one.after)) for one in found.flipped[:limit]],
        )
        yield from _cut(len(found.flipped), limit)


def _cut(number: int, limit: int | None) -> Iterator[str]:
    if limit is not None and number > limit:
        yield f"  and {number - limit} more"


def _value(value: object) -> str:
    import json

    return (
        "nothing"
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )
