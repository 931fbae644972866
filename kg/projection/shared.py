"""Nodes that records share, and the lines of N-Triples that a writer has collected so far.

A figure, a role or a step of a chain is nothing but what is said of it: in a view it is named after that, so that equal ones
are one node. Writing such a node twice is harmless, since a store keeps a triple once.
"""

from collections.abc import Iterable
from typing import Final

from kg.model.identifiers import content_hash
from kg.model.vocabulary import thing_iri

REMEMBERED: Final = 100_000
"""How many written nodes are remembered, so as not to write them again."""


class SharedNodes:
    """Which shared nodes were written, to keep the text short."""

    def __init__(self, *, remember: int = REMEMBERED, apart: dict[str, list[str]] | None = None) -> None:
        self._written: set[str] = set()
        self._remember = remember
        self._apart = apart
        """Where given, the triples of shared nodes are put there by node, and not into the text."""

    def is_new(self, key: str) -> bool:
        """Whether something is met for the first time in a while; from now on it is not."""
        if key in self._written:
            return False
        if len(self._written) >= self._remember:
            self._written.clear()
        self._written.add(key)
        return True

    def say(self, node: str, said: Iterable[str], out: list[str]) -> None:
        """Write what is said of a node, as predicates with their objects."""
        lines = [node + one for one in said]
        if self._apart is None:
            out.extend(lines)
        else:
            self._apart.setdefault(node, []).extend(lines)

    def node(self, kind: str, said: list[str], out: list[str], ending: str = "") -> str:
        """The node of which just this is said, in angle brackets; `ending` is what its id says in addition."""
        # The name is a function of what is said alone, so that claims of different loads meet at one node
        # without looking for it.
        identifier = f"{kind}/{content_hash(''.join((*said, ending)))}"
        node = f"<{thing_iri(identifier)}{ending}>"
        if self.is_new(node):
            self.say(node, said, out)
        return node


class Lines(list[str]):
    """Lines of N-Triples that are being collected, and the nodes that they share with others."""

    def __init__(self, shared: SharedNodes | None = None) -> None:
        super().__init__()
        self.shared = shared if shared is not None else SharedNodes()
