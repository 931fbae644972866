"""The lists of `kg ask`: its topics, and the questions of one."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.cli.options import Format, talker
from kg.cli.question_answer import FOR_PEOPLE

if TYPE_CHECKING:
    from kg.ask.question import Question


def list_questions(
    questions: "Mapping[str, Question]", topic: str | None, form: Format, limit: int | None, *, quiet: bool
) -> None:
    """The topics for people, the questions of a topic, and for programs all questions."""
    from kg.cli.render import write_rows

    rows: list[tuple[str, ...]]
    if topic is None and form in FOR_PEOPLE:
        stems: dict[str, list[str]] = {}
        for one in questions.values():
            stems.setdefault(one.topic, []).append(one.name.partition("/")[2])
        columns: tuple[str, ...] = ("topic", "questions")
        rows = [(name, ", ".join(sorted(held))) for name, held in stems.items()]
    else:
        columns = ("name", "question", "parameters")
        rows = [
            (one.name, one.question, " ".join(f"--{p.name}" if p.required else f"[--{p.name}]" for p in one.parameters))
            for one in questions.values()
            if topic in (None, one.topic)
        ]
    write_rows(columns, sorted(rows)[:limit], form)
    tell = talker(quiet)
    if limit and limit < len(rows):
        tell(
            f"cut at {limit} of {len(rows)} {columns[0]}s"
            if columns[0] == "topic"
            else f"cut at {limit} of {len(rows)} questions"
        )
    if columns[0] == "topic" and sys.stdout.isatty():
        tell("kg ask TOPIC lists the questions of a topic, kg ask NAME --help the parameters of one")
