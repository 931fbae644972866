"""Whether a free Cypher text only reads. Reads tokens, not grammar: the engine says what does not parse.

Refused: everything that writes, `CALL` (of procedures and of subqueries), `LOAD`, `COPY`, `ATTACH`, `INSTALL`, `USE` and the
like, functions of extensions, several statements at once, and escapes that some engines read before anything else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kg.errors import QueryError
from kg.stores.cypher_tokens import CypherNotRead, CypherToken, tokens, unreadable

STARTS: Final = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
_REFUSED: Final = frozenset(
    {
        "ALTER",
        "ATTACH",
        "BEGIN",
        "CALL",
        "CHECKPOINT",
        "COMMENT",
        "COMMIT",
        "COPY",
        "CREATE",
        "CYPHER",
        "DELETE",
        "DENY",
        "DETACH",
        "DROP",
        "DRYRUN",
        "ENABLE",
        "EXPLAIN",
        "EXPORT",
        "EXTENSION",
        "FINISH",
        "FOREACH",
        "FROM",
        "GRANT",
        "IMPORT",
        "INSERT",
        "INSTALL",
        "LOAD",
        "MERGE",
        "NODETACH",
        "PROFILE",
        "REALLOCATE",
        "REMOVE",
        "RENAME",
        "REVOKE",
        "ROLLBACK",
        "SET",
        "SHOW",
        "START",
        "STOP",
        "TERMINATE",
        "TRANSACTION",
        "UNINSTALL",
        "UPDATE",
        "USE",
        "YIELD",
    }
)
_DOTTED: Final = frozenset({"POINT", "DURATION", "DATE", "DATETIME", "LOCALDATETIME", "TIME", "LOCALTIME"})
"""Namespaces of functions that belong to the language itself."""
_LENGTH: Final = 200_000
_ESCAPE: Final = re.compile(r"\\u+[0-9A-Fa-f]{4}")


def check_cypher(text: str, parameters: Collection[str] = ()) -> None:
    """Let a query pass that only reads; anything else is refused with its place, and so is a parameter without a value.

    >>> check_cypher("MATCH (c:Claim {set: 'DELETE'}) RETURN c.call AS `set`")
    """
    if len(text) > _LENGTH:
        raise CypherNotRead(given=f"{len(text)} characters", expected=f"at most {_LENGTH}")
    # in the text, not in its tokens: some engines read such an escape before they look for tokens
    if found := _ESCAPE.search(text):
        raise unreadable(
            text,
            found.start(),
            given=found.group(),
            expected="the character itself",
            step="write the character: engines read such escapes at different times",
        )
    read = list(tokens(text))
    while read and read[-1].text == ";":
        read.pop()
    if not read:
        raise CypherNotRead(given="an empty query", expected=", ".join(STARTS))
    if read[0].word not in STARTS:
        raise _refusal(text, read[0])
    for number, token in enumerate(read):
        if token.text == ";":
            raise unreadable(text, token.position, given=";", expected="one query")
        if token.kind == "parameter" and token.text[1:].strip("`") not in parameters:
            raise unreadable(
                text, token.position, given=token.text, expected="values in the text, or a parameter that is given"
            )
        if token.kind in ("word", "quoted"):
            _check_word(text, read, number)


def _check_word(text: str, read: list[CypherToken], number: int) -> None:
    """Refuse a word that writes, and a procedure or function of an extension: what those do is not known."""
    token, before = read[number], _before(read, number)
    after = read[number + 1].text if number + 1 < len(read) else ""
    if before == "." and after == "(":
        if _namespace(read, number).upper() not in _DOTTED:
            raise unreadable(text, token.position, given=f".{token.text}(", expected="functions of Cypher itself")
    elif token.word in _REFUSED and not _is_name(before, after):
        raise _refusal(text, token)


def _before(read: list[CypherToken], number: int) -> str:
    """The token before one; the point that ends a number, as in `1.`, leads to no property."""
    if number > 1 and read[number - 1].text == "." and read[number - 2].kind == "number":
        return ""
    return read[number - 1].text if number else ""


def _is_name(before: str, after: str) -> bool:
    """Whether a word stands where only a name can: a property, a label or type, a key of a map, a column."""
    return before == "." or (before in (":", "|", "&", "!") and after != "{") or after == ":"


def _namespace(read: list[CypherToken], number: int) -> str:
    """The first word of a dotted name that ends at a token."""
    while number >= 2 and read[number - 1].text == ".":
        number -= 2
    return read[number].text


def _refusal(text: str, token: CypherToken) -> CypherNotRead:
    word = token.word
    if word in ("CALL", "YIELD"):
        expected, step = "MATCH, WITH, UNWIND and RETURN", "procedures and subqueries with CALL are not run here"
    elif word in ("LOAD", "FROM", "COPY", "ATTACH", "USE", "INSTALL", "IMPORT", "EXPORT"):
        expected, step = "the data of the store", "files, other databases and extensions are not reached from a query"
    elif word in _REFUSED:
        expected, step = "a query that reads", "change content with kg load or in the content folders"
    else:
        expected, step = ", ".join(STARTS), "see kg query --help"
    return unreadable(text, token.position, given=token.text[:40], expected=expected, step=step)


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
