"""The words around a figure of a text: of its own sentence before and behind it, of its block, and the headers of its cell."""

import re
from typing import Final

from kg.reading.proposal import ClaimProposal

WORDS: Final = 40
SENTENCE: Final = 120
"""Code points on each side in which a named condition is looked for."""
# ends at "700 W. The"; not inside "3.35 TB/s", nor at "approx. as"
_SENTENCE_END: Final = re.compile(r"[.!?;][)\]”\"]*\s+(?=[\"“(\[]?[A-Z0-9])")


def around(text: str, proposal: ClaimProposal) -> str:
    """The words next to a figure in its own sentence, and the headers of its cell."""
    figure = proposal.figure
    block, cell = figure.block, figure.block.cell
    behind = text[figure.end : min(block.end, figure.end + WORDS)]
    ends = _SENTENCE_END.search(behind)
    headers = (*cell.column_headers, *cell.row_headers) if cell is not None else ()
    words = before(text, proposal, WORDS) + figure.printed + behind[: ends.start() if ends else None]
    return " ".join((words, *headers))


def before(text: str, proposal: ClaimProposal, most: int) -> str:
    """The words of its sentence before a figure."""
    words = text[max(proposal.figure.block.start, proposal.figure.start - most) : proposal.figure.start]
    return words[max((one.end() for one in _SENTENCE_END.finditer(words)), default=0) :]


def after(text: str, proposal: ClaimProposal) -> str:
    """The words of its sentence behind a figure."""
    figure = proposal.figure
    words = text[figure.end : min(figure.block.end, figure.end + SENTENCE)]
    ends = _SENTENCE_END.search(words)
    return words[: ends.start() if ends else None]


def own_sentence(text: str, proposal: ClaimProposal) -> str:
    """The sentence of a figure, as far as it is looked at."""
    return before(text, proposal, SENTENCE) + proposal.figure.printed + after(text, proposal)


def sentence_of(text: str, proposal: ClaimProposal) -> str:
    """What stands around a figure in its block; of a table its headers."""
    figure = proposal.figure
    start, end = max(figure.block.start, figure.start - SENTENCE), min(figure.block.end, figure.end + SENTENCE)
    cell = figure.block.cell
    return " ".join((text[start:end], *((*cell.column_headers, *cell.row_headers) if cell is not None else ())))


def headers_of(proposal: ClaimProposal) -> str:
    """The headers of the cell of a figure; nothing of one in a sentence."""
    cell = proposal.figure.block.cell
    return " ".join((*cell.column_headers, *cell.row_headers)) if cell is not None else ""


def rest_of_sentence(text: str, proposal: ClaimProposal) -> tuple[str, str]:
    """The words of its sentence before a figure, and those behind it."""
    words = before(text, proposal, SENTENCE)
    return words, own_sentence(text, proposal)[len(words) + len(proposal.figure.printed) :]
