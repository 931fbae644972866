"""Speed and scale against those one would take instead, measured side by side in one run.

    python -m benchmarks [--sizes 10k,100k,1M] [--parts build,lookup,…] [--repeats 3] [--json FILE] [--picture FILE.svg]

Claims of each size are generated (fixed seed); then the peers of each part run in turn, every one in a process of its own.
Printed are medians, processor seconds, peak memory, and the figures of the goals. A time counts only when the rows are
those that the others give. Exit 1 when rows differ or a step broke; a missed goal is a result, not an error.
"""

import argparse
import json
import sys
import tempfile
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.parts.drawing import draw
from benchmarks.parts.judging import Medians, judged, told_wrong
from benchmarks.parts.machine import load, machine
from benchmarks.parts.part import TRIES, Work
from benchmarks.parts.registry import PARTS
from benchmarks.parts.running import Runner, run_here
from benchmarks.synthetic import SEED

_LETTERS = {"k": 1_000, "m": 1_000_000}
Json = Any


def read_size(text: str) -> int:
    """A number of claims.

    >>> read_size("10k"), read_size("1M"), read_size("2500")
    (10000, 1000000, 2500)
    """
    letter = text[-1:].casefold()
    return int(float(text[:-1]) * _LETTERS[letter]) if letter in _LETTERS else int(text)


def main() -> int:
    """Run, print, write."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="10k,100k")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"default: all of {', '.join(PARTS)}")
    parser.add_argument("--repeats", type=int, default=3, help="processes of each peer")
    parser.add_argument("--tries", type=int, default=TRIES, help="how often one process asks a question")
    parser.add_argument("--json", type=Path, help="written after every step, so that an interrupted run is not lost")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--folder", type=Path, help="keep the generated claims and stores here, and use what is there")
    parser.add_argument("--deadline", type=float, default=7200, help="seconds for one step")
    parser.add_argument("--without", default="", help="steps to leave out, such as cypher.neo4j")
    parser.add_argument("--step", help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        sizes = sorted({read_size(one) for one in options.sizes.split(",")})
    except ValueError:
        parser.error(f"--sizes: {options.sizes} (expected numbers such as 10k,100k,1M)")
    if options.step:
        return run_here(options.step, Work(options.work, sizes[0]), tries=options.tries)
    names = options.parts.split(",")
    if unknown := [one for one in names if one not in PARTS]:
        parser.error(f"--parts: {', '.join(unknown)} (expected {', '.join(PARTS)})")
    return run(options, sizes, [one for one in PARTS if one in names])


def run(options: argparse.Namespace, sizes: list[int], names: list[str]) -> int:
    """The whole benchmark."""
    parts = [PARTS[name] for name in names]
    result: Json = {
        "seed": SEED,
        "repeats": options.repeats,
        "tries": options.tries,
        "parts": names,
        "date": f"{date.today()}",
    }
    result |= {"machine": machine(), "load": [load()]}
    with (
        nullcontext(options.folder) if options.folder else tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name
    ):
        runner = Runner(
            Path(name).resolve(),
            parts,
            sizes,
            options.repeats,
            options.tries,
            options.deadline,
            keep=bool(options.folder),
            tell=lambda text: print(text, file=sys.stderr, flush=True),
            without=frozenset(options.without.split(",")),
        )

        def save() -> None:
            medians = Medians.of(runner.found)
            result["load"].append(load())
            result["found"] = {str(size): steps for size, steps in runner.found.items()}
            result["wrong"] = [
                {"size": size, "step": step, "why": told_wrong(why)} for (size, step), why in medians.wrong.items()
            ]
            result["goals"] = judged(parts, medians)
            if options.json:
                options.json.parent.mkdir(parents=True, exist_ok=True)
                options.json.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")

        runner.save = save
        runner.run()
        save()
    medians = Medians.of(runner.found)
    print_steps(medians)
    print_goals(result["goals"])
    for one in result["wrong"]:
        print(f"ROWS DIFFER at {one['size']:,} claims, not counted: {one['step']}: {one['why']}")
    if options.picture and not draw(parts, medians, options.picture):
        print("no picture: nothing was measured, or matplotlib is missing (accelkg[charts])", file=sys.stderr)
    broke = [name for steps in runner.found.values() for name, kept in steps.items() if kept.get("broke")]
    return int(bool(result["wrong"] or broke))


def print_steps(medians: Medians) -> None:
    """Medians of everything that was measured."""
    for size in medians.sizes:
        print(f"\n{size:,} claims\n{'':<38}{'seconds':>12}{'cpu s':>12}{'memory MB':>12}")
        for step, kept in medians.found[size].items():
            memory = medians.memory(size, step)
            names = dict.fromkeys(name for run in kept["runs"] for name in run["seconds"])
            for name in names:
                seconds, cpu = medians.seconds(size, step, name), medians.cpu(size, step, name)
                cells = [f"{one:12.4f}" if one is not None else f"{'':>12}" for one in (seconds, cpu)]
                print(f"  {step + ' ' + name:<36}{''.join(cells)}{memory or 0:12.0f}")
            if counts := medians.counts(size, step):
                print(f"    {', '.join(f'{name} {value:,.6g}' for name, value in counts.items())}")
            if "failed" in kept:
                print(f"  {step:<36}  {kept['failed']}")


def print_goals(goals: list[Json]) -> None:
    """What is compared with a goal, by part."""
    print(f"\n{'':<72}{'claims':>10}{'figure':>10}{'of cpu':>10}{'goal':>8}{'stretch':>9}  ")
    for one in goals:
        what = f"{one['what']} / {one['against']}"
        at = one["at"]
        figure = f"{one['figures'][str(at)]:.3f}" if at else ""
        cpu = f"{one['cpu'][str(at)]:.3f}" if at and str(at) in one["cpu"] else ""
        limits = ["" if one[name] is None else f"{one[name]:g}" for name in ("goal", "stretch")]
        told = one["verdict"] if at in (None, one["size"]) else f"{one['verdict']} (set for {one['size']:,})"
        print(f"{what[:71]:<72}{at or 0:>10,}{figure:>10}{cpu:>10}{limits[0]:>8}{limits[1]:>9}  {told}")
        for name in ("why", "bound"):
            if name in one:
                print(f"    {one[name]}")


if __name__ == "__main__":
    sys.exit(main())
