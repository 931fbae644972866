"""How well reports are read, beside the goals.

    python -m benchmarks.reading --documents DIR --measeval DIR --reports DIR [--json FILE] [--examples FILE.md]

The curated documents are read one by one, each with what was learnt from the others and without the names that only it
brought. A part whose folder is not given is left out and said to be. A missed goal is a result, not an error.
"""

import argparse
import json
import sys
import time
from pathlib import Path

from benchmarks.reading.curated import CuratedWorld, measure_source
from benchmarks.reading.examples import examples_text
from benchmarks.reading.measeval import measure_measeval, our_reader, our_units, quantulum_reader, read_measeval
from benchmarks.reading.pages import measure_pages
from benchmarks.reading.score import ReadingTally, f1
from kg.content.entities import read_registry
from kg.content.folders import find_content
from kg.content.vocabulary import read_vocabulary
from kg.reading.figures import find_figures
from kg.reading.knowledge import ReadingKnowledge
from kg.reading.propose import propose
from kg.reading.report import read_report

GOALS = {
    "figures, F1": 0.95,
    "unit": 0.95,
    "relation": 0.90,
    "subject": 0.75,
    "subject in three": 0.92,
    "metric": 0.70,
    "metric in three": 0.90,
    "baseline": 0.85,
    "conditions": 0.70,
    "core fields": 0.50,
    "all fields": 0.50,
}
ROWS = (*GOALS, "conditions proposed", "level", "statistic", "normaliser", "modality")
LONGEST = "ml-engineering-accelerators.md"


def _share(tally: ReadingTally, name: str) -> float | None:
    if name == "figures, F1":
        return f1(tally.share("precision"), tally.share("recall"))
    return tally.share(name)


def table_text(title: str, columns: dict[str, ReadingTally]) -> str:
    """A table in Markdown: one row a measure, one column a document, goals beside."""
    lines = [f"### {title}", "", "| | goal | " + " | ".join(columns) + " |", "|---|--:|" + "--:|" * len(columns)]
    for name in ROWS:
        shares = [_share(tally, name) for tally in columns.values()]
        if any(share is not None for share in shares):
            goal = f"{GOALS[name]:.2f}" if name in GOALS else ""
            shown = " | ".join("–" if share is None else f"{share:.2f}" for share in shares)
            lines.append(f"| {name} | {goal} | {shown} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure what there is and print it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("documents", "measeval", "reports", "json", "examples"):
        options.add_argument(f"--{name}", type=Path)
    given = options.parse_args()
    parts: list[tuple[str, dict[str, ReadingTally]]] = []
    if given.documents:
        parts += _curated(given.documents)
    content = find_content()
    knowledge = ReadingKnowledge.from_content(read_registry(content), read_vocabulary(content))
    if given.reports:
        pages = measure_pages(given.reports, knowledge)
        parts.append(("Annotated pages of other reports", {**pages, "all": ReadingTally().add(pages.values())}))
    for title, columns in parts:
        print(table_text(title, columns))
    if given.measeval:
        print(_measeval(given.measeval, knowledge))
    if given.reports:
        print(_time(given.reports / LONGEST, knowledge))
    for name in ("documents", "reports", "measeval"):
        if getattr(given, name) is None:
            print(f"not measured: --{name} was not given")
    print("What a language model adds: not measured (none is here).")
    if given.json:
        shares = {title: {name: dict(tally.right) for name, tally in columns.items()} for title, columns in parts}
        given.json.write_text(json.dumps(shares, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if given.examples:
        whole = [columns["all"] for title, columns in parts if not title.startswith("Figures as curated")]
        given.examples.write_text(examples_text(ReadingTally().add(whole)), encoding="utf-8")
    return 0


def _curated(folder: Path) -> list[tuple[str, dict[str, ReadingTally]]]:
    world = CuratedWorld.read(folder)
    measured = {source.rpartition("/")[2]: measure_source(world, source) for source in world.sources}
    parts = []
    for title, kind in (("Curated documents, whole way", "found"), ("Figures as curated, fields alone", "given")):
        columns = {name: tallies[kind] for name, tallies in measured.items()}
        parts.append((title, {**columns, "all": ReadingTally().add(columns.values())}))
    return parts


def _measeval(folder: Path, knowledge: ReadingKnowledge) -> str:
    texts = list(read_measeval(folder))
    units = knowledge.vocabulary.units
    lines = [
        "### MeasEval train and trial",
        "",
        "| | precision | recall | F1 | unit right | s |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    read, unit = quantulum_reader()
    for name, reader, unit_of in (("accelkg", our_reader(units), our_units(units)), ("quantulum3", read, unit)):
        tally, seconds = measure_measeval(texts, reader, unit_of)
        precision, recall, right = (tally.share(one) or 0.0 for one in ("precision", "recall", "unit"))
        total = f1(precision, recall) or 0.0
        lines.append(
            f"| {name} | {precision:.2f} | {recall:.2f} | {total:.2f} | {right:.2f} of {tally.asked['unit']} | {seconds:.1f} |"
        )
    return "\n".join(lines) + "\n"


def _time(path: Path, knowledge: ReadingKnowledge) -> str:
    report = read_report(path)
    started = time.process_time()
    figures = find_figures(report, knowledge.vocabulary.units, knowledge.names)
    found = time.process_time() - started
    propose(report, figures, knowledge)
    seconds = time.process_time() - started
    words = len(report.text.split())
    return (
        f"{words:,} words and {len(figures):,} figures: {found:.1f} s of processor time to find the figures, {seconds - found:.1f} s for their"
        f" candidates; for 20,000 words {seconds * 20_000 / words:.1f} s, goal 5 s\n"
    )


if __name__ == "__main__":
    sys.exit(main())
