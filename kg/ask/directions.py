"""Which of two names comes first: who cites and who is cited, the earlier of two rounds.

Of "who quotes 000" and "what does 000 quote" the rows are those of opposite directions. Words that ask for no change, or for
training, mean no rows of changes or of inference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from kg.ask.kept_rows import FigureOrder, edition_of
from kg.ask.mentions import RESULT, speaks_of_systems
from kg.ask.plain_words import plain_stem
from kg.ask.question_fit import IGNORED, AskedWords, WordReading
from kg.ask.row_filters import RowFilter

_CHANGES: Final = "benchmarks/changes"
_BETWEEN_ROUNDS: Final = frozenset({_CHANGES, "benchmarks/rounds"})
_OF_INFERENCE: Final = "benchmarks/best"
"""Its rows are rates: a time to train is the best of its number of accelerators only, so that none is computed of them."""
_BETTER: Final = "better"
"""The parameter of a question whose rows are of metrics of one direction."""
_TRAIN: Final = plain_stem("training")
_OF_CHANGE: Final = frozenset(
    map(
        plain_stem,
        [
            "change",
            "differ",
            "difference",
            "move",
            "moved",
            "rise",
            "rose",
            "risen",
            "fall",
            "fell",
            "improve",
            "faster",
            "slower",
            "better",
            "worse",
            "gain",
            "progress",
            "compare",
            "comparable",
            "increase",
            "grow",
            "drop",
            "drift",
            "trend",
            "history",
            "successive",
            "later",
            "newer",
            "since",
            "before",
            "between",
            "from",
            "to",
            "up",
            "down",
            "than",
            "vs",
            "against",
        ],
    )
)
"""Words without which one round is asked for its results and not for what it changed: only part of them have one before."""
_MEASURED: Final = "benchmarks/measured"
_FASTEST_FIRST: Final[Mapping[str, FigureOrder]] = {_MEASURED: "highest", "benchmarks/measured-times": "lowest"}
"""Of a rate more is faster, of a time to train less."""
_FASTEST: Final = re.compile(r"\b(?:fastest|quickest|shortest|best|top|record)\b", re.IGNORECASE)
_CITING: Final = "sources/citing"
_VERBS: Final = frozenset(map(plain_stem, ("cite", "quote", "quotes", "rely", "refer", "refers")))
_PASSIVE: Final = frozenset({"is", "are", "was", "been", "be"})
_OF_THE_CITING: Final = frozenset({"by", "in", "within"})
"""Words before the text that cites: "quoted by 000", "cited in 000"."""


def takes_direction(reading: WordReading, better: Mapping[str, str]) -> bool:
    """Whether a question of one direction takes the metrics that it was given: of training compute less is not better."""
    wanted = next((one.default for one in reading.question.parameters if one.name == _BETTER), None)
    return wanted is None or all(better.get(one, wanted) == wanted for one in reading.metrics)


def directed(reading: WordReading, asked: AskedWords) -> WordReading:
    """The reading with what is named in the direction that is asked for."""
    name = reading.question.name
    if name == _OF_INFERENCE and _TRAIN in asked.stems:
        return replace(reading, score=reading.score + IGNORED)
    if name in _FASTEST_FIRST and _FASTEST.search(asked.text) and not any(one.order for one in reading.filters):
        by = RESULT if name == _MEASURED and speaks_of_systems(asked.text) else ""
        return replace(reading, filters=(*reading.filters, RowFilter(order=_FASTEST_FIRST[name], by=by)))
    if name in _BETWEEN_ROUNDS and _asks_one_round(asked):
        return replace(reading, score=reading.score + 2 * IGNORED)
    if name == _CHANGES:
        return _between_rounds(reading, asked)
    return _of_citing(reading, asked) if reading.question.name == _CITING else reading


def _asks_one_round(asked: AskedWords) -> bool:
    """Whether words name one round and say nothing of another or of a change."""
    rounds = sum(one.kinds == {"round"} for one in asked.mentions)
    return rounds == 1 and _OF_CHANGE.isdisjoint(asked.stems)


def _between_rounds(reading: WordReading, asked: AskedWords) -> WordReading:
    """Two rounds are the earlier and the later one, in either order of their names; there are no rows of both."""
    named = sorted({one.ids[0] for one in asked.mentions if one.kinds == {"round"}}, key=edition_of)
    if len(named) != 2:
        return reading
    filters = tuple(one for one in reading.filters if one.kinds != {"round"})
    return replace(reading, values={**reading.values, "previous_round": named[0], "round": named[1]}, filters=filters)


def _of_citing(reading: WordReading, asked: AskedWords) -> WordReading:
    """Each text is the one that cites or the one that is cited, as the words say."""
    named = [one.ids[0] for one in asked.mentions if one.slot == "SOURCE" and one.ids[0].startswith("source/")]
    cited = cited_places(asked.stems)
    values = {"origin" if is_cited else "source": name for name, is_cited in zip(named, cited, strict=False)}
    return replace(reading, values=values) if named and len(values) == len(named) else reading


def cited_places(stems: Sequence[str]) -> list[bool]:
    """Of each text in the words whether it is the one that is cited.

    >>> cited_places(["who", "cite", "SOURCE"]), cited_places(["what", "does", "SOURCE", "cite"])
    ([True], [False])
    >>> cited_places(["is", "SOURCE", "cite", "by", "SOURCE"]), cited_places(["does", "SOURCE", "cite", "SOURCE"])
    ([True, False], [False, True])
    """
    verb = next((place for place, word in enumerate(stems) if word in _VERBS), None)
    if verb is None:
        return []
    # "is 000 cited" turns it round; "what is cited in 000" says so by "in"
    is_passive = not _PASSIVE.isdisjoint(stems[:verb])
    found = []
    for place, word in enumerate(stems):
        if word == "SOURCE":
            of_the_citing = _OF_THE_CITING.intersection(stems[verb:place]) if place > verb else not is_passive
            found.append(not of_the_citing)
    return found
