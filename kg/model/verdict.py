"""The verdict of a number: one of six words, the same in every output and language.

A verdict is the audit's, on what somebody claims; it is computed in `kg.audit.advice` and never recorded by hand.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, get_args

Verdict = Literal["confirmed", "unverified", "caution", "disputed", "wrong", "unknown"]
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
"""The best first."""

PairVerdict = Literal["conflict", "possible-conflict", "explained", "agree", "not-comparable"]
"""How two figures of one thing stand to each other."""
PAIR_VERDICTS: Final[tuple[PairVerdict, ...]] = get_args(PairVerdict)
"""The most severe first."""
MeasuredVerdict = Literal[
    "contradicted", "supported-system-only", "supported-per-accelerator-only", "supported", "no-comparable"
]
"""How a claim of a ratio or an order stands to published results."""
MEASURED_VERDICTS: Final[tuple[MeasuredVerdict, ...]] = get_args(MeasuredVerdict)
"""The most severe first."""

NOT_TO_USE: Final = frozenset[Verdict]({"wrong", "disputed", "unknown"})
"""Verdicts after which the figure itself is never offered as the value to use."""


class VerdictWords(NamedTuple):
    """How a verdict reads behind a number, what it means, and the colour that repeats it on light and on dark."""

    sentence: str
    meaning: str
    light: str
    dark: str


WORDS: Final[dict[Verdict, VerdictWords]] = {
    "confirmed": VerdictWords(
        "is confirmed",
        "It recomputes from its inputs, or an official or published measurement says the same, or a data sheet does, as accelkg's "
        "list of references has it from memory and other pages: the sheet itself was not opened.",
        "#1a7f4b",
        "#5fd39a",
    ),
    "unverified": VerdictWords(
        "is unverified", "Nothing speaks against it; no primary source was reached.", "#5f6b76", "#a3adb8"
    ),
    "caution": VerdictWords("needs caution", "Usable only with what is said beside it.", "#8a6d00", "#e6c84b"),
    "disputed": VerdictWords(
        "is disputed",
        "Others, or other figures of the same thing, say otherwise under the same conditions, and nothing decides.",
        "#b65400",
        "#ff9f4a",
    ),
    "wrong": VerdictWords("is wrong", "Arithmetic or a primary source refutes it.", "#b3121d", "#ff7a7a"),
    "unknown": VerdictWords(
        "is unknown", "Nobody states it; the nearest numbers are shown with their verdicts.", "#5f6b76", "#a3adb8"
    ),
}


def read_verdict(word: str | None) -> Verdict:
    """The verdict of a word; unverified where nobody has judged.

    >>> read_verdict("wrong"), read_verdict(None)
    ('wrong', 'unverified')
    """
    return next((one for one in VERDICTS if one == word), "unverified")


def joint_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """One verdict for claims that state the same: the worst of them, but for one that is wrong only here or there.

    >>> joint_verdict(["confirmed", "unverified"]), joint_verdict(["wrong", "wrong"]), joint_verdict(["wrong", "confirmed"])
    ('unverified', 'wrong', 'caution')
    """
    found = set(verdicts)
    if not found:
        return "unknown"
    # Wrong here and right there: what is wrong is not the number but what is said of it.
    if "wrong" in found and len(found) > 1:
        return "caution"
    return max(found, key=VERDICTS.index)


def founded_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """One verdict for claims of one value: what confirms it for one says more than that nothing was reached for another.

    >>> founded_verdict(["caution", "unverified"]), founded_verdict(["unverified", "confirmed"]), founded_verdict(["unverified"])
    ('caution', 'confirmed', 'unverified')
    """
    given = list(verdicts)
    found = joint_verdict(given)
    return "confirmed" if found == "unverified" and "confirmed" in given else found


def said_with_value(verdict: Verdict, reason: str, value: str | None) -> str:
    """The reason and the value to use, as sentences; that there is none is said of all but what is confirmed or unknown.

    >>> said_with_value("wrong", "divided by 4", "4,023.78"), said_with_value("caution", "its unit is doubtful", None)
    ('Divided by 4. Value to use: 4,023.78.', 'Its unit is doubtful. No better value is known.')
    """
    stated = reason[:1].upper() + reason[1:].rstrip(".") + "."
    if value is not None:
        return f"{stated} Value to use: {value.rstrip('.')}."
    return stated if verdict in ("confirmed", "unknown") else f"{stated} No better value is known."
