"""All claims that compare A with B, in both directions, each with its level, conditions, asserter, place and advice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from kg.answers.asking import Ask, Asker, JsonAnswer, Row, near_names, read_fields, said, text
from kg.answers.chains import end_states, read_hop
from kg.answers.claim import PrintedPlace, Thing, bare, verdict_of, worded_figure
from kg.answers.comparison_matrix import MatrixRow, comparison_matrix
from kg.answers.published import Restriction
from kg.answers.published_ratios import PublishedRatios, published_ratios
from kg.answers.sameness import Matter
from kg.answers.traced_claim import FindingNote, read_findings
from kg.model.verdict import NOT_TO_USE, VERDICTS, Verdict, joint_verdict, said_with_value

Orientation = Literal["a-against-b", "b-against-a"]


class AskedName(NamedTuple):
    """A name as asked: what it names, what it covers, and names like it when it is not known."""

    text: str
    exact: bool
    names: tuple[Thing, ...]
    covers: tuple[Thing, ...]
    near: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether it means anything."""
        return bool(self.covers)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedClaim(PrintedPlace):
    """One claim that compares the two, and where it is printed; `ratio` is metric(subject) / metric(baseline)."""

    id: str
    orientation: Orientation
    kind: str
    subject: Thing
    subject_printed: str | None
    subject_match: str
    level: str
    baseline: Thing
    baseline_printed: str | None
    baseline_match: str
    baseline_level: str | None
    metric: str
    better: str | None
    statistic: str | None
    normaliser: str
    relation: str
    reading: str | None
    alternatives: tuple[str, ...]
    printed: str | None
    hedge: str | None
    modality: str
    polarity: str
    direction: str | None
    ratio: float | None
    ratio_lower: float | None
    ratio_upper: float | None
    statement: str | None
    conditions: str | None
    baseline_conditions: str | None
    asserted_by: Thing
    path: tuple[str, ...]
    source: Thing
    said_on: str | None
    end_states: tuple[str, ...]
    findings: tuple[FindingNote, ...]
    verdict: Verdict
    verdict_reason: str
    value_to_use: str | None
    secondary: bool
    """Whether it answers no question of an analyst; such claims stand last."""

    @property
    def finding_codes(self) -> tuple[str, ...]:  # named as a column in kg/render/result_tables.py
        """What the audit found, each code once."""
        return tuple(dict.fromkeys(one.code for one in self.findings))

    @property
    def place(self) -> PrintedPlace:
        """Where it is printed, under the name that it has at every claim."""
        return self

    @property
    def matter(self) -> Matter:
        """What it is about; claims whose matters do not differ are about the same thing."""
        subjects = frozenset({self.subject.id})
        return Matter(subjects, self.baseline.id, self.metric, self.statistic, self.normaliser, self.conditions)

    @property
    def worded(self) -> str | None:
        """The figure as its author means it, with what it is of the baseline: 40 % says nothing without "decrease"."""
        figure = worded_figure(self.printed, self.hedge, self.modality)
        return f"{figure} ({self.relation})" if self.ratio is not None else figure

    @property
    def says(self) -> str:
        """The figure; the statement where there is none, since the printed words alone are only a cue."""
        if self.ratio is None and self.statement is not None:
            return self.statement if self.modality == "stated" else f"{self.statement} [{self.modality}]"
        return self.worded or "no figure"

    @property
    def usable_value(self) -> str | None:
        """The better figure where there is one, in its own words; the stated one where it is confirmed."""
        if self.value_to_use is None:
            return self.worded if self.verdict == "confirmed" else None
        says_itself = self.relation in ("increase", "decrease", "times-less")
        return self.value_to_use if says_itself else f"{self.value_to_use} ({self.relation})"


class LeftOut(NamedTuple):
    """Claims against something wider than what was asked for."""

    thing: Thing
    claims: tuple[str, ...]


class _ComparisonFields(NamedTuple):
    a: AskedName
    b: AskedName
    verdict: Verdict
    reason: str
    value: str | None
    claims: tuple[ComparedClaim, ...]
    questions: tuple[str, ...]
    wider: tuple[LeftOut, ...] = ()
    """What is said of something wider than a name that was asked for, and therefore left out."""
    published: PublishedRatios | None = None
    """What published results give of A over B, next to what is claimed."""
    specified: tuple[MatrixRow, ...] = ()
    """What is stated of each by itself: of the metrics that were asked for, and of all where no claim gives a ratio."""


class Comparison(JsonAnswer, _ComparisonFields):
    """The answer: advice first, then the claims, figures before words."""

    __slots__ = ()

    def headline(self) -> tuple[str, str | None, str | None]:
        """What was asked, the advice, and the answer in words."""
        return (
            f"{self.a.text} against {self.b.text}",
            self.verdict,
            said_with_value(self.verdict, self.reason, self.value),
        )


