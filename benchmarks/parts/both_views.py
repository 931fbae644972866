"""Both views at once, against the slower of them alone."""

import os
import shutil

from benchmarks.parts.part import Goal, Measured, Meter, Part, Step, Work, quotient


def _fresh(work: Work, name: str, *, with_graph: bool) -> "tuple[object, ...]":
    """A copy of the ledger in a folder of its own; with the mark that the property graph is in use, if wanted."""
    from kg.build.build import StorePlace
    from kg.content.entities import read_registry
    from kg.content.folders import find_content
    from kg.content.vocabulary import read_vocabulary

    folder = work.folder / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(work.store / "ledger", folder / "ledger")
    for left in (folder / "ledger").glob("index.sqlite*"):
        left.unlink()
    os.sync()  # what the copy left to be written would be written while a build is timed
    if with_graph:
        (folder / "graph").mkdir()
        (folder / "graph" / "current").write_text('{"generation": "none"}', encoding="utf-8")
    content = find_content()
    return StorePlace(folder), content, read_vocabulary(content), read_registry(content)


def _build(work: Work, meter: Meter, name: str, *, with_graph: bool) -> None:
    from kg.build.build import build_view
    from kg.ledger.lock import writer_lock

    place, *given = _fresh(work, name, with_graph=with_graph)
    with meter.timed("build"), writer_lock(place.folder):  # type: ignore[attr-defined]
        build_view(place, *given)  # type: ignore[arg-type]
    if with_graph:
        from kg.build.property_graph import graph_generations

        live = graph_generations(place.folder).current()  # type: ignore[attr-defined]
        assert live is not None
        meter.answers["graph"] = f"{live[1]['nodes']} nodes, {live[1]['relationships']} relationships"
    live = place.rdf.current()  # type: ignore[attr-defined]
    assert live is not None
    meter.answers["triples"] = str(live[1]["triples"])
    shutil.rmtree(place.folder)  # type: ignore[attr-defined]


def rdf_alone(work: Work, meter: Meter) -> None:
    """The RDF view with its audit, from a ledger that is there."""
    _build(work, meter, "rdf-alone", with_graph=False)


def both(work: Work, meter: Meter) -> None:
    """The same while the property graph is kept up to date."""
    _build(work, meter, "both", with_graph=True)


def graph_alone(work: Work, meter: Meter) -> None:
    """The property graph from a ledger and a derived set that are there."""
    from kg.build.build import StorePlace
    from kg.build.property_graph import build_graph_view
    from kg.content.folders import find_content
    from kg.ledger.lock import writer_lock

    live = StorePlace(work.store).rdf.current()
    assert live is not None
    into = work.folder / "graph-alone"
    shutil.rmtree(into, ignore_errors=True)
    with meter.timed("build"), writer_lock(work.store):
        build_graph_view(work.store, find_content(), live[1], into=into)
    from kg.build.property_graph import graph_generations

    made = graph_generations(into).current()
    assert made is not None
    meter.answers["graph"] = f"{made[1]['nodes']} nodes, {made[1]['relationships']} relationships"
    shutil.rmtree(into)


def _slower(measured: Measured, size: int) -> float | None:
    alone = [measured.seconds(size, name, "build") for name in ("both-views.rdf", "both-views.graph")]
    known = [one for one in alone if one is not None]
    return quotient(measured.seconds(size, "both-views.both", "build"), max(known) if len(known) == 2 else None)


PART = Part(
    "both-views",
    "Both views at once",
    (
        *(
            Step(
                f"both-views.{name}",
                run,
                ("store",),
                most=100_000,
                why="the ratio is set for less, and each run is a build",
            )
            for name, run in (("rdf", rdf_alone), ("graph", graph_alone), ("both", both))
        ),
    ),
    (
        Goal(
            "both views built",
            "the slower alone",
            1.25,
            1.1,
            100_000,
            _slower,
            steps=("both-views.rdf", "both-views.graph", "both-views.both"),
            remark="two processes on the machine's cores",
        ),
    ),
    (("both-views.rdf", "build"), ("both-views.graph", "build"), ("both-views.both", "build")),
)
