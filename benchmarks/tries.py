"""How many commands an analyst types until the answer is on the screen, counted over forty questions.

    python -m benchmarks.tries [--all]      (the store is that of KG_STORE; --all takes those that need published files too)

The questions, the commands in the order in which they are typed, and what an answer has to hold are in
`tests/cases/analyst-questions.yaml`. A question that none of its commands answers counts one more than it has.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

QUESTIONS = Path(__file__).resolve().parents[1] / "tests" / "cases" / "analyst-questions.yaml"
GOAL = 1.3
Run = Callable[[Sequence[str]], str]
"""Runs `kg` with some words and gives what it shows."""


class AnalystQuestion(NamedTuple):
    """A question in words, the commands typed for it one after the other, and what the answer holds."""

    question: str
    types: tuple[tuple[str, ...], ...]
    holds: tuple[str, ...]
    published: bool


class Tries(NamedTuple):
    """A question with the number of commands it took; one more than were typed where none answers."""

    asked: AnalystQuestion
    commands: int

    @property
    def answered(self) -> bool:
        """Whether a command gave the answer."""
        return self.commands <= len(self.asked.types)


def read_analyst_questions(path: Path = QUESTIONS) -> tuple[AnalystQuestion, ...]:
    """The questions of the file."""
    return tuple(map(_question, yaml.safe_load(path.read_text(encoding="utf-8"))["questions"]))


def _question(given: dict[str, Any]) -> AnalystQuestion:
    types = tuple(tuple(map(str, words)) for words in given["types"])
    return AnalystQuestion(given["question"], types, tuple(given["holds"]), given.get("published", False))


def holds(output: str, patterns: Iterable[str]) -> bool:
    r"""Whether a text holds all patterns, however its lines are folded.

    >>> holds("the rate is\n  wrong", ["rate is wrong"]), holds("nothing", ["rate"])
    (True, False)
    """
    folded = " ".join(output.split())
    return all(re.search(one, folded) for one in patterns)


def count_tries(questions: Iterable[AnalystQuestion], run: Run) -> Iterator[Tries]:
    """Type the commands of each question until one shows the answer."""
    for asked in questions:
        shown = (place for place, words in enumerate(asked.types, 1) if holds(run(words), asked.holds))
        yield Tries(asked, next(shown, len(asked.types) + 1))


def mean(counted: Sequence[Tries]) -> float:
    """The mean number of commands."""
    return sum(one.commands for one in counted) / len(counted)


def _kg(words: Sequence[str]) -> str:
    command = [sys.executable, "-m", "kg", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=False)
    return done.stdout + done.stderr


def main(arguments: Sequence[str]) -> int:
    """One line a question, then the mean; exit code 1 above the goal."""
    questions = [one for one in read_analyst_questions() if "--all" in arguments or not one.published]
    counted = []
    for one in count_tries(questions, _kg):
        counted.append(one)
        print(
            f"{one.commands if one.answered else 'none'}\t{one.asked.question}\tkg {' '.join(one.asked.types[0])}",
            flush=True,
        )
    print(f"{mean(counted):.2f} commands on average, {sum(not one.answered for one in counted)} without an answer")
    return int(mean(counted) > GOAL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
