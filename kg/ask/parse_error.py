"""What the engine says of a SPARQL text that does not parse, in words and with the place in the text as it was asked."""

import re

from kg.errors import QueryError
from kg.model.vocabulary import PREFIXES

# how the embedded engine says it: "error at 1:17: expected one of ..."
_ENGINE_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)
# a sign in quotes, a class of characters, or a word: the three ways in which the engine names what
# it expects
_ALTERNATIVE = re.compile(r'"((?:\\.|[^"\\])*)"|(\[[^\]]*\])|(\w+)')
_CLAUSES = {
    "SELECT",
    "ASK",
    "CONSTRUCT",
    "DESCRIBE",
    "DISTINCT",
    "REDUCED",
    "WHERE",
    "FILTER",
    "OPTIONAL",
    "UNION",
    "MINUS",
    "BIND",
    "VALUES",
    "GRAPH",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "AS",
    "BY",
    "ASC",
    "DESC",
    "PREFIX",
    "UNDEF",
}
_SIGNS = "{}().;,="


def _in_words(message: str) -> list[str]:
    """What could stand there, in words: the engine lists single characters of each kind of term, and every function.

    >>> _in_words('expected one of "$", "?", "<", "+", ".", "}", ABS, STR')
    ['a variable', 'a name such as k:metric', 'a number', 'a function such as STR', '"."', '"}"']
    >>> _in_words("expected one of HAVING, LIMIT, [_]")
    ['HAVING', 'LIMIT']
    """
    found = _ALTERNATIVE.findall(message.removeprefix("expected").lstrip().removeprefix("one of"))
    # digits among other characters go on with a name
    signs, classes = {sign for sign, _, _ in found if sign}, "".join(kind for _, kind, _ in found)
    words = [word for _, _, word in found if word]
    kinds = {
        "a variable": "?" in signs,
        "a name such as k:metric": bool({"<", ":"} & signs),
        "a text in quotes": '\\"' in signs or "'" in signs,
        "a number": "+" in signs or classes == "['0'..='9']",
        "a function such as STR": any(word not in _CLAUSES for word in words),
    }
    known = [kind for kind, possible in kinds.items() if possible]
    return [
        *known,
        *(word for word in words if word in _CLAUSES),
        *(f'"{sign}"' for sign in sorted(signs) if sign in _SIGNS),
    ]


def _slashed(line: str, column: int) -> str | None:
    """The id with plain slashes in which an error lies: a slash ends a prefixed name and begins a path."""
    for name in re.finditer(r"(?<![\w<])(id|k):([\w.-]*/[\w./-]*)", line):
        # properties are joined by slashes (k:subject/k:label), ids never are
        if name[1] == "id" or name.start() < column - 1 <= name.end():
            return name[2]
    return None


def _named_twice(text: str) -> str:
    """The first variable that a SELECT names twice.

    >>> _named_twice("SELECT ?a (1 AS ?b) ?a WHERE { ?a ?b ?c }")
    '?a'
    """
    for columns in re.findall(r"\bSELECT\b([^{]*)", text, re.IGNORECASE):
        # what is inside of brackets makes a column of the name at their end
        names = re.findall(
            r"[?$](\w+)", re.sub(r"\([^()]*\bAS\b\s*([?$]\w+)\s*\)", r"\1", columns, flags=re.IGNORECASE)
        )
        for place, name in enumerate(names):
            if name in names[:place]:
                return f"?{name}"
    return "a column"


def in_the_text(error: QueryError, asked: str, before: int) -> QueryError:
    """What the engine says of a query that does not parse, with the place in the text as asked, not behind its prefixes."""
    found = _ENGINE_PLACE.fullmatch(error.given or "")
    if found is None:
        return error
    line, column, message = int(found[1]), int(found[2]), found[3]
    # the prefixes that were put before the text are on its first line: only there are the columns
    # others
    column = max(1, column - before) if line == 1 else column
    lines = asked.split("\n")
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    why = ""
    if "Prefix not found" in message:  # the engine names the place behind the name
        name = re.search(r"[^\s{(;,.]+$", lines[line - 1][: column - 1])
        rest, column = (name[0], name.start() + 1) if name else (rest, column)
        why = ": Prefix not found"
        expected = f"one of the prefixes {', '.join(f'{name}:' for name in PREFIXES)}, or a PREFIX line of your own"
    else:
        words = _in_words(message)
        expected = f"SPARQL 1.1, here {', '.join(words)}" if words else "SPARQL 1.1"
    if "Duplicated variable name" in message:
        return type(error)(
            "does not parse.",
            code=error.code,
            given=f"{_named_twice(asked)} twice behind SELECT",
            expected="each column once",
            next_step="leave one away, or give it another name: (?a AS ?b)",
        )
    slash = _slashed(lines[line - 1] if line <= len(lines) else "", column)
    return type(error)(
        f"does not parse (error at {line}:{column}{why}).",
        code=error.code,
        given=rest[:40] or "the end of the query",
        expected=expected,
        next_step=None
        if slash is None
        else f"a slash ends a prefixed name: write <https://w3id.org/accelkg/id/{slash}>, or a backslash before each slash",
    )
