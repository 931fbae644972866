"""The same SELECT query in plainer words, for an engine that goes wrong on the compact ones.

Three steps, each of which keeps the rows: a UNION becomes one text for each branch, an OPTIONAL inside an OPTIONAL becomes
one of its own (`{A OPTIONAL {B OPTIONAL {C}}}` is `{A OPTIONAL {B} OPTIONAL {B C}}` where B and C are triple patterns), and
a column that only an OPTIONAL fills is passed through COALESCE. A text of another shape stays as it is.

The second step is an equality of well-designed patterns (Pérez, Arenas and Gutierrez, "Semantics and complexity of SPARQL",
2009): a variable of C that is not in B must occur nowhere else, which is checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kg.stores.cells import ordered, without_order
from kg.stores.protocol import Answer

_TOKEN: Final = re.compile(
    r"""\s+|\#[^\n]*|<[^<>"{}|^`\\\s]*>|'''.*?'''|\"\"\".*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[?$]?\w[\w:.-]*\w|[?$]?\w|.""",
    re.DOTALL,
)
_VARIABLE: Final = re.compile(r"[?$]\w+")
_NOT_TRIPLES: Final = frozenset(
    ("FILTER", "BIND", "VALUES", "UNION", "MINUS", "GRAPH", "SERVICE", "SELECT", "EXISTS", "NOT")
)
_GROUPED: Final = frozenset(("GROUP", "HAVING"))
LIMIT: Final = re.compile(r"\bLIMIT\s+(\d+)\s*$", re.IGNORECASE)
"""The LIMIT that ends a query."""


@dataclass(slots=True)
class _Group:
    """What stands between braces."""

    items: list[str | _Group] = field(default_factory=list)

    def text(self) -> str:
        return "".join(one if isinstance(one, str) else f"{{{one.text()}}}" for one in self.items)

    def variables(self) -> set[str]:
        return set(_VARIABLE.findall(self.text()))


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """Texts whose rows, taken together without repetition and in this order, are those of the query."""

    texts: tuple[str, ...]
    order: tuple[tuple[str, bool], ...] = ()
    """The columns to order by, each with whether it descends; needed where there are several texts."""
    limit: int | None = None
    """How many rows the query itself allows."""

    def together(self, answers: Sequence[Answer]) -> Answer:
        """The answer to the query from those to each text."""
        if len(answers) == 1:
            return answers[0]
        rows = tuple(dict.fromkeys(row for one in answers for row in one.rows))
        whole = Answer(answers[0].columns, rows, all(one.complete for one in answers))
        return Answer(whole.columns, ordered(whole, self.order)[: self.limit], whole.complete)


def paraphrase(text: str) -> Paraphrase:
    """The plain forms of a query; the text alone where there is nothing to change.

    >>> paraphrase("SELECT ?c { ?x <q> ?y OPTIONAL { ?y <r> ?b OPTIONAL { ?b <s> ?c } } }").texts[0]
    'SELECT ?c { ?x <q> ?y OPTIONAL { ?y <r> ?b } OPTIONAL { ?y <r> ?b . ?b <s> ?c_given } BIND(COALESCE(?c_given) AS ?c) }'
    """
    whole = _parsed(text)
    places = [place for place, one in enumerate(whole.items) if isinstance(one, _Group)] if whole else []
    if whole is None or len(places) != 1:
        return Paraphrase((text,))
    head = "".join(str(one) for one in whole.items[: places[0]])
    tail = "".join(str(one) for one in whole.items[places[0] + 1 :])
    columns = _columns(head)
    if columns is None or _GROUPED & set(tail.upper().split()):
        return Paraphrase((text,))
    body = whole.items[places[0]]
    assert isinstance(body, _Group)
    order = _order(tail)
    branches = [body]
    if (
        order is not None
        and any(_is_optional(body.items, place) for place in range(len(body.items)))
        and re.search(r"\bSELECT\s+DISTINCT\b", head, re.IGNORECASE)
        and set(dict(order)) <= set(columns)
    ):
        branches = _branches(body)
    flat = [_flat(branch) for branch in branches]
    if len(branches) == 1 and flat[0].text() == body.text():
        return Paraphrase((text,))
    texts = tuple(f"{head}{{{_passed(one, columns).text()}}}{tail}" for one in flat)
    found = LIMIT.search(tail)
    return Paraphrase(texts, order or (), int(found[1]) if found else None)


def _parsed(text: str) -> _Group | None:
    """The groups of a text; None where its braces do not match."""
    open_groups = [_Group()]
    for token in _TOKEN.findall(text):
        if token == "{":
            open_groups.append(_Group())
            open_groups[-2].items.append(open_groups[-1])
        elif token == "}":
            open_groups.pop()
            if not open_groups:
                return None
        elif not token.startswith("#"):
            open_groups[-1].items.append(token)
    return open_groups[0] if len(open_groups) == 1 else None


