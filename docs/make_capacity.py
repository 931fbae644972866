"""Writes the capacity table of docs/scale.md from docs/capacity.json: measured rows, and what follows from their growth.

`python docs/make_capacity.py [--check]`. The file holds `{"measured": [{"claims": N, "ledger_mb": …,
"build_seconds": …, …}, …], "machine": "…", "on": "YYYY-MM-DD"}`; columns are those of the first row (`benchmarks.capacity` makes
the file). The rows for ten times the largest measurement, and for a billion triples where these were counted, follow from a
straight line through the last two measurements, and are marked as such.
"""

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- capacity:begin -->\n", "<!-- capacity:end -->\n"
BEYOND, TRIPLES = 10, 1_000_000_000


def table(given: dict[str, Any]) -> str:
    """The table as Markdown.

    >>> print(table({"machine": "a laptop", "on": "2026-01-02", "measured": [{"claims": 1000, "mb": 10}, {"claims": 2000, "mb": 19}]}))
    Measured on a laptop, 2026-01-02. Rows in *italics* were not measured: they follow from a straight line through the last two measurements.
    <BLANKLINE>
    | claims | mb |
    |---:|---:|
    | 1,000 | 10 |
    | 2,000 | 19 |
    | *20,000* | *181* |
    <BLANKLINE>
    """
    measured = given["measured"]
    columns = list(measured[0])
    lines = [
        f"Measured on {given['machine']}, {given['on']}. Rows in *italics* were not measured: they follow from a straight line through the last two measurements.",
        "",
        f"| {' | '.join(one.replace('_', ' ') for one in columns)} |",
        "|" + "---:|" * len(columns),
    ]
    lines += [f"| {' | '.join(shown(row[name]) for name in columns)} |" for row in measured]
    before, last = measured[-2:]
    for claims in beyond(before, last):
        cells = [f"*{shown(round(line(before, last, name, claims)))}*" for name in columns]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def beyond(before: dict[str, float], last: dict[str, float]) -> list[float]:
    """The numbers of claims that were not measured and have a row.

    >>> beyond({"claims": 100, "triples": 4e3}, {"claims": 200, "triples": 8e3})
    [2000, 25000000.0]
    """
    found = [last["claims"] * BEYOND]
    if "triples" in last:
        each = (last["triples"] - before["triples"]) / (last["claims"] - before["claims"])
        found.append(last["claims"] + (TRIPLES - last["triples"]) / each)
    return found


def line(before: dict[str, float], last: dict[str, float], name: str, claims: float) -> float:
    """A column at a number of claims, on the straight line through two rows."""
    slope = (last[name] - before[name]) / (last["claims"] - before["claims"])
    return last[name] + slope * (claims - last["claims"])


def shown(value: float) -> str:
    """A figure as people read it."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"


def main() -> int:
    """Write, or with --check compare."""
    page, data = HERE / "scale.md", HERE / "capacity.json"
    if not data.is_file():
        print(f"{data.name} is not there yet; nothing to do")
        return 0
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    made = before + BEGIN + table(json.loads(data.read_text(encoding="utf-8"))) + END + rest.partition(END)[2]
    if "--check" in sys.argv[1:]:
        return 0 if made == text else 1
    page.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
