"""What a user would pick, side by side: how long each takes to load the same claims, what it takes on disk and in memory, and how long it answers.

Nothing is measured here: this says which figures of which steps stand in a row of the table and in the picture.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.parts.judging import Medians

Figure = tuple[str, str]
"""A step, and the name of what it measured."""
QUESTIONS: Final = ("compare", "trace", "conflicts", "best")


@dataclass(frozen=True, slots=True)
class Engine:
    """One row."""

    name: str
    load: Figure
    disk: Figure | None
    """None: it keeps nothing."""
    memory: str | None
    """The step whose peak is that of answering; None where a server does the work."""
    asked: dict[str, Figure] = field(default_factory=dict)
    """By question; what is missing was not asked."""


def _all(step: str, *names: str) -> dict[str, Figure]:
    return {name: (step, name) for name in names}


def _lists(peer: str) -> dict[str, Figure]:
    return {"conflicts": (f"conflicts.{peer}", "conflicts"), "best": (f"best.{peer}", "best")}


ENGINES: Final = (
    Engine(
        "kg: RDF view (Oxigraph), with the audit",
        ("build.kg", "build with audit"),
        ("build.kg", "bytes"),
        "lookup.kg",
        {**_all("lookup.kg", "compare", "trace"), **_lists("sparql")},
    ),
    Engine(
        "kg: property graph (Ladybug), from the audited ledger",
        ("make.graph", "graph"),
        ("make.graph", "disk"),
        "cypher.ladybug",
        {**_all("cypher.ladybug", "compare", "trace"), **_lists("cypher")},
    ),
    Engine(
        "Oxigraph alone",
        ("build.oxigraph", "load"),
        None,
        "lookup.oxigraph",
        _all("lookup.oxigraph", "compare", "trace"),
    ),
    Engine("Ladybug alone", ("make.graph", "graph"), None, "cypher.raw", _all("cypher.raw", "compare", "trace")),
    Engine(
        "rdflib, in memory", ("build.rdflib", "parse"), None, "lookup.rdflib", _all("lookup.rdflib", "compare", "trace")
    ),
    Engine(
        "Neo4j Community, by `kg push`",
        ("cypher.neo4j", "push"),
        ("cypher.neo4j", "disk"),
        None,
        _all("cypher.neo4j", *QUESTIONS),
    ),
    Engine(
        "ArcadeDB, embedded",
        ("make.arcadedb", "load"),
        ("make.arcadedb", "disk"),
        "cypher.arcadedb",
        _all("cypher.arcadedb", *QUESTIONS),
    ),
    *(
        Engine(
            f"{shown}, tables for these questions",
            ("make.tables", name),
            ("make.tables", name),
            f"lookup.{name}",
            {**_all(f"lookup.{name}", "compare", "trace"), **_lists(name)},
        )
        for name, shown in (("duckdb", "DuckDB"), ("sqlite", "SQLite"))
    ),
)


@dataclass(frozen=True, slots=True)
class Beside:
    """The figures of one engine at one size; None where it was not measured."""

    engine: Engine
    size: int
    load_seconds: float | None
    disk_megabytes: float | None
    memory_megabytes: float | None
    milliseconds: dict[str, float | None]

    @property
    def is_measured(self) -> bool:
        """Whether anything was asked of it."""
        return any(one is not None for one in self.milliseconds.values())


def beside(medians: Medians, engines: Sequence[Engine] = ENGINES) -> Iterator[Beside]:
    """Every engine at every size at which it was asked something."""
    for size in medians.sizes:
        for engine in engines:
            found = _beside(medians, size, engine)
            if found.is_measured:
                yield found


def _beside(medians: Medians, size: int, engine: Engine) -> Beside:
    disk = medians.count(size, *engine.disk) if engine.disk else None
    seconds = {name: medians.seconds(size, *figure) for name, figure in engine.asked.items()}
    return Beside(
        engine,
        size,
        medians.seconds(size, *engine.load),
        disk / 1e6 if disk is not None and engine.disk is not None and engine.disk[1] == "bytes" else disk,
        medians.memory(size, engine.memory) if engine.memory else None,
        {name: None if (one := seconds.get(name)) is None else one * 1000 for name in QUESTIONS},
    )


def draw_beside(medians: Medians, path: Path) -> bool:
    """The whole table as a picture: a panel a column, a bar an engine, at the largest size that most were asked at."""
    try:
        import matplotlib as mpl
    except ImportError:
        return False
    rows = _drawn(list(beside(medians)))
    if not rows:
        return False
    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "accelkg", "svg.fonttype": "none"})
    from matplotlib import pyplot

    panels: dict[str, list[float | None]] = {
        "load, seconds": [one.load_seconds for one in rows],
        "disk, MB": [one.disk_megabytes for one in rows],
        "memory, MB": [one.memory_megabytes for one in rows],
        **{f"{name}, ms": [one.milliseconds[name] for one in rows] for name in QUESTIONS},
    }
    figure, axes = pyplot.subplots(
        1, len(panels), figsize=(15, 0.42 * len(rows) + 1.2), sharey=True, layout="constrained"
    )
    places: list[Any] = list(axes.flat)
    for place, (title, values) in zip(places, panels.items(), strict=True):
        _panel(place, title, values)
    places[0].set_yticks(range(len(rows)), [one.engine.name.replace("`", "") for one in rows], fontsize=8)
    places[0].invert_yaxis()
    figure.suptitle(
        f"{rows[0].size:,} claims; bars are logarithmic, less is better; no bar: not measured",
        fontsize=9,
        x=0.01,
        ha="left",
    )
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return True


def _panel(place: Any, title: str, values: "list[float | None]") -> None:
    known = [one for one in values if one]
    place.set_title(title, fontsize=9, loc="left")
    place.set_xscale("log")
    if known:
        least = min(known) / 3  # a bar of the least figure is seen too
        place.set_xlim(least, max(known) * 8)
        for number, value in enumerate(values):
            if value:
                place.barh(number, value - least, left=least, color="#0072b2" if number < 2 else "#9aa5b1", height=0.7)
                place.text(
                    value * 1.15, number, f"{value:,.3g}" if value < 1000 else f"{value:,.0f}", va="center", fontsize=7
                )
    place.set_xticks([], minor=True)
    place.set_xticks([])
    for side in ("top", "right", "bottom"):
        place.spines[side].set_visible(False)


def _drawn(rows: "list[Beside]") -> "list[Beside]":
    by_size: dict[int, list[Beside]] = {}
    for one in rows:
        by_size.setdefault(one.size, []).append(one)
    return max(by_size.values(), key=lambda some: (len(some), some[0].size), default=[])
