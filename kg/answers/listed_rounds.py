"""Whether the results that a store holds are those of whole rounds."""

from pathlib import Path
from typing import Final

from kg.ask.question import Question
from kg.ledger.loads import listed_origins
from kg.model.state_file import StateDamaged

SHIPPED_RESULTS: Final = (
    "of the results that the shipped content lists: kg load mlperf-inference FILE adds those of a whole round"
)


def part_of_results(question: Question, folder: Path, server: object = None) -> str | None:
    """What the rows of a question on benchmarks say of no round; None where a round was loaded, and for any other question.

    Of a server, or with a damaged list of what was loaded, it is not known, which counts as loaded.
    """
    return part_listed(folder, server) if question.topic == "benchmarks" else None


def part_listed(folder: Path, server: object = None) -> str | None:
    """The same of any answer that sums up official results."""
    if server is not None:
        return None
    try:
        origins = listed_origins(folder / "ledger")
    except StateDamaged:
        return None
    return None if any(one.startswith("mlperf-") for one in origins) else SHIPPED_RESULTS
