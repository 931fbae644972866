"""Claims with everything that follows from them: the records, the derived set, and both projections of the same state."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pyoxigraph

from kg.__about__ import RULES_VERSION
from kg.build.build import content_records, read_background
from kg.build.deduction import Background
from kg.build.full_build import WholeView
from kg.build.progress import silent
from kg.build.property_graph import rows_of
from kg.content.citations import read_citation_lists
from kg.content.entities import read_registry
from kg.content.folders import Content, find_content
from kg.content.vocabulary import Vocabulary, read_vocabulary
from kg.ledger.derived import read_derived
from kg.ledger.index import ClaimIndex
from kg.ledger.ledger import Ledger, with_revision
from kg.projection.rows import Row
from kg.stores.oxigraph import Generations
from tests.ask.harness import case_graph, records

CHECKOUT = Path(__file__).resolve().parents[2]
Json = Any
STAMP: Json = {"head": "0" * 32, "content": "1" * 32, "fingerprint": "2" * 32, "version": "0", "rules": RULES_VERSION}


@cache
def content() -> Content:
    return find_content(CHECKOUT)


@cache
def vocabulary() -> Vocabulary:
    return read_vocabulary(content())


@cache
def background() -> Background:
    return read_background(content(), vocabulary(), read_registry(content()))


@dataclass
class World:
    """One state of a graph; built once, loaded into every engine."""

    name: str
    records: list[Json]
    linked: bool = False
    """Whether the source links of the shipped texts belong to it."""
    derived: list[Json] = field(default_factory=list)
    triples: str = ""
    stamp: Json = field(default_factory=STAMP.copy)

    def __post_init__(self) -> None:
        if self.triples:
            return
        given = background()
        known = given if self.linked else Background(given.references, (), given.comparability)
        with TemporaryDirectory() as folder:
            ledger = Ledger(Path(folder) / "ledger")
            manifest = ledger.add(self.records, origin="world", edition="1", scope="full", registry="")
            index = ClaimIndex(Path(folder) / "index.sqlite", fresh=True)
            view = WholeView(ledger, manifest, index, vocabulary(), known, progress=silent)
            self.triples = "".join(view.chunks(self.stamp))
            self.derived = [orjson.loads(line) for piece in view.derived_lines() for line in piece.splitlines()]
            index.close()

    def rows(self) -> Iterator[Row]:
        """The property graph as rows."""
        return rows_of(self.records, lambda: self.derived, vocabulary(), self.stamp)

    def ids(self, kind: str) -> list[str]:
        """The ids of the records of a kind."""
        return [one["id"] for one in self.records if one["record"] == kind]


@cache
def seeds() -> World:
    """What the package ships."""
    records, _, _ = content_records(content())
    assert read_citation_lists(content(), read_registry(content()))
    return World("seeds", records, linked=True)


@cache
def shipped(store: Path) -> World:
    """The same, read from a store of it: what is compared is what engines make of it."""
    live = Generations(store / "rdf").current()
    assert live is not None
    whole: Json = live[1]
    stamp = {name: whole[name] for name in STAMP}
    derived = list(read_derived(store / "ledger" / "derived", stamp["head"], stamp["rules"]))
    written = pyoxigraph.Store.read_only(str(live[0])).dump(
        format=pyoxigraph.RdfFormat.N_TRIPLES, from_graph=pyoxigraph.DefaultGraph()
    )
    assert written is not None
    records = list(Ledger(store / "ledger").current())
    return World("seeds", records, derived=derived, triples=written.decode(), stamp=stamp)


@cache
def small() -> World:
    """The small graph that the cases of the questions ask, with what the audit says of it."""
    claims, things = records(case_graph())
    return World("small", [with_revision(one) for one in (*claims.values(), *things.values())])