def compare(
    ask: Ask, a: str, b: str, *, exact: bool = False, within: Restriction | None = None, published: bool = False
) -> Comparison:
    """Every claim that compares A with B; a name covers its family unless `exact`, or unless it is an id.

    What is said of something wider than a name ("Hopper" where H100 is asked for) is left out and counted; `within` narrows
    both. What published results give is summed up next to the claims; with `published` they are listed. Of metrics that `within`
    names, and where no claim gives a ratio, the answer has also what is stated of each.
    """
    asker = Asker(ask)
    # `=` before a name asks for the thing itself, without its members and variants
    first, second = (f"={one.removeprefix('=')}" if exact else one for one in (a, b))
    claims = _claims_between(asker, first, second, within)
    names = _names(asker, (first, second), exact)
    verdict, reason, value = _verdict(claims, names)
    wider = () if exact else _wider(asker, names, {one.id for one in claims}, within)
    found = Comparison(*names, verdict, reason, value, tuple(claims), asker.used, wider)
    if not all(name.is_known for name in names):
        return found
    return found._replace(
        published=published_ratios(asker, first, second, within=within, listed=published),
        specified=_specified(ask, first, second, claims, within),
        questions=asker.used,
    )


def _claims_between(asker: Asker, a: str, b: str, within: Restriction | None) -> list[ComparedClaim]:
    """The claims that compare two names, ratios first."""
    rows = asker.rows("comparisons/compare", a=a, b=b)
    ids = tuple(dict.fromkeys(text(row, "claim") for row in rows))
    findings = read_findings(asker, ids) if ids else {}
    chains: dict[str, list[Row]] = {}
    for row in asker.rows("origins/chain", claim=ids) if ids else []:
        chains.setdefault(text(row, "claim"), []).append(row)
    return sorted(
        _once(
            _compared(row, findings.get(text(row, "claim"), ()), chains.get(text(row, "claim"), ()))
            for row in rows
            if within is None or within.fits_row(row)
        ),
        # ratios before words, what an analyst asks for first; ids last, so that every run has one
        # order
        key=lambda one: (
            one.ratio is None,
            one.secondary,
            one.kind != "comparison",
            one.orientation,
            one.metric,
            one.id,
            one.subject.id,
        ),
    )


def _specified(
    ask: Ask, a: str, b: str, claims: Iterable[ComparedClaim], within: Restriction | None
) -> tuple[MatrixRow, ...]:
    """What is stated of each at one level: of the metrics that are asked for; of all where no claim gives a ratio."""
    metrics = frozenset[str]() if within is None else within.metrics
    if not metrics and any(one.ratio is not None for one in claims):
        return ()
    return comparison_matrix(ask, a, b).alike(metrics)


def _wider(
    asker: Asker, names: tuple[AskedName, AskedName], known: Collection[str], within: Restriction | None
) -> tuple[LeftOut, ...]:
    """The claims that compare with what one of the names is a member of, by that wider thing."""
    if not all(name.is_known for name in names):
        return ()
    above = _memberships(asker)
    found: dict[str, set[str]] = {}
    for name, other in (names, names[::-1]):
        covered = {one.id for one in other.covers}
        # what both are members of is no wider name of one of them alone
        for thing in sorted(_ancestors(above, name) - _ancestors(above, other) - covered):
            rows = [row for row in asker.rows("comparisons/of-thing", thing=f"={thing}") if row["other"] in covered]
            new = {text(row, "claim") for row in rows if within is None or within.fits_row(row)} - set(known)
            if new:
                found.setdefault(thing, set()).update(new)
    labels = {text(row, "thing"): said(row, "label") for row in asker.rows("entities/labels", thing=sorted(found))}
    return tuple(LeftOut(Thing(thing, labels.get(thing)), tuple(sorted(ids))) for thing, ids in sorted(found.items()))


def _memberships(asker: Asker) -> dict[str, set[str]]:
    """What each thing is a member of, parts of systems aside."""
    above: dict[str, set[str]] = {}
    for row in asker.rows("benchmarks/lineage"):
        # a chip in a rack is no kind of rack: what is said of the rack is not said, more widely, of
        # the chip
        if text(row, "link") not in ("part", "accelerator-inside"):
            above.setdefault(text(row, "thing"), set()).add(text(row, "other"))
    return above


def _ancestors(above: Mapping[str, set[str]], name: AskedName) -> set[str]:
    """Everything that the named things are members of, and that the name itself does not refer to."""
    todo, found = [one.id for one in name.names], set[str]()
    while todo:
        new = above.get(todo.pop(), set()) - found
        found |= new
        todo.extend(new)
    return found - {one.id for one in name.covers}


def _once(claims: Iterable[ComparedClaim]) -> list[ComparedClaim]:
    """Each claim once: where both names cover both sides, in the direction that names more of it, else as asked."""
    best: dict[tuple[str, str, str], ComparedClaim] = {}
    for one in claims:
        key = (one.id, one.subject.id, one.baseline.id)
        if key not in best or _by_name(one) > _by_name(best[key]):
            best[key] = one
    return list(best.values())


