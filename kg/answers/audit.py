"""What an audit says: the counts of all findings, the findings asked for, what holds, and what was not checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from kg.answers.asking import Ask, Asker, Row, said, text, whole
from kg.answers.claim import bare, shown_figure
from kg.answers.findings import FindingCard, find_findings
from kg.answers.published import Restriction

if TYPE_CHECKING:
    from kg.answers.referent import Scope

SEVERITIES: Final = ("violation", "warning", "info")


@dataclass(frozen=True, slots=True)
class FindingCount:
    """How many findings of one code a source has."""

    code: str
    severity: str
    verdict: str
    source: str
    findings: int


@dataclass(frozen=True, slots=True)
class NotCheckable:
    """A computation that could not be judged, and what was missing."""

    finding: str
    claim: str
    source: str
    printed: str
    expression: str
    message: str


@dataclass(frozen=True, slots=True)
class NoFigure:
    """Claims of one source that no calculation reaches."""

    source: str
    why: str
    claims: int


@dataclass(frozen=True, slots=True)
class NoCanonical:
    """A figure whose unit leaves nothing to compare it with."""

    claim: str
    source: str
    printed: str


@dataclass(frozen=True, slots=True)
class Unopened:
    """A cited source that nobody opened, and how many claims rest on it."""

    source: str
    label: str
    claims: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer of the saved questions."""

    codes: tuple[str, ...]
    sources: tuple[str, ...]
    counts: tuple[FindingCount, ...]
    findings: tuple[FindingCard, ...]
    holds: tuple[FindingCount, ...]
    not_checkable: tuple[NotCheckable, ...]
    no_figure: tuple[NoFigure, ...]
    no_canonical: tuple[NoCanonical, ...]
    unopened: tuple[Unopened, ...]
    questions: tuple[str, ...]
    fitting: int
    """How many findings fit what was asked for; `findings` may be the most severe of them."""
    within: Restriction | None = None
    """What a claim of each finding fits; what holds or was not checked is then not shown."""
    kept: frozenset[str] | None = None
    """The ids of all findings that fit what was asked for; None where all do."""

    def number(self, severity: str) -> int:
        """How many findings of a severity there are, shown or not."""
        return sum(one.findings for one in self.counts if one.severity == severity)


def _of_codes(codes: Container[str], counts: Iterable[FindingCount]) -> Iterator[FindingCount]:
    return (one for one in counts if one.code in codes)


def audit(
    ask: Ask,
    *,
    rules: Sequence[str] = (),
    sources: Sequence[str] = (),
    severities: Sequence[str] = ("violation", "warning"),
    most: int | None = None,
    within: Restriction | None = None,
    scopes: Sequence[Scope] = (),
) -> Judged:
    """Findings of some codes (or all under a first part of one), sources and severities; counts are of all severities.

    `within` and each of `scopes` keep the findings of which a claim fits. With `most` only that many are read, the most severe: what holds in published rows makes notes by the ten thousand.
    """
    asker = Asker(ask)
    wanted = tuple(dict.fromkeys(name for given in sources for name in asker.sources_named(given)))
    counts = [_count(row, text(row, "severity")) for row in asker.rows("audit/counts")]
    codes = {one.code for one in counts if not rules or any(is_under(one.code, rule) for rule in rules)}
    chosen = _within(wanted, _of_codes(codes, counts))
    if within is not None or scopes:
        return _narrowed(asker, chosen, severities, wanted, most, within=within, scopes=scopes)
    findings = _findings(asker, chosen, severities, wanted, most)
    counted = sum(one.findings for one in chosen if one.severity in severities)
    holds = (_count(row, "info") for row in asker.rows("audit/holds"))
    return Judged(
        tuple(sorted(codes)),
        wanted,
        chosen,
        findings,
        _within(wanted, _of_codes(codes, holds)),
        _within(wanted, map(_not_checkable, asker.rows("audit/not-checkable"))),
        _within(wanted, map(_no_figure, asker.rows("audit/no-figure"))),
        _within(wanted, map(_no_canonical, asker.rows("audit/no-canonical"))),
        _unopened(asker, wanted),
        asker.used,
        len(findings) if most is None or len(findings) < most else counted,
    )


