"""Why no saved question is taken for plain words: another command answers them, or several questions may be meant.

`kg.ask.wording` decides that; here is what the reader is told, and what is offered to type instead.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kg.ask.exclusions import exceptions_in
from kg.ask.mentions import is_small
from kg.ask.named_words import LONGEST_NAME
from kg.ask.question_fit import AskedWords, PassedOver, WordReading
from kg.errors import UsageError
from kg.model.names import name_key

_MOST_OFFERED: Final = 3
OFFERED: Final = 0.02
"""The least probability of a question that is offered where none is meant for certain."""
_OF_ONE_THING: Final[Mapping[str, str]] = {"audit": "conflicts", "disputes": "conflicts", "origins": "audit"}
"""The command that answers of one thing where the questions of a topic are about all."""


class UnsureQuestion(UsageError):
    """Plain words that may mean several saved questions, or none."""

    code = "question.unsure"
    command: str | None = None
    """The other command that answers them."""
    left_over: Sequence[str] = ()
    """What was named and that command does not take."""
    figures: Sequence[str] = ()
    """The figures among the words: where one was printed may be what is asked."""
    traced_about: Sequence[str] = ()
    """What was named with a figure: its claims are those about it."""


def answered_elsewhere(text: str, asked: AskedWords, figures: Sequence[str], command: str) -> UnsureQuestion:
    """Why no question is taken: another command answers the words."""
    elsewhere = UnsureQuestion("is answered by another command.", given=text, next_step=command)
    elsewhere.command, elsewhere.figures = command, figures
    given = shlex.split(command)
    named = (one for one in asked.mentions if one.slot is not None)
    elsewhere.left_over = tuple(one.key for one in named if one.key not in given and not set(one.ids) & set(given))
    elsewhere.traced_about = _names_typed(text, asked)
    return elsewhere


def asked_back(
    text: str,
    asked: AskedWords,
    figures: Sequence[str],
    readings: Sequence[WordReading],
    left: Sequence[PassedOver],
) -> UnsureQuestion:
    """Why no question is taken: what may be meant, three commands to choose from, and what none of them takes up."""
    traced = (shlex.join(["kg", "trace", one]) for one in figures if not is_small(one))
    near = [*traced, *_likely_commands(readings)][:_MOST_OFFERED]
    missed = [word for word in (left[0].all if left else ()) if all(word in one.all for one in left)]
    bounds = asked.bounds
    unfound = (*bounds, *exceptions_in(text))
    near += [shlex.join(["kg", "find", word]) for word in missed if word in left[0].named and word not in unfound][:1]
    message = "may mean several questions." if near else "is no question that is saved."
    if missed:
        message = f"may mean several questions, of which none takes up {', '.join(missed)}."
    unsure = UnsureQuestion(
        message,
        given=text,
        next_step="\n  ".join(("try one of these:", *near)) if near else "kg ask lists the topics of what can be asked",
    )
    unsure.figures = figures
    unsure.traced_about = _names_typed(text, asked)
    return unsure


def _names_typed(text: str, asked: AskedWords) -> tuple[str, ...]:
    """The things, speakers and sources among the words, as they were typed; a source by its digits as its id."""
    words = [word.strip(".,;:?!()\"'") for word in text.split()]
    spans = ((start, start + length) for start in range(len(words)) for length in range(1, LONGEST_NAME + 1))
    typed = {name_key(one): one for start, end in spans for one in [" ".join(words[start:end])]}
    named = (one for one in asked.mentions if one.slot not in (None, "CLAIM") or one.kinds == {"precision"})
    return tuple(dict.fromkeys(typed.get(one.key, one.key) for one in named))


def _likely_commands(readings: Sequence[WordReading]) -> Iterator[str]:
    """What to type where nothing is meant for certain: questions that know a word that was said, and commands for what was named."""
    offered = likely(readings)
    yield from (one.command for one in offered if not one.ignored)
    yield from (f"{one.command}   (of all things)" for one in offered[:1] if one.ignored)
    commands = dict.fromkeys(_OF_ONE_THING.get(one.question.topic, "show") for one in offered if one.ignored)
    for name in _ignored_names((*offered, *readings[:3])):
        yield from (shlex.join(["kg", command, name]) for command in commands or ("show",))


def likely(readings: Sequence[WordReading]) -> list[WordReading]:
    """The three to offer."""
    return [one for one in readings if one.share >= OFFERED][:3]


def _ignored_names(readings: Iterable[WordReading]) -> list[str]:
    """What was named and no question takes, each once; a date or a bound is no name."""
    return list(
        dict.fromkeys(
            name for one in readings for name in one.ignored if not name[:4].isdigit() and name[0] not in "<>"
        )
    )
