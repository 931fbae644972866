"""What people ask for that no saved question answers but another command does, and how they word it.

Each command stands with what it is to be given, as slots (`kg.ask.examples.SLOTS`, and `FIGURE`), filled with what was named.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kg.ask.mentions import NameMention, without_unit

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "kg audit THING": (
        "what are the worst problems",
        "which are the most serious mistakes of all documents",
        "biggest errors in the data",
        "what should i worry about",
        "what is wrong with the figures of the THING",
        "what is wrong with the THING",
        "problems with THING",
        "which claims about THING are wrong",
        "wrong claims about THING",
        "audit the claims about THING",
        "top problems",
        "can i trust these numbers",
        "what should i not quote",
        "which figures should not be quoted",
    ),
    "kg audit --source SOURCE": (
        "what is wrong in SOURCE",
        "what does SOURCE get wrong",
        "errors of SOURCE",
        "where is SOURCE mistaken",
        "mistakes in SOURCE",
        "which errors does SOURCE contain",
        "is SOURCE reliable",
        "how reliable is SOURCE",
        "how trustworthy is SOURCE",
        "can i trust SOURCE",
        "audit SOURCE",
        "how good is SOURCE",
    ),
    "kg audit ORGANISATION": (
        "errors of ORGANISATION",
        "mistakes of ORGANISATION",
        "what does ORGANISATION get wrong",
        "which claims of ORGANISATION are wrong",
        "which claims of the ORGANISATION report are wrong",
        "where is ORGANISATION mistaken",
        "is ORGANISATION reliable",
        "how reliable is ORGANISATION",
        "how trustworthy is ORGANISATION",
        "can i trust ORGANISATION",
    ),
    "kg conflicts SOURCE": (
        "who disagrees with SOURCE",
        "who contradicts SOURCE",
    ),
    "kg conflicts ORGANISATION": (
        "who disagrees with ORGANISATION",
        "who contradicts ORGANISATION",
    ),
    "kg audit FIGURE": (
        "what is wrong with FIGURE",
        "why is FIGURE wrong",
        "problems with the figure FIGURE",
        "what is the matter with FIGURE",
        "what is wrong with the FIGURE claim",
        "what is wrong with the claim of FIGURE",
    ),
    "kg impact FIGURE": (
        "what else falls if this number is wrong",
        "what follows if it is wrong",
        "what if this figure is not true",
        "consequences if that value is false",
        "what breaks when the number is withdrawn",
        "impact of a wrong figure",
        "which conclusions fall with it",
        "what is based on this number",
        "which claims were computed from this figure",
        "which claims rest on FIGURE",
        "what depends on the figure FIGURE",
        "what else falls if FIGURE is wrong",
        "what falls if the memory of THING is wrong",
        "what rests on the figures of THING",
        "what is built on FIGURE",
    ),
    "kg trace FIGURE": (
        "who said FIGURE",
        "where does FIGURE come from",
        "who was first to say FIGURE",
        "which document claims FIGURE",
        "is FIGURE right",
        "is the figure FIGURE true",
        "where is the number FIGURE printed",
        "origin of FIGURE",
        "who claims FIGURE",
        "can i quote FIGURE",
        "may i use the number FIGURE",
        "is that number FIGURE wrong",
        "should i cite FIGURE",
    ),
    "kg show THING": (
        "what else is THING called",
        "aliases of the THING",
        "synonyms of THING",
        "which names does the THING have",
        "alternative names of the THING",
    ),
    "kg verify THING THING": (
        "do published results support what is claimed of THING over THING",
        "do measurements bear out the claims about THING against THING",
        "is the speed up of THING over THING confirmed by results",
        "are the ratios of THING to THING true",
        "verify claims about THING",
        "check the claimed ratios against measured results",
        "does mlperf confirm what is said of THING and THING",
        "which claims do published results contradict",
        "does mlperf contradict what somebody claims",
    ),
    "kg cite SOURCE": (
        "how do i cite SOURCE",
        "how do i cite the account",
        "how to cite this",
        "bibtex for SOURCE",
        "give me a citation of SOURCE",
        "reference for my paper",
        "how should i quote SOURCE",
    ),
    "kg check FILE": (
        "check my text",
        "are the figures in my article right",
        "check the numbers of this draft",
        "fact check a document of mine",
        "is my report correct",
        "check a quote",
    ),
    "kg read FILE": (
        "how do i add a report",
        "read a new report",
        "add my own document",
        "extract claims from a pdf",
        "how can i put a new paper in",
        "import an article",
    ),
    "kg load FILE": (
        "how do i load my own data",
        "load a csv file",
        "import benchmark results",
        "add a table of measurements",
        "load published files",
    ),
    "kg view THING": (
        "draw a picture of THING",
        "show the graph of THING",
        "visualise THING",
        "a chart of THING",
        "plot THING against THING",
        "diagram of where it comes from",
    ),
    "kg export csv": (
        "export everything to csv",
        "download the data",
        "get the data as rdf",
        "save the graph to a file",
        "how do i get the claims into excel",
        "give me parquet files",
    ),
    "kg origins FIGURE": (
        "how many independent sources say this number",
        "is this figure only repeated",
        "how often is this number repeated",
        "are these independent confirmations of the figure",
    ),
}

_OPTIONAL: Final = ("THING", "SOURCE", "ORGANISATION")
"""Slots that a command does without: all are meant then."""
_INSTEAD: Final[Mapping[str, tuple[str, ...]]] = {"kg impact FIGURE": ("CLAIM", "THING", "SOURCE")}
"""What else than a figure a command takes."""


def filled(command: str, mentions: Iterable[NameMention], figures: Sequence[str]) -> str:
    """A command with what was named in place of its slots; one that nothing was named for is left out with its option.

    Of a figure only the number, where it is not traced: its unit may be another than the one that was printed.

    >>> filled("kg audit --source SOURCE", [], []), filled("kg impact FIGURE", [], ["289,712"]), filled("kg verify THING THING", [], [])
    ('kg audit', 'kg impact 289,712', 'kg verify')
    """
    whole = command.startswith("kg trace")
    named: dict[str, list[str]] = {"FIGURE": [one if whole else without_unit(one) for one in figures]}
    for one in mentions:
        if one.slot is not None:
            named.setdefault(one.slot, []).append(one.ids[0] if one.slot in ("CLAIM", "SOURCE") else one.key)
    others = [named[slot][0] for slot in _INSTEAD.get(command, ()) if slot in named]
    named["FIGURE"] = named["FIGURE"] or others[:1]
    words: list[str] = []
    for word in shlex.split(command):
        if given := named.get(word):
            words.append(given.pop(0))
        elif word in _OPTIONAL:
            words = words[:-1] if words[-1].startswith("--") else words
        else:
            words.append(word)
    return shlex.join(words)
