"""Groups of claims that disagree, each with what tells its claims apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, metric_named, near_names, text
from kg.answers.audit import SEVERITIES
from kg.answers.claim import bare
from kg.answers.findings import Involved, read_explanations, read_involved
from kg.answers.published import Restriction, published_sources
from kg.answers.sameness import Matter, are_same_thing
from kg.answers.traced_claim import NamedExplanation

VERDICTS: Final = ("conflict", "possible-conflict", "explained")
"""Shown unless others are asked for; the rest is agreement and what cannot be compared."""


@dataclass(frozen=True, slots=True)
class Member:
    """One claim of a group, and what it says that not all of them say."""

    claim: Involved
    differs: tuple[str, ...]
    is_published: bool = False
    """Whether it is a row of a published file, and not said in a text."""

    @property
    def differences(self) -> str:
        """The same in one line."""
        return "; ".join(self.differs)


@dataclass(frozen=True, slots=True)
class Group:
    """Claims that were judged together: of the same thing, or of things so near that they should agree."""

    finding: str
    code: str
    severity: str
    verdict: str
    metric: str
    message: str
    members: tuple[Member, ...]
    explanations: tuple[NamedExplanation, ...]
    is_same_thing: bool
    """Whether all claims have one subject, metric and normaliser and the same conditions; else they are related."""

    @property
    def size(self) -> int:
        """How many claims it has."""
        return len(self.members)


@dataclass(frozen=True, slots=True, repr=False)
class Conflicts(JsonAnswer):
    """The groups that were asked for, the most severe first."""

    asked: str | None
    metric: str | None
    subjects: tuple[str, ...]
    groups: tuple[Group, ...]
    near: tuple[str, ...]
    questions: tuple[str, ...]
    published: int = 0
    """Groups of published rows alone, which are left out."""

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return (
            f"conflicts about {self.asked}" if self.asked else "conflicts",
            None,
            f"{len(self.groups):,} groups of claims",
        )


def find_conflicts(
    ask: Ask,
    asked: str | None = None,
    *,
    verdicts: Sequence[str] = VERDICTS,
    within: Restriction | None = None,
    published: bool = False,
) -> Conflicts:
    """All groups, or those that touch a thing (a name covers its family) or a metric, in which a claim fits.

    Groups of published rows alone are counted, and shown only where they are asked for.
    """
    asker = Asker(ask)
    metric, subjects = (None, ()) if asked is None else _meant(asker, asked)
    if asked is not None and metric is None and not subjects:
        return Conflicts(asked, None, (), (), near_names(asker, asked, metrics=True), asker.used)
    wanted = {"verdict": tuple(verdicts)} | ({} if metric is None else {"metric": (metric,)})
    rows = _touching(asker, asker.rows("audit/conflicts", **wanted), tuple(verdicts), subjects)
    members = _members(asker, rows, within)
    files = published_sources(asker)
    of_rows = {name for name, claims in members.items() if all(one.source in files for one in claims)}
    shown = members.keys() if published else members.keys() - of_rows
    by_name = {name: row for row in rows if (name := text(row, "finding")) in shown}
    explained = read_explanations(asker, by_name)
    groups = [_group(row, members.get(name, ()), explained.get(name, []), files) for name, row in by_name.items()]
    groups.sort(key=lambda group: (group.finding in of_rows, *_rank(group)))
    return Conflicts(asked, metric, subjects, tuple(groups), (), asker.used, 0 if published else len(of_rows))


def _members(asker: Asker, rows: Iterable[Row], within: Restriction | None) -> Mapping[str, Sequence[Involved]]:
    """The claims of each group of which one at least fits."""
    members = read_involved(asker, list(dict.fromkeys(text(row, "finding") for row in rows)))
    if within is None:
        return members
    return {name: claims for name, claims in members.items() if any(_fits(within, one) for one in claims)}


def _group(row: Row, members: Sequence[Involved], explanations: Iterable[Row], files: Collection[str]) -> Group:
    return Group(
        text(row, "finding"),
        text(row, "code"),
        text(row, "severity"),
        text(row, "verdict"),
        bare(text(row, "group_metric")) or "",
        text(row, "message"),
        told_apart(members, files),
        tuple(map(NamedExplanation.from_row, explanations)),
        are_same_thing(map(_matter, members)) if members else False,
    )


def _matter(one: Involved) -> Matter:
    return Matter(frozenset({one.subject}), one.baseline, one.metric, one.statistic, one.normaliser, one.conditions)


def _rank(group: Group) -> tuple[int, int, bool, str, str]:
    """The place of a group in the list: by verdict, then the most severe, claims of the same thing first, then by name."""
    place = VERDICTS.index(group.verdict) if group.verdict in VERDICTS else len(VERDICTS)
    return place, SEVERITIES.index(group.severity), not group.is_same_thing, group.metric, group.finding


def _touching(asker: Asker, rows: Sequence[Row], verdicts: tuple[str, ...], subjects: Sequence[str]) -> list[Row]:
    """The findings of which a claim is about one of the things; all where no thing is asked for.

    All members are read and looked through here: a store that is given the things walks every claim of each.
    """
    if not subjects:
        return list(rows)
    things = set(subjects)
    members = asker.rows("audit/conflict-members", verdict=verdicts)
    touched = {text(row, "finding") for row in members if text(row, "subject") in things}
    return [row for row in rows if text(row, "finding") in touched]


def _fits(within: Restriction, one: Involved) -> bool:
    return within.fits(metric=one.metric, conditions=one.conditions, source=one.source, said_on=one.said_on)


def _meant(asker: Asker, asked: str) -> tuple[str | None, tuple[str, ...]]:
    """A metric by id or by its words, else the things that a name covers."""
    metric = metric_named(asker, asked)
    if metric is not None:
        return metric, ()
    return None, tuple(sorted({text(row, "entity") for row in asker.rows("names/resolve", thing=[asked])}))


def told_apart(claims: Iterable[Involved], files: Collection[str] = ()) -> tuple[Member, ...]:
    """The claims by value, those of texts before the rows of published files, each with what is not common to all."""
    kept = list({one.claim: one for one in claims}.values())
    said = {one.claim: _said(one) for one in kept}
    common = set.intersection(*map(set, said.values())) if said else set()
    ordered = sorted(
        kept, key=lambda one: (one.source in files, one.canonical_value is None, one.canonical_value or 0, one.claim)
    )
    return tuple(
        Member(one, tuple(part for part in said[one.claim] if part not in common), one.source in files)
        for one in ordered
    )


def _said(one: Involved) -> list[str]:
    """What a claim says of itself, in words that can be compared one by one."""
    parts = [f"of {one.subject_label or one.subject}", f"level: {one.level}"]
    parts += [f"metric: {one.metric}"] if one.metric else []
    parts += [f"against {one.baseline_label or one.baseline}"] if one.baseline else []
    parts += [
        f"{name}: {value}"
        for name, value in (("normaliser", one.normaliser), ("statistic", one.statistic))
        if value and value != "unstated"
    ]
    parts += [one.modality] if one.modality != "stated" else []
    return parts + (one.conditions.split("; ") if one.conditions else [])
