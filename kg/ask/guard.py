"""Whether a free query only reads. Reads tokens, not grammar: the engine says what does not parse.

Refused: every update form, SERVICE (it would call other machines), FROM (it would name other data; an endpoint takes it,
since its protocol lets every request choose among the graphs of the store), and escapes outside texts that could spell
such a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, cast

from kg.stores.oxigraph import QueryRefused

Form = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]
Kind = Literal["iri", "string", "variable", "name", "word", "number", "sign"]

FORMS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_UPDATES: Final = frozenset(
    {"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH", "USING"}
)
MOST_CHARACTERS: Final = 200_000
"""The longest query that is read."""
# The prefix of a name is looked for from every word on, so that it is no longer than anybody writes.
# in this order: an IRI before the sign "<", a prefixed name before a word, a text before anything
# within it
_TOKEN: Final = re.compile(
    r"""
    (?P<space>\s+|\#[^\n\r]*)
  | (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<string>\"{3}(?:\"{0,2}(?:[^"\\]|\\.))*\"{3} | '{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}
             | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*')
  | (?P<variable>[?$][^\W]\w*)
  | (?P<name>(?:[^\W\d_][\w.\-]{0,63}|_)?:(?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])
             (?:\.*(?:[\w\-:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%]))*)?
           | @[A-Za-z][A-Za-z0-9\-]*)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<sign>\^\^|&&|\|\||!=|<=|>=|[{}()\[\];,.|/^*?+!=<>\-&])
    """,
    re.VERBOSE | re.DOTALL,
)
# escapes that spell ASCII could spell a keyword; the escape of an accent cannot, and is let through
_ASCII_ESCAPE: Final = re.compile(r"\\u00[0-7][0-9A-Fa-f]|\\U000000[0-7][0-9A-Fa-f]")

# Meets "SERVICE <u>", "trueSERVICESILENT ?u" and "SERVICE e:x" wherever they stand, in texts and comments too; not the
# variable "?service", "k:service", "/service?x" and "services".
_CALL: Final = re.compile(
    r"(?:(?<![\w?$:/%&=\-])|(?<![\w?$:/%])(?:true|false|[0-9][0-9e]*))"
    r"service(?=silent|\s*(?:[<?$#]|silent|[\w.\-]{200}|[\w.\-]{0,200}:))",
    re.IGNORECASE,
)
_BEFORE_IRI: Final = frozenset(["(", "|", "/", "^", "^^", "!", ",", "=", "!=", "<", ">", "<=", ">=", "&&", "||"])
"""Signs behind which no comparison begins."""


@dataclass(frozen=True, slots=True)
class SparqlToken:
    """One token of a SPARQL text."""

    kind: Kind
    text: str
    line: int


def tokens(text: str) -> Iterator[SparqlToken]:
    """The tokens of a SPARQL text, without space and comments.

    >>> [token.text for token in tokens('SELECT ?x { ?x a <urn:service> } # SERVICE')]
    ['SELECT', '?x', '{', '?x', 'a', '<urn:service>', '}']
    """
    position, line = 0, 1
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise QueryRefused(
                line=line, given=text[position : position + 20].partition("\n")[0], expected="SPARQL 1.1"
            )
        if match.lastgroup != "space":
            yield SparqlToken(cast(Kind, match.lastgroup), match.group(), line)
        line += match.group().count("\n")
        position = match.end()


def check_read_only(text: str, *, may_choose_graphs: bool = False) -> Form:
    """The form of a query that only reads; anything else is refused with the place. FROM is for who may choose graphs.

    >>> check_read_only("PREFIX k: <urn:k> SELECT ?drop { ?drop k:service 'INSERT' }")
    'SELECT'
    """
    if len(text) > MOST_CHARACTERS:
        raise QueryRefused(given=f"{len(text)} characters", expected=f"at most {MOST_CHARACTERS}")
    if found := _ASCII_ESCAPE.search(text):
        raise QueryRefused(
            line=text.count("\n", 0, found.start()) + 1,
            given=found.group(),
            expected="the character itself",
            next_step="write the character, engines read such escapes at different times",
        )
    form: str | None = None
    prologue = False
    scope = _Scope(text)
    for token in tokens(text):
        word = token.text.upper() if token.kind == "word" else ""
        if form is None:
            # behind PREFIX stand a name and an IRI, behind BASE an IRI: with the IRI the
            # declaration ends
            if prologue and token.kind in ("iri", "name"):
                prologue = token.kind == "name"
                continue
            if word in ("PREFIX", "BASE"):
                prologue = True
                continue
            if word not in FORMS:
                raise _refusal(token, word)
            form = word
        else:
            scope.check(token, may_choose_graphs=may_choose_graphs)
    if form is None:
        raise QueryRefused(given="an empty query", expected=", ".join(FORMS))
    return cast(Form, form)


class _Scope:
    """What was read so far of the part of a query that may call or name other data."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._depth, self._before = 0, ""
        self._is_clear = False
        """Whether the text was looked at as it is, and nothing was found: once is enough."""

    def check(self, token: SparqlToken, *, may_choose_graphs: bool) -> None:
        """Refuse a token that does more than read."""
        word = _keyword(token)
        if word == "SERVICE" or (word == "FROM" and not may_choose_graphs) or word in _UPDATES:
            raise _refusal(token, word)
        # `<?b)#>` behind a value may be less-than, a variable and a comment: from here on the engine may see other
        # tokens, so that the text is looked at as it is
        if token.kind == "iri" and self._depth and self._before not in _BEFORE_IRI and not self._is_clear:
            if found := _CALL.search(self._text):
                line = self._text.count("\n", 0, found.start()) + 1
                raise _refusal(SparqlToken("word", found.group(), line), "SERVICE")
            self._is_clear = True
        self._depth += {"(": 1, ")": -1}.get(token.text, 0)
        self._before = token.text


