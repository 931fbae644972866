"""Puts a text of a saved question together: its columns, the fragments it shares with others, its prefixes.

A fragment is a list of lines, each of which gives one column or what a column is computed from. A text that says
`#FRAGMENT name` gets the lines for those columns of its header that it does not give itself. A second word names the
variable that stands where the fragment has its first one: `#FRAGMENT claim_fields member`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from kg.errors import ContentError
from kg.model.vocabulary import PREFIXES

COLUMNS: Final = "#COLUMNS"
# meets a line "  #FRAGMENT claim_fields member,"; not the same words behind others on a line
_FRAGMENT: Final = re.compile(r"^([ \t]*)#FRAGMENT (\w+)(?: (\w+))?[ \t]*,?$", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\?(\w+)")
# meets the "k" of "k:metric"; not the "urn" of "<urn:x>"
_PREFIX: Final = re.compile(r"(?<![\w<:?.])([a-z]\w*):(?=[A-Za-z])")
# taken out before prefixes are looked for: an IRI or a text that looks like a prefixed name
# declares none
_QUOTED: Final = re.compile(r"<[^<>\s]*>|\"[^\"\n]*\"|'[^'\n]*'")
_BOUND: Final = re.compile(r"BIND\((.*) AS \?(\w+)\)")
# RETURN on a line of its own, the columns indented below it, one a line
_RETURN: Final = re.compile(r"^RETURN( DISTINCT)?\n((?:[ \t]+\S.*\n)+)", re.MULTILINE)
_ITEM: Final = re.compile(r"(?P<given>.+?)(?: AS `?(?P<name>\w+)`?)?,?")
_WIDTH: Final = 118


class TextMistake(ContentError):
    """A text does not give the columns of its header, or asks for a fragment that is not there."""

    code = "question.text"


def sparql_text(body: str, columns: Sequence[str], fragments: Mapping[str, str]) -> str:
    """A SPARQL text with prefixes, columns and fragments, without its order."""
    own = {name for line in body.split("\n") if COLUMNS not in line for name in _VARIABLE.findall(line)}
    needed = [name for name in columns if name not in own]

    def shared(found: re.Match[str]) -> str:
        lines = _fragment(fragments, f"{found[2]}.rq", body, found)
        if found[3]:
            first = _first_variable(lines)
            lines = [re.sub(rf"\?{first}\b", f"?{found[3]}", line) for line in lines]
        return "\n".join(found[1] + line for line in _wanted(lines, needed))

    text = _FRAGMENT.sub(shared, body)
    text = "\n".join(_with_columns(line, columns) if COLUMNS in line else line for line in text.split("\n"))
    _check_columns(text, body, columns)
    used = set(_PREFIX.findall(_QUOTED.sub("", text)))
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in sorted(PREFIXES.items()) if name in used)
    return prefixes + text.strip("\n") + "\n"


def _check_columns(text: str, body: str, columns: Sequence[str]) -> None:
    """Refuse a text that never binds a column: SPARQL would give an empty column without a word."""
    computed = {name for line in body.split("\n") if COLUMNS in line for name in _VARIABLE.findall(line)}
    there = computed | set(_VARIABLE.findall(text.partition("{")[2]))
    if missing := [name for name in columns if name not in there]:
        raise TextMistake(line=1, given=f"no ?{', ?'.join(missing)}", expected="every column of its header")


def cypher_text(body: str, columns: Sequence[str], fragments: Mapping[str, str]) -> str:
    """A Cypher text whose RETURN gives the columns in the order of the header, one a line, without its order."""

    def returned(found: re.Match[str]) -> str:
        given: dict[str, str] = {}
        shared: dict[str, str] = {}
        for line in found[2].split("\n"):
            if asked := _FRAGMENT.fullmatch(line):
                lines = _fragment(fragments, f"{asked[2]}.cypher", body, asked)
                if asked[3]:
                    first = lines[0].partition(".")[0]
                    lines = [re.sub(rf"\b{first}\.", f"{asked[3]}.", one) for one in lines]
                shared |= _items(lines)
            else:
                given |= _items([line])
        if unknown := [name for name in given if name not in columns]:
            raise TextMistake(line=_line(body, found), given=unknown[0], expected=f"the columns {', '.join(columns)}")
        all_given = shared | given
        if missing := [name for name in columns if name not in all_given]:
            raise TextMistake(
                line=_line(body, found), given=f"no {', '.join(missing)}", expected="every column of its header"
            )
        items = ",\n".join(f"  {all_given[name]}" for name in columns)
        return f"RETURN{found[1] or ''}\n{items}\n"

    text, count = _RETURN.subn(returned, body.strip("\n") + "\n")
    if count != 1 + len(re.findall(r"^UNION$", body, re.MULTILINE)):
        raise TextMistake(
            line=1,
            given=f"{count} RETURN",
            expected="one before each UNION and one at the end, its columns one a line below",
        )
    return text


def is_union(text: str) -> bool:
    """Whether a Cypher text has several parts, which no engine sorts as a whole."""
    return re.search(r"^UNION$", text, re.MULTILINE) is not None


def _items(lines: Collection[str]) -> dict[str, str]:
    """The columns that lines of a RETURN give, each with its text."""
    found = (_ITEM.fullmatch(line.strip()) for line in lines if line.strip())
    return {one["name"] or one["given"]: one[0].removesuffix(",") for one in found if one is not None}


def _fragment(fragments: Mapping[str, str], name: str, body: str, found: re.Match[str]) -> list[str]:
    if name not in fragments:
        raise TextMistake(
            line=_line(body, found), given=name, expected=f"a file of fragments: {', '.join(sorted(fragments))}"
        )
    return [line for line in fragments[name].split("\n") if line.strip() and not line.startswith(("#", "//"))]


def _line(body: str, found: re.Match[str]) -> int:
    return (
        found.string.count("\n", 0, found.start()) + 1
        if found.string is body
        else body.count("\n", 0, body.find(found[0].strip())) + 1
    )


def _first_variable(lines: Sequence[str]) -> str:
    return str(_VARIABLE.findall(next(line for line in lines if "?" in line))[0])


def _with_columns(line: str, columns: Sequence[str]) -> str:
    """The SELECT with its columns; one that the line computes stands where it is."""
    own = _VARIABLE.findall(line)
    plain = " ".join(f"?{name}" for name in columns if name not in own)
    return "\n".join(
        wrap(
            line.replace(COLUMNS, plain), _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
        )
    )


def _wanted(lines: Sequence[str], needed: Collection[str]) -> Iterator[str]:
    """The lines that give the columns that are needed, and what these are computed from."""
    # from the last line up: a BIND is needed where a line below it needs what it gives
    wanted = set(needed)
    blocks: list[list[str]] = [[]]  # the innermost last; the first takes what is in none
    for line in reversed(lines):
        inner = line.strip()
        if inner == "}":
            blocks.append([line])
        elif len(blocks) > 1 and inner.endswith("{"):
            block = blocks.pop()
            if any(one.strip().startswith("OPTIONAL") for one in block):
                blocks[-1] += [*block, line]
        elif bound := _BOUND.fullmatch(inner):
            if bound[2] in wanted:
                wanted.update(_VARIABLE.findall(bound[1]))
                blocks[-1].append(line)
        elif (len(blocks) > 1 and not inner.startswith("OPTIONAL")) or wanted & set(_VARIABLE.findall(inner)):
            blocks[-1].append(line)
    return reversed(blocks[0])
