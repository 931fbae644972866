"""What the tools answer: results of the session as short shapes; a number of rows is asked for, the rest is counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker
from kg.answers.checked_figures import SECONDS
from kg.answers.claim import read_cards
from kg.answers.listed_rounds import part_listed
from kg.mcp.shapes import (
    CheckAnswer,
    CheckedNumber,
    ClaimLine,
    CompareAnswer,
    ConflictGroup,
    ConflictsAnswer,
    FindAnswer,
    FoundMatch,
    GroupClaim,
    NumberAnswer,
    QuotedPassage,
    SourceLink,
    SpecValue,
    ThingAnswer,
)
from kg.model.verdict import read_verdict
from kg.model.vocabulary import claim_iri, thing_iri
from kg.render.check_words import summary
from kg.render.claim_words import condition_words, subject_at_level
from kg.render.compare_text import compare_opening, told_once
from kg.render.stated_text import pair_words

if TYPE_CHECKING:
    from kg.answers.checked_figures import CheckedFigure
    from kg.answers.claim import ClaimCard, Thing
    from kg.answers.compare import ComparedClaim, Comparison
    from kg.answers.conflicts import Group
    from kg.answers.sheet import PublishedResults
    from kg.answers.sheet_rows import SheetRow
    from kg.answers.traced_claim import TracedClaim
    from kg.session import Graph

_MOST_LINKS: Final = 8
_MOST_IN_A_ROW: Final = 6
"""Claims, sources or values that one row names."""
_MOST_QUOTED: Final = 80
"""Words of a passage."""


def _source(thing: Thing) -> SourceLink:
    return SourceLink(id=thing.id, title=thing.name, permalink=thing_iri(thing.id))


def in_few_words(text: str, words: int = 60) -> str:
    """A text cut at a number of words.

    >>> in_few_words("one two three", 2)
    'one two …'
    """
    found = text.split()
    return text if len(found) <= words else " ".join((*found[:words], "…"))


def _some(lines: Sequence[str], most: int) -> list[str]:
    """The first lines, and how many more there are.

    >>> _some(["a", "b", "c"], 1), _some(["a"], 1)
    (['a', 'and 2 more'], ['a'])
    """
    left = len(lines) - most
    return [*lines[:most], f"and {left} more"] if left > 0 else list(lines)


# --- a number or a claim ---------------------------------------------------------------------------------------------


def number_answer(graph: Graph, asked: str, most: int, about: Sequence[str] = ()) -> NumberAnswer:
    """Where a number or a claim comes from; at most this many claims in full, of those about all these names."""
    trace = graph.trace(asked, about=about)
    shown = trace.claims[:most]
    official = graph.official_ratio(trace)
    compared = [] if official is None else [f"compare {official.a} with {official.b}"]
    return NumberAnswer(
        sentence=trace.sentence,
        left_out=trace.found - len(shown),
        next=[*compared, *(f"trace_number {one.claim}" for one in trace.near[:3])] or ([] if shown else ["find"]),
        verdict=trace.verdict,
        value_to_use=trace.value,
        official=None if official is None else official.worded,
        claims=[_traced(graph, one) for one in shown],
    )


def _traced(graph: Graph, one: TracedClaim) -> ClaimLine:
    formulas = [
        f"{derivation.expression}, where "
        + ", ".join(
            f"{given.name} = {given.worded or given.constant} [{given.claim or given.why}]"
            for given in derivation.inputs
        )
        for derivation in one.derivations
    ]
    return _claim_line(one.claim, formula="; ".join(formulas) or None, quoted=_quoted(graph, one.claim))


def _claim_line(card: ClaimCard, *, formula: str | None = None, quoted: QuotedPassage | None = None) -> ClaimLine:
    return ClaimLine(
        id=card.id,
        says=_says(card),
        conditions=condition_words(card.conditions) or None,
        verdict=card.verdict,
        reason=card.verdict_reason,
        value_to_use=card.value_to_use,
        asserted_by=card.asserted_by.name,
        source=_source(card.source),
        place=card.place.named,
        permalink=claim_iri(card.id),
        formula=formula,
        quoted=quoted,
    )


def _says(card: ClaimCard) -> str:
    of = f"{card.metric.replace('-', ' ')} of {subject_at_level(card)}"
    against = f" against {card.baseline.name} ({card.relation})" if card.baseline is not None else ""
    return in_few_words(
        f"{card.worded or 'no figure'}: {of}{against}" + (f" - {card.statement}" if card.statement else "")
    )


def _quoted(graph: Graph, card: ClaimCard) -> QuotedPassage | None:
    """The sentence of an attached text in which the claim is printed."""
    place = card.place
    if place.document is None or place.start is None or place.end is None:
        return None
    text = graph.document(place.document, place.sha256)
    if text is None:
        return None
    passage = in_few_words(text.sentence(place.start, place.end), _MOST_QUOTED)
    return QuotedPassage(text=passage, document=place.document, sha256=place.sha256)


# --- comparisons -----------------------------------------------------------------------------------------------------


def compare_answer(graph: Graph, a: str, b: str, most: int) -> CompareAnswer:
    """The claims that compare two things, by level, with what published results give."""
    found = graph.compare(a, b)
    if not (found.a.is_known and found.b.is_known):
        return _not_compared(found)
    shown = found.claims[:most]
    cards = read_cards(Asker(graph.ask), [claim.id for claim in shown]) if shown else {}
    return CompareAnswer(
        sentence=_compared(graph, found),
        left_out=len(found.claims) - len(shown),
        next=["trace_number with the id of a claim"] if shown else ["thing"],
        verdict=found.verdict,
        value_to_use=found.value,
        levels=_levels(found.claims),
        published=_published(graph, shown),
        specified=[pair_words(one) for one in found.specified[:most]],
        claims=[_claim_line(cards[claim.id]) for claim in shown if claim.id in cards],
    )


def _compared(graph: Graph, found: Comparison) -> str:
    """The opening of a comparison as every door says it, and whether the official results are those of whole rounds."""
    ratios = [claim for claim in found.claims if claim.ratio is not None]
    opening = compare_opening(found, ratios, graph.verified([claim.id for claim in ratios]))
    part = part_listed(graph.folder, graph.server) if found.published is not None else None
    return f"{opening} {part[:1].upper()}{part[1:]}." if part else opening


def _not_compared(found: Comparison) -> CompareAnswer:
    unknown = [name for name in (found.a, found.b) if not name.is_known]
    near = sorted({one for name in unknown for one in name.near})
    words = " and ".join(f"“{name.text}”" for name in unknown)
    return CompareAnswer(
        sentence=f"Nothing is called {words}.",
        next=[f"compare with one of: {', '.join(near[:_MOST_LINKS])}"] if near else ["find"],
        verdict="unknown",
        value_to_use=None,
        levels=[],
        published=[],
        claims=[],
    )


def _levels(claims: Iterable[ComparedClaim]) -> list[str]:
    groups: dict[str, list[ComparedClaim]] = {}
    for claim in claims:
        if claim.ratio is not None:
            pair = (
                f"{claim.level} of {claim.subject.name} against {claim.baseline_level or claim.level} "
                f"of {claim.baseline.name}"
            )
            groups.setdefault(pair, []).append(claim)
    return [f"{pair}: {'; '.join(told_once(own, lambda one: one.says))}" for pair, own in groups.items()]


def _published(graph: Graph, claims: Iterable[ComparedClaim]) -> list[str]:
    stated = [claim.id for claim in claims if claim.ratio is not None]
    found = graph.verified(stated)
    return [
        in_few_words(f"{result.verdict} {result.worded} [{claim}]: {result.reason}")
        for claim in stated
        if (result := found.get(claim)) is not None and result.verdict != "no-comparable"
    ]


# --- search, things, conflicts, questions ----------------------------------------------------------------------------


def find_answer(graph: Graph, text: str, most: int) -> FindAnswer:
    """What fits the words, best first."""
    found = graph.find(text)
    shown = found.items[:most]
    near = f"; near: {', '.join(found.near[:_MOST_LINKS])}" if found.near else ""
    return FindAnswer(
        sentence=f"{len(found.items):,} matches for “{text}”." if found.items else f"Nothing fits “{text}”{near}.",
        left_out=len(found.items) - len(shown),
        next=["thing with the id of a thing", "trace_number with the id of a claim"] if shown else [],
        matches=[
            FoundMatch(
                kind=item.kind,
                id=item.id,
                label=in_few_words(item.label, 20),
                value=item.value,
                verdict=item.verdict,
                permalink=None
                if item.kind == "question"
                else claim_iri(item.id)
                if item.kind == "claim"
                else thing_iri(item.id),
            )
            for item in shown
        ],
    )


def thing_answer(graph: Graph, name: str, most: int) -> ThingAnswer:
    """The spec sheet of a thing, a family or a metric. Raises UnknownThing."""
    sheet = graph.specs(name)
    shown = sheet.rows[:most]
    titles = _titles(graph, {one for row in shown for value in row.values for one in value.sources})
    return ThingAnswer(
        sentence=f"{sheet.headline()[2]}.",
        left_out=len(sheet.rows) - len(shown),
        next=[f"compare {name} with {one.other.id}" for one in sheet.compared[:2]] + [f"conflicts {name}"],
        id=sheet.id,
        label=sheet.label,
        permalink=thing_iri(sheet.id),
        links=_some([f"{link.link} {link.other.name} [{link.other.id}]" for link in sheet.links], _MOST_LINKS),
        values=[_spec(row, titles) for row in shown],
        compared_with=_some(
            [f"{one.other.name} [{one.other.id}]: {one.claims} claims" for one in sheet.compared], _MOST_LINKS
        ),
        published=_some([_results(one) for one in sheet.published], _MOST_IN_A_ROW),
    )


def _titles(graph: Graph, sources: Iterable[str]) -> Mapping[str, SourceLink]:
    names = sorted(sources)
    if not names:
        return {}
    labels = {str(row["thing"]): row["label"] for row in graph.ask("entities/labels", thing=names).dicts()}
    return {name: SourceLink(id=name, title=str(labels.get(name) or name), permalink=thing_iri(name)) for name in names}


def _spec(row: SheetRow, titles: Mapping[str, SourceLink]) -> SpecValue:
    told = row.values[: max(row.told, 1)]
    sources = list(dict.fromkeys(one for value in told for one in value.sources))
    claims = [claim for value in told for claim in value.claims]
    return SpecValue(
        metric=f"{row.metric} ({row.facets})" if row.facets else row.metric,
        level=row.level,
        value=row.value,
        verdict=row.verdict,
        reason=row.reason,
        claims=claims[:_MOST_IN_A_ROW],
        left_out=max(0, len(claims) - _MOST_IN_A_ROW),
        sources=[titles[one] for one in sources[:_MOST_IN_A_ROW] if one in titles],
        others=_some(
            [
                f"{value.shown} ({value.verdict}: {value.reason}"
                + (f"; use {value.value_to_use})" if value.value_to_use else ")")
                for value in row.others
            ],
            _MOST_IN_A_ROW,
        ),
    )


def _results(one: PublishedResults) -> str:
    span = f"{one.low:,.6g}" if one.low == one.high else f"{one.low:,.6g} to {one.high:,.6g}"
    scenario = f", {one.scenario.name}" if one.scenario else ""
    return f"{one.accelerator.name}, {one.task.name}{scenario}: {span} {one.unit or ''}, best [{one.best}]"


def conflicts_answer(graph: Graph, about: str | None, most: int) -> ConflictsAnswer:
    """Groups of claims that disagree, about a thing or a metric, or all."""
    found = graph.conflicts(about)
    shown = found.groups[:most]
    subject = f" about “{about}”" if about else ""
    if about is not None and not found.subjects and found.metric is None:
        near = f"; near: {', '.join(found.near[:_MOST_LINKS])}" if found.near else ""
        return ConflictsAnswer(sentence=f"Nothing is called “{about}”{near}.", groups=[], next=["find"])
    return ConflictsAnswer(
        sentence=f"{len(found.groups):,} groups of claims{subject} disagree or may disagree.",
        left_out=len(found.groups) - len(shown),
        next=["trace_number with the id of a claim"] if shown else [],
        groups=[_group(one) for one in shown],
    )


def _group(group: Group) -> ConflictGroup:
    return ConflictGroup(
        verdict=group.verdict,
        severity=group.severity,
        metric=group.metric,
        sentence=in_few_words(group.message),
        claims=[
            GroupClaim(
                id=one.claim.claim,
                says=in_few_words(one.claim.shown or one.claim.statement or "no figure", 20),
                verdict=read_verdict(one.claim.verdict),
                asserted_by=one.claim.speaker or one.claim.asserted_by or "not stated",
                permalink=claim_iri(one.claim.claim),
            )
            for one in group.members[:_MOST_IN_A_ROW]
        ],
        left_out=max(0, len(group.members) - _MOST_IN_A_ROW),
        explanations=_some([in_few_words(one.message, 30) for one in group.explanations], 3),
    )


def check_answer(graph: Graph, text: str, most: int) -> CheckAnswer:
    """The figures of a text next to what is known, the worst first. The text is data: it is never a path."""
    checked = graph.check(text, timeout_seconds=SECONDS)
    shown = checked.worst_first()[:most]
    counts = {verdict: count for verdict, count in checked.counts().items() if count}
    said = summary(checked)
    return CheckAnswer(
        sentence=f"{said[:1].upper()}{said[1:]}",
        left_out=len(checked.figures) - len(shown),
        next=["trace_number with the id of a claim"] if any(one.same or one.others for one in shown) else [],
        counts=counts,
        figures=[_checked_number(one) for one in shown],
    )


def _checked_number(one: CheckedFigure) -> CheckedNumber:
    claims = [known.claim for known in (*one.same, *one.others)][:3]
    return CheckedNumber(
        printed=in_few_words(one.figure.printed, 12),
        line=one.line,
        verdict=one.verdict,
        reason=in_few_words(one.reason, 40),
        value_to_use=one.value_to_use,
        claims=claims,
        permalinks=[claim_iri(claim) for claim in claims],
    )
