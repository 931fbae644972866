"""The evidence behind the answer of a saved question, as a report."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from kg.answers.asking import Asker
from kg.answers.compare import compare
from kg.answers.verification import verify
from kg.render.charts import NothingToChart, Plan
from kg.render.compare_text import compare_opening, comparison_finding
from kg.render.evidence_sections import calculation_cards, conflict_section, has_content, source_section
from kg.render.number_line import claims_plan, number_line_plan
from kg.render.picture_cards import (
    KnownClaims,
    brief_claim_table,
    figure_of,
    made_from,
    measure,
    read_known,
    says,
    speaker,
)
from kg.render.pictures import compare_scene
from kg.render.report import EvidenceReport, Section
from kg.render.report_answer import answer_of_claims, answer_of_rows
from kg.render.result_chart import results_plan
from kg.render.scene import Scene, SceneTable
from kg.render.surroundings import finished
from kg.render.thing_nodes import short

if TYPE_CHECKING:
    from kg.ask.opened import Opened

_MOST_COLUMNS: Final = 7
"""A table of more is not read on paper, and not at all on a phone; `kg ask` has every column."""
_MOST_OWN: Final = _MOST_COLUMNS - 6
MOST_CLAIMS: Final = 500
_OF_CLAIMS: Final = "comparisons/compare"
"""The question whose columns tell most of a claim: what they hold, the table of claims holds too."""
_NOT_OF_CLAIMS: Final = frozenset({"ratio", "ratio_lower", "ratio_upper", "secondary"})
"""Its columns that no other table has."""


def question_evidence(graph: Opened, name: str, values: Mapping[str, Any]) -> EvidenceReport:
    """The report of a question by its name, asked with these values of its parameters."""
    question = graph.lexicon.questions[name]
    answer = graph.ask(name, **values)
    rows = list(answer.dicts())
    asker = Asker(graph.ask)
    columns = [column.name for column in question.columns if column.type == "id"]
    claims = _claims_in(rows, columns)
    known = read_known(graph, asker, claims[:MOST_CLAIMS])
    given = ", ".join(f"{key} = {_shown(value)}" for key, value in sorted(values.items()))
    table = _answer_table(question.column_names, rows, known, _in_claims(graph))
    is_comparison = name == _OF_CLAIMS
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
        Section("Calculations", cards=calculation_cards(known, list(known.cards))),
        conflict_section(known, list(known.cards)),
        source_section(asker, known),
    ]
    picture, charts = _question_picture(graph, name, values), _question_charts(graph, name, values)
    return EvidenceReport(
        title,
        question.question + (f" ({given})" if given else ""),
        head,
        None,
        tuple(one for one in sections if has_content(one)),
        picture=picture,
        charts=charts,
        questions=tuple(dict.fromkeys([name, *asker.used])),
        made_from=made_from(graph),
    )


def _part(claims: int) -> tuple[str, ...]:
    """What is said where not every claim has its card."""
    whole = claims <= MOST_CLAIMS
    return () if whole else (f"This is a part: the cards below are of the first {MOST_CLAIMS} of {claims} claims.",)


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


def _in_claims(graph: Opened) -> frozenset[str]:
    """The columns that the table of claims holds; content of one's own may have left out the question that has them all."""
    question = graph.lexicon.questions.get(_OF_CLAIMS)
    return frozenset(() if question is None else {*question.column_names, "match", "unit"} - _NOT_OF_CLAIMS)


def _answer_table(
    columns: Sequence[str], rows: Sequence[Mapping[str, object]], known: KnownClaims, in_claims: Container[str]
) -> SceneTable:
    """The rows; where they are claims, what the table of claims below says too is left to it."""
    kept = [column for column in columns if any(row[column] is not None for row in rows)]
    if "claim" not in kept or not known.cards:
        kept = kept[:_MOST_COLUMNS]
        made = tuple((str(number), tuple(_cell(row[column]) for column in kept)) for number, row in enumerate(rows))
        return SceneTable("Rows", tuple(one.replace("_", " ") for one in kept), made)
    own = [column for column in kept if column not in in_claims][:_MOST_OWN]
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
            front = (says(card), measure(card), short(card.subjects[0].name), speaker(card))
            yield card.id, (*front, *(_cell(row[column]) for column in own), card.verdict, card.id)


def _claims_in(rows: Sequence[Mapping[str, object]], columns: Iterable[str]) -> list[str]:
    """The claims that the rows name, in their order."""
    found = dict.fromkeys(
        str(row[column])
        for row in rows
        for column in columns
        if column in ("claim", "member", "other", "input_claim", "dependent", "reached") and row[column] is not None
    )
    # Ids of sources, opened or not, that a chain reaches are no claims with cards.
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
    if name == _OF_CLAIMS:
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
