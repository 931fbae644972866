"""Groups of claims that disagree as text: in brief a few lines each, else every claim with what differs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from kg.answers.conflicts import Conflicts, Group
from kg.answers.findings import Involved
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
        values = Counter(one.claim.shown for one in group.members)
        listed = "; ".join(f"{shown}" + (f" ({count} claims)" if count > 1 else "") for shown, count in values.items())
        yield from wrapped(listed, "    ", first="  ")
        yield from wrapped(f"{_because(group)} More: kg trace {group.members[0].claim.claim}", "    ", first="  ")


def _headline(found: Conflicts) -> str:
    if not found.groups:
        return f"No claims disagree{f' about {found.asked}' if found.asked else ''}."
    counts = Counter(one.verdict for one in found.groups)
    summary = ", ".join(f"{counts[verdict]} {verdict}" for verdict in PAIR_VERDICTS if counts[verdict])
    noun = "group" if len(found.groups) == 1 else "groups"
    return f"{len(found.groups)} {noun}{f' about {found.asked}' if found.asked else ''}" + (
        f": {summary}" if summary else ""
    )


def _title(group: Group) -> str:
    """The verdict, and what the group is about."""
    subjects = list(dict.fromkeys(one.claim.subject_label or one.claim.subject for one in group.members))
    shown = ", ".join(subjects[:3]) + (f" and {len(subjects) - 3} more" if len(subjects) > 3 else "")
    metrics = list(dict.fromkeys([group.metric, *(one.claim.metric for one in group.members if one.claim.metric)]))
    baselines = {one.claim.baseline_label or one.claim.baseline for one in group.members}
    against = f" against {baselines.pop()}" if len(baselines) == 1 and None not in baselines else ""
    return f"{group.verdict} ({group.severity}): {' and '.join(metrics)} of {shown}{against}"


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


def _canonical(one: Involved) -> str:
    """The value in its canonical unit; of a range all that it allows, since its lower end alone is another value."""
    if one.canonical_value is None:
        return ""
    ends = [None if end is None else Fraction(repr(end)) for end in (one.canonical_lower, one.canonical_upper)]
    return (
        amount(one.canonical_value, one.canonical_unit)
        if one.shape is None
        else span(Interval(*ends), one.canonical_unit)
    )
