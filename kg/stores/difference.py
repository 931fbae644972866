"""A generation of the embedded RDF store made from the one before it: a copy whose files are shared, and what differs.

The files that hold triples are never written again once they are whole, so a copy links them and takes milliseconds; the
small ones that change are copied. The live generation is only read.
"""

import io
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyoxigraph

from kg.stores.oxigraph import Generations

Quad = Any
COUNTED: Final = 3_000_000
"""Up to this many triples a change is checked by counting all of them."""


def copy_generation(live: Path, to: Path) -> None:
    """Copy a complete generation; files that are never written again are linked where the file system can."""
    for file in sorted(live.iterdir()):
        there = to / file.name
        # LOCK and LOG are of the process that has the generation open; a name that no engine writes
        # is somebody's own file.
        if file.name == "LOCK" or file.name.startswith("LOG") or not Generations.files.fullmatch(file.name):
            continue
        if file.suffix == ".sst":
            try:
                os.link(file, there)
                continue
            # A file system without hard links, or a link across two of them.
            except OSError:
                pass
        shutil.copyfile(file, there)


@dataclass(slots=True)
class GenerationDifference:
    """An opened copy that is changed; counts what really came and went."""

    store: pyoxigraph.Store
    triples: int

    @classmethod
    def open(cls, folder: Path, triples: int) -> "GenerationDifference":
        """Open a copy of a generation that holds this many triples."""
        return cls(pyoxigraph.Store(str(folder)), triples)

    def remove(self, lines: Iterable[str]) -> None:
        """Take triples out, each of which is there."""
        for quad in _quads(lines):
            self.store.remove(quad)
            self.triples -= 1

    def add_new(self, chunks: Iterable[str], count: int) -> None:
        """Put in triples of which none is there; `count` of them, each once."""
        stream = io.BytesIO("".join(chunks).encode())
        # `lenient` leaves out the check of IRIs: the lines are made by this program.
        self.store.bulk_load(input=stream, format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
        self.triples += count

    def missing(self, lines: Iterable[str]) -> list[str]:
        """Those of some lines that are not there yet, each once."""
        lines = list(dict.fromkeys(lines))
        return [line for line, quad in zip(lines, _quads(lines), strict=True) if quad not in self.store]

    def has_subject(self, iri: str) -> bool:
        """Whether something is said of a node."""
        return next(iter(self.store.quads_for_pattern(pyoxigraph.NamedNode(iri), None, None)), None) is not None

    def mentions(self, iri: str, text: str) -> bool:
        """Whether a node or a plain text stands at the end of any triple."""
        for term in (pyoxigraph.NamedNode(iri), pyoxigraph.Literal(text)):
            if next(iter(self.store.quads_for_pattern(None, None, term)), None) is not None:
                return True
        return False

    def pointing(self, predicate: str, iri: str) -> list[str]:
        """The nodes from which a predicate leads to a node."""
        found = self.store.quads_for_pattern(None, pyoxigraph.NamedNode(predicate), pyoxigraph.NamedNode(iri))
        return sorted(quad.subject.value for quad in found if isinstance(quad.subject, pyoxigraph.NamedNode))

    def is_used(self, iri: str, owners: Iterable[str]) -> bool:
        """Whether something leads to a node, or the node by one of some properties to what owns it."""
        node = pyoxigraph.NamedNode(iri)
        found = [self.store.quads_for_pattern(None, None, node)]
        found += [self.store.quads_for_pattern(node, pyoxigraph.NamedNode(one), None) for one in owners]
        return any(next(iter(one), None) is not None for one in found)

    def keep_only(self, iris: Iterable[str], lines: Iterable[str]) -> None:
        """Take out what is said of some nodes, but for some lines."""
        wanted = set(_quads(lines))
        for iri in iris:
            for quad in list(self.store.quads_for_pattern(pyoxigraph.NamedNode(iri), None, None)):
                if quad not in wanted:
                    self.store.remove(quad)
                    self.triples -= 1

    def holds_together(self) -> bool:
        """Whether as many triples are there as were counted; of a large store this is not asked."""
        return self.triples > COUNTED or len(self.store) == self.triples

    def close(self) -> None:
        """Write out what is held back, and let go of the files."""
        self.store.flush()
        del self.store


def _quads(lines: Iterable[str]) -> Iterator[Quad]:
    text = "".join(lines)
    if text:
        for triple in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True):
            yield pyoxigraph.Quad(triple.subject, triple.predicate, triple.object)
