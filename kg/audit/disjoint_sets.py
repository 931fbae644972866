"""Disjoint sets (union-find) for clusters of claims, groups of figures and causes of findings."""

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar


class Ordered(Protocol):
    """What has a smallest one among its like."""

    def __hash__(self) -> int: ...
    def __lt__(self, other: Any, /) -> bool: ...


Member = TypeVar("Member", bound=Ordered)


@dataclass(slots=True)
class DisjointSets(Generic[Member]):
    """Sets that are joined; the root of a set is its smallest member, regardless of the order of joining.

    >>> sets = DisjointSets[str]()
    >>> sets.join("b", "c"), sets.join("c", "a"), sets.find("b"), sets.find("x")
    (None, None, 'a', 'x')
    """

    _parent: dict[Member, Member] = field(default_factory=dict)

    def find(self, member: Member) -> Member:
        """The root of a member; one that was never joined is its own."""
        parent, root = self._parent, member
        while (above := parent.get(root)) is not None:
            root = above
        # path compression, the only thing that keeps lookups short: linking by rank would make the
        # root depend on the order of joining, and ids of clusters are made of roots
        while member != root:
            parent[member], member = root, parent[member]
        return root

    def join(self, one: Member, other: Member) -> None:
        """Make two sets one."""
        a, b = self.find(one), self.find(other)
        if a != b:
            self._parent[max(a, b)] = min(a, b)

    def sets(self) -> dict[Member, tuple[Member, ...]]:
        """The sets of more than one member, each sorted, by root."""
        groups: dict[Member, list[Member]] = {}
        for member in list(self._parent):
            groups.setdefault(self.find(member), []).append(member)
        return {root: (root, *sorted(members)) for root, members in groups.items()}