def _by_name(one: ComparedClaim) -> tuple[int, bool]:
    return [one.subject_match, one.baseline_match].count("named"), one.orientation == "a-against-b"


def _names(asker: Asker, asked: Sequence[str], exact: bool) -> tuple[AskedName, AskedName]:
    made = []
    for one in asked:
        covers, names = [], []
        for row in asker.rows("names/resolve", thing=[one]):
            thing = Thing(text(row, "entity"), said(row, "label"))
            covers.append(thing)
            if row["match"] == "named":
                names.append(thing)
        near = () if covers else near_names(asker, one)
        made.append(AskedName(one.removeprefix("="), exact or one.startswith("="), tuple(names), tuple(covers), near))
    return made[0], made[1]


def _compared(row: Row, findings: tuple[FindingNote, ...], chain: Iterable[Row]) -> ComparedClaim:
    verdict, reason, value = verdict_of(row)
    orientation: Orientation = "a-against-b" if row["orientation"] == "a-against-b" else "b-against-a"
    return read_fields(
        ComparedClaim,
        row,
        id=text(row, "claim"),
        orientation=orientation,
        subject=Thing(text(row, "subject"), said(row, "subject_label")),
        baseline=Thing(text(row, "baseline"), said(row, "baseline_label")),
        metric=bare(text(row, "metric")) or "",
        alternatives=tuple(given.split(", ")) if (given := said(row, "alternatives")) else (),
        asserted_by=Thing(text(row, "asserted_by"), said(row, "asserted_by_label")),
        path=tuple(path.split(" > ")) if (path := said(row, "path")) else (),
        source=Thing(text(row, "source"), said(row, "source_label")),
        end_states=end_states(read_hop(one) for one in chain),
        findings=findings,
        verdict=verdict,
        verdict_reason=reason,
        value_to_use=value,
        secondary=bool(row["secondary"]),
    )


def _verdict(claims: Sequence[ComparedClaim], names: Sequence[AskedName]) -> tuple[Verdict, str, str | None]:
    """One verdict for the ratios, with its reason and the values to use."""
    unknown = [name.text for name in names if not name.is_known]
    if unknown:
        return "unknown", f"no curated name is {' or '.join(unknown)}", None
    if not claims:
        return "unknown", "no claim compares them", None
    figures = [one for one in claims if one.ratio is not None]
    if not figures:
        verdict = joint_verdict(one.verdict for one in claims)
        return verdict, f"{_claims(claims, 'compare')} them, none gives a ratio", None
    joint = joint_verdict(one.verdict for one in figures)
    usable = [one for one in figures if one.verdict not in NOT_TO_USE]
    if not usable:
        first = figures[0]
        value = first.usable_value
        return joint, f"{_called(first)}: {first.verdict_reason}", value and f"{first.metric.replace('-', ' ')} {value}"
    value = "; ".join(values_by_direction(claims, names[0].text, names[1].text)) or None
    return *_of_usable(figures, usable, joint), value


def _of_usable(
    figures: Sequence[ComparedClaim], usable: Sequence[ComparedClaim], joint: Verdict
) -> tuple[Verdict, str]:
    """The verdict and its reason where at least one ratio can be used."""
    kinds = {(one.orientation, one.metric, one.normaliser) for one in usable}
    # ratios of different measures do not confirm each other, however sure each is
    if all(one.verdict == "confirmed" for one in figures) and len(kinds) == 1:
        return "confirmed", usable[0].verdict_reason
    worst = max(figures, key=lambda one: VERDICTS.index(one.verdict))
    measures = f"{len(kinds)} different measures" if len(kinds) > 1 else "one measure"
    return joint, f"{_claims(figures, 'give')} a ratio, for {measures}; {_called(worst)}: {worst.verdict_reason}"


def _called(claim: ComparedClaim) -> str:
    """A claim within a sentence: what it says of which metric, not its id."""
    return f"{claim.printed or 'no figure'} {claim.metric.replace('-', ' ')}"


def _claims(some: Sequence[ComparedClaim], verb: str) -> str:
    """How many claims do it; one about several things is one claim."""
    count = len({one.id for one in some})
    return f"{count} claims {verb}" if count != 1 else f"1 claim {verb}s"


def values_by_direction(claims: Sequence[ComparedClaim], a: str, b: str) -> list[str]:
    """The usable ratios, those of A against B apart from those of B against A: the one is the inverse of the other."""
    lines = []
    for orientation, pair in (("a-against-b", f"{a} against {b}"), ("b-against-a", f"{b} against {a}")):
        usable = (
            one
            for one in claims
            if one.ratio is not None and one.verdict not in NOT_TO_USE and one.orientation == orientation
        )
        shown = dict.fromkeys(
            f"{one.metric.replace('-', ' ')} {value}" for one in usable if (value := one.usable_value)
        )
        if shown:
            lines.append(f"{pair}: {'; '.join(shown)}")
    return lines
