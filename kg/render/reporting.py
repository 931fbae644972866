"""Evidence reports of a saved question or of a claim: answer, picture, charts, calculations, conflicts, sources with positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from kg.answers.asking import Asker, said, text
from kg.answers.compare import compare
from kg.answers.trace import Trace, trace
from kg.answers.verification import verify
from kg.errors import UsageError
from kg.model.counting import counted
from kg.render.charts import NothingToChart, Plan
from kg.render.compare_text import compare_opening, comparison_finding
from kg.render.number_line import claim_line_plan, claims_plan, number_line_plan
from kg.render.picture_cards import (
    KnownClaims,
    brief_claim_table,
    calculation_facts,
    figure_of,
    made_from,
    measure,
    place_of,
    read_known,
    says,
    short,
    speaker,
)
from kg.render.pictures import compare_scene, trace_scene
from kg.render.report import FORMS, Card, EvidenceReport, Section, html, markdown
from kg.render.report_answer import answer_of_claims, answer_of_rows
from kg.render.result_chart import results_plan
from kg.render.scene import Fact, Scene, SceneTable
from kg.render.surroundings import finished

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard
    from kg.ask.opened import Opened

_MOST_CARDS: Final = 40
_MOST_COLUMNS: Final = 7
"""A table of more is not read on paper, and not at all on a phone; `kg ask` has every column."""
_MOST_OWN: Final = _MOST_COLUMNS - 6
_MOST_CLAIMS: Final = 500
_IN_CLAIMS: Final = frozenset(
    [
        "claim",
        "kind",
        "subject",
        "subject_label",
        "subject_printed",
        "subject_match",
        "match",
        "orientation",
        "level",
        "baseline",
        "baseline_label",
        "baseline_printed",
        "baseline_match",
        "baseline_level",
        "metric",
        "better",
        "statistic",
        "normaliser",
        "relation",
        "reading",
        "alternatives",
        "printed",
        "hedge",
        "unit",
        "modality",
        "polarity",
        "direction",
        "statement",
        "conditions",
        "baseline_conditions",
        "asserted_by",
        "asserted_by_label",
        "path",
        "source",
        "source_label",
        "said_on",
        "document",
        "sha256",
        "start",
        "end",
        "page",
        "box",
        "table",
        "row",
        "column",
        "pointer",
        "sheet",
        "cell",
        "locator",
        "verdict",
        "verdict_reason",
        "value_to_use",
    ]
)
"""Columns of questions that the table of claims holds too."""


def report(graph: Opened, asked: str, *, form: str = "html", values: Mapping[str, object] | None = None) -> str:
    """The report as text in the form asked for."""
    if form not in FORMS:
        raise UsageError(field="-o", given=form, expected="a file that ends in .html or .md")
    made = evidence(graph, asked, values or {})
    return html(made) if form == "html" else markdown(made)


def evidence(graph: Opened, asked: str, values: Mapping[str, object]) -> EvidenceReport:
    """What a report holds: of a saved question by its name, else of a claim or a number."""
    if asked in graph.lexicon.questions:
        return _of_question(graph, asked, values)
    if values:
        raise UsageError(
            given=asked,
            expected="a saved question; only questions take parameters",
            next_step="kg ask lists the questions",
        )
    return _of_trace(graph, trace(graph.ask, asked, graph.lexicon.units))


# --- of a claim or number --------------------------------------------------------------------------------------------


def _brief_section(title: str, caption: str, cards: Sequence[ClaimCard]) -> Section:
    return Section(title, tables=(brief_claim_table(cards, caption),))


def _of_trace(graph: Opened, found: Trace) -> EvidenceReport:
    asker = Asker(graph.ask)
    claims = [one.claim.id for one in found.claims]
    others = [one.claim for each in found.claims for one in each.same_statement]
    resting = [one.claim for each in found.claims for one in each.dependents]
    known = read_known(graph, asker, [*claims, *_used_and_repeated(found), *others, *resting][:_MOST_CLAIMS])
    cards = [known.cards[name] for name in claims if name in known.cards]
    head = found.sentence
    sections = [
        Section("What is claimed", tables=(brief_claim_table(cards),)),
        Section("Calculations", cards=_calculations(known, claims)),
        Section("Where it comes from", tables=(_chain_table(found),)),
        _brief_section("Other claims about the same thing", "Other claims", _cards(known, others, claims)),
        _conflict_section(known, claims),
        _brief_section("What rests on it", "Claims that rest on it", _cards(known, resting, claims)),
        _sources(asker, known),
    ]
    charts = _line_charts(graph, cards)
    charted = [name for plan in charts for name in plan.questions]
    question = f"Where does {found.asked} come from, who says it, does it recompute, who disagrees, and can it be used?"
    return EvidenceReport(
        f"Evidence: {_title(found, cards)}",
        question,
        head,
        found.verdict,
        tuple(filter(_has_content, sections)),
        picture=finished(trace_scene(graph, found), 300) if cards else None,
        charts=charts,
        questions=tuple(dict.fromkeys([*found.questions, *asker.used, *charted])),
        made_from=made_from(graph),
    )


def _used_and_repeated(found: Trace) -> Iterator[str]:
    """The inputs of the derivations, then what the claims repeat."""
    for claim in found.claims:
        for derivation in claim.derivations:
            yield from (one.claim for one in derivation.inputs if one.claim)
    for claim in found.claims:
        yield from (hop.reached for hop in claim.chain)


def _title(found: Trace, cards: Sequence[ClaimCard]) -> str:
    """What is traced and what it is of, so that a reader of the heading alone knows which figure is meant."""
    if not cards:
        return found.asked
    of = Counter(f"{measure(card)} of {short(card.subjects[0].label or card.subjects[0].id)}" for card in cards)
    [(most, claims)] = of.most_common(1)
    if found.kind == "claim":
        return f"{figure_of(cards[0]) or cards[0].statement or 'no figure'}, {most} [{cards[0].id}]"
    others = f" and {counted(len(cards) - claims, 'other claim')}" if len(cards) > claims else ""
    return f"{found.asked}, {most}{others}"


def _chain_table(found: Trace) -> SceneTable:
    rows = []
    for one in found.claims:
        for hop in one.chain:
            rows.append(
                (
                    one.claim.id,
                    (
                        one.claim.id,
                        f"{hop.hop}. {hop.via}" + (f" by {hop.through[-1]}" if hop.through else ""),
                        hop.label or hop.printed or "",
                        hop.asserted_by or "",
                        hop.fidelity or "",
                        hop.end_state or "",
                        hop.reached,
                    ),
                )
            )
    return SceneTable("Hop by hop", ("claim", "how", "reaches", "asserted by", "kept as", "ends", "id"), tuple(rows))


def _line_charts(graph: Opened, cards: Sequence[ClaimCard]) -> tuple[Plan, ...]:
    """A number line for the first claim that other claims are about too."""
    for card in cards[:3]:
        if card.figure.canonical_value is None:
            continue
        try:
            plan = claim_line_plan(graph, card.id)
        except NothingToChart:
            continue
        if sum(len(panel.lanes) for panel in plan.panels) > 1:
            return (plan,)
    return ()


# --- of a saved question ---------------------------------------------------------------------------------------------


def _of_question(graph: Opened, name: str, values: Mapping[str, Any]) -> EvidenceReport:
    question = graph.lexicon.questions[name]
    answer = graph.ask(name, **values)
    rows = list(answer.dicts())
    asker = Asker(graph.ask)
    columns = [column.name for column in question.columns if column.type == "id"]
    claims = _claims_in(rows, columns)
    known = read_known(graph, asker, claims[:_MOST_CLAIMS])
    given = ", ".join(f"{key} = {_shown(value)}" for key, value in sorted(values.items()))
    table = _answer_table(question.column_names, rows, known)
    is_comparison = name == "comparisons/compare"
    claimed = list(known.cards.values())
    answered = answer_of_claims(claimed) if claimed else answer_of_rows(question.column_names, rows)
    title, head = _compared(graph, values) if is_comparison else (_question_title(question.title, values), answered)
    wrong = [card for card in known.cards.values() if card.verdict == "wrong"]
    if wrong:
        reasons = (f"{figure_of(card) or 'no figure'} [{card.id}]: {card.verdict_reason}" for card in wrong[:3])
        head += f" Wrong: {'; '.join(reasons)}."
    sections = [
        Section("Answer", words=_part(len(claims)), tables=(table,)),
        Section("The claims", tables=(brief_claim_table(known.cards.values()),)),
        Section("Calculations", cards=_calculations(known, list(known.cards))),
        _conflict_section(known, list(known.cards)),
        _sources(asker, known),
    ]
    picture, charts = _question_picture(graph, name, values), _question_charts(graph, name, values)
    return EvidenceReport(
        title,
        question.question + (f" ({given})" if given else ""),
        head,
        None,
        tuple(one for one in sections if _has_content(one)),
        picture=picture,
        charts=charts,
        questions=tuple(dict.fromkeys([name, *asker.used])),
        made_from=made_from(graph),
    )


def _part(claims: int) -> tuple[str, ...]:
    """What is said where not every claim has its card."""
    whole = claims <= _MOST_CLAIMS
    return () if whole else (f"This is a part: the cards below are of the first {_MOST_CLAIMS} of {claims} claims.",)


def _compared(graph: Opened, values: Mapping[str, object]) -> tuple[str, str]:
    """A title with the finding, and the sentence that `kg compare` opens with."""
    found = compare(graph.ask, str(values["a"]), str(values["b"]))
    ratios = [claim for claim in found.claims if claim.ratio is not None]
    results = verify(graph.ask, graph.lexicon.comparability).claims
    bearing = {one.claim: one for one in results if one.readings and one.claim in {claim.id for claim in ratios}}
    title = f"{values['a']} against {values['b']}: {comparison_finding(found)}"
    return title, compare_opening(found, ratios, bearing)


def _question_title(title: str, values: Mapping[str, object]) -> str:
    """The title with the things it is about."""
    given = ", ".join(
        _shown(value).replace("metric/", "").replace("-", " ") if str(value).startswith("metric/") else _shown(value)
        for _, value in sorted(values.items())
    )
    return f"{title}: {given}" if given else title


def _answer_table(columns: Sequence[str], rows: Sequence[Mapping[str, object]], known: KnownClaims) -> SceneTable:
    """The rows; where they are claims, what the table of claims below says too is left to it."""
    kept = [column for column in columns if any(row[column] is not None for row in rows)]
    if "claim" not in kept or not known.cards:
        kept = kept[:_MOST_COLUMNS]
        made = tuple((str(number), tuple(_cell(row[column]) for column in kept)) for number, row in enumerate(rows))
        return SceneTable("Rows", tuple(one.replace("_", " ") for one in kept), made)
    own = [column for column in kept if column not in _IN_CLAIMS][:_MOST_OWN]
    return SceneTable(
        "Rows",
        ("stated", "measure", "of", "asserted by", *(one.replace("_", " ") for one in own), "verdict", "claim"),
        tuple(_claim_rows(rows, own, known)),
    )


def _claim_rows(
    rows: Iterable[Mapping[str, object]], own: Sequence[str], known: KnownClaims
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in rows:
        card = known.cards.get(str(row["claim"]))
        if card is not None:
            front = (says(card), measure(card), short(card.subjects[0].label or card.subjects[0].id), speaker(card))
            yield card.id, (*front, *(_cell(row[column]) for column in own), card.verdict, card.id)


def _claims_in(rows: Sequence[Mapping[str, object]], columns: Iterable[str]) -> list[str]:
    """The claims that the rows name, in their order."""
    found = dict.fromkeys(
        str(row[column])
        for row in rows
        for column in columns
        if column in ("claim", "member", "other", "input_claim", "dependent", "reached") and row[column] is not None
    )
    return [one for one in found if not one.startswith(("unresolved/", "source/"))]


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.6g}"
    return str(value)


def _question_picture(graph: Opened, name: str, values: Mapping[str, object]) -> Scene | None:
    if name == "comparisons/compare":
        return finished(compare_scene(graph, compare(graph.ask, str(values["a"]), str(values["b"]))), 300)
    return None


def _question_charts(graph: Opened, name: str, values: Mapping[str, Any]) -> tuple[Plan, ...]:
    """The charts that show the rows of a question."""
    try:
        if name == "benchmarks/results":
            words = [str(values[key]).partition("/")[2] for key in ("scenario", "task") if values.get(key)]
            return (results_plan(graph, words),)
        if name == "specifications/by-metric" and values.get("metric"):
            rows = graph.ask(name, **values)
            return (claims_plan(graph, [str(row["claim"]) for row in rows.dicts()], str(values["metric"])),)
        if name == "specifications/of-thing" and values.get("thing"):
            return (number_line_plan(graph, str(values["thing"]), "memory-bandwidth"),)
    except NothingToChart:
        return ()
    return ()


# --- parts -----------------------------------------------------------------------------------------------------------


def _has_content(one: Section) -> bool:
    return bool(one.words or one.cards or any(table.rows for table in one.tables))


def _cards(known: KnownClaims, names: Iterable[str], without: Iterable[str]) -> list[ClaimCard]:
    left_out = set(without)
    return [known.cards[one] for one in dict.fromkeys(names) if one in known.cards and one not in left_out]


def _calculations(known: KnownClaims, claims: Iterable[str]) -> tuple[Card, ...]:
    made = []
    for claim in claims:
        for one in known.about(claim):
            if one.id in known.calculations:
                card = known.cards[claim]
                rows = [
                    *calculation_facts(known.calculations[one.id], known.findings.get(one.id)),
                    ("source", place_of(card)),
                    ("finding", one.id),
                ]
                made.append(Card(f"{figure_of(card) or claim} [{claim}]", tuple(rows)))
    return tuple(made[:_MOST_CARDS])


def _conflict_section(known: KnownClaims, claims: Iterable[str]) -> Section:
    """Every finding other than a calculation that holds, about one of the claims."""
    cards, seen = [], set[str]()
    for claim in claims:
        for one in known.notes.get(claim, ()):
            if (
                one.id in seen
                or one.severity == "info"
                or (one.code.startswith("arithmetic.") and one.role == "about" and one.id in known.calculations)
            ):
                continue
            seen.add(one.id)
            facts: list[Fact] = [
                ("found", one.message),
                ("about", one.about),
                ("severity", f"{one.severity}, {one.code}"),
                ("this claim is", one.role),
                ("claim", claim),
            ]
            facts += [("may be explained by", f"{each.message} ({each.code})") for each in one.explanations[:3]]
            cards.append(Card(one.code.partition(".")[2].replace("-", " "), (*facts, ("finding", one.id))))
    words = () if cards else ("The audit found no conflict and no other doubt about these claims.",)
    if len(cards) > _MOST_CARDS:
        words = (f"This is a part: {_MOST_CARDS} of {len(cards)} findings are shown.",)
    return Section("Conflicts and other findings", words=words, cards=tuple(cards[:_MOST_CARDS]))


def _sources(asker: Asker, known: KnownClaims) -> Section:
    """Each source with what is known of it, and every claim with its position there."""
    names = sorted({card.source.id for card in known.cards.values()})
    rows = {text(row, "source"): row for row in asker.rows("sources/card", source=names)} if names else {}
    table = []
    for name in names:
        row = rows.get(name)
        if row is not None:
            table.append(
                (
                    name,
                    (
                        *(
                            said(row, key) or ""
                            for key in ("label", "form", "published", "machine_written", "document", "sha256")
                        ),
                        name,
                    ),
                )
            )
    places = [
        (card.id, (card.id, says(card), speaker(card), place_of(card), card.said_on or "undated"))
        for card in sorted(known.cards.values(), key=lambda card: (card.source.id, card.place.start or 0, card.id))
    ]
    return Section(
        "Sources with positions",
        words=("Positions are code points or cells in the file with the digest given.",),
        tables=(
            SceneTable(
                "Sources", ("name", "form", "published", "machine written", "document", "sha-256", "id"), tuple(table)
            ),
            SceneTable("Positions", ("claim", "stated", "asserted by", "source", "date"), tuple(places)),
        ),
    )
