"""From records to the view on disk, against the engines' own bulk loads of the finished file."""

import shutil
from pathlib import Path
from time import perf_counter
from typing import Any

import orjson
import pyoxigraph

from benchmarks.parts.part import Goal, Measured, Meter, Part, Step, Work, compared, quotient

Json = Any


def validated(path: Path) -> "Any":
    """The records of a file, each checked by its model, with their revisions: the way of `kg load`, without its links."""
    from kg.ledger.ledger import with_revision
    from kg.model.compiled import recorded

    with open(path, "rb") as file:
        for line in file:
            yield with_revision(recorded(orjson.loads(line)))


def build_kg(work: Work, meter: Meter) -> None:
    """Read, validate, write the segment, build the view with its audit. The first time it makes the store of the size."""
    from kg.build.build import StorePlace, build_view, content_records
    from kg.content.folders import find_content
    from kg.ledger.lock import writer_lock

    folder = work.store if not work.store.exists() else work.folder / "built"
    content = find_content()
    _, registry, vocabulary = content_records(content)
    place = StorePlace(folder.with_name("building"))
    shutil.rmtree(place.folder, ignore_errors=True)
    with meter.timed("build with audit"), writer_lock(place.folder):
        started = perf_counter()
        place.ledger.add(
            validated(work.records), origin="synthetic", edition="1", scope="full", registry=registry.digest
        )
        meter.seconds["ledger"] = perf_counter() - started
        built = build_view(place, content, vocabulary, registry)
    audit = built.seconds["audit"]  # processor time of the thread that builds
    meter.cpu["audit"] = meter.seconds["audit"] = audit
    meter.seconds["build"] = meter.seconds["build with audit"] - audit
    meter.cpu["build"] = meter.cpu["build with audit"] - audit
    meter.answers["triples"] = f"{built.triples}"
    meter.counts |= {"triples": built.triples, "findings": built.findings, "claims": built.claims}
    if folder == work.store:
        place.folder.rename(folder)
        meter.counts["bytes"] = sum(one.stat().st_size for one in (folder / "rdf").rglob("*") if one.is_file())
    else:
        shutil.rmtree(place.folder)


def load_oxigraph(work: Work, meter: Meter) -> None:
    """Oxigraph's bulk load of the finished file into a folder."""
    folder = work.folder / "alone"
    shutil.rmtree(folder, ignore_errors=True)
    with meter.timed("load"):
        store = pyoxigraph.Store(str(folder))
        store.bulk_load(path=str(work.triples), format=pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
        store.flush()
    meter.answers["triples"] = f"{len(store)}"
    del store
    shutil.rmtree(folder)


def read_rdflib(work: Work, meter: Meter) -> None:
    """The same file read into memory by rdflib."""
    from benchmarks.peers import read_rdflib as read

    with meter.timed("parse"):
        graph = read(work.triples)
    meter.answers["triples"] = f"{len(graph)}"


def _memory(measured: Measured, size: int) -> float | None:
    return quotient(measured.memory(size, "build.kg"), measured.memory(size, "build.oxigraph"))


KG = Step("build.kg", build_kg, ("world",))
OXIGRAPH = Step("build.oxigraph", load_oxigraph, ("triples",))
RDFLIB = Step(
    "build.rdflib",
    read_rdflib,
    ("triples",),
    most=100_000,
    why="rdflib would take more memory than there is",
    once=True,
)

PART = Part(
    "build",
    "Building the RDF view",
    (KG, OXIGRAPH, RDFLIB),
    (
        compared(
            "records to the RDF view on disk, validated and audited",
            "Oxigraph bulk load of the finished file",
            ("build.kg", "build with audit"),
            ("build.oxigraph", "load"),
            goal=1.1,
            stretch=0.8,
            size=100_000,
        ),
        compared(
            "the same without the audit",
            "Oxigraph bulk load of the finished file",
            ("build.kg", "build"),
            ("build.oxigraph", "load"),
            goal=None,
            stretch=None,
            size=100_000,
            remark="at least: see the audit in a build",
        ),
        compared(
            "records to the RDF view on disk, validated and audited",
            "rdflib parsing the same text",
            ("build.kg", "build with audit"),
            ("build.rdflib", "parse"),
            goal=0.25,
            stretch=0.125,
            size=100_000,
        ),
    ),
    (("build.kg", "build with audit"), ("build.oxigraph", "load"), ("build.rdflib", "parse")),
)

MEMORY = Part(
    "memory",
    "Memory of a build",
    (KG, OXIGRAPH),
    (
        Goal(
            "peak memory of a build",
            "Oxigraph's own bulk load",
            1.25,
            1.1,
            1_000_000,
            _memory,
            steps=("build.kg", "build.oxigraph"),
        ),
    ),
)
