"""Puts the text of a report together from parts, and keeps where each part of it stands."""

from dataclasses import dataclass, field, replace
from typing import Final

from kg.reading.errors import ReportTooLarge
from kg.reading.limits import TEXT
from kg.reading.text import Block, BlockKind, Box, Cell, MarkedSpan

_CONTROLS: Final = dict.fromkeys((*range(9), *range(0x0E, 0x20), 0x7F), "\ufffd")
"""Characters that are no text, nor white space: each is one of the same length that says so."""


@dataclass(slots=True)
class Assembly:
    """A text that grows, with its blocks and marks; headings are kept for what stands below them."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)
    marks: list[MarkedSpan] = field(default_factory=list)
    above: list[tuple[int, str]] = field(default_factory=list)

    def add(self, text: str) -> int:
        """Append text; the position at which it begins."""
        # a page or a font without a table of characters may give any code: a file of text with these would be taken for
        # a binary one, also by who reads the kept text again (`kg review --learn`)
        text = text.translate(_CONTROLS)
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        if self.length > TEXT:
            raise ReportTooLarge(
                given=f"more than {TEXT} characters", expected=f"at most {TEXT}", next_step="Read it in parts"
            )
        return start

    def block(
        self, kind: BlockKind, text: str, *, cell: Cell | None = None, box: Box | None = None, after: str = "\n\n"
    ) -> int:
        """Append a block with what separates it from the next one; the position at which it begins."""
        start = self.add(text)
        self.blocks.append(Block(kind, start, self.length, tuple(title for _, title in self.above), cell, box))
        self.add(after)
        return start

    def last_text(self) -> str:
        """The text that the last block ends with."""
        return self.parts[-2]

    def carry_on(self, text: str, box: Box, seam: tuple[int, str]) -> None:
        """Let the last block go on with a text that is in another place of the pages.

        The seam says how many characters at its end are left out, and what is put between.
        """
        after, before = self.parts.pop(), self.parts.pop()
        self.length -= len(after) + len(before)
        self.add(before[: len(before) - seam[0]] + seam[1])
        last = self.blocks[-1]
        start = self.add(text)
        self.blocks[-1] = replace(last, end=self.length, elsewhere=(*last.elsewhere, (start, box)))
        self.add(after)

    def heading(self, depth: int, text: str, *, box: Box | None = None) -> None:
        """Append a heading; it stands above all that follows until one of its depth."""
        while self.above and self.above[-1][0] >= depth:
            self.above.pop()
        self.block("heading", text, box=box)
        self.above.append((depth, text))

    def text(self) -> str:
        """The whole text."""
        return "".join(self.parts)
