"""Two things side by side: the ratios that are claimed, by level, and what published results give; and what is specified of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from kg.answers.listed_rounds import part_listed
from kg.answers.published import bare_id
from kg.model.verdict import NOT_TO_USE
from kg.render.claim_words import condition_words
from kg.render.compare_text import LEVELS, compare_opening, comparison_finding, figure_words
from kg.render.dot_plot import DotPlot, PlotMark, PlotRow, dot_plot
from kg.render.results import tables_of
from kg.web.kept import KEPT
from kg.web.view import AddressRefused, View, page_address

if TYPE_CHECKING:
    from kg.answers.compare import ComparedClaim, Comparison
    from kg.answers.comparison_matrix import MatrixRow
    from kg.answers.published_ratios import PublishedRatio
    from kg.answers.verification import Read, Verified
    from kg.session import Graph
    from kg.web.view import Asked

# The kind in an id, such as `family` or `system`; a name such as `H100` begins otherwise.
_KIND: Final = re.compile(r"[a-z][a-z-]+")
_BASES: Final = {"per-accelerator": "published, per accelerator", "per-system": "published, per system"}


class RatioClaim(NamedTuple):
    """A claim of a ratio with what published results give."""

    claim: ComparedClaim
    figure: str
    conditions: str
    verified: Verified | None

    @property
    def measure(self) -> str:
        """What it is a ratio of."""
        per = "" if self.claim.normaliser == "unstated" else f" {self.claim.normaliser}"
        return f"{self.claim.metric}{per}".replace("-", " ")

    @property
    def published(self) -> str:
        """What published results give in its place, shortly."""
        readings = () if self.verified is None else self.verified.readings
        figures = (f"{span} {one.basis.replace('-', ' ')}" for one in readings if (span := _span(one)))
        return "; ".join(figures)


class RatioGroup(NamedTuple):
    """The claims of one orientation and pair of levels; a rack against a chip is never one list with chip against chip."""

    heading: str
    is_unlike: bool
    claims: tuple[RatioClaim, ...]
    plot: DotPlot

    @property
    def at_a_look(self) -> tuple[RatioClaim, ...]:
        """One claim for each measure, figure and verdict, in their order; an unverified one only where no other is judged."""
        first: dict[tuple[str, str, str], RatioClaim] = {}
        for one in self.claims:
            first.setdefault((one.measure, one.figure, one.claim.verdict), one)
        judged = {(measure, figure) for measure, figure, verdict in first if verdict != "unverified"}
        return tuple(
            one for (*ratio, verdict), one in first.items() if verdict != "unverified" or tuple(ratio) not in judged
        )


def show_compare(graph: Graph, asked: Asked) -> View:
    """A against B."""
    a, b = pair_of(asked.word("pair"))
    found, matrix = graph.compare(a, b, published=True), graph.matrix(a, b)
    every = KEPT.get(graph, "verified", lambda: {one.claim: one for one in graph.verify().claims})
    words = [one for one in found.claims if one.ratio is None]
    groups, published = _groups(found, every), _published_plot(found)
    picture = f"/picture.svg?of=compare&of={quote(a)}&of={quote(b)}"
    return View(
        "compare.html",
        f"{a} against {b}: {comparison_finding(found)}",
        {
            "found": found,
            "sentence": _opening(found, groups),
            "published": found.published,
            "part": part_listed(graph.folder, graph.server) if found.published is not None else None,
            "published_plot": published,
            "ratio_words": _ratio_words,
            "bare": bare_id,
            "groups": groups,
            "worded": words,
            "matrix": matrix,
        },
        data=lambda: {**found.to_json(), "matrix": matrix.to_json()},
        rows=lambda: tables_of(found)["claims"],
        about=tuple(dict.fromkeys(one.id for one in found.claims)),
        status=200 if found.a.is_known and found.b.is_known else 404,
        picture=picture if found.claims else None,
        plots=(*(one.plot for one in groups), published),
    )


def pair_of(path: str) -> tuple[str, str]:
    """The two sides of a path; an id has a slash of its own. Raises AddressRefused.

    >>> pair_of("GB200/H200"), pair_of("family/nvidia-h200/H100"), pair_of("H100/system/dgx"), pair_of("a/b/c/d")
    (('GB200', 'H200'), ('family/nvidia-h200', 'H100'), ('H100', 'system/dgx'), ('a/b', 'c/d'))
    """
    parts = [one for one in path.split("/") if one.strip()]
    if not 2 <= len(parts) <= 4:
        raise AddressRefused(field="compare", given=path, expected="two names or ids, such as /compare/GB200/H200")
    # Of three parts two are an id: the first where it begins with a kind, else the last.
    first = 2 if len(parts) == 4 or (len(parts) == 3 and _KIND.fullmatch(parts[0])) else 1
    return "/".join(parts[:first]), "/".join(parts[first:])


def _published_plot(found: Comparison) -> DotPlot:
    """What published results give, a row a task and scenario: from the lowest round to the highest, the mark at the newest."""
    lanes: dict[str, list[PublishedRatio]] = {}
    for one in () if found.published is None else found.published.listed:  # the newest round first
        named = " ".join(bare_id(part).removeprefix("mlperf-") for part in (one.task, one.scenario) if part)
        lanes.setdefault(named, []).append(one)
    rows = []
    for named, results in sorted(lanes.items()):
        ratios = [one.per_accelerator for one in results]
        words = (
            f"{bare_id(one.round or '').rpartition('-')[2]} {one.per_accelerator:.3g}×" for one in reversed(results)
        )
        mark = PlotMark(ratios[0], min(ratios), max(ratios), ", ".join(words), "published", named, "diamond")
        rows.append(PlotRow(named, None, (mark,)))
    return dot_plot(f"Published results of {found.a.text} over {found.b.text}, per accelerator", rows)


def _ratio_words(row: MatrixRow) -> str:
    """A over B, or between which ratios it lies where several values may be used; nothing where that says nothing."""
    ends = row.a.low, row.a.high, row.b.low, row.b.high
    # No ratio of what may not be used, nor across units or levels.
    if not row.is_like or row.a.unit != row.b.unit or {row.a.verdict, row.b.verdict} & NOT_TO_USE:
        return ""
    if any(one is None or one <= 0 for one in ends):
        return ""
    low, high, other_low, other_high = (float(one or 1) for one in ends)
    least, most = low / other_high, high / other_low
    # Where the most is over twice the least the span says too little to be shown.
    return " to ".join(dict.fromkeys(f"{one:.3g}×" for one in (least, most))) if most <= 2 * least else ""


def _opening(found: Comparison, groups: Sequence[RatioGroup]) -> str:
    """How many say it, and whether published results decide."""
    ratios = [one for group in groups for one in group.claims]
    verified = {one.claim.id: one.verified for one in ratios if one.verified is not None and one.verified.readings}
    sentence = compare_opening(found, [one.claim for one in ratios], verified).partition(": ")[2]
    return sentence[:1].upper() + sentence[1:]


def _span(read: Read) -> str | None:
    """The ratios between which published results lie."""
    if read.lower is None or read.upper is None:
        return None
    return f"{read.lower:.3g}×" + (f" to {read.upper:.3g}×" if read.lower != read.upper else "")


def _groups(found: Comparison, every: Mapping[str, Verified]) -> list[RatioGroup]:
    groups: dict[tuple[str, str | None, str | None], list[ComparedClaim]] = {}
    for one in found.claims:
        if one.ratio is not None:
            groups.setdefault((one.orientation, one.level, one.baseline_level or one.level), []).append(one)
    made = []
    # What was asked about, then A against B at the same level; a rack against a chip comes behind.
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
        rows.append(PlotRow(claim.metric.replace("-", " "), page_address("/claim", claim.id), (mark,)))
        for read in () if one.verified is None else one.verified.readings:
            shown = _span(read)
            if shown is not None and read.lower is not None and read.upper is not None:
                # The middle of two ratios is geometric: half and twice lie equally far from 1.
                middle = (read.lower * read.upper) ** 0.5
                basis = _BASES.get(read.basis, read.basis)
                rows.append(
                    PlotRow(
                        basis, None, (PlotMark(middle, read.lower, read.upper, shown, "published", basis, "diamond"),)
                    )
                )
    return dot_plot(heading, rows)
