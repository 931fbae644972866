"""The claims of one size, and what is made of them once for all steps: triples, property graph, tables.

The claims are those of `benchmarks.synthetic.synthetic_world`: copies of the shipped documents, tables, benchmark rows,
prices, relays and derivations, about things that grow with them. Three more claims print a figure that nobody else comes
near, so that a question for it has the same answer at every size.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson
import pyoxigraph

from benchmarks.parts import arcadedb
from benchmarks.parts.part import Meter, Step, Work, megabytes
from benchmarks.synthetic import SEED, synthetic_world

Json = Any
PLANTED: Final = 72_428_128_467_213.0
COMMON: Final = "72428"
NAMES: Final = ("GB200", "H200")


def make_world(work: Work, meter: Meter) -> None:
    """Write the records, and beside them what to ask."""
    from kg.build.build import content_records
    from kg.content.folders import find_content

    records, _, _ = content_records(find_content())
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    claims, asked = 0, ""
    with open(work.records, "wb") as file, meter.timed("make"):
        for one in planted(synthetic_world(real, things, work.claims - 3)):
            claims += one["record"] == "claim"
            if not asked and one["record"] == "claim" and one.get("derivations") and one.get("restates"):
                asked = one["id"]
            file.write(orjson.dumps(one) + b"\n")
    meter.counts["claims"] = claims
    told = {
        "claims": claims,
        "seed": SEED,
        "claim": asked,
        "bytes": work.records.stat().st_size,
        "code": code_digest(),
    }
    (work.folder / "world.json").write_bytes(orjson.dumps(told, option=orjson.OPT_INDENT_2))


def code_digest() -> str:
    """A digest of the code that makes claims and stores: a folder that other code has filled is not measured."""
    root = Path(__file__).resolve().parents[2]
    paths = [*sorted((root / "kg").rglob("*.py")), root / "benchmarks" / "synthetic.py", Path(__file__)]
    whole = sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def planted(records: Iterator[Json]) -> Iterator[Json]:
    """The same records, and three more that print one figure; they are like the first claim that prints a plain one."""
    left = 3
    for one in records:
        yield one
        if left and _prints_a_number(one):
            for number in range(left):
                figure = {**one["quantity"], "value": PLANTED, "printed": f"{PLANTED:,.0f}"}
                yield {**one, "id": f"{one['id']}.planted-{number}", "quantity": figure}
            left = 0


def _prints_a_number(one: Json) -> bool:
    return (
        one["record"] == "claim"
        and one["kind"] == "measurement"
        and isinstance(one.get("quantity", {}).get("value"), int | float)
        and not any(name in one for name in ("derivations", "restates", "same_as", "utterance"))
    )


def lines(work: Work) -> Iterator[Json]:
    """The records of the world."""
    with open(work.records, "rb") as file:
        for line in file:
            yield orjson.loads(line)


def make_triples(work: Work, meter: Meter) -> None:
    """Write the finished view as one file of N-Triples."""
    from kg.build.build import StorePlace

    live = StorePlace(work.store).rdf.current()
    assert live is not None
    with meter.timed("dump"), open(work.triples, "wb") as file:
        pyoxigraph.Store.read_only(str(live[0])).dump(
            output=file, format=pyoxigraph.RdfFormat.N_TRIPLES, from_graph=pyoxigraph.DefaultGraph()
        )


def make_graph(work: Work, meter: Meter) -> None:
    """Build the property graph of the store, and ask it for nothing."""
    from benchmarks.peers import opened

    with opened(work) as graph, meter.timed("graph"):
        graph.in_language("cypher")
    meter.counts["disk"] = megabytes(work.store / "graph")


def make_tables(work: Work, meter: Meter) -> None:
    """Write the facts as tables, and load them into SQLite and, where it is installed, DuckDB."""
    from benchmarks.parts.tables import write_tables

    with meter.timed("tables"):
        write_tables(work, meter)


def _needs(*names: str) -> tuple[str, ...]:
    return names


MAKERS: Final[dict[str, Step]] = {
    "world": Step("make.world", make_world, once=True),
    "triples": Step("make.triples", make_triples, _needs("world", "store"), once=True),
    "graph": Step("make.graph", make_graph, _needs("world", "store"), once=True),
    "tables": Step("make.tables", make_tables, _needs("world", "store"), once=True),
    "arcadedb": Step(
        "make.arcadedb",
        arcadedb.load,
        _needs("world", "store"),
        once=True,
    ),
}
"""How what is shared is made; the store is made by the step that is measured for it."""

IS_THERE: Final[dict[str, Callable[[Work], Path]]] = {
    "world": lambda work: work.folder / "world.json",
    "store": lambda work: work.store / "rdf" / "current",
    "triples": lambda work: work.triples,
    "graph": lambda work: work.store / "graph" / "current",
    "tables": lambda work: work.tables / "done",
    "arcadedb": arcadedb.done,
}
"""What is there when it is made."""
