"""One grammar of what commands are about: words are read the same everywhere, and what a command cannot use is named.

`TAKES` is the table: for each command the kinds of input that it answers. A test holds it against what they do.
"""

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from kg.errors import UsageError
from kg.model.counting import first_of

if TYPE_CHECKING:
    from kg.answers.referent import Referent, ReferentKind, Scope
    from kg.session import Graph

TAKES: Final[dict[str, "frozenset[ReferentKind]"]] = {
    "trace": frozenset({"claim", "number", "source", "thing", "metric", "pair"}),
    "show": frozenset({"claim", "number", "source", "thing", "metric", "pair"}),
    "compare": frozenset({"claim", "number", "thing", "pair"}),
    "view": frozenset({"claim", "number", "source", "thing", "pair"}),
    "report": frozenset({"claim", "number", "source", "thing", "metric", "pair"}),
    "origins": frozenset({"claim", "number"}),
    "impact": frozenset({"claim", "number", "source", "thing", "metric"}),
    "cite": frozenset({"claim", "number", "source", "thing", "metric"}),
    "verify": frozenset({"claim", "number", "source", "thing", "metric", "pair"}),
    "audit": frozenset({"claim", "number", "source", "thing", "metric", "pair"}),
    "conflicts": frozenset({"claim", "number", "source", "thing", "metric", "pair"}),
}
_MOST_NAMED: Final = 6


def meant_by(graph: "Graph", words: Sequence[str], command: str, *, number_first: bool = False) -> "Referent":
    """What the words mean; refused where the command has no answer to it."""
    meant = graph.referent(*words, number_first=number_first)
    if meant.kind not in TAKES[command]:
        raise refused(meant, command)
    return meant


def refused(meant: "Referent", command: str) -> UsageError:
    """Why a command has nothing to say, what it takes, and which command has."""
    from kg.answers.referent import NOUNS

    *kinds, last = (noun for kind, noun in NOUNS.items() if kind in TAKES[command])
    accepted = f"{', '.join(kinds)} or {last}" if kinds else last
    if meant.kind == "nothing":
        near = f"Did you mean {', '.join(meant.near)}? " if meant.near else ""
        asked = f", kg ask {shlex.quote(meant.text)} answers it as a question" if " " in meant.text else ""
        step = f"{near}kg find {shlex.quote(meant.text)} lists what matches{asked}"
        return UsageError("is nothing that is known.", given=meant.text, expected=accepted, next_step=step)
    if meant.kind == "pair" and meant.pair is not None:
        both = f"{meant.pair[0]} and {meant.pair[1]}"
        step = f"kg compare {shlex.join(meant.pair)} lists the claims that compare them"
        return UsageError(f"is two things, {both}.", given=meant.text, expected=accepted, next_step=step)
    step = f"kg show {shlex.quote(meant.text)} lists its figures, with --wide and --format jsonl their claims"
    return UsageError(f"is {meant.noun}.", given=meant.text, expected=accepted, next_step=step)


def claims_meant(graph: "Graph", meant: "Referent") -> tuple[str, ...]:
    """The claims of a claim id or a number; a number that nobody states is refused."""
    from kg.answers.referent import claims_stating

    if meant.kind == "claim":
        return meant.ids
    found = claims_stating(graph.ask, meant.text, graph.lexicon.units)
    if not found:
        raise _unstated(meant)
    return found


def _unstated(meant: "Referent") -> UsageError:
    return UsageError("is stated by no claim.", given=meant.text, next_step=f"kg trace {shlex.quote(meant.text)}")


def scope_meant(graph: "Graph", meant: "Referent") -> "Scope":
    """The claims that words are about; a number that nobody states is refused: that nothing is wrong with it would mislead."""
    scope = graph.scope(meant)
    if meant.kind == "number" and not scope.claims:
        raise _unstated(meant)
    return scope


def _of_texts(graph: "Graph", claims: Sequence[str]) -> tuple[str, ...]:
    """The claims that a text makes: rows of published files come second everywhere."""
    from kg.answers.asking import Asker
    from kg.answers.claim import read_cards
    from kg.answers.published import published_sources

    asker = Asker(graph.ask)
    files, cards = published_sources(asker), read_cards(asker, claims)
    return tuple(name for name, card in cards.items() if card.source.id not in files)


def one_claim(graph: "Graph", meant: "Referent", command: str, tell: Callable[[str], None]) -> str:
    """The claim of an id or a number; a number of several claims is refused with their ids, unless only one is of a text."""
    found = claims_meant(graph, meant)
    if len(found) > 1 and len(of_texts := _of_texts(graph, found)) == 1:
        tell(f"{meant.text} is stated by {of_texts[0]}, and by rows of published files")
        return of_texts[0]
    if len(found) > 1:
        raise UsageError(
            f"is stated by {len(found)} claims.",
            given=meant.text,
            expected=f"one of {first_of(found, _MOST_NAMED)}",
            next_step=f"kg {command} {found[0]}; kg trace {shlex.quote(meant.text)} shows what each says",
        )
    if meant.kind == "number":
        tell(f"{meant.text} is stated by one claim, {found[0]}")
    return found[0]
