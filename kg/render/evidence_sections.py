"""The sections that every report of evidence has: calculations, findings, and sources with their positions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from kg.answers.asking import Asker, said, text
from kg.render.judgement_nodes import calculation_facts
from kg.render.picture_cards import KnownClaims, figure_of, place_of, says, speaker
from kg.render.report import Card, Section
from kg.render.scene import Fact, SceneTable

if TYPE_CHECKING:
    from kg.answers.claim import ClaimCard

_MOST_CARDS: Final = 40


def has_content(one: Section) -> bool:
    """Whether a section has anything to show below its title; one that has not is left out of the report."""
    return bool(one.words or one.cards or any(table.rows for table in one.tables))


def other_cards(known: KnownClaims, names: Iterable[str], without: Iterable[str]) -> list[ClaimCard]:
    """The cards of claims by id, each once, except those that another section of the report shows already."""
    left_out = set(without)
    return [known.cards[one] for one in dict.fromkeys(names) if one in known.cards and one not in left_out]


def calculation_cards(known: KnownClaims, claims: Iterable[str]) -> tuple[Card, ...]:
    """Each recomputation of a figure of the claims as a card: inputs, result, verdict, and where it is printed."""
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


def conflict_section(known: KnownClaims, claims: Iterable[str]) -> Section:
    """Every finding other than a calculation that holds, about one of the claims."""
    cards, seen = [], set[str]()
    for claim in claims:
        for one in known.notes.get(claim, ()):
            if (
                one.id in seen
                or one.severity == "info"
                # A calculation that holds is shown with the calculations.
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


def source_section(asker: Asker, known: KnownClaims) -> Section:
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
