"""Names that loads could not resolve, each with the things that it might mean.

A proposal is a help for a person. Nothing is merged because it looks alike.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from kg.content.entities import Registry, read_registry
from kg.content.folders import find_content
from kg.content.resolution import Resolver
from kg.errors import UsageError
from kg.ingest.errors import NAMES
from kg.ledger.ledger import Ledger
from kg.model.ledger_records import RejectedRecord
from kg.model.names import KIND_OF_NAME, name_key
from kg.model.patterns import words_of

_MOST_PROPOSED = 3
_LEAST_ALIKE = 0.3


class Proposal(NamedTuple):
    """A thing that the name might mean, how alike its nearest name is, and what the two share and do not."""

    id: str
    label: str
    similarity: float
    reason: str


@dataclass(slots=True)
class Unresolved:
    """One name that rows were refused for. `why` is unknown or ambiguous; `now` is what it resolves to by now."""

    name: str
    kind: str
    count: int
    files: list[str]
    fields: list[str]
    why: str
    now: str | None = None
    proposals: list[Proposal] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The name and its proposals as plain values."""
        return {**asdict(self), "proposals": [one._asdict() for one in self.proposals]}


def unresolved_names(
    ledger: Path, *, content: str | None, kind: str | None = None, proposals: bool = True
) -> list[Unresolved]:
    """Every name that rows stand refused for, most frequent first."""
    refuse_unknown_kind(kind)
    registry = read_registry(find_content(Path(content) if content else None))
    rejected = Ledger(ledger).rejected()
    return gather(rejected, registry, kind=kind, proposals=proposals)


def gather(
    rejected: Iterable[RejectedRecord], registry: Registry, *, kind: str | None = None, proposals: bool = True
) -> list[Unresolved]:
    """The unresolved names among rejected records; two spellings of one key count together."""
    spellings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    files: dict[tuple[str, str], set[str]] = defaultdict(set)
    fields: dict[tuple[str, str], set[str]] = defaultdict(set)
    for record in rejected:
        if record.get("code") != NAMES or (kind is not None and record.get("kind") != kind):
            continue
        name = str(record.get("given", ""))
        key = (str(record.get("kind", "any")), name_key(name))
        spellings[key][name] += 1
        files[key].add(str(record.get("file", record.get("source", "unstated"))))
        fields[key].add(str(record.get("field", "unstated")))
    resolver, proposer = Resolver(registry), _Proposer(registry)
    found = []
    for key, counted in spellings.items():
        of_kind, name = key[0], min(counted, key=lambda one: (-counted[one], one))
        # the registry may know the name by now: its rows stand refused until they are read again
        state = resolver.resolve(of_kind if of_kind in KIND_OF_NAME else "any", name)
        one = Unresolved(
            name,
            of_kind,
            counted.total(),
            sorted(files[key]),
            sorted(fields[key]),
            "ambiguous" if state.how == "ambiguous" else "unknown",
            state.id,
        )
        if proposals and state.id is None:
            one.proposals = proposer.propose(of_kind, name, state.candidates)
        found.append(one)
    return sorted(found, key=lambda one: (-one.count, one.kind, one.name))


class _Proposer:
    """Finds names that share their three-letter pieces; built once."""

    def __init__(self, registry: Registry) -> None:
        self._records = registry.records
        self._names: dict[str, set[str]] = defaultdict(set)
        self._holding: dict[str, set[str]] = defaultdict(set)
        for identifier, record in registry.records.items():
            if record["record"] == "entity":
                for text in (record["label"], *record.get("aliases", ())):
                    self._names[name_key(text)].add(identifier)
        self._sizes = {key: len(_pieces(key)) for key in self._names}
        for key in self._names:
            for piece in _pieces(key):
                self._holding[piece].add(key)

    def propose(self, kind: str, name: str, candidates: Sequence[str]) -> list[Proposal]:
        """The things most alike, those between which the name is ambiguous first.

        >>> known = _Proposer(Registry({"a/1": {"record": "entity", "kind": "accelerator", "label": "Abcdefghi"}}, {}))
        >>> [(one.id, one.similarity) for one in known.propose("any", "abcxyzuvw", ())], known.propose("any", "abxyzuvwt", ())
        ([('a/1', 0.3)], [])
        """
        kinds = KIND_OF_NAME.get(kind)
        own, shared = _pieces(name_key(name)), Counter[str]()
        for piece in own:
            shared.update(self._holding.get(piece, ()))
        best: dict[str, tuple[float, str]] = {}
        for key, common in shared.items():
            alike = 2 * common / (len(own) + self._sizes[key])
            if alike < _LEAST_ALIKE:
                continue
            for identifier in self._names[key]:
                if kinds is None or self._records[identifier]["kind"] in kinds or identifier in candidates:
                    best[identifier] = max(best.get(identifier, (0.0, "")), (alike, key))
        # a name between two things is asked about both, however unlike their labels are
        for identifier in candidates:
            best.setdefault(identifier, (0.0, name_key(self._records[identifier]["label"])))
        ranked = sorted(best, key=lambda one: (one not in candidates, -best[one][0], one))
        return [
            Proposal(
                one, self._records[one]["label"], round(best[one][0], 2), _reason(name, best[one][1], one in candidates)
            )
            for one in ranked[: max(_MOST_PROPOSED, len(candidates))]
        ]


def _pieces(key: str) -> set[str]:
    # two spaces before and one behind: the beginning of a name weighs more than its end
    padded = f"  {key} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}


def _reason(name: str, key: str, candidate: bool) -> str:
    """What the name shares with the nearest name of a thing, and where they part.

    >>> _reason("NVIDIA A100 (20 GB)", "a100 80gb", False)
    'shares a100; only here: nvidia, 20gb; only there: 80gb'
    """
    here, there = words_of(name), words_of(key)
    parts = ["one of the things it could mean"] if candidate else []
    for lead, words in (
        ("shares", [one for one in here if one in there]),
        ("only here:", [one for one in here if one not in there]),
        ("only there:", [one for one in there if one not in here]),
    ):
        if words:
            parts.append(f"{lead} {', '.join(words)}")
    return "; ".join(parts)


def refuse_unknown_kind(kind: str | None) -> None:
    """Raise UsageError where a kind is given that no name can be of."""
    if kind is not None and kind not in KIND_OF_NAME:
        raise UsageError(given=kind, expected=", ".join(KIND_OF_NAME))
