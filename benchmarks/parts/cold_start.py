"""From the start of a process to the first answer, on a built store, against programs that do no more than ask."""

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.cold_start import BARE_SCRIPT, KG, TYPER_PROGRAM, as_installed, measure, recorded_queries
from benchmarks.parts.part import Goal, Meter, Part, Step, Work, compared, digest
from benchmarks.parts.world import NAMES

if TYPE_CHECKING:
    from kg.session import Graph

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout that is measured: an installed `kg` may be another one."""
SQLITE_SCRIPT: Final = """
import json, sqlite3, sys
connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(sum(len(connection.execute(text, values).fetchall()) for text, values in json.load(open(sys.argv[2]))))
"""


def compared_in_full(graph: "Graph") -> None:
    """What `kg compare` asks: what the names mean, the claims, and what published results give for their ratios."""
    graph.referent(*NAMES)
    found = graph.compare(*NAMES)
    graph.verified([claim.id for claim in found.claims if claim.ratio is not None])


def start(work: Work, meter: Meter) -> None:
    """All programs in turns; each is a process of its own, and the rows of kg are compared with those of the script."""
    from benchmarks import peers
    from benchmarks.parts.tables import COMPARE, compare_rows
    from kg.model.names import name_key

    with peers.opened(work):  # refuses a store of other content
        pass
    live, texts = recorded_queries(work.store, compared_in_full)
    folder = work.folder / "started"
    folder.mkdir(exist_ok=True)
    a, b = (name_key(one) for one in NAMES)
    (folder / "queries.json").write_text(json.dumps(texts), encoding="utf-8")
    (folder / "sql.json").write_text(json.dumps([[COMPARE, [a, b, b, a]]]), encoding="utf-8")
    for name, text in (("bare", BARE_SCRIPT), ("typed", TYPER_PROGRAM), ("sqlite", SQLITE_SCRIPT)):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    same = [str(live), str(folder / "queries.json")]
    compare = [str(KG), "compare", *NAMES]
    environment = as_installed(folder, work.store) | {"PYTHONPATH": str(ROOT)}
    commands = {
        "kg compare": compare,
        "typer program": [sys.executable, str(folder / "typed.py"), *same],
        "bare script": [sys.executable, str(folder / "bare.py"), *same],
        "sqlite3 script": [
            sys.executable,
            str(folder / "sqlite.py"),
            str(work.tables / "facts.sqlite"),
            str(folder / "sql.json"),
        ],
        "kg --help": [str(KG), "--help"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    meter.seconds |= measure(commands, environment, max(meter.tries, 1))
    told = subprocess.run([*compare, "--format", "json"], env=environment, check=True, stdout=subprocess.PIPE).stdout
    meter.answers["compare"] = digest(
        (one["id"], one["orientation"], one["metric"], one["subject"]["id"], one["baseline"]["id"])
        for one in json.loads(told)["claims"]
    )
    with peers.sqlite(work) as sql:
        if meter.answers["compare"] != digest(compare_rows(sql, *NAMES)):
            raise AssertionError("the SQL script finds other rows than kg compare")


def _goal(
    what: str, against: str, under: str, goal: float | None, stretch: float | None, over: str = "kg compare"
) -> Goal:
    return compared(
        what, against, ("cold-start.all", over), ("cold-start.all", under), goal=goal, stretch=stretch, size=100_000
    )


PART = Part(
    "cold-start",
    "From the start of a process to the first answer",
    (Step("cold-start.all", start, ("store", "tables")),),
    (
        _goal(
            "process start to first answer (kg compare)",
            "a one-command typer program, same store and queries",
            "typer program",
            1.3,
            1.1,
        ),
        _goal("the same", "a script without typer, same store and queries", "bare script", None, None),
        _goal("the same", "a bare sqlite3 script", "sqlite3 script", None, None),
        _goal("kg --help", "bare Python start", "python -c pass", 4, 2.5, over="kg --help"),
    ),
    (("cold-start.all", "kg compare"), ("cold-start.all", "typer program")),
)
