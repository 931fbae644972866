"""A Cypher text as tokens, without grammar: enough to see what a text does, and to bind its patterns to nodes of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, cast

from kg.errors import QueryError

Kind = Literal["string", "quoted", "parameter", "word", "number", "sign"]

# Comments, strings and quoted names come before signs: `"CREATE (n)"` and `// DELETE` are text, and
# no keyword in them counts. `1..3` is number, sign, number: a point belongs to a number only with a
# digit behind it.
_TOKEN: Final = re.compile(
    r"""
    (?P<space>\s+ | //[^\n\r]* | /\*(?:[^*]|\*(?!/))*\*/)
  | (?P<string>"(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*')
  | (?P<quoted>`(?:[^`]|``)*`)
  | (?P<parameter>\$(?:\w+|`(?:[^`]|``)*`))
  | (?P<number>0[xX][0-9A-Fa-f]+ | 0[oO][0-7]+ | (?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?(?!\w))
  | (?P<word>[^\W\d]\w*)
  | (?P<sign>\.\.|<>|<=|>=|=~|\|\||\+=|/(?![*/])|[{}()\[\];,.|^*+\-!=<>:&%])
    """,
    re.VERBOSE | re.DOTALL,
)


class CypherNotRead(QueryError):
    """A Cypher text that does not parse as tokens, or that does more than read."""

    code = "query.refused"


@dataclass(frozen=True, slots=True)
class CypherToken:
    """One token of a Cypher text, with the place where it begins."""

    kind: Kind
    text: str
    position: int

    @property
    def word(self) -> str:
        """The word in capitals; empty for anything else. Letters that only fold to a word are taken as it."""
        # The long s of `ſET` folds to `s`: whether a server reads it as SET need not be known, it
        # is taken as the keyword.
        return self.text.casefold().upper() if self.kind == "word" else ""


def tokens(text: str) -> Iterator[CypherToken]:
    """The tokens of a Cypher text, without space and comments.

    >>> [token.text for token in tokens("MATCH (n:`My Set`) /* CREATE */ RETURN n.set // DELETE")]
    ['MATCH', '(', 'n', ':', '`My Set`', ')', 'RETURN', 'n', '.', 'set']
    """
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise unreadable(text, position, given=text[position : position + 20].partition("\n")[0], expected="Cypher")
        if match.lastgroup != "space":
            yield CypherToken(cast(Kind, match.lastgroup), match.group(), position)
        position = match.end()


def unreadable(text: str, position: int, *, given: str, expected: str, step: str | None = None) -> CypherNotRead:
    """The error about a place of a text."""
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return CypherNotRead(
        f"cannot be used here (at {line}:{column}).", line=line, given=given, expected=expected, next_step=step
    )