def _narrowed(
    asker: Asker,
    counts: Sequence[FindingCount],
    severities: Sequence[str],
    sources: tuple[str, ...],
    most: int | None,
    *,
    within: Restriction | None,
    scopes: Sequence[Scope],
) -> Judged:
    """The findings of which a claim fits, and their counts."""
    fitting = [
        one
        # violations and warnings are read even where they are not shown: the counts, and whether a
        # run fails, are of all of them
        for one in _findings(asker, counts, (*severities, *SEVERITIES[:2]), sources, None)
        if (within is None or fits_one_of(within, one)) and all(_touches(scope, one) for scope in scopes)
    ]
    number = Counter((one.code, one.severity, one.verdict or "", one.source) for one in fitting)
    shown = [one for one in fitting if one.severity in severities]
    return Judged(
        codes=tuple(sorted({one.code for one in fitting})),
        sources=sources,
        counts=tuple(FindingCount(*key, count) for key, count in sorted(number.items())),
        findings=tuple(shown[:most]),
        holds=(),
        not_checkable=(),
        no_figure=(),
        no_canonical=(),
        unopened=(),
        questions=asker.used,
        fitting=len(shown),
        within=within,
        kept=frozenset(one.id for one in fitting),
    )


def fits_one_of(within: Restriction, card: FindingCard) -> bool:
    """Whether a claim that a finding names fits."""
    return any(
        within.fits(metric=one.metric, conditions=one.conditions, source=one.source, said_on=one.said_on)
        for one in card.claims
    )


def _touches(scope: Scope, card: FindingCard) -> bool:
    """Whether a claim that a finding names is one of a scope."""
    return any(
        scope.holds(one.claim, things=(one.subject, one.baseline), metric=one.metric, source=one.source)
        for one in card.claims
    )


_OfSource = TypeVar("_OfSource", FindingCount, NotCheckable, NoFigure, NoCanonical)


def _within(wanted: Collection[str], rows: Iterable[_OfSource]) -> tuple[_OfSource, ...]:
    """The rows of the wanted sources, or all where none was named."""
    return tuple(one for one in rows if not wanted or one.source in wanted)


def _no_figure(row: Row) -> NoFigure:
    return NoFigure(text(row, "source"), text(row, "why"), whole(row, "claims") or 0)


def _no_canonical(row: Row) -> NoCanonical:
    printed = shown_figure(text(row, "printed"), bare(said(row, "unit"))) or ""
    return NoCanonical(text(row, "claim"), text(row, "source"), printed)


def _findings(
    asker: Asker, counts: Sequence[FindingCount], severities: Sequence[str], sources: Sequence[str], most: int | None
) -> tuple[FindingCard, ...]:
    """The findings asked for. A limit is filled from the highest severity on, so that notes are not read in vain."""
    if most is None:
        codes = sorted({one.code for one in counts if one.severity in severities})
        return find_findings(asker, severity=severities, code=codes, source=sources) if codes else ()
    found: list[FindingCard] = []
    for severity in SEVERITIES:
        codes = sorted({one.code for one in counts if one.severity == severity})
        if severity in severities and codes and len(found) < most:
            found += find_findings(asker, severity=(severity,), code=codes, source=sources, most=most - len(found))
    return tuple(found)


def is_under(code: str, rule: str) -> bool:
    """Whether a code is a rule or one of those under it.

    >>> is_under("conflict.possible", "conflict"), is_under("conflict.possible", "conflict.poss"), is_under("unit.slip", "units")
    (True, False, False)
    """
    return code == rule or code.startswith(rule.rstrip(".") + ".")


def _count(row: Row, severity: str) -> FindingCount:
    return FindingCount(
        text(row, "code"), severity, text(row, "verdict"), text(row, "source"), whole(row, "findings") or 0
    )


def _not_checkable(row: Row) -> NotCheckable:
    return NotCheckable(
        *(text(row, name) for name in ("finding", "claim", "source", "printed", "expression", "message"))
    )


def _unopened(asker: Asker, wanted: tuple[str, ...]) -> tuple[Unopened, ...]:
    """Cited things that no reader found; those that a given text cites, where texts are given."""
    labels: dict[str, str] = {}
    claims: dict[str, set[str]] = {}
    for row in asker.rows("sources/unopened"):
        name, claim = text(row, "source"), said(row, "claim")
        if said(row, "resolved_to") is None and (
            # the id of a claim begins with the id of its source, without `source/`
            not wanted or (claim or "").partition("/")[0] in {one.partition("/")[2] for one in wanted}
        ):
            labels[name] = said(row, "label") or name
            claims.setdefault(name, set()).update({claim} if claim else ())
    return tuple(
        Unopened(name, labels[name], len(claims[name]))
        for name in sorted(claims, key=lambda one: (-len(claims[one]), one))
    )
