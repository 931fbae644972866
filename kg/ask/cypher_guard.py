"""Whether a free Cypher text only reads. Reads tokens, not grammar: the engine says what does not parse.

Refused: everything that writes, `CALL` (of procedures and of subqueries), `LOAD`, `COPY`, `ATTACH`, `INSTALL`, `USE` and the
like, functions of extensions, several statements at once, and escapes that some engines read before anything else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, cast

from kg.errors import QueryError

Kind = Literal["string", "quoted", "parameter", "word", "number", "sign"]

STARTS: Final = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
_REFUSED: Final = frozenset({
    "ALTER", "ATTACH", "BEGIN", "CALL", "CHECKPOINT", "COMMENT", "COMMIT", "COPY", "CREATE", "CYPHER", "DELETE", "DENY", "DETACH",
    "DROP", "DRYRUN", "ENABLE", "EXPLAIN", "EXPORT", "EXTENSION", "FINISH", "FOREACH", "FROM", "GRANT", "IMPORT", "INSERT", "INSTALL",
    "LOAD", "MERGE", "NODETACH", "PROFILE", "REALLOCATE", "REMOVE", "RENAME", "REVOKE", "ROLLBACK", "SET", "SHOW", "START", "STOP",
    "TERMINATE", "TRANSACTION", "UNINSTALL", "UPDATE", "USE", "YIELD",
})  # fmt: skip
_DOTTED: Final = frozenset({"POINT", "DURATION", "DATE", "DATETIME", "LOCALDATETIME", "TIME", "LOCALTIME"})
"""Namespaces of functions that belong to the language itself."""
_LENGTH: Final = 200_000
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
_ESCAPE: Final = re.compile(r"\\u+[0-9A-Fa-f]{4}")


class CypherNotRead(QueryError):
    """A Cypher text that does not parse as tokens, or that does more than read."""

    code = "query.refused"


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a Cypher text, with the place where it begins."""

    kind: Kind
    text: str
    position: int

    @property
    def word(self) -> str:
        """The word in capitals; empty for anything else. Letters that only fold to a word are taken as it."""
        return self.text.casefold().upper() if self.kind == "word" else ""


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a Cypher text, without space and comments.

    >>> [token.text for token in tokens("MATCH (n:`My Set`) /* CREATE */ RETURN n.set // DELETE")]
    ['MATCH', '(', 'n', ':', '`My Set`', ')', 'RETURN', 'n', '.', 'set']
    """
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _error(text, position, given=text[position : position + 20].partition("\n")[0], expected="Cypher")
        if match.lastgroup != "space":
            yield Token(cast(Kind, match.lastgroup), match.group(), position)
        position = match.end()


def check_cypher(text: str, parameters: Collection[str] = ()) -> None:
    """Let a query pass that only reads; anything else is refused with its place, and so is a parameter without a value.

    >>> check_cypher("MATCH (c:Claim {set: 'DELETE'}) RETURN c.call AS `set`")
    """
    if len(text) > _LENGTH:
        raise CypherNotRead(given=f"{len(text)} characters", expected=f"at most {_LENGTH}")
    if found := _ESCAPE.search(text):
        raise _error(
            text, found.start(), given=found.group(), expected="the character itself",
            step="write the character: engines read such escapes at different times",
        )  # fmt: skip
    read = list(tokens(text))
    while read and read[-1].text == ";":
        read.pop()
    if not read:
        raise CypherNotRead(given="an empty query", expected=", ".join(STARTS))
    if read[0].word not in STARTS:
        raise _refusal(text, read[0])
    for number, token in enumerate(read):
        before = _before(read, number)
        after = read[number + 1].text if number + 1 < len(read) else ""
        if token.text == ";":
            raise _error(text, token.position, given=";", expected="one query")
        if token.kind == "parameter" and token.text[1:].strip("`") not in parameters:
            raise _error(
                text, token.position, given=token.text, expected="values in the text, or a parameter that is given"
            )
        if token.kind not in ("word", "quoted"):
            continue
        if before == "." and after == "(":
            if _namespace(read, number).upper() not in _DOTTED:
                raise _error(text, token.position, given=f".{token.text}(", expected="functions of Cypher itself")
        elif token.word in _REFUSED and not _is_name(before, after):
            raise _refusal(text, token)


def _before(read: list[Token], number: int) -> str:
    """The token before one; the point that ends a number, as in `1.`, leads to no property."""
    if number > 1 and read[number - 1].text == "." and read[number - 2].kind == "number":
        return ""
    return read[number - 1].text if number else ""


def _is_name(before: str, after: str) -> bool:
    """Whether a word stands where only a name can: a property, a label or type, a key of a map, a column."""
    return before == "." or (before in (":", "|", "&", "!") and after != "{") or after == ":"


def _namespace(read: list[Token], number: int) -> str:
    """The first word of a dotted name that ends at a token."""
    while number >= 2 and read[number - 1].text == ".":
        number -= 2
    return read[number].text


def _refusal(text: str, token: Token) -> CypherNotRead:
    word = token.word
    if word in ("CALL", "YIELD"):
        expected, step = "MATCH, WITH, UNWIND and RETURN", "procedures and subqueries with CALL are not run here"
    elif word in ("LOAD", "FROM", "COPY", "ATTACH", "USE", "INSTALL", "IMPORT", "EXPORT"):
        expected, step = "the data of the store", "files, other databases and extensions are not reached from a query"
    elif word in _REFUSED:
        expected, step = "a query that reads", "change content with kg load or in the content folders"
    else:
        expected, step = ", ".join(STARTS), "see kg query --help"
    return _error(text, token.position, given=token.text[:40], expected=expected, step=step)


def _error(text: str, position: int, *, given: str, expected: str, step: str | None = None) -> CypherNotRead:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return CypherNotRead(
        f"cannot be used here (at {line}:{column}).", line=line, given=given, expected=expected, next_step=step
    )


def looks_like_cypher(text: str) -> bool:
    r"""Whether a text begins as Cypher does; SPARQL begins with other words.

    >>> looks_like_cypher("// all\nMATCH (n) RETURN n"), looks_like_cypher("SELECT * { ?s ?p ?o }")
    (True, False)
    """
    try:
        first = next(tokens(text), None)
    except QueryError:
        return False
    return first is not None and first.word in STARTS
