"""Proposals as the plain tuples that pass between processes, and back; a block goes as its number in the report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final

from kg.model.printed import PrintedNumber
from kg.reading.figure import ReportFigure
from kg.reading.proposal import Candidate, ClaimProposal
from kg.reading.text import Block

Sent = tuple[Any, ...]
_NUMBER: Final = tuple(one.name for one in fields(PrintedNumber))


def sent_proposals(proposals: Iterable[ClaimProposal], blocks: Sequence[Block]) -> list[Sent]:
    """Each proposal as a tuple of plain values."""
    # by identity: two cells may be equal, and the place of each is its own
    places = {id(block): at for at, block in enumerate(blocks)}
    return [
        (
            _sent_figure(one.figure, places),
            _sent_candidates(one.fields),
            _sent_candidates(one.conditions),
            one.confidence,
            _sent_candidates(one.offered),
        )
        for one in proposals
    ]


def received_proposals(sent: Iterable[Sent], blocks: Sequence[Block]) -> list[ClaimProposal]:
    """The proposals that were sent, of the report with these blocks."""
    return [
        ClaimProposal(
            _received_figure(figure, blocks),
            _candidates(known),
            _candidates(conditions),
            confidence,
            _candidates(offered),
        )
        for figure, known, conditions, confidence, offered in sent
    ]


def _sent_figure(figure: ReportFigure, places: Mapping[int, int]) -> Sent:
    number = None if figure.number is None else tuple(_sent(getattr(figure.number, name)) for name in _NUMBER)
    block = places[id(figure.block)]
    where = (figure.start, figure.end, figure.printed)
    return (
        *where,
        number,
        figure.unit,
        figure.hedge,
        figure.relation,
        block,
        figure.reason,
        figure.scaled_by,
        figure.currency,
    )


def _received_figure(sent: Sent, blocks: Sequence[Block]) -> ReportFigure:
    start, end, printed, number, unit, hedge, relation, block, reason, scaled_by, currency = sent
    read = None if number is None else PrintedNumber(*map(_received, number))
    return ReportFigure(start, end, printed, read, unit, hedge, relation, blocks[block], reason, scaled_by, currency)


def _sent(value: Any) -> Any:
    """A fraction goes as a pair in a list, which nothing else of a number is."""
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    return tuple(map(_sent, value)) if isinstance(value, tuple) else value


def _received(value: Any) -> Any:
    if isinstance(value, list):
        return Fraction(*value)
    return tuple(map(_received, value)) if isinstance(value, tuple) else value


def _sent_candidates(named: Mapping[str, tuple[Candidate, ...]]) -> dict[str, list[Sent]]:
    return {
        name: [(one.value, one.label, one.confidence, one.reason) for one in known] for name, known in named.items()
    }


def _candidates(sent: Mapping[str, Iterable[Sent]]) -> dict[str, tuple[Candidate, ...]]:
    return {name: tuple(Candidate(*one) for one in known) for name, known in sent.items()}
