"""Errors by kind with examples: figures, positions and ids; no sentence of a document."""

from typing import Final

from benchmarks.reading.score import Miss, ReadingTally

KINDS: Final = (
    ("recall", "Claims that were not found"),
    ("precision", "Figures wrongly called claims"),
    ("unit", "Wrong unit"),
    ("relation", "Wrong relation"),
    ("subject", "Wrong subject"),
    ("baseline", "Wrong baseline"),
    ("metric", "Wrong metric"),
    ("conditions", "Conditions that were missed"),
    ("statistic", "Wrong statistic"),
    ("normaliser", "Wrong normaliser"),
)
_MOST: Final = 10


def examples_text(tally: ReadingTally) -> str:
    """Each kind with its number, and ten examples spread evenly over all of them."""
    parts = []
    for name, title in KINDS:
        misses = tally.misses.get(name, [])
        parts.append(f"### {title}: {len(misses)} of {tally.asked[name]}\n")
        if misses:
            parts.append("| document | at | figure | right | proposed |\n|---|--:|---|---|---|")
            parts.extend(map(_row, misses[:: max(1, len(misses) // _MOST)][:_MOST]))
        parts.append("")
    return "\n".join(parts)


def _row(miss: Miss) -> str:
    printed = " ".join(miss.printed.split()).replace("|", "\\|")[:40]
    return f"| {miss.document} | {miss.start} | {printed} | {_short(miss.right)} | {_short(miss.proposed)} |"


def _short(text: str) -> str:
    return text.replace("|", "\\|")[:90] or "nothing"
