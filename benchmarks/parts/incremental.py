"""Adding one in a hundred claims to a built store, against building it from nothing: the steps of `benchmarks.incremental`."""

import shutil
from functools import partial

from benchmarks.parts.part import Meter, Part, Step, Work, compared

SHARE = 0.01


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


_STEPS = tuple(Step(f"incremental.{name}", partial(_step, name)) for name in ("base", "add", "whole"))

PART = Part(
    "incremental", "Adding one in a hundred claims", _STEPS,
    (
        compared(
            "adding 1 % new claims to a built store", "building it from nothing", ("incremental.add", "add"),
            ("incremental.whole", "whole"), goal=0.03, stretch=0.015, size=1_000_000,
        ),
    ),
    (("incremental.add", "add"), ("incremental.whole", "whole")),
)  # fmt: skip