def _columns(head: str) -> list[str] | None:
    """The names a SELECT lists, without ? ; None for anything that is no plain list."""
    found = re.search(r"\bSELECT\s+(?:DISTINCT\s+|REDUCED\s+)?((?:[?$]\w+\s*)+)(?:WHERE\s*)?$", head, re.IGNORECASE)
    return None if found is None else [name[1:] for name in found[1].split()]


def _order(tail: str) -> tuple[tuple[str, bool], ...] | None:
    """The ORDER BY of plain columns, which may have a LIMIT after it; None for anything else."""
    rest, order = without_order(LIMIT.sub("", tail))
    return None if rest.strip() else order


def _word_before(items: list[str | _Group], place: int) -> str:
    """The last word before a group, in capitals."""
    for one in reversed(items[:place]):
        if isinstance(one, _Group):
            return "}"
        if not one.isspace():
            return one.upper()
    return ""


def _is_optional(items: list[str | _Group], place: int) -> bool:
    """Whether an item is the group of an OPTIONAL."""
    return isinstance(items[place], _Group) and _word_before(items, place) == "OPTIONAL"


def _branches(body: _Group) -> list[_Group]:
    """A body for each branch of its first UNION; the body alone where there is none."""
    groups = [place for place, one in enumerate(body.items) if isinstance(one, _Group)]
    chain = [place for place in groups if _word_before(body.items, place) == "UNION"]
    if not chain:
        return [body]
    last = groups.index(chain[0])
    chosen = [groups[last - 1], groups[last]]
    for place in groups[last + 1 :]:
        if _word_before(body.items, place) != "UNION":
            break
        chosen.append(place)
    before, after = body.items[: chosen[0]], body.items[chosen[-1] + 1 :]
    return [_Group([*before, body.items[place], *after]) for place in chosen]


def _flat(body: _Group) -> _Group:
    """Every OPTIONAL of triple patterns with others inside as a row of OPTIONALs."""
    found: list[str | _Group] = []
    for place, one in enumerate(body.items):
        if isinstance(one, _Group) and _is_optional(body.items, place):
            others = _Group([*body.items[:place], *body.items[place + 1 :]])
            rows = _rows(one, "", set(_VARIABLE.findall(_patterns(others.text()))))
            if rows is not None and len(rows) > 1:
                found.append(_Group([f" {rows[0]} "]))
                for row in rows[1:]:
                    found += [" ", "OPTIONAL", " ", _Group([f" {row} "])]
                continue
        found.append(one)
    return _Group(found)


def _rows(group: _Group, before: str, elsewhere: set[str]) -> list[str] | None:
    """The triple patterns of each OPTIONAL that stands for this one; None where it holds anything else, or an inner one has
    a variable that is bound elsewhere and not where it stands."""
    own: list[str] = []
    inner: list[_Group] = []
    for place, one in enumerate(group.items):
        if isinstance(one, _Group):
            if not _is_optional(group.items, place):
                return None
            inner.append(one)
        elif one.upper() in _NOT_TRIPLES or (inner and not one.isspace() and one.upper() not in ("OPTIONAL", ".")):
            return None
        elif not inner and one.upper() != "OPTIONAL":
            own.append(one)
    triples = " ".join("".join(own).split()).removesuffix(".").rstrip()
    if not triples:
        return None
    whole = f"{before} . {triples}" if before else triples
    bound = set(_VARIABLE.findall(whole))
    rows = [whole]
    for place, one in enumerate(inner):
        siblings = set().union(*(other.variables() for other in inner[:place] + inner[place + 1 :]))
        more = None if one.variables() & (elsewhere | siblings) - bound else _rows(one, whole, elsewhere | siblings)
        if more is None:
            return None
        rows += more
    return rows


def _passed(body: _Group, columns: list[str]) -> _Group:
    """The body with columns that only an OPTIONAL fills passed through COALESCE."""
    optional, outside = _Group(), _Group()
    for place, one in enumerate(body.items):
        (optional if _is_optional(body.items, place) else outside).items.append(one)
    given = optional.variables() - set(_VARIABLE.findall(_patterns(outside.text())))
    text = body.text()
    for name in columns:
        if f"?{name}" in given:
            text = re.sub(rf"\?{name}\b", f"?{name}_given", text).rstrip()
            text += f" BIND(COALESCE(?{name}_given) AS ?{name}) "
    return _Group([text])


def _patterns(text: str) -> str:
    """A text without what its BINDs compute, but with the names they give."""
    return re.sub(r"\bBIND\s*\(.*?\bAS\s+(\?\w+)\s*\)", r" \1 ", text, flags=re.DOTALL)
