"""How long a person waits: `kg trace 72428` on a built store, `kg --help` and `kg --version`, against plain programs.

    python -m benchmarks.cold_start [--runs N] [--json FILE]

`kg trace` is compared with a one-command typer program and with a bare script that open the same store and run the same
queries (recorded from one trace); help and version with `python -c pass`. All programs take turns, and medians count.
Exit 1 when a ratio is over its limit.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.session import Graph

NUMBER = "72428"
TRACE_LIMIT = 1.3
HELP_LIMIT = 4.0
KG = Path(sys.executable).with_name("kg")

BARE = """
import json, sys
import pyoxigraph
def run(folder, queries):
    store = pyoxigraph.Store.read_only(folder)
    return [[tuple(row) for row in store.query(text)] for text in json.load(open(queries))]
"""
BARE_SCRIPT = BARE + "print(sum(map(len, run(sys.argv[1], sys.argv[2]))))\n"
TYPER_PROGRAM = (
    BARE
    + """
import typer
app = typer.Typer()
@app.command()
def trace(folder: str, queries: str) -> None:
    typer.echo(sum(map(len, run(folder, queries))))
app()
"""
)


def recorded_queries(store: Path, command: "Callable[[Graph], object]") -> tuple[Path, list[str]]:
    """The live generation of a built store, and the texts of the queries that a command runs, each once."""
    from kg.session import open_graph
    from kg.stores.oxigraph import OxigraphStore

    texts: list[str] = []
    select = OxigraphStore.select

    def recording(self: OxigraphStore, text: str, **options: Any) -> Any:
        texts.append(text)
        return select(self, text, **options)

    graph = open_graph(store)
    OxigraphStore.select = recording  # type: ignore[method-assign]
    try:
        command(graph)
    finally:
        OxigraphStore.select = select  # type: ignore[method-assign]
    live = Path(graph.folder) / "rdf" / str(graph.stamp["generation"])
    graph.close()
    return live, list(dict.fromkeys(texts))


def as_installed(folder: Path, store: Path) -> dict[str, str]:
    """The environment of a start: modules of a checkout are compiled once, as those of an installed package are."""
    environment = {**os.environ, "KG_STORE": str(store), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def seconds(command: list[str], environment: dict[str, str]) -> float:
    started = perf_counter()
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    taken = perf_counter() - started
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    return taken


def measure(commands: dict[str, list[str]], environment: dict[str, str], runs: int) -> dict[str, float]:
    """Medians of runs taken in turns, after two turns that warm the caches."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 2):
        for name, command in commands.items():
            once = seconds(command, environment)
            if turn >= 2:
                taken[name].append(once)
    return {name: median(values) for name, values in taken.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="accelkg-bench-") as name:
        folder = Path(name)
        environment = as_installed(folder, folder / "store")
        subprocess.run([KG, "build", "--quiet"], env=environment, check=True)
        live, texts = recorded_queries(folder / "store", lambda graph: graph.trace(NUMBER))
        (folder / "queries.json").write_text(json.dumps(texts), encoding="utf-8")
        (folder / "bare.py").write_text(BARE_SCRIPT, encoding="utf-8")
        (folder / "typed.py").write_text(TYPER_PROGRAM, encoding="utf-8")
        same = [str(live), str(folder / "queries.json")]
        commands = {
            "kg trace": [str(KG), "trace", NUMBER],
            "typer program": [sys.executable, str(folder / "typed.py"), *same],
            "bare script": [sys.executable, str(folder / "bare.py"), *same],
            "kg --help": [str(KG), "--help"],
            "kg --version": [str(KG), "--version"],
            "python -c pass": [sys.executable, "-c", "pass"],
        }
        found = measure(commands, environment, options.runs)

    ratios = {
        "kg trace / typer program": (found["kg trace"] / found["typer program"], TRACE_LIMIT),
        "kg trace / bare script": (found["kg trace"] / found["bare script"], None),
        "kg --help / python": (found["kg --help"] / found["python -c pass"], HELP_LIMIT),
        "kg --version / python": (found["kg --version"] / found["python -c pass"], HELP_LIMIT),
    }
    print(f"medians of {options.runs} runs in turns; {len(texts)} queries in a trace")
    for name, value in found.items():
        print(f"  {name:<26}{value * 1000:8.1f} ms")
    for name, (ratio, limit) in ratios.items():
        print(f"  {name:<26}{ratio:8.2f}" + (f"   (at most {limit})" if limit else "   (for comparison)"))
    if options.json:
        result = {
            "milliseconds": {k: v * 1000 for k, v in found.items()},
            "ratios": {k: v for k, (v, _) in ratios.items()},
            "queries": len(texts),
            "runs": options.runs,
        }
        options.json.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return int(any(limit is not None and ratio > limit for ratio, limit in ratios.values()))


if __name__ == "__main__":
    sys.exit(main())
