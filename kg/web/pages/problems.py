"""The problems of the graph by damage, with filters; claims that disagree, as cards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from kg.answers.source_record import source_records
from kg.model.columns import columns, table_of
from kg.model.counting import counted
from kg.render.results import tables_of
from kg.render.source_record import record_words
from kg.web.kept import KEPT
from kg.web.pages.front import overview_kept, problems_kept
from kg.web.view import Cut, View

if TYPE_CHECKING:
    from kg.answers.conflicts import Conflicts, Group
    from kg.answers.problem_words import ToldProblem
    from kg.session import Graph
    from kg.web.view import Asked

_SHOWN: Final = 30
_CONFLICTS: Final = 12
_COLUMNS: Final = columns("rank severity damage source wrong right falls claims findings")


def show_problems(graph: Graph, asked: Asked) -> View:
    """All problems, or those of a source, a severity or a kind of finding."""
    source, severity, kind = _source_asked(asked), asked.one("severity"), asked.one("kind")
    every = problems_kept(graph)
    found = [one for one in every.problems if _fits(one, source, severity, kind)]
    problems = found if asked.wants_all else found[:_SHOWN]
    about = asked.one("about")
    conflicts: Conflicts = (
        KEPT.get(graph, "conflicts", lambda: graph.conflicts(verdicts=("conflict",)))
        if about is None
        else graph.conflicts(about, verdicts=("conflict",))
    )
    groups = [one for one in conflicts.groups if source is None or _is_in(one, source)]
    shown_groups = groups if asked.wants_all else groups[:_CONFLICTS]
    narrowed = f" of {every.found}" if len(found) != every.found else ""
    return View(
        "problems.html",
        f"{counted(len(found), 'problem')}{narrowed}, the most damaging first; {len(groups)} groups of claims disagree",
        {
            "problems": problems,
            "groups": shown_groups,
            "found_groups": len(groups),
            "sources": overview_kept(graph).sources,
            "kinds": sorted({kind for one in every.problems for kind in _kinds(one)}),
            "record": " ".join(map(record_words, source_records(graph.ask, {source} if source else ()))),
            "chosen": {"source": source, "severity": severity, "kind": kind, "about": about},
        },
        data=lambda: {
            "problems": [one.to_json() for one in found],
            "found": len(found),
            "conflicts": replace(conflicts, groups=tuple(groups)).to_json(),
        },
        rows=lambda: table_of(_COLUMNS, found),
        cut=Cut(len(problems), len(found), "problems"),
        picture="/picture.svg?of=disputes",
        extra={"Conflicts (CSV)": "/conflicts.csv"},
    )


def _source_asked(asked: Asked) -> str | None:
    """The id of the source, which may be given by its digits."""
    source = asked.one("source")
    return source if source is None or source.startswith("source/") else f"source/{source}"


def show_conflicts(graph: Graph, asked: Asked) -> View:
    """Claims that disagree, about a thing, a metric or anything; the page of problems shows all of them as cards."""
    about = asked.one("about")
    found = graph.conflicts(about)
    return View(
        "",
        "",
        {"to": "/problems#conflicts" if about is None else f"/problems?{urlencode({'about': about})}#conflicts"},
        data=found.to_json,
        rows=lambda: tables_of(found)["claims"],
        status=303,
    )


def is_of(one: ToldProblem, source: str) -> bool:
    """Whether a problem is about a source: the source of its worst figure, or that of another claim of it."""
    return one.source == source or any(claim.startswith(f"{source.removeprefix('source/')}/") for claim in one.claims)


def _fits(one: ToldProblem, source: str | None, severity: str | None, kind: str | None) -> bool:
    return (
        (source is None or is_of(one, source))
        and (severity is None or one.severity == severity)
        and (kind is None or kind in _kinds(one))
    )


def _kinds(one: ToldProblem) -> set[str]:
    """The first words of the codes of its findings, such as arithmetic or unit."""
    return {name.rpartition("/")[2].partition(".")[0] for name in one.findings}


def _is_in(group: Group, source: str) -> bool:
    """Whether a claim of the group is in the source."""
    return any(one.claim.source == source for one in group.members)
