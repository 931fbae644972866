"""The difference between two states of a view, and writing it into a new generation.

`kg.build.refresh` works the difference out; a new generation is a copy of the live one with the difference applied. Nodes
that claims share are written where they are new, and taken out where nothing leads to them any longer.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kg.audit.claim_links import Lookup
from kg.build.record_changes import NotByDifference
from kg.model.derived import Deriver
from kg.model.recorded import ClaimRecord
from kg.model.vocabulary import expand, thing_id, thing_iri
from kg.projection.triples import TripleWriter
from kg.stores.difference import GenerationDifference, copy_generation

_OWNERS: Final = ("k:ofClaim", "prov:specializationOf")
"""What leads from a shared node to one that shares it; all others lead to the node."""


@dataclass(slots=True)
class ViewDifference:
    """The difference between two states of a view, and what has to be looked at to write it."""

    claims: int
    findings: int
    """How many of both there are afterwards."""
    lines_gone: list[bytes] = field(default_factory=list)
    """Lines of the derived set that no longer hold; one that was there twice may be here twice."""
    lines_new: list[bytes] = field(default_factory=list)
    triples_gone: set[str] = field(default_factory=set)
    """Triples to take out, each as a line."""
    triples_new: set[str] = field(default_factory=set)
    new_claims: list[str] = field(default_factory=list)
    """The triples of claims that were not there before: none of them has to be looked for."""
    new_claim_triples: int = 0
    shared_new: dict[str, list[str]] = field(default_factory=dict)
    """The triples of shared nodes, by node; other claims may have written the node before."""
    shared_gone: dict[str, list[str]] = field(default_factory=dict)
    """The same of derived records that are gone: each may have been the last on its shared node."""
    changed_before: dict[str, ClaimRecord] = field(default_factory=dict)
    """Changed claims as they were: each may have been the last on its shared nodes."""


@dataclass(frozen=True, slots=True)
class DifferenceWriter:
    """Writes a difference into a copy of the live generation; `lookup` gives claims by id as they are now."""

    difference: ViewDifference
    deriver: Deriver
    lookup: Lookup

    def write(self, live: Path, path: Path, *, triples: int, added_things: Iterable[str]) -> int:
        """Fill the folder of a new generation from the live one, which holds `triples`; how many the new one holds.

        Raises NotByDifference where the result would not be that of a build from nothing.
        """
        copy_generation(live, path)
        done, store = self.difference, GenerationDifference.open(path, triples)
        try:
            for name in added_things:
                if store.mentions(thing_iri(name), name):
                    # its triples were written without the thing, and a node that is only named has none that could be
                    # found again
                    raise NotByDifference("a claim named a thing before it was known")
            # sorted, so that the engine walks its tables in one direction
            store.remove(sorted(done.triples_gone))
            # a node that is there may hold some of these lines; of one that is not there none has to be looked for
            shared = [
                line
                for node, texts in done.shared_new.items()
                for line in (store.missing if store.has_subject(_iri(node)) else dict.fromkeys)(split_lines(texts))
            ]
            store.add_new(
                (*done.new_claims, *sorted(done.triples_new), *shared),
                done.new_claim_triples + len(done.triples_new) + len(shared),
            )
            self._tidy(store)
            if not store.holds_together():
                # the last guard: a view that counts fewer triples than it should is never made current
                raise NotByDifference("the triples do not add up")
            return store.triples
        finally:
            store.close()

    def _tidy(self, store: GenerationDifference) -> None:
        """Take out shared nodes that nothing leads to any longer, and what no claim says of a passage any longer."""
        aside = dict(self.difference.shared_gone)
        writer = TripleWriter("view", apart=aside)
        # only claims that changed can have been the last on a shared node; others need not be looked at
        for record in self.difference.changed_before.values():
            writer.claim(record, self.deriver.keys(record))
        passages = {node for node in aside if node.startswith(f"<{thing_iri('passage/')}")}
        for node in sorted(passages):
            store.keep_only((node[1:-1],), self._said_of_passage(store, node))
        # only now, since a passage that is gone was perhaps the last on its snapshot
        for node in sorted(aside.keys() - passages):
            iri = node[1:-1]
            if not store.is_used(iri, map(expand, _OWNERS)):
                store.keep_only((iri,), ())

    def _said_of_passage(self, store: GenerationDifference, node: str) -> set[str]:
        """The triples of a passage by all claims that are still anchored there."""
        wanted: set[str] = set()
        for there in store.pointing(expand("k:anchoredAt"), node[1:-1]):
            anchored = self.lookup(thing_id(there))
            said: dict[str, list[str]] = {}
            if anchored is not None:
                TripleWriter("view", apart=said).claim(anchored, self.deriver.keys(anchored))
            wanted.update(split_lines(said.get(node, ())))
        return wanted


def _iri(node: str) -> str:
    """The IRI of a node as text in angle brackets, or of a thing."""
    return node[1:-1] if node[:1] == "<" else thing_iri(node)


def split_lines(texts: Iterable[str]) -> Iterator[str]:
    """The lines of texts of N-Triples, each with its end."""
    for text in texts:  # not splitlines: a literal may hold U+2028, which it takes for the end of a line
        yield from (f"{line}\n" for line in text.split("\n")[:-1])
