"""Two things side by side: the ratios that are claimed, by level, and what published results give; and what is specified of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from kg.model.verdict import WORDS
from kg.render.claim_words import condition_words
from kg.render.compare_text import LEVELS, figure_words
from kg.render.dot_plot import DotPlot, PlotMark, PlotRow, dot_plot
from kg.render.results import tables_of
from kg.web.kept import KEPT
from kg.web.view import AddressRefused, View

if TYPE_CHECKING:
    from kg.answers.compare import ComparedClaim, Comparison
    from kg.answers.verification import Verified
    from kg.session import Graph
    from kg.web.view import Asked

_KIND: Final = re.compile(r"[a-z][a-z-]+")
_BASES: Final = {"per-accelerator": "published, per accelerator", "per-system": "published, per system"}


class RatioClaim(NamedTuple):
    """A claim of a ratio with what published results give."""

    claim: ComparedClaim
    figure: str
    conditions: str
    verified: Verified | None


class RatioGroup(NamedTuple):
    """The claims of one orientation and pair of levels; a rack against a chip is never one list with chip against chip."""

    heading: str
    is_unlike: bool
    claims: tuple[RatioClaim, ...]
    plot: DotPlot


def show_compare(graph: Graph, asked: Asked) -> View:
    """A against B."""
    a, b = pair_of(asked.word("pair"))
    found, matrix = graph.compare(a, b), graph.matrix(a, b)
    every = KEPT.get(graph, "verified", lambda: {one.claim: one for one in graph.verify().claims})
    words = [one for one in found.claims if one.ratio is None]
    groups = _groups(found, every)
    picture = f"/picture.svg?of=compare&of={quote(a)}&of={quote(b)}"
    return View(
        "compare.html",
        f"{a} against {b}: {_finding(found)}",
        {
            "found": found,
            "sentence": found.reason[:1].upper() + found.reason[1:] + ".",
            "value": found.value,
            "groups": groups,
            "worded": words,
            "matrix": matrix,
        },
        data=lambda: {**found.to_json(), "matrix": matrix.to_json()},
        rows=lambda: tables_of(found)["claims"],
        about=tuple(dict.fromkeys(one.id for one in found.claims)),
        status=200 if found.a.is_known and found.b.is_known else 404,
        picture=picture if found.claims else None,
        plots=tuple(one.plot for one in groups),
    )


def pair_of(path: str) -> tuple[str, str]:
    """The two sides of a path; an id has a slash of its own. Raises AddressRefused.

    >>> pair_of("GB200/H200"), pair_of("family/nvidia-h200/H100"), pair_of("H100/system/dgx"), pair_of("a/b/c/d")
    (('GB200', 'H200'), ('family/nvidia-h200', 'H100'), ('H100', 'system/dgx'), ('a/b', 'c/d'))
    """
    parts = [one for one in path.split("/") if one.strip()]
    if not 2 <= len(parts) <= 4:
        raise AddressRefused(field="compare", given=path, expected="two names or ids, such as /compare/GB200/H200")
    first = 2 if len(parts) == 4 or (len(parts) == 3 and _KIND.fullmatch(parts[0])) else 1
    return "/".join(parts[:first]), "/".join(parts[first:])


def _finding(found: Comparison) -> str:
    """What the comparison comes to, in few words."""
    unknown = [name.text for name in (found.a, found.b) if not name.is_known]
    if unknown:
        return f"no curated name is {' or '.join(unknown)}"
    ratios = [one for one in found.claims if one.ratio is not None]
    if not ratios:
        return "no claim gives a ratio"
    claims = f"{len(ratios)} claims give" if len(ratios) != 1 else "1 claim gives"
    counts = {verdict: sum(one.verdict == verdict for one in ratios) for verdict in WORDS}
    summary = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    return f"{claims} a ratio ({summary})"


def _groups(found: Comparison, every: Mapping[str, Verified]) -> list[RatioGroup]:
    groups: dict[tuple[str, str | None, str | None], list[ComparedClaim]] = {}
    for one in found.claims:
        if one.ratio is not None:
            groups.setdefault((one.orientation, one.level, one.baseline_level or one.level), []).append(one)
    made = []
    order = sorted(groups, key=lambda key: (key[0] != "a-against-b", key[1] != key[2], str(key)))
    for orientation, level, other in order:
        pair = (found.a.text, found.b.text) if orientation == "a-against-b" else (found.b.text, found.a.text)
        heading = f"{LEVELS.get(level, level)} of {pair[0]} against {LEVELS.get(other, other)} of {pair[1]}"
        claims = tuple(
            RatioClaim(one, figure_words(one), condition_words(one.conditions), every.get(one.id))
            for one in groups[orientation, level, other]
        )
        made.append(RatioGroup(heading[:1].upper() + heading[1:], level != other, claims, _plot(heading, claims)))
    return made


def _plot(heading: str, claims: Sequence[RatioClaim]) -> DotPlot:
    rows = []
    for one in claims:
        claim = one.claim
        ratio = claim.ratio or 1.0
        mark = PlotMark(
            ratio,
            claim.ratio_lower or ratio,
            claim.ratio_upper or ratio,
            f"{one.figure}, {claim.verdict}",
            claim.verdict,
            "claimed",
        )
        rows.append(PlotRow(claim.metric.replace("-", " "), f"/claim/{quote(claim.id)}", (mark,)))
        for read in () if one.verified is None else one.verified.readings:
            if read.lower is not None and read.upper is not None:
                shown = f"{read.lower:.3g}× to {read.upper:.3g}×" if read.lower != read.upper else f"{read.lower:.3g}×"
                middle = (read.lower * read.upper) ** 0.5
                basis = _BASES.get(read.basis, read.basis)
                rows.append(
                    PlotRow(
                        basis, None, (PlotMark(middle, read.lower, read.upper, shown, "published", basis, "diamond"),)
                    )
                )
    return dot_plot(heading, rows)
