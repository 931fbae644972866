"""What a report says of all its runs at once ("All runs use FP8 unless noted"), and the notes that its cells point to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from kg.reading.figure import ReportFigure
from kg.reading.text import Block, ReportText

_RUNS: Final = r"(?:runs?|results?|tests?|measurements?|benchmarks?|experiments?|numbers|figures|timings?|latenc(?:y|ies)|throughputs?|values|cases)"
_BLANKET: Final = re.compile(
    rf"^\W*(?:all|every|each)\s(?:of\s)?(?:the\s|our\s|these\s)?(?:\w+\s){{0,2}}{_RUNS}\s(?:\w+\s){{0,3}}?"
    r"(?:use[sd]?|were|was|are|is|run|ran|assume|refer|come|came|have|had|with|in|on|at)\b"
    rf"|\b(?:in|for|across)\s(?:all|every|each)\s(?:\w+\s){{0,2}}{_RUNS}\b|\bthroughout\b"
    r"|\bunless\b[^.]{0,30}\b(?:noted|stated|specified|mentioned|indicated|marked|says?)\b"
    r"|^\W*(?:(?:test|benchmark|measurement|experiment\w*|hardware|software)\s)?(?:set-?up|configuration|conditions|settings|environment)\s*:",
    re.IGNORECASE,
)
_LOCAL: Final = re.compile(
    r"\b(?:we|they)\s(?:\w+\s)?(?:ran|run|served|serve|tested|test|benchmarked|measured|trained|evaluated|deployed)\b"
    r"|\bin (?:our|its|their)\s(?:\w+\s)?(?:runs?|tests?|benchmarks?|measurements?|experiments?|setup)\b"
    r"|\bthe\s(?:\w+\s)?(?:benchmark|test|run|experiment)\s(?:set-?up\s)?(?:uses?d?|ran)\b"
    r"|^\W*(?:\w+\.\W+)?(?:on|with|running|serving|using)\s(?-i:[A-Z])[^,.;]{2,60}(?:\.\d[^,.;]{0,40})?,\s",
    re.IGNORECASE,
)
"""A sentence that says how something was run: what follows in its paragraph was run so."""
_AGAIN: Final = re.compile(
    r"\b(?:the\ssame|this|that|an?\sidentical)\s(?:\w+\s)?(?:test|run|set-?up|benchmark|workload|settings?|conditions?|configuration)\b",
    re.IGNORECASE,
)
"""A sentence that was run as the one before it."""
_SETUP_HEADING: Final = re.compile(
    r"^\W*(?:[\d.]+\s)?(?:(?:test|benchmark|experiment\w*|measurement)\s)?(?:set-?up|configuration|methodology|environment|how we (?:tested|measured))\W*$",
    re.IGNORECASE,
)
"""A heading below which a report says how all was run."""
_CUT: Final = re.compile(r"(?<=[.!?])\s+(?=[\"“(\[*]*[A-Z0-9])")
_MOST: Final = 1200
"""Characters of all that is said at once: more is a chapter on methods, which names too much to hold of one figure."""
_NEAR: Final = 80
"""Characters behind a figure in which its sentence may say that it was run as the one before."""
_PROSE: Final = ("paragraph", "list-item", "caption", "footnote")
_POINTER: Final = re.compile(
    r"\[\^?(?P<label>\w{1,3})\]|(?P<sign>[†‡§]+|[¹²³⁴⁵⁶⁷⁸⁹]+)|(?<=[\w)%])\s?(?P<star>\*{1,3})$"
)
_NOTE: Final = re.compile(
    r"^[ \t>]*(?:\[\^?(?P<label>\w{1,3})\]:?|(?P<sign>[†‡§]+|[¹²³⁴⁵⁶⁷⁸⁹]+)|\\?(?P<star>\*{1,3})(?=[ \t]?[A-Z]))[ \t]*(?P<text>\S.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class SetupSentence:
    """A sentence that holds for all figures below some headings."""

    start: int
    end: int
    headings: tuple[str, ...]
    text: str


class ReportSetup:
    """The sentences of a report that hold for many figures, and its notes by their marks."""

    def __init__(self, report: ReportText) -> None:
        self._sentences = list(_sentences(report))
        self._notes: dict[str, str] = {}
        for block in report.blocks:
            if block.kind in _PROSE:
                for note in _NOTE.finditer(report.text, block.start, block.end):
                    self._notes.setdefault(_mark(note), note["text"])

        self._text = report.text

    def before(self, figure: ReportFigure, start: int) -> str:
        """The sentences of its paragraph that say how the figure was run, up to where its own begins."""
        block = figure.block
        if block.cell is not None:
            return ""
        cuts = [self._text[left:right] for left, right in _cuts(self._text, block) if right <= start]
        again = _AGAIN.search(self._text, start, figure.end + _NEAR) is not None
        return "\n".join(text for text in cuts if _LOCAL.search(text) or (again and text is cuts[-1]))[-_MOST:]

    def everywhere(self, figure: ReportFigure) -> str:
        """What is said at once of all figures where this one is, its own sentence left out."""
        found, length = [], 0
        for one in self._sentences:
            if _holds(one, figure) and not one.start <= figure.start < one.end:
                found.append(one.text)
                length += len(one.text)
        return "\n".join(found) if length <= _MOST else ""

    def notes(self, texts: Sequence[str]) -> str:
        """The notes that some texts point to."""
        marks = dict.fromkeys(_mark(one) for text in texts for one in _POINTER.finditer(text))
        return "\n".join(self._notes[mark] for mark in marks if mark in self._notes)


def _mark(found: re.Match[str]) -> str:
    return next(one for one in (found["label"], found["sign"], found["star"]) if one)


def _holds(sentence: SetupSentence, figure: ReportFigure) -> bool:
    """Whether a figure is below the headings of a sentence; one of another section that comes later says nothing of it."""
    headings = figure.block.headings
    is_below = headings[: len(sentence.headings)] == sentence.headings
    return is_below and (sentence.start < figure.start or headings == sentence.headings)


def _sentences(report: ReportText) -> Iterator[SetupSentence]:
    goes_on = False
    for block in report.blocks:
        if block.kind not in _PROSE:
            goes_on = False
            continue
        is_section = bool(block.headings) and _SETUP_HEADING.match(block.headings[-1]) is not None
        if is_section or (goes_on and block.kind == "list-item"):
            headings = block.headings[:-1] if is_section else block.headings
            yield SetupSentence(block.start, block.end, headings, report.text[block.start : block.end])
            continue
        goes_on = False
        for left, right in _cuts(report.text, block):
            text = report.text[left:right]
            if _BLANKET.search(text):
                yield SetupSentence(left, right, block.headings, text)
                goes_on = text.rstrip().endswith(":")


def _cuts(text: str, block: Block) -> Iterator[tuple[int, int]]:
    places = [block.start, *(one.end() for one in _CUT.finditer(text, block.start, block.end)), block.end]
    return pairwise(places)
