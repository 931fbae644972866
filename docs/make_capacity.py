"""Writes the capacity table of docs/scale.md from docs/capacity.json: measured rows, and what follows from their growth.

`python docs/make_capacity.py [--check]`. The file holds `{"measured": [{"claims": N, "ledger_mb": …,
"build_seconds": …, …}, …], "machine": "…", "on": "YYYY-MM-DD"}`; columns are those of the first row (`benchmarks.capacity` makes
the file). The row for ten times the largest measurement follows from a straight line through the last two, and is marked as such.
"""

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BEGIN, END = "<!-- capacity:begin -->\n", "<!-- capacity:end -->\n"
BEYOND = (10,)


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
    for factor in BEYOND:
        claims = last["claims"] * factor
        cells = []
        for name in columns:
            slope = (last[name] - before[name]) / (last["claims"] - before["claims"])
            cells.append(f"*{shown(round(last[name] + slope * (claims - last['claims'])))}*")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


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
