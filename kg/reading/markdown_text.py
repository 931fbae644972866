"""Markdown to blocks and marks: positions are those of the file as it stands, the signs of the format are marks.

markdown-it-py says what each line belongs to; what stands inside a line is found again here, because its inline tokens
have no positions.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kg.reading import limits
from kg.reading.errors import ReportTooLarge
from kg.reading.markup_text import hidden_to, markup_blocks
from kg.reading.text import Block, BlockKind, Cell, MarkedSpan

_FRONT: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:.*\r?\n)*?---[ \t]*(?:\r?\n|\Z)")
_LINE: Final = re.compile(r"\r\n|\n|\r")
_PREFIX: Final = re.compile(r"(?:[ \t]*>)+[ \t]?|[ \t]*#{1,6}(?=[ \t])")
_ITEM: Final = re.compile(r"^([ \t>]*)(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
# a label has at most 999 characters (https://spec.commonmark.org/0.31.2/#link-label); where a comment ends is looked for apart
# in this order: what is escaped is no markup, and within code nothing is; a run of backticks ends at the next of its length
# (https://spec.commonmark.org/0.31.2/#code-spans)
_INLINE: Final = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\s*\n)[^`]|(?<!`)(?!(?P=ticks)(?!`))`+)*?(?P=ticks)(?!`))"
    r"|(?P<comment><!--)"
    r"|(?P<auto><(?:https?|ftp|mailto):[^<>\s]*>)"
    r"|(?P<tag></?[A-Za-z][^<>]*>)"
    r"|(?P<target>(?<=\])\((?:[^()\s\\]|\\.|\([^()\s]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\))"
    r"|(?P<reference>(?<=\])\[[^\[\]^]*\])"
    r"|(?P<image>!\[[^\[\]]*\](?=\())"
    r"|(?P<bracket>\[(?=[^\[\]]*\]\()|(?<=.)\](?=\())"
    r"|(?P<definition>^[ ]{0,3}\[[^\]^][^\]]{0,998}\]:[ \t]*\S.*$)"
    r"|(?P<stars>(?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])|(?<![^\W_])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![^\W_])|~~)",
    re.DOTALL | re.MULTILINE,
)
_KINDS: Final = {"auto": "link", "target": "link", "image": "link", "definition": "link", "code": "code"}


def markdown_blocks(text: str) -> tuple[list[Block], list[MarkedSpan], str | None]:
    """The blocks of a Markdown text, its marks, and its first heading of the first depth."""
    _refuse_deep_lists(text)
    return _MarkdownReading(text).read()


def _refuse_deep_lists(text: str) -> None:
    """Raise ReportTooLarge (report.limit) at the first item that is in more lists than are read."""
    outer: list[int] = []
    for item in _ITEM.finditer(text):
        # tab stops are four wide: https://spec.commonmark.org/0.31.2/#tabs
        indent = len(item[1].expandtabs(4))
        while outer and outer[-1] >= indent:
            outer.pop()
        outer.append(indent)
        if len(outer) > limits.LIST_DEPTH:
            raise ReportTooLarge(
                line=text.count("\n", 0, item.start()) + 1,
                given=f"more than {limits.LIST_DEPTH} lists in one another",
                expected=f"at most {limits.LIST_DEPTH}",
                next_step="Save the text of the page alone",
            )


class _MarkdownReading:
    """The state of one reading."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(match.end() for match in _LINE.finditer(text))]
        if self._lines[-1] != len(text):
            self._lines.append(len(text))
        self._blocks: list[Block] = []
        self._marks: list[MarkedSpan] = []
        self._above: list[tuple[int, str]] = []
        self._tables = 0
        self._title: str | None = None

    def read(self) -> tuple[list[Block], list[MarkedSpan], str | None]:
        front = _FRONT.match(self._text)
        first = bisect_right(self._lines, front.end() - 1) if front else 0
        if front:
            self._add("code", 0, front.end())
        plain = _LINE.sub("\n", self._text[self._lines[first] if first else 0 :])
        # without the marks within a line, which have no positions and take the square of a long one
        blocks_only = MarkdownIt("commonmark").enable("table").disable("inline")
        # https://spec.commonmark.org/0.31.2/#insecure-characters: a NUL is read as U+FFFD
        tokens = blocks_only.parse(plain.replace("\0", "\ufffd"))
        covered = first
        items = 0
        for index, token in enumerate(tokens):
            items += (token.type == "list_item_open") - (token.type == "list_item_close")
            if token.map is None or token.type not in _LEAVES:
                continue
            top, bottom = token.map[0] + first, token.map[1] + first
            # a paragraph within a leaf that was taken whole, such as the cell of a table
            if top < covered:
                continue
            self._gap(covered, top)
            self._leaf(token, tokens, index, (top, bottom), bool(items))
            covered = bottom
        self._gap(covered, len(self._lines) - 1)
        return self._blocks, _merged(self._marks), self._title

    def _leaf(self, token: Token, tokens: list[Token], index: int, lines: tuple[int, int], in_list: bool) -> None:
        start, end = self._span(*lines)
        if token.type in ("fence", "code_block"):
            self._add("code", start, end)
        elif token.type == "html_block":
            blocks, marks = markup_blocks(self._text, start, end, first_table=self._tables)
            self._tables += len({block.cell.table for block in blocks if block.cell})
            self._blocks += [replace(block, headings=self._titles()) for block in blocks]
            self._marks += marks
        elif token.type == "table_open":
            self._table(lines)
        elif token.type == "heading_open":
            self._heading(int(token.tag[1:]), tokens[index + 1].content, start, end)
        else:
            self._prose("list-item" if in_list else "paragraph", start, end)

    def _heading(self, depth: int, title: str, start: int, end: int) -> None:
        while self._above and self._above[-1][0] >= depth:
            self._above.pop()
        self._prose("heading", start, end)
        self._above.append((depth, _shown(title)))
        if depth == 1 and self._title is None:
            self._title = _shown(title)

    def _gap(self, top: int, bottom: int) -> None:
        """Lines of no token: definitions of links, blank lines, rules."""
        if bottom > top:
            start, end = self._span(top, bottom)
            if self._text[start:end].strip():
                self._prose("paragraph", start, end)

    def _table(self, lines: tuple[int, int]) -> None:
        """The cells of a table with pipes; the row of dashes is a mark."""
        number, self._tables = self._tables, self._tables + 1
        titles: list[str] = []
        for row, line in enumerate(range(*lines)):
            start, end = self._span(line, line + 1)
            if row == 1:
                self._marks.append(MarkedSpan("markup", start, end))
                continue
            cells = list(_cells(self._text, start, end))
            label = ""
            for column, (left, right) in enumerate(cells):
                if row == 0:
                    titles.append(_shown(self._text[left:right]))
                    cell = Cell(number, 0, column, is_header=True)
                else:
                    above = titles[column : column + 1] if any(titles[column : column + 1]) else []
                    cell = Cell(number, row - 1, column, tuple(above), (label,) if column and label else ())
                label = _shown(self._text[left:right]) if column == 0 else label
                if left < right:
                    self._inline(left, right)
                    self._blocks.append(Block("cell", left, right, self._titles(), cell))

    def _prose(self, kind: BlockKind, start: int, end: int) -> None:
        printed = self._text[start:end]
        if printed.startswith("[^") and "]:" in printed:
            kind = "footnote"
        for match in _PREFIX.finditer(self._text, start, end):
            at = match.start()
            if at == start or self._text[at - 1] in "\r\n":
                self._marks.append(MarkedSpan("markup", at, match.end()))
        self._inline(start, end)
        self._add(kind, start, end)

    def _inline(self, start: int, end: int) -> None:
        seen_from = start
        for group, match, right in _inline_marks(self._text, start, end):
            left = match.start()
            if left < seen_from:
                continue
            if group == "tag" and (until := hidden_to(self._text, match, end)) is not None:
                seen_from = until
                self._marks.append(MarkedSpan("hidden", left, until))
            elif group in ("ticks", "code"):
                ticks = len(match["ticks"])
                self._marks += [
                    MarkedSpan("markup", left, left + ticks),
                    MarkedSpan("code", left + ticks, right - ticks),
                ]
                self._marks.append(MarkedSpan("markup", right - ticks, right))
            elif group == "escape":
                self._marks.append(MarkedSpan("markup", left, left + 1))
            elif group == "comment":
                self._marks.append(MarkedSpan("hidden", left, right))
            else:
                self._marks.append(MarkedSpan("link" if group in _KINDS else "markup", left, right))

    def _add(self, kind: BlockKind, start: int, end: int) -> None:
        if start < end:
            self._blocks.append(Block(kind, start, end, self._titles()))

    def _titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._above)

    def _span(self, top: int, bottom: int) -> tuple[int, int]:
        """The text of some lines, without white space at the ends."""
        start, end = self._lines[top], self._lines[min(bottom, len(self._lines) - 1)]
        printed = self._text[start:end]
        if not printed.strip():
            return start, start
        return start + len(printed) - len(printed.lstrip()), start + len(printed.rstrip())


