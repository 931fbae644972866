"""`kg conflicts`: groups of claims that disagree."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import (
    ClaimOptions,
    Format,
    ListOptions,
    PublishedOption,
    spread,
)
from kg.cli.screen import ExitCodeOption, WideOption, show_text
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.answers.conflicts import Conflicts, Group
    from kg.answers.findings import Involved
    from kg.answers.published import Restriction
    from kg.answers.referent import Scope
    from kg.session import Graph

ALL_VERDICTS = ("conflict", "possible-conflict", "explained", "agree", "not-comparable")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("conflicts")(spread(conflicts))


def conflicts(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME|METRIC",
            help="a thing (with its family) or a metric, a claim, number, source or two things; without it all groups",
        ),
    ] = None,
    *,
    options: ListOptions,
    within: ClaimOptions,
    verdict: Annotated[
        list[str] | None,
        typer.Option("--verdict", help=f"{', '.join(ALL_VERDICTS)}; may be repeated (default: the first three)"),
    ] = None,
    published: PublishedOption = False,
    wide: WideOption = False,
    exit_code: ExitCodeOption = False,
) -> None:
    """Claims about one thing that disagree: value, unit, the conditions that differ, who says it and where.

    With --exit-code it ends with 1 where values cannot all hold (verdict conflict of severity violation).

    Example: kg conflicts memory-bandwidth
    """
    from kg.cli.render import write_json, write_rows
    from kg.render.cut import cut_object

    name = " ".join(words) if words else None
    wanted = tuple(verdict or ALL_VERDICTS[:3])
    if unknown := [one for one in wanted if one not in ALL_VERDICTS]:
        raise UsageError(field="--verdict", given=unknown[0], expected=", ".join(ALL_VERDICTS))
    graph = options.open()
    asked_of = within.restriction(graph)
    found = _asked(graph, words or [], wanted, asked_of, published=published)
    tell, groups = (
        options.tell,
        found.groups[: options.limit or (SHOWN if options.form is Format.table and wide else None)],
    )
    if options.form is Format.json:
        write_json(cut_object(found.to_json(), options.limit, "groups"))
    elif options.form in (Format.csv, Format.jsonl):
        write_rows(("finding", "verdict", "severity", "claim", *COLUMNS), _flat(groups), options.form)
    else:
        _put_text(found, groups, options.form, wide=wide, limit=options.limit)
    if not found.groups:
        known = name is None or found.metric is not None or found.subjects
        tell(
            (f"no claims disagree{f' about {name}' if name else ''}" if known else f"{name}: no such name or metric")
            + (f"; near: {', '.join(found.near)}" if found.near else "")
        )
    if found.published:
        tell(f"{found.published} more of published rows alone; --published shows them")
    if len(groups) < len(found.groups):
        tell(f"the first {len(groups)} of {len(found.groups)} groups; --limit N shows more")
    options.name_questions(found.questions)
    if exit_code and any(one.verdict == "conflict" and one.severity == "violation" for one in found.groups):
        raise typer.Exit(1)


def _asked(
    graph: "Graph", words: list[str], verdicts: tuple[str, ...], within: "Restriction | None", *, published: bool
) -> "Conflicts":
    """The groups about a thing or metric; of a claim, number, source or two things those that hold such a claim."""
    name = " ".join(words) or None
    meant = graph.referent(*words) if words else None
    if meant is None or meant.kind in ("thing", "metric", "nothing"):
        return graph.conflicts(name, verdicts=verdicts, within=within, published=published)
    found, scope = graph.conflicts(verdicts=verdicts, within=within, published=published), graph.scope(meant)
    groups = tuple(one for one in found.groups if any(_is_about(scope, member.claim) for member in one.members))
    things = tuple(sorted({thing for each in scope.things for thing in each}))
    return replace(found, asked=name, subjects=things or meant.ids or (meant.text,), groups=groups, published=0)


def _is_about(scope: "Scope", one: "Involved") -> bool:
    return scope.holds(one.claim, things=(one.subject, one.baseline), metric=one.metric, source=one.source)


SHOWN = 20
"""Groups in full on a terminal."""


def _put_text(found: "Conflicts", groups: "tuple[Group, ...]", form: Format, *, wide: bool, limit: int | None) -> None:
    from kg.render.lines import fenced

    if form is Format.markdown or wide or len(groups) == 1:
        text = fenced(list(_text(found, groups)), markdown=form is Format.markdown)
        show_text(text, whole=form is Format.markdown or wide)
    else:
        lines = list(_brief(found, groups))
        show_text(
            "".join(f"{line}\n" for line in lines),
            whole=limit is not None,
            more="--wide shows each claim, --limit N more groups",
        )


def _brief(found: "Conflicts", groups: "tuple[Group, ...]") -> Iterator[str]:
    """A group in a few lines: the values, how many claims state each, and why they cannot all hold."""
    from collections import Counter

    from kg.render.lines import wrapped

    yield from wrapped(_headline(found))
    for group in groups:
        yield ""
        yield from wrapped(_title(group), "  ", first="")
        values = Counter(one.claim.shown for one in group.members)
        told = "; ".join(f"{shown}" + (f" ({count} claims)" if count > 1 else "") for shown, count in values.items())
        yield from wrapped(told, "    ", first="  ")
        yield from wrapped(f"{_because(group)} More: kg trace {group.members[0].claim.claim}", "    ", first="  ")


def _headline(found: "Conflicts") -> str:
    from collections import Counter

    counts = Counter(one.verdict for one in found.groups)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ALL_VERDICTS if counts[verdict])
    noun = "group" if len(found.groups) == 1 else "groups"
    return f"{len(found.groups)} {noun}{f' about {found.asked}' if found.asked else ''}" + (f": {told}" if told else "")


def _title(group: "Group") -> str:
    """The verdict, and what the group is about."""
    subjects = list(dict.fromkeys(one.claim.subject_label or one.claim.subject for one in group.members))
    shown = ", ".join(subjects[:3]) + (f" and {len(subjects) - 3} more" if len(subjects) > 3 else "")
    metrics = list(dict.fromkeys([group.metric, *(one.claim.metric for one in group.members if one.claim.metric)]))
    baselines = {one.claim.baseline_label or one.claim.baseline for one in group.members}
    against = f" against {baselines.pop()}" if len(baselines) == 1 and None not in baselines else ""
    return f"{group.verdict} ({group.severity}): {' and '.join(metrics)} of {shown}{against}"


def _because(group: "Group") -> str:
    return group.message.rpartition(". ")[2] if group.message.count(". ") else group.message


COLUMNS = (
    "value",
    "unit",
    "canonical",
    "canonical_lower",
    "canonical_upper",
    "canonical_unit",
    "differs",
    "said_by",
    "source",
    "document",
    "start",
    "end",
    "place",
)


def _flat(groups: "tuple[Group, ...]") -> list[tuple[object, ...]]:
    return [
        (
            group.finding,
            group.verdict,
            group.severity,
            one.claim.claim,
            one.claim.printed,
            one.claim.unit,
            one.claim.canonical_value,
            one.claim.canonical_lower,
            one.claim.canonical_upper,
            one.claim.canonical_unit,
            list(one.differs),
            one.claim.asserted_by,
            one.claim.source,
            one.claim.document,
            one.claim.start,
            one.claim.end,
            one.claim.inside,
        )
        for group in groups
        for one in group.members
    ]


def _text(found: "Conflicts", groups: "tuple[Group, ...]") -> Iterator[str]:
    from kg.render.lines import wrapped

    yield from wrapped(_headline(found))
    for group in groups:
        yield ""
        yield from _group(group)


def _group(group: "Group") -> Iterator[str]:
    from kg.render.lines import row, table, wrapped

    yield from wrapped(_title(group))
    rows = [
        (
            one.claim.shown,
            _canonical(one.claim),
            "; ".join(one.differs) or "as the others",
            f"{one.claim.speaker or one.claim.asserted_by}" + (f", {one.claim.said_on}" if one.claim.said_on else ""),
            one.claim.claim + (f"\nat {one.claim.inside}" if one.claim.inside else ""),
        )
        for one in group.members
    ]
    yield from table(
        ("value", "canonical", "differs in", "said by", "claim and place"), rows, whole=("value", "canonical")
    )
    yield from row("because", _because(group))
    for one in group.explanations[:3]:
        yield from row("perhaps", f"{one.message} ({one.code})")


def _canonical(one: "Involved") -> str:
    """The value in its canonical unit; of a range all that it allows, since its lower end alone is another value."""
    from fractions import Fraction

    from kg.model.interval import Interval
    from kg.render.amounts import amount, span

    if one.canonical_value is None:
        return ""
    ends = [None if end is None else Fraction(repr(end)) for end in (one.canonical_lower, one.canonical_upper)]
    return (
        amount(one.canonical_value, one.canonical_unit)
        if one.shape is None
        else span(Interval(*ends), one.canonical_unit)
    )
