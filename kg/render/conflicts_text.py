"""Groups of claims that disagree as text: in brief a few lines each, else every claim with what differs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from kg.answers.conflicts import Conflicts, Group
from kg.answers.findings import Involved
from kg.model.counting import first_of
from kg.model.interval import Interval
from kg.model.verdict import PAIR_VERDICTS
from kg.render.amounts import amount, span
from kg.render.lines import row, table, wrapped


def brief_lines(found: Conflicts, groups: Sequence[Group]) -> Iterator[str]:
    """A group in a few lines: the values, how many claims state each, and why they cannot all hold."""
    yield from wrapped(_headline(found))
    for group in groups:
        yield ""
        yield from wrapped(_title(group), "  ", first="")
        yield from wrapped(_values(group), "    ", first="  ")
        yield from wrapped(f"{_because(group)} More: kg trace {group.members[0].claim.claim}", "    ", first="  ")


def _headline(found: Conflicts) -> str:
    """What is disagreed about most severely, and how many groups there are by what was found of them."""
    about = f" about {found.asked}" if found.asked else ""
    if not found.groups:
        known = found.asked is None or found.metric is not None or found.subjects
        return f"No claims disagree{about}." if known else f"{found.asked} is the name of no thing and no metric."
    first, counts = found.groups[0], Counter(one.verdict for one in found.groups)
    # Where all state one value the disagreement is about something else, which the message tells.
    values = _values(first, 3) if len({one.claim.shown for one in first.members}) > 1 else _because(first).rstrip(".")
    most = f"{_metrics(first)} of {_subjects(first)}: {values}"
    if len(found.groups) == 1:
        return f"Claims{about} disagree on {most} ({OF_GROUP[first.verdict]})."
    listed = ", ".join(f"{counts[verdict]} {OF_GROUP[verdict]}" for verdict in PAIR_VERDICTS if counts[verdict])
    return f"Claims{about} disagree most on {most}. Of {len(found.groups)} groups, {listed}."


_ROWS: Final = 3
"""Values of published rows that are still listed one by one."""
OF_GROUP: Final[Mapping[str, str]] = {
    "conflict": "cannot all hold",
    "possible-conflict": "may disagree",
    "explained": "are explained by a condition",
    "agree": "agree",
    "not-comparable": "are about different things",
}
"""What was found of groups of claims, in words behind their number."""


def _metrics(group: Group) -> str:
    """What the claims of a group measure."""
    metrics = [group.metric, *(one.claim.metric for one in group.members if one.claim.metric)]
    return " and ".join(one.replace("-", " ") for one in dict.fromkeys(metrics))


def _subjects(group: Group) -> str:
    """Whose figures they are."""
    subjects = list(dict.fromkeys(one.claim.subject_label or one.claim.subject for one in group.members))
    return first_of(subjects, 3)


def _values(group: Group, most: int | None = None) -> str:
    """The figures, each with how many claims give it; many rows of published files as their range."""
    files = [one.claim for one in group.members if one.is_published]
    rows = _range_of(files) if len({one.shown for one in files}) > _ROWS else None
    values = Counter(one.claim.shown for one in group.members if rows is None or not one.is_published)
    listed = [f"{shown}" + (f" ({count} claims)" if count > 1 else "") for shown, count in values.items()]
    listed += [rows] if rows else []
    return first_of(listed, most or len(listed), joined="; ")


def _range_of(rows: Sequence[Involved]) -> str | None:
    """How many rows there are and what they span; None where their values are in different units."""
    values = [Fraction(repr(one.canonical_value)) for one in rows if one.canonical_value is not None]
    units = {one.canonical_unit for one in rows}
    if not values or len(units) > 1:
        return None
    return f"{len(rows):,} published rows, {span(Interval(min(values), max(values)), units.pop())}"


def _title(group: Group) -> str:
    """The verdict, and what the group is about."""
    baselines = {one.claim.baseline_label or one.claim.baseline for one in group.members}
    against = f" against {baselines.pop()}" if len(baselines) == 1 and None not in baselines else ""
    alike = "same thing" if group.is_same_thing else "related"
    return f"{group.verdict} ({group.severity}, {alike}): {_metrics(group)} of {_subjects(group)}{against}"


def _because(group: Group) -> str:
    return group.message.rpartition(". ")[2] if group.message.count(". ") else group.message


def conflict_lines(found: Conflicts, groups: Sequence[Group]) -> Iterator[str]:
    """Each group with all its claims: value, what differs in it, who says it and where."""
    yield from wrapped(_headline(found))
    for group in groups:
        yield ""
        yield from _group(group)


def _group(group: Group) -> Iterator[str]:
    yield from wrapped(_title(group))
    rows = [
        (
            one.claim.shown,
            _canonical(one.claim),
            "; ".join(one.differs) or "as the others",
            f"{one.claim.speaker or one.claim.asserted_by}" + (f", {one.claim.said_on}" if one.claim.said_on else ""),
            one.claim.claim + (f"\nat {one.claim.position}" if one.claim.position else ""),
        )
        for one in group.members
    ]
    yield from table(
        ("value", "canonical", "differs in", "asserted by", "claim and place"), rows, whole=("value", "canonical")
    )
    yield from row("Reason", _because(group))
    for one in group.explanations[:3]:
        yield from row("Perhaps", f"{one.message} ({one.code})")


def _canonical(one: Involved) -> str:
    """The value in its canonical unit; of a range all that it allows, since its lower end alone is another value."""
    if one.canonical_value is None:
        return ""
    # `repr`, so that the ends are what was printed and not the digits of a double.
    ends = [None if end is None else Fraction(repr(end)) for end in (one.canonical_lower, one.canonical_upper)]
    return (
        amount(one.canonical_value, one.canonical_unit)
        if one.shape is None
        else span(Interval(*ends), one.canonical_unit)
    )
