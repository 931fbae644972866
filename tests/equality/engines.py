"""The engines that must give the same rows. Each takes a world and answers saved questions in its own language.

A server joins in by an entry of `ENGINES`: a function from a world and an empty folder to an `Engine`; one that cannot be
had here is left out by whoever registers it (`tests/servers`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph
import rdflib

from kg.ask.bind import bind
from kg.ask.question import Question
from kg.ask.run import ask, typed
from kg.ledger import durable
from kg.model.vocabulary import thing_id
from kg.stores.ladybug import LadybugGenerations, LadybugStore
from kg.stores.oxigraph import OxigraphStore
from kg.stores.protocol import Answer, Cell, Store
from tests.equality.worlds import STAMP, World

Values = Any
_PATIENCE = 300.0
"""Seconds for a question: rows are compared here and no times, and a server on a busy machine took more than a minute for one."""


@dataclass
class Engine:
    """A store with a world in it."""

    store: Store

    def ask(self, question: Question, values: Values) -> Answer:
        return ask(self.store, question, values, timeout_seconds=_PATIENCE)

    def close(self) -> None:
        self.store.close()


def oxigraph(world: World, folder: Path) -> Engine:
    store = pyoxigraph.Store()
    store.bulk_load(input=world.triples.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
    return Engine(OxigraphStore(store))


def ladybug(world: World, folder: Path) -> Engine:
    generations = LadybugGenerations(folder)
    path = generations.build(world.rows(), STAMP.copy(), switch=durable.write_whole)
    return Engine(LadybugStore.open(path))


class Rdflib(Engine):
    """The oracle: slow, written by others, and asked the very text that the stores get."""

    def __init__(self, world: World) -> None:
        self.graph = rdflib.Graph()
        self.graph.parse(data=world.triples, format="nt")

    def ask(self, question: Question, values: Values) -> Answer:
        result = self.graph.query(bind(question, values))
        columns = tuple(str(name) for name in result.vars or ())
        rows = tuple(
            tuple(_cell(binding.get(rdflib.Variable(name))) for name in columns) for binding in result.bindings
        )
        if len(rows) == 1 and set(rows[0]) == {None}:  # it makes a group of nothing; SPARQL 1.1 makes none
            rows = ()
        return typed(Answer(columns, rows), question)

    def close(self) -> None:
        self.graph.close()


def rdflib_oracle(world: World, folder: Path) -> Engine:
    return Rdflib(world)


def _cell(term: Any) -> Cell:
    if term is None:
        return None
    if isinstance(term, rdflib.URIRef):
        return thing_id(str(term))
    value = term.toPython()
    return value if isinstance(value, bool | int | float) else str(term)


ENGINES: dict[str, Callable[[World, Path], Engine]] = {"ladybug": ladybug, "oxigraph": oxigraph}
"""The engines beside the oracle, by name."""
