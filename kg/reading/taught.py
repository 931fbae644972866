"""Curated claims as figures whose fields are known: what the ranker learns from, and what it is measured against."""

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from kg.content.documents import Document
from kg.model.conditions import condition_word
from kg.model.recorded import ClaimRecord
from kg.reading.figure import ReportFigure
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.learn import TaughtFigure
from kg.reading.passage import PassageReader
from kg.reading.plain_text import plain_blocks
from kg.reading.text import Block, ReportText

_FIELDS: Final = ("subject", "metric", "baseline", "level", "statistic", "normaliser", "modality")


def report_of(document: Document) -> ReportText:
    """A curated document as a report."""
    digest = sha256(document.text.encode()).hexdigest()
    return ReportText(document.text, digest, document.sha256, "text", tuple(plain_blocks(document.text)))


def figure_of(claim: ClaimRecord, report: ReportText, starts: Mapping[int, Block]) -> ReportFigure:
    """The figure that a claim was made of, with the unit and relation that it was curated with."""
    anchor, quantity = claim["anchor"], claim["quantity"]
    start, end = anchor["start"], anchor["end"]
    return ReportFigure(
        start,
        end,
        report.text[start:end],
        None,
        quantity.get("unit"),
        quantity.get("hedge"),
        claim.get("relation", "absolute"),
        block_at(report, start, starts),
    )


def block_at(report: ReportText, start: int, starts: Mapping[int, Block]) -> Block:
    """The block at a position, the whole text where none is."""
    return starts.get(start) or Block("paragraph", 0, len(report.text))


def blocks_by_position(report: ReportText) -> dict[int, Block]:
    """The block of every position that has one; a cell wins over what holds it."""
    found: dict[int, Block] = {}
    # sorted so that cells come last and overwrite the block that holds them
    for block in sorted(report.blocks, key=lambda one: one.cell is not None):
        found.update(dict.fromkeys(range(block.start, block.end), block))
    return found


def known_fields(claim: ClaimRecord) -> dict[str, str | None]:
    """The fields of a claim as the ranker chooses them; of two normalisers the first."""
    fields: Mapping[str, object] = claim
    first = {name: value[0] if isinstance(value := fields.get(name), list) else value for name in _FIELDS}
    known = {name: None if value is None else str(value) for name, value in first.items()}
    return {**known, "relation": claim.get("relation", "absolute")}


def known_conditions(claim: ClaimRecord) -> dict[str, tuple[str, ...]]:
    """The conditions that a claim states or implies, as words; those that are not known are left out."""
    known: dict[str, tuple[str, ...]] = {}
    for name, given in claim.get("conditions", {}).items():
        value = given.get("value") if isinstance(given, Mapping) else given
        values = value if isinstance(value, list) else [value]
        found = tuple(condition_word(one) for one in values if one is not None)
        if found:
            known[name] = found
    return known


def with_values(claims: Iterable[ClaimRecord]) -> list[ClaimRecord]:
    """The claims that print a value at a position of a text."""
    return [
        claim
        for claim in claims
        if "start" in claim["anchor"] and (claim.get("quantity") or {}).get("value") is not None
    ]


def taught_figures(
    claims: Iterable[ClaimRecord], documents: Mapping[str, Document], knowledge: ReadingKnowledge
) -> list[tuple[ClaimRecord, TaughtFigure]]:
    """Each claim whose document is there, with its passage; the claims of a long table count less each."""
    held = [claim for claim in with_values(claims) if claim["anchor"].get("sha256") in documents]
    of_source = Counter(claim["source"] for claim in held)
    readers: dict[str, tuple[ReportText, PassageReader, dict[int, Block]]] = {}
    found = []
    for claim in held:
        digest = claim["anchor"]["sha256"]
        if digest not in readers:
            report = report_of(documents[digest])
            reader = PassageReader(report, knowledge.names.scan_all, knowledge.terms.scan)
            readers[digest] = (report, reader, blocks_by_position(report))
        report, reader, blocks = readers[digest]
        passage = reader.read(figure_of(claim, report, blocks))
        # by the root of their number: four times as many claims of one source teach twice as much
        weight = (100 / of_source[claim["source"]]) ** 0.5
        found.append((claim, TaughtFigure(passage, known_fields(claim), known_conditions(claim), weight)))
    return found
