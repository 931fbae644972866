"""Cypher that meets only nodes of ours on a server where others have nodes too.

A node of ours has the label `KgNode` there. Saved questions name the classes alone, as the embedded engine has them, so
each node pattern of a text is bound to that label before it is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from kg.projection.graph_schema import NODE_LABEL
from kg.stores.cypher_tokens import CypherToken, tokens

_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
# Words behind which brackets hold terms again and no nodes, until the next MATCH.
_PATTERN_ENDS: Final = frozenset({"WHERE", "RETURN", "WITH", "UNWIND", "UNION", "ORDER", "USING", "OPTIONAL"})
_BEFORE_PATTERN: Final = frozenset({"MATCH", "SHORTEST", "PATH", "PATHS", "GROUP", "GROUPS", "ANY", "ALL"})
_BEFORE_TERM: Final = frozenset(
    {
        "AND",
        "BY",
        "CASE",
        "CONTAINS",
        "DISTINCT",
        "ELSE",
        "ENDS",
        "EXISTS",
        "IN",
        "IS",
        "NOT",
        "ON",
        "OR",
        "RETURN",
        "STARTS",
        "THEN",
        "UNWIND",
        "WHEN",
        "WHERE",
        "WITH",
        "XOR",
    }
)
"""Words before a term in brackets; any other word there is the name of a function."""
_AFTER_VARIABLE: Final = frozenset({":", "{", "IS", "WHERE"})


@lru_cache(maxsize=256)
def own_nodes_only(text: str) -> str:
    """The same text with every node pattern bound to nodes of ours; nodes along a path of several hops are not seen.

    >>> own_nodes_only("MATCH (c:Claim {uid: $id})-[:SUBJECT]->(s) RETURN size(c.values)")
    'MATCH (c:KgNode&Claim {uid: $id})-[:SUBJECT]->(s:KgNode) RETURN size(c.values)'
    >>> own_nodes_only("MATCH (e:Entity|Source) WHERE NOT (e)<-[:SUBJECT]-() RETURN (e.a)-(e.b)")
    'MATCH (e:KgNode&(Entity|Source)) WHERE NOT (e:KgNode)<-[:SUBJECT]-(:KgNode) RETURN (e.a)-(e.b)'
    """
    read = list(tokens(text))
    pieces, done = [], 0
    for start, end, put in sorted(_edits(read), key=lambda edit: edit[:2]):
        pieces += [text[done:start], put]
        done = end
    return "".join([*pieces, text[done:]])


def _edits(read: Sequence[CypherToken]) -> Iterator[tuple[int, int, str]]:
    """What is put in place of which span of the text."""
    closing = _closing(read)
    in_pattern = False
    outside: list[bool] = []
    for place, token in enumerate(read):
        if token.word == "MATCH" and not _is_name(read, place):
            in_pattern = True
        elif token.word in _PATTERN_ENDS and not _is_name(read, place):
            in_pattern = False
        elif token.text == "(" and place in closing and _is_node(read, place, closing, in_pattern=in_pattern):
            yield from _label(read, place + 1, closing[place])
        if token.text in _OPENING:
            outside.append(in_pattern)
            # A node inside of a list or map of a pattern is a term; only round brackets go on with
            # the pattern.
            in_pattern = (in_pattern and token.text == "(") or _opens_subquery(read, place)
        elif token.text in _OPENING.values() and outside:
            in_pattern = outside.pop()


def _opens_subquery(read: Sequence[CypherToken], place: int) -> bool:
    """Whether a brace opens a pattern without MATCH: `COUNT { (n:Claim) }`."""
    if read[place].text != "{" or not place:
        return False
    return read[place - 1].word in ("COUNT", "EXISTS") and not _is_name(read, place - 1)


def _closing(read: Sequence[CypherToken]) -> dict[int, int]:
    """For each bracket the place of its partner, in both directions."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for place, token in enumerate(read):
        if token.text in _OPENING:
            opened.append(place)
        elif token.text in _OPENING.values() and opened:
            found[opened[-1]], found[place] = place, opened[-1]
            opened.pop()
    return found


def _is_name(read: Sequence[CypherToken], place: int) -> bool:
    """Whether a word stands where only a name can: a property, a label, a key of a map."""
    before = read[place - 1].text if place else ""
    after = read[place + 1].text if place + 1 < len(read) else ""
    # `n.match`, `:MATCH` and `{match: 1}` are names, not the keyword.
    return before in (".", ":", "|", "&", "!") or after == ":"


def _is_node(read: Sequence[CypherToken], start: int, closing: dict[int, int], *, in_pattern: bool) -> bool:
    """Whether a bracket opens a node pattern: by what it holds, and by what is next to it."""
    # Looked at in place: with brackets in brackets, copies of what each holds take time by the square of the text.
    first, end = start + 1, closing[start]
    if first < end and read[first].kind in ("word", "quoted") and read[first].text != "IS":
        first += 1
    # `(a + b)` and `(size(x))` hold terms; a node has a variable, a label, a map or WHERE, or
    # nothing.
    if first < end and read[first].text.upper() not in _AFTER_VARIABLE:
        return False
    before = read[start - 1] if start else None
    if before is not None and before.kind in ("word", "quoted"):
        known = _BEFORE_PATTERN if in_pattern else _BEFORE_TERM
        # In `MATCH p = shortestPath((a)-[*]-(b))` the first bracket is that of the function, the
        # second opens a node.
        if before.word not in known:
            return False
    return in_pattern or _follows_link(read, start, closing) or _leads_to_link(read, closing[start])


def _follows_link(read: Sequence[CypherToken], start: int, closing: dict[int, int]) -> bool:
    """Whether a relationship ends here: `]-(`, `]->(`, `--(`, `-->(`; no index of a list less something."""
    place = start - 1
    if place > 0 and read[place].text == ">":
        place -= 1
    if place < 1 or read[place].text != "-":
        return False
    if read[place - 1].text != "]":
        return read[place - 1].text == "-"
    opened = closing.get(place - 1, 0)
    return opened > 0 and read[opened - 1].text == "-"


def _leads_to_link(read: Sequence[CypherToken], end: int) -> bool:
    """Whether a relationship begins here: `)-[`, `)--`, `)<-[`, `)<--`."""
    following = [token.text for token in read[end + 1 : end + 4]]
    if following[:1] == ["<"]:
        following = following[1:]
    return following[:2] in (["-", "["], ["-", "-"])


def _label(read: Sequence[CypherToken], start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The label of ours, before those that a pattern has; `&` between all, since a text may not mix it with `:`."""
    place = start + 1 if read[start].kind in ("word", "quoted") and read[start].word != "IS" else start
    mark = read[place]
    if mark.text != ":" and mark.word != "IS":
        before = read[place - 1]
        yield before.position + len(before.text), before.position + len(before.text), f":{NODE_LABEL}"
        return
    ends = (number for number in range(place + 1, end) if read[number].text == "{" or read[number].word == "WHERE")
    labels = read[place + 1 : next(ends, end)]
    first, after = labels[0].position, labels[-1].position + len(labels[-1].text)
    if len(labels) == 1:
        yield first, first, f"{NODE_LABEL}&"
        return
    yield first, first, f"{NODE_LABEL}&("
    yield from ((colon.position, colon.position + 1, "&") for colon in labels if colon.text == ":")
    yield after, after, ")"
