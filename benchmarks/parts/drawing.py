"""The growth curves as one picture: a panel for each part, both axes logarithmic. Needs the extra `charts`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.parts.judging import Medians
from benchmarks.parts.part import Part

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = "os^Dv*X"


def draw(parts: Iterable[Part], medians: Medians, path: Path) -> bool:
    """Draw what was measured; false when there is nothing, or matplotlib is not installed."""
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "accelkg", "svg.fonttype": "none"})
    from matplotlib import pyplot
    from matplotlib.ticker import NullFormatter

    panels = [(part, lines) for part in parts if (lines := _lines(part, medians))]
    if not panels:
        return False
    sizes, rows = list(medians.sizes), -(-len(panels) // 2)
    figure, axes = pyplot.subplots(rows, 2, figsize=(11, 3.4 * rows), squeeze=False, layout="constrained")
    places: list[Any] = list(axes.flat)
    for place, (part, lines) in zip(places, panels, strict=False):
        for number, (name, points) in enumerate(lines.items()):
            place.loglog(
                [size for size, _ in points],
                [seconds * 1000 for _, seconds in points],
                label=name,
                color=COLOURS[number % len(COLOURS)],
                marker=MARKS[number % len(MARKS)],
                markersize=4,
            )
        place.set_xlim(sizes[0] / 1.6, sizes[-1] * 1.6)
        place.set_xticks(sizes, [f"{size:,}" for size in sizes])
        place.set_xticks([], minor=True)
        place.yaxis.set_minor_formatter(NullFormatter())
        place.set_title(part.title, fontsize=10, loc="left")
        place.set_xlabel("claims", fontsize=8)
        place.set_ylabel("milliseconds", fontsize=8)
        place.grid(visible=True, which="major", linewidth=0.3)
        place.tick_params(labelsize=8)
        place.legend(fontsize=7, frameon=False)
    for place in places[len(panels) :]:
        place.remove()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)
    return True


def _lines(part: Part, medians: Medians) -> dict[str, list[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = {}
    for step, name in part.curves:
        points = [(size, value) for size in medians.sizes if (value := medians.seconds(size, step, name)) is not None]
        if points:
            found[f"{step.partition('.')[2]}: {name}"] = points
    return found