_LEAVES: Final = frozenset({"fence", "code_block", "html_block", "table_open", "heading_open", "paragraph_open"})


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The cells of a row, as GitHub cuts it: at every bar that is not escaped; those at the ends open none."""
    # https://github.github.com/gfm/#tables-extension-: an escaped bar parts no cells, also inside of code
    bars = [at for at in range(start, end) if text[at] == "|" and (at == start or text[at - 1] != "\\")]
    edges = [start - 1, *bars, end]
    spans = [(left + 1, right) for left, right in pairwise(edges)]
    if spans and not text[slice(*spans[0])].strip(" \t>"):
        spans = spans[1:]
    if spans and not text[slice(*spans[-1])].strip():
        spans = spans[:-1]
    for left, right in spans:
        printed = text[left:right]
        if not printed.strip():
            yield left, left
        else:
            yield left + len(printed) - len(printed.lstrip()), left + len(printed.rstrip())


def _shown(source: str) -> str:
    r"""A short stretch of Markdown as it is read.

    >>> _shown("**TFLOPS** [^1] `bf16`\\_x ([a](http://b.c/1))")
    'TFLOPS [^1] bf16_x (a)'
    """
    parts, at = [], 0
    for group, match, right in _inline_marks(source, 0, len(source)):
        parts.append(source[at : match.start()])
        if group in ("ticks", "code"):
            parts.append(match.group().strip("`").strip())
        elif group == "escape":
            parts.append(match.group()[1:])
        elif match.group()[:3].lower() == "<br":
            parts.append(" ")
        at = right
    return " ".join("".join([*parts, source[at:]]).split())


def _inline_marks(text: str, start: int, end: int) -> Iterator[tuple[str, re.Match[str], int]]:
    """The marks within a stretch: which kind, the match, and where it ends; a comment ends where it is closed.

    Whether one is closed is not looked for again once one is not: a pattern would go to the end for each that begins.
    """
    at, is_closed = start, True
    while (match := _INLINE.search(text, at, end)) is not None:
        group, at = match.lastgroup or "", match.end()
        if group == "comment":
            closes = text.find("-->", at, end) if is_closed else -1
            is_closed = closes >= 0
            if not is_closed:
                continue
            at = closes + len("-->")
        yield group, match, at


def _merged(marks: list[MarkedSpan]) -> list[MarkedSpan]:
    """In order; of two that overlap the first and longer one stays."""
    kept: list[MarkedSpan] = []
    for mark in sorted(marks, key=lambda one: (one.start, -one.end)):
        if mark.start < mark.end and (not kept or mark.start >= kept[-1].end):
            kept.append(mark)
    return kept
