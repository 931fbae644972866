"""Origins, not mentions: how many said something without having it from one another.

A claim counts when it relays no known claim and rests on a text that says it first-hand, or on a cited source that
nobody opened. A machine-written text, and one that only relays, never counts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from kg.audit.chains import EndState, leads_to
from kg.audit.disjoint_sets import DisjointSets
from kg.audit.echoes import CROWDED, Mention, Signature, Value, clusters, compatible, said_alike, signature
from kg.model.derived_records import EchoRecord, OriginsRecord


@dataclass(frozen=True, slots=True)
class Origins:
    """How often something is said, and the number of independent speakers."""

    claim: str
    cluster: str
    mentions: int
    origins: int
    ends: tuple[EndState, ...]
    members: tuple[str, ...]
    """All claims that say it or relay it."""
    first: tuple[str, ...]
    """The claims that count; those of one cluster, one text or one voice count once."""


@dataclass(frozen=True, slots=True)
class _Peers:
    """Those that say the same: which of them count, how many that makes, and all in their clusters."""

    counting: frozenset[str]
    first: tuple[str, ...]
    origins: int
    members: tuple[str, ...]


@dataclass(slots=True)
class Echoes:
    """The clusters of a set of mentions, and what is counted in them."""

    mentions: Mapping[str, Mention]
    _joined: DisjointSets[str]
    _sets: Mapping[str, tuple[str, ...]]
    _same: Mapping[tuple[str, Value], dict[Signature, list[str]]]
    _counted: "dict[tuple[str, Value, Signature], _Peers]" = field(default_factory=dict)

    @classmethod
    def of(cls, mentions: Iterable[Mention]) -> "Echoes":
        """The clusters of the given mentions; their order does not matter."""
        known = {one.claim: one for one in mentions}
        alike = said_alike(known.values())
        joined = clusters(known, alike)
        same: dict[tuple[str, Value], dict[Signature, list[str]]] = {}
        for key, bucket in alike.items():
            groups = same[key] = {}
            for one in bucket:
                groups.setdefault(signature(one.conditions), []).append(one.claim)
        return cls(known, joined, joined.sets(), same)

    def cluster(self, claim: str) -> str:
        """The id of the cluster a claim belongs to, named after its first claim."""
        return f"echo/{self._joined.find(claim)}"

    def origins_of(self, claim: str) -> Origins:
        """Count one claim. Adding copies never raises the number of origins."""
        above, circular = self._above(claim)
        peers = self._peers(claim)
        first, number = peers.first, peers.origins
        # what a claim relays may be worded or valued otherwise, and is an origin of it all the same
        upstream = {name for name in above if self._counts(name)}
        # an origin that says the same is among the peers already
        if not upstream <= peers.counting:
            first = tuple(sorted(peers.counting | upstream))
            number = self._components(first)
        ends = {self.mentions[name].end for name in above if not self._relayed(name)}
        if circular:
            ends.add("circular")
        return Origins(
            claim, self.cluster(claim), len(peers.members), number, tuple(sorted(ends)), peers.members, first
        )

    def repeated(self) -> Iterator[Origins]:
        """The counts of every claim that is said more than once."""
        for name, one in self.mentions.items():
            if self._joined.find(name) in self._sets or (
                one.value is not None and (one.statement, one.value) in self._same
            ):
                yield self.origins_of(name)

    def sets(self) -> Mapping[str, tuple[str, ...]]:
        """The clusters of more than one claim by id."""
        return {f"echo/{root}": names for root, names in self._sets.items()}

    def _relayed(self, claim: str) -> list[str]:
        return [other for other in self.mentions[claim].relays if other in self.mentions]

    def _counts(self, claim: str) -> bool:
        return self.mentions[claim].end in ("primary", "unopened") and not self._relayed(claim)

    def counting(self, claims: Iterable[str]) -> int:
        """How many origins are among the given claims."""
        return self._components({name for name in claims if self._counts(name)})

    def _members(self, claims: Iterable[str]) -> tuple[str, ...]:
        roots = {self._joined.find(name) for name in claims}
        return tuple(sorted({name for root in roots for name in self._sets.get(root, (root,))}))

    def _peers(self, claim: str) -> "_Peers":
        """Who says the same under conditions that do not differ."""
        one = self.mentions[claim]
        groups = self._same.get((one.statement, one.value)) if one.value is not None else None
        if groups is None or one.value is None:
            return self._peers_of((claim,))
        own = signature(one.conditions)
        key = (one.statement, one.value, own)
        if key not in self._counted:
            # comparing all sets of conditions is quadratic: of a figure
            # such as 1.0x there are hundreds
            near = (own,) if len(groups) > CROWDED else tuple(other for other in groups if compatible(own, other))
            self._counted[key] = self._peers_of([name for other in near for name in groups[other]])
        return self._counted[key]

    def _peers_of(self, names: Collection[str]) -> "_Peers":
        counting = frozenset(name for name in names if self._counts(name))
        return _Peers(counting, tuple(sorted(counting)), self._components(counting), self._members(names))

    def _above(self, claim: str) -> tuple[list[str], bool]:
        """The claim and all it relays, and whether that leads back."""
        seen, todo, circular = {claim}, [claim], False
        while todo:
            name = todo.pop()
            for other in self._relayed(name):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
                elif not circular:
                    circular = leads_to(other, name, self._relayed)
        return sorted(seen), circular

    def _components(self, claims: Collection[str]) -> int:
        """How many are left when one cluster, one text and one voice each count once."""
        if len(claims) < 2:
            return len(claims)
        joined: DisjointSets[str] = DisjointSets()
        roots = set()
        for name in claims:
            one = self.mentions[name]
            # a copy shares its cluster, text or voice with what it copies, and so adds no component
            root = f"cluster {self._joined.find(name)}"
            roots.add(root)
            # marks begin with their kind: a text and a voice of one name must not join
            for mark in (*(f"text {text}" for text in one.texts), *((f"voice {one.voice}",) if one.voice else ())):
                joined.join(root, mark)
        return len({joined.find(root) for root in roots})


def echo_records(echoes: Echoes) -> Iterator[EchoRecord | OriginsRecord]:
    """`echo` for each cluster, `origins` for each claim that is said more than once."""
    yield from _clusters(echoes)
    for one in echoes.repeated():
        yield {
            "record": "origins",
            "claim": one.claim,
            "mentions": one.mentions,
            "origins": one.origins,
            "end_states": list(one.ends),
        }


def _clusters(echoes: Echoes) -> Iterator[EchoRecord]:
    for name, members in echoes.sets().items():
        # ids begin with the number of a text, which says nothing of when it was written
        ordered = sorted(members, key=lambda one: echoes.mentions[one].place)
        first = [one for one in ordered if echoes.counting((one,))]
        yield {
            "record": "echo",
            "id": name,
            "echo_of": (first or ordered)[0],
            "mentions": len(members),
            # all of a cluster go back to one another, so that it has one origin or none
            "origins": min(1, len(first)),
            "members": list(members),
        }
