"""Fills the made parts of docs/performance.md from the results of a run; the prose between them is written by hand.

    python -m benchmarks.report results.json [MORE.json …] [--page docs/performance.md] [--check]

Of several results the later ones win, part by part and size by size, so that a long run can be done in pieces on one
machine. Exit 1 when a missed goal has no section of its own that says where the time goes, or with --check when the page
is not what the results make of it.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.parts.beside import QUESTIONS, beside, draw_beside
from benchmarks.parts.drawing import draw
from benchmarks.parts.judging import Medians, judged
from benchmarks.parts.registry import PARTS

ROOT: Final = Path(__file__).resolve().parent.parent
Json = dict[str, Any]
_MADE: Final = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- /made -->)", re.DOTALL)
_MARKS: Final = {"stretch met": "**stretch met**", "met": "**met**", "missed": "missed", "not measured": "not measured"}


class Result:
    """The runs of one or several results of one machine, with the medians and the goals that follow."""

    def __init__(self, given: Sequence[Json]) -> None:
        self.last = given[-1]
        if other := [one for one in given if any(one[name] != self.last[name] for name in ("machine", "seed"))]:
            raise SystemExit(f"results of {len(other) + 1} machines, versions or seeds; give those of one")
        found: dict[int, dict[str, Json]] = {}
        for one in given:
            for size, steps in one["found"].items():
                known = found.setdefault(int(size), {})
                known |= {
                    name: kept for name, kept in steps.items() if kept["runs"] or kept.get("broke") or name not in known
                }
        names = {name for one in given for name in one["parts"]}
        self.given = given
        self.parts = [part for name, part in PARTS.items() if name in names]
        self.medians = Medians.of(found)
        self.goals = judged(self.parts, self.medians)


def fill(page: str, result: Result) -> str:
    """The page with every made part made anew."""
    return _MADE.sub(lambda found: f"{found[1]}{_MAKERS[found[2]](result)}\n{found[3]}", page)


def shown(value: float | None, unit: str = "") -> str:
    """A figure with three digits.

    >>> shown(0.01234), shown(12.34), shown(1234.5, "s"), shown(None)
    ('0.0123', '12.3', '1,234 s', '')
    """
    if value is None:
        return ""
    digits = 0 if value >= 100 else max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:,.{digits}f}{' ' + unit if unit else ''}"


def short(size: int) -> str:
    """A number of claims.

    >>> short(10_000), short(1_000_000), short(2_500)
    ('10k', '1M', '2.5k')
    """
    return f"{size / 1e6:g}M" if size >= 1_000_000 else f"{size / 1e3:g}k"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _machine(result: Result) -> str:
    told = result.last["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in told["versions"].items())
    loads = [load for one in result.given for load in one["load"] if load is not None]
    busy = max(loads, default=0.0)
    cores = told["cores"] or 1
    text = (
        f"Measured on {told['processor']}, {cores} cores, {told['memory_gb']} GB of memory, {told['system']}, Python {told['python']}; {versions}; "
        f"seed {result.last['seed']}.\n"
    )
    for one in result.given:
        runs = sorted({len(kept["runs"]) for steps in one["found"].values() for kept in steps.values()} - {0})
        often = {0: "not at all", 1: "once"}.get(max(runs, default=0), f"up to {max(runs, default=0)} times")
        text += (
            f"\n- {one['date']}, {', '.join(short(size) for size in sorted(map(int, one['found'])))} claims: {', '.join(one['parts'])}; each step {often}, "
            f"up to {one['tries']} tries of each question; load up to {max((load for load in one['load'] if load is not None), default=0.0):g}"
        )
    if busy > cores * 1.5:
        text += (
            f"\n\n**The machine was busy with other work (up to {busy:g} processes wanted its {cores} cores).** Times of the wall clock are "
            "longer than they need be and scatter; read the column of processor time."
        )
    return text


def _goals(result: Result) -> str:
    rows = []
    for one in result.goals:
        if one["goal"] is None:
            continue
        at = one["at"]
        where = "" if at is None else short(at) + ("" if at == one["size"] else f" (goal is for {short(one['size'])})")
        figure, cpu = (shown(one[kind].get(str(at)), one["unit"]) for kind in ("figures", "cpu"))
        figure = f"{one['sign']} {figure} ({one['bound']})" if "bound" in one else figure
        if figure and (spread := one.get("spread", {}).get(str(at))) and spread[0] != spread[1]:
            figure += f" ({shown(spread[0])} to {shown(spread[1])})"
        rows.append(
            [
                one["what"] + (f" ({one['remark']})" if one["remark"] else ""),
                one["against"],
                where,
                figure,
                cpu,
                f"≤ {one['goal']:g}",
                f"≤ {one['stretch']:g}" if one["stretch"] is not None else "",
                _MARKS[one["verdict"]],
            ]
        )
    return _table(["What", "Against", "Claims", "Figure", "of processor time", "Goal", "Stretch", ""], rows)


def _comparisons(result: Result) -> str:
    rows = [
        [
            one["what"] + (f" ({one['remark']})" if one["remark"] else ""),
            one["against"],
            *(shown(one["figures"].get(str(size)), one["unit"]) for size in result.medians.sizes),
        ]
        for one in result.goals
        if one["figures"]
    ]
    return _table(["What", "Against", *map(short, result.medians.sizes)], rows)


def _beside(result: Result) -> str:
    rows = [
        [
            short(one.size),
            one.engine.name,
            *map(shown, (one.load_seconds, one.disk_megabytes, one.memory_megabytes)),
            *(shown(one.milliseconds[name]) for name in QUESTIONS),
        ]
        for one in beside(result.medians)
    ]
    head = ["Claims", "", "Load, s", "Disk, MB", "Memory, MB", *(f"{name}, ms" for name in QUESTIONS)]
    return _table(head, rows) if rows else "Not measured."


def _steps(result: Result) -> str:
    found: list[list[str]] = []
    medians = result.medians
    for size in medians.sizes:
        for step, kept in medians.found[size].items():
            names = dict.fromkeys(name for run in kept["runs"] for name in run["seconds"])
            for name in names:
                seconds, cpu = (each(size, step, name) for each in (medians.seconds, medians.cpu))
                found.append(
                    [short(size), f"`{step}`", name, shown(seconds), shown(cpu), shown(medians.memory(size, step))]
                )
            if kept.get("failed"):
                found.append([short(size), f"`{step}`", kept["failed"], "", "", ""])
    return _table(["Claims", "Step", "What", "Seconds", "Processor s", "Peak MB"], found)


def _expect(result: Result) -> str:
    """What a tenfold and a hundredfold would take, by the slope between the two largest sizes."""
    medians, rows = result.medians, list[list[str]]()
    for part in result.parts:
        for step, name in part.curves:
            points = [(size, one) for size in medians.sizes if (one := medians.seconds(size, step, name)) is not None]
            if len(points) < 2:
                continue
            (before, less), (last, most) = points[-2:]
            slope = math.log(most / less) / math.log(last / before)
            rows.append(
                [
                    f"`{step}` {name}",
                    f"{shown(most)} s at {short(last)}",
                    f"{slope:.2f}",
                    *(f"{shown(most * 10 ** (step_ * max(slope, 0.0)))} s" for step_ in (1, 2)),
                ]
            )
    return _table(["Step", "Measured", "Slope", "10x (extrapolated)", "100x (extrapolated)"], rows)


def _audit(result: Result) -> str:
    rows = []
    for size in result.medians.sizes:
        if counts := result.medians.counts(size, "audit.parts"):
            rows.append([short(size), *(shown(counts[name]) for name in _AUDIT)])
    return _table(["Claims", *_AUDIT], rows) if rows else "Not measured."


def _missed(result: Result) -> str:
    found = [f"- {one['what']} / {one['against']}" for one in missed(result)]
    unmeasured = [
        f"- not measured: {one['what']} / {one['against']}: {one['why']}"
        for one in result.goals
        if one["goal"] is not None and one["verdict"] == "not measured"
    ]
    return "\n".join([*found, *unmeasured]) or "None."


def missed(result: Result) -> list[Json]:
    """Goals that were measured and not met."""
    return [one for one in result.goals if one["verdict"] == "missed"]


_AUDIT: Final = ("whole", "recompute", "own", "scopes", "findings")
_MAKERS: Final[dict[str, Callable[[Result], str]]] = {
    "machine": _machine,
    "goals": _goals,
    "comparisons": _comparisons,
    "beside": _beside,
    "steps": _steps,
    "expect": _expect,
    "audit": _audit,
    "missed": _missed,
}


def unexplained(page: str, result: Result) -> list[str]:
    """Parts with a missed goal, and no section under "Where the time goes" that begins with the name of the part."""
    headings = set(re.findall(r"^### ([a-z-]+)", page, re.MULTILINE))
    return sorted({one["part"] for one in missed(result)} - headings)


def main() -> int:
    """Fill the page, draw the curves beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="+")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "performance.md")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    result = Result([json.loads(path.read_text(encoding="utf-8")) for path in options.results])
    before = options.page.read_text(encoding="utf-8")
    page = fill(before, result)
    if options.check and page != before:
        print(f"{options.page} is not what the results make of it", file=sys.stderr)
        return 1
    if not options.check:
        options.page.write_text(page, encoding="utf-8")
        draw(result.parts, result.medians, options.page.with_suffix(".svg"))
        draw_beside(result.medians, options.page.with_name(f"{options.page.stem}-beside.svg"))
    for part in unexplained(page, result):
        print(f"{options.page}: a goal of {part} is missed, and no section '### {part}' says why", file=sys.stderr)
    return int(bool(unexplained(page, result)))


if __name__ == "__main__":
    sys.exit(main())
