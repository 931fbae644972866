"""Adding one in a hundred claims to a built store, against the build of that store.

Beside it, up to 100,000 claims, the steps of `benchmarks.incremental`: adding the last hundredth to all the others must come
to the same triples and findings as building all at once.
"""

import os
import shutil
from functools import partial
from pathlib import Path

import orjson

from benchmarks.parts.build import KG, validated
from benchmarks.parts.part import Meter, Part, Step, Work, compared

SHARE = 0.01


def add_to_store(work: Work, meter: Meter) -> None:
    """New documents onto a copy of the store: checked, hashed, written, concluded from, and in the next generation of the view."""
    from benchmarks.synthetic import synthetic_world
    from kg.build.build import StorePlace, content_records, refresh_view
    from kg.content.folders import find_content
    from kg.ledger.lock import writer_lock

    content = find_content()
    records, registry, vocabulary = content_records(content)
    real = [one for one in records if one["record"] == "claim"]
    things = [one for one in records if one["record"] != "claim"]
    folder, new = work.folder / "incremental", work.folder / "new.jsonl"
    shutil.rmtree(folder, ignore_errors=True)
    _copied(work.store, folder / "store")
    with open(new, "wb") as file:
        for one in synthetic_world(real, things, int(work.claims * (1 + SHARE)), first=work.claims):
            file.write(orjson.dumps(one) + b"\n")
    place = StorePlace(folder / "store")
    before = place.rdf.current()
    assert before is not None
    os.sync()  # what the copy left to be written would be written while it is timed
    with meter.timed("add"), writer_lock(place.folder):
        place.ledger.add(validated(new), origin="new", edition="1", scope="partial", registry=registry.digest)
        built = refresh_view(place, content, vocabulary, registry)
    meter.counts |= {
        "triples": built.triples - int(before[1]["triples"]),
        "findings": built.findings,
        "claims": built.claims,
    }
    shutil.rmtree(folder)
    new.unlink()


def _copied(store: Path, to: Path) -> None:
    """A copy of a store without its property graph; a generation is never written again, so its files are shared."""
    to.mkdir(parents=True)
    shutil.copytree(store / "ledger", to / "ledger")
    shutil.copytree(store / "rdf", to / "rdf", copy_function=os.link)
    shutil.copy2(store / "lexicon.json", to)


def _step(name: str, work: Work, meter: Meter) -> None:
    from benchmarks.incremental import step

    folder = work.folder / "incremental"
    folder.mkdir(exist_ok=True)
    if name == "base":
        shutil.rmtree(folder / "grown", ignore_errors=True)
    found = step(name, folder, work.claims, SHARE)
    meter.seconds[name], meter.cpu[name] = found["wall"], found["cpu"]
    meter.counts |= {one: found[one] for one in ("triples", "findings", "claims")}
    if name != "base":
        meter.answers["triples of the whole"] = f"{found['triples']} triples, {found['findings']} findings"
        shutil.rmtree(folder / ("whole" if name == "whole" else "grown"))


_ONTO = Step("incremental.onto", add_to_store, ("store",))
_STEPS = tuple(
    Step(
        f"incremental.{name}",
        partial(_step, name),
        most=100_000,
        why="it only shows that both ways come to the same",
        once=True,
    )
    for name in ("base", "add", "whole")
)

PART = Part(
    "incremental",
    "Adding one in a hundred claims",
    (KG, _ONTO, *_STEPS),
    (
        compared(
            "adding 1 % new claims to a built store",
            "building it from nothing",
            (_ONTO.name, "add"),
            (KG.name, "build with audit"),
            goal=0.03,
            stretch=0.015,
            size=1_000_000,
        ),
    ),
    ((_ONTO.name, "add"), (KG.name, "build with audit")),
)
