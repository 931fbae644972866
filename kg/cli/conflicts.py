"""`kg conflicts`: groups of claims that disagree."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kg.cli.grammar import scope_meant
from kg.cli.options import (
    ClaimOptions,
    Format,
    ListOptions,
    PublishedOption,
)
from kg.cli.screen import ExitCodeOption, WideOption, show_text
from kg.errors import UsageError
from kg.model.columns import columns, read_columns
from kg.model.verdict import PAIR_VERDICTS

if TYPE_CHECKING:
    from kg.answers.conflicts import Conflicts, Group, Member
    from kg.answers.findings import Involved
    from kg.answers.published import Restriction
    from kg.answers.referent import Scope
    from kg.session import Graph


SHOWN = 20
"""Groups in full on a terminal."""
COLUMNS = columns(
    "finding=group.finding verdict=group.verdict severity=group.severity claim value=member.claim.printed"
    " unit canonical=member.claim.canonical_value canonical_lower canonical_upper canonical_unit"
    " differs=member.differs said_by=member.claim.asserted_by source document start end"
    " place=member.claim.position",
    of="member.claim",
)


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
        typer.Option("--verdict", help=f"{', '.join(PAIR_VERDICTS)}; may be repeated (default: the first three)"),
    ] = None,
    published: PublishedOption = False,
    wide: WideOption = False,
    exit_code: ExitCodeOption = False,
) -> None:
    """Claims about one thing that disagree: value, unit, the conditions that differ, who says it and where.

    With --exit-code it ends with 1 where values cannot all hold (verdict conflict of severity violation).

    Example: kg conflicts memory-bandwidth
    """
    name = " ".join(words) if words else None
    wanted = tuple(verdict or PAIR_VERDICTS[:3])
    if unknown := [one for one in wanted if one not in PAIR_VERDICTS]:
        raise UsageError(field="--verdict", given=unknown[0], expected=", ".join(PAIR_VERDICTS))
    graph = options.open()
    found, texts = _asked(graph, words or [], wanted, within.restriction(graph), published=published)
    groups = found.groups[: options.limit or (SHOWN if options.form is Format.table and wide else None)]
    _put(found, groups, options, wide=wide, opening=_opening(graph, texts))
    _tell(found, groups, name, options.tell)
    options.name_questions(found.questions)
    if exit_code and any(one.verdict == "conflict" and one.severity == "violation" for one in found.groups):
        raise typer.Exit(1)


def _asked(
    graph: "Graph", words: list[str], verdicts: tuple[str, ...], within: "Restriction | None", *, published: bool
) -> "tuple[Conflicts, frozenset[str]]":
    """The groups about a thing or metric; of a claim, number, source or two things those that hold such a claim.

    With them the texts that are named, be it by their publisher.
    """
    name = " ".join(words) or None
    meant = graph.referent(*words) if words else None
    # what an organisation published is about it too
    publishes = meant is not None and meant.kind == "thing" and any(one.startswith("org/") for one in meant.ids)
    if meant is None or (meant.kind in ("thing", "metric", "nothing") and not publishes):
        return graph.conflicts(name, verdicts=verdicts, within=within, published=published), frozenset()
    found, scope = graph.conflicts(verdicts=verdicts, within=within, published=published), scope_meant(graph, meant)
    groups, own = _groups_about(found, scope), scope.texts
    things = tuple(sorted({thing for each in scope.things for thing in each}))
    subjects = things or meant.ids or (meant.text,)
    return replace(found, asked=name, subjects=subjects, groups=groups, published=0), own


def _groups_about(found: "Conflicts", scope: "Scope") -> "tuple[Group, ...]":
    """The groups that hold a claim of the scope; who states otherwise comes before what a text says twice."""
    groups = (one for one in found.groups if any(_is_about(scope, member.claim) for member in one.members))
    own = scope.texts
    return tuple(sorted(groups, key=lambda group: all(one.claim.source in own for one in group.members)))


def _is_about(scope: "Scope", one: "Involved") -> bool:
    return scope.holds(one.claim, things=(one.subject, one.baseline), metric=one.metric, source=one.source)


def _tell(found: "Conflicts", groups: "tuple[Group, ...]", name: str | None, tell: Callable[[str], None]) -> None:
    """What was left out, and why there may be nothing."""
    if not found.groups:
        known = name is None or found.metric is not None or found.subjects
        about = f" about {name}" if name else ""
        near = f"; near: {', '.join(found.near)}" if found.near else ""
        both = "; --metric METRIC narrows the conflicts of a thing" if name and " " in name else ""
        tell(f"no claims disagree{about}" if known else f"{name}: no such name or metric{near}{both}")
    if found.published:
        tell(f"{found.published} more of published rows alone; --published shows them")
    if len(groups) < len(found.groups):
        tell(f"the first {len(groups)} of {len(found.groups)} groups; --limit N shows more")


def _opening(graph: "Graph", texts: "frozenset[str]") -> list[str]:
    """How far the texts can be relied on that are named, and who states otherwise."""
    from kg.answers.source_record import source_records
    from kg.render.source_record import record_lines

    return list(record_lines(source_records(graph.ask, texts)))


def _put(
    found: "Conflicts", groups: "tuple[Group, ...]", options: ListOptions, *, wide: bool, opening: list[str]
) -> None:
    """Write the groups; on a terminal briefly, unless more is asked for or there is only one."""
    from kg.cli.render import write_json, write_rows
    from kg.render.conflicts_text import brief_lines, conflict_lines
    from kg.render.cut import cut_object
    from kg.render.lines import fenced

    form, markdown = options.form, options.form is Format.markdown
    if form is Format.json:
        write_json(cut_object(found.to_json(), options.limit, "groups"))
    elif form in (Format.csv, Format.jsonl):
        members = (_MemberOf(group, one) for group in groups for one in group.members)
        write_rows(tuple(COLUMNS), read_columns(COLUMNS, members), form)
    elif markdown or wide or len(groups) == 1:
        show_text(fenced([*opening, *conflict_lines(found, groups)], markdown=markdown), whole=markdown or wide)
    else:
        text = "".join(f"{line}\n" for line in (*opening, *brief_lines(found, groups)))
        show_text(text, whole=options.limit is not None, more="--wide shows each claim, --limit N more groups")


class _MemberOf(NamedTuple):
    """A claim of a group."""

    group: "Group"
    member: "Member"