def _keyword(token: SparqlToken) -> str:
    """The keyword that an engine may find in a token; those that look for no space around one find it in `trueSERVICE` and
    `SERVICEe:x`.

    >>> [_keyword(one) for one in tokens("trueSERVICE SERVICEe:x k:service select")]
    ['SERVICE', 'SERVICE', '', 'SELECT']
    """
    if token.kind == "name":
        prefix = token.text.partition(":")[0].upper()
        return "SERVICE" if "SERVICE" in prefix and not prefix.startswith("@") else ""
    word = token.text.upper() if token.kind == "word" else ""
    return next((one for one in ("SERVICE", "FROM") if one in word), word)


def _refusal(token: SparqlToken, word: str) -> QueryRefused:
    if word == "SERVICE" and token.kind == "name":
        expected, step = "a prefix without the word SERVICE", "name the prefix otherwise"
    elif word == "SERVICE":
        expected, step = "one store", "ask the other endpoint itself, with --store"
    elif word == "FROM":
        expected, step = "the data of the store", "leave FROM out, or name another store with --store"
    elif word in _UPDATES:
        expected, step = "a query that reads", "change content with kg load or in the content folders"
    else:
        expected, step = ", ".join(FORMS), "see kg query --help"
    return QueryRefused(
        "cannot be used here.", line=token.line, given=token.text[:40], expected=expected, next_step=step
    )


def projection(text: str) -> tuple[str, ...]:
    """The variables that a SELECT shows, in order.

    >>> projection("SELECT DISTINCT ?a (COUNT(?b) AS ?n) WHERE { ?a ?p ?b }")
    ('a', 'n')
    """
    shown: list[str] = []
    depth, started, named = 0, False, False
    for token in tokens(text):
        if not started:
            started = token.kind == "word" and token.text.upper() == "SELECT"
            continue
        if token.text == "{" or (token.kind == "word" and token.text.upper() == "WHERE"):
            break
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.kind == "variable" and (depth == 0 or named):
            shown.append(token.text[1:])
        named = token.kind == "word" and token.text.upper() == "AS" and depth == 1
    return tuple(shown)
